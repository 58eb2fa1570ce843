package pages

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/internal/site"
	"metarobots/policy"
)

// A view is a page that shows a content file beside others that do.
type view struct {
	// route is the file that makes it, from the site's folder.
	route string
	// places are the published files that it may be, the likeliest first, as content.places.
	places []string
	// named: route names the content's collection. sure: and where such a page is, it is this content's.
	named, sure bool
}

// beside gives content the further pages that are sure to show it; exact: those whose names are known to the letter. What
// the owner says of its place goes before them.
func (m *pageMap) beside(exact bool) {
	for _, c := range m.content {
		if len(c.claimed) == 0 || slices.Contains(c.owned, c.claimed[0]) {
			continue
		}
		for _, v := range c.views {
			if !v.sure || v.taken(c) {
				continue
			}
			// A page of a file of its own goes before a route with parameters.
			own := func(c *content) bool { return len(c.views) == 0 }
			if all := m.candidates(v, exact); len(all) == 1 && !slices.ContainsFunc(m.behind[all[0]], own) {
				m.take(c, all[0])
			}
		}
	}
}

// taken reports whether a content file was found to be this page.
func (v *view) taken(c *content) bool {
	return slices.ContainsFunc(c.claimed, func(name string) bool {
		return slices.ContainsFunc(v.places, func(place string) bool {
			return place == name || strings.Contains(place, "*") && placePattern(place).MatchString(name)
		})
	})
}

// candidates are the published pages that a view may be: the first of its places that are known to the letter, or all that
// match the others and of which nothing is known.
func (m *pageMap) candidates(v view, exact bool) (all []string) {
	for _, place := range v.places {
		if exact == strings.Contains(place, "*") {
			continue
		}
		if exact {
			if m.published.has(place) {
				return []string{place}
			}
			continue
		}
		for _, name := range m.published.match(place) {
			if len(m.behind[name]) == 0 {
				all = append(all, name)
			}
		}
	}
	return all
}

// doubtful reports pages that may show content that states something beside the page that was found for it. Pages that
// name their source themselves are in no doubt.
func (m *pageMap) doubtful() (findings []policy.Finding) {
	told := map[string]bool{}
	for _, names := range m.told {
		for _, name := range names {
			told[name] = true
		}
	}
	for _, c := range m.content {
		if len(c.statements) == 0 || len(c.claimed) == 0 {
			continue
		}
		for _, v := range c.views {
			if v.taken(c) {
				continue
			}
			all := slices.Concat(m.candidates(v, true), m.candidates(v, false))
			all = slices.DeleteFunc(all, func(name string) bool { return told[name] || len(m.behind[name]) > 0 })
			if len(all) == 0 {
				continue
			}
			more := ""
			if n := len(all) - 1; n > 0 {
				more = fmt.Sprintf(" and %d more", n)
			}
			s := c.statements[0]
			findings = append(findings, policy.Finding{ID: "no-page", Severity: policy.Warning, URL: site.URL(all[0]), File: s.Origin.File, Line: s.Origin.Line,
				Message: fmt.Sprintf("%s and is published as %s; %s may show it too, as %s%s, where that does not count: a rule of robots.rules says it there, or the template hands the page over",
					m.says(c), c.claimed[0], m.short(v.route), all[0], more)})
		}
	}
	return findings
}
