package config

import (
	"fmt"

	"metarobots/policy"
)

// Baseline is [robots.baseline]: what may become noindex between two snapshots without failing a check.
type Baseline struct {
	// NewlyNoindex is how many pages may.
	NewlyNoindex int
	// Acknowledged are the pages that are meant to, which do not count.
	Acknowledged []policy.Glob
	// AcknowledgedAt are the places of Acknowledged.
	AcknowledgedAt []policy.Origin
}

// baseline reads [robots.baseline].
func (d *decoder) baseline(t *table) Baseline {
	defer t.done()
	c := Baseline{NewlyNoindex: int(t.number("newlyNoindex")), Acknowledged: d.globs(t, "acknowledged")}
	if c.NewlyNoindex < 0 {
		d.errorf(t.at("newlyNoindex"), "%d is no number of pages", c.NewlyNoindex)
	}
	for i := range c.Acknowledged {
		c.AcknowledgedAt = append(c.AcknowledgedAt, d.origin(append(t.at("acknowledged"), fmt.Sprint(i))))
	}
	return c
}
