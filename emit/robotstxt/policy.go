package robotstxt

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"metarobots/policy"
)

// Policy is what a configuration states. The zero value states nothing.
type Policy struct {
	// Groups are rules for crawlers.
	Groups []Group
	// Block names purposes whose crawlers may fetch nothing, and BlockAt is where they are named.
	Block   []policy.Purpose
	BlockAt Source
	// Listed are crawlers of the owner's lists. Each is treated as one of the table with its
	// purpose.
	Listed []*policy.Crawler
	// Sitemaps are whole URLs.
	Sitemaps []Value

	carriers []string // of what is stated of AI
	licenses []Value  // whole URLs
	// denied are those to which pages deny every URL: their crawlers may fetch nothing either.
	denied []policy.Purpose
}

// Group is what the policy states for some crawlers. Groups of one crawler add up, and repeat what
// holds for the crawler without them.
type Group struct {
	// Agents are product tokens, or "*" for crawlers without a group; none means "*".
	Agents []string
	// Allow and Disallow are patterns of paths: * matches any text, a final $ the end. They are
	// percent-encoded where they need it. An Allow makes an exception to a Disallow of the policy;
	// it never loosens what the owner's file says.
	Allow, Disallow []Value
	// CrawlDelay is in seconds; 0 states none. Google does not read it.
	CrawlDelay float64
	// CleanParam are values of Clean-param, which Yandex reads. They are written as they are.
	CleanParam []string
	// ContentSignal is such as "search=yes, ai-train=no"; empty states none.
	ContentSignal string
	// ContentUsage are such as "train-ai=n" or "/blog/ train-ai=y".
	ContentUsage []string
	// Standalone groups repeat nothing: their crawlers do not obey the rules of "*", neither the
	// policy's nor the file's. It holds where all groups of a crawler say so.
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
		all.add("robotstxt-lighthouse", policy.Note, 0,
			"Lighthouse's robots.txt audit refuses lines of Content-Usage and License; "+
				"the headers Content-Usage and Link do not have that cost")
	}
	for i := range p.Groups {
		p.Groups[i].check(p.isListed, &all)
	}
	var mayStay []string // crawlers that are shut out and may ignore it
	for _, c := range p.crawlers() {
		if c.RobotsTxt.MayIgnore && p.shutsOut(c.Purpose) {
			mayStay = append(mayStay, c.Token)
		}
	}
	if mayStay != nil {
		all.add("robotstxt-may-ignore", policy.Note, 0, "robots.txt may not keep out %s",
			strings.Join(mayStay, ", "))
		last := &all[len(all)-1]
		last.Fix = ". To keep them out, block them on the server"
	}
	checkLines(slices.Concat(newLines("Sitemap", p.Sitemaps), newLines("License", p.licenses)),
		&all)
	return all
}

// shutsOut reports whether the crawlers of a purpose may fetch nothing.
func (p *Policy) shutsOut(purpose policy.Purpose) bool {
	return slices.Contains(p.Block, purpose) || slices.Contains(p.denied, purpose)
}

// checkLines checks lines that are to be written: they have to read back as they were meant.
func checkLines(lines []Line, all *findings) {
	for _, l := range lines {
		text := l.Text
		read := splitLines([]byte(text))
		if len(read) != 1 || read[0].String() != text {
			all.fail("robotstxt-policy", "%q cannot stand in a line of robots.txt: # begins "+
				"a comment, and in a path it is written %%23", clip(text))
			continue
		}
		switch fault := read[0].valueFault(); {
		case fault.message == "":
		case !fault.isBroken:
			all.warn(fault.id, 0, "%s: %s", clip(text), fault.message)
		case read[0].vocabulary() != nil:
			all.fail(fault.id, "%s: %s", clip(text), fault.message)
		default:
			all.fail("robotstxt-policy", "%s: %s", clip(text), fault.message)
		}
	}
}

// check reports what of a group of the policy cannot be written, as errors, and what would not do
// what it seems to: its names, then its delay and its other lines. [Policy.Check] calls it before
// the policy is merged into a file: with an error nothing is written. Names of the owner's lists
// are not checked, as whoever read the lists has done that.
func (g *Group) check(isListed func(name string) bool, all *findings) {
	if g.Standalone && slices.Contains(g.agents(), star) {
		all.warn("robotstxt-policy", 0, "standalone = true lifts the rules of * for the crawlers "+
			"that a group names; a group for every crawler has nothing to lift")
	}
	for _, name := range g.agents() {
		if !isListed(name) {
			checkAgent(name, all)
		}
	}
	const longestDelay = 1e6 // more seconds than that are a slip
	isDelay := g.CrawlDelay >= 0 && g.CrawlDelay <= longestDelay
	if !isDelay { // NaN is none either
		all.fail("robotstxt-policy", "Crawl-delay: %v is not a number of seconds", g.CrawlDelay)
	}
	checkLines(g.lines(), all)
}

