package plan

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/policy"
)

// rewritten returns what is to be served at the sources of rewrites in the site's _redirects: what their targets are
// (N3). Cloudflare alone takes header rules by the path that was asked for.
func (p *planner) rewritten(h *headerSource, wants []robotstag.Want) (more []robotstag.Want) {
	if h.target != headers.TargetCloudflare && h.target != headers.TargetPortable {
		return nil
	}
	rewrites, file := p.readRewrites(h.root + "_redirects")
	if len(rewrites) == 0 {
		return nil
	}
	open := map[int]bool{} // lines that are reported
	taken := make(map[string]bool, len(wants))
	for i := range wants {
		taken[wants[i].Name()] = true
	}
	for _, w := range wants {
		if w.Free {
			continue
		}
		served, redirected := headers.Forms(headers.Cloudflare, w.Path)
		forms := append(served, redirected...)
		for i := range rewrites {
			r := &rewrites[i]
			if r.Open() && !open[r.Line] && len(w.Values) > 0 && slices.Contains(forms, r.To) {
				open[r.Line] = true
				p.reportOpen(r, &w, file)
			}
			for _, name := range rewrittenNames(r, forms) {
				if !taken[name] {
					taken[name] = true
					other := w
					other.Path, other.URL, other.Found = name, site.URL(h.root+name), false
					more = append(more, other)
				}
			}
		}
	}
	return more
}

// readRewrites reads the rewrites of a published _redirects, or of the file that a build is to publish there, and
// returns its name for messages.
func (p *planner) readRewrites(name string) ([]headers.Rewrite, string) {
	at := p.published(name)
	data, err := p.read(p.path(name), maxConfig)
	if data == nil && err == nil { // a build that writes nothing
		if at = p.m.File(name).Source; at != "" {
			data, err = p.readSource(name, maxConfig)
		}
	}
	if disk.Refused(err) {
		p.notRead(p.path(name), err)
	}
	return headers.Rewrites(data), at
}

// reportOpen reports a rewrite whose sources cannot be listed.
func (p *planner) reportOpen(r *headers.Rewrite, w *robotstag.Want, file string) {
	tag := ""
	if w.HTML {
		tag = ", and its tag alone speaks"
	}
	p.report(policy.Finding{ID: "rewrite", Severity: policy.Warning, File: file, Line: r.Line,
		Message: fmt.Sprintf("%s is served at every URL below %s, which cannot be listed: there its X-Robots-Tag %q "+
			"is not sent%s", w.Name(), r.From, strings.Join(w.Values, ", "), tag)})
}

// rewrittenNames are the published files that a host would serve at the sources of a rewrite to one of these paths, and
// nowhere else.
func rewrittenNames(r *headers.Rewrite, to []string) (names []string) {
	for _, form := range to {
		from, ok := r.Source(form)
		if !ok || r.Open() {
			continue
		}
		name, err := url.PathUnescape(from)
		if err != nil || strings.Contains(name, "\x00") {
			continue
		}
		name = strings.TrimPrefix(name, "/")
		if name == "" || strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		names = append(names, name)
	}
	return names
}
