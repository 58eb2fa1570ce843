package check

import (
	"fmt"
	"slices"

	"metarobots/internal/plan"
	"metarobots/policy"
)

// guard reports a site that is about to leave the index in an environment that states nothing (S3).
func guard(site *plan.Site) (all []policy.Finding) {
	project := site.Project
	if len(project.Policy.Environment) > 0 {
		return nil
	}
	counted, hidden, environment := 0, 0, project.Environment.Name
	for _, pg := range site.Pages {
		if !isMain(pg) {
			continue
		}
		counted++
		if !pg.Decision.NoIndex() {
			continue
		}
		hidden++
		if isHome(pg) && !pg.LanguageHidden() {
			all = append(all, about(site, pg, "guard", policy.Error, "the home page is noindex in %s", environment))
		}
	}
	for _, r := range site.Robots {
		crawler := plan.RobotsCrawlers[0]
		if v := r.AskHome(crawler); !v.Allowed {
			all = append(all, policy.Finding{ID: "guard", Severity: policy.Error, URL: "/", File: r.File, Line: v.Line,
				Message: fmt.Sprintf("%q keeps %s from the home page in %s", v.Rule, crawler, environment)})
		}
	}
	if limit := project.Config.Robots.GuardNoindex; counted > 0 && float64(hidden) > limit*float64(counted) {
		all = append(all, policy.Finding{ID: "guard", Severity: policy.Error,
			Message: fmt.Sprintf("%d of %d home, section and ordinary pages are noindex in %s, more than "+
				"robots.guard.noindex = %v allows", hidden, counted, environment, limit)})
	}
	return all
}

// isMain reports whether a page is one of those that the guard counts: no term, no pager, no further output of a page.
func isMain(pg *plan.Page) bool {
	return pg.Role == policy.RolePage && pg.Of == nil && pg.Pager <= 1 &&
		slices.Contains([]string{"", "home", "page", "section"}, pg.Kind)
}

func isHome(pg *plan.Page) bool {
	return pg.Kind == "home" || pg.Kind == "" && pg.Name == "index.html"
}

// NewlyNoindex lists the addresses of the pages that an earlier run left in the index and this one takes out. An
// environment that hides everything says nothing of single pages.
func NewlyNoindex(site *plan.Site) []string {
	addresses := []string{}
	for _, pg := range site.Pages {
		if isNewlyNoindex(site, pg) {
			addresses = append(addresses, site.Address(pg))
		}
	}
	return addresses
}

func isNewlyNoindex(site *plan.Site, pg *plan.Page) bool {
	public := len(site.Project.Policy.Environment) == 0
	return public && pg.WasIndexable && pg.Role == policy.RolePage && pg.Decision.NoIndex()
}

// newlyNoindex counts those pages, for the removal tools of search engines.
// https://support.google.com/webmasters/answer/9689846
func newlyNoindex(site *plan.Site) []policy.Finding {
	t := tallyOf(site, func(pg *plan.Page) bool { return isNewlyNoindex(site, pg) })
	return t.findings(site, "newly-noindex", policy.Note, "out of the index with this run: %s; summary.newlyNoindex "+
		"of --json lists the addresses, for the search engines' removal tools", t.pages())
}
