package robotstxt

import (
	"cmp"
	"encoding/binary"
	"slices"

	"metarobots/policy"
)

// # Comparing two files
//
// Two files of 500 KiB, twenty thousand pages and seventy crawlers are some three million questions
// to each. Few of them differ:
//
//   - Crawlers that obey the same rules, in either file, are one class. A class whose rules are the
//     same in both files gets the same answers, whatever the lines, their order and their spelling.
//   - Of the rules of all classes each is compared once with a path: what matches a path is known
//     then for all classes. Paths that the same rules match get the same answers.
//   - Of the rules that match, the first by weight that a class has decides for the class.

// A Question is what two files are asked about: a path, as [File.Ask] takes it, of the earlier
// file, and of the new one.
type Question struct{ Was, Is string }

// A Difference is that some crawlers may fetch pages by one file, and not by the other.
type Difference struct {
	Crawlers []string // that obey the same rules
	Pages    []int    // the numbers of the questions, in their order
	// Allowed: they may fetch the pages now.
	Allowed bool
	// Gone: the rule is of the earlier file, and did not let them fetch the pages. Otherwise it is
	// of the new file: it is why they may, or why they may not. An Allow that the earlier file has
	// too is not why they may.
	Gone bool
	// Access is what the file of the rule answers to each of the crawlers, in their order.
	Access []Access
}

// Crawlers are those of the table and those that files name besides, as a file spells them; last is
// "*" for every other one. The groups of signals have no crawlers.
func Crawlers(files ...*File) (names []string) {
	names = tokens(func(*policy.Crawler) bool { return true })
	isKnown := map[string]bool{}
	for _, f := range files {
		if f == nil {
			continue
		}
		for _, token := range f.tokens {
			if token == star || policy.LookupCrawler(token) != nil || isShared(token) ||
				isKnown[token] {
				continue
			}
			isKnown[token] = true
			names = append(names, f.spelled(token)...)
		}
	}
	return append(names, star)
}

// Compare says which of some crawlers may fetch pages now that they might not fetch before, and the
// other way round: for the commands that compare two snapshots, or a plan with one. Nil is a file
// that disallows nothing. A difference has all pages at which one class of crawlers turned by one
// rule; differences are in the order of their first pages. For the page /x, with rules of *:
//
//	was             is                          the difference
//	Disallow: /x    Disallow:                   Allowed, Gone: Disallow: /x let nobody fetch it
//	Disallow: /     Disallow: /   Allow: /x     Allowed, by Allow: /x
//	Disallow:       Disallow: /x                not Allowed, by Disallow: /x
//	Disallow: /x    Disallow: /                 none: nobody might fetch it, and nobody may
func Compare(was, is *File, crawlers []string, pages []Question) (all []Difference) {
	c := newComparison(was, is, crawlers)
	numberOf := map[turn]int{} // of the difference in all that has a turn
	for n, page := range pages {
		for _, t := range c.turnsAt(page) {
			number, isFound := numberOf[t]
			if !isFound {
				number = len(all)
				numberOf[t], all = number, append(all, c.differenceOf(t))
			}
			all[number].Pages = append(all[number].Pages, n)
		}
	}
	return all
}

// turnsAt returns the turns about a page, which are those of each page that the same rules match.
// It is none of a page at the same path if every class has the same rules then and now.
func (c *comparison) turnsAt(page Question) []turn {
	hasMoved := page.Was != page.Is
	if !hasMoved && !c.differs {
		return nil
	}
	before := c.matching(page.Was)
	now := before
	if hasMoved {
		now = c.matching(page.Is)
	}
	key := keyOf(before, now)
	turns, isKnown := c.turnsOf[key]
	if !isKnown {
		turns = c.findTurns(before, now)
		c.turnsOf[key] = turns
	}
	return turns
}

// noRule is the number of a rule that is not there.
const noRule = -1

// A comparison is of two files, and of the rules of both that some crawlers obey. A rule has one
// number for all files and crawlers, by what it says: "Disallow: /a" of both files is one rule.
type comparison struct {
	rules   patterns       // by their numbers
	ids     map[string]int // the numbers of rules, by what they say
	ranks   []int          // the places of rules in the order in which they win, by their numbers
	classes []*class
	// membersBy are the numbered rules of each group that a crawler obeys.
	membersBy map[*ruleset]*members
	// differs says that some class has other rules in one file than in the other.
	differs bool
	// wasStated are the numbers of the rules of the earlier file, for whichever crawler.
	wasStated map[int]bool
	// turnsOf are the turns that are known, by the key of the rules that match a page then and now.
	turnsOf map[string][]turn
}

// members are the rules of the groups that a crawler obeys, without those that say nothing.
type members struct {
	ids       []int         // sorted, each once
	hasRule   []bool        // by their numbers
	firstRule map[int]*rule // in the order of the file
}

// A class are crawlers that obey the same rules, then and now. Of each pair, the first is then.
type class struct {
	crawlers []string
	sets     [2][]*ruleset // what each of the crawlers obeys, with its own lines
	rules    [2]*members   // what that says, which is the same of all
}

// A turn is that a class may fetch a page now, or may no longer: a [Difference] without pages.
type turn struct {
	class   int  // its number
	allowed bool // it may now
	rule    int  // the number of the rule that decides; noRule if none does
	gone    bool // that rule is of the earlier file
}

