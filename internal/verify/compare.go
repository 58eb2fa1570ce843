package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/policy"
)

// words are the printed directives of the axes that hold selects, each once, with those that another implies.
func words(d policy.Directives, hold func(policy.Axis) bool) (texts []string) {
	for _, w := range d.Words(policy.Style{KeepRedundant: true}) {
		if !w.Implied && hold(w.Axis) {
			texts = addNew(texts, w.Text)
		}
	}
	return texts
}

// addNew appends an item unless the list has it.
func addNew(list []string, item string) []string {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

// effect is what d does to a page: its restrictions, without those that another of them implies (P3). What only allows
// does nothing.
func effect(d policy.Directives) policy.Directives { return d.Implied().Restrictions() }

// covers reports whether d restricts all that o restricts: o added to it would change nothing.
func covers(d, o policy.Directives) bool {
	return effect(policy.MostRestrictive(d, o)) == effect(d)
}

// compare returns how what a crawler reads stands to what was decided.
func compare(got, want policy.Directives) Verdict {
	switch {
	case !covers(got, want):
		return Looser
	case !covers(want, got):
		return Stricter
	}
	return Match
}

// text prints directives; "all" if there are none.
func text(d policy.Directives) string { return cmp.Or(d.String(), "all") }

// readBy returns the statements of a decision that a crawler obeys.
func readBy(d *policy.Decision, c *policy.Crawler) (list []policy.Statement) {
	for _, s := range d.Statements {
		if s.Crawler == "" || s.Crawler == c.Name || s.Crawler == c.AlsoObeys {
			list = append(list, s)
		}
	}
	return list
}

// obeyed combines what a crawler reads: by the sum, except for crawlers that obey the permissive one of two statements
// (A5). Two words in one text are one statement, in which the stricter has won already.
func obeyed(d *policy.Decision, c *policy.Crawler) policy.Directives {
	sum := d.Obeyed(c)
	for _, s := range readBy(d, c) {
		for _, axis := range []policy.Axis{policy.AxisIndex, policy.AxisFollow} {
			if on := s.Directives.On(axis); c.AllowWins && !on.IsZero() && !on.Restricts() {
				sum = sum.With(on, axis)
			}
		}
	}
	return sum
}

// missing lists the words of want that got does not have.
func missing(got, want policy.Directives) []string {
	wanted := effect(want)
	return words(wanted, func(axis policy.Axis) bool {
		on := wanted.On(axis)
		return on.Restricts() && !covers(got, on)
	})
}

// explainLooser says what is missing, and what was read instead.
func explainLooser(got, want policy.Directives, d *policy.Decision, c *policy.Crawler) string {
	said := cmp.Or(places(readBy(d, c)), "neither header nor tag says anything")
	return fmt.Sprintf("%s missing; %s", strings.Join(missing(got, want), ", "), said)
}

// explainStricter says what was not decided, and where it was read.
func explainStricter(got, want policy.Directives, d *policy.Decision, c *policy.Crawler) string {
	decided := func(s policy.Statement) bool { return len(missing(want, s.Directives)) == 0 }
	by := slices.DeleteFunc(readBy(d, c), decided)
	return strings.Join(missing(want, got), ", ") + " by " + places(by)
}

// places lists where statements were read, each once.
func places(statements []policy.Statement) string {
	var keys []string
	for _, s := range statements {
		keys = addNew(keys, s.Origin.Key)
	}
	return strings.Join(keys, "; ")
}

// contradiction lists the axes on which header and page differ for a crawler. It is empty if there are none.
func contradiction(header, page *policy.Decision, c *policy.Crawler) string {
	h, p := header.Obeyed(c), page.Obeyed(c)
	// What noindex makes void is no contradiction: see Implied.
	if h.IsZero() || p.IsZero() || compare(h, p) == Match {
		return ""
	}
	var parts []string
	for _, w := range h.Words(policy.Style{KeepRedundant: true}) {
		if x, y := h.On(w.Axis), p.On(w.Axis); w.Implied || x.IsZero() || y.IsZero() || x == y {
			continue
		}
		here := func(axis policy.Axis) bool { return axis == w.Axis }
		parts = addNew(parts, fmt.Sprintf("the header says %s, the page %s", strings.Join(words(h, here), ", "),
			strings.Join(words(p, here), ", ")))
	}
	return strings.Join(parts, "; ")
}
