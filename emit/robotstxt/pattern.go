package robotstxt

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// rule is one Allow or Disallow, compiled.
type rule struct {
	isAllow bool // else it is a Disallow
	// pattern is percent-encoded; its length is the rule's weight, unless it must outweigh a rival.
	pattern string
	weight  int
	rival   string // the rule that it outweighs, as a line
	// parts are the texts between the stars of the pattern, without a $ at its end.
	parts []string
	// endsAtDollar: a final $ closes the last part, so that paths have to end with it.
	endsAtDollar bool
	line         *Line
	// isImplied: it follows from a rule for …/index.html, and no line has it.
	isImplied bool
}

// newRule compiles the rule of a line that has this value.
func newRule(l *Line, value string) rule {
	r := rule{isAllow: l.Kind == Allow, pattern: Escape(value), line: l}
	p, end := strings.CutSuffix(r.pattern, "$")
	r.parts, r.endsAtDollar, r.weight = strings.Split(p, "*"), end, len(r.pattern)
	return r
}

// rulesOf returns the rules that a line states: for an Allow of …/index.html, and of what begins
// so, also that of its folder. https://github.com/google/robotstxt robots.cc, HandleAllow
func rulesOf(l *Line) []rule {
	if l.Kind == Other {
		return nil
	}
	rules := []rule{newRule(l, l.Value)}
	p := rules[0].pattern
	if i := strings.LastIndexByte(p, '/'); l.Kind == Allow && i >= 0 &&
		strings.HasPrefix(p[i:], "/index.htm") {
		folder := newRule(l, p[:i+1]+"$")
		folder.isImplied = true
		rules = append(rules, folder)
	}
	return rules
}

// matches reports whether a rule matches a path with its query: one pass, since the leftmost place
// of each part leaves most to those after it.
func (r *rule) matches(path string) bool {
	path, ok := strings.CutPrefix(path, r.parts[0])
	last := len(r.parts) - 1
	for i := 1; ok && i < last; i++ {
		_, path, ok = strings.Cut(path, r.parts[i])
	}
	switch {
	case last == 0:
		return ok && (!r.endsAtDollar || path == "")
	case r.endsAtDollar:
		return ok && strings.HasSuffix(path, r.parts[last])
	}
	return ok && strings.Contains(path, r.parts[last])
}

func (r *rule) isExact() bool { return len(r.parts) == 1 && r.endsAtDollar }

// compareByWeight is negative if the first of two rules wins where both match: the longer one, then
// Allow, then the earlier one.
func compareByWeight(a, b *rule) int {
	if len(a.pattern) == len(b.pattern) && a.isAllow != b.isAllow {
		return map[bool]int{true: -1, false: 1}[a.isAllow]
	}
	return cmp.Or(len(b.pattern)-len(a.pattern), a.line.Number-b.line.Number)
}

// mayOverlap reports whether a path may be matched by both; it may be wrong only where both have
// wildcards, by saying yes.
func mayOverlap(a, b *rule) bool {
	switch {
	case a.isExact():
		return b.matches(a.parts[0])
	case b.isExact():
		return a.matches(b.parts[0])
	}
	return strings.HasPrefix(a.parts[0], b.parts[0]) || strings.HasPrefix(b.parts[0], a.parts[0])
}

// escapes are what [Escape] writes otherwise: encoded octets, and what is not ASCII.
var escapes = lazyregexp.New(`%[0-9A-Fa-f]{2}|[^\x00-\x7F]+`)

// Escape encodes what is not ASCII and writes the digits of encoded octets in capitals, as
// MaybeEscapePattern in robots.cc does: so paths are asked about.
func Escape(s string) string {
	if !strings.ContainsFunc(s, func(c rune) bool { return c >= 0x80 || c == '%' }) {
		return s // as nearly all
	}
	return escapes.ReplaceAllStringFunc(s, func(m string) string {
		if m[0] == '%' {
			return strings.ToUpper(m)
		}
		return strings.ReplaceAll(fmt.Sprintf(" % X", m), " ", "%")
	})
}

// unreserved are encoded octets that RFC 9309 decodes before it compares, and Google does not.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2
var unreserved = lazyregexp.New(`%(?:2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])`)

// decodeUnreserved is an escaped pattern as RFC 9309 compares it.
func decodeUnreserved(pattern string) string {
	if !strings.Contains(pattern, "%") {
		return pattern // as nearly all
	}
	return unreserved.ReplaceAllStringFunc(pattern, func(octet string) string {
		c, _ := strconv.ParseUint(octet[1:], 16, 8)
		return string(rune(c))
	})
}

// matchesEverything reports whether a rule matches every path, as "/" and "/*$" do.
func (r *rule) matchesEverything() bool {
	p := r.pattern
	if strings.HasSuffix(p, "*$") {
		p = strings.TrimSuffix(p, "$")
	}
	p = strings.Trim(p, "*")
	return r.pattern != "" && p == "" || p == "/" && r.pattern[0] == '/'
}

// samplePath returns a path that a rule matches, if it matches any: /a/b.pdf of "/a/*b.pdf$".
func samplePath(r *rule) string {
	p := strings.Join(r.parts, "")
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return p
}

// spellings are how a pattern is written, so that those who decode and those who do not read the
// same.
func spellings(pattern string) []string {
	pattern = Escape(pattern)
	if plain := decodeUnreserved(pattern); plain != pattern {
		return []string{plain, pattern}
	}
	return []string{pattern}
}

// withDecodedReadings are rules with those that other crawlers than Google's read instead: these
// decode the pattern first.
func withDecodedReadings(rules []rule) []rule {
	all := slices.Clip(rules)
	for _, r := range rules {
		if plain := decodeUnreserved(r.pattern); plain != r.pattern {
			all = append(all, newRule(r.line, plain))
		}
	}
	return all
}

// ruleset is what holds for one name: the sum of its groups.
type ruleset struct {
	// rules in the order of the file.
	rules []rule
	// others are the group's further lines: Crawl-delay, Content-Signal and their like.
	others []Line

	begin policy.PrefixIndex // of rules
}

// add adds a line of the group and the rules that it states.
func (s *ruleset) add(l Line, rules []rule) {
	for _, r := range rules {
		s.begin.Add(r.parts[0], len(s.rules))
		s.rules = append(s.rules, r)
	}
	if rules == nil {
		s.others = append(s.others, l)
	}
}

// ruleLines are the lines of the rules.
func (s *ruleset) ruleLines() (all []Line) {
	for _, r := range s.rules {
		all = append(all, *r.line)
	}
	return all
}

// allLines are the lines of the rules and the others.
func (s *ruleset) allLines() []Line { return append(s.ruleLines(), s.others...) }

// decide returns the rule that wins for a path, or nil where none matches.
func (s *ruleset) decide(path string) (best *rule) {
	var room [64]int
	for _, i := range s.begin.Of(room[:0], path) {
		if r := &s.rules[i]; (best == nil || compareByWeight(r, best) < 0) && r.matches(path) {
			best = r
		}
	}
	return best
}
