package cli

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sort"
	"strings"
	"time"

	"metarobots/emit/robotstag"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/published"
	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/internal/verify"
	"metarobots/policy"
)

// A deployedPage is one URL of a deployed site, as it answered.
type deployedPage struct {
	answer   seen.Answer // as everyone reads it, or the first crawler that may
	told     seen.Told   // as [snapshot.OfAnswers] has it
	base     *url.URL    // where the site is served
	decision policy.Decision
	headers  int // how many of the decision's first statements are of headers; the others are of tags
	question published.Deployed
}

// deployedPages are the URLs that a deployed site was asked for. crawlers are names to be known
// beside the usual ones.
func deployedPages(r *verify.Report, base *url.URL, crawlers []string) (pages []deployedPage) {
	p := deployedPolicy(crawlers)
	for _, of := range snapshot.Group(r.Results, func(a seen.Answer) string { return a.URL }) {
		a := of[0]
		if i := slices.IndexFunc(of, func(a seen.Answer) bool { return a.Got != seen.Disallowed }); i >= 0 {
			a = of[i]
		}
		pg := deployedPage{answer: a, told: seen.ToldBy(of, p.Now), base: base}
		pg.decision, pg.headers = a.Decide(p.Crawlers, p.Now)
		pg.question = published.Deployed{Host: r.Host, Path: pg.url().RequestURI(), Header: a.Header, Others: a.Others}
		for _, m := range a.Meta {
			pg.question.Tags = append(pg.question.Tags, policy.Tag{Name: m.Name, Content: m.Content})
		}
		pages = append(pages, pg)
	}
	return pages
}

// deployedPolicy is what combines the statements of a deployed site: nothing is stated beside them.
func deployedPolicy(crawlers []string) *policy.Policy {
	return &policy.Policy{Crawlers: policy.KnownCrawlers(crawlers...), Now: time.Now()}
}

// url is the whole URL that was asked; the base if the answer names none that can be read.
func (pg *deployedPage) url() *url.URL {
	if !strings.HasPrefix(pg.answer.URL, "/") {
		if u, err := url.Parse(pg.answer.URL); err == nil {
			return u
		}
	}
	text := strings.TrimSuffix(pg.base.String(), "/") + pg.answer.URL
	if u, err := url.Parse(text); err == nil {
		return u
	}
	return pg.base
}

// fetchOf is what robots.txt says of the URL to a crawler; "*" is any without a group of its own.
func (pg *deployedPage) fetchOf(crawler string) seen.Fetch {
	f, _ := pg.question.Host.Fetch(crawler, pg.question.Path)
	return f
}

// fetches are what robots.txt says of the URL to some crawlers, in their order.
func (pg *deployedPage) fetches(crawlers []string) (all []seen.Fetch) {
	for _, name := range crawlers {
		all = append(all, pg.fetchOf(name))
	}
	return all
}

// isMoved reports whether the URL leads to another page, which crawlers go by.
func (pg *deployedPage) isMoved() bool { return pg.answer.Role() == string(seen.Redirect) }

// status says what the URL answers and, if that is a redirect, where it leads and what is answered
// there: "status 301, to https://example.org/b (status 200)". It is empty if nothing was answered.
func (pg *deployedPage) status() string {
	a := &pg.answer
	switch {
	case a.Status == 0:
		return ""
	case a.First != 0:
		return fmt.Sprintf("status %d, to %s (status %d)", a.First, a.Location, a.Status)
	case a.Status/100 == 3 && a.Location != "":
		return fmt.Sprintf("status %d, to %s", a.Status, a.Location)
	}
	return fmt.Sprintf("status %d", a.Status)
}

// searchAnswer says in a sentence whether search engines list the URL, as of a built page. shut is
// why robots.txt cannot be read; empty where it can.
// https://developers.google.com/crawling/docs/troubleshooting/http-status-codes
func (pg *deployedPage) searchAnswer(shut string) string {
	a := &pg.answer
	isKeptOut := a.Status/100 == 4 && a.Status != http.StatusTooManyRequests
	switch {
	case shut != "":
		return "May be in search results, by its address alone: " + shut + ", so crawlers read nothing of this host."
	case a.Got == "" && isKeptOut:
		return fmt.Sprintf("Not in search results: it answers with status %d.", a.Status)
	case a.Got == "":
		return "Not known: " + a.Why + "."
	case pg.isMoved():
		text := "Not in search results: crawlers go by the page that it redirects to, " + a.Location + "."
		if a.Remarks.ReadsLocation && pg.decision.NoIndex() {
			text += " Nor is that page in search results: " + pg.noindexReasons() + "."
		}
		return text
	}
	return searchAnswer(policy.RolePage, &pg.decision, pg.fetches(policy.UsualCrawlers))
}

// role is that of the URL in its public form.
func (pg *deployedPage) role() string {
	switch role := pg.told.Role; {
	case role == seen.Missing, role == seen.NotReached:
		return "error"
	case role != "":
		return role
	case snapshot.IsPage(pg.answer.URL):
		return "page"
	}
	return "static"
}

