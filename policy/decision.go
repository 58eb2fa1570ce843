package policy

import (
	"slices"
	"strings"
	"sync"
)

// An Agent is a crawler with statements of its own, and the complete set that it obeys: that of
// everyone and its own (A2, A3).
type Agent struct {
	Crawler    *Crawler
	Directives Directives
}

// A Decision is what crawlers may do with one file, and why.
type Decision struct {
	// Generic is for every crawler.
	Generic Directives
	// Agents are those with statements of their own, by name. None is looser than Generic.
	Agents []Agent
	// AI are the preferences about the use of the content.
	AI Preferences
	// Statements are all that applied, in the order of [Policy.Statements].
	Statements []Statement
	// Expired are statements whose unavailable_after lay in the past, so that they count as noindex
	// (L7).
	Expired []Statement
}

// Hides reports whether the environment keeps every page out of the index.
func (p *Policy) Hides() bool {
	environment := p.Resolve(slices.Clone(p.Environment))
	return environment.NoIndex()
}

// Resolve combines statements: the sum for everyone, and for each crawler named the sum of that and
// of its own ("the sum of the negative rules",
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag). The slice becomes
// the decision's.
func (p *Policy) Resolve(statements []Statement) Decision {
	d := Decision{Statements: statements}
	var named []string
	for i := range statements {
		s := &statements[i]
		if t, ok := s.Directives.Expiry(); ok && !p.Now.IsZero() && !t.After(p.Now) {
			d.Expired = append(d.Expired, *s)
			s.Directives.rank[index] = noindex
		}
		if s.Crawler == "" {
			d.AI = Strictest(d.AI, s.AI)
		} else {
			named = append(named, s.Crawler)
		}
	}
	d.Generic = forEveryone(statements)
	slices.Sort(named)
	for _, name := range slices.Compact(named) {
		c := p.crawler(name)
		d.Agents = append(d.Agents, Agent{c, sumFor(statements, c)})
	}
	return d
}

// crawler is the one that a statement names; resolve takes any token.
func (p *Policy) crawler(name string) *Crawler {
	if c, ok := p.Crawlers.Lookup(name); ok {
		return c
	}
	return &Crawler{Name: name}
}

// forEveryone is the sum of the statements that a crawler obeys which none of them names.
func forEveryone(statements []Statement) Directives { return sumFor(statements, noCrawler) }

// sumFor is the sum of the statements that a crawler obeys.
func sumFor(statements []Statement, c *Crawler) (sum Directives) {
	var flags []string // of which there may be hundreds: they are sorted once
	for i := range statements {
		if s := &statements[i]; s.Concerns(c) {
			if s.Directives.flags != "" {
				flags = append(flags, s.Directives.flags)
			}
			sum = MostRestrictive(sum, Directives{rank: s.Directives.rank})
		}
	}
	sum.flags = strings.Join(flags, ",")
	if len(flags) > 1 {
		sum.flags = join(split(sum.flags))
	}
	return sum
}

// Concerns reports whether a crawler obeys s: what is stated for everyone, for the crawler, and for
// the one whose statements it obeys too (A2).
func (s *Statement) Concerns(c *Crawler) bool {
	return s.Crawler == "" || s.Crawler == c.Name || s.Crawler == c.AlsoObeys
}

// agent returns the agent of that name, nil for none.
func (d *Decision) agent(name string) *Agent {
	compare := func(a Agent, n string) int { return strings.Compare(a.Crawler.Name, n) }
	if i, ok := slices.BinarySearchFunc(d.Agents, name, compare); ok {
		return &d.Agents[i]
	}
	return nil
}

// Agent returns the set of a crawler that has statements of its own; ok is false if it has none.
func (d *Decision) Agent(name string) (Directives, bool) {
	if a := d.agent(name); a != nil {
		return a.Directives, true
	}
	return Directives{}, false
}

// Obeyed returns what a crawler obeys: its own set, that of the crawler whose statements it obeys
// too, or the one for everyone (A2).
func (d *Decision) Obeyed(by *Crawler) Directives {
	for _, name := range []string{by.Name, by.AlsoObeys} {
		if a := d.agent(name); a != nil {
			return a.Directives
		}
	}
	return d.Generic
}

// NoIndex reports whether noindex is stated for everyone.
func (d *Decision) NoIndex() bool { return d.Generic.NoIndex() }

