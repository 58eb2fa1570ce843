package servers

import (
	"math"
	"slices"

	"metarobots/emit/robotstag"
)

// Where the last rule that matches counts, a rule takes away what the rules before it set. What the owner's rules say
// that are read is a part of the decision, so ours are behind them. Of one that is not read nobody knows where it holds:
// it may match fewer files than its pattern shows, or depend on the request. Ours is behind it only if ours restricts
// all that it does. Otherwise ours is before it, and it has to restrict all that ours does: if it does not, the run
// ends with an error at its line, since in one of the two cases something would be lost.
//
// Apache has a third way: a line that is added replaces nothing, and crawlers obey both.

// atEnd is the place behind all rules of the owner's.
const atEnd = math.MaxInt

// A placement is where a rule of ours for a request path is written.
type placement struct {
	// before is the number of the owner's rule that follows ours, or atEnd.
	before int
	// onOwners is what it does to what the owner's lines before it set, on Apache.
	onOwners onOwners
}

// onOwners is what a rule of ours does to the lines that the owner's set before it.
type onOwners int

const (
	replacesOwners onOwners = iota // ours are in place of theirs
	addsToOwners                   // ours are sent beside theirs
)

// placements are those of the rules for all request paths, and obstacles the owner's rules that are not read and of
// which something would be lost, or that would take something of ours away.
type placements struct {
	at        map[string]placement
	obstacles map[string]*userRule
}

// at is the placement of the rule for a request path.
func (p *placements) placementAt(url string) placement {
	if at, ok := p.at[url]; ok {
		return at
	}
	return placement{before: atEnd}
}

// place finds the placements of the rules for X-Robots-Tag. Nearly always there is nothing to find: all is read.
func (c *compiler) findPlacements() placements {
	isUnread := func(r userRule) bool { return r.isUnread }
	p := placements{at: map[string]placement{}, obstacles: map[string]*userRule{}}
	place := c.draft.format.placeRules
	if c.isOther() || place == nil || !slices.ContainsFunc(c.user.views, func(v view) bool {
		return slices.ContainsFunc(v.rules, isUnread) || slices.ContainsFunc(v.outsideSections, isUnread)
	}) {
		return p
	}
	place(c, p)
	return p
}

// restricts reports whether a rule certainly restricts all that a value does, alone.
func (r *userRule) restricts(v value) bool {
	return !r.isVague && robotstag.Covers(r.sends.Text, v.String())
}

// isCovered reports whether a value certainly restricts all that a rule does.
func (r *userRule) isCovered(v value) bool {
	return !r.isVague && robotstag.Covers(v.String(), r.sends.Text)
}

// matching are the rules of a view that match a path, or may.
func (v *view) matching(path string) (rules []*userRule) {
	names := v.comparison.names(path)
	for i := range v.rules {
		if r := &v.rules[i]; r.matches == nil || slices.ContainsFunc(names, r.matches) {
			rules = append(rules, r)
		}
	}
	return rules
}

// placeInList places the rules of a list in which the last one that matches counts. All are in one place if the file
// has a block of ours, and at the end if one of them is for everything, which comes before the others.
func (h *ruleList) placeInList(c *compiler, p placements) {
	switch isOneBlock := h.format == "yaml"; {
	case c.everywhere != "":
		c.placeAll(p, atEnd)
	case isOneBlock:
		c.placeAll(p, c.bestPlace())
	default:
		for _, url := range c.paths {
			c.placeAt(p, url, c.placeFor(url))
		}
	}
}

// placeFor is where the rule for a request path restricts most: behind the last rule that is read, and behind each
// unread rule that restricts no more than ours.
func (c *compiler) placeFor(url string) (before int) {
	behind, wanted := 0, c.valueAt(url)
	for i := range c.user.views {
		for _, r := range c.user.views[i].matching(url) {
			if !r.isUnread {
				behind = max(behind, r.number+1)
			}
		}
	}
	before = atEnd
	for i := range c.user.views {
		for _, r := range c.user.views[i].matching(url) {
			if r.isUnread && r.number >= behind && !r.isCovered(wanted) {
				before = min(before, r.number)
			}
		}
	}
	return before
}

