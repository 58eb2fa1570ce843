package result

import (
	"iter"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/address"
	"metarobots/internal/plan"
	"metarobots/internal/published"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// Pages are the pages in their public form, one after the other: a site may have more than are to be in memory.
func Pages(s *plan.Plan) iter.Seq[Page] {
	return func(yield func(Page) bool) {
		for _, pg := range s.Pages {
			if !yield(PageOf(s, pg)) {
				return
			}
		}
	}
}

// PageOf returns a page in its public form.
func PageOf(s *plan.Plan, pg *plan.Page) Page {
	is := &pg.File.Facts
	r := Page{URL: pg.URL, File: pg.File.Name, Role: pg.File.Role.String(), Title: pg.Title, Kind: is.Kind,
		Type: is.Type, Section: is.Section, Language: is.Language, Format: is.Format,
		Meta: map[string]string{}, Header: pg.Header(), LeftToTag: s.LeftToTag(pg),
		Why: statements(pg.Decision, s.Project.Policy.Style)}
	if pg.File.Unknown {
		r.Role = RoleUnknown
	}
	if r.Header == nil {
		r.Header = []string{}
	}
	if at := s.Sites.ServedAt(pg); len(at) != 1 || at[0] != pg.URL {
		r.Served = append([]string{}, at...)
	}
	for _, t := range pg.Carries {
		if was, ok := r.Meta[t.Name]; ok { // several tags of one name that are not ours to change
			t.Content = was + ", " + t.Content
		}
		r.Meta[t.Name] = t.Content
	}
	r.AI = pg.Decision.AI.ByUse()
	for _, l := range pg.Others {
		r.Headers = append(r.Headers, HeaderLine{l.Name, l.Value, HeaderRule{l.Origin.File, l.Origin.Line}, l.Lost})
	}
	return r
}

// AddressesOf are the addresses of a page, with what is answered at a path by which it was asked for; empty for none.
func AddressesOf(s *plan.Plan, pg *plan.Page, asked string) (all []Address) {
	addresses := s.Sites.Of(pg.File.Name)
	if asked != "" && !slices.ContainsFunc(addresses, func(a address.Address) bool { return a.Path == asked }) {
		for _, a := range s.Sites.At(asked) {
			if a.File == pg.File.Name || strings.HasPrefix(a.To, "/") && s.Sites.Names(a.To, pg.File.Name) {
				addresses = append(addresses, a)
			}
		}
	}
	for _, a := range addresses {
		all = append(all, AddressOf(a))
	}
	return all
}

// AddressOf returns an address in its public form.
func AddressOf(a address.Address) Address {
	one := Address{Path: a.Path, By: a.By, RedirectsTo: a.To}
	if a.Route != nil {
		one.Rule = &HeaderRule{a.Route.Origin.File, a.Route.Origin.Line}
	}
	return one
}

// statements are those of a decision; style is that of what is printed.
func statements(d *policy.Decision, style policy.Style) []Why {
	all := make([]Why, len(d.Statements))
	for i, st := range d.Statements {
		o := st.Origin
		all[i] = Why{Layer: o.Layer, File: o.File, Line: o.Line, Key: o.Key, States: st.States(), AI: st.AI.String()}
	}
	for _, i := range d.Deciding(style) {
		all[i].Decides = true
	}
	return all
}

// New is a run in its public form, without its pages: see [Pages]. The findings are those of the checks, suppressed is
// how many more the owner accepts, and newly are the addresses of the pages that an earlier run left in the index.
func New(s *plan.Plan, findings []policy.Finding, suppressed int, newly []string) *Result {
	r := &Result{Pages: []Page{}, Findings: append([]policy.Finding{}, findings...), Summary: summaryOf(s)}
	pages, others := s.Differing()
	sum := &r.Summary
	sum.ChangedFiles, sum.NewlyNoindex = append(append([]string{}, pages...), others...), newly
	sum.Findings, sum.Suppressed = Count(findings), suppressed
	return r
}

// Count counts findings by severity.
func Count(findings []policy.Finding) map[policy.Severity]int {
	counts := map[policy.Severity]int{}
	for _, f := range findings {
		counts[f.Severity]++
	}
	return counts
}

// summaryOf counts what a plan holds.
func summaryOf(s *plan.Plan) Summary {
	project := s.Project
	environment := &project.Environment
	sum := Summary{Environment: environment.Name, ChosenBy: environment.By, Private: environment.Private,
		Policy: project.PolicyName(), Hosts: project.HostURLs(), Publish: project.Short(project.Settings.Publish),
		Files: len(s.Pages), Headers: []HeaderFile{}, Robots: []RobotsFile{}}
	for _, pg := range s.Pages {
		sum.count(pg)
	}
	for _, h := range s.Headers {
		target := h.Target
		if h.Former {
			target += ", no longer a target"
		}
		sum.Headers = append(sum.Headers, HeaderFile{File: h.Change.File, Target: target, Rules: h.Result.Rules,
			Total: h.Result.Total, Limit: h.Result.Limit, GivenUp: len(h.Result.GivenUp),
			Changed: h.Change.Differs(), Removed: h.Change.Removes()})
	}
	for _, m := range s.Sitemaps {
		if m.Dropped > 0 && !m.Index {
			sum.Sitemaps, sum.SitemapEntries = sum.Sitemaps+1, sum.SitemapEntries+m.Dropped
		}
	}
	for _, r := range s.Robots {
		sum.Robots = append(sum.Robots, RobotsFile{File: r.Change.File, Changed: r.Change.Differs(),
			Removed: r.Change.Removes()})
	}
	sum.HostFiles.RobotsTxt = robotsTxt(s)
	if managed := project.Config.Robots.Txt.Managed; managed != robotstxt.Unmanaged {
		sum.HostFiles.Managed = managed
	}
	for _, t := range s.AIFiles {
		if t.Rules == nil || t.Kind.Carrier() != robotstxt.TDMRepFile {
			continue
		}
		if sum.HostFiles.TDMRep == nil {
			sum.HostFiles.TDMRep = map[string]robotstxt.Rules{}
		}
		sum.HostFiles.TDMRep["/"+t.Host.Root] = t.Rules
	}
	return sum
}

// robotsTxt are the files as crawlers read them. A host below a path of its base URL is left out, since the robots.txt of
// the host is not the site's. So is a file that cannot be read: it is published, and not in the plan.
func robotsTxt(s *plan.Plan) robotstxt.PerHost {
	all := robotstxt.PerHost{}
	for _, h := range s.Project.Hosts {
		name := h.Root + "robots.txt"
		planned := slices.IndexFunc(s.Robots, func(r *plan.RobotsFile) bool { return r.Change.Name == name })
		isPublished := slices.ContainsFunc(s.Pages, func(pg *plan.Page) bool { return pg.File.Name == name })
		switch {
		case h.Base != "" || planned < 0 && isPublished:
		case planned < 0 || s.Robots[planned].Change.New == nil:
			all["/"+h.Root] = nil
		default:
			all["/"+h.Root] = s.Robots[planned].File
		}
	}
	return all
}

// count adds a page to a summary.
func (s *Summary) count(pg *plan.Page) {
	role := pg.File.Role
	switch {
	case role == policy.RoleRedirect:
		s.Redirects++
	case role == policy.RoleError:
		s.Errors++
	case role == policy.RolePage && pg.Decision.NoIndex():
		s.Noindex++
	case role == policy.RolePage:
		s.Indexable++
	case pg.Decision.Restricts():
		s.OtherRestricted++
	}
	s.Pages = s.Indexable + s.Noindex
	if s.Links += int(pg.Links); pg.Links > 0 {
		s.LinkPages++
	}
	if !pg.File.HTML {
		return
	}
	if s.Tags += len(pg.Carries); pg.Changes {
		s.Changed++
	} else {
		s.Unchanged++
	}
}

// RobotsTxt says whether the named crawlers or, without any, the usual ones may fetch a page. query is that of the URL
// that is asked for, with its question mark; empty for none.
func RobotsTxt(s *plan.Plan, pg *plan.Page, query string, crawlers []string) (all []seen.Fetch) {
	if len(crawlers) == 0 {
		crawlers = policy.UsualCrawlers
	}
	for _, crawler := range crawlers {
		all = append(all, published.Fetch(s, pg, query, crawler))
	}
	return all
}

// RobotsGroups says whether each of the crawlers that robots.txt treats differently may fetch a page: several names
// together, and all others. None without a robots.txt.
func RobotsGroups(s *plan.Plan, pg *plan.Page) (all []seen.Fetch) {
	question := published.About(s, pg)
	if question.Robots == nil {
		return nil
	}
	add := func(crawler, names string) {
		f, _ := question.Ask("", crawler)
		f.Crawler = names
		all = append(all, f)
	}
	groups, others := question.Robots.File.Groups(), "every crawler"
	for _, names := range groups[:len(groups)-1] {
		add(names[0], strings.Join(names, ", "))
		others = "every other crawler"
	}
	add("*", others)
	return all
}
