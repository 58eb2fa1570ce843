package seen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/policy"
)

// A FetchChange is that some crawlers may fetch URLs by one robots.txt, and not by another, for one
// cause.
type FetchChange struct {
	// Crawlers are named as their operators write them; "*" is every other one.
	Crawlers []string `json:"crawlers"`
	// Allowed: they may fetch the URLs now. Otherwise they may no longer.
	Allowed bool     `json:"allowed"`
	URLs    []string `json:"urls"`
	// Rule is the rule of the new robots.txt that decides. If Gone, it is the rule of the old one
	// that kept the crawlers from the URLs, and that no longer holds for them.
	Rule string `json:"rule"`
	Gone bool   `json:"gone"`
	// File and Line are where the rule is stated: in the host's robots.txt, or in the policy. Line
	// is 0 if nobody knows it.
	File string `json:"file"`
	Line int    `json:"line"`
	// From is the template or static file that robots.txt is made from; empty for rules of the
	// policy, and if nobody knows.
	From string `json:"from"`
	// More counts further lines, besides the one that is named, that are the cause.
	More int `json:"more"`
	// Managed is the host whose block before robots.txt holds the rule; empty for the site's own.
	Managed string `json:"managed,omitempty"`
	// Answer is what a host answers instead of a robots.txt, by which crawlers fetch nothing there.
	// Then there is no rule.
	Answer string `json:"answer,omitempty"`
	// Unpublished: the rule is gone with the whole robots.txt.
	Unpublished bool `json:"unpublished,omitempty"`
	// At is where the rule is in the files of a run; zero of a rule that only a snapshot knows.
	At policy.Origin `json:"-"`
	// Others are the crawlers with a name for which the change is not true, if it is true of "*".
	Others []string `json:"-"`
}

// Asked is a page that two hosts are asked about, by a request path on each. A page with several
// paths is asked about once for each.
type Asked struct{ URL, Was, Is string }

// CompareFetches returns what crawlers may no longer fetch, or may now, by the robots.txt of two
// hosts: was is the earlier one, is the new one. It asks for every crawler of the table, those that
// a robots.txt names besides, and "*". Crawlers for which one cause changes the same pages are one
// change. isReported leaves out a page that is reported elsewhere for that crawler, by its index in
// pages; allowed says whether the crawler may fetch it now. A nil isReported leaves out none.
//
//	was          User-agent: *   Disallow: /a/
//	is           User-agent: *   Disallow: /b/
//	pages        /a/x, /b/x, /c
//	the changes  all crawlers may no longer fetch /b/x, by Disallow: /b/
//	             all crawlers may now fetch /a/x, as Disallow: /a/ is Gone
func CompareFetches(was, is Host, pages []Asked,
	isReported func(page int, crawler string, allowed bool) bool) []FetchChange {
	if isReported == nil {
		isReported = func(int, string, bool) bool { return false }
	}
	crawlers := robotstxt.Crawlers(was.Robots, is.Robots)
	// The robots.txt that they obey: nil allows everything, that of a host that is Shut nothing.
	before, now := was.robotsFor(crawlers), is.robotsFor(crawlers)
	// Of a host that is Shut, nobody knows whether it has a robots.txt.
	isUnpublished := was.HasRobots() && !is.HasRobots() && is.Shut == ""
	groups := fetchGroups{byKey: map[fetchKey]*fetchGroup{}}
	// A difference has crawlers that obey the same rules, and the indexes of the pages that it is
	// about.
	for _, d := range robotstxt.Compare(before, now, crawlers, questionsAbout(pages)) {
		ruling := is // the host whose robots.txt has the rule
		if d.Gone {
			ruling = was
		}
		for i, crawler := range d.Crawlers {
			changed := unreported(d.Pages, func(page int) bool {
				return isReported(page, crawler, d.Allowed)
			})
			if len(changed) == 0 {
				continue
			}
			// d.Access has what is answered to each crawler.
			change := ruling.changeBy(&d, d.Access[i])
			change.Unpublished = d.Gone && isUnpublished
			groups.add(change, crawler, changed)
		}
	}
	changes := groups.changes(pages) // with crawlers and URLs: what may no longer be fetched first
	for i := range changes {
		changes[i].nameOthers(crawlers)
	}
	return changes
}

