package robotstxt

import (
	"slices"
	"strings"

	"metarobots/policy"
)

// An Opening is an owner's robots.txt that lets search engines read the noindex of a preview.
//
// A robots.txt such as this one is common on previews, and works against their noindex: who may not
// fetch a page never reads what it says, and Google indexes such a page by its links.
//
//	User-agent: *
//	Disallow: /
//
// Opened, the second line is "Disallow:", which keeps nobody out. Crawlers that fetch pages for AI
// do not heed noindex, so those that obeyed the rule obey it still: they get groups of ours.
// https://developers.google.com/search/docs/crawling-indexing/block-indexing
type Opening struct {
	// Text is the owner's text, in which the rules of Emptied have no value.
	Text []byte
	// Emptied are the rules against everything, as they were, that search engines obeyed.
	Emptied []Line
	// Groups keep out the crawlers of the known purposes that obeyed one of these rules. They are
	// to be merged into the text.
	Groups []Group
}

// Open opens an owner's robots.txt. Where nothing keeps search engines out of the whole host, the
// text is returned as it is. listed are crawlers for AI that the table of crawlers does not have.
func Open(existing []byte, listed ...*policy.Crawler) Opening {
	owner := Parse(existing)
	var o Opening
	copied, starts := 0, lineStarts(existing) // how much of the text o.Text has already
	for _, line := range owner.Lines {
		if !shutsSearchOut(&line) {
			continue
		}
		o.Emptied = append(o.Emptied, line)
		start, end := line.valueIn(existing, starts[line.Number-1])
		o.Text = append(append(o.Text, existing[copied:start]...), ':')
		copied = end
	}
	o.Text = append(o.Text, existing[copied:]...)
	o.Groups = owner.groupsForAI(o.Emptied, listed)
	return o
}

// shutsSearchOut reports whether a line is a rule that keeps a search engine, or everyone, from
// everything.
func shutsSearchOut(l *Line) bool {
	if l.Kind != Disallow || !slices.ContainsFunc(l.agents, heedsNoindex) {
		return false
	}
	return slices.ContainsFunc(rulesOf(l), func(r rule) bool { return r.matchesEverything() })
}

// heedsNoindex reports whether a token is * or that of a crawler that reads robots metas and is not
// for AI.
func heedsNoindex(token string) bool {
	if token == star {
		return true
	}
	c := policy.LookupCrawler(token)
	return c != nil && c.IsSearchEngines()
}

// groupsForAI are groups for the crawlers of the known purposes that obeyed one of some rules
// against everything, and for the listed ones: one for all crawlers with the same rules. It shuts
// them out as these rules did.
func (f *File) groupsForAI(emptied []Line, listed []*policy.Crawler) (groups []Group) {
	byRules := map[*ruleset]int{} // the index of the group
	for _, c := range slices.Concat(policy.AllCrawlers(), listed) {
		if c.Purpose == "" {
			continue
		}
		rules, _ := f.obeyedBy(c.Name)
		i, isKnown := byRules[rules]
		if !isKnown {
			i = len(groups)
			byRules[rules] = i
			groups = append(groups, rules.groupShutBy(emptied))
		}
		groups[i].Agents = append(groups[i].Agents, c.Token)
	}
	return slices.DeleteFunc(groups, func(g Group) bool { return len(g.Disallow) == 0 })
}

// groupShutBy returns a group, yet without agents, that shuts out whom these rules shut out by some
// lines against everything, which [Open] empties. It allows what the rules except from them. It is
// the zero Group, without a rule, if none of the lines is among the rules.
//
//	the rules                     the group
//	Disallow: /   Allow: /open/   Disallow: /   Allow: /open/
//	Disallow: /*  Allow: /        Disallow: /      the Allow is lighter, and excepts nothing
//
// The rest of the rules is not in it: [Merge] adds what the owner's text says. The rule for
// everything, "/", weighs least in it, so only those exceptions are in it that are no lighter than
// each of the lines.
func (s *ruleset) groupShutBy(emptied []Line) (g Group) {
	last, heaviest := s.shutBy(emptied)
	if last == nil {
		return g
	}
	g.Disallow = []Value{{Text: "/", Source: last.line.Source}}
	for _, r := range rulesWithPattern(s.rules) {
		if isException := r.isAllow && r.weight >= heaviest; isException {
			g.Allow = append(g.Allow, r.asPolicyHasIt()...)
		}
	}
	return g
}

// shutBy returns the last of the rules against everything that some lines state, nil if there is
// none, and the weight of the heaviest: an Allow that is no lighter makes an exception to all.
func (s *ruleset) shutBy(lines []Line) (last *rule, heaviest int) {
	for i := range s.rules {
		r := &s.rules[i]
		isOfRule := func(l Line) bool { return l.Number == r.line.Number }
		if r.matchesEverything() && slices.ContainsFunc(lines, isOfRule) {
			last, heaviest = r, max(heaviest, r.weight)
		}
	}
	return last, heaviest
}

// asPolicyHasIt is the pattern of a rule, one value, as a [Group] may have it: it begins with a
// slash. It is none if the rule matches no path.
func (r *rule) asPolicyHasIt() []Value {
	pattern := r.pattern
	if strings.HasPrefix(pattern, "*") {
		pattern = "/" + pattern // the same paths: each begins with a slash
	}
	if pattern[0] != '/' {
		return nil
	}
	return []Value{{Text: pattern, Source: r.line.Source}}
}

// lineStarts are the offsets at which the lines of a text begin, as [splitLines] counts them.
func lineStarts(text []byte) []int {
	starts := []int{0}
	for i, c := range text {
		isBeforeLF := i+1 < len(text) && text[i+1] == '\n'
		if c == '\n' || c == '\r' && !isBeforeLF {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// valueIn returns where the separator of a line begins and its value ends in the text of its file,
// in which the line begins at an offset.
func (l *Line) valueIn(text []byte, line int) (start, end int) {
	rest := string(text[line:])
	start = strings.Index(rest, l.Key) + len(l.Key) // a byte order mark may be before the key
	end = start + 1 + strings.Index(rest[start+1:], l.Value) + len(l.Value)
	return line + start, line + end
}