// NoIndexBy returns where noindex is stated for everyone, the first of the places that are of a
// kind; ok is false if none is.
func (d *Decision) NoIndexBy(kind func(Origin) bool) (at Origin, ok bool) {
	i := slices.IndexFunc(d.Statements, func(s Statement) bool {
		return s.Crawler == "" && s.Directives.NoIndex() && kind(s.Origin)
	})
	if i < 0 {
		return Origin{}, false
	}
	return d.Statements[i].Origin, true
}

// Restricts reports whether any crawler is forbidden or limited anything.
func (d *Decision) Restricts() bool {
	return d.Generic.Restricts() ||
		slices.ContainsFunc(d.Agents, func(a Agent) bool { return a.Directives.Restricts() })
}

// AtLeast reports whether d is at least as restrictive as o for every crawler.
func (d *Decision) AtLeast(o *Decision) bool {
	isLooser := func(a Agent) bool { return !d.Obeyed(a.Crawler).AtLeast(a.Directives) }
	return d.Generic.AtLeast(o.Generic) && d.AI.AtLeast(o.AI) && !slices.ContainsFunc(o.Agents, isLooser)
}

// Covers reports whether d restricts each crawler all that o restricts.
func (d *Decision) Covers(o *Decision) bool {
	return d.Generic.Covers(o.Generic) && !slices.ContainsFunc(o.Agents, func(a Agent) bool {
		return !d.Obeyed(a.Crawler).Covers(a.Directives)
	})
}

// A Tag is one robots meta: its name, "robots" or a crawler, and its content.
type Tag struct{ Name, Content string }

// Texts returns what is printed for everyone and for each crawler that differs, "robots" first
// where it is not empty, then by name. Crawlers that read headers alone are among them.
func (d *Decision) Texts(s Style) (tags []Tag) {
	if text := d.Generic.Format(d.genericStyle(s)); text != "" {
		tags = append(tags, Tag{"robots", text})
	}
	generic := d.Generic.Format(s)
	for i := range d.Agents {
		a := &d.Agents[i]
		if text := a.Directives.Format(s); text != "" && text != generic {
			tags = append(tags, Tag{a.Crawler.Name, text})
		}
	}
	return tags
}

// Metas returns the robots metas of a page: one for everyone, then one for each crawler that
// differs and reads metas, alphabetically (M1). Nothing stated: none.
func (d *Decision) Metas(s Style) []Tag {
	return slices.DeleteFunc(d.Texts(s), func(t Tag) bool {
		a := d.agent(t.Name)
		return a != nil && a.Crawler.HeaderOnly()
	})
}

// Untagged returns the names of the crawlers that read headers alone (A1) and are restricted more
// than everyone: the tags of a page do not tell them so.
func (d *Decision) Untagged() (names []string) {
	for i := range d.Agents {
		if a := &d.Agents[i]; a.Crawler.HeaderOnly() && !d.Generic.Covers(a.Directives) {
			names = append(names, a.Crawler.Name)
		}
	}
	return names
}

// UntaggedAt is where it is first stated that a crawler is restricted more than everyone.
func (d *Decision) UntaggedAt(crawler string) Origin {
	i := slices.IndexFunc(d.Statements, func(s Statement) bool {
		return s.Crawler == crawler && !d.Generic.Covers(s.Directives)
	})
	if i < 0 {
		return Origin{} // only together do its statements say more
	}
	return d.Statements[i].Origin
}

// Header returns the X-Robots-Tag lines, the generic one first, one for each crawler that differs;
// none where nothing is restricted. No line starts with a directive that has a colon, which some
// readers take for a crawler's name, nor does what follows a crawler's name (P5), except what A5
// left out.
func (d *Decision) Header(s Style) (header []string) {
	if !d.Restricts() {
		return nil
	}
	generic := d.genericStyle(s)
	for _, tag := range d.Texts(s) {
		lead, style := tag.Name+": ", s
		if tag.Name == "robots" {
			lead, style = "", generic
			isWithoutWords := style != s // A5 leaves out some
			if isWithoutWords && !d.Generic.Restricts() {
				continue // the rest would say nothing, and may begin with a colon directive (A5b)
			}
		}
		if first, _, _ := strings.Cut(tag.Content, ","); strings.Contains(first, ":") {
			for chain, word := range []string{"index, ", "follow, "} {
				if !style.omit[chain] {
					lead += word
				}
			}
		}
		header = append(header, lead+tag.Content)
	}
	return header
}

