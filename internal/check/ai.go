package check

import (
	"fmt"
	"slices"

	"metarobots/emit/robotstxt"
	"metarobots/internal/headerfile"
	"metarobots/internal/plan"
	"metarobots/policy"
)

// overriddenAI reports each statement that allows a use by AI which is denied for every file that it is about (I1).
// An environment is meant to deny what the rest allows.
func overriddenAI(site *plan.Plan) (all []policy.Finding) {
	type allowance struct {
		use policy.Use
		at  policy.Origin
	}
	type fate struct {
		on     tally
		by     policy.Origin
		counts bool
	}
	var order []allowance
	fates := map[allowance]*fate{}
	for _, pg := range site.Pages {
		d := pg.Decision
		for _, s := range d.Statements {
			for _, u := range policy.Uses {
				if s.AI[u] != policy.Allowed {
					continue
				}
				a := allowance{u, s.Origin}
				if fates[a] == nil {
					order, fates[a] = append(order, a), &fate{}
				}
				f, deciding := fates[a], d.Preferring(u)
				i := slices.IndexFunc(deciding, func(i int) bool {
					return d.Statements[i].Origin.Layer != policy.LayerEnvironment
				})
				if d.AI[u] == policy.Allowed || i < 0 {
					f.counts = true
					continue
				}
				if f.on.add(pg, a.at); f.by == (policy.Origin{}) {
					f.by = d.Statements[deciding[i]].Origin
				}
			}
		}
	}
	for _, a := range order {
		if f := fates[a]; !f.counts {
			all = append(all, f.on.findings(site, "ai-overridden", policy.Warning, "%s: %s = allow has no effect: %s = deny at %s "+
				"goes before it for %s", a.at.Key, a.use, a.use, placeOf(f.by), f.on.pages())...)
		}
	}
	return all
}

// contradictedAI reports signals of the site's own robots.txt, and tags of its theme, that say otherwise of a use than
// what is stated (I8).
func contradictedAI(site *plan.Plan) []policy.Finding {
	var all headerfile.Repeated
	for _, pg := range site.Pages {
		d := pg.Decision
		if d.AI.IsZero() {
			continue
		}
		report := func(u policy.Use, file string, line int, says string) {
			by := d.Statements[d.Preferring(u)[0]].Origin
			all.Add(fmt.Sprint(u, file, line, by), policy.Finding{ID: "ai-contradiction", Severity: policy.Warning, URL: pg.URL,
				File: file, Line: line, Message: fmt.Sprintf("%s contradicts %s = %s at %s for %s", says, u, d.AI[u],
					placeOf(by), pg.URL)})
		}
		for _, s := range d.Statements {
			if s.Origin.Layer == policy.LayerFound && d.AI[policy.UseTraining] == policy.Allowed &&
				!s.Directives.On("noai").IsZero() {
				report(policy.UseTraining, s.Origin.File, s.Origin.Line, "noai")
			}
		}
		for _, r := range site.Robots {
			name, ok := r.Host.Serves(pg.File.Name)
			if !ok || r.Change.New == nil {
				continue
			}
			r.File.EachUse(r.Host.At(name), r.Own, func(u policy.Use, states policy.Preference, l robotstxt.Line) {
				if d.AI[u] != policy.Unstated && d.AI[u] != states {
					report(u, r.Change.File, l.Number, fmt.Sprintf("%q", l.String()))
				}
			})
		}
	}
	return all.All("; the same for %d more")
}

// placeOf is where a statement stands, or its layer and key where no file is known.
func placeOf(o policy.Origin) string {
	if o.File == "" {
		return fmt.Sprintf("(%s, %s)", o.Layer, o.Key)
	}
	return policy.Place(o.File, o.Line)
}
