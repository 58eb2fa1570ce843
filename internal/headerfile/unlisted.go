package headerfile

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/policy"
)

// reportOpen reports the routes of the owner's that serve a file at addresses which cannot be
// listed, where the host sends something else of a header there than the file is to have (N3).
// Netlify goes by the file that it serves. A route is reported once, for the first header and file;
// a page that is served for want of another file once for each header and handling. A want that is
// Free needs nothing.
func (c *compiler) reportOpen(h *File, demands []robotstag.Demand) {
	isReported := map[*address.Route]bool{}
	for _, demand := range demands {
		sentAt, patterns := h.sentAt(demand.Header)
		for i := range demand.Wants {
			w := &demand.Wants[i]
			if w.Free || len(w.Values) == 0 {
				continue
			}
			text := strings.Join(w.Values, ", ")
			isRight := func(s robotstag.Sent) bool { return demand.Header.Equal(s.String(), text) }
			differs := func(path string) bool { return !every(sentAt(path), isRight) }
			for _, open := range h.addresses.Opens(w.Path) {
				if isReported[open.Route] || !h.mayLackHeader(&open, w) {
					continue
				}
				if slices.ContainsFunc(h.samples(&open, w.Path, patterns), differs) {
					isReported[open.Route] = open.Route != nil
					c.findings = append(c.findings, unlisted(open, w, demand.Header.Name))
				}
			}
		}
	}
}

// mayLackHeader reports whether a file may be served without its header at addresses that cannot be
// listed, and needs it there: not on Netlify, and not if a page is served there for want of another
// file and is left to its tags.
func (h *File) mayLackHeader(open *address.Open, w *robotstag.Want) bool {
	isForWantOfFile := open.Route == nil
	return open.Host.Host != headers.TargetNetlify && !(isForWantOfFile && h.leavesToTag(w))
}

// leavesToTag reports whether a page needs no rule: its tags tell every crawler what is wanted
// (HTML), or all but some that read headers alone (Untagged), and its rules do not fit.
func (h *File) leavesToTag(w *robotstag.Want) bool {
	_, givenUp := slices.BinarySearch(h.Result.GivenUp, w.Path)
	return w.HTML || w.Untagged && givenUp
}

// samples are addresses at which the host serves a file, of those that cannot be listed: one for
// each pattern of the header file that has a wildcard, and another one.
func (h *File) samples(open *address.Open, file string, patterns []string) []string {
	all := []string{open.Sample()}
	for _, pattern := range patterns {
		if path := address.Sample(pattern); path != pattern && h.addresses.Serves(path, file) {
			all = append(all, path)
		}
	}
	return all
}

// unlisted is the finding about a file that is served at addresses which cannot be listed, without
// a header.
func unlisted(open address.Open, w *robotstag.Want, header string) policy.Finding {
	tag := ""
	if w.HTML {
		tag = ", and its tag alone speaks"
	}
	lacks := fmt.Sprintf("there its %s %q is not sent%s (a rule of your own for these URLs sends it)",
		header, strings.Join(w.Values, ", "), tag)
	return Unlisted(open, w.Path, w.URL, lacks)
}

// Unlisted is the finding about a file that is served at addresses which cannot be listed: lacks
// says what is missing there, and what would help.
func Unlisted(open address.Open, file, url, lacks string) policy.Finding {
	f := policy.Finding{ID: "rewrite", Severity: policy.Warning, URL: url}
	where := "where nothing is published"
	if r := open.Route; r != nil {
		f.URL, f.File, f.Line, where = "", r.Origin.File, r.Origin.Line, "that "+r.Source+" matches"
	}
	f.Message = fmt.Sprintf("%s is served at every URL %s, which cannot be listed: %s",
		file, where, lacks)
	return f
}

// sentAt returns what the new file sends of a header at an encoded request path, and the patterns
// of its rules. Of a file with a form of its own, whose rules name one path each, nothing is known.
func (h *File) sentAt(header robotstag.Header) (
	sentAt func(path string) []robotstag.Sent, patterns []string) {
	if !h.hasOwnForm() {
		if u, err := headers.ReadUser(marks.Plain(h.Result.File), header, h.options()); err == nil {
			return u.SentAt, u.Patterns()
		}
	}
	return func(string) []robotstag.Sent { return []robotstag.Sent{nil} }, nil
}
