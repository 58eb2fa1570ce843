package headers

import (
	"slices"
	"strings"
)

// names returns the spellings of the header's name to try: on Netlify, names of
// different case are different headers, and the one the user brought in last
// wins.
func (c *compiler) names(spots []spot) []string {
	names := []string{Name}
	for _, s := range spots {
		for _, v := range c.engines[s.dialect].combine(c.base(s), c.opt.Host, s.form) {
			if !slices.Contains(names, v.Name) {
				names = append(names, v.Name)
			}
		}
	}
	return names
}

// try looks for the header's spelling, and whether to detach first, with which
// lines of ours give every spot exactly the wanted text. The lines stand around
// those of the user's rule in whose place they are, or, with none, make a rule
// of their own at the end of the file, there after over where it is not nil.
func (c *compiler) try(spots []spot, joined string, place *Rule, lines surround, over *Rule) (name string, detach, ok bool) {
	gives := func(s spot) bool {
		base := c.base(s)
		if place == nil {
			if over != nil {
				base = with(base, over)
			}
			return c.says(s, with(base, ourRule(nil, name, detach, lines))) == joined
		}
		// The same block, as this dialect reads it.
		at := slices.IndexFunc(base, func(r *Rule) bool { return r.Line == place.Line })
		return at >= 0 && c.says(s, with(base, ourRule(base[at], name, detach, lines))) == joined
	}
	for _, name = range c.names(spots) {
		for _, detach = range []bool{false, true} {
			if !slices.ContainsFunc(spots, func(s spot) bool { return !gives(s) }) {
				return name, detach, true
			}
		}
	}
	return "", false, false
}

// ourRule returns a rule with our lines around those of the user's rule that it
// stands for.
func ourRule(place *Rule, name string, detach bool, lines surround) *Rule {
	r := &Rule{}
	if place != nil {
		*r = *place
	}
	if detach {
		r.Detach = append(slices.Clip(r.Detach), Header{Name: Name})
	}
	var hs []Header
	for _, v := range lines.before {
		hs = append(hs, Header{Name: name, Value: v})
	}
	hs = append(hs, r.Headers...)
	for _, v := range lines.after {
		hs = append(hs, Header{Name: name, Value: v})
	}
	r.Headers = hs
	return r
}

func ruleLines(name string, detach bool, values []string) []string {
	var lines []string
	if detach {
		lines = append(lines, "! "+Name)
	}
	for _, v := range values {
		lines = append(lines, name+": "+v)
	}
	return lines
}

// merge finds marked lines for the user's block of the same path. Where the
// block states X-Robots-Tag itself, its text must be a part of the wanted one,
// and ours stands around it.
func (c *compiler) merge(spots []spot, joined string, rival *Rule, values []string) []edit {
	for _, lines := range around(rival, joined, values) {
		if name, detach, ok := c.try(spots, joined, rival, lines, nil); ok {
			return c.mergeEdits(rival, name, detach, lines)
		}
	}
	return nil
}

// robotsName is the spelling of a rule's own last X-Robots-Tag line.
func (r *Rule) robotsName() string {
	if hs := r.robots(); len(hs) > 0 {
		return hs[len(hs)-1].Name
	}
	return Name
}

// robotsText is what a rule alone says.
func (r *Rule) robotsText() string {
	var parts []string
	for _, h := range r.robots() {
		parts = append(parts, h.Value)
	}
	return strings.Join(parts, ", ")
}

// mergeEdits puts our lines into a block of the user's. It is not nil.
func (c *compiler) mergeEdits(rival *Rule, name string, detach bool, lines surround) []edit {
	edits := []edit{}
	if before := ruleLines(name, detach, lines.before); len(before) > 0 {
		edits = append(edits, c.user.after(rival.Line, before))
	}
	if after := ruleLines(name, false, lines.after); len(after) > 0 {
		own := rival.robots()
		edits = append(edits, c.user.after(own[len(own)-1].Line, after))
	}
	return edits
}

// surround is what stands before and after the user's lines in one block.
type surround struct{ before, after []string }

// around returns the ways to complete a block's own X-Robots-Tag text to the
// wanted one.
func around(rival *Rule, joined string, values []string) []surround {
	u := rival.robotsText()
	if u == "" {
		return []surround{{before: values}}
	}
	var all []surround
	for from := 0; ; {
		i := strings.Index(joined[from:], u)
		if i < 0 {
			return all
		}
		i += from
		from = i + 1
		head, okHead := strings.CutSuffix(joined[:i], ", ")
		tail, okTail := strings.CutPrefix(joined[i+len(u):], ", ")
		if head != "" && !okHead || tail != "" && !okTail {
			continue
		}
		var s surround
		if head != "" {
			s.before = []string{head}
		}
		if tail != "" {
			s.after = []string{tail}
		}
		// Several values in one line can be too long.
		if badValues(slices.Concat(s.before, s.after)) == "" {
			all = append(all, s)
		}
	}
}
