package robotstxt

import (
	"slices"
	"strings"

	"metarobots/policy"
)

// patterns finds those that match a path, among many, without trying each. A pattern that begins
// with enough text is found by its beginning. One with a star before most of its text, such as
// /*/print/, is found by the end of its longest text: a path that it matches has these octets
// somewhere.
type patterns struct {
	rules []rule
	begin policy.PrefixIndex
	parts map[string][]int // by octets that paths have, of so many of them as in partSizes
	sizes []int            // of these octets, without those that no pattern needs
}

// partSizes are how many octets of a text are looked for, the most first. Few numbers keep the
// places of a path few; many octets keep the patterns few that have them.
var partSizes = []int{12, 8, 5, 3, 2, 1}

func (p *patterns) add(pattern string) { p.addRule(newRule(&Line{}, pattern)) }

func (p *patterns) addRule(r rule) {
	i := len(p.rules)
	p.rules = append(p.rules, r)
	longest := slices.MaxFunc(r.parts, func(a, b string) int { return len(a) - len(b) })
	if len(r.parts[0]) >= len(longest) {
		p.begin.Add(r.parts[0], i)
		return
	}
	for _, n := range partSizes {
		if n > len(longest) {
			continue
		}
		if p.parts == nil {
			p.parts = map[string][]int{}
		}
		octets := longest[len(longest)-n:]
		p.parts[octets] = append(p.parts[octets], i)
		if !slices.Contains(p.sizes, n) {
			p.sizes = append(p.sizes, n)
		}
		return
	}
}

// matching are the numbers of those that match a path, each once and in any order.
func (p *patterns) matching(path string) []int {
	all := p.begin.Of(nil, path)
	for _, n := range p.sizes {
		for at := 0; at+n <= len(path); at++ {
			octets := path[at : at+n]
			if some := p.parts[octets]; some != nil && strings.Index(path, octets) == at {
				all = append(all, some...)
			}
		}
	}
	return slices.DeleteFunc(all, func(i int) bool { return !p.rules[i].matches(path) })
}
