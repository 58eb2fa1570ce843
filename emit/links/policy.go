package links

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/head"
)

// Class is one class of an element; as in a page without quirks, case matters.
type Class string

// ParseClass reads one class: no list, and without the dot of a selector.
func ParseClass(text string) (Class, error) {
	c := strings.TrimSpace(text)
	switch {
	case c == "":
		return "", fmt.Errorf("class %q: it is empty", text)
	case strings.ContainsAny(c, " \t\n\f\r"):
		return "", fmt.Errorf("class %q: one class is wanted, not a list", text)
	case c[0] == '.':
		return "", fmt.Errorf("class %q: it is written without a dot", text)
	}
	return Class(c), nil
}

// A Rule says which of the links that lead away get which rel values. One that
// names neither hosts nor classes is for all of them.
type Rule struct {
	Rel    Rel
	Hosts  []Host  // the link leads to one of these; nil for any
	Class  []Class // the link, or an element around it, has one of these; nil for any
	Except []Host  // and does not lead to one of these
}

// Config is what a [Policy] is made of. The zero Config asks for nothing.
type Config struct {
	// Own are the site's own hosts, beside the one of the page itself. No link to them is ever
	// edited.
	Own []Host
	// Except are hosts that no rule is for.
	Except []Host
	// Rules are the rules; a link gets the values of all that are for it.
	Rules []Rule
	// NoSnippet are the classes whose elements get data-nosnippet.
	NoSnippet []Class
}

// A Policy is what is asked of the links and snippets of a page. It is never
// changed once it is made, and safe for concurrent use.
type Policy struct {
	options Config
	rules   []int   // those that are asked for, by their index
	classes []Class // of these rules; those of data-nosnippet are in options.NoSnippet
}

// hasClasses reports whether the class of any element matters.
func (p *Policy) hasClasses() bool { return len(p.options.NoSnippet)+len(p.classes) > 0 }

// New makes a Policy; the Config is a part of it.
func New(o Config) *Policy { return (&Policy{options: o}).Only(func(int) bool { return true }) }

// Only returns the policy with those of its [Config]' rules that keep names by their index, such as
// those for one section. One Policy for each such choice is enough for a site.
func (p *Policy) Only(keep func(rule int) bool) *Policy {
	q := &Policy{options: p.options}
	for i, r := range p.options.Rules {
		if keep(i) {
			q.rules, q.classes = append(q.rules, i), append(q.classes, r.Class...)
		}
	}
	return q
}

// Empty reports whether the policy asks for nothing.
func (p *Policy) Empty() bool { return len(p.rules) == 0 && len(p.options.NoSnippet) == 0 }

// rel returns what the policy asks of a link to at, with the classes that it and the elements
// around it have, and notes in fits which rules are for it.
func (p *Policy) rel(at place, classes []Class, fits []bool) (rel Rel) {
	if fit(p.options.Except, at) {
		return 0
	}
	for _, i := range p.rules {
		r := &p.options.Rules[i]
		if (len(r.Hosts) == 0 || fit(r.Hosts, at)) && !fit(r.Except, at) &&
			(len(r.Class) == 0 || slices.ContainsFunc(classes, r.has)) {
			rel |= r.Rel
			fits[i] = true
		}
	}
	return rel
}

func (r *Rule) has(c Class) bool { return slices.Contains(r.Class, c) }

// addClasses appends those of the rules' classes that a decoded class attribute holds.
func (p *Policy) addClasses(to []Class, v []byte) []Class {
	for t := range bytes.FieldsFuncSeq(v, isSpace) {
		if i := slices.Index(p.classes, Class(t)); i >= 0 && !slices.Contains(to, p.classes[i]) {
			to = append(to, p.classes[i])
		}
	}
	return to
}

// find returns the index of the first of the wanted classes that a decoded class attribute holds,
// -1 where it holds none.
func find(v []byte, wanted []Class) int {
	for t := range bytes.FieldsFuncSeq(v, isSpace) {
		if i := slices.Index(wanted, Class(t)); i >= 0 {
			return i
		}
	}
	return -1
}

// Rel is a set of the values of a link's rel that crawlers read. Zero is none.
//
// https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links
type Rel uint8

// The values of a [Rel], in the order they are written.
const (
	Nofollow  Rel = 1 << iota // not to be associated with this site
	UGC                       // user-generated content
	Sponsored                 // an advertisement, a paid link
)

var relNames = [...]string{"nofollow", "ugc", "sponsored"}

// ParseRel reads one value, in any case.
func ParseRel(text string) (Rel, error) {
	if r := named([]byte(strings.TrimSpace(text))); r != 0 {
		return r, nil
	}
	return 0, fmt.Errorf("%q is not a rel value that metarobots writes: nofollow, ugc or sponsored", text)
}

// String returns the values as a rel attribute has them: "nofollow ugc".
func (r Rel) String() string {
	var names []string
	for i, n := range relNames {
		if r>>i&1 != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, " ")
}

func named(token []byte) Rel {
	for i, n := range relNames {
		if head.Fold(token, n) {
			return 1 << i
		}
	}
	return 0
}

// parseRel returns what a rel value says already. Google reads a list with commas too; the standard
// would take "ugc,nofollow" for one unknown token.
func parseRel(v []byte) (r Rel) {
	for t := range bytes.FieldsFuncSeq(v, func(c rune) bool { return isSpace(c) || c == ',' }) {
		r |= named(t)
	}
	return r
}

// addRel notes the insertions that add r to the rel attribute a of the link e; it may have none.
// What is there stays, in its quotes.
func (p *Page) addRel(src []byte, e *head.Element, a *head.Attr, r Rel) {
	p.Edited++
	tokens := r.String()
	switch v := src[a.Value:a.ValueEnd]; {
	case !a.Given():
		// Right after the name: whatever may follow there may follow a value in quotes.
		p.insert(e.Attrs, ` rel="`+tokens+`"`)
	case a.Value == a.NameEnd:
		p.insert(a.NameEnd, `="`+tokens+`"`)
	case src[a.Value-1] == '"' || src[a.Value-1] == '\'':
		if len(v) > 0 && !isSpace(rune(v[len(v)-1])) {
			tokens = " " + tokens
		}
		p.insert(a.ValueEnd, tokens)
	case len(v) == 0:
		p.insert(a.Value, `"`+tokens+`"`)
	case bytes.IndexByte(v, '"') >= 0:
		// Within quotes of its own it would end early: the blank is written as a reference.
		p.insert(a.ValueEnd, strings.ReplaceAll(" "+tokens, " ", "&#32;"))
	default:
		p.insert(a.Value, `"`)
		p.insert(a.ValueEnd, " "+tokens+`"`)
	}
}

// isSpace reports whether c is ASCII white space. https://infra.spec.whatwg.org/#ascii-whitespace
func isSpace(c rune) bool { return c == ' ' || '\t' <= c && c <= '\r' && c != '\v' }
