package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/internal/headerfile"
	"metarobots/internal/plan"
	"metarobots/internal/published"
	"metarobots/internal/vendors"
	"metarobots/policy"
)

// vendorsDiffer reports where a vendor of AI, by what it documents and by what is published, may do what is denied, or
// may not do what is allowed (I6): at the line of the statement, once for all files with the same vendors.
func vendorsDiffer(site *plan.Plan) []policy.Finding {
	var all headerfile.Repeated
	of := published.NewVendors(site)
	type alike struct {
		answers *vendors.Answer // of files that are alike
		use     policy.Use
		states  policy.Preference
	}
	known := map[alike]string{}
	for _, pg := range site.Pages {
		if !pg.File.Role.Policed() || pg.Decision.AI.IsZero() {
			continue
		}
		answers, robots := of.Of(pg, "")
		preview := pg.Decision.NoIndex() && !pg.Hidden() // of which nothing is meant to be found
		for _, u := range policy.Uses {
			key := alike{&answers[0], u, pg.Decision.AI[u]}
			if preview && key.states == policy.Allowed {
				continue
			}
			who, ok := known[key]
			if !ok {
				who = whoDiffers(slices.DeleteFunc(slices.Clone(answers), func(a vendors.Answer) bool {
					return a.Use != u || !differs(a, key.states)
				}), robots)
				known[key] = who
			}
			if who == "" {
				continue
			}
			at := pg.Decision.Statements[pg.Decision.Preferring(u)[0]].Origin
			does := "by what is published these may"
			if key.states == policy.Allowed {
				does = "by what is published these may not"
			}
			all.Add(fmt.Sprint(u, at, who), policy.Finding{ID: "ai-vendor", Severity: policy.Note, URL: pg.URL,
				File: cmp.Or(at.File, site.Project.Published(pg.File.Name)), Line: at.Line,
				Message: fmt.Sprintf("%s = %s, but %s: %s", u, key.states, does, who)})
		}
	}
	return all.All("; the same for %d more")
}

// differs reports whether a vendor does not do what is stated, or need not: robotstxt-may-ignore has those that may fetch
// nothing and may ignore that.
func differs(a vendors.Answer, stated policy.Preference) bool {
	switch stated {
	case policy.Allowed:
		return a.Does != policy.Allowed
	case policy.Denied:
		return a.Does == policy.Allowed || a.MayIgnore && a.By != "Disallow: /"
	}
	return false
}

// whoDiffers lists vendors with what lets or does not let them, those together for which it is the same; "" for none.
func whoDiffers(answers []vendors.Answer, robots *plan.RobotsFile) string {
	reason := func(a vendors.Answer) string {
		switch {
		case a.MayIgnore:
			return "robots.txt may be ignored"
		case a.Does != policy.Allowed && a.Line > 0:
			return policy.Placed(robots.Change.File, a.Line, a.By)
		case a.Does != policy.Allowed:
			return a.By
		case a.Unless != nil:
			return strings.Join(a.Unless, " or ") + " in tags or headers would deny it"
		case a.Line > 0:
			return policy.Placed(robots.Change.File, a.Line, a.By)
		}
		return "robots.txt does not deny it"
	}
	var parts []string
	for len(answers) > 0 {
		why, names := reason(answers[0]), []string{}
		answers = slices.DeleteFunc(answers, func(a vendors.Answer) bool {
			same := reason(a) == why
			if same {
				names = append(names, a.Vendor+" ("+a.Crawler+")")
			}
			return same
		})
		parts = append(parts, strings.Join(names, ", ")+": "+why)
	}
	return strings.Join(parts, "; ")
}
