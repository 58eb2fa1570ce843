package plan

import (
	"fmt"
	"slices"

	"metarobots/policy"
)

// suppress takes out the findings that the owner accepts, and reports an entry that takes none out.
func (p *Plan) suppress() {
	suppressions := p.project.Config.Robots.Suppress
	if len(suppressions) == 0 {
		return
	}
	used := make([]bool, len(suppressions))
	p.Findings = slices.DeleteFunc(p.Findings, func(f policy.Finding) bool {
		suppressed := false
		for i := range suppressions {
			if suppressions[i].Matches(&f) {
				used[i], suppressed = true, true
			}
		}
		if suppressed {
			p.Suppressed++
		}
		return suppressed
	})
	for i, s := range suppressions {
		if !used[i] {
			p.report(policy.Finding{ID: "suppress", Severity: policy.Warning, File: s.Origin.File, Line: s.Origin.Line,
				Message: fmt.Sprintf("%s: there is no finding %s to suppress: take the entry out", s.Origin.Key, s.ID)})
		}
	}
}