// checkAgent reports what is wrong with a name that a group of the policy has, by the first case
// that fits: as an error if it names no crawler, as a warning if it may name another one or none
// that is known, and as a note if its operator does not document it any more.
func checkAgent(name string, all *findings) {
	token := productToken(name) // the letters, hyphens and underscores that it begins with
	former := policy.LookupFormer(name)
	switch {
	case slices.Contains(policy.Purposes, policy.Purpose(name)):
		all.fail("robotstxt-policy", "%q is a purpose and no crawler: block = [%q] keeps out all "+
			"crawlers of that purpose", name, name)
	case name == star: // everyone: nothing is wrong
	case token == "" || !isReadWhole(name):
		all.fail("robotstxt-policy", "%q is not a crawler's name: letters, hyphen, underscore",
			name)
	case token != name: // "archive.org_bot", whose token is archive
		all.warn("robotstxt-agent", 0, "%q is not a product token of RFC 9309: crawlers may read "+
			"it up to the first other character, as %s", name, token)
	case former != nil: // its operator documented it once
		text := formerText([]*policy.FormerCrawler{former})
		all.add("robotstxt-former-crawler", policy.Note, 0, "%s", text)
	case policy.LookupCrawler(name) == nil:
		checkUnknownAgent(name, all)
	}
}

// isReadWhole reports whether a crawler reads all of a name in a User-agent line: there is no
// blank, no # and no line end in it, and no blanks are around it.
func isReadWhole(name string) bool {
	asRead := splitLines([]byte(field("User-agent", name)))
	return len(asRead) == 1 && asRead[0].Value == name && !strings.ContainsAny(name, " \t")
}

