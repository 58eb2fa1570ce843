package check

import (
	"fmt"
	"slices"

	"metarobots/internal/config"
	"metarobots/internal/plan"
	"metarobots/policy"
)

// An Outcome is what the checks say of a site.
type Outcome struct {
	// Findings are all but those that the owner accepts.
	Findings []policy.Finding
	// Suppressed is how many the owner accepts.
	Suppressed int
}

// Run checks a site. Findings that the owner accepts are left out last.
func Run(site *plan.Plan) *Outcome {
	o := &Outcome{}
	o.Findings, o.Suppressed = suppress(All(site), site.Project.Config.Robots.Suppress)
	return o
}

// suppress takes out the findings that the owner accepts, and reports an entry that takes none out.
func suppress(all []policy.Finding, accepted []config.Suppression) (rest []policy.Finding, suppressed int) {
	used := make([]bool, len(accepted))
	for _, f := range all {
		matched := false
		for i := range accepted {
			if accepted[i].Matches(&f) {
				used[i], matched = true, true
			}
		}
		if !matched {
			rest = append(rest, f)
		}
	}
	suppressed = len(all) - len(rest)
	for i, s := range accepted {
		if !used[i] {
			rest = append(rest, policy.Finding{ID: "suppress", Severity: policy.Warning,
				File: s.Origin.File, Line: s.Origin.Line,
				Message: fmt.Sprintf("%s: there is no finding %s to suppress: take the entry out", s.Origin.Key, s.ID)})
		}
	}
	return rest, suppressed
}

// Failed reports whether a finding is an error.
func (o *Outcome) Failed() bool {
	return slices.ContainsFunc(o.Findings, func(f policy.Finding) bool { return f.Severity == policy.Error })
}
