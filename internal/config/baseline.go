package config

import (
	"strconv"

	"metarobots/policy"
)

// Baseline is [robots.baseline]: what may change between two snapshots without failing a check.
type Baseline struct {
	// NewlyNoindex and NewlyIndexable are how many pages may become so.
	NewlyNoindex, NewlyIndexable int
	// Acknowledged are the pages that are meant to, in either direction, which do not count.
	Acknowledged []policy.Glob
	// AcknowledgedAt are the places of Acknowledged.
	AcknowledgedAt []policy.Origin
}

// baseline reads [robots.baseline].
func (d *decoder) baseline(t *table) Baseline {
	defer t.done()
	c := Baseline{NewlyNoindex: int(t.number("newlyNoindex", "number of pages", FormNumber)),
		NewlyIndexable: int(t.number("newlyIndexable", "number of pages", FormNumber)),
		Acknowledged:   t.globs("acknowledged", Key{})}
	c.AcknowledgedAt = d.elements(t.at("acknowledged"), len(c.Acknowledged))
	return c
}

// elements are the places of a list's first n elements.
func (d *decoder) elements(path []string, n int) []policy.Origin {
	places := make([]policy.Origin, n)
	for i := range places {
		places[i] = d.origin(append(path, strconv.Itoa(i)), 0)
	}
	return places
}
