package cli

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/check"
	"metarobots/internal/seen"
	"metarobots/internal/verify"
	"metarobots/policy"
)

// siteFindings are those about a deployed site as a whole, and never nil.
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

// disallowedSite is the finding that one rule of robots.txt keeps crawlers from all that was
// requested, and from the home page at base; nil if none does. A list whose URLs are all not
// indexable wants that.
func disallowedSite(r *verify.Report, base *url.URL, pages []deployedPage) *policy.Finding {
	if r.Host.Robots == nil || r.Shut != "" || len(pages) == 0 {
		return nil
	}
	home := r.Host.Robots.Ask("*", base.EscapedPath())
	isFreed := func(pg deployedPage) bool {
		access := r.Host.Robots.Ask("*", pg.question.Path)
		return pg.told.Role != seen.Disallowed || access.Allowed || access.Line != home.Line
	}
	isWanted := func(pg deployedPage) bool { return pg.answer.Want != wantNotIndexable }
	if home.Allowed || slices.ContainsFunc(pages, isFreed) || !slices.ContainsFunc(pages, isWanted) {
		return nil
	}
	return &policy.Finding{ID: "deployed-disallowed", Severity: policy.Error, URL: pages[0].answer.URL,
		Message: fmt.Sprintf("of %s requested, crawlers may read none: %s",
			robotstag.Count(len(pages), "URL", "URLs"), pages[0].answer.Why)}
}

// robotsFindings are those about the text of robots.txt; none if a page is in its place. They name
// rules that match none of the pages.
func robotsFindings(r *verify.Report, pages []deployedPage) []policy.Finding {
	if r.IsRobotsPage {
		return nil
	}
	var paths []string
	for i := range pages {
		paths = append(paths, pages[i].question.Path)
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
var ownKinds = []string{"deployed-disallowed", "deployed-note", "deployed-redirect", "deployed-site", "deployed-unexpected",
	"deployed-unreachable", "sitemap-lists-disallowed", "sitemap-lists-noindex"}

// findings are those about one URL of a report: that it is not what a sitemap or a list expects of
// it, what a folder's checks find in its tags and header lines and in what robots.txt keeps from
// it, and what else its owner may want to know.
func (pg *deployedPage) findings(r *verify.Report) (all []policy.Finding) {
	if other := pg.unexpected(r); other != nil {
		all = append(all, *other)
	}
	if wasRead := pg.told.Role == ""; wasRead { // a role says why not, or that it is no page
		all = append(all, pg.faultsOfText()...)
		all = append(all, check.Deployed(pg.answer.URL, &pg.decision, pg.fetchOf)...)
	}
	for _, text := range pg.answer.Notes {
		all = append(all, *pg.finding("deployed-note", policy.Note, text))
	}
	return all
}

// What is wanted of a URL of a sitemap or a list, as [seen.Answer] has it.
const (
	wantIndexable    = "indexable"
	wantNotIndexable = "not indexable"
)

// unexpected is the finding that a URL is not what the site, its sitemaps or a list make one
// expect; nil if it is. It is one alone: what a case of the switch finds explains what later ones
// would find.
func (pg *deployedPage) unexpected(r *verify.Report) *policy.Finding {
	a := &pg.answer
	isDisallowed := pg.told.Role == seen.Disallowed
	isKeptOutAsListed := a.Want == wantNotIndexable && a.Verdict == seen.Match
	isUnread := a.Got == "" // nothing can be read there
	switch {
	case isKeptOutAsListed:
		return nil
	case isUnread:
		return pg.finding("deployed-unreachable", policy.Warning, a.Why)
	case pg.isMoved():
		return pg.finding("deployed-redirect", policy.Note, "it leads to "+a.Location)
	case isDisallowed:
		return pg.unexpectedlyDisallowed(r)
	case pg.told.State() == seen.Noindex:
		return pg.unexpectedlyNoindex(r)
	}
	return pg.unexpectedlyLoose()
}

// unexpectedlyDisallowed is [deployedPage.unexpected] of a URL that crawlers may not read.
func (pg *deployedPage) unexpectedlyDisallowed(r *verify.Report) *policy.Finding {
	a := &pg.answer
	switch isShut := r.Shut != ""; {
	case isShut: // by no rule: robots.txt cannot be read
		return pg.finding("deployed-unreachable", policy.Warning, a.Why)
	case isOfSitemaps(r):
		return pg.finding("sitemap-lists-disallowed", policy.Warning,
			"a sitemap lists it, and crawlers may not read it: "+a.Why)
	case a.Want == wantIndexable:
		return pg.finding("deployed-unexpected", policy.Warning,
			"the list expects it in search results, and crawlers may not read it: "+a.Why)
	}
	return pg.unexpectedlyLoose()
}

// unexpectedlyNoindex is [deployedPage.unexpected] of a URL that is noindex. Of the home page that
// is an error, whether a sitemap, a list or nothing lists it.
func (pg *deployedPage) unexpectedlyNoindex(r *verify.Report) *policy.Finding {
	switch a := &pg.answer; {
	case a.URL == "/":
		return pg.finding("deployed-site", policy.Error,
			"the home page is not in search results: "+pg.noindexReasons())
	case a.Want == wantIndexable && !isOfSitemaps(r):
		return pg.finding("deployed-unexpected", policy.Warning,
			"the list expects it in search results, where it is not: "+pg.noindexReasons())
	case a.Verdict != seen.Looser && isOfSitemaps(r):
		return pg.finding("sitemap-lists-noindex", policy.Warning,
			"a sitemap lists it, and it is not in search results: "+pg.noindexReasons())
	}
	return pg.unexpectedlyLoose()
}

// unexpectedlyLoose is the finding that a URL restricts less than is expected, as one that a list
// calls not indexable; nil if it does not.
func (pg *deployedPage) unexpectedlyLoose() *policy.Finding {
	if pg.answer.Verdict != seen.Looser {
		return nil
	}
	return pg.finding("deployed-unexpected", policy.Warning, pg.answer.Why)
}

// isOfSitemaps reports whether the URLs of a report are those that sitemaps list. If none lists
// any, the home page alone is asked for, and no sitemap says anything of it.
func isOfSitemaps(r *verify.Report) bool {
	return r.Summary.Source == verify.FromSitemaps && !r.IsHomeAlone
}

// noindexReasons says what makes the URL noindex for everyone.
func (pg *deployedPage) noindexReasons() string { return reasons(&pg.decision, everyone, isIndex) }

// finding is a finding about the URL.
func (pg *deployedPage) finding(id string, severity policy.Severity, message string) *policy.Finding {
	return &policy.Finding{ID: id, Severity: severity, URL: pg.answer.URL, Message: message}
}

// faultsOfText are what is wrong with the URL's robots tags and X-Robots-Tag lines. Their fixes are
// left out: they say what apply would do to a file. A line is one of the answer and of no file, so
// the text names it.
func (pg *deployedPage) faultsOfText() []policy.Finding {
	faults := slices.Clone(pg.answer.Remarks.Faults)
	for i := range faults {
		f := &faults[i]
		f.URL, f.Fix = pg.answer.URL, ""
		if f.Line > 0 {
			f.Detail += fmt.Sprintf(" (line %d)", f.Line)
			f.Line = 0
		}
	}
	return faults
}
