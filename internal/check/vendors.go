package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/internal/headerfile"
	"metarobots/internal/plan"
	"metarobots/internal/published"
	"metarobots/policy"
)

// vendorsDiffer reports where a vendor of AI, by what it documents and by what is published, may do what is denied, or
// may not do what is allowed (I6): at the line of the statement, once for all files with the same vendors. In a preview
// nothing is meant to be found.
func vendorsDiffer(site *plan.Plan) []policy.Finding {
	if !slices.ContainsFunc(site.Pages, func(pg *plan.Page) bool { return !pg.Decision.AI.IsZero() }) {
		return nil
	}
	var all headerfile.Repeated
	for _, g := range published.NewVendors(site).Groups() {
		for _, u := range policy.Uses {
			who := map[policy.Preference]string{policy.Allowed: whoDiffers(g.Answers, u, policy.Allowed),
				policy.Denied: whoDiffers(g.Answers, u, policy.Denied)}
			for _, pg := range g.Pages {
				states := pg.Decision.AI[u]
				preview := states == policy.Allowed && pg.Decision.NoIndex() && !pg.Hidden()
				if who[states] == "" || preview {
					continue
				}
				at := pg.Decision.Statements[pg.Decision.Preferring(u)[0]].Origin
				may := "may"
				if states == policy.Allowed {
					may = "may not"
				}
				all.Add(fmt.Sprint(u, at, who[states]), policy.Finding{ID: "ai-vendor", Severity: policy.Note, URL: pg.URL,
					File: cmp.Or(at.File, site.Project.Published(pg.File.Name)), Line: at.Line,
					Message: fmt.Sprintf("%s = %s, but by what is published these %s: %s", u, states, may, who[states])})
			}
		}
	}
	return all.All("; the same for %d more")
}

// differs reports whether a vendor does not do what is stated, or need not: robotstxt-may-ignore has those that may fetch
// nothing and may ignore that.
func differs(a published.Answer, stated policy.Preference) bool {
	if stated == policy.Allowed {
		return !a.Allows()
	}
	return a.Allows() || a.MayIgnore && a.By != "Disallow: /"
}

// whoDiffers lists vendors with what lets or does not let them, those together for which it is the same; "" for none.
func whoDiffers(answers []published.Answer, u policy.Use, stated policy.Preference) string {
	var reasons []string
	names := map[string][]string{}
	for _, a := range answers {
		if a.Use != u || !differs(a, stated) {
			continue
		}
		why := "robots.txt does not deny it"
		switch {
		case a.MayIgnore:
			why = "robots.txt may be ignored"
		case a.Allows() && a.Unless != nil:
			why = strings.Join(a.Unless, " or ") + " in tags or headers would deny it"
		case a.Line > 0:
			why = policy.Placed(a.File, a.Line, a.By)
		case !a.Allows():
			why = a.By
		}
		if names[why] == nil {
			reasons = append(reasons, why)
		}
		names[why] = append(names[why], a.Vendor+" ("+a.Crawler+")")
	}
	for i, why := range reasons {
		reasons[i] = strings.Join(names[why], ", ") + ": " + why
	}
	return strings.Join(reasons, "; ")
}
