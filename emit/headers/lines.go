package headers

import (
	"fmt"
	"slices"
	"strings"
)

// lines are X-Robots-Tag lines of ours: a rule of their own, or what stands before and after the user's X-Robots-Tag
// lines in a block of theirs.
type lines struct {
	name   string // of the header, as it is spelled
	detach bool   // what earlier rules set is taken away first
	before []string
	after  []string
}

// head and tail are the lines as they are printed.
func (l lines) head() []string {
	head := l.print(l.before)
	if l.detach {
		head = slices.Insert(head, 0, "! "+Name)
	}
	return head
}

func (l lines) tail() []string { return l.print(l.after) }

func (l lines) print(values []string) (all []string) {
	for _, v := range values {
		all = append(all, l.name+": "+v)
	}
	return all
}

// rule returns a rule of the lines, around those of the user's rule that it stands for, if any.
func (l lines) rule(place *Rule) *Rule {
	r := &Rule{}
	if place != nil {
		*r = *place
	}
	if l.detach {
		r.Detach = append(slices.Clip(r.Detach), Header{Name: Name})
	}
	var hs []Header
	for _, v := range l.before {
		hs = append(hs, Header{Name: l.name, Value: v})
	}
	hs = append(hs, r.Headers...)
	for _, v := range l.after {
		hs = append(hs, Header{Name: l.name, Value: v})
	}
	r.Headers = hs
	return r
}

// around returns the ways to complete a block's own X-Robots-Tag text to the wanted one: the text must be a part of it,
// and ours stands around it.
func around(rival *Rule, wanted string, values []string) (all []lines) {
	if rival.text() == "" {
		return []lines{{before: values}}
	}
	own, parts := strings.Split(rival.text(), ", "), strings.Split(wanted, ", ")
	one := func(parts []string) []string {
		if len(parts) == 0 {
			return nil
		}
		return []string{strings.Join(parts, ", ")}
	}
	for i := range len(parts) - len(own) + 1 {
		if l := (lines{before: one(parts[:i]), after: one(parts[i+len(own):])}); slices.Equal(parts[i:i+len(own)], own) &&
			badValues(slices.Concat(l.before, l.after)) == "" { // several values in one line can be too long
			all = append(all, l)
		}
	}
	return all
}

// surround puts lines into a block of the user's. It is not nil.
func (u *userFile) surround(rival *Rule, l lines) []edit {
	edits := []edit{}
	if head := l.head(); len(head) > 0 {
		edits = append(edits, u.after(rival.Line, head))
	}
	if tail := l.tail(); len(tail) > 0 {
		own := rival.robots()
		edits = append(edits, u.after(own[len(own)-1].Line, tail))
	}
	return edits
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
