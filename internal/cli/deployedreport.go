package cli

import (
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"metarobots/emit/robotstag"
	"metarobots/internal/published"
	"metarobots/internal/report"
	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/internal/verify"
	"metarobots/policy"
)

// reportDeployed asks a deployed site, writes a report of what it answers, and returns the error of
// --fail-on: nil if no finding is as grave as that. SARIF and annotations are refused, because they
// name places in files. Otherwise the error is that of asking, of the baseline or of writing.
func (c *reportCommand) reportDeployed(format report.Format) error {
	if format == report.SARIF || format == report.GitHub {
		return invalidf("a report of a deployed site is HTML, Markdown, JSON or CSV, not %s: "+
			"an answer has no place in a file", format)
	}
	answers, err := c.network.auditSite(&c.command) // compared with nothing: what it says to crawlers
	if err != nil {
		return err
	}
	for _, text := range answers.Summary.Notes {
		c.note("%s", text)
	}
	data, err := deployedData(answers, format)
	if err != nil {
		return err
	}
	if hasBaseline := c.baseline.file != ""; hasBaseline { // then the report shows what changed since
		if data.Changes, err = c.changesOfDeployed(answers); err != nil {
			return err
		}
	}
	c.setPresentation(data) // its title and audience, by flags
	writeTo := func(w io.Writer) error { return report.Write(w, format, data, time.Now().UTC()) }
	if err := c.writeOutput(c.output, writeTo); err != nil { // to --output, or to stdout
		return err
	}
	return c.failure(data.Findings)
}

// changesOfDeployed are those of a deployed site since a snapshot. The site is asked for URLs of
// the snapshot too that its answers, which r has, do not name.
func (c *reportCommand) changesOfDeployed(r *verify.Report) (*snapshot.Changes, error) {
	old, err := readSnapshot(c.baseline.file)
	if err != nil {
		return nil, err
	}
	now := r.Snapshot()
	now.Hosts = map[string]string{"/": r.Summary.Base}
	if rest := old.WithoutURLsOf(now); len(rest.Entries) > 0 {
		o := c.network.askOptions(&c.command, c.arg(), c.getenv(verifyUser))
		// Diff compares robots.txt, and r has answers already, so that 404 for the rest says
		// nothing.
		o.Files.LeavesRobots, o.Sampling.IsFurther = true, true
		further, err := c.network.ask(&c.command, o, against(rest))
		if err != nil {
			return nil, err
		}
		now = now.WithURLsOf(further.Snapshot())
	}
	return snapshot.Diff(snapshot.AsAnswered(old, now)), nil
}

// deployedData is what a deployed site answers, in the form of a run on a built site, so that one
// report shows both. An error says that the base URL cannot be read.
func deployedData(answers *verify.Report, format report.Format) (*report.Data, error) {
	base, err := url.Parse(answers.Summary.Base)
	if err != nil {
		return nil, err
	}
	pages := deployedPages(answers, base, noCrawlers)
	data := &report.Data{Site: base.Host, Kinds: checkedKinds(answers)}
	data.Pages = publicPages(pages, format)
	data.Findings = siteFindings(answers) // never nil, as JSON has an empty list for none
	data.Findings = append(data.Findings, pageFindings(answers, base, pages)...)
	data.Findings = append(data.Findings, robotsFindings(answers, pages)...)
	nothingStated, usable := deployedPolicy(noCrawlers), questionsAboutAI(pages)
	data.Vendors = result.TablesOf(published.Tallies(nothingStated, usable))
	data.Signals = result.CountSignals(nothingStated, usable)
	data.Summary = deployedSummary(data, base) // it counts the pages and findings above
	files := answers.Snapshot()
	data.Summary.HostFiles = result.HostFiles{RobotsTxt: files.KnownRobots(), TDMRep: files.TDMRep}
	data.Asked = fmt.Sprintf("This is what %s answers to requests for %s: %s.", base,
		robotstag.Count(answers.Summary.Asked, "URL", "URLs"), askedURLs(answers))
	return data, nil
}

