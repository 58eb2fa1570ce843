package check

import (
	"slices"
	"testing"

	"metarobots/internal/findings"
)

// Every check says which findings it makes, and package findings explains each of them.
func TestHouse_ChecksNameTheirFindings(t *testing.T) {
	for i, c := range checks {
		for _, id := range c.ids {
			if _, ok := findings.Of(id); !ok {
				t.Errorf("check %d: finding %q is not registered", i, id)
			}
		}
	}
	if !slices.ContainsFunc(checks, func(c check) bool { return c.ids == nil }) {
		t.Error("what planning reports is left out")
	}
}
