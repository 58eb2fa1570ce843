package verify

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/internal/result"
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
func obeys(d *policy.Decision, name string, known policy.Crawlers) policy.Directives {
	for _, name := range []string{name, takes(name, known)} {
		for i := range d.Agents {
			if name != "" && d.Agents[i].Name == name {
				return d.Agents[i].Directives
			}
		}
	}
	return d.Generic
}

// takes is the crawler whose statements another obeys too; empty for none.
func takes(name string, known policy.Crawlers) string {
	c, _ := known.Lookup(name)
	return c.Takes
}

// speaks reports whether a crawler reads a statement.
func speaks(s *policy.Statement, name string, known policy.Crawlers) bool {
	return s.Crawler == "" || s.Crawler == name || s.Crawler == takes(name, known)
}

// reads is what a crawler comes to from what it reads: the sum, but for crawlers with which the allowing one of two
// statements wins (A5). Two words in one text are one statement, in which the stricter has won already.
func reads(d *policy.Decision, name string, known policy.Crawlers) policy.Directives {
	sum := obeys(d, name, known)
	if c, _ := known.Lookup(name); !c.AllowWins {
		return sum
	}
	for _, axis := range []policy.Axis{policy.AxisIndex, policy.AxisFollow} {
		for i := range d.Statements {
			s := &d.Statements[i]
			if on := s.Directives.On(axis); speaks(s, name, known) && !on.IsZero() && !on.Restricts() && sum.On(axis).Restricts() {
				sum = policy.MostRestrictive(without(sum, axis), on)
			}
		}
	}
	return sum
}

// without returns d with nothing stated on an axis.
func without(d policy.Directives, axis policy.Axis) (rest policy.Directives) {
	for _, w := range d.Words(every) {
		if w.Axis != axis && !w.Implied {
			rest = policy.MostRestrictive(rest, d.On(w.Axis))
		}
	}
	return rest
}

// decided are the statements of a snapshot's decision. Each of its texts is the whole of what that crawler obeys.
func decided(d *result.Decision) (statements []policy.Statement) {
	statements = append(statements, policy.Statement{Directives: d.Robots.Directives})
	for _, name := range d.Names() {
		statements = append(statements, policy.Statement{Crawler: name, Directives: d.Crawlers[name].Directives})
	}
	return statements
}

// lacks lists the words of want that got does without.
func lacks(got, want policy.Directives) (words []string) {
	wanted := effect(want)
	for _, w := range wanted.Words(every) {
		if on := wanted.On(w.Axis); !w.Implied && on.Restricts() && !covers(got, on) && !slices.Contains(words, w.Text) {
			words = append(words, w.Text)
		}
	}
	return words
}

// loose explains what is missing, and what was said instead.
func loose(got, want policy.Directives, d *policy.Decision, name string, known policy.Crawlers) string {
	var said []string
	for i := range d.Statements {
		s := &d.Statements[i]
		if speaks(s, name, known) && !slices.Contains(said, s.Origin.Key) {
			said = append(said, s.Origin.Key)
		}
	}
	if len(said) == 0 {
		said = []string{"neither header nor tag says anything"}
	}
	return fmt.Sprintf("%s missing; %s", strings.Join(lacks(got, want), ", "), strings.Join(said, "; "))
}

// strict explains who said what was not decided.
func strict(got, want policy.Directives, d *policy.Decision, name string, known policy.Crawlers) string {
	words := lacks(want, got)
	var by []string
	for i := range d.Statements {
		s := &d.Statements[i]
		if !speaks(s, name, known) || slices.Contains(by, s.Origin.Key) {
			continue
		}
		if len(lacks(want, s.Directives)) > 0 {
			by = append(by, s.Origin.Key)
		}
	}
	return strings.Join(words, ", ") + " by " + strings.Join(by, "; ")
}

// contradiction tells of an axis of which header and page say different things to a crawler; empty where there is none.
func contradiction(header, page *policy.Decision, name string, known policy.Crawlers) string {
	h, p := obeys(header, name, known), obeys(page, name, known)
	if h.IsZero() || p.IsZero() {
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
		// What noindex makes void is no contradiction: see Implied.
		if slices.Contains(done, w.Axis) || w.Implied || x.IsZero() || y.IsZero() || x == y || effect(policy.MostRestrictive(h, p)) == effect(h) && effect(h) == effect(p) {
			continue
		}
		done = append(done, w.Axis)
		parts = append(parts, fmt.Sprintf("the header says %s, the page %s", words(h, w.Axis), words(p, w.Axis)))
	}
	return strings.Join(parts, "; ")
}
