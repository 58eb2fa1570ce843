package servers

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"metarobots/policy"
)

// A file may have thousands of patterns, and each published file is compared with them several
// times. Nearly all patterns begin with plain text, the path that they are for. So a patternIndex
// finds the few that may match a name by the text with which it begins. Of those that begin with a
// wildcard or with the same text, it finds the ones whose longest plain text the name has:
//
//	/a/b/    begins with "/a/b/"
//	/a/*     begins with "/a/"
//	/*.pdf   begins with "/", and has ".pdf"

// matcher is a compiled expression.
type matcher struct {
	// matches reports whether it matches a name; nil if it matches all.
	matches func(name string) bool
	// beginning is plain text with which each name begins that it matches, and longest the longest
	// one that each such name has, both folded; "" if there is none.
	beginning, longest string
}

// newMatcher compiles an expression.
func newMatcher(expression string) matcher {
	m := matcher{matches: regexp.MustCompile(expression).MatchString}
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil || parsed.Op != syntax.OpConcat {
		return m
	}
	for i, part := range parsed.Sub {
		if part.Op != syntax.OpLiteral {
			continue
		}
		text := policy.FoldCase(string(part.Rune))
		if isAtBegin := i == 1 && parsed.Sub[0].Op == syntax.OpBeginText; isAtBegin {
			m.beginning = text
		}
		if len(text) > len(m.longest) {
			m.longest = text
		}
	}
	return m
}

// takes reports whether the expression matches a name.
func (m *matcher) takes(name string) bool { return m.matches == nil || m.matches(name) }

// patternIndex finds patterns, which have numbers.
type patternIndex struct {
	patterns   []indexedPattern
	beginnings policy.PrefixIndex // the places of the patterns by their beginnings
}

// indexedPattern is a pattern with its number.
type indexedPattern struct {
	text   matcher
	number int
}

// add adds a pattern.
func (x *patternIndex) add(number int, m matcher) {
	x.beginnings.Add(m.beginning, len(x.patterns))
	x.patterns = append(x.patterns, indexedPattern{m, number})
}

// find returns the numbers of the patterns that match one of some names, in their order.
func (x *patternIndex) find(names ...string) (found []int) {
	for _, name := range names {
		folded := policy.FoldCase(name)
		for _, place := range x.beginnings.Of(nil, folded) {
			p := &x.patterns[place]
			if strings.Contains(folded, p.text.longest) && p.text.takes(name) {
				found = append(found, p.number)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
