package verify

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/policy"
)

// every prints what another directive implies too.
var every = policy.Style{KeepRedundant: true}

// effect is what d does to a page: its restrictions, without those that another of them implies (P3). What only allows
// does nothing.
func effect(d policy.Directives) (sum policy.Directives) {
	d = d.Implied()
	for _, w := range d.Words(every) {
		if on := d.On(w.Axis); on.Restricts() {
			sum = policy.MostRestrictive(sum, on)
		}
	}
	return sum
}

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

// text prints what a crawler is told; where nothing is said it may do all.
func text(d policy.Directives) string {
	if s := d.String(); s != "" {
		return s
	}
	return "all"
}

// obeys returns what a crawler goes by (A2).
func obeys(d *policy.Decision, c *policy.Crawler) policy.Directives {
	for _, name := range []string{c.Name, c.Takes} {
		if own, ok := d.Agent(name); ok {
			return own
		}
	}
	return d.Generic
}

// heard are the statements of a decision that a crawler reads.
func heard(d *policy.Decision, c *policy.Crawler) (list []policy.Statement) {
	for _, s := range d.Statements {
		if s.Crawler == "" || s.Crawler == c.Name || s.Crawler == c.Takes {
			list = append(list, s)
		}
	}
	return list
}

// reads is what a crawler comes to from what it reads: the sum, but for crawlers with which the allowing one of two
// statements wins (A5). Two words in one text are one statement, in which the stricter has won already.
func reads(d *policy.Decision, c *policy.Crawler) policy.Directives {
	sum := obeys(d, c)
	for _, s := range heard(d, c) {
		for _, axis := range []policy.Axis{policy.AxisIndex, policy.AxisFollow} {
			if on := s.Directives.On(axis); c.AllowWins && !on.IsZero() && !on.Restricts() {
				sum = sum.With(on, axis)
			}
		}
	}
	return sum
}

// lacks lists the words of want that got does without.
func lacks(got, want policy.Directives) (words []string) {
	wanted := effect(want)
	for _, w := range wanted.Words(every) {
		on := wanted.On(w.Axis)
		if !w.Implied && on.Restricts() && !covers(got, on) && !slices.Contains(words, w.Text) {
			words = append(words, w.Text)
		}
	}
	return words
}

// loose explains what is missing, and what was said instead.
func loose(got, want policy.Directives, d *policy.Decision, c *policy.Crawler) string {
	said := places(heard(d, c))
	if said == "" {
		said = "neither header nor tag says anything"
	}
	return fmt.Sprintf("%s missing; %s", strings.Join(lacks(got, want), ", "), said)
}

// strict explains who said what was not decided.
func strict(got, want policy.Directives, d *policy.Decision, c *policy.Crawler) string {
	by := slices.DeleteFunc(heard(d, c), func(s policy.Statement) bool { return len(lacks(want, s.Directives)) == 0 })
	return strings.Join(lacks(want, got), ", ") + " by " + places(by)
}

// places names where statements stand, each once.
func places(statements []policy.Statement) string {
	var keys []string
	for _, s := range statements {
		if !slices.Contains(keys, s.Origin.Key) {
			keys = append(keys, s.Origin.Key)
		}
	}
	return strings.Join(keys, "; ")
}

// contradiction tells of axes of which header and page say different things to a crawler; empty where there is none.
func contradiction(header, page *policy.Decision, c *policy.Crawler) string {
	h, p := obeys(header, c), obeys(page, c)
	// What noindex makes void is no contradiction: see Implied.
	if h.IsZero() || p.IsZero() || effect(h) == effect(p) && effect(policy.MostRestrictive(h, p)) == effect(h) {
		return ""
	}
	words := func(d policy.Directives, axis policy.Axis) string {
		var texts []string
		for _, w := range d.Words(every) {
			if w.Axis == axis && !w.Implied {
				texts = append(texts, w.Text)
			}
		}
		return strings.Join(texts, ", ")
	}
	var parts []string
	var done []policy.Axis
	for _, w := range h.Words(every) {
		x, y := h.On(w.Axis), p.On(w.Axis)
		if slices.Contains(done, w.Axis) || w.Implied || x.IsZero() || y.IsZero() || x == y {
			continue
		}
		done = append(done, w.Axis)
		parts = append(parts, fmt.Sprintf("the header says %s, the page %s", words(h, w.Axis), words(p, w.Axis)))
	}
	return strings.Join(parts, "; ")
}