// page is the URL in its public form, with what robots.txt says to some crawlers.
func (pg *deployedPage) page(crawlers []string) result.Page {
	a := &pg.answer
	p := result.Page{URL: a.URL, Role: pg.role(), Meta: map[string]string{}, Header: []string{},
		Why: []result.Why{}, Asked: result.Asked{Status: a.Status, First: a.First,
			Location: a.Location, Told: &pg.told, RobotsTxt: pg.fetches(crawlers)}}
	if pg.told.Role == "" && a.Canonical != "" {
		p.Leads = &plan.Lead{By: plan.ByCanonicalLink, To: a.Canonical}
	}
	p.Header = append(p.Header, a.Header...)
	for _, m := range a.Meta {
		name := strings.ToLower(m.Name)
		if before := p.Meta[name]; before != "" {
			m.Content = before + ", " + m.Content
		}
		p.Meta[name] = m.Content
	}
	deciding := pg.decision.Deciding(policy.Style{})
	for i, s := range pg.decision.Statements {
		key, line := robotstag.Name, 0
		if i >= pg.headers {
			key, line = "meta "+cmp.Or(s.Crawler, seen.Everyone), s.Origin.Line
		}
		p.Why = append(p.Why, result.Why{Layer: s.Origin.Layer, Key: key, Line: line, States: s.States(),
			Decides: slices.Contains(deciding, i)})
	}
	return p
}

// explainDeployed asks deployed sites for whole URLs, which may be of several hosts, and explains
// what they answer: as text host by host, or with --json as one document. It ends at the first host
// that cannot be asked: then text about the hosts before it is printed, and no document.
func (c *explainCommand) explainDeployed(urls []string) error {
	known := policy.KnownCrawlers()
	if err := checkNames(c.network.crawlers, known); err != nil { // a slip in a known name
		return project.Invalid(err)
	}
	// The files about AI, such as tdmrep.json, are asked for only if their answer is shown.
	c.network.asking.Files.ReadsAI = c.showsAI || len(c.network.crawlers) > 0
	c.noteUnknown(c.network.crawlers, known)
	urlsOfHosts := snapshot.Group(urls, rootOf) // in the order of the first of each host
	user, err := c.userOf(urlsOfHosts)
	if err != nil {
		return err
	}
	document := result.Result{Pages: []result.Page{}, Findings: []policy.Finding{}}
	for _, urlsOfHost := range urlsOfHosts {
		if err := c.explainHost(urlsOfHost, user, &document); err != nil {
			return err
		}
	}
	if c.json {
		return c.printJSON(document)
	}
	return nil
}

// userOf is the name:password of the environment, if it can be sent: to a single host. Of several,
// it is a secret of one, and nobody says which: it is "". There, a secret of the flags is an error.
func (c *explainCommand) userOf(urlsOfHosts [][]string) (usualUser string, err error) {
	if len(urlsOfHosts) <= 1 {
		return c.getenv(verifyUser), nil
	}
	if c.network.user != "" || len(c.network.headers) > 0 {
		return "", invalidf("--user and --header would go to all of these hosts: " +
			"explain the URLs of each alone")
	}
	return "", nil
}

// explainHost asks one host for some of its URLs, and prints what each answers in the order of the
// URLs, or adds it to a document. usualUser is the name:password of the environment, if it is for
// this host.
func (c *explainCommand) explainHost(urls []string, usualUser string, document *result.Result) error {
	answers, base, err := c.network.askURLs(&c.command, rootOf(urls[0]), usualUser, urls)
	if err != nil {
		return err
	}
	for _, text := range answers.RobotsTxt {
		c.warn("%s: %s", base.Host, text)
	}
	pages := deployedPages(answers, base, c.network.crawlers)
	place := func(i int) int { return slices.Index(urls, pages[i].url().String()) }
	sort.SliceStable(pages, func(i, j int) bool { return place(i) < place(j) })
	for i := range pages {
		c.explainAnswer(answers, &pages[i], document)
	}
	return nil
}

// rootOf is the root of a URL's host, with the user that it may name.
func rootOf(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return text
	}
	return (&url.URL{Scheme: u.Scheme, User: u.User, Host: u.Host, Path: "/"}).String()
}

// explainAnswer prints what a URL answers, or with --json adds it to a document. What AI may do is
// shown if --ai or --crawler asks for it, as [explainCommand.printAnswer] does for a page of a
// folder.
func (c *explainCommand) explainAnswer(r *verify.Report, pg *deployedPage, document *result.Result) {
	areNamed := len(c.network.crawlers) > 0
	crawlers := policy.UsualCrawlers
	if areNamed {
		crawlers = c.network.crawlers
	}
	page := pg.page(crawlers)
	if c.showsAI || areNamed {
		nothingStated := deployedPolicy(crawlers)
		page.Vendors, page.Signals = pg.question.Answers(nothingStated), pg.question.Signals(nothingStated)
	}
	if c.json {
		page.URL = pg.url().String()
		document.Pages = append(document.Pages, page)
		return
	}
	c.stdout.show("explain deployed", struct {
		URL            *url.URL
		Answer         *seen.Answer
		Status, Search string
		Moved          bool
	}{pg.url(), &pg.answer, pg.status(), pg.searchAnswer(r.Shut), pg.isMoved()})
	c.stdout.show("explain now", pageNow{RobotsTxt: page.RobotsTxt, All: areNamed})
	if !c.showsAI {
		page.Signals = nil
	}
	var nothingDecided policy.Preferences
	c.stdout.vendors(page.Signals, c.askedAbout(page.Vendors), nothingDecided)
}
