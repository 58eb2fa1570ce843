package plan

import (
	"bytes"

	"metarobots/emit/head"
	"metarobots/internal/address"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// correctRole corrects the role of an HTML file by what its owner says of it (L3) and by what its
// generator wrote (L4).
func (mk *Maker) correctRole(f *site.File, r *head.Refresh) {
	paths := &mk.project.Config.Robots.Unpoliced.ErrorPages
	excepted := paths.Except.Match(f.Path)
	switch {
	case f.Role == policy.RoleControl:
	case !excepted && paths.Match.Match(f.Path):
		f.Role, f.Facts.Kind = policy.RoleError, "404"
	case mk.isRedirect(f.Name, r):
		f.Role, f.Unknown = policy.RoleRedirect, false
	case f.Role == policy.RoleRedirect && (r == nil || r.URL == ""): // a template of the site's own sends nobody on
		f.Role, f.Facts.Kind = policy.RolePage, "page"
	case excepted && f.Role == policy.RoleError:
		f.Role, f.Facts.Kind = policy.RolePage, "page"
	}
}

// isRedirect reports whether a page only sends readers on: a real head element http-equiv=refresh,
// delay 0, to another URL (L4).
func (mk *Maker) isRedirect(file string, r *head.Refresh) bool {
	if r == nil || r.Delay != 0 || r.URL == "" {
		return false
	}
	to, ok := mk.project.ResolveLink(file, r.URL, project.UnknownIsForeign)
	return !ok || !mk.sites.Names(to, file) || mk.namesSibling(to, file) // else it reloads itself
}

// namesSibling reports whether a path that is not the URL of a file is the name of the other file
// that hosts may serve there: /x of x.html, beside x/index.html. An alias leads to that page,
// whichever of the two a host would serve.
func (mk *Maker) namesSibling(to, file string) bool {
	sibling := address.Sibling(file)
	published := mk.folder.Has(sibling) || mk.from.Builds() && !mk.pages.File(sibling).Unknown
	return to != site.URL(file) && sibling != "" && published
}

// antoraNotice is in a redirect page as Antora makes it.
// https://gitlab.com/antora/antora/-/blob/v3.1.15/packages/redirect-producer/lib/produce-redirects.js
var antoraNotice = []byte("\n<meta name=\"robots\" content=\"noindex\">\n<title>Redirect Notice</title>\n")

// hasGeneratorsTag reports whether a redirect page carries what its generator always prints there,
// and nothing else.
func (mk *Maker) hasGeneratorsTag(pg *Page, src []byte) bool {
	if pg.File.Role != policy.RoleRedirect || len(pg.Tags) != 1 {
		return false
	}
	return pg.Tags[0].Content == mk.project.Settings.Tags.Redirect || bytes.Contains(src, antoraNotice)
}
