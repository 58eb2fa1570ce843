package servers

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2"
)

// matcher is the pattern of a rule. Among says at which of the texts, which are
// sorted, it applies.
type matcher interface {
	among(sorted []string) []int
}

// expressionTime is how long an expression that Go cannot run may take for one
// text.
const expressionTime = 50 * time.Millisecond

// expression is a regular expression. Asked about all request paths of a site at
// once, it is walked along the sorted paths, of which each literal leaves a few:
// a rule with a hundred paths in it costs a hundred searches, not a run for each
// path of the site.
type expression struct {
	tree *syntax.Regexp // matches from the first to the last byte; nil: not to be walked
	run  func() func(string) bool
}

// newExpression reads an expression. Of a whole text it must match all, else any
// part, as its own anchors have it. What Go cannot run, JavaScript's look-ahead
// for one, runs as JavaScript does.
func newExpression(source string, whole bool) (*expression, error) {
	anchored := source
	if whole {
		anchored = "^(?:" + source + ")$"
	}
	e := &expression{}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		re, err := regexp2.Compile(anchored, regexp2.ECMAScript)
		if err != nil {
			return nil, err
		}
		re.MatchTimeout = expressionTime
		e.run = func() func(string) bool {
			return func(s string) bool {
				ok, err := re.MatchString(s)
				return ok || err != nil // what takes too long is taken to match
			}
		}
		return e, nil
	}
	if tree = tree.Simplify(); whole || closed(tree) {
		e.tree = tree
	}
	e.run = sync.OnceValue(func() func(string) bool {
		re, err := regexp.Compile(anchored)
		if err != nil {
			return func(string) bool { return true } // too deep with the anchors: as what takes too long
		}
		return re.MatchString
	})
	return e, nil
}

// closed reports whether an expression says itself that it begins and ends with
// the text.
func closed(re *syntax.Regexp) bool {
	return re.Op == syntax.OpConcat && re.Sub[0].Op == syntax.OpBeginText && re.Sub[len(re.Sub)-1].Op == syntax.OpEndText
}

func (e *expression) among(sorted []string) []int {
	if e.tree != nil {
		w := walk{texts: sorted}
		if w.step(e.tree, span{hi: len(sorted)}, w.keep) {
			slices.Sort(w.found)
			return slices.Compact(w.found)
		}
	}
	return scan(sorted, e.run())
}

// scan asks about each text.
func scan(sorted []string, matches func(string) bool) (at []int) {
	for i, s := range sorted {
		if matches(s) {
			at = append(at, i)
		}
	}
	return at
}

// span is a run of sorted texts that agree in their first size bytes, which are
// what has been matched.
type span struct{ lo, hi, size int }

// walk goes along an expression and the texts that it still can match.
type walk struct {
	texts []string
	found []int
}

// narrow returns the texts that go on with a literal.
func (w *walk) narrow(s span, literal string) span {
	texts := w.texts[s.lo:s.hi]
	first, _ := slices.BinarySearchFunc(texts, literal, func(text, literal string) int {
		return strings.Compare(text[s.size:], literal)
	})
	size := s.size + len(literal)
	n, _ := slices.BinarySearchFunc(texts[first:], literal, func(text, literal string) int {
		if strings.HasPrefix(text[s.size:], literal) {
			return -1
		}
		return 1
	})
	return span{s.lo + first, s.lo + first + n, size}
}

// ended returns the texts that are at their end: of the sorted ones the first.
func (w *walk) ended(s span) span {
	hi := s.lo
	for hi < s.hi && len(w.texts[hi]) == s.size {
		hi++
	}
	return span{s.lo, hi, s.size}
}

func (w *walk) keep(s span) bool {
	for i := s.lo; i < w.ended(s).hi; i++ {
		w.found = append(w.found, i)
	}
	return true
}

// step goes on with the texts that an expression leaves. It returns false where
// the expression is of a kind that cannot be walked.
func (w *walk) step(re *syntax.Regexp, s span, next func(span) bool) bool {
	if s.lo == s.hi {
		return true
	}
	switch re.Op {
	case syntax.OpNoMatch:
		return true
	case syntax.OpEmptyMatch:
		return next(s)
	case syntax.OpBeginText:
		return s.size > 0 || next(s)
	case syntax.OpEndText:
		return next(w.ended(s))
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return w.folded(re.Rune, s, next) // [Cc] is one of these too
		}
		return next(w.narrow(s, string(re.Rune)))
	case syntax.OpCharClass:
		return w.class(inRanges(re.Rune), s, next)
	case syntax.OpAnyChar:
		return w.class(func(rune) bool { return true }, s, next)
	case syntax.OpCapture:
		return w.step(re.Sub[0], s, next)
	case syntax.OpQuest:
		return w.step(re.Sub[0], s, next) && next(s)
	case syntax.OpConcat:
		return w.each(re.Sub, s, next)
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			if !w.step(sub, s, next) {
				return false
			}
		}
		return true
	}
	return false
}

func (w *walk) each(subs []*syntax.Regexp, s span, next func(span) bool) bool {
	if len(subs) == 0 {
		return s.lo == s.hi || next(s)
	}
	return w.step(subs[0], s, func(s span) bool { return w.each(subs[1:], s, next) })
}

// class goes on with each character that the texts go on with and a class has.
func (w *walk) class(has func(rune) bool, s span, next func(span) bool) bool {
	for at := s.lo; at < s.hi; {
		rest := w.texts[at][s.size:]
		if rest == "" {
			at++
			continue
		}
		r, n := utf8.DecodeRuneInString(rest)
		to := span{at, at + 1, s.size + n}
		if r != utf8.RuneError {
			to = w.narrow(span{at, s.hi, s.size}, rest[:n])
		}
		if has(r) && !next(to) {
			return false
		}
		at = to.hi
	}
	return true
}

// folded goes on with a literal whose case does not count.
func (w *walk) folded(literal []rune, s span, next func(span) bool) bool {
	if len(literal) == 0 {
		return next(s)
	}
	same := func(r rune) bool {
		return r == literal[0] || strings.EqualFold(string(r), string(literal[0]))
	}
	return w.class(same, s, func(s span) bool { return w.folded(literal[1:], s, next) })
}

// inRanges reports whether a character is in one of the ranges, pairs of first
// and last.
func inRanges(ranges []rune) func(rune) bool {
	return func(r rune) bool {
		for i := 0; i < len(ranges); i += 2 {
			if ranges[i] <= r && r <= ranges[i+1] {
				return true
			}
		}
		return false
	}
}

// exact is a pattern that means itself alone.
type exact string

func (e exact) among(sorted []string) (at []int) {
	i, _ := slices.BinarySearch(sorted, string(e))
	for ; i < len(sorted) && sorted[i] == string(e); i++ {
		at = append(at, i)
	}
	return at
}

// onePath returns the one text that an expression between anchors matches.
func onePath(expression string) (string, error) {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return "", err
	}
	if closed(tree) && len(tree.Sub) == 3 && tree.Sub[1].Op == syntax.OpLiteral && tree.Sub[1].Flags&syntax.FoldCase == 0 {
		return string(tree.Sub[1].Rune), nil
	}
	return "", fmt.Errorf("not an expression for one path: %q", expression)
}
