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

// Pages are the pages in their public form, one after the other: a site may have more than are to
// be in memory.
func Pages(s *plan.Plan) iter.Seq[Page] {
	return func(yield func(Page) bool) {
		for _, pg := range s.Pages {
			if !yield(PageOf(s, pg)) {
				return
			}
		}
	}
}

// PageOf returns a page in its public form. Lists and maps that a reader of the JSON may expect are
// empty and not nil.
func PageOf(s *plan.Plan, pg *plan.Page) Page {
	facts := &pg.File.Facts
	r := Page{URL: pg.URL, File: pg.File.Name, Role: roleOf(pg), Title: pg.Title,
		Facts: Facts{facts.Kind, facts.Type, facts.Section, facts.Language, facts.Format},
		Meta:  metaOf(pg), Header: pg.Header(),
		LeftToTag: s.LeftToTag(pg), Asked: Asked{CarriedBy: plan.CarriedBy(s, pg)}, AI: pg.Decision.AI.ByUse(),
		Why: statements(pg.Decision, s.Project.Policy.Style)}
	if r.Header == nil {
		r.Header = []string{}
	}
	if at := s.Sites.ServedAt(pg); len(at) != 1 || at[0] != pg.URL {
		r.Served = append([]string{}, at...)
	}
	r.Canonical = canonicalOf(s, pg)
	if lead, ok := plan.LeadOf(s, pg); ok {
		r.Leads = &lead
	}
	for _, l := range pg.Others {
		r.Headers = append(r.Headers, HeaderLine{l.Name, l.Value, HeaderRule{l.Origin.File, l.Origin.Line}, l.Lost})
	}
	return r
}

// roleOf is the role of a page in words.
func roleOf(pg *plan.Page) string {
	if pg.File.Unknown {
		return RoleUnknown
	}
	return pg.File.Role.String()
}

// metaOf are the robots tags of a page by name. A page may have several tags of one name, if they
// are not ours to change: their contents are joined.
func metaOf(pg *plan.Page) map[string]string {
	meta := map[string]string{}
	for _, tag := range pg.Carries {
		if before, ok := meta[tag.Name]; ok {
			meta[tag.Name] = before + ", " + tag.Content
		} else {
			meta[tag.Name] = tag.Content
		}
	}
	return meta
}

// canonicalOf is the canonical link that a page gets because its version is old; nil for none.
func canonicalOf(s *plan.Plan, pg *plan.Page) *CanonicalLink {
	to := pg.TagsNewest()
	if to == "" {
		return nil
	}
	key := s.Project.Config.Robots.Versions.Canonical
	return &CanonicalLink{to, HeaderRule{key.File, key.Line}}
}

