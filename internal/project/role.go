package project

import (
	"metarobots/emit/head"
	"metarobots/internal/site"
	"metarobots/policy"
)

// Classify corrects the role of an HTML file by what its owner says of it (L3) and by what its generator wrote (L4).
func (p *Project) Classify(f *site.File, r *head.Refresh) {
	paths := &p.Config.Robots.ErrorPaths
	excepted := paths.Except.Match(f.Path)
	switch {
	case f.Role == policy.RoleControl:
	case !excepted && paths.Match.Match(f.Path):
		f.Role, f.Facts.Kind = policy.RoleError, "404"
	case p.redirects(f.Name, r):
		f.Role, f.Unknown = policy.RoleRedirect, false
	case excepted && f.Role == policy.RoleError:
		f.Role, f.Facts.Kind = policy.RolePage, "page"
	}
}

// redirects reports whether a page only sends readers on: a real head element http-equiv=refresh, delay 0, to another
// URL (L4).
func (p *Project) redirects(file string, r *head.Refresh) bool {
	if r == nil || r.Delay != 0 || r.URL == "" {
		return false
	}
	to, ok := p.Leads(file, r.URL, false)
	return !ok || !SamePath(to, site.URL(file)) // else it reloads itself
}
