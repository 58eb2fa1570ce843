package seen

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
	"strings"
)

// A theme's robots.txt may change for dozens of crawlers by hundreds of lines. Two steps make a few
// changes of that:
//
// First, crawlers are one change if the same rule is the cause for the same pages, whatever its
// line:
//
//	User-agent: GPTBot          CCBot and GPTBot may no longer fetch /a/b: robots.txt:2 and 1 more line
//	Disallow: /a/               (Disallow: /a/)
//	User-agent: CCBot
//	Disallow: /a/
//
// Then, causes are one change if one author has more than mostCauses of them for the same crawlers:
//
//	User-agent: *               every crawler may no longer fetch /p0/ and 41 more URLs: robots.txt:2 and 20 more
//	Disallow: /p0/              lines (Disallow: /p0/)
//	…
//	Disallow: /p20/

// mostCauses is how many causes of one author are named one by one.
const mostCauses = 20

// A fetchAuthor is who states rules that allow pages, or that do not: the fields of a [FetchChange]
// of these names.
type fetchAuthor struct {
	allowed, gone               bool
	file, from, managed, answer string
}

// authorOf is the author of the rule of a change.
func authorOf(c *FetchChange) fetchAuthor {
	return fetchAuthor{c.Allowed, c.Gone, c.File, c.From, c.Managed, c.Answer}
}

// A fetchKey is what crawlers of one group have in common: an author, the text of a rule, and the
// numbers of its pages.
type fetchKey struct {
	author      fetchAuthor
	rule, pages string
}

// A fetchGroup is a change in the making: its crawlers are complete, its URLs and More are not
// there yet.
type fetchGroup struct {
	change FetchChange
	pages  []int        // indexes of pages
	lines  map[int]bool // the lines that are the cause
}

// fetchGroups gathers crawlers into groups: the first of the two steps.
type fetchGroups struct {
	list  []*fetchGroup // in the order in which they came
	byKey map[fetchKey]*fetchGroup
}

// add adds a crawler for which a change is true of some pages.
func (g *fetchGroups) add(c FetchChange, crawler string, pages []int) {
	var numbers []byte
	for _, page := range pages {
		numbers = binary.AppendUvarint(numbers, uint64(page))
	}
	key := fetchKey{authorOf(&c), c.Rule, string(numbers)}
	group := g.byKey[key]
	if group == nil {
		group = &fetchGroup{change: c, pages: pages, lines: map[int]bool{}}
		g.byKey[key], g.list = group, append(g.list, group)
	}
	group.addLine(&c)
	group.change.Crawlers = append(group.change.Crawlers, crawler)
}

// addLine adds the line of a change to those that are the cause. The first line of the file is the
// one that is named.
func (g *fetchGroup) addLine(c *FetchChange) {
	if c.Line < g.change.Line {
		g.change.Rule, g.change.Line, g.change.At = c.Rule, c.Line, c.At
	}
	g.lines[c.Line] = true
}

// addCause makes of g what is true of both: g, and another group of the same author and crawlers.
func (g *fetchGroup) addCause(other *fetchGroup) {
	g.addLine(&other.change)
	for line := range other.lines {
		g.lines[line] = true
	}
	g.pages = append(slices.Clip(g.pages), other.pages...) // groups may share the array of their pages
}

// changes are the groups, after the second step, with the URLs of their pages. What is disallowed
// is first.
func (g *fetchGroups) changes(pages []Asked) (all []FetchChange) {
	for _, group := range g.withFewCauses() {
		all = append(all, group.finished(pages))
	}
	sort.SliceStable(all, func(i, j int) bool { // what is no longer allowed comes first
		a, b := &all[i], &all[j]
		if a.Allowed != b.Allowed {
			return b.Allowed
		}
		return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line) < 0
	})
	return all
}

// withFewCauses merges the groups of an author that has more than [mostCauses] for the same
// crawlers. It changes groups.
func (g *fetchGroups) withFewCauses() (groups []*fetchGroup) {
	type audience struct {
		author   fetchAuthor
		crawlers string
	}
	audienceOf := func(group *fetchGroup) audience {
		return audience{authorOf(&group.change), strings.Join(group.change.Crawlers, " ")}
	}
	causes := map[audience]int{}
	for _, group := range g.list {
		causes[audienceOf(group)]++
	}
	first := map[audience]*fetchGroup{}
	for _, group := range g.list {
		of := audienceOf(group)
		if causes[of] > mostCauses && first[of] != nil {
			first[of].addCause(group)
			continue
		}
		first[of] = group
		groups = append(groups, group)
	}
	return groups
}

// finished is the change of a group, with its crawlers in order, its URLs, and how many more lines
// are the cause.
func (g *fetchGroup) finished(pages []Asked) FetchChange {
	c := g.change
	slices.SortFunc(c.Crawlers, func(a, b string) int { // "*", every other one, is last
		return cmp.Or(strings.Count(a, "*")-strings.Count(b, "*"),
			strings.Compare(strings.ToLower(a), strings.ToLower(b)))
	})
	slices.Sort(g.pages)
	for _, page := range slices.Compact(g.pages) {
		c.URLs = append(c.URLs, pages[page].URL)
	}
	c.URLs, c.More = slices.Compact(c.URLs), len(g.lines)-1
	return c
}
