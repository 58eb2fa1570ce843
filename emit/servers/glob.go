package servers

import (
	"errors"
	"regexp"
	"slices"
	"strings"
)

// glob is a pattern of minimatch: * and ? within a segment, ** for any number of
// segments, {a,b}, [a-z], and @(a|b), ?(…), *(…), +(…), !(…). What it does not
// spell out does not begin with a dot.
// https://github.com/isaacs/minimatch
type glob struct {
	not bool
	any [][]segment
}

// segment is what a glob says between two slashes.
type segment struct {
	globstar bool
	text     string // exactly this, where matches is nil
	matches  func(string) bool
	dot      bool // it spells out a dot at its beginning
}

// globMost is the most patterns that one glob's braces may come to.
const globMost = 1000

func newGlob(pattern string) (*glob, error) {
	g := &glob{}
	pattern, g.not = strings.CutPrefix(pattern, "!")
	if pattern == "" {
		return nil, errors.New("an empty glob")
	}
	expanded, err := braces(pattern)
	if err != nil {
		return nil, err
	}
	for _, p := range expanded {
		var segments []segment
		for s := range strings.SplitSeq(p, "/") {
			one, err := newSegment(s)
			if err != nil {
				return nil, err
			}
			segments = append(segments, one)
		}
		// Several ** in a row are one.
		g.any = append(g.any, slices.CompactFunc(segments, func(a, b segment) bool { return a.globstar && b.globstar }))
	}
	return g, nil
}

func (g *glob) among(sorted []string) []int { return scan(sorted, g.match) }

func (g *glob) match(path string) bool {
	file := strings.Split(path, "/")
	return g.not != slices.ContainsFunc(g.any, func(pattern []segment) bool { return along(pattern, file) })
}

// along matches segment by segment. A slash at the end of the path is no
// difference.
func along(pattern []segment, file []string) bool {
	for i, p := range pattern {
		if p.globstar {
			rest, some := pattern[i+1:], len(file) > 0
			for ; len(file) > 0; file = file[1:] {
				if len(rest) > 0 && along(rest, file) {
					return true
				}
				if strings.HasPrefix(file[0], ".") {
					return false
				}
			}
			return some && len(rest) == 0
		}
		if len(file) == 0 || !p.match(file[0]) {
			return false
		}
		file = file[1:]
	}
	return len(file) == 0 || len(file) == 1 && file[0] == ""
}

func (s segment) match(part string) bool {
	if s.matches == nil {
		return part == s.text
	}
	return part != "" && (s.dot || part[0] != '.') && s.matches(part)
}

func newSegment(s string) (segment, error) {
	if s == "**" {
		return segment{globstar: true}, nil
	}
	t := translator{rest: s}
	expression, err := t.sequence("")
	if err == nil && t.rest != "" {
		err = errors.New("a ) without its (")
	}
	if err != nil {
		return segment{}, err
	}
	if !t.magic {
		return segment{text: t.plain.String()}, nil
	}
	e, err := newExpression(expression, true)
	if err != nil {
		return segment{}, err
	}
	return segment{matches: e.run(), dot: s[0] == '.'}, nil
}

// translator turns a segment into a regular expression.
type translator struct {
	rest  string
	magic bool
	plain strings.Builder // the text, where there is no magic
}

// sequence reads up to the end or to one of the characters.
func (t *translator) sequence(until string) (string, error) {
	var b strings.Builder
	for t.rest != "" && strings.IndexByte(until, t.rest[0]) < 0 {
		c := t.rest[0]
		t.rest = t.rest[1:]
		switch {
		case strings.IndexByte("@?*+!", c) >= 0 && strings.HasPrefix(t.rest, "("):
			t.magic = true
			group, err := t.group()
			if err != nil {
				return "", err
			}
			if c != '!' {
				b.WriteString("(?:" + group + ")" + map[byte]string{'@': "", '?': "?", '*': "*", '+': "+"}[c])
				continue
			}
			// What follows must not, with one of these before it, be the rest.
			after, err := t.sequence(until)
			if err != nil {
				return "", err
			}
			b.WriteString("(?:(?!(?:" + group + ")" + after + "$)[^/]*)" + after)
		case c == '*':
			t.magic = true
			b.WriteString("[^/]*")
		case c == '?':
			t.magic = true
			b.WriteString("[^/]")
		case c == '[':
			t.magic = true
			class, err := t.class()
			if err != nil {
				return "", err
			}
			b.WriteString(class)
		case c == '\\' && t.rest != "":
			c = t.rest[0]
			t.rest = t.rest[1:]
			fallthrough
		default:
			b.WriteString(regexp.QuoteMeta(string([]byte{c})))
			t.plain.WriteByte(c)
		}
	}
	return b.String(), nil
}

// group reads "(a|b)".
func (t *translator) group() (string, error) {
	var all []string
	for {
		t.rest = t.rest[1:]
		one, err := t.sequence("|)")
		if err != nil {
			return "", err
		}
		if all = append(all, one); t.rest == "" {
			return "", errors.New("a ( without its )")
		}
		if t.rest[0] == ')' {
			t.rest = t.rest[1:]
			return strings.Join(all, "|"), nil
		}
	}
}

// class reads what follows a [.
func (t *translator) class() (string, error) {
	var b strings.Builder
	b.WriteByte('[')
	if t.rest != "" && (t.rest[0] == '!' || t.rest[0] == '^') {
		b.WriteByte('^')
		t.rest = t.rest[1:]
	}
	for i := 0; i < len(t.rest); i++ {
		switch c := t.rest[i]; {
		case c == ']' && i > 0:
			t.rest = t.rest[i+1:]
			return b.String() + "]", nil
		case c == '[' && strings.HasPrefix(t.rest[i:], "[:"):
			return "", errors.New("a class of a name")
		case c == '\\' && i+1 < len(t.rest):
			i++
			b.WriteString(regexp.QuoteMeta(t.rest[i : i+1]))
		case strings.IndexByte(`\[]^&~`, c) >= 0:
			b.WriteString(`\` + string([]byte{c}))
		default:
			b.WriteByte(c)
		}
	}
	return "", errors.New("a [ without its ]")
}

// braces expands {a,b}, one within another too. Braces without a comma stay.
func braces(s string) ([]string, error) {
	from := -1
	depth, commas := 0, []int(nil)
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			if depth++; depth == 1 {
				from, commas = i, nil
			}
		case ',':
			if depth == 1 {
				commas = append(commas, i)
			}
		case '}':
			if depth == 0 {
				continue
			}
			if depth--; depth > 0 {
				continue
			}
			if len(commas) == 0 {
				if strings.Contains(s[from:i], "..") || strings.Contains(s[from:i], ",") {
					return nil, errors.New("braces of another kind than {a,b}")
				}
				continue
			}
			tails, err := braces(s[i+1:])
			if err != nil {
				return nil, err
			}
			var all []string
			start := from + 1
			for _, end := range append(commas, i) {
				middles, err := braces(s[start:end])
				if err != nil {
					return nil, err
				}
				for _, m := range middles {
					for _, t := range tails {
						if all = append(all, s[:from]+m+t); len(all) > globMost {
							return nil, errors.New("too many alternatives")
						}
					}
				}
				start = end + 1
			}
			return all, nil
		}
	}
	return []string{s}, nil
}
