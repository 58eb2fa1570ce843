package plan

import (
	"cmp"
	"fmt"
	"slices"

	"metarobots/internal/versions"
	"metarobots/policy"
)

// IsMain reports whether a page is one of those that the guard counts (S3): no term, no pager, no
// further output of a page.
func (pg *Page) IsMain() bool {
	return pg.File.Role == policy.RolePage && pg.File.Of == nil && pg.File.Pager <= 1 &&
		slices.Contains([]string{"", "home", "page", "section"}, pg.File.Facts.Kind)
}

// IsGuarded reports whether the guard counts a page: the main ones, without old versions of a
// documentation and without what the owner excepts (S3f).
func IsGuarded(s *Plan, pg *Page) bool {
	return pg.IsMain() && !IsOldVersion(s, pg) && !s.Project.Config.Robots.Guard.Except.Match(pg.File.Path)
}

// IsOldVersion reports whether a page is of an old version of a documentation, without doubt: if
// the newest version has hardly a page of it, the two may be no versions of one documentation.
func IsOldVersion(s *Plan, pg *Page) bool {
	return pg.File.Facts.Version == versions.Old && !s.Versions.IsDoubtful(pg.File.Name)
}

// Leaving counts the pages of a plan that the guard counts, and those of them that leave the index.
func Leaving(s *Plan, leaves func(*Page) bool) (hidden, counted int) {
	for _, pg := range s.Pages {
		if !IsGuarded(s, pg) {
			continue
		}
		if counted++; leaves(pg) {
			hidden++
		}
	}
	return hidden, counted
}

// What leads search engines from one URL to another.
const (
	ByRedirect      = "redirect"
	ByCanonicalLink = "canonical link"
)

// A Lead is another URL that search engines list instead of a page.
type Lead struct {
	// By is [ByRedirect] or [ByCanonicalLink].
	By string `json:"by"`
	// To is an encoded path from the publish root; of another site a URL, or empty if nobody knows
	// it, as in snapshots of earlier programs.
	To string `json:"to"`
	// File and Line are the place of the redirect or the link.
	File string `json:"file"`
	Line int    `json:"line"`
}

// LeadOf returns where a page leads search engines: by a redirect in its head, by the owner's
// redirect of its URL if no host serves it at any address, or by a canonical link in its head that
// does not name the page itself. ok is false if it leads nowhere, and so the page itself is listed.
func LeadOf(s *Plan, pg *Page) (lead Lead, ok bool) {
	file := s.Project.Published(pg.File.Name)
	isPage := pg.File.HTML && pg.File.Role.Policed()
	switch {
	case pg.File.Role == policy.RoleRedirect && pg.Links.Related != nil: // its bytes were read
		return Lead{By: ByRedirect, To: pg.Links.Related.Redirect, File: file}, true
	case pg.File.Role.Policed() && len(s.Sites.ServedAt(pg)) == 0:
		for _, a := range s.Sites.At(pg.URL) {
			if a.Route != nil && a.To != "" {
				return Lead{By: ByRedirect, To: a.To, File: a.Route.Origin.File, Line: a.Route.Origin.Line}, true
			}
		}
	case isPage && pg.Links.Related != nil && (pg.Links.Related.Canonical != "" || pg.Links.Related.Elsewhere):
		to := cmp.Or(pg.Links.Related.Canonical, pg.Links.Related.OtherSite)
		return Lead{By: ByCanonicalLink, To: to, File: file, Line: pg.Links.Related.Line}, true
	}
	return Lead{}, false
}

// GuardAllows is the key of [robots.guard] that lets everything pass.
const GuardAllows = "allow = true"

// GuardKey is the key of [robots.guard] that lets so many of the counted pages leave, and no more.
func GuardKey(hidden, counted int) string {
	if hidden == counted {
		return GuardAllows
	}
	return fmt.Sprintf("noindex = %v", float64(100*hidden/counted+1)/100)
}
