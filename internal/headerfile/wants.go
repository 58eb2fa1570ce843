package headerfile

import (
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/policy"
)

// robotsWants are what the files of a host are to be served with of X-Robots-Tag, and whether a
// rule is needed. If the environment keeps a whole site out of the index (isPrivate), its one rule
// may reach redirects, error pages and control files too (N7).
func (c *compiler) robotsWants(h *File, isPrivate bool) (
	wants []robotstag.Want, isNeeded bool) {
	h.rules.enough = map[string]bool{}
	for name, d := range c.servedFiles(h) {
		w := robotstag.Want{Path: name, URL: d.URL, Values: d.Header,
			Free: isPrivate && !d.Role.Policed()}
		w.HTML = d.areTagsEnough(d.Decision)
		w.Untagged = d.TakesTags && !w.HTML
		if w.Found = d.Stated && c.isServedByOwner(h, &w); w.Found && h.hasOwnForm() {
			h.rules.enough[name] = true
		}
		c.reportOverridden(h, d, name)
		wants = append(wants, w)
		isNeeded = isNeeded || len(w.Values) > 0 && !w.Free
		for _, source := range h.sources(name) {
			w.Source = source
			wants = append(wants, c.atSource(h, d, w))
		}
	}
	return wants, isNeeded
}

// sources are the request paths of rewrites at which the host serves a file.
func (h *File) sources(name string) (paths []string) {
	if len(h.addresses.Routes()) == 0 {
		return nil
	}
	for _, a := range h.addresses.Of(name) {
		if a.By == address.Rewritten && a.Serves() {
			paths = append(paths, a.Path)
		}
	}
	return paths
}

// atSource is what a file is to be served with at the source of a rewrite, w without the owner's
// rules there: what is decided for it, and what these state, which holds there alone.
func (c *compiler) atSource(h *File, d *Decided, w robotstag.Want) robotstag.Want {
	w.Values, w.Found = d.Header, false
	if answers := h.rules.remaining(w.Path, w.Source); slices.ContainsFunc(answers, isSent) {
		p := c.files.project.Policy
		decision := p.Resolve(slices.Concat(d.Decision.Statements, c.files.readByItself(answers)))
		w.HTML, w.Values = d.areTagsEnough(&decision), decision.Header(p.Style)
		w.Untagged = d.TakesTags && !w.HTML
		w.Found = c.isServedByOwner(h, &w)
	}
	return w
}

// areTagsEnough reports whether the file's tags tell every crawler a decision: some crawlers read
// headers alone (A1).
func (d *Decided) areTagsEnough(decision *policy.Decision) bool {
	return d.TakesTags && len(decision.Untagged()) == 0
}

// untagged names the crawlers that the tags of some files do not tell what is decided.
func (c *compiler) untagged(h *File) string {
	var names []string
	for _, d := range c.servedFiles(h) {
		if d.TakesTags {
			names = append(names, d.Decision.Untagged()...)
		}
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}
