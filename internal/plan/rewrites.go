package plan

import (
	"fmt"
	"net/url"
	"path"
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
func (p *Plan) rewritten(h *HeaderFile, wants []robotstag.Want) []robotstag.Want {
	if h.Target != headers.TargetCloudflare && h.Target != headers.TargetPortable {
		return nil
	}
	name := path.Join(h.Root, "_redirects")
	at := p.Published(name)
	data, err := p.project.read(p.path(name), maxConfig)
	if data == nil && err == nil { // a build that writes nothing
		if at = p.m.File(name).Source; at != "" {
			data, err = p.readSource(name, maxConfig)
		}
	}
	if disk.Refused(err) {
		p.notRead(p.path(name), err)
	}
	rewrites := headers.Rewrites(data)
	if len(rewrites) == 0 {
		return nil
	}
	published := make(map[string]bool, len(wants))
	for _, w := range wants {
		published[strings.TrimPrefix(w.Path, "/")] = true
	}
	var more []robotstag.Want
	open := map[int]bool{}
	for _, w := range wants {
		if w.Free {
			continue
		}
		served, redirected := headers.Forms(headers.Cloudflare, w.Path)
		forms := append(served, redirected...)
		for i := range rewrites {
			r := &rewrites[i]
			if r.Open() {
				if slices.Contains(forms, r.To) && len(w.Values) > 0 && !open[r.Line] {
					open[r.Line] = true
					p.report(policy.Finding{ID: "rewrite", Severity: policy.Warning, File: at, Line: r.Line,
						Message: fmt.Sprintf("%s is served at every URL below %s, which cannot be listed: there its X-Robots-Tag %q is not sent%s", strings.TrimPrefix(w.Path, "/"), r.From,
							strings.Join(w.Values, ", "), map[bool]string{true: ", and its tag alone speaks"}[w.HTML])})
				}
				continue
			}
			for _, form := range forms {
				if from, ok := r.Source(form); ok {
					if name, ok := rewriteName(from); ok && !published[name] {
						published[name] = true
						other := w
						other.Path, other.URL, other.Found = name, site.URL(path.Join(h.Root, name)), false
						more = append(more, other)
					}
				}
			}
		}
	}
	return more
}

// rewriteName is a published file that a host would serve at an encoded request path and no other.
func rewriteName(from string) (string, bool) {
	name, err := url.PathUnescape(from)
	if err != nil || strings.ContainsAny(name, "\x00") {
		return "", false
	}
	name = strings.TrimPrefix(name, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	return name, true
}
