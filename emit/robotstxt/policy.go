package robotstxt

import (
	"slices"
	"strconv"
	"strings"

	"metarobots/policy"
)

// Policy is what a configuration states. The zero value states nothing.
type Policy struct {
	// Groups are rules for crawlers.
	Groups []Group
	// Block names purposes whose crawlers may fetch nothing.
	Block []policy.Purpose
	// Sitemaps are whole URLs.
	Sitemaps []string

	carriers []string // of what is stated of AI
	licenses []string // whole URLs
}

// Group is what the policy states for some crawlers. Groups of one crawler add up, and repeat what holds for the
// crawler without them.
type Group struct {
	// Agents are product tokens, or "*" for crawlers without a group; none means "*".
	Agents []string
	// Allow and Disallow are patterns of paths: * stands for any text, a final $ for the end. They are
	// percent-encoded where they need it. An Allow makes an exception to a Disallow of the policy; it never loosens
	// what the owner's file says.
	Allow, Disallow []string
	// CrawlDelay is in seconds; 0 states none. Google does not read it.
	CrawlDelay float64
	// CleanParam are values of Clean-param, which Yandex reads, as they stand.
	CleanParam []string
	// ContentSignal is such as "search=yes, ai-train=no"; empty states none.
	ContentSignal string
	// ContentUsage are such as "train-ai=n" or "/blog/ train-ai=y".
	ContentUsage []string
	// Standalone groups repeat nothing: their crawlers do not obey the rules of "*", neither the policy's nor the
	// file's. It holds where all groups of a crawler say so.
	Standalone bool
}

// agents returns the names, or * where there are none.
func (g *Group) agents() []string {
	if len(g.Agents) == 0 {
		return []string{star}
	}
	return g.Agents
}

// Check returns what cannot be written, as errors, and what would not do what it seems to.
func (p *Policy) Check() []policy.Finding {
	var all findings
	if slices.Contains(p.carriers, usageLines) || slices.Contains(p.carriers, rsl) {
		all.add("robotstxt-lighthouse", policy.Note, 0, "Lighthouse's robots.txt audit refuses lines of Content-Usage "+
			"and License; the headers Content-Usage and Link do not have that cost")
	}
	for i := range p.Groups {
		p.Groups[i].check(&all)
	}
	free := tokens(func(c *policy.Crawler) bool { return c.MayIgnore && slices.Contains(p.Block, c.Purpose) })
	if free != nil {
		all.add("robotstxt-may-ignore", policy.Note, 0, "robots.txt may not keep out %s. To keep them out, block "+
			"them on the server", strings.Join(free, ", "))
	}
	checkTexts(slices.Concat(fields("Sitemap", p.Sitemaps), fields("License", p.licenses)), &all)
	return all
}

// checkTexts checks lines that are to be written: they have to read back as they were meant.
func checkTexts(lines []string, all *findings) {
	for _, text := range lines {
		read := splitLines([]byte(text))
		if len(read) != 1 || read[0].String() != text {
			all.fail("robotstxt-policy", "%q cannot stand in a line of robots.txt: # begins a comment, and in a path it is "+
				"written %%23", clip(text))
			continue
		}
		read[0].checkValue(func(id, message string, broken bool) {
			switch {
			case message == "":
			case !broken:
				all.warn(id, 0, "%s: %s", clip(text), message)
			case read[0].vocabulary() != nil:
				all.fail(id, "%s: %s", clip(text), message)
			default:
				all.fail("robotstxt-policy", "%s: %s", clip(text), message)
			}
		})
	}
}

func (g *Group) check(all *findings) {
	if g.Standalone && slices.Contains(g.agents(), star) {
		all.warn("robotstxt-policy", 0, "standalone = true lifts the rules of * for the crawlers that a group names; a "+
			"group for every crawler has nothing to lift")
	}
	for _, a := range g.agents() {
		token := productToken(a)
		name := splitLines([]byte(field("User-agent", a)))
		switch {
		case slices.Contains(policy.Purposes, policy.Purpose(a)):
			all.fail("robotstxt-policy", "%q is a purpose and no crawler: block = [%q] keeps out all crawlers of that "+
				"purpose", a, a)
		case a == star:
		case token == "" || len(name) != 1 || name[0].Value != a || strings.ContainsAny(a, " \t"):
			all.fail("robotstxt-policy", "%q is not a crawler's name: letters, hyphen, underscore", a)
		case token != a:
			all.warn("robotstxt-agent", 0, "%q is not a product token of RFC 9309: crawlers may read it up to the "+
				"first other character, as %s", a, token)
		case policy.LookupFormer(a) != nil:
			all.add("robotstxt-former-crawler", policy.Note, 0, "%s", formerText([]*policy.FormerCrawler{policy.LookupFormer(a)}))
		case policy.LookupCrawler(a) == nil:
			if hint := policy.DidYouMean(a, tokens(func(*policy.Crawler) bool { return true })); hint != "" {
				all.warn("robotstxt-agent", 0, "no crawler is known that is called %q%s", a, hint)
			}
		}
	}
	if !(g.CrawlDelay >= 0 && g.CrawlDelay <= 1e6) {
		all.fail("robotstxt-policy", "Crawl-delay: %v is not a number of seconds", g.CrawlDelay)
	}
	checkTexts(g.lines(), all)
}

