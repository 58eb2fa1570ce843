package cli

import (
	"testing"

	"metarobots/policy"
)

// X11e: the gravest finding is one of those that let the run fail, whatever the order of the
// findings.
func TestHouse_TheGravestFindingIsNamedLast(t *testing.T) {
	note := policy.Finding{ID: "no-page", Severity: policy.Note, Message: "a note"}
	warning := policy.Finding{ID: "symlink", Severity: policy.Warning, Message: "a warning"}
	fault := policy.Finding{ID: "header-name", Severity: policy.Error, Message: "an error"}
	guard := policy.Finding{ID: "guard", Severity: policy.Error, Message: "the guard"}
	noted := policy.Finding{ID: "guard", Severity: policy.Note, Message: "a note of the guard"}
	for _, c := range []struct {
		findings []policy.Finding
		want     string
	}{
		{[]policy.Finding{note, note, warning}, "a warning"},
		{[]policy.Finding{noted, note, warning, warning}, "a warning (and 1 more warning)"},
		{[]policy.Finding{warning, fault, note}, "an error"},
		{[]policy.Finding{note, fault, warning, guard}, "the guard (and 1 more error)"},
	} {
		if got := gravest(c.findings); got != c.want {
			t.Errorf("%v: got %q, want %q", c.findings, got, c.want)
		}
	}
}

// X11e: what failed a run that wrote all the same is called as many as it is.
func TestHouse_WhatFailedARunIsCounted(t *testing.T) {
	for _, c := range []struct {
		errors, warnings int
		want             string
	}{
		{1, 3, "this error: fix it before you deploy it"},
		{2, 0, "these errors: fix them before you deploy it"},
		{0, 1, "this warning: fix it before you deploy it"},
		{0, 2, "these warnings: fix them before you deploy it"},
	} {
		counts := map[policy.Severity]int{policy.Error: c.errors, policy.Warning: c.warnings}
		if got := failing(counts); got != c.want {
			t.Errorf("%v: %q, want %q", counts, got, c.want)
		}
	}
}