// bestPlace is the place at which the fewest rules lose something, the last of several.
func (c *compiler) bestPlace() int {
	var candidates []int
	for _, url := range c.paths {
		if c.ruleValue(url) != "" {
			candidates = append(candidates, c.placeFor(url))
		}
	}
	candidates = append(candidates, atEnd)
	slices.Sort(candidates)
	best, fewest := atEnd, math.MaxInt
	for _, before := range slices.Backward(slices.Compact(candidates)) {
		n := 0
		for _, url := range c.paths {
			if c.inConflict(url, before) != nil {
				n++
			}
		}
		if n < fewest {
			best, fewest = before, n
		}
	}
	return best
}

func (c *compiler) placeAll(p placements, before int) {
	for _, url := range c.paths {
		c.placeAt(p, url, before)
	}
}

// placeAt notes where the rule for a request path is, and what is lost there.
func (c *compiler) placeAt(p placements, url string, before int) {
	p.at[url] = placement{before: before}
	if r := c.inConflict(url, before); r != nil {
		p.obstacles[url] = r
	}
}

// inConflict returns a rule of the owner's that loosens ours, or that ours loosens, if it matches; nil for none.
func (c *compiler) inConflict(url string, before int) *userRule {
	wanted := c.valueAt(url)
	if wanted == "" {
		return nil
	}
	for i := range c.user.views {
		for _, r := range slices.Backward(c.user.views[i].matching(url)) {
			isBehind := r.number >= before
			if isBehind && !r.restricts(wanted) || !isBehind && r.isUnread && !r.isCovered(wanted) {
				return r
			} else if !r.isUnread {
				break // it takes away what is before it
			}
		}
	}
	return nil
}

// placeInHtaccess has the lines of a value added where the owner has lines outside of sections that are not read, and
// the value does not restrict all that they do. Where ours would loosen them, or they loosen ours, the file gets none of
// ours.
func placeInHtaccess(c *compiler, p placements) {
	v, met := &c.user.views[0], map[value]meeting{}
	for _, url := range c.paths {
		wanted := c.valueAt(url)
		if _, known := met[wanted]; !known && wanted != "" {
			met[wanted] = v.meets(wanted)
		}
		switch m := met[wanted]; {
		case m.always != nil:
			p.obstacles[url] = m.always
		case m.replaced == nil:
		case c.everywhere != "": // the line for everything replaces theirs
			p.obstacles[url] = m.replaced
		case m.loosened != nil:
			p.obstacles[url] = m.loosened
		default:
			p.at[url] = placement{before: atEnd, onOwners: addsToOwners}
		}
	}
}

// A meeting says what an unread line of the owner's and a value of ours do to each other. Each field is a line that
// does so, if its condition holds; nil if there is none.
type meeting struct {
	// replaced restricts more than the value, so that the value may not replace it.
	replaced *userRule
	// loosened may not be sent beside the value, because one of them loosens the other; always is, whatever we do.
	loosened, always *userRule
}

// meets returns what becomes of a value and the owner's lines, where any of those that are not read hold.
func (v *view) meets(ours value) (m meeting) {
	var unread []*userRule
	for i := range v.outsideSections {
		if r := &v.outsideSections[i]; r.isUnread {
			unread = append(unread, r)
		}
	}
	if n := len(unread); n == 0 {
		return m
	} else if n > mostUnread {
		return meeting{replaced: unread[n-1], loosened: unread[n-1]}
	}
	isLoosened := func(sent robotstag.Sent) bool {
		together := slices.Concat(sent, ours.sent()).String()
		return !robotstag.Covers(together, string(ours)) || !robotstag.Covers(together, sent.String())
	}
	for holding := range 1 << len(unread) {
		last, isVague := unread[0], false
		sent, always := v.setOutside(func(r *userRule) bool {
			i := slices.Index(unread, r)
			holds := holding>>i&1 == 1
			if holds {
				last, isVague = r, isVague || r.isVague
			}
			return holds
		})
		if isVague || !robotstag.Covers(string(ours), sent.String()) {
			m.replaced = last
		}
		if isLoosened(sent) {
			m.loosened = last
		}
		if isLoosened(always) {
			m.always = last
		}
	}
	return m
}

// mostUnread is of how many lines that are not read each combination is looked at.
const mostUnread = 8

// outside are the lines that the owner's lines outside of sections set, of those that are not read the ones that hold.
func (v *view) setOutside(holds func(r *userRule) bool) (sent, always robotstag.Sent) {
	for i := range v.outsideSections {
		switch r := &v.outsideSections[i]; {
		case r.isUnread && !holds(r):
		case r.isApart:
			always = r.after(always)
		default:
			sent = r.after(sent)
		}
	}
	return sent, always
}
