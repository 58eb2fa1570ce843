package check

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"metarobots/internal/headerfile"
	"metarobots/internal/plan"
	"metarobots/internal/site"
	"metarobots/policy"
)

// noHTML reports a site without a single HTML file, which is hardly ever meant.
func noHTML(site *plan.Plan) []policy.Finding {
	if slices.ContainsFunc(site.Pages, func(pg *plan.Page) bool { return pg.File.HTML }) {
		return nil
	}
	return []policy.Finding{{ID: "no-html", Severity: policy.Warning, File: site.Project.Published(""),
		Message: "no HTML file is published there: is it the publish folder?"}}
}

// headerless reports what no tag can carry where the host has no headers (M5, N1).
func headerless(site *plan.Plan) []policy.Finding {
	host, deaf := headerfile.Deaf(site.Project)
	if !site.Headerless() && !deaf {
		return nil
	}
	t := tallyOf(site, func(pg *plan.Page) bool {
		return pg.File.Role.Policed() && pg.Decision.Restricts() && !pg.TakesTags()
	})
	if deaf {
		others := tallyOf(site, func(pg *plan.Page) bool {
			return slices.ContainsFunc(pg.Others, func(l headerfile.Line) bool { return !l.Found && !l.Lost })
		})
		const text = "%s %s, and %s (by %s) does not read _headers, so crawlers are not told; if the site is there, " +
			"set robots.headers.targets = [%q]"
		return append(
			t.findings(site, "no-header", policy.Warning, text, "only a header can restrict", t.pages(), host.Host.Name,
				host.By, host.Host.Target),
			others.findings(site, "no-header", policy.Warning, text, "rules give headers to", others.pages(),
				host.Host.Name, host.By, host.Host.Target)...)
	}
	return t.findings(site, "no-header", policy.Warning, "only a header can restrict %s, and "+
		"robots.headers.targets says that the host does not support any, so crawlers are not told", t.pages())
}

// notPublished reports pages of the site that are not in the publish folder.
func notPublished(site *plan.Plan) []policy.Finding {
	files := missing(site)
	if len(files) == 0 {
		return nil
	}
	return []policy.Finding{{ID: "not-published", Severity: policy.Note, File: site.Project.Published(files[0]),
		Message: fmt.Sprintf("%d files of the site's pages are not published, such as this one: was the folder "+
			"built from this source?", len(files))}}
}

// missing lists the files of the site's pages that are not in the publish folder. A build has none.
func missing(s *plan.Plan) []string {
	if s.Source.Builds() {
		return nil
	}
	created := map[string]bool{} // they are not published yet
	for _, o := range s.Outputs() {
		created[o.File] = o.Old == nil && o.New != nil
	}
	return slices.DeleteFunc(slices.Clone(s.Map.Expected()), func(name string) bool {
		return s.Page(name) != nil && !created[s.Project.Published(name)]
	})
}

// twoFiles reports two files for one URL: x.html and x/index.html.
func twoFiles(site *plan.Plan) (all []policy.Finding) {
	for _, pg := range site.Pages {
		dir, ok := strings.CutSuffix(pg.File.Name, "/index.html")
		if !ok || site.Page(dir+".html") == nil {
			continue
		}
		f := site.About(pg, "two-files", policy.Warning, 0, "%s.html and this file are both served at /%s: hosts "+
			"differ in which", dir, dir)
		f.URL = "/" + dir
		all = append(all, f)
	}
	return all
}

// precompressed reports the compressed copies of pages that change, which a server sends in a page's place: what a
// crawler gets may be the copy. The pipeline has to renew them.
// https://nginx.org/en/docs/http/ngx_http_gzip_static_module.html
// https://caddyserver.com/docs/caddyfile/directives/file_server#precompressed
func precompressed(site *plan.Plan) (all []policy.Finding) {
	for _, pg := range site.Pages {
		if !pg.Changes || !pg.File.HTML {
			continue
		}
		for _, ending := range []string{".gz", ".br", ".zst"} {
			if site.Page(pg.File.Name+ending) == nil {
				continue
			}
			all = append(all, policy.Finding{ID: "precompressed", Severity: policy.Error,
				URL: pg.URL, File: site.Project.Published(pg.File.Name + ending),
				Message: "the page changes and this compressed copy of it does not: compress after metarobots, or " +
					"the copy is served without the policy"})
		}
	}
	return all
}

