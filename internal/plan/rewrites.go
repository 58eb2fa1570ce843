package plan

import (
	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/internal/disk"
	"metarobots/internal/site"
)

// rewritten returns what is to be served at the sources of rewrites in the site's _redirects, or in the file that a
// build is to publish there: what their targets are (N3).
func (p *planner) rewritten(h *headerSource, wants []robotstag.Want) (more []robotstag.Want) {
	if h.target != headers.TargetCloudflare && h.target != headers.TargetPortable {
		return nil
	}
	name := h.root + "_redirects"
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
	more, findings := headers.Rewritten(data, wants)
	for i := range more {
		more[i].URL = site.URL(h.root + more[i].Path)
	}
	for _, f := range findings {
		f.File = at
		p.report(f)
	}
	return more
}
