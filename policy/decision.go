package policy

import (
	"slices"
	"strings"
)

// An Agent is a crawler that was told something of its own, and the complete set that it obeys: what everyone is
// told and what it was told (A2, A3).
type Agent struct {
	*Crawler
	Directives Directives
}

// A Decision is what crawlers may do with one file, and why.
type Decision struct {
	// Generic is for every crawler.
	Generic Directives
	// Agents are those told something of their own, by name. None is looser than Generic.
	Agents []Agent
	// Statements are all that applied, in the order of the layers.
	Statements []Statement
	// Expired are statements whose unavailable_after lay in the past, so that they count as noindex (L7).
	Expired []Statement
}

// Resolve combines statements: the sum for everyone, and for each crawler named the sum of that and of its own ("the
// sum of the negative rules", https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag). The slice
// is kept by the decision.
func (p *Policy) Resolve(statements []Statement) Decision {
	d := Decision{Statements: statements}
	named := false
	for i := range statements {
		s := &statements[i]
		if s.Directives.expiry != 0 && !p.Now.IsZero() && expiryOf(s.Directives.expiry).Compare(p.Now) <= 0 {
			d.Expired = append(d.Expired, *s)
			s.Directives.index = indexNone
		}
		if s.Crawler == "" {
			d.Generic = MostRestrictive(d.Generic, s.Directives)
		} else {
			named = true
		}
	}
	if !named {
		return d
	}
	d.Agents = p.agents(statements, d.Generic)
	for i := range statements {
		s := &statements[i]
		if s.Crawler == "" {
			continue
		}
		j, _ := d.find(s.Crawler)
		d.Agents[j].Directives = MostRestrictive(d.Agents[j].Directives, s.Directives)
	}
	for i := range d.Agents {
		if taken, ok := d.agent(d.Agents[i].Takes); ok {
			d.Agents[i].Directives = MostRestrictive(d.Agents[i].Directives, taken)
		}
	}
	return d
}

