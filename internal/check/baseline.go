package check

import (
	"fmt"
	"strings"

	"metarobots/internal/plan"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// A Baseline is an earlier state of the site that a plan is compared with.
type Baseline struct {
	Snapshot *snapshot.Snapshot
	// File is its name, for messages.
	File string
	// Most is how many pages may be newly noindex; negative for what the configuration allows.
	Most int
}

// compare says what changed since a baseline: more newly noindex pages than are allowed are an error. Changes are nil
// where the two are of different environments, of which one may be noindex throughout.
func compare(site *plan.Site, b *Baseline) (changes *snapshot.Changes, all []policy.Finding) {
	then, now := b.Snapshot, site.Snapshot()
	if then.Environment != "" && then.Environment != now.Environment {
		return nil, []policy.Finding{{ID: "baseline", Severity: policy.Warning, File: b.File,
			Message: fmt.Sprintf("the snapshot is of environment %s and this is %s: they are not compared",
				then.Environment, now.Environment)}}
	}
	c, most := &site.Project.Config.Robots.Baseline, b.Most
	if most < 0 {
		most = c.NewlyNoindex
	}
	changes = snapshot.Diff(then, now)
	left, idle := changes.Unacknowledged(c.Acknowledged)
	for _, i := range idle {
		at := c.AcknowledgedAt[i]
		all = append(all, policy.Finding{ID: "baseline", Severity: policy.Warning, File: at.File, Line: at.Line,
			Message: fmt.Sprintf("%s: %q is no longer newly noindex: take the entry out", at.Key,
				c.Acknowledged[i].String())})
	}
	if len(left) > most {
		all = append(all, policy.Finding{ID: "baseline", Severity: policy.Error, URL: left[0].URL, File: b.File,
			Message: fmt.Sprintf("newly noindex since this snapshot, %d where %d are allowed: %s (if that is meant: "+
				"robots.baseline.acknowledged, or a new snapshot)", len(left), most, firstFive(left))})
	}
	return changes, all
}

func firstFive(changes []snapshot.Change) string {
	var names []string
	for _, change := range changes[:min(5, len(changes))] {
		names = append(names, change.URL)
	}
	if more := len(changes) - 5; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}
