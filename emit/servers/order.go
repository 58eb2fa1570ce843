package servers

import (
	"math"
	"slices"

	"metarobots/emit/robotstag"
)

// Where the last rule that matches counts, a rule takes away what the rules before it set. What the
// owner's rules say that are read is a part of the decision, so ours are behind them. Of one that
// is not read nobody knows where it holds: it may match fewer files than its pattern shows, or
// depend on the request. Ours is behind it only if ours restricts all that it does. Otherwise ours
// is before it, and it has to restrict all that ours does: if it does not, the run ends with an
// error at its line, since in one of the two cases something would be lost. An example, with a rule
// of the owner's that is for some hosts alone:
//
//	owner: noindex, if the host is x     decided: noindex, nosnippet     ours is behind it
//	owner: noindex, if the host is x     decided: nosnippet              neither covers the other: an error
//	owner: noindex, nofollow, if …       decided: noindex                ours is before it
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

// placements are those of the rules for all request paths: at by the path, and obstacles the
// owner's rules that are not read, by the path, if something would be lost of them, or of ours by
// them.
type placements struct {
	at        map[string]placement
	obstacles map[string]*userRule
}

// placementAt is the placement of the rule for a request path.
func (p *placements) placementAt(url string) placement {
	if at, ok := p.at[url]; ok {
		return at
	}
	return placement{before: atEnd}
}

// findPlacements finds the placements of the rules for X-Robots-Tag. Nearly always there is nothing
// to find, because all rules of the owner's are read.
func (c *compiler) findPlacements() placements {
	p := placements{at: map[string]placement{}, obstacles: map[string]*userRule{}}
	place := c.draft.format.placeRules
	if c.isOther() || place == nil || !slices.ContainsFunc(c.user.views, view.hasUnread) {
		return p
	}
	place(c, p)
	return p
}

// hasUnread reports whether some rule cannot be read.
func (v view) hasUnread() bool {
	isUnread := func(r userRule) bool { return r.isUnread }
	return slices.ContainsFunc(v.rules, isUnread) || slices.ContainsFunc(v.outsideSections, isUnread)
}

// restricts reports whether a rule certainly restricts all that a value does, alone.
func (r *userRule) restricts(v value) bool {
	return !r.isVague && robotstag.Covers(r.sends.Text, v.String())
}

// isCoveredBy reports whether a value certainly restricts all that a rule does.
func (r *userRule) isCoveredBy(v value) bool {
	return !r.isVague && robotstag.Covers(v.String(), r.sends.Text)
}

