package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/plan"
	"metarobots/internal/published"
	"metarobots/policy"
)

// overriddenAI reports each statement that allows a use by AI which is denied for every file that
// it is about (I1). An environment is meant to deny what the rest allows.
func overriddenAI(site *plan.Plan) []policy.Finding {
	all, counts := tallies{}, map[string]bool{}
	for _, pg := range site.Pages {
		d := pg.Decision
		for _, s := range d.Statements {
			for _, u := range policy.Uses {
				if s.AI[u] != policy.Allowed {
					continue
				}
				at, deciding := statementOf(s.Origin, u), d.Preferring(u)
				i := slices.IndexFunc(deciding, func(i int) bool {
					return d.Statements[i].Origin.Layer != policy.LayerEnvironment
				})
				if d.AI[u] == policy.Allowed || i < 0 {
					counts[at] = true
				} else if t := all.add(at, pg, s.Origin); t.count == 1 {
					t.key = fmt.Sprintf("%s: %s = allow has no effect: %s = deny at %s", s.Origin.Key, u, u,
						placeOf(d.Statements[deciding[i]].Origin))
				}
			}
		}
	}
	maps.DeleteFunc(all, func(at string, _ *tally) bool { return counts[at] })
	return all.findings(site, "ai-overridden", policy.Warning, "{key} goes before it for {pages}")
}

// contradictedAI reports signals of the site's own robots.txt and header lines, and tags of its theme,
// that say otherwise of a use than what is stated (I8).
func contradictedAI(site *plan.Plan) []policy.Finding {
	return tallied(site, "ai-contradiction", policy.Warning, "{key} for {pages}", func(all tallies, pg *plan.Page) {
		d := pg.Decision
		if d.AI.IsZero() {
			return
		}
		contradicts := func(u policy.Use, states policy.Preference) bool {
			return d.AI[u] != policy.Unstated && states != policy.Unstated && d.AI[u] != states
		}
		report := func(u policy.Use, at policy.Origin, says string) {
			by := placeOf(d.PreferredAt(u))
			t := all.add(statementOf(at, u)+by, pg, at)
			t.key = fmt.Sprintf("%s contradicts %s = %s at %s", says, u, d.AI[u], by)
		}
		for _, s := range d.Statements {
			if s.Origin.Layer == policy.LayerFound && d.AI[policy.UseTraining] == policy.Allowed &&
				!s.Directives.On("noai").IsZero() {
				report(policy.UseTraining, policy.Origin{File: s.Origin.File, Line: s.Origin.Line}, "noai")
			}
		}
		for _, h := range site.Headers {
			for _, v := range h.Signals(pg.File.Name) {
				for u, states := range robotstxt.HeaderStates(v.Name, v.Text) {
					if contradicts(policy.Use(u), states) {
						report(policy.Use(u), policy.Origin{File: v.File, Line: v.Line}, fmt.Sprintf("%q", v.Name+": "+v.Text))
					}
				}
			}
		}
		published.EachUse(site, pg, func(file string, u policy.Use, states policy.Preference, l robotstxt.Line) {
			if contradicts(u, states) {
				report(u, policy.Origin{File: file, Line: l.Number}, fmt.Sprintf("%q", l.String()))
			}
		})
	})
}

// statementOf names what is stated of a use, so that findings come in the order of their lines.
func statementOf(at policy.Origin, u policy.Use) string {
	return fmt.Sprintf("%s:%08d %d %s %s", at.File, at.Line, u, at.Layer, at.Key)
}

// placeOf is the place of a statement, or its layer and key if nobody knows the file.
func placeOf(o policy.Origin) string {
	if o.File == "" {
		return fmt.Sprintf("(%s, %s)", o.Layer, o.Key)
	}
	return o.Place()
}

// vendorsDiffer reports where a vendor of AI, by what it documents and by what is published, may do
// what is denied, or may not do what is allowed (I6): at the line of the statement, once for all
// files with the same vendors. What is noindex is not meant to be found.
func vendorsDiffer(site *plan.Plan) []policy.Finding {
	if !slices.ContainsFunc(site.Pages, func(pg *plan.Page) bool { return !pg.Decision.AI.IsZero() }) {
		return nil
	}
	all := tallies{}
	silent := "robots.txt does not deny it"
	if site.Project.Main.Base != "" {
		silent = "only the robots.txt at the root of the host could deny it"
	}
	for _, g := range published.Groups(site) {
		for _, u := range policy.Uses {
			who := map[policy.Preference]string{policy.Allowed: whoDiffers(g.Answers, u, policy.Allowed, silent),
				policy.Denied: whoDiffers(g.Answers, u, policy.Denied, silent)}
			for _, pg := range g.Pages {
				states := pg.Decision.AI[u]
				isHidden := states == policy.Allowed && pg.Decision.NoIndex()
				if who[states] == "" || isHidden {
					continue
				}
				at, may := pg.Decision.PreferredAt(u), "may still"
				if states == policy.Allowed {
					may = "may not"
				}
				t := all.add(statementOf(at, u)+who[states], pg, at)
				t.key = fmt.Sprintf("%s be used for %s by %s", may, purposes[u], who[states])
			}
		}
	}
	return all.findings(site, "ai-vendor", policy.Note, "{files} {key}; first {first}")
}

// purposes are the uses in words for readers.
var purposes = map[policy.Use]string{policy.UseTraining: "training", policy.UseSearch: "search with AI",
	policy.UseInput: "answers"}

// differs reports whether a vendor does not do what is stated, or need not: robotstxt-may-ignore
// has those that may fetch nothing and may ignore that.
func differs(a published.Answer, stated policy.Preference) bool {
	if stated == policy.Allowed {
		return !a.Allows()
	}
	return a.Allows() || a.MayIgnore && a.By != "Disallow: /"
}

// whoDiffers lists vendors with what lets or does not let them, those together for which it is the
// same; "" for none. silent is said of those that nothing concerns.
func whoDiffers(answers []published.Answer, u policy.Use, stated policy.Preference, silent string) string {
	var reasons []string
	names := map[string][]string{}
	for _, a := range answers {
		if a.Use != u || !differs(a, stated) {
			continue
		}
		why := silent
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
