package cli

import (
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"metarobots/emit/robotstag"
	"metarobots/internal/check"
	"metarobots/internal/published"
	"metarobots/internal/report"
	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/internal/verify"
	"metarobots/policy"
)

// reportDeployed writes a report of what a deployed site answers.
func (c *reportCommand) reportDeployed(format report.Format) error {
	if format == report.SARIF || format == report.GitHub {
		return invalidf("a report of a deployed site is HTML, Markdown, JSON or CSV, not %s: an answer has no place in a file",
			format)
	}
	r, err := c.network.auditSite(&c.command)
	if err != nil {
		return err
	}
	for _, text := range r.Summary.Notes {
		c.note("%s", text)
	}
	data, err := deployedData(r, format == report.CSV)
	if err != nil {
		return err
	}
	if c.baseline.file != "" {
		if data.Changes, err = c.changesOfDeployed(r); err != nil {
			return err
		}
	}
	data.Title, data.Client, data.What = c.title, c.audience == "client", report.What(c.what)
	if err := c.writeOutput(c.output, func(w io.Writer) error {
		return report.Write(w, format, data, time.Now().UTC())
	}); err != nil {
		return err
	}
	if c.failOn != failNever && c.failOn.fails(data.Findings) {
		return failed(gravest(data.Findings))
	}
	return nil
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
	if rest := old.Without(now); len(rest.Entries) > 0 {
		o := c.network.askOptions(&c.command, c.arg(), c.getenv(verifyUser))
		o.Files.LeavesRobots, o.Sampling.IsFurther = true, true
		further, err := c.network.ask(&c.command, o, against(rest))
		if err != nil {
			return nil, err
		}
		now = now.With(further.Snapshot())
	}
	return snapshot.Diff(snapshot.AsAnswered(old, now)), nil
}

