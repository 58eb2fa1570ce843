package check

import (
	"slices"
	"strings"

	"metarobots/internal/plan"
	"metarobots/policy"
)

// missedByCase reports files that a rule would select if letters had no case, and that nothing else
// restricts as much: "/**/*.pdf" does not select /Prices.PDF (S4i). A rule for some kinds or
// sections is not looked at.
func missedByCase(site *plan.Plan) (all []policy.Finding) {
	p := site.Project.Policy
	for i := range p.Rules.All {
		rule := &p.Rules.All[i]
		if len(rule.Narrowing) > 0 {
			continue
		}
		for j, g := range rule.Match {
			missed := missedBy(site, rule, g)
			if len(missed) == 0 {
				continue
			}
			at := unusedOrigin(site.Project, p, policy.Unused{Rule: i, Group: "match", Index: j,
				Name: g.String()},
				[]string{"rules"})
			all = append(all, at.Finding("letter-case", policy.Warning,
				"%q does not select %s%s, since upper and lower case differ in paths: add a glob "+
					"in that case, such as %q", g, missed[0].URL, andMore(len(missed)-1, "file"),
				inCaseOf(g.String(), missed[0])))
		}
	}
	return all
}

// missedBy are the files that a glob of a rule misses by the case of their letters, and on which
// less is decided than the rule would state. There are none if the glob selects nothing at all,
// which is another finding, or if another glob of the rule selects the file, or an except names it.
//
//	/**/*.pdf    misses /Prices.PDF, unless that is noindex by something else
func missedBy(site *plan.Plan, rule *policy.Rule, g policy.Glob) (missed []*plan.Page) {
	lower, err := policy.ParseGlob(strings.ToLower(g.String()))
	selects := func(pg *plan.Page) bool { return pg.File.Role.Policed() && g.Match(pg.File.Path) }
	if err != nil || !slices.ContainsFunc(site.Pages, selects) {
		return nil
	}
	// Resolve may change the statements, and is for this glob alone.
	stated := site.Project.Policy.Resolve(slices.Clone(rule.Statements))
	isMissed := func(pg *plan.Page) bool {
		at := pg.File.Path
		return pg.File.Role.Policed() && lower.Match(lowered(at)) && !rule.Match.Match(at) &&
			!rule.Except.Match(at)
	}
	isRestrictedAsMuch := func(pg *plan.Page) bool {
		return pg.Decision.Covers(&stated) && pg.Decision.AI.AtLeast(stated.AI)
	}
	for _, pg := range site.Pages {
		hasNoCapitals := lowered(pg.File.Path) == pg.File.Path && lower.String() == g.String() // as usual
		if !hasNoCapitals && isMissed(pg) && !isRestrictedAsMuch(pg) {
			missed = append(missed, pg)
		}
	}
	return missed
}

// lowered is a path in lower case.
func lowered(at policy.Path) policy.Path {
	return policy.Path{File: strings.ToLower(at.File), URL: strings.ToLower(at.URL)}
}

// inCaseOf is a glob that selects a page which a glob misses by the case of its letters: the glob
// with the segments and the ending of the page's path where they differ by case only, or else that
// path.
func inCaseOf(glob string, pg *plan.Page) string {
	at := pg.File.Path.URL
	other := withCaseOf(at, glob)
	if g, err := policy.ParseGlob(other); err == nil && g.Match(pg.File.Path) {
		return other
	}
	return at
}