func isDocument(pg *plan.Page) bool {
	return pg.File.Role.Policed() && site.IsDocument(pg.File.Name)
}

// unknownFiles reports documents that nothing of this site is known to make: what a template publishes under a name of
// its own is one, and what an earlier build left behind. Nobody finds the rest by itself, and a build makes such files
// under names that nobody foresees: styles, fingerprinted scripts, search data.
func unknownFiles(site *plan.Plan) []policy.Finding {
	t := tallyOf(site, func(pg *plan.Page) bool { return pg.File.Unknown && isDocument(pg) })
	return t.findings(site, "unknown-file", policy.Note, "no page or static file of this site is known to make %s: "+
		"only rules and the environment decide on such files (--verbose marks each as unknown)", t.pages())
}

// openFiles reports documents in the folder of a section that visibility hides, and beside a page of the same name that
// is noindex: they are no pages of the section, nor of the page, and stay in the index.
func openFiles(site *plan.Plan) []policy.Finding {
	sections, beside := tallies{}, &tally{}
	for _, pg := range site.Pages {
		if !isDocument(pg) || pg.Decision.NoIndex() {
			continue
		}
		at, dir := sectionOf(site, pg)
		switch of := site.PageOf(pg); {
		case at.Key != "":
			sections.add(fmt.Sprintf(hiddenFolder, at.Key, "/"+dir+"/**"), pg, at)
		case of != nil && of.Hidden() && pg.File.Role != policy.RoleResource: // resources = "own" says so of these
			beside.add(pg, policy.Origin{})
		}
	}
	return append(sections.findings(site, "section-files", policy.Warning, "%s: %s"),
		beside.findings(site, "page-files", policy.Warning, "the page of the same name is noindex, and %s may be "+
			"indexed: a rule with match = [%q] and robots = \"noindex\" keeps the file out", beside.pages(),
			beside.path())...)
}

// sectionOf is where visibility hides the list above a file, in dir; zero where it does not.
func sectionOf(site *plan.Plan, pg *plan.Page) (at policy.Origin, dir string) {
	for dir = path.Dir(pg.File.Name); dir != "."; dir = path.Dir(dir) {
		if list := site.Page(dir + "/index.html"); list != nil {
			return hiddenSection(list), dir
		}
	}
	return at, dir
}

// openFeeds reports feeds of lists that visibility hides, once for each key: they take nothing from it (L5), since a
// hidden list must not end a feed that people follow.
func openFeeds(site *plan.Plan) []policy.Finding {
	all := tallies{}
	for _, pg := range site.Pages {
		if pg.File.Role != policy.RoleOutput || pg.File.HTML || len(pg.File.Taxonomies) == 0 || pg.Decision.NoIndex() {
			continue
		}
		list := site.PageOf(pg)
		if list == nil {
			continue
		}
		i := slices.IndexFunc(list.Decision.Statements, func(s policy.Statement) bool {
			return s.Origin.Layer == policy.LayerVisibility && s.Crawler == "" && s.Directives.NoIndex()
		})
		if i < 0 {
			continue
		}
		folder, _, _ := strings.Cut(pg.File.Name, "/")
		at := list.Decision.Statements[i].Origin
		all.add(fmt.Sprintf(hiddenLists, at.Key, "/"+folder+"/**/*"+path.Ext(pg.File.Name)), pg, at)
	}
	return all.findings(site, "archive-feeds", policy.Note, "%s: %s")
}

const hiddenLists = "%s hides lists and not their feeds, which may be indexed; a rule with match = [%q] and robots = " +
	"\"noindex\" keeps them out"

const hiddenFolder = "%s hides the section's pages and not the files in its folder, which stay in the index unless a " +
	"rule hides them, match = [%q]"

// hiddenSection is where visibility hides the section of a page; zero where it does not.
func hiddenSection(pg *plan.Page) policy.Origin {
	i := slices.IndexFunc(pg.Decision.Statements, func(s policy.Statement) bool {
		return s.Origin.Layer == policy.LayerVisibility && strings.Contains(s.Origin.Key, "visibility.sections.") &&
			s.Crawler == "" && s.Directives.NoIndex()
	})
	if i < 0 {
		return policy.Origin{}
	}
	return pg.Decision.Statements[i].Origin
}
