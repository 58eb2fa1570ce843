package headers

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// ours is a rule of ours: a block of its own, or lines in a block of the user's.
type ours struct {
	path   string // of its block
	place  *Rule  // the user's block that the lines go into, if any
	name   string // of the header, as it is spelled
	wild   bool   // the path has wildcards, see [compiler.meansOne]
	item   *item  // whose own rule it is, if no user's rule is in its way
	label  int32  // what it says, if it has a star and is for many
	detach bool   // what earlier rules set is taken away first
	// before and after are values. In a block of the user's, they stand around its own X-Robots-Tag lines.
	before, after []string
}

// rule returns the rule as an engine keeps it, around the headers of the user's rule that it stands for, if any.
func (o ours) rule(place *Rule) *Rule {
	r := &Rule{}
	if place != nil {
		*r = *place
	}
	if o.detach {
		r.Detach = append(slices.Clip(r.Detach), robotstag.Value{Name: Name})
	}
	headers := func(values []string) (hs []robotstag.Value) {
		for _, v := range values {
			hs = append(hs, robotstag.Value{Name: o.name, Text: v})
		}
		return hs
	}
	r.Headers = slices.Concat(headers(o.before), r.Headers, headers(o.after))
	return r
}

// head returns the lines as they are printed, in a block of the user's those right behind its path.
func (o ours) head() []string {
	head := o.print(o.before)
	if o.detach {
		head = slices.Insert(head, 0, "! "+Name)
	}
	return head
}

func (o ours) print(values []string) (all []string) {
	for _, v := range values {
		all = append(all, o.name+": "+v)
	}
	return all
}

// around returns the ways to complete a block's own X-Robots-Tag text to the wanted one: the text must be a part of it,
// and ours stands around it. Without a block there is none.
func around(userBlock *Rule, wanted string, values []string) (all []ours) {
	if userBlock == nil {
		return nil
	}
	hs := userBlock.robots()
	if len(hs) == 0 {
		return []ours{{place: userBlock, name: Name, before: values}}
	}
	o := ours{place: userBlock, name: hs[len(hs)-1].Name}
	own, parts := strings.Split(userBlock.text(), ", "), strings.Split(wanted, ", ")
	for i := range len(parts) - len(own) + 1 {
		o.before, o.after = nil, nil
		if i > 0 {
			o.before = []string{strings.Join(parts[:i], ", ")}
		}
		if rest := parts[i+len(own):]; len(rest) > 0 {
			o.after = []string{strings.Join(rest, ", ")}
		}
		// Several values in one line can be too long.
		if slices.Equal(parts[i:i+len(own)], own) && badValues(slices.Concat(o.before, o.after)) == "" {
			all = append(all, o)
		}
	}
	return all
}

// badValues says why values cannot stand in a _headers file, or "".
func badValues(values []string) string {
	for _, v := range values {
		odd := func(r rune) bool { return r < ' ' || r > '~' }
		switch {
		case strings.ContainsFunc(v, odd):
			return fmt.Sprintf("the value %q has a character that is not printable ASCII", v)
		case v == "" || trim(v) != v || commas(v) != v:
			return fmt.Sprintf("the value %q is empty or has blanks where engines change them", v)
		case len(Name+": "+v) > CloudflareLine:
			return fmt.Sprintf("a value of %d characters makes a line longer than %d", len(v), CloudflareLine)
		}
	}
	return ""
}
