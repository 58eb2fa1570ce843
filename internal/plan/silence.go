package plan

import (
	"fmt"
	"slices"

	"metarobots/policy"
)

// silence takes out the findings that the owner accepts, and reports a silencer that takes none out.
func (p *Plan) silence() {
	silencers := p.project.Config.Robots.Silence
	if len(silencers) == 0 {
		return
	}
	used := make([]bool, len(silencers))
	p.Findings = slices.DeleteFunc(p.Findings, func(f policy.Finding) bool {
		silent := false
		for i := range silencers {
			if silencers[i].Takes(&f) {
				used[i], silent = true, true
			}
		}
		if silent {
			p.Silenced++
		}
		return silent
	})
	for i, s := range silencers {
		if !used[i] {
			p.report(policy.Finding{ID: "silence", Severity: policy.Warning, File: s.Origin.File, Line: s.Origin.Line,
				Message: fmt.Sprintf("%s: there is no finding %s to be silent about: take the entry out", s.Origin.Key, s.ID)})
		}
	}
}
