package plan

import (
	"fmt"
	"strings"

	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// Snapshot returns what is decided for every URL, and at which hosts.
func (p *Plan) Snapshot() *snapshot.Snapshot {
	summary := p.Summary()
	return snapshot.New(&summary, p.ResultPages())
}

// Compare holds the plan against a snapshot of an earlier state of the site, file by its name: more newly noindex pages
// than are allowed are an error. most replaces the configuration's number where it is not negative. It returns nil where
// the two are of different environments, of which one may be noindex throughout.
func (p *Plan) Compare(old *snapshot.Snapshot, file string, most int) *snapshot.Changes {
	now := p.Snapshot()
	if old.Environment != "" && old.Environment != now.Environment {
		p.report(policy.Finding{ID: "baseline", Severity: policy.Warning, File: file,
			Message: fmt.Sprintf("the snapshot is of environment %s and this is %s: they are not compared", old.Environment, now.Environment)})
		return nil
	}
	c := &p.project.Config.Robots.Baseline
	if most < 0 {
		most = c.NewlyNoindex
	}
	changes := snapshot.Diff(old, now)
	left, idle := changes.Unacknowledged(c.Acknowledged)
	for _, g := range idle {
		for i, known := range c.Acknowledged {
			if known.String() == g.String() {
				p.report(policy.Finding{ID: "baseline", Severity: policy.Warning, File: c.AcknowledgedAt[i].File, Line: c.AcknowledgedAt[i].Line,
					Message: fmt.Sprintf("%s: %q is no longer newly noindex: take the entry out", c.AcknowledgedAt[i].Key, g.String())})
			}
		}
	}
	if len(left) > most {
		var names []string
		for _, change := range left {
			if names = append(names, change.URL); len(names) == 5 && len(left) > 5 {
				names = append(names, fmt.Sprintf("and %d more", len(left)-5))
				break
			}
		}
		p.report(policy.Finding{ID: "baseline", Severity: policy.Error, URL: left[0].URL, File: file,
			Message: fmt.Sprintf("newly noindex since this snapshot, %d where %d are allowed: %s (if that is meant: robots.baseline.acknowledged, or a new snapshot)", len(left), most, strings.Join(names, ", "))})
	}
	return changes
}