// tokens are those of some of the known crawlers.
func tokens(of func(*policy.Crawler) bool) (names []string) {
	for _, c := range policy.AllCrawlers() {
		if of(c) {
			names = append(names, c.Token)
		}
	}
	return names
}

// Text returns the policy as a robots.txt of its own, the same bytes each time: what holds for everyone, a group for
// each crawler with more, the sitemaps. It wants a policy whose Check finds no error.
func (p *Policy) Text() []byte {
	text, _ := p.text(&File{})
	return text
}

// text is Text beside an owner's file. Its findings are about what of a group gives way to what holds for its crawler
// without it.
func (p *Policy) text(owner *File) ([]byte, []policy.Finding) {
	var s sheet
	m := merger{owner: &File{}}
	alone, linesOf := p.Standalone(), map[string][]string{}
	sections := p.sections(owner)
	for _, g := range sections {
		token := tokenOf(g.name)
		lines, ok := linesOf[token]
		for next := token; !ok && !alone[token] && next != star && next != ""; {
			next = nextGroup(next)
			if lines, ok = linesOf[next]; ok && alone[next] && isEngine(token) {
				lines = stricter(linesOf[star], lines)
			}
		}
		linesOf[token] = m.combine(token, rulesIn(lines), rulesIn(g.lines), true)
	}
	for _, g := range sections {
		s.addGroup(linesOf[tokenOf(g.name)], g.name)
	}
	all := m.found.findings()
	for i := range all {
		f := &all[i]
		if f.Line = 0; f.ID == "robotstxt-left-out" {
			f.Message += "; a group with standalone = true does not obey *"
		}
	}
	s.addLines(fields("Sitemap", p.Sitemaps)...)
	s.addLines(fields("License", p.licenses)...)
	return []byte(strings.Join(append(s.lines(), ""), "\n")), all
}

// rulesIn are what lines say in one group.
func rulesIn(lines []string) *ruleset {
	return Parse([]byte("User-agent: *\n" + strings.Join(lines, "\n"))).sets[star]
}

// section is what one group says to one of its crawlers, or to everyone.
type section struct {
	name  string
	lines []string
}