// questionsAbout are pages as robots.txt files are asked about them, with the same indexes.
func questionsAbout(pages []Asked) []robotstxt.Question {
	questions := make([]robotstxt.Question, len(pages))
	for i, page := range pages {
		questions[i] = robotstxt.Question{Was: page.Was, Is: page.Is}
	}
	return questions
}

// nameOthers sets the crawlers, of all that were asked about, to which a change for "*" does not
// apply. Whoever obeys neither a group of its own nor that of * is none of them.
func (c *FetchChange) nameOthers(asked []string) {
	if !slices.Contains(c.Crawlers, "*") {
		return
	}
	for _, name := range asked {
		known := policy.LookupCrawler(name)
		obeysGroups := known == nil || known.RobotsTxt.Group != "none"
		if obeysGroups && !slices.Contains(c.Crawlers, name) {
			c.Others = append(c.Others, name)
		}
	}
}

// unreported are the pages that are not reported elsewhere. The list is not copied if that is all
// of them, as it usually is.
func unreported(pages []int, isReported func(page int) bool) []int {
	if !slices.ContainsFunc(pages, isReported) {
		return pages
	}
	return slices.DeleteFunc(slices.Clone(pages), isReported)
}

// changeBy is a difference for one crawler, without crawlers and URLs, which a group of changes
// gathers. access is what the robots.txt of h answers to it. If h is Shut it has no rule, and its
// answer is the cause.
func (h Host) changeBy(d *robotstxt.Difference, access robotstxt.Access) FetchChange {
	if h.Shut != "" {
		return FetchChange{Allowed: d.Allowed, Gone: d.Gone, Answer: h.Shut}
	}
	c := FetchChange{Allowed: d.Allowed, Gone: d.Gone, Rule: access.Rule, From: access.Source.From,
		Managed: access.Source.Managed}
	origin := access.Source.Origin
	switch {
	case c.Managed != "": // the block is in no file of the site
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

// String says it in one line: "GPTBot may no longer fetch /docs/ and 41 more URLs: robots.txt:4,
// from themes/x/layouts/robots.txt (Disallow: /docs/)".
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

// Undo is what takes the change back, in a few words: "change robots.txt.block in metarobots.toml
// back".
func (c *FetchChange) Undo() string {
	cause := cmp.Or(c.File, "robots.txt")
	switch {
	case c.Managed != "" && c.Gone:
		cause = "robots.txt.managed"
	case c.Managed != "":
		cause = "the host's setting and robots.txt.managed"
	case c.At.Key != "":
		cause = c.At.Key + " in " + c.File
	}
	return "change " + cause + " back"
}

// robotsOf names the robots.txt of a rule that is stated in a file: that itself, unless the policy
// states it.
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
		return robotstxt.SomeOf(usualFirst(c.Crawlers))
	}
	if c.Others == nil {
		return "all crawlers"
	}
	return "all crawlers except " + robotstxt.SomeOf(usualFirst(c.Others))
}

// usualFirst are some crawlers with the usual search engines before the others, since a text names
// the first ones alone.
func usualFirst(crawlers []string) []string {
	rank := func(name string) int {
		at := slices.Index(policy.UsualCrawlers, strings.ToLower(name))
		if isUsual := at >= 0; isUsual {
			return at
		}
		return len(policy.UsualCrawlers)
	}
	crawlers = slices.Clone(crawlers)
	slices.SortStableFunc(crawlers, func(a, b string) int { return rank(a) - rank(b) })
	return crawlers
}