// deployedData is what a deployed site answers, as a report of a run has it. Pages have what vendors of AI do with them
// only if somebody asks for that: it is long.
func deployedData(r *verify.Report, withVendors bool) (*report.Data, error) {
	base, err := url.Parse(r.Summary.Base)
	if err != nil {
		return nil, err
	}
	data := &report.Data{Site: base.Host}
	data.Pages, data.Findings, data.Kinds = []result.Page{}, siteFindings(r), checkedKinds(r)
	var questions, used []published.Deployed // of all URLs, and of those with something that AI may use
	for _, pg := range deployedPages(r, base, nil) {
		page := pg.page(nil)
		page.Section, page.RobotsTxt = firstFolder(page.URL), pg.groups()
		if withVendors {
			page.Vendors = pg.question.Answers(deployedPolicy(nil))
		}
		data.Pages = append(data.Pages, page)
		data.Findings = append(data.Findings, pg.findings(r)...)
		questions = append(questions, pg.question)
		if page.Role != string(seen.ErrorPage) && page.Role != string(seen.Redirect) {
			used = append(used, pg.question)
		}
	}
	data.Findings = append(data.Findings, robotsFindings(r, questions)...)
	data.Vendors = result.TablesOf(published.Tallies(deployedPolicy(nil), used))
	data.Signals = result.CountSignals(deployedPolicy(nil), used)
	data.Summary = deployedSummary(data, base)
	s := r.Snapshot()
	data.Summary.HostFiles = result.HostFiles{RobotsTxt: s.KnownRobots(), TDMRep: s.TDMRep}
	which := "those in its sitemaps, and the home page"
	switch {
	case r.Summary.Source == verify.FromURLs:
		which = "those of a list"
	case r.IsHomeAlone:
		which = "the home page, because no sitemap lists a URL"
	}
	data.Asked = fmt.Sprintf("This is what %s answers to requests for %s: %s.", base,
		robotstag.Count(r.Summary.Asked, "URL", "URLs"), which)
	return data, nil
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
// [result.RobotsGroups].
func (pg *deployedPage) groups() (all []seen.Fetch) {
	robots := pg.question.Host.Robots
	if robots == nil {
		return nil
	}
	groups, others := robots.Groups(), "every crawler"
	for _, names := range groups[:len(groups)-1] {
		f := pg.fetches(names[:1])[0]
		f.Crawler = strings.Join(names, ", ")
		all, others = append(all, f), "every other crawler"
	}
	f := pg.fetches([]string{"*"})[0]
	f.Crawler = others
	return append(all, f)
}

// siteFindings are those about a deployed site as a whole.
func siteFindings(r *verify.Report) []policy.Finding {
	findings := []policy.Finding{}
	for _, fault := range r.Summary.Errors {
		findings = append(findings, policy.Finding{ID: "deployed-site", Severity: policy.Error, URL: r.Summary.Base,
			Message: fault.String()})
	}
	warnings := r.Summary.Warnings
	if r.Shut != "" {
		warnings = append(slices.Clone(warnings), r.Shut+": crawlers stay away from the whole host")
	}
	for _, text := range warnings {
		findings = append(findings, policy.Finding{ID: "deployed-site", Severity: policy.Warning, URL: r.Summary.Base,
			Message: text})
	}
	return findings
}

// robotsFindings are those about the text of robots.txt, if it is one.
func robotsFindings(r *verify.Report, questions []published.Deployed) []policy.Finding {
	if r.IsRobotsPage {
		return nil
	}
	var paths []string
	for i := range questions {
		paths = append(paths, questions[i].Path)
	}
	return check.DeployedRobots(r.Host.Robots, paths)
}

// checkedKinds are the kinds of findings that a report of a deployed site looked for.
func checkedKinds(r *verify.Report) []string {
	isDisallowed := func(a seen.Answer) bool { return a.Got == seen.Disallowed }
	isUnasked := func(id string) bool {
		switch {
		case strings.HasPrefix(id, "robotstxt-hides-"): // what such a page says is not read
			return r.Host.Robots == nil || slices.ContainsFunc(r.Results, isDisallowed)
		case strings.HasPrefix(id, "robotstxt-"):
			return r.Host.Robots == nil || r.IsRobotsPage
		case strings.HasPrefix(id, "sitemap-"):
			return r.Summary.Source != verify.FromSitemaps || r.IsHomeAlone
		case id == "deployed-unexpected":
			return r.Summary.Source != verify.FromURLs
		}
		return false
	}
	return slices.DeleteFunc(slices.Concat(ownKinds, check.DeployedKinds()), isUnasked)
}

// ownKinds are those that nothing but answers can have.
var ownKinds = []string{"deployed-note", "deployed-redirect", "deployed-site", "deployed-unexpected", "deployed-unreachable",
	"sitemap-lists-disallowed", "sitemap-lists-noindex"}

// findings are those about a URL: that it is not what a sitemap or a list expects, and what a
// folder's checks find in its tags, its header lines and in what robots.txt keeps from it.
func (pg *deployedPage) findings(r *verify.Report) (all []policy.Finding) {
	a := &pg.answer
	isListed := r.Summary.Source == verify.FromSitemaps && !r.IsHomeAlone
	isNoindex := pg.told.State() == seen.Noindex
	isClosed := pg.told.Role == seen.Disallowed
	switch {
	case a.Want == wantNotIndexable && a.Verdict == seen.Match: // whatever keeps it out
	case a.Got == "":
		all = append(all, policy.Finding{ID: "deployed-unreachable", Severity: policy.Warning, URL: a.URL, Message: a.Why})
	case pg.isMoved():
		all = append(all, policy.Finding{ID: "deployed-redirect", Severity: policy.Note, URL: a.URL,
			Message: "it leads to " + a.Location})
	case isClosed && r.Shut != "": // no rule, but a robots.txt that cannot be read
		all = append(all, policy.Finding{ID: "deployed-unreachable", Severity: policy.Warning, URL: a.URL, Message: a.Why})
	case isClosed && isListed:
		all = append(all, policy.Finding{ID: "sitemap-lists-disallowed", Severity: policy.Warning, URL: a.URL,
			Message: "a sitemap lists it, and crawlers may not read it: " + a.Why})
	case isNoindex && a.URL == "/":
		all = append(all, policy.Finding{ID: "deployed-site", Severity: policy.Error, URL: a.URL,
			Message: "the home page is not in search results: " + reasons(&pg.decision, "", isIndex)})
	case isClosed && a.Want == wantIndexable:
		all = append(all, pg.unexpected("the list expects it in search results, and crawlers may not read it: "+a.Why))
	case isNoindex && a.Want == wantIndexable && !isListed:
		all = append(all, pg.unexpected("the list expects it in search results, where it is not: "+
			reasons(&pg.decision, "", isIndex)))
	case a.Verdict == seen.Looser:
		all = append(all, pg.unexpected(a.Why))
	case isNoindex && isListed:
		all = append(all, policy.Finding{ID: "sitemap-lists-noindex", Severity: policy.Warning, URL: a.URL,
			Message: "a sitemap lists it, and it is not in search results: " + reasons(&pg.decision, "", isIndex)})
	}
	if pg.told.Role == "" {
		for _, f := range a.Remarks.Faults {
			f.URL, f.Fix = a.URL, "" // which is what apply does
			if f.Line > 0 {          // of the answer, and of no file
				f.Line, f.Detail = 0, f.Detail+fmt.Sprintf(" (line %d)", f.Line)
			}
			all = append(all, f)
		}
		all = append(all, check.Deployed(a.URL, &pg.decision, func(crawler string) seen.Fetch {
			return pg.fetches([]string{crawler})[0]
		})...)
	}
	for _, text := range a.Notes {
		all = append(all, policy.Finding{ID: "deployed-note", Severity: policy.Note, URL: a.URL, Message: text})
	}
	return all
}

// What is wanted of a URL of a sitemap or a list, as [seen.Answer] has it.
const (
	wantIndexable    = "indexable"
	wantNotIndexable = "not indexable"
)

// unexpected is the finding that the URL is not as a list expects.
func (pg *deployedPage) unexpected(message string) policy.Finding {
	return policy.Finding{ID: "deployed-unexpected", Severity: policy.Warning, URL: pg.answer.URL, Message: message}
}
