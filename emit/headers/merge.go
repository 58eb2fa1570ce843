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
			return c.text(s, with(base, ourRule(nil, name, detach, lines))) == joined
		}
		// The same block, as this dialect reads it.
		at := slices.IndexFunc(base, func(r *Rule) bool { return r.Line == place.Line })
		return at >= 0 && c.text(s, with(base, ourRule(base[at], name, detach, lines))) == joined
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

// twin finds a pattern with one star that among all files of the site matches
// just the spots of an item: a rule of its own where the user's block of the
// same path says something that no line in it can take back, or stands before a
// rule of ours that it must follow.
func (c *compiler) twin(it *item, spots []spot, joined string, over *Rule) own {
	// The rule has one place, the end of the file, so what it gives does not
	// depend on the star.
	lines := surround{before: c.lines(it)}
	name, detach, ok := c.try(spots, joined, nil, lines, over)
	if !ok || len(lines.before) == 0 && !detach {
		return own{}
	}
	if p := c.seldom(it).alone; p != nil && p.block.path != "" {
		return own{true, &plan{block: block{p.block.path, ruleLines(name, detach, lines.before)}}}
	}
	whole := c.path(it)
	for at := len(whole); at > 0; at-- {
		path := whole[:at] + "*" + whole[at:]
		if c.rivals[path] == nil && !c.twins[path] && c.onlyMatches(path, it, at) {
			c.twins[path] = true
			return own{true, &plan{block: block{path, ruleLines(name, detach, lines.before)}}}
		}
	}
	return own{}
}

// onlyMatches reports whether a pattern with a star at an offset matches the
// spots of an item in every dialect and no other request path of a file that is
// not free.
func (c *compiler) onlyMatches(path string, it *item, star int) bool {
	rules := make([]*Rule, len(c.engines))
	for d, e := range c.engines {
		r, err := e.rule(path)
		if err != nil {
			return false
		}
		rules[d] = r
	}
	// Nothing else begins as the pattern does.
	head := c.fold(strings.TrimSuffix(path[:star], "/"))
	at, _ := slices.BinarySearchFunc(c.items, head, func(it item, h string) int { return strings.Compare(c.key(&it), h) })
	for ; at < len(c.items) && strings.HasPrefix(c.key(&c.items[at]), head); at++ {
		other := &c.items[at]
		for _, s := range c.spots(other, nil) {
			if c.engines[s.dialect].Match(rules[s.dialect], "", s.form) != (other == it) {
				return false
			}
		}
	}
	return true
}
