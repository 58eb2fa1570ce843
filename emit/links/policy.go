package links

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
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

// Options are what a [Policy] is made of. The zero Options ask for nothing.
type Options struct {
	// Own are the site's own hosts, beside the one of the page itself. No link to them is ever edited.
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
	options Options
	rules   []int   // those that are asked for, by their index
	classes []Class // theirs
}

// New makes a Policy, of which the Options are a part.
func New(o Options) *Policy {
	p := &Policy{options: o}
	for i := range o.Rules {
		p.rules = append(p.rules, i)
	}
	return p.Only(func(int) bool { return true })
}

// Only returns the policy with the rules that keep names, by their index in [Options], such as those for one section.
// One Policy for each such choice is enough for a site.
func (p *Policy) Only(keep func(rule int) bool) *Policy {
	q := *p
	q.rules, q.classes = slices.DeleteFunc(slices.Clone(p.rules), func(i int) bool { return !keep(i) }), nil
	for _, i := range q.rules {
		q.classes = append(q.classes, p.options.Rules[i].Class...)
	}
	return &q
}

// Empty reports whether the policy asks for nothing.
func (p *Policy) Empty() bool { return len(p.rules) == 0 && len(p.options.NoSnippet) == 0 }

// rel returns what the policy asks of a link to at, with the classes that it and the elements around it have, and
// notes in fits which rules are for it.
func (p *Policy) rel(at *place, classes []Class, fits []bool) (rel Rel) {
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

// find returns the index of the first of the wanted classes that a decoded class attribute holds, -1 where it holds
// none.
func find(v []byte, wanted []Class) int {
	for t := range bytes.FieldsFuncSeq(v, isSpace) {
		if i := slices.Index(wanted, Class(t)); i >= 0 {
			return i
		}
	}
	return -1
}