// AddressesOf are the addresses of a page. asked is a path by which somebody asked for the page, or
// "": if that is none of these addresses, what hosts answer there is added, if it is the page's
// file or a redirect to it.
func AddressesOf(s *plan.Plan, pg *plan.Page, asked string) (all []Address) {
	addresses := s.Sites.Of(pg.File.Name)
	isAsked := func(a address.Address) bool { return a.Path == asked }
	if asked != "" && !slices.ContainsFunc(addresses, isAsked) {
		for _, a := range s.Sites.At(asked) {
			redirectsHere := strings.HasPrefix(a.To, "/") && s.Sites.Names(a.To, pg.File.Name)
			if a.File == pg.File.Name || redirectsHere {
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

// New is a run in its public form, without its pages: see [Pages]. The findings are those of the
// checks, suppressed is how many more the owner accepts, and newly are the addresses of the pages
// that an earlier run left in the index.
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

// summaryOf counts what a plan holds, and lists the files beside the pages. What a whole run knows
// besides, such as its findings, [New] adds.
func summaryOf(s *plan.Plan) Summary {
	project := s.Project
	environment := &project.Environment
	// Lists are empty and not nil, so that JSON has "[]" for none.
	sum := Summary{
		Settings: Settings{Environment: environment.Name, ChosenBy: environment.By, Private: environment.Private,
			Policy: project.PolicyName(), Hosts: project.HostURLs(), Publish: project.Short(project.Settings.Publish)},
		Headers: headerFiles(s), Robots: []RobotsFile{}, HostFiles: hostFiles(s)}
	for _, pg := range s.Pages {
		sum.Counts.add(pg)
		sum.Changes.add(pg)
	}
	for _, m := range s.Sitemaps {
		if m.Dropped > 0 && !m.Index { // an index lists sitemaps, and no pages
			sum.Sitemaps++
			sum.SitemapEntries += m.Dropped
		}
	}
	for _, r := range s.HostFiles.Robots {
		sum.Robots = append(sum.Robots, RobotsFile{File: r.Change.File, Changed: r.Change.Differs(),
			Removed: r.Change.Removes()})
	}
	return sum
}

// headerFiles are the header files of a plan; empty and not nil for none. The file of a target that
// the configuration does not name any more is among them, since our lines are taken out of it.
func headerFiles(s *plan.Plan) []HeaderFile {
	all := []HeaderFile{}
	for _, h := range s.Headers {
		target := h.Target
		if h.Former {
			target += ", no longer a target"
		}
		all = append(all, HeaderFile{File: h.Change.File, Target: target, Rules: h.Result.Rules,
			Total: h.Result.Total, Limit: h.Result.Limit, GivenUp: len(h.Result.GivenUp),
			Changed: h.Change.Differs(), Removed: h.Change.Removes()})
	}
	return all
}

// deliveryOf are the header files that a plan is to make, or to leave as they are.
func deliveryOf(s *plan.Plan) *Delivery {
	d := &Delivery{Files: map[string]string{}}
	for _, h := range s.Headers {
		if !h.Reach.IsPlanned {
			continue
		}
		d.Files[h.Target] = h.Name()
		if h.Reach.KeepsOthersOut && !slices.Contains(d.OthersNoindex, h.Target) {
			d.OthersNoindex = append(d.OthersNoindex, h.Target)
		}
		d.OthersNamed = append(d.OthersNamed, h.Reach.Named...)
	}
	slices.Sort(d.OthersNoindex)
	slices.Sort(d.OthersNamed)
	d.OthersNamed = slices.Compact(d.OthersNamed)
	if len(d.OthersNoindex) > 0 && !s.Project.Policy.Hides() {
		d.OwnHosts, _ = s.Project.OwnHosts() // an error would have ended the run
		slices.Sort(d.OwnHosts)
	}
	for _, r := range s.HostFiles.Redirects {
		d.Redirected = append(d.Redirected, r.Stated...)
	}
	slices.Sort(d.Redirected)
	return d
}

// hostFiles are what the files beside the pages say of each host.
func hostFiles(s *plan.Plan) HostFiles {
	files := HostFiles{RobotsTxt: robotsTxt(s), Delivery: deliveryOf(s), Own: s.Project.Config.Robots.Headers.Hosts.Own}
	if managed := s.Project.Config.Robots.Txt.Managed; managed != robotstxt.Unmanaged {
		files.Managed = managed
	}
	for _, file := range s.HostFiles.AI {
		if file.Rules == nil || file.Kind.Carrier() != robotstxt.TDMRepFile {
			continue
		}
		if files.TDMRep == nil {
			files.TDMRep = map[string]robotstxt.Rules{}
		}
		files.TDMRep["/"+file.Host.Root] = file.Rules
	}
	return files
}

// robotsTxt are the files as crawlers read them, by the folders of their hosts; nil for a host that
// has none. A host below a path of its base URL is left out, since the robots.txt of the host is
// not the site's. So is a file that cannot be read: it is published, and not in the plan.
func robotsTxt(s *plan.Plan) robotstxt.PerHost {
	all := robotstxt.PerHost{}
	for _, h := range s.Project.Hosts.All {
		name := h.Root + "robots.txt"
		planned := slices.IndexFunc(s.HostFiles.Robots, func(r *plan.RobotsFile) bool { return r.Change.Name == name })
		isPublished := slices.ContainsFunc(s.Pages, func(pg *plan.Page) bool { return pg.File.Name == name })
		switch {
		case h.Base != "" || planned < 0 && isPublished:
		case planned < 0 || s.HostFiles.Robots[planned].Change.New == nil:
			all["/"+h.Root] = nil
		default:
			all["/"+h.Root] = s.HostFiles.Robots[planned].File
		}
	}
	return all
}

// add counts a file.
func (c *Counts) add(pg *plan.Page) {
	c.Files++
	role := pg.File.Role
	switch {
	case role == policy.RoleRedirect:
		c.Redirects++
	case role == policy.RoleError:
		c.Errors++
	case role == policy.RolePage && pg.Decision.NoIndex():
		c.Noindex++
	case role == policy.RolePage:
		c.Indexable++
	case pg.Decision.Restricts():
		c.OtherRestricted++
	}
	c.Pages = c.Indexable + c.Noindex
}

// add counts what the run changes in a file, and what the file carries then.
func (c *Changes) add(pg *plan.Page) {
	c.Links += int(pg.Links.Edited)
	if pg.Links.Edited > 0 {
		c.LinkPages++
	}
	if !pg.File.HTML {
		return
	}
	c.Tags += len(pg.Carries)
	if pg.Bytes.Change {
		c.Changed++
	} else {
		c.Unchanged++
	}
}

// RobotsTxt says whether the named crawlers or, without any, the usual ones may fetch a page. query
// is that of the URL that is asked for, with its question mark; empty for none.
func RobotsTxt(s *plan.Plan, pg *plan.Page, query string, crawlers []string) (all []seen.Fetch) {
	if len(crawlers) == 0 {
		crawlers = policy.UsualCrawlers
	}
	for _, crawler := range crawlers {
		all = append(all, published.Fetch(s, pg, query, crawler))
	}
	return all
}

// RobotsGroups says whether each of the crawlers that robots.txt treats differently may fetch a
// page: those that one group names together, "GPTBot, CCBot", and last all others. It is empty
// without a robots.txt.
func RobotsGroups(s *plan.Plan, pg *plan.Page) (all []seen.Fetch) {
	question := published.QuestionAbout(s, pg)
	if question.Robots == nil {
		return nil
	}
	ask := func(crawler, names string) {
		f, _ := question.Ask("", crawler)
		f.Crawler = names
		all = append(all, f)
	}
	groups := question.Robots.File.Groups()
	named, others := groups[:len(groups)-1], "every crawler" // the last is *
	for _, names := range named {
		ask(names[0], strings.Join(names, ", "))
		others = "every other crawler"
	}
	ask("*", others)
	return all
}