// noCrawlers are the crawlers that a report names beside the usual ones.
var noCrawlers []string

// publicPages are the URLs of a deployed site in their public form, never nil. What robots.txt says
// of them is by its groups, as of a built site. In CSV a page has what it means to each vendor of
// AI: the other formats have tables of all vendors instead.
func publicPages(pages []deployedPage, format report.Format) []result.Page {
	all := []result.Page{}
	nothingStated := deployedPolicy(noCrawlers)
	for i := range pages {
		pg := &pages[i]
		page := pg.page(noCrawlers)
		page.Section, page.RobotsTxt = firstFolder(page.URL), pg.groups()
		if format == report.CSV {
			page.Vendors = pg.question.Answers(nothingStated)
		}
		all = append(all, page)
	}
	return all
}

// pageFindings are those about single URLs. If one rule of robots.txt keeps crawlers from all of
// them, that is the only one: it explains what is found at each URL, and nothing else is read
// there.
func pageFindings(answers *verify.Report, base *url.URL, pages []deployedPage) (all []policy.Finding) {
	if whole := disallowedSite(answers, base, pages); whole != nil {
		return []policy.Finding{*whole}
	}
	for i := range pages {
		all = append(all, pages[i].findings(answers)...)
	}
	return all
}

// questionsAboutAI are those of the URLs that have something which AI may use: not of redirects and
// error pages.
func questionsAboutAI(pages []deployedPage) (usable []published.Deployed) {
	for i := range pages {
		role := pages[i].role()
		if role != string(seen.ErrorPage) && role != string(seen.Redirect) {
			usable = append(usable, pages[i].question)
		}
	}
	return usable
}

// askedURLs says where the URLs come from that a deployed site was asked for.
func askedURLs(answers *verify.Report) string {
	switch {
	case answers.Summary.Source == verify.FromURLs:
		return "those of a list"
	case answers.IsHomeAlone:
		return "the home page, because no sitemap lists a URL"
	}
	return "those in its sitemaps, and the home page"
}

// deployedSummary counts the pages of a deployed site, and the findings about it.
func deployedSummary(data *report.Data, base *url.URL) result.Summary {
	return result.Summary{Settings: result.Settings{Hosts: map[string]string{"/": base.String()}},
		Counts: deployedCounts(data.Pages), Findings: result.Count(data.Findings)}
}

// deployedCounts counts the pages of a deployed site by what they answered.
func deployedCounts(pages []result.Page) (c result.Counts) {
	c.Files = len(pages)
	for i := range pages {
		p := &pages[i]
		told := p.Told()
		state := told.State()
		switch isPage := p.Role == "page"; {
		case p.Role == string(seen.Redirect):
			c.Redirects++
		case p.Role == "error":
			c.Errors++
		case isPage && state == seen.Noindex:
			c.Pages, c.Noindex = c.Pages+1, c.Noindex+1
		case isPage:
			c.Pages, c.Indexable = c.Pages+1, c.Indexable+1
		case state != seen.Indexable:
			c.OtherRestricted++
		}
	}
	return c
}

// firstFolder is the folder of a path below the root; empty for none.
func firstFolder(path string) string {
	folder, _, isBelow := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if !isBelow || !strings.HasPrefix(path, "/") {
		return ""
	}
	return folder
}

// groups says whether each of the crawlers that robots.txt treats differently may fetch the URL, as
// [result.RobotsGroups]: those that have the same rules are one, and all without rules of their own
// come last. It is empty without a robots.txt.
func (pg *deployedPage) groups() (all []seen.Fetch) {
	robots := pg.question.Host.Robots
	if robots == nil {
		return nil
	}
	groups := robots.Groups()
	named := groups[:len(groups)-1] // the last is "*"
	for _, names := range named {
		fetch := pg.fetchOf(names[0])
		fetch.Crawler = strings.Join(names, ", ")
		all = append(all, fetch)
	}
	rest := pg.fetchOf("*")
	rest.Crawler = "every crawler"
	if len(named) > 0 {
		rest.Crawler = "every other crawler"
	}
	return append(all, rest)
}