// agents returns every crawler that statements name, sorted, told what everyone is.
func (p *Policy) agents(statements []Statement, generic Directives) []Agent {
	var names []string
	for i := range statements {
		if name := statements[i].Crawler; name != "" && (len(names) == 0 || names[len(names)-1] != name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	agents := make([]Agent, len(names))
	for i, name := range names {
		c, ok := p.Crawlers.Lookup(name)
		if !ok {
			c = &Crawler{Name: name} // resolve takes any token
		}
		agents[i] = Agent{c, generic}
	}
	return agents
}

// find returns the place of a crawler among the agents, which are sorted.
func (d *Decision) find(name string) (int, bool) {
	low, high := 0, len(d.Agents)
	for low < high { // an Agent is large: comparing through slices.BinarySearchFunc would copy each
		middle := (low + high) / 2
		switch at := d.Agents[middle].Name; {
		case at == name:
			return middle, true
		case at < name:
			low = middle + 1
		default:
			high = middle
		}
	}
	return low, false
}

// Agent returns what a crawler is told by its name, and whether it is told anything so.
func (d *Decision) Agent(name string) (Directives, bool) { return d.agent(name) }

func (d *Decision) agent(name string) (Directives, bool) {
	if i, ok := d.find(name); ok {
		return d.Agents[i].Directives, true
	}
	return Directives{}, false
}

// obeys returns the set under a crawler's name, or of everyone for "".
func (d *Decision) obeys(crawler string) (Directives, bool) {
	if crawler == "" {
		return d.Generic, true
	}
	return d.agent(crawler)
}

// NoIndex reports whether everyone is told noindex.
func (d *Decision) NoIndex() bool { return d.Generic.NoIndex() }

// Restricts reports whether any crawler is forbidden or limited anything.
func (d *Decision) Restricts() bool {
	return d.Generic.Restricts() ||
		slices.ContainsFunc(d.Agents, func(a Agent) bool { return a.Directives.Restricts() })
}

// AtLeast reports whether every crawler is told at least what o tells it.
func (d *Decision) AtLeast(o *Decision) bool {
	if !d.Generic.AtLeast(o.Generic) {
		return false
	}
	for _, a := range o.Agents {
		own, ok := d.agent(a.Name)
		if !ok {
			own = d.Generic
		}
		if !own.AtLeast(a.Directives) {
			return false
		}
	}
	return true
}

// A Tag is one robots meta: its name, "robots" or a crawler, and its content.
type Tag struct{ Name, Content string }

// Texts returns what is printed for everyone and for each crawler that differs, "robots" first where it is not
// empty, then by name. Crawlers told by headers alone are among them.
func (d *Decision) Texts(s Style) []Tag {
	lines := d.lines(s)
	tags := make([]Tag, len(lines))
	for i, l := range lines {
		tags[i] = Tag{l.name, join(l.words)}
	}
	return tags
}

// Metas returns the robots metas of a page: one for everyone, then one for each crawler that differs and reads metas,
// alphabetically (M1). Nothing stated: none.
func (d *Decision) Metas(s Style) []Tag {
	lines := d.lines(s)
	tags := make([]Tag, 0, len(lines))
	for _, l := range lines {
		if !l.headerOnly {
			tags = append(tags, Tag{l.name, join(l.words)})
		}
	}
	return tags
}

// Header returns the X-Robots-Tag lines, the generic one first, one for each crawler that differs; none where
// nothing is restricted. No line starts with a directive that has a colon, which some readers take for a crawler's
// name, nor does what follows a crawler's name (P5), but for what A5 left out.
func (d *Decision) Header(s Style) []string {
	if !d.Restricts() {
		return nil
	}
	var header []string
	for _, l := range d.lines(s) {
		if l.name == "robots" && l.omit != (permissive{}) && !d.Generic.Restricts() {
			continue
		}
		text := l.lead() + join(l.words)
		if l.name != "robots" {
			text = l.name + ": " + text
		}
		header = append(header, text)
	}
	return header
}

// line is what is printed for one name.
type line struct {
	name       string
	headerOnly bool
	omit       permissive
	words      []Word
}

// lead is what goes before words that start with a colon directive.
func (l line) lead() string {
	if !strings.Contains(l.words[0].Text, ":") {
		return ""
	}
	lead := ""
	if !l.omit.noIndex {
		lead += "index, "
	}
	if !l.omit.noFollow {
		lead += "follow, "
	}
	return lead
}

// omitted are the permissive words that the generic text does without, because a crawler with which they would win is
// told otherwise (A5).
func (d *Decision) omitted() (omit permissive) {
	for i := range d.Agents {
		if a := &d.Agents[i]; a.AllowWins {
			omit.noIndex = omit.noIndex || a.Directives.NoIndex() && !d.Generic.NoIndex()
			omit.noFollow = omit.noFollow || a.Directives.follow > max(d.Generic.follow, followStated)
		}
	}
	return omit
}

func (d *Decision) lines(s Style) []line {
	omit := d.omitted()
	lines := make([]line, 0, 1+len(d.Agents))
	if words := d.Generic.words(s, omit); len(words) > 0 {
		lines = append(lines, line{name: "robots", omit: omit, words: words})
	}
	if len(d.Agents) == 0 {
		return lines
	}
	generic := d.Generic.Format(s)
	for i := range d.Agents {
		a := &d.Agents[i]
		if words := a.Directives.words(s, permissive{}); len(words) > 0 && join(words) != generic {
			lines = append(lines, line{name: a.Name, headerOnly: a.HeaderOnly(), words: words})
		}
	}
	return lines
}

// A Fixed is one printed directive and the statements that fixed it.
type Fixed struct {
	Word
	// By indexes Decision.Statements; empty for a word that is printed because its twin was stated.
	By []int
}

// Why explains the printed directives for one crawler, "" for everyone: which statements fixed each.
func (d *Decision) Why(crawler string, s Style) []Fixed {
	set, ok := d.obeys(crawler)
	if !ok {
		set = d.Generic
	}
	var omit permissive
	if crawler == "" {
		omit = d.omitted()
	}
	takes := ""
	for i := range d.Agents {
		if d.Agents[i].Name == crawler {
			takes = d.Agents[i].Takes
		}
	}
	var fixed []Fixed
	for _, w := range set.words(s, omit) {
		f := Fixed{Word: w}
		for i, st := range d.Statements {
			if w.Implied || st.Crawler != "" && st.Crawler != crawler && (takes == "" || st.Crawler != takes) {
				continue
			}
			if fixes(st.Directives, set, w.Axis) || w.Text == "none" && fixes(st.Directives, set, AxisFollow) {
				f.By = append(f.By, i)
			}
		}
		fixed = append(fixed, f)
	}
	return fixed
}

// fixes reports whether d states what set says on an axis.
func fixes(d, set Directives, a Axis) bool {
	on := d.On(a)
	return !on.IsZero() && on == set.On(a)
}
