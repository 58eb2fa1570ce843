package headers

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"metarobots/emit/robotstag"
)

// plan is one rule of ours that is no pattern: a block, or lines for blocks of
// the user's.
type plan struct {
	block block // no path: none
	edits []edit
}

// plain is the rule of most items: a block of its own at the end of the file.
var plain = new(plan)

// ownPlan returns an item's own rule; over says that another rule of ours applies.
func (c *compiler) ownPlan(it *item, over bool) plan {
	p := it.alone
	if over {
		p = it.after
	}
	if p != plain {
		return *p
	}
	return plan{block: block{it.path, ruleLines(Name, over && c.cloudflare() != nil, c.lines(it))}}
}

// examine finds out what an item gets without us, and whether and how it can
// have a rule of its own.
func (c *compiler) examine(it *item, claims map[reach][]claim) {
	joined := c.text(it)
	it.label = c.labels[joined]
	for n, s := range it.spots {
		if !slices.ContainsFunc(it.wants, func(i int) bool { return !c.served(i, s) }) {
			it.ok |= 1 << n
		}
		if it.label != bare && !c.takes(it, s, joined) {
			it.label = bare
		}
	}
	if msg := badValues(c.lines(it)); msg != "" {
		it.lack = &lack{robotstag.IDValue, msg}
		return
	}
	if it.lack = c.unnameable(it, claims); it.lack != nil {
		return
	}
	if !it.right() {
		if it.alone = c.way(it, joined); it.alone == nil {
			it.lack = &lack{robotstag.IDFound, c.foundMessage(it)}
		}
	}
	it.after = c.wayAfter(it, joined)
}

// takes reports whether a pattern of ours gives a spot exactly its text.
func (c *compiler) takes(it *item, s spot, joined string) bool {
	switch {
	case c.quiet:
		return true
	case joined == "":
		return c.says(s, c.own(s)) == "" // else what the user says is to stay
	case c.engines[s.dialect].Dialect == Cloudflare:
		return true // by taking away
	}
	return !c.odd || c.says(s, with(c.base(s), ourRule(nil, Name, true, surround{before: c.lines(it)}))) == joined
}

// unnameable says why no exact rule can mean an item alone; nil where one can.
func (c *compiler) unnameable(it *item, claims map[reach][]claim) *lack {
	for d, e := range c.engines {
		if !e.nameable(it.path) {
			return &lack{robotstag.IDName, fmt.Sprintf("no rule of %s can name %s exactly", e.Name(), it.path)}
		}
		for _, other := range claims[reach{d, e.key(it.path)}] {
			if joined := c.text(it); other.text != joined {
				return &lack{robotstag.IDOverlap, fmt.Sprintf(
					"a rule for %s would reach %s too, which is to be served with %q, not %q (%s)",
					it.path, c.wants[other.want].Name(), other.text, joined, e.Name())}
			}
		}
	}
	return nil
}

// badValues says why values cannot stand in a _headers file, or "".
func badValues(values []string) string {
	for _, v := range values {
		for _, r := range v {
			if r < ' ' || r > '~' {
				return fmt.Sprintf("the value %q has a character that is not printable ASCII", v)
			}
		}
		switch {
		case v == "" || trim(v) != v || commas(v) != v:
			return fmt.Sprintf("the value %q is empty or has blanks where engines change them", v)
		case len(Name+": "+v) > CloudflareLine:
			return fmt.Sprintf("a value of %d characters makes a line longer than %d", len(v), CloudflareLine)
		}
	}
	return ""
}

// way finds an exact rule for an item that no pattern of ours reaches: at the
// end of the file, lines in the user's block of the same path, or a rule with a
// star that matches just the same.
func (c *compiler) way(it *item, joined string) *plan {
	rival := c.rivals[it.path]
	switch {
	case rival == nil && c.quiet:
		return plain
	case rival == nil:
		name, detach, ok := c.try(it.spots, joined, nil, surround{before: c.lines(it)}, nil)
		if !ok {
			return nil
		}
		return &plan{block: block{it.path, ruleLines(name, detach, c.lines(it))}}
	}
	if edits := c.merge(it.spots, joined, rival, c.lines(it)); edits != nil {
		return &plan{edits: edits}
	}
	return c.twin(it, joined, nil)
}

// wayAfter finds an exact rule for an item that a pattern of ours reaches.
func (c *compiler) wayAfter(it *item, joined string) *plan {
	over := &Rule{Headers: []Header{{Name: Name, Value: "x"}}}
	switch {
	case joined == "" && it.label == bare:
		return nil // no rule can say nothing
	case c.rivals[it.path] != nil:
		return c.twin(it, joined, over)
	case !c.odd:
		return plain
	}
	name, _, ok := c.try(it.spots, joined, nil, surround{before: c.lines(it)}, over)
	if !ok {
		return nil
	}
	return &plan{block: block{it.path, ruleLines(name, c.cloudflare() != nil, c.lines(it))}}
}

func (c *compiler) foundMessage(it *item) string {
	for _, s := range it.spots {
		for _, v := range c.engines[s.dialect].combine(c.own(s), c.opt.Host, s.form) {
			return fmt.Sprintf("the X-Robots-Tag rule of line %d stands in the way of the value for %s (remove it: the policy covers the file)",
				c.user.line(v.Line), it.path)
		}
	}
	return fmt.Sprintf("no rule can give %s the wanted value beside the one for /*", it.path)
}

// twin finds a pattern with one star that among all files of the site matches
// just the spots of an item: a rule of its own where the user's block of the
// same path says something that no line in it can take back, or stands before a
// rule of ours that it must follow.
func (c *compiler) twin(it *item, joined string, over *Rule) *plan {
	// The rule has one place, the end of the file, so what it gives does not
	// depend on the star.
	lines := surround{before: c.lines(it)}
	name, detach, ok := c.try(it.spots, joined, nil, lines, over)
	if !ok || len(lines.before) == 0 && !detach {
		return nil
	}
	if p := it.alone; p != nil && p.block.path != "" {
		return &plan{block: block{p.block.path, ruleLines(name, detach, lines.before)}}
	}
	for at := len(it.path); at > 0; at-- {
		path := it.path[:at] + "*" + it.path[at:]
		if c.rivals[path] == nil && !c.twins[path] && c.onlyMatches(path, it, at) {
			c.twins[path] = true
			return &plan{block: block{path, ruleLines(name, detach, lines.before)}}
		}
	}
	return nil
}

// maxTwinWork is how many items are compared with patterns of [compiler.twin] in
// one run; after that no pattern is found.
const maxTwinWork = 4_000_000

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
	for at := c.find(head); at < len(c.items) && strings.HasPrefix(c.items[at].key, head); at++ {
		if c.twinWork++; c.twinWork > maxTwinWork {
			return false
		}
		other := &c.items[at]
		for _, s := range other.spots {
			if c.engines[s.dialect].Match(rules[s.dialect], "", s.form) != (other == it) {
				return false
			}
		}
	}
	return true
}

// find returns the first item whose key is not before a text.
func (c *compiler) find(text string) int {
	return sort.Search(len(c.items), func(i int) bool { return c.items[i].key >= text })
}
