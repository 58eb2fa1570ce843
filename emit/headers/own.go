package headers

import (
	"fmt"
	"slices"

	"metarobots/emit/robotstag"
)

// plain is the rule of most items: a block of its own at the end of the file.
var plain = new(ours)

// ways are the rules of its own that an item can have: where no rule of ours applies, and where one does; nil where it
// can have none.
type ways struct {
	alone, after *ours
	lack         lack // why the item cannot have the rule it needs
}

// lack is the ID and the message of a finding.
type lack struct{ id, msg string }

// The ways of most items: those that no rule of the user's applies to, and where nothing is wanted and no rule can say
// nothing.
var (
	plainWays = &ways{alone: plain, after: plain}
	noWays    = &ways{}
)

// rule returns an item's own rule; over says that another rule of ours applies.
func (c *compiler) rule(it *item, over bool) ours {
	o := it.ways.alone
	if over {
		o = it.ways.after
	}
	if o != plain {
		return *o
	}
	return ours{path: it.path, name: Name, item: it, detach: over && c.cloudflare != nil,
		before: c.values[it.value].lines}
}

// examine finds out what the items of one key get without us, and whether and how they can have rules of their own.
func (c *compiler) examine(items []item) {
	for i := range items {
		it := &items[i]
		v := &c.values[it.value]
		said := v.bad == "" && (v.text != "" || !c.netlify) // only where a rule can take away can one say nothing
		quiet := true
		for n := range it.requests {
			s := &it.requests[n]
			base := c.user.base(*s)
			s.right = c.isRight(*s, base)
			if slices.ContainsFunc(base, (*Rule).speaks) {
				quiet = false
				said = said && c.sayable(*s, base, v)
			}
		}
		if said {
			it.label = it.value
		}
		it.ways = c.ways(it, items, quiet)
	}
}

// sayable reports whether a pattern of ours gives a request exactly its value.
func (c *compiler) sayable(s request, base []*Rule, v *value) bool {
	if v.text == "" {
		return c.user.says(s, c.user.own(s)) == "" // else what the user says is to stay
	}
	return c.user.says(s, with(base, ours{name: Name, detach: true, before: v.lines}.rule(nil))) == v.text
}

// ways finds the rules of its own that an item among those of its key can have. Where it is quiet, no rule but ours
// applies to it.
func (c *compiler) ways(it *item, items []item, quiet bool) *ways {
	v := &c.values[it.value]
	if v.bad != "" {
		return &ways{lack: lack{"header-value", v.bad}}
	}
	if l := c.unnameable(it, items); l.id != "" {
		return &ways{lack: l}
	}
	userBlock := c.userBlocks[it.path]
	unsayable := v.text == "" && it.label == bare // no rule can say nothing
	if userBlock == nil && (quiet || it.right() && !c.otherSpelling()) && !c.isWild(it.path) {
		if unsayable {
			return noWays
		}
		return plainWays
	}
	if c.isWild(it.path) {
		for _, s := range it.requests {
			c.wild[s.want] = true
		}
		o := &ours{path: it.path, name: Name, wild: true, item: it, detach: c.cloudflare != nil, before: v.lines}
		return &ways{alone: o, after: o}
	}
	w, path := &ways{}, it.path
	if userBlock != nil {
		path = c.solePattern(it)
	}
	atEnd := ours{path: path, before: v.lines}
	if !it.right() {
		if w.alone = c.try(it, nil, append(around(userBlock, v.text, v.lines), atEnd)...); w.alone == nil {
			w.lack = lack{"header-found", c.foundMessage(it)}
		}
	}
	switch {
	case unsayable:
	case userBlock == nil && !c.otherSpelling():
		w.after = plain
	default:
		w.after = c.try(it, &Rule{Headers: []robotstag.Value{{Name: Name, Text: "x"}}}, atEnd)
	}
	return w
}

// unnameable says why no exact rule can mean an item alone, of those of its key.
func (c *compiler) unnameable(it *item, items []item) lack {
	v := &c.values[it.value]
	for d, e := range c.user.engines {
		if !e.literal(it.path, false) && (v.text == "" || !c.meansOne(it)) {
			return lack{"header-name", fmt.Sprintf("no rule of %s can name %s exactly", e.Name(), it.path)}
		}
		reached := func(s request) bool { return int(s.dialect) == d && e.key(s.form) == e.key(it.path) }
		for _, other := range items {
			if other.value != it.value && slices.ContainsFunc(other.requests, reached) {
				return lack{"header-overlap", fmt.Sprintf(
					"a rule for %s would reach %s too, which is to be served with %q, not %q (%s)", it.path,
					c.wants[other.requests[0].want].Path, c.values[other.value].text, v.text, e.Name())}
			}
		}
	}
	return lack{}
}

func (c *compiler) foundMessage(it *item) string {
	for _, s := range it.requests {
		for _, v := range c.user.engines[s.dialect].combine(c.user.own(s), c.user.host, s.form) {
			return fmt.Sprintf("the X-Robots-Tag rule of line %d stands in the way of the value for %s "+
				"(remove it: the policy covers the file)", c.user.line(v.Line), it.path)
		}
	}
	return fmt.Sprintf("no rule can give %s the wanted value beside the one for /*", it.path)
}

// try finds the first of several rules that gives every request of an item exactly the wanted text, with the header's
// spelling and with or without detaching first; nil where none does. A rule of its own stands at the end of the file,
// there after over where it is not nil.
func (c *compiler) try(it *item, over *Rule, all ...ours) *ours {
	wrong := func(o *ours, s request) bool {
		base := c.user.base(s)
		at := o.place
		if at != nil { // the same block, as this dialect reads it
			i := slices.IndexFunc(base, func(r *Rule) bool { return r.Line == at.Line })
			if i < 0 {
				return true
			}
			at = base[i]
		} else if over != nil {
			base = with(base, over)
		}
		return c.user.says(s, with(base, o.rule(at))) != c.values[it.value].text
	}
	for _, o := range all {
		for _, o.name = range c.names {
			for _, o.detach = range []bool{false, true} {
				empty := o.place == nil && (o.path == "" || len(o.before) == 0 && !o.detach)
				if !empty && !slices.ContainsFunc(it.requests, func(s request) bool { return wrong(&o, s) }) {
					return &o
				}
			}
		}
	}
	return nil
}
