package seen

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/policy"
)

// A FetchChange is that some crawlers may fetch URLs by one robots.txt, and not by another, for one cause.
type FetchChange struct {
	// Crawlers are named as their operators write them; "*" is every other one.
	Crawlers []string `json:"crawlers"`
	// Allowed: they may fetch the URLs now. Otherwise they may no longer.
	Allowed bool     `json:"allowed"`
	URLs    []string `json:"urls"`
	// Rule is the rule of the new robots.txt that decides. If Gone, it is the rule of the old one that kept the crawlers
	// from the URLs, and that no longer holds for them.
	Rule string `json:"rule"`
	Gone bool   `json:"gone"`
	// File and Line are where the rule is stated: in the host's robots.txt, or in the policy. Line is 0 if nobody knows it.
	File string `json:"file"`
	Line int    `json:"line"`
	// From is the template or static file that robots.txt is made from; empty for rules of the policy, and if nobody knows.
	From string `json:"from"`
	// More counts further lines of the same author that say so.
	More int `json:"more"`
	// Managed is the host whose block before robots.txt holds the rule; empty for the site's own.
	Managed string `json:"managed,omitempty"`
	// Answer is what a host answers instead of a robots.txt, by which crawlers fetch nothing there. Then there is no rule.
	Answer string `json:"answer,omitempty"`
	// Unpublished: the rule is gone with the whole robots.txt.
	Unpublished bool `json:"unpublished,omitempty"`
	// At is where the rule is in the files of a run; zero of a rule that only a snapshot knows.
	At policy.Origin `json:"-"`
}

// Asked is a page that two hosts are asked about, by a request path on each. One of several paths is asked for itself.
type Asked struct{ URL, Was, Is string }

// mostCauses is how many causes of one author are named one by one.
const mostCauses = 20

// CompareFetches says which crawlers may fetch which pages of a host otherwise than they might: every crawler of the table,
// those that a robots.txt names besides, and "*". known leaves out what is reported elsewhere.
func CompareFetches(was, is Host, pages []Asked, known func(page int, crawler string, allowed bool) bool) []FetchChange {
	questions := make([]robotstxt.Question, len(pages))
	for i, page := range pages {
		questions[i] = robotstxt.Question{Was: page.Was, Is: page.Is}
	}
	g := &fetchGroups{at: map[fetchKey]*fetchGroup{}}
	crawlers := robotstxt.Crawlers(was.Robots, is.Robots)
	isUnpublished := was.hasRobots() && !is.hasRobots() && is.Shut == ""
	for _, d := range robotstxt.Compare(was.read(crawlers), is.read(crawlers), crawlers, questions) {
		host := is
		if d.Gone {
			host = was
		}
		for i, crawler := range d.Crawlers {
			rest := d.Pages
			if known != nil {
				isKnown := func(page int) bool { return known(page, crawler, d.Allowed) }
				if slices.ContainsFunc(rest, isKnown) {
					rest = slices.DeleteFunc(slices.Clone(rest), isKnown)
				}
			}
			if len(rest) > 0 {
				change := host.changeBy(d, i)
				change.Unpublished = change.Gone && isUnpublished
				g.add(change, crawler, rest)
			}
		}
	}
	return g.changes(pages)
}

// changeBy is a difference for one of its crawlers, without URLs.
func (h Host) changeBy(d robotstxt.Difference, crawler int) FetchChange {
	if h.Shut != "" {
		return FetchChange{Allowed: d.Allowed, Gone: d.Gone, Answer: h.Shut}
	}
	access := d.Access[crawler]
	c := FetchChange{Allowed: d.Allowed, Gone: d.Gone, Rule: access.Rule, From: access.Source.From,
		Managed: access.Source.Managed}
	origin := access.Source.Origin
	switch {
	case c.Managed != "":
	case origin.Key != "": // the policy states it
		c.File, c.Line = origin.File, origin.Line
	default:
		c.File, c.Line = strings.TrimPrefix(h.Folder, "/")+"robots.txt", origin.Line
	}
	if !c.Gone {
		c.At = origin
	}
	return c
}

// fetchGroups puts crawlers together for which the same is true of the same pages.
type fetchGroups struct {
	list []*fetchGroup
	at   map[fetchKey]*fetchGroup
}

// A fetchKey is what crawlers of one group have in common.
type fetchKey struct {
	allowed, gone             bool
	rule, file, from, managed string
	answer                    string
	pages                     string
}

type fetchGroup struct {
	change FetchChange
	pages  []int
	lines  map[int]bool
}

func (g *fetchGroups) add(c FetchChange, crawler string, pages []int) {
	var numbers []byte
	for _, page := range pages {
		numbers = binary.AppendUvarint(numbers, uint64(page))
	}
	key := fetchKey{c.Allowed, c.Gone, c.Rule, c.File, c.From, c.Managed, c.Answer, string(numbers)}
	group := g.at[key]
	if group == nil {
		group = &fetchGroup{change: c, pages: pages, lines: map[int]bool{}}
		g.at[key], g.list = group, append(g.list, group)
	}
	group.take(c)
	group.change.Crawlers = append(group.change.Crawlers, crawler)
}

