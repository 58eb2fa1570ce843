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
	detach bool   // what earlier rules set is taken away first
	// before and after are values. In a block of the user's, they stand around its own values of the header.
	before, after []string
}

// head returns the lines as they are printed, in a block of the user's those right behind its path.
func (o ours) head(header string) (all []string) {
	if o.detach {
		all = append(all, "! "+header)
	}
	for _, v := range o.before {
		all = append(all, o.name+": "+v)
	}
	return all
}

// around completes the user's block of a path to the wanted value: what it says of the header itself must be a part of
// that, and ours stands around it. It is nil where that cannot be.
func (c *compiler) around(block *Rule, wanted string, lines []string) *ours {
	switch {
	case block == nil:
		return nil
	case len(block.values) == 0:
		return &ours{place: block, name: c.name, before: lines}
	}
	before, after, ok := strings.Cut(", "+wanted+", ", ", "+robotstag.Join(block.values)+", ")
	o := &ours{place: block, name: block.values[len(block.values)-1].Name}
	if before = strings.TrimPrefix(before, ", "); before != "" {
		o.before = []string{before}
	}
	if after = strings.TrimSuffix(after, ", "); after != "" {
		o.after = []string{after}
	}
	if !ok || badValues(o.name, slices.Concat(o.before, o.after)) != "" { // several in one line can be too long
		return nil
	}
	return o
}

// badValues says why values cannot stand in a _headers file, or "".
func badValues(header string, values []string) string {
	for _, v := range values {
		odd := func(r rune) bool { return r < ' ' || r > '~' }
		switch {
		case strings.ContainsFunc(v, odd):
			return fmt.Sprintf("the value %q has a character that is not printable ASCII", v)
		case v == "" || trim(v) != v || commas(v) != v:
			return fmt.Sprintf("the value %q is empty or has blanks where engines change them", v)
		case len(header+": "+v) > CloudflareLine:
			return fmt.Sprintf("a value of %d characters makes a line longer than %d", len(v), CloudflareLine)
		}
	}
	return ""
}
