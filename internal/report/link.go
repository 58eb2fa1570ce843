package report

import (
	"net/url"
	"strings"
)

// Link writes a page's URL for a table's cell, as a link to the page if the site's base URL is
// known.
func (v *view) Link(path string) string { return v.linkIn(asMarkdown, path) }

// linkIn is [view.Link] in a markup.
func (v *view) linkIn(m *markup, path string) string {
	name := m.code(path)
	if name == "" {
		return ""
	}
	if at := v.address(path); at != "" {
		return m.link(name, at)
	}
	return name
}

// address is where a page is on the web; empty if that is not known, or could break out of a link.
func (v *view) address(path string) string {
	longest, base := "", ""
	for folder, of := range v.Data.Summary.Hosts {
		if strings.HasPrefix(path, folder) && len(folder) > len(longest) {
			longest, base = folder, of
		}
	}
	at := strings.TrimSuffix(base, "/") + "/" + strings.TrimPrefix(path, longest)
	u, err := url.Parse(at)
	isUnfit := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("<>|\\`", r) }
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" ||
		strings.ContainsFunc(at, isUnfit) {
		return ""
	}
	return at
}