// placeInList places the rules of a list in which the last one that matches counts. All are in one
// place if the file has a block of ours, and at the end if one of them is for everything, which
// comes before the others.
func (h *ruleList) placeInList(c *compiler, p placements) {
	switch isOneBlock := h.file.format == "yaml"; {
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

// placeFor is the number of the owner's rule before which the rule for a request path restricts
// most: behind the last rule that is read, and behind each unread rule that restricts no more than
// ours.
func (c *compiler) placeFor(url string) (before int) {
	wanted := c.valueAt(url)
	afterRead := 0 // the first place behind all that is read
	for i := range c.user.views {
		for _, rule := range c.user.views[i].matching(url) {
			if !rule.isUnread {
				afterRead = max(afterRead, rule.number+1)
			}
		}
	}
	before = atEnd
	for i := range c.user.views {
		for _, rule := range c.user.views[i].matching(url) {
			if rule.isUnread && rule.number >= afterRead && !rule.isCoveredBy(wanted) {
				before = min(before, rule.number)
			}
		}
	}
	return before
}

// bestPlace is the place at which the fewest rules lose something, the last of several.
func (c *compiler) bestPlace() int {
	candidates := []int{atEnd}
	for _, url := range c.paths {
		if c.ruleValue(url) != "" {
			candidates = append(candidates, c.placeFor(url))
		}
	}
	slices.Sort(candidates)
	best, fewest := atEnd, math.MaxInt
	for _, before := range slices.Backward(slices.Compact(candidates)) {
		if n := c.conflictsAt(before); n < fewest {
			best, fewest = before, n
		}
	}
	return best
}

// conflictsAt counts the request paths for which something is lost if our rules are in one place.
func (c *compiler) conflictsAt(before int) (n int) {
	for _, url := range c.paths {
		if c.inConflict(url, before) != nil {
			n++
		}
	}
	return n
}

// placeAll places the rules for all request paths in one place.
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

// inConflict returns a rule of the owner's that loosens ours, or that ours loosens, if it matches;
// nil for none.
func (c *compiler) inConflict(url string, before int) *userRule {
	wanted := c.valueAt(url)
	if wanted == "" {
		return nil
	}
	for i := range c.user.views {
		if rule := c.user.views[i].inConflict(url, wanted, before); rule != nil {
			return rule
		}
	}
	return nil
}

// inConflict is that of [compiler] in one view, for a value.
func (v *view) inConflict(url string, wanted value, before int) *userRule {
	for _, rule := range slices.Backward(v.matching(url)) {
		isBehindOurs := rule.number >= before
		loosensOurs := isBehindOurs && !rule.restricts(wanted)
		isLoosened := !isBehindOurs && rule.isUnread && !rule.isCoveredBy(wanted)
		if loosensOurs || isLoosened {
			return rule
		}
		if !rule.isUnread {
			return nil // it takes away what is before it
		}
	}
	return nil
}

// placeInHtaccess has the lines of a value added if the owner has lines outside of sections that
// are not read, and the value does not restrict all that they do. If ours would loosen them, or
// they loosen ours, the file gets none of ours.
func placeInHtaccess(c *compiler, p placements) {
	v, met := &c.user.views[0], map[value]meeting{}
	for _, url := range c.paths {
		wanted := c.valueAt(url)
		if _, known := met[wanted]; !known && wanted != "" {
			met[wanted] = v.meetingWith(wanted)
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

// A meeting says what unread lines of the owner's and a value of ours do to each other. Each field
// is a line that does so, if its condition holds; nil if there is none.
type meeting struct {
	// replaced restricts more than the value, so that the value may not replace it.
	replaced *userRule
	// loosened may not be sent beside the value, because one of them loosens the other.
	loosened *userRule
	// always is sent beside the value whatever we do, and one of them loosens the other.
	always *userRule
}

// meetingWith returns what becomes of a value and the owner's lines. Those that cannot be read hold
// or do not hold, and it tries each case: with two of them four.
func (v *view) meetingWith(ours value) (m meeting) {
	var unread []*userRule
	for i := range v.outsideSections {
		if rule := &v.outsideSections[i]; rule.isUnread {
			unread = append(unread, rule)
		}
	}
	if len(unread) == 0 {
		return meeting{}
	}
	if last := unread[len(unread)-1]; len(unread) > mostUnread {
		return meeting{replaced: last, loosened: last} // too many cases: nothing is known
	}
	for set := range 1 << len(unread) {
		holding := make(map[*userRule]bool)
		for i, rule := range unread {
			holding[rule] = set>>i&1 == 1
		}
		m.note(v.caseOf(unread, holding), ours)
	}
	return m
}

// heldLines is what the owner's lines outside of sections set in one case.
type heldLines struct {
	sent, apart robotstag.Sent
	// last is the last of the unread lines that hold, or the first one if none does; isVague says
	// that nobody knows what one of them sends.
	last    *userRule
	isVague bool
}

// caseOf is what the owner's lines set if, of the unread ones, those hold that are said to.
func (v *view) caseOf(unread []*userRule, holding map[*userRule]bool) heldLines {
	held := heldLines{last: unread[0]}
	for _, rule := range unread {
		if holding[rule] {
			held.last, held.isVague = rule, held.isVague || rule.isVague
		}
	}
	for i := range v.outsideSections {
		switch rule := &v.outsideSections[i]; {
		case rule.isUnread && !holding[rule]:
		case rule.isApart:
			held.apart = rule.linesAfter(held.apart)
		default:
			held.sent = rule.linesAfter(held.sent)
		}
	}
	return held
}

// note adds to a meeting what becomes of a value in one case.
func (m *meeting) note(held heldLines, ours value) {
	if held.isVague || !robotstag.Covers(string(ours), held.sent.String()) {
		m.replaced = held.last
	}
	if ours.loosensBeside(held.sent) {
		m.loosened = held.last
	}
	if ours.loosensBeside(held.apart) {
		m.always = held.last
	}
}

// loosensBeside reports whether the value and some lines, sent beside each other, restrict less
// than one of them does alone.
func (v value) loosensBeside(lines robotstag.Sent) bool {
	together := slices.Concat(lines, v.sent()).String()
	return !robotstag.Covers(together, string(v)) || !robotstag.Covers(together, lines.String())
}

// mostUnread is up to how many unread lines each case is tried: of 8 there are 256.
const mostUnread = 8