// genericStyle is the style of the text for everyone. It leaves out permissive words that would
// override a restriction for a crawler with which they win (A5).
func (d *Decision) genericStyle(s Style) Style {
	for i := range d.Agents {
		if a := &d.Agents[i]; a.Crawler.AllowWins {
			s.omit[index] = s.omit[index] || a.Directives.NoIndex() && !d.Generic.NoIndex()
			s.omit[follow] = s.omit[follow] || a.Directives.NoFollow() && !d.Generic.NoFollow()
		}
	}
	return s
}

// A Cause is one printed directive and the statements that fixed it.
type Cause struct {
	Word Word
	// By indexes Decision.Statements; empty for a word that is printed because the other of index
	// and follow is.
	By []int
}

// Causes explains the printed directives for one crawler, "" for everyone: which statements fixed
// each word. It is for the explanations of a decision. A statement fixes a word if it concerns the
// crawler, and states just the rank that is printed, or the flag. For a crawler without a set of
// its own the answer is that for everyone, except that it has all permissive words: genericStyle
// leaves some out for everyone alone.
//
//	0  config.toml: noindex
//	1  front matter: noindex, nofollow     noindex by 0 and 1, nofollow by 1
//	2  theme: index                        nothing is by 2, since noindex is stricter
func (d *Decision) Causes(crawler string, s Style) (causes []Cause) {
	set, by := d.Generic, noCrawler
	if a := d.agent(crawler); a != nil {
		set, by = a.Directives, a.Crawler
	}
	if crawler == "" {
		s = d.genericStyle(s) // as [Decision.Texts] prints it
	}
	byFlag := sync.OnceValue(func() map[string][]int { return d.flagged(by) })
	for _, word := range set.Words(s) {
		c := Cause{Word: word}
		chain := chainOf(word.Axis)
		isFlag := chain < 0
		switch {
		case word.Implied: // no statement fixed it
		case isFlag:
			c.By = byFlag()[string(word.Axis)]
		case word.Text == "none": // of the axis of index, and says nofollow as well
			c.By = d.fixing(set, by, index, follow)
		default:
			c.By = d.fixing(set, by, chain)
		}
		causes = append(causes, c)
	}
	return causes
}

// fixing are the indexes of the statements that concern a crawler and state what set, its complete
// set, says on one of some chains.
func (d *Decision) fixing(set Directives, by *Crawler, chains ...int) (list []int) {
	for i := range d.Statements {
		st := &d.Statements[i]
		states := func(chain int) bool { return st.Directives.fixes(set, chain) }
		if slices.ContainsFunc(chains, states) && st.Concerns(by) {
			list = append(list, i)
		}
	}
	return list
}

// flagged are the statements that concern a crawler, by the flags that they hold: for each flag the
// indexes. A page may have thousands of both.
func (d *Decision) flagged(by *Crawler) map[string][]int {
	flagged := map[string][]int{}
	for i, st := range d.Statements {
		if st.Concerns(by) {
			for _, flag := range split(st.Directives.flags) {
				flagged[flag] = append(flagged[flag], i)
			}
		}
	}
	return flagged
}

// Deciding returns which of the statements fixed a restriction that is printed, in their order. Of
// a file that is noindex for everyone, only the statements that decided it count.
func (d *Decision) Deciding(s Style) (list []int) {
	if !d.Restricts() {
		return nil
	}
	s.None = false // index and follow are asked for one by one
	of := func(crawler string, set Directives) {
		for _, c := range d.Causes(crawler, s) {
			if set.On(c.Word.Axis).Restricts() && (!d.NoIndex() || c.Word.Axis == AxisIndex) {
				list = append(list, c.By...)
			}
		}
	}
	if of("", d.Generic); !d.NoIndex() {
		for i := range d.Agents {
			of(d.Agents[i].Crawler.Name, d.Agents[i].Directives)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// DecidedAt is the place of what decided: the first noindex where there is one, else the first
// restriction. It is zero where nothing is restricted.
func (d *Decision) DecidedAt(s Style) Origin {
	list := d.Deciding(s)
	if len(list) == 0 {
		return Origin{}
	}
	first := slices.IndexFunc(list,
		func(i int) bool { return d.Statements[i].Directives.NoIndex() })
	return d.Statements[list[max(first, 0)]].Origin
}