// sections are those of all groups: * first, and a crawler after that whose group it would obey otherwise. Beside an
// owner's file, those of crawlers that obey a standalone group of another name, and are not meant by it, are among them.
func (p *Policy) sections(owner *File) (all []section) {
	for i := range p.Groups {
		for _, name := range p.Groups[i].agents() {
			all = append(all, section{name, p.Groups[i].lines()})
		}
	}
	alone := p.Standalone()
	for _, token := range tokens(func(c *policy.Crawler) bool {
		_, named := alone[c.Name]
		return c.Engine != "" && alone[c.Group] && !named && owner.sets[c.Name] == nil && owner.sets[c.Group] == nil
	}) {
		all = append(all, section{name: token})
	}
	for _, token := range tokens(func(c *policy.Crawler) bool { return slices.Contains(p.Block, c.Purpose) }) {
		all = append(all, section{token, []string{field("Disallow", "/")}})
	}
	stated := func(name string) bool {
		return slices.ContainsFunc(all, func(s section) bool { return tokenOf(s.name) == name })
	}
	depth := func(s section) (n int) {
		for name := s.name; name != star && name != ""; {
			c := policy.LookupCrawler(name)
			secondName := c != nil && c.Engine != "" && c.Group != "" && c.Group == c.AlsoObeys
			if name = nextGroup(name); !secondName || stated(name) {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b section) int { return depth(a) - depth(b) })
	return all
}

// isEngine reports whether a crawler is that of a search engine, so that no group of another name means it: Bingbot
// obeys that of msnbot, and Applebot that of Googlebot.
func isEngine(token string) bool {
	c := policy.LookupCrawler(token)
	return c != nil && c.Engine != ""
}

// stricter are the lines for a crawler that obeys what holds for everyone and what another crawler's group denies.
func stricter(everyone, other []string) []string {
	allows := func(line string) bool { return strings.HasPrefix(line, "Allow:") }
	m := merger{owner: &File{}} // what gives way was said for the others
	return m.combine(star, rulesIn(everyone), rulesIn(slices.DeleteFunc(slices.Clone(other), allows)), true)
}

// Standalone are the names, in lower case; true for those of which all groups are.
func (p *Policy) Standalone() map[string]bool {
	alone := map[string]bool{}
	for i := range p.Groups {
		for _, name := range p.Groups[i].agents() {
			name = tokenOf(name)
			before, ok := alone[name]
			alone[name] = p.Groups[i].Standalone && (before || !ok)
		}
	}
	return alone
}

func (g *Group) lines() []string {
	lines := slices.Concat(fields("Allow", escaped(g.Allow)), fields("Disallow", escaped(g.Disallow)))
	if g.CrawlDelay > 0 {
		lines = append(lines, field("Crawl-delay", strconv.FormatFloat(g.CrawlDelay, 'f', -1, 64)))
	}
	lines = append(lines, fields("Clean-param", g.CleanParam)...)
	if g.ContentSignal != "" {
		lines = append(lines, field("Content-Signal", g.ContentSignal))
	}
	return append(lines, fields("Content-Usage", g.ContentUsage)...)
}

func field(key, value string) string { return strings.TrimSuffix(key+": "+value, " ") }

func fields(key string, values []string) (lines []string) {
	for _, v := range values {
		lines = append(lines, field(key, v))
	}
	return lines
}

func escaped(patterns []string) (all []string) {
	for _, p := range patterns {
		all = append(all, spellings(p)...)
	}
	return all
}

// A PolicyRule is the place of a rule in a policy: its group, its kind and which of the patterns of that kind it is.
type PolicyRule struct {
	Group   int
	Kind    Kind
	Pattern int
}

// Find returns the rule of the policy that a rule of a finished file comes from: of the group of the crawler that obeys
// it, else of those that the crawler would obey without one, which its group repeats.
func (p *Policy) Find(v Access) (at PolicyRule, ok bool) {
	kind, pattern, _ := strings.Cut(v.Rule, ": ")
	same := func(stated string) bool { // its weight may have been raised with stars
		return slices.ContainsFunc(spellings(stated), func(s string) bool {
			return strings.TrimRight(s, "*") == strings.TrimRight(pattern, "*")
		})
	}
	for name := v.Agent; name != ""; name = nextGroup(name) {
		for i := range p.Groups {
			g := &p.Groups[i]
			if !slices.ContainsFunc(g.agents(), func(a string) bool { return tokenOf(a) == name }) {
				continue
			}
			patterns := map[Kind][]string{Allow: g.Allow, Disallow: g.Disallow}[Kind(kind)]
			if j := slices.IndexFunc(patterns, same); j >= 0 {
				return PolicyRule{i, Kind(kind), j}, true
			}
		}
		if name == star {
			break
		}
	}
	return PolicyRule{}, false
}

// A paragraph of a robots.txt to be written is a group, or has no agents.
type paragraph struct{ agents, lines []string }

// A sheet is a robots.txt to be written, whose paragraphs are parted by empty lines.
type sheet struct {
	paragraphs []paragraph
	said       map[string]bool // the names of crawlers, in lower case
}

// addLines adds lines that belong to no group.
func (s *sheet) addLines(lines ...string) {
	if len(lines) > 0 {
		s.paragraphs = append(s.paragraphs, paragraph{lines: lines})
	}
}

// addGroup adds the lines of some crawlers, of which each is named once. Crawlers with the same lines share a group.
func (s *sheet) addGroup(lines []string, names ...string) {
	i := slices.IndexFunc(s.paragraphs, func(p paragraph) bool { return p.agents != nil && slices.Equal(p.lines, lines) })
	if i < 0 {
		i = len(s.paragraphs)
		s.paragraphs = append(s.paragraphs, paragraph{lines: lines})
	}
	if s.said == nil {
		s.said = map[string]bool{}
	}
	for _, name := range names {
		if lower, of := strings.ToLower(name), &s.paragraphs[i]; !s.said[lower] {
			s.said[lower], of.agents = true, append(of.agents, name)
		}
	}
}

// lines are those of all paragraphs. A group without a rule gets an empty Disallow: else the next User-agent line would
// join it.
func (s *sheet) lines() (all []string) {
	for i, p := range s.paragraphs {
		if i > 0 {
			all = append(all, "")
		}
		all = append(append(all, fields("User-agent", p.agents)...), p.lines...)
		if p.agents != nil && !slices.ContainsFunc(p.lines, func(l string) bool {
			return strings.HasPrefix(l, "Allow:") || strings.HasPrefix(l, "Disallow:")
		}) {
			all = append(all, "Disallow:")
		}
	}
	return all
}