// newComparison puts crawlers that obey the same rules, then and now, into one class, which is
// compared once. Either file may be nil, which disallows nothing. It sets all that a comparison has
// except turnsOf, which grows as pages are asked about. With
//
//	was   User-agent: *  Disallow: /a
//	is    User-agent: *  Disallow: /a     User-agent: GPTBot  Disallow: /
//
// GPTBot is a class: rule 0 then, rule 1 now. Who obeys * is another class: rule 0 then and now.
func newComparison(was, is *File, crawlers []string) *comparison {
	c := &comparison{ids: map[string]int{}, membersBy: map[*ruleset]*members{},
		wasStated: map[int]bool{}, turnsOf: map[string][]turn{}}
	classBy := map[string]*class{} // by the key of its rules then and now
	for _, crawler := range crawlers {
		before, now := was.obeyedInFile(crawler), is.obeyedInFile(crawler)
		then, today := c.membersOf(before), c.membersOf(now)
		for _, id := range then.ids {
			c.wasStated[id] = true
		}
		key := keyOf(then.ids, today.ids)
		its := classBy[key]
		if its == nil {
			its = &class{rules: [2]*members{then, today}}
			classBy[key], c.classes = its, append(c.classes, its)
			c.differs = c.differs || !slices.Equal(then.ids, today.ids)
		}
		its.crawlers = append(its.crawlers, crawler)
		its.sets[0], its.sets[1] = append(its.sets[0], before), append(its.sets[1], now)
	}
	c.rankRules()
	return c
}

// obeyedInFile is [File.obeyedBy] of a file that may be nil: that has no rules.
func (f *File) obeyedInFile(crawler string) *ruleset {
	if f == nil {
		return noRules
	}
	set, _ := f.obeyedBy(crawler)
	return set
}

// noRules are the rules of a file that is not there.
var noRules = &ruleset{}

// membersOf gives the rules of a group their numbers, and returns them: those that say something.
// Of a group that it is asked about again it returns the same.
func (c *comparison) membersOf(set *ruleset) *members {
	if m := c.membersBy[set]; m != nil {
		return m
	}
	m := &members{firstRule: map[int]*rule{}}
	for i := range set.rules {
		r := &set.rules[i]
		if r.pattern == "" {
			continue
		}
		says := string(Disallow) + r.pattern
		if r.isAllow {
			says = string(Allow) + r.pattern
		}
		id, known := c.ids[says]
		if !known {
			id = len(c.ids)
			c.ids[says] = id
			c.rules.addRule(*r)
		}
		if m.firstRule[id] == nil {
			m.firstRule[id], m.ids = r, append(m.ids, id)
		}
	}
	slices.Sort(m.ids)
	c.membersBy[set] = m
	return m
}

// rankRules sets the order in which all rules win (ranks), the longer one, then Allow, and which
// rules the members have (hasRule). All rules have their numbers by then.
func (c *comparison) rankRules() {
	order := make([]int, len(c.rules.rules))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return compareByWeight(&c.rules.rules[i], &c.rules.rules[j])
	})
	c.ranks = make([]int, len(order))
	for place, i := range order {
		c.ranks[i] = place
	}
	for _, m := range c.membersBy {
		m.hasRule = make([]bool, len(order))
		for _, id := range m.ids {
			m.hasRule[id] = true
		}
	}
}

// matching are the rules that match a path, those that win first.
func (c *comparison) matching(path string) []int {
	ids := c.rules.matching(path)
	slices.SortFunc(ids, func(i, j int) int { return cmp.Compare(c.ranks[i], c.ranks[j]) })
	return ids
}

// keyOf is equal for pairs of lists that have the same numbers of rules, and for no others: those
// that match a page then and now, or those that a crawler obeys.
func keyOf(then, now []int) string {
	var key []byte
	for _, ids := range [][]int{then, now} {
		for _, id := range ids {
			key = binary.AppendUvarint(key, uint64(id+1))
		}
		key = append(key, 0)
	}
	return string(key)
}

// findTurns returns the turns about a page, one for each class that gets another answer now, by the
// rules that match the page then and now, in the order in which they win.
func (c *comparison) findTurns(then, now []int) (all []turn) {
	for i, class := range c.classes {
		was, wasAllowed := c.decidingRule(class.rules[0], then)
		is, isAllowed := c.decidingRule(class.rules[1], now)
		switch {
		case wasAllowed == isAllowed: // as nearly always
		case !isAllowed:
			all = append(all, turn{class: i, rule: is})
		case is != noRule && !c.wasStated[is]: // a new Allow lets it
			all = append(all, turn{class: i, allowed: true, rule: is})
		default: // the rule that did not let it is gone
			all = append(all, turn{class: i, allowed: true, rule: was, gone: true})
		}
	}
	return all
}

// decidingRule returns which of some rules, those that win first, decides for a crawler with these
// members, or noRule, and whether the crawler may fetch the page then. Of several that weigh the
// same, it is the first in the crawler's file: the rules of all classes are in the order of another
// one's.
func (c *comparison) decidingRule(m *members, matching []int) (id int, allowed bool) {
	id = noRule
	for _, other := range matching {
		switch {
		case !m.hasRule[other]: // the crawler does not obey it
		case id == noRule:
			id = other
		case len(m.firstRule[other].pattern) < len(m.firstRule[id].pattern):
			return id, c.rules.rules[id].isAllow // those that follow weigh less
		case compareByWeight(m.firstRule[other], m.firstRule[id]) < 0:
			id = other
		}
	}
	return id, id == noRule || c.rules.rules[id].isAllow
}

// differenceOf makes a Difference of a turn, without its pages.
func (c *comparison) differenceOf(t turn) Difference {
	of, side := c.classes[t.class], 1
	if t.gone {
		side = 0
	}
	d := Difference{Crawlers: of.crawlers, Allowed: t.allowed, Gone: t.gone}
	for i := range of.crawlers {
		d.Access = append(d.Access, accessBy(c.membersBy[of.sets[side][i]].firstRule[t.rule]))
	}
	return d
}
