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
	// of the new file: it is why they may, or why they may not.
	Gone bool
	// Access is what the file of the rule answers to each of the crawlers, in their order.
	Access []Access
}

// Crawlers are those of the table and those that files name besides, as a file spells them; last is "*"
// for every other one. The groups of signals have no crawlers.
func Crawlers(files ...*File) (names []string) {
	names = tokens(func(*policy.Crawler) bool { return true })
	isKnown := map[string]bool{}
	for _, f := range files {
		if f == nil {
			continue
		}
		for _, token := range f.tokens {
			if token == star || policy.LookupCrawler(token) != nil || isShared(token) || isKnown[token] {
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
// rule.
func Compare(was, is *File, crawlers []string, pages []Question) (all []Difference) {
	c := newComparison(was, is, crawlers)
	turnsOf := map[string][]turn{} // by the rules that match a page then and now
	differenceOf := map[turn]int{} // its number in all
	for n, page := range pages {
		hasMoved := page.Was != page.Is
		if !hasMoved && !c.differs {
			continue
		}
		before := c.matching(page.Was)
		now := before
		if hasMoved {
			now = c.matching(page.Is)
		}
		matching := [2][]int{before, now}
		key := keyOf(matching)
		turns, isKnown := turnsOf[key]
		if !isKnown {
			turns = c.turns(matching)
			turnsOf[key] = turns
		}
		for _, t := range turns {
			at, isFound := differenceOf[t]
			if !isFound {
				at = len(all)
				differenceOf[t], all = at, append(all, c.difference(t))
			}
			all[at].Pages = append(all[at].Pages, n)
		}
	}
	return all
}

// A comparison is of two files, and of the rules of both that some crawlers obey.
type comparison struct {
	rules   patterns
	ids     map[string]int // the numbers of rules, by what they say
	weights []int          // the places of rules in the order in which they win
	obeyed  map[*ruleset]*members
	classes []*class
	differs bool // the two files, for a class
}

// members are the rules of the groups that a crawler obeys, without those that say nothing.
type members struct {
	ids   []int         // sorted, each once
	has   []bool        // by their numbers
	first map[int]*rule // in the order of the file
}

// A class are crawlers that obey the same rules, then and now.
type class struct {
	crawlers []string
	sets     [2][]*ruleset // of each crawler
	rules    [2]*members
}

// A turn is that a class may fetch a page now, or may no longer: a [Difference] without pages.
type turn struct {
	class   int  // its number
	allowed bool // it may now
	rule    int  // the number of the rule that decides; -1 for none
	gone    bool // that rule is of the earlier file
}

// newComparison puts crawlers that obey the same rules, then and now, into one class, which is
// compared once.
func newComparison(was, is *File, crawlers []string) *comparison {
	c := &comparison{ids: map[string]int{}, obeyed: map[*ruleset]*members{}}
	byRules := map[string]*class{}
	for _, crawler := range crawlers {
		var sets [2]*ruleset
		var key []byte
		for i, f := range []*File{was, is} {
			if sets[i] = nobody; f != nil {
				sets[i], _ = f.obeyed(crawler)
			}
			for _, id := range c.membersOf(sets[i]).ids {
				key = binary.AppendUvarint(key, uint64(id+1))
			}
			key = append(key, 0)
		}
		of := byRules[string(key)]
		if of == nil {
			of = &class{rules: [2]*members{c.obeyed[sets[0]], c.obeyed[sets[1]]}}
			byRules[string(key)], c.classes = of, append(c.classes, of)
			c.differs = c.differs || !slices.Equal(of.rules[0].ids, of.rules[1].ids)
		}
		of.crawlers = append(of.crawlers, crawler)
		for i := range sets {
			of.sets[i] = append(of.sets[i], sets[i])
		}
	}
	c.weigh()
	return c
}

// nobody are the rules of a file that is not there.
var nobody = &ruleset{}

// membersOf numbers the rules of a group.
func (c *comparison) membersOf(set *ruleset) *members {
	if m := c.obeyed[set]; m != nil {
		return m
	}
	m := &members{first: map[int]*rule{}}
	for i := range set.rules {
		r := &set.rules[i]
		if r.pattern == "" {
			continue
		}
		says := string(Disallow) + r.pattern
		if r.allow {
			says = string(Allow) + r.pattern
		}
		id, known := c.ids[says]
		if !known {
			id = len(c.ids)
			c.ids[says] = id
			c.rules.addRule(*r)
		}
		if m.first[id] == nil {
			m.first[id], m.ids = r, append(m.ids, id)
		}
	}
	slices.Sort(m.ids)
	c.obeyed[set] = m
	return m
}

// weigh sets the order in which all rules win: the longer one, then Allow.
func (c *comparison) weigh() {
	order := make([]int, len(c.rules.rules))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return weigh(&c.rules.rules[i], &c.rules.rules[j]) })
	c.weights = make([]int, len(order))
	for place, i := range order {
		c.weights[i] = place
	}
	for _, m := range c.obeyed {
		m.has = make([]bool, len(order))
		for _, id := range m.ids {
			m.has[id] = true
		}
	}
}

// matching are the rules that match a path, those that win first.
func (c *comparison) matching(path string) []int {
	ids := c.rules.matching(path)
	slices.SortFunc(ids, func(i, j int) int { return cmp.Compare(c.weights[i], c.weights[j]) })
	return ids
}

// keyOf is equal for pages that the same rules match.
func keyOf(matching [2][]int) string {
	var key []byte
	for _, ids := range matching {
		for _, id := range ids {
			key = binary.AppendUvarint(key, uint64(id+1))
		}
		key = append(key, 0)
	}
	return string(key)
}

// turns are the classes that get another answer about a page now.
func (c *comparison) turns(matching [2][]int) (all []turn) {
	for i, of := range c.classes {
		was, before := c.decide(of.rules[0], matching[0])
		is, after := c.decide(of.rules[1], matching[1])
		switch {
		case before == after:
		case !after:
			all = append(all, turn{class: i, rule: is})
		case is >= 0: // an Allow lets it
			all = append(all, turn{class: i, allowed: true, rule: is})
		default:
			all = append(all, turn{class: i, allowed: true, rule: was, gone: true})
		}
	}
	return all
}

// decide returns which of some rules decides for a crawler, or -1. Of several that weigh the same,
// it is the first in the crawler's file: the rules of all classes are in the order of another
// one's.
func (c *comparison) decide(m *members, matching []int) (id int, allowed bool) {
	id = -1
	for _, other := range matching {
		switch {
		case !m.has[other]:
		case id < 0:
			id = other
		case len(m.first[other].pattern) < len(m.first[id].pattern):
			return id, c.rules.rules[id].allow // those that follow weigh less
		case weigh(m.first[other], m.first[id]) < 0:
			id = other
		}
	}
	return id, id < 0 || c.rules.rules[id].allow
}

// difference is a turn without its pages.
func (c *comparison) difference(t turn) Difference {
	of, side := c.classes[t.class], 1
	if t.gone {
		side = 0
	}
	d := Difference{Crawlers: of.crawlers, Allowed: t.allowed, Gone: t.gone}
	for i := range of.crawlers {
		d.Access = append(d.Access, access(c.obeyed[of.sets[side][i]].first[t.rule]))
	}
	return d
}
