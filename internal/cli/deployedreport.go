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
)

// reportDeployed asks a deployed site, writes a report of what it answers, and returns the error of
// --fail-on. SARIF and annotations are refused, because they name places in files.
func (c *reportCommand) reportDeployed(format report.Format) error {
	if format == report.SARIF || format == report.GitHub {
		return invalidf("a report of a deployed site is HTML, Markdown, JSON or CSV, not %s: "+
			"an answer has no place in a file", format)
	}
	answers, err := c.network.auditSite(&c.command)
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
	if c.baseline.file != "" {
		if data.Changes, err = c.changesOfDeployed(answers); err != nil {
			return err
		}
	}
	c.setPresentation(data)
	writeTo := func(w io.Writer) error { return report.Write(w, format, data, time.Now().UTC()) }
	if err := c.writeOutput(c.output, writeTo); err != nil {
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
	data := &report.Data{Site: base.Host, Kinds: checkedKinds(answers)}
	data.Pages, data.Findings = []result.Page{}, siteFindings(answers)
	var noCrawlers []string // none is named beside the usual ones
	pages := deployedPages(answers, base, noCrawlers)
	nothingStated := deployedPolicy(noCrawlers)
	whole := disallowedSite(answers, base, pages)
	if whole != nil {
		data.Findings = append(data.Findings, *whole)
	}
	for _, pg := range pages {
		page := pg.page(noCrawlers) // without what robots.txt says: by its groups, as of a built site
		page.Section, page.RobotsTxt = firstFolder(page.URL), pg.groups()
		if format == report.CSV { // the others have the tables of all vendors instead
			page.Vendors = pg.question.Answers(nothingStated)
		}
		data.Pages = append(data.Pages, page)
		if whole == nil { // else it explains what is found at each URL, and nothing else is read there
			data.Findings = append(data.Findings, pg.findings(answers)...)
		}
	}
	data.Findings = append(data.Findings, robotsFindings(answers, pages)...)
	usable := questionsAboutAI(pages)
	data.Vendors = result.TablesOf(published.Tallies(nothingStated, usable))
	data.Signals = result.CountSignals(nothingStated, usable)
	data.Summary = deployedSummary(data, base)
	files := answers.Snapshot()
	data.Summary.HostFiles = result.HostFiles{RobotsTxt: files.KnownRobots(), TDMRep: files.TDMRep}
	data.Asked = fmt.Sprintf("This is what %s answers to requests for %s: %s.", base,
		robotstag.Count(answers.Summary.Asked, "URL", "URLs"), askedURLs(answers))
	return data, nil
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

// deployedSummary counts the pages of a deployed site.
func deployedSummary(data *report.Data, base *url.URL) result.Summary {
	s := result.Summary{Hosts: map[string]string{"/": base.String()}, Files: len(data.Pages),
		Findings: result.Count(data.Findings)}
	for i := range data.Pages {
		p := &data.Pages[i]
		told := p.Told()
		state := told.State()
		switch isPage := p.Role == "page"; {
		case p.Role == string(seen.Redirect):
			s.Redirects++
		case p.Role == "error":
			s.Errors++
		case isPage && state == seen.Noindex:
			s.Pages, s.Noindex = s.Pages+1, s.Noindex+1
		case isPage:
			s.Pages, s.Indexable = s.Pages+1, s.Indexable+1
		case state != seen.Indexable:
			s.OtherRestricted++
		}
	}
	return s
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