// take adds a line to those that say what the group says. The first one is named.
func (g *fetchGroup) take(c FetchChange) {
	if c.Line < g.change.Line {
		g.change.Rule, g.change.Line, g.change.At = c.Rule, c.Line, c.At
	}
	g.lines[c.Line] = true
}

// changes are the groups with the URLs of their pages, what is disallowed first. Many of one author are one.
func (g *fetchGroups) changes(pages []Asked) (all []FetchChange) {
	type author struct {
		allowed, gone               bool
		crawlers, file, from, block string
		answer                      string
	}
	of := func(group *fetchGroup) author {
		c := &group.change
		return author{c.Allowed, c.Gone, strings.Join(c.Crawlers, " "), c.File, c.From, c.Managed, c.Answer}
	}
	counts, merged := map[author]int{}, map[author]*fetchGroup{}
	for _, group := range g.list {
		counts[of(group)]++
	}
	var rest []*fetchGroup
	for _, group := range g.list {
		by := of(group)
		first := merged[by]
		if counts[by] <= mostCauses || first == nil {
			merged[by], rest = group, append(rest, group)
			continue
		}
		first.take(group.change)
		for line := range group.lines {
			first.lines[line] = true
		}
		first.pages = append(slices.Clip(first.pages), group.pages...)
	}
	for _, group := range rest {
		c := group.change
		slices.SortFunc(c.Crawlers, func(a, b string) int { // "*", every other one, is last
			return cmp.Or(strings.Count(a, "*")-strings.Count(b, "*"), strings.Compare(strings.ToLower(a), strings.ToLower(b)))
		})
		slices.Sort(group.pages)
		for _, page := range slices.Compact(group.pages) {
			c.URLs = append(c.URLs, pages[page].URL)
		}
		c.URLs, c.More = slices.Compact(c.URLs), len(group.lines)-1
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b FetchChange) int {
		switch {
		case a.Allowed == b.Allowed:
			return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line)
		case b.Allowed:
			return -1
		}
		return 1
	})
	return all
}

// String says it in one line: "GPTBot may no longer fetch /docs/ and 41 more URLs: robots.txt:4, from
// themes/x/layouts/robots.txt (Disallow: /docs/)".
func (c *FetchChange) String() string { return c.What() + ": " + c.Cause() }

// What says who may fetch what now, or may no longer.
func (c *FetchChange) What() string {
	may := "may no longer fetch"
	if c.Allowed {
		may = "may now fetch"
	}
	text := c.Who() + " " + may + " " + c.URLs[0]
	switch more := len(c.URLs) - 1; more {
	case 0:
	case 1:
		text += " and 1 more URL"
	default:
		text += fmt.Sprintf(" and %d more URLs", more)
	}
	return text
}

// Cause is why: the rule with its place and its author, or what there is instead of a robots.txt.
func (c *FetchChange) Cause() string {
	switch {
	case c.Answer != "" && c.Gone:
		return "none might before, because " + c.Answer
	case c.Answer != "":
		return c.Answer + ", by which crawlers fetch nothing (RFC 9309)"
	case c.Unpublished:
		return robotsOf(c.File) + " is no longer published: " + c.Deciding()
	}
	return c.Deciding()
}

// robotsOf names the robots.txt of a rule that is stated in a file: that itself, unless the policy states it.
func robotsOf(file string) string {
	if strings.HasSuffix(file, "robots.txt") {
		return file
	}
	return "robots.txt"
}

// Deciding is the rule with its place and its author.
func (c *FetchChange) Deciding() string {
	place := policy.Place(c.File, c.Line)
	switch {
	case c.Managed != "":
		place = "the block that the host puts before robots.txt"
	case c.More > 0:
		place += " " + robotstxt.MoreLines(c.More)
	}
	if c.From != "" {
		place += ", from " + c.From
	}
	if c.Gone {
		return c.Rule + " no longer holds (" + place + ")"
	}
	return place + " (" + c.Rule + ")"
}

// Who names the crawlers: "GPTBot", "CCBot, ClaudeBot and 3 more", "all crawlers", "all crawlers
// except bingbot".
func (c *FetchChange) Who() string {
	if !slices.Contains(c.Crawlers, "*") {
		return robotstxt.SomeOf(c.Crawlers)
	}
	var others []string // that would obey the group of *
	for _, crawler := range policy.AllCrawlers() {
		if !slices.Contains(c.Crawlers, crawler.Token) && crawler.Group != "none" {
			others = append(others, crawler.Token)
		}
	}
	if others == nil {
		return "all crawlers"
	}
	return "all crawlers except " + robotstxt.SomeOf(others)
}