// checkUnknownAgent warns of the name of a crawler that nobody knows if one that is known is near.
// Any other may be that of a new crawler.
func checkUnknownAgent(name string, all *findings) {
	isAny := func(*policy.Crawler) bool { return true }
	if hint := policy.DidYouMean(name, tokens(isAny)); hint != "" {
		all.warn("robotstxt-agent", 0, "no crawler is known that is called %q%s", name, hint)
	}
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

// isListed reports whether an owner's list has that name.
func (p *Policy) isListed(name string) bool {
	return slices.ContainsFunc(p.Listed, func(c *policy.Crawler) bool { return c.Token == name })
}

// crawlers are those of the table, then those of the owner's lists.
func (p *Policy) crawlers() []*policy.Crawler {
	return slices.Concat(policy.AllCrawlers(), p.Listed)
}

// crawlersFor are the crawlers of a purpose.
func (p *Policy) crawlersFor(purpose policy.Purpose) []*policy.Crawler {
	return slices.DeleteFunc(p.crawlers(),
		func(c *policy.Crawler) bool { return c.Purpose != purpose })
}

// tokensFor are the names of the crawlers of a purpose as groups have them: "GPTBot".
func (p *Policy) tokensFor(purpose policy.Purpose) (tokens []string) {
	for _, c := range p.crawlersFor(purpose) {
		tokens = append(tokens, c.Token)
	}
	return tokens
}

// namesFor are the names of the crawlers of a purpose by which a file is asked: "gptbot".
func (p *Policy) namesFor(purpose policy.Purpose) (names []string) {
	for _, c := range p.crawlersFor(purpose) {
		names = append(names, c.Name)
	}
	return names
}

// Text returns the policy as a robots.txt of its own, the same bytes each time: what holds for
// everyone, a group for each crawler with more, the sitemaps. It wants a policy whose Check finds
// no error.
func (p *Policy) Text() []byte {
	lines, _ := p.linesForFile(&File{})
	return []byte(strings.Join(append(texts(lines), ""), "\n"))
}

// linesForFile are the lines of [Policy.Text], with a group more for each engine that the policy
// would free in an owner's file ([Policy.freedEngines]): the groups, each in its order among the
// sections, then the sitemaps and licences. [Merge] puts them beside the owner's; for [Policy.Text]
// there is no owner's file, and it is empty. found is about what a group says that gives way to
// what holds for its crawler without the group; it names no lines.
//
//	the policy                              the lines of Bingbot's group
//	*: Disallow /a   Bingbot: Disallow /b   Disallow: /a, Disallow: /b
//	the same, Bingbot standalone            Disallow: /b
//	*: Disallow /a   Bingbot: Allow /a/b    Disallow: /a; the Allow is left out, and found says so
func (p *Policy) linesForFile(owner *File) (lines []Line, found []policy.Finding) {
	sections := p.sections(owner)
	obeys, found := p.combineSections(sections)
	var s sheet
	for _, g := range sections {
		s.addGroup(obeys[tokenOf(g.name)], g.name)
	}
	s.addLines(newLines("Sitemap", p.Sitemaps)...)
	s.addLines(newLines("License", p.licenses)...)
	return s.lines(), found
}

// combineSections returns the lines that each crawler with a section is to obey, by the token of
// its name, and what gives way. A group of the policy takes over from the one that its crawler
// would obey without it, as a group of ours takes over from the owner's: it begins with what that
// says. A second section of one crawler takes over from the first, since groups of one crawler add
// up. The sections come in such an order that what one falls back to is known.
func (p *Policy) combineSections(sections []section) (
	obeys map[string][]Line, found []policy.Finding) {
	obeys = map[string][]Line{}
	standalone := p.Standalone()
	// Without an owner's file it combines two groups of the policy.
	m := merger{owner: &File{}, names: spellingsOf(sections)}
	for _, g := range sections {
		token := tokenOf(g.name)
		before, isSecondGroup := obeys[token]
		if !isSecondGroup && !standalone[token] {
			before = fallback(token, obeys, standalone)
		}
		obeys[token] = m.takeOver(token, before, g.lines)
		if !isSecondGroup { // what it repeats of before and states too has its own source
			giveOwnSources(obeys[token], g.lines)
		}
	}
	found = m.found.findings()
	for i := range found {
		f := &found[i]
		f.Line = 0 // it is that of the lines that were combined, and of no file
		if f.ID == "robotstxt-left-out" {
			f.Message += "; a group with standalone = true does not obey *"
		}
	}
	return obeys, found
}

// takeOver returns the lines of a group that takes over from lines which its crawler would obey
// without it: those, and of the group's own what does not loosen them ([merger.combineRules]).
func (m *merger) takeOver(token string, before, stated []Line) []Line {
	const takesOver = true
	return m.combineRules(token, rulesetOf(before), rulesetOf(stated), takesOver)
}

// fallback are the lines that a crawler obeys without a group of its own, of those that each
// crawler obeys: those of the first name that it falls back to and that has any; nil if none has. A
// search engine's crawler does not obey what a standalone group of another name allows.
func fallback(token string, obeys map[string][]Line, standalone map[string]bool) []Line {
	for name := token; name != star && name != ""; {
		name = nextGroup(name)
		lines, hasLines := obeys[name]
		switch {
		case hasLines && standalone[name] && isEngine(token):
			return mergedWithDenials(obeys[star], lines)
		case hasLines:
			return lines
		}
	}
	return nil
}

// rulesetOf is what lines say in one group.
func rulesetOf(lines []Line) *ruleset {
	group := append([]Line{newLine(string(Agent), star, Source{})}, lines...)
	for i := range group {
		group[i].Number = i + 1
	}
	return fileOf(group).sets[star]
}

// A section is what one group says to one of its crawlers, or to everyone.
type section struct {
	name  string
	lines []Line
}

// spellingsOf are the names of sections, by each of their tokens.
func spellingsOf(sections []section) map[string]string {
	names := map[string]string{}
	for _, s := range sections {
		for _, token := range tokensOf(s.name) {
			if names[token] == "" {
				names[token] = nameOf(s.name)
			}
		}
	}
	return names
}

// sections are what the groups of the file will say, in their order there: those of the policy, one
// for each of the engines that [Policy.freedEngines] names, and one for each crawler that may fetch
// nothing. * is first, and a crawler comes after that whose group it would obey without one of its
// own, because [Policy.linesForFile] repeats what it would obey: *, googlebot, googlebot-image.
func (p *Policy) sections(owner *File) (all []section) {
	for i := range p.Groups {
		for _, name := range p.Groups[i].agents() {
			all = append(all, section{name, p.Groups[i].lines()})
		}
	}
	for _, token := range p.freedEngines(owner) {
		all = append(all, section{name: token}) // it says nothing of its own
	}
	for _, c := range p.crawlers() {
		if p.shutsOut(c.Purpose) {
			all = append(all, section{c.Token,
				[]Line{newLine(string(Disallow), "/", p.sourceOf(c.Purpose))}})
		}
	}
	named := map[string]bool{}
	for _, s := range all {
		named[tokenOf(s.name)] = true
	}
	depth := func(i int) int { return countFallbacks(all[i].name, named) }
	sort.SliceStable(all, func(i, j int) bool { return depth(i) < depth(j) })
	return all
}

// freedEngines are search engines' crawlers that neither the policy nor the owner's file names, and
// that would obey a standalone group of the policy, which was written for another crawler. Such a
// group for Googlebot would free Applebot of the rules of *, unless Applebot had a section.
func (p *Policy) freedEngines(owner *File) []string {
	standalone := p.Standalone()
	return tokens(func(c *policy.Crawler) bool {
		_, isNamed := standalone[c.Name]
		isOwners := owner.sets[c.Name] != nil || owner.sets[c.RobotsTxt.Group] != nil
		return c.Engine != "" && standalone[c.RobotsTxt.Group] && !isNamed && !isOwners
	})
}

// countFallbacks counts the groups that a crawler could obey in place of its own, one after the
// other: 0 for *, 1 for googlebot, 2 for googlebot-image. Bingbot has the rank of an engine's main
// crawler: its fallback is msnbot, its own former name, which counts only if that is among the
// names.
func countFallbacks(name string, named map[string]bool) (n int) {
	for name != star && name != "" {
		c := policy.LookupCrawler(name)
		isSecondName := c != nil && c.Engine != "" && c.RobotsTxt.Group != "" && c.RobotsTxt.Group == c.AlsoObeys
		if name = nextGroup(name); !isSecondName || named[name] {
			n++
		}
	}
	return n
}

// isEngine reports whether a crawler is that of a search engine, so that no group of another name
// means it: Bingbot obeys that of msnbot, and Applebot that of Googlebot.
func isEngine(token string) bool {
	c := policy.LookupCrawler(token)
	return c != nil && c.Engine != ""
}

// mergedWithDenials are the lines for a crawler that obeys what holds for everyone and what another
// crawler's group denies: not the one behind the other, but as a group that takes over has them, so
// that each denial outweighs what would allow the path.
func mergedWithDenials(everyone, other []Line) []Line {
	denials := slices.DeleteFunc(slices.Clone(other), func(l Line) bool { return l.Kind == Allow })
	m := merger{owner: &File{}} // its findings go: what gives way here was said for the others
	return m.takeOver(star, everyone, denials)
}

// Standalone are the tokens of the names that groups have. A token is true if all its groups are
// standalone: groups of AI and of AI2Bot are of one token.
func (p *Policy) Standalone() map[string]bool {
	standalone := map[string]bool{}
	for i := range p.Groups {
		for _, name := range p.Groups[i].agents() {
			name = tokenOf(name)
			before, known := standalone[name]
			standalone[name] = p.Groups[i].Standalone && (before || !known)
		}
	}
	return standalone
}

// ListedNames are the names of the owner's lists of crawlers, in lower case.
func (p *Policy) ListedNames() map[string]bool {
	names := map[string]bool{}
	for _, c := range p.Listed {
		names[strings.ToLower(c.Token)] = true
	}
	return names
}

// lines are those that a group says, without its names.
func (g *Group) lines() []Line {
	lines := slices.Concat(newLines(string(Allow), spelled(g.Allow)),
		newLines(string(Disallow), spelled(g.Disallow)))
	if g.CrawlDelay > 0 {
		lines = append(lines, newLine("Crawl-delay", strconv.FormatFloat(g.CrawlDelay, 'f', -1, 64),
			Source{}))
	}
	lines = append(lines, newLines("Clean-param", Values(g.CleanParam...))...)
	if g.ContentSignal != "" {
		lines = append(lines, newLine("Content-Signal", g.ContentSignal, Source{}))
	}
	return append(lines, newLines("Content-Usage", Values(g.ContentUsage...))...)
}

func field(key, value string) string { return strings.TrimSuffix(key+": "+value, " ") }

// spelled are patterns as they are written, each in all spellings that it needs.
func spelled(patterns []Value) (all []Value) {
	for _, p := range patterns {
		for _, text := range spellings(p.Text) {
			all = append(all, Value{text, p.Source})
		}
	}
	return all
}
