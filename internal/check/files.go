package check

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/internal/address"
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
	f := policy.Finding{ID: "no-html", Severity: policy.Error, File: site.Project.Published(""),
		Message: "no HTML file is published there: is it the publish folder?"}
	isData := func(pg *plan.Page) bool {
		return pg.File.Role == policy.RoleOutput && pg.File.Facts.Kind == "page"
	}
	if site.Project.Generator == "html" || slices.ContainsFunc(site.Pages, isData) {
		f.Severity = policy.Warning // files alone, or a site that is made for programs
	}
	return []policy.Finding{f}
}

// headerless reports what no tag can carry where the host has no headers (M5, N1), or is one by all
// signs that reads another file than the _headers that is written ([headerfile.Deaf]). There the
// headers of rules are lost, too; of a host without headers the finding header-lost says so.
func headerless(site *plan.Plan) []policy.Finding {
	host, deaf := headerfile.Deaf(site.Project)
	if !site.Headerless() && !deaf {
		return nil
	}
	why := "the host sends no headers, so crawlers are not told\n\n: robots.headers.targets says " +
		"that it supports none"
	if deaf {
		why = fmt.Sprintf("%s (by %s) does not read _headers, so crawlers are not told\n\n; if "+
			"the site is there, set robots.headers.targets = [%q]", host.Host.Name, host.By,
			host.Host.Target)
	}
	return tallied(site, "no-header", policy.Warning, "{key} {pages}, and "+why, func(
		all tallies, pg *plan.Page) {
		if pg.Decision.Restricts() && !pg.TakesTags() {
			all.add("only a header can restrict", pg, policy.Origin{})
		} else {
			untagged(all, pg)
		}
		// Found lines are the owner's own, and of Lost ones another finding says so.
		isOfRule := func(l headerfile.Line) bool { return !l.Found && !l.Lost }
		if deaf && slices.ContainsFunc(pg.Others, isOfRule) {
			all.add("rules give headers to", pg, policy.Origin{})
		}
	})
}

// contradictedTargets reports targets if none is the host that all signs show: nobody there reads
// the header files that are written.
func contradictedTargets(site *plan.Plan) []policy.Finding {
	seen, isContradicted := headerfile.Contradicted(site.Project)
	if !isContradicted {
		return nil
	}
	file, line := site.Project.Config.Locate("headers", "targets")
	reads := "which takes no header file"
	if seen.Host.File != "" {
		reads = "which reads " + seen.Host.File
	}
	f := policy.Origin{File: file, Line: line, Key: "robots.headers.targets"}.Finding("target-sign",
		policy.Warning,
		"no target is %s, %s, and %s shows that the site is there", seen.Host.Name, reads, seen.By)
	f.Fix = fmt.Sprintf(". If it is, set robots.headers.targets = [%q]", seen.Host.Target)
	return []policy.Finding{f}
}

// untagged counts a page for each crawler that reads no tag and is restricted there more than
// everyone.
func untagged(all tallies, pg *plan.Page) {
	for _, crawler := range pg.Decision.Untagged() {
		at := pg.Decision.UntaggedAt(crawler)
		all.add(fmt.Sprint(crawler, at), pg, at).key = crawler +
			" reads no tags: only a header can restrict it on"
	}
}

// leftToTags reports the crawlers that read no tags, on pages which are left to their tags because
// the header rules do not fit the host's limit (N2): a restriction for such a crawler reaches
// nobody there. It is reported once for each line of the configuration that states one, once for
// all that pages state in their front matter, and once for all that their tags state. Without such
// a crawler, tags say all, and there is nothing to report.
func leftToTags(site *plan.Plan) []policy.Finding {
	if site.Overflow() != nil {
		return nil // another finding is that error, and nothing is written
	}
	byStatement := tallies{}
	for _, pg := range site.Pages {
		if site.LeftToTag(pg) {
			addUnreached(byStatement, pg)
		}
	}
	for _, t := range byStatement {
		reads := " reads"
		if len(t.crawlers) > 1 {
			reads = " read"
		}
		t.key = strings.Join(t.crawlers, ", ") + reads // what {key} becomes
		t.at = placeShowing(t.at, otherWays(site, t.crawlers))
	}
	return byStatement.findings(site, "header-budget", policy.Warning,
		"{key} no tags, and the header rules for {pages} do not fit the host's limit, so this "+
			"restriction is missing there\n\n. {at}")
}

// addUnreached counts a page for each statement that restricts a crawler there which reads no tags,
// and adds that crawler to those of the tally. All front matter has one tally, and so have all
// tags: such a statement is at another place for each page.
func addUnreached(byStatement tallies, pg *plan.Page) {
	for _, crawler := range pg.Decision.Untagged() { // each is restricted more than everyone
		at := pg.Decision.UntaggedAt(crawler)
		key := at.Place()
		isOfThePage := at.Layer == policy.LayerPage || at.Layer == policy.LayerFound
		if isOfThePage {
			key = at.Layer.String()
		}
		if t := byStatement.add(key, pg, at); !slices.Contains(t.crawlers, crawler) {
			t.crawlers = append(t.crawlers, crawler)
		}
	}
}

// otherWays says how to restrict crawlers that read no tags, if the rules for single pages do not
// fit.
func otherWays(site *plan.Plan, crawlers []string) string {
	ways := []string{"One rule for a whole folder with all its files may fit"}
	obeys := slices.DeleteFunc(slices.Clone(crawlers), func(name string) bool {
		c, ok := site.Project.Policy.Crawlers.Lookup(name)
		return !ok || c.RobotsTxt.MayIgnore
	})
	if len(obeys) > 0 {
		ways = append(ways, "robots.txt can keep out "+strings.Join(obeys, ", "))
	}
	forBoth := func(h *headerfile.File) bool { return h.Target == headers.TargetPortable }
	if slices.ContainsFunc(site.Headers, forBoth) {
		ways = append(ways, "robots.headers.targets can name the host: Cloudflare alone needs fewer "+
			"rules, Netlify has no limit")
	}
	return strings.Join(append(ways, `robots.headers.scope = "all" makes this an error`), "; ")
}

// notPublished reports pages of the site that are not in the publish folder. A build has none.
func notPublished(site *plan.Plan) []policy.Finding {
	if site.Source.Builds() {
		return nil
	}
	created := map[string]bool{} // they are not published yet
	for _, f := range site.Files() {
		o := f.Output()
		created[o.File] = o.Old == nil && o.New != nil
	}
	files := slices.DeleteFunc(slices.Clone(site.Map.Expected()), func(name string) bool {
		return site.Page(name) != nil && !created[site.Project.Published(name)]
	})
	if len(files) == 0 {
		return nil
	}
	return []policy.Finding{{ID: "not-published", Severity: policy.Note,
		File: site.Project.Published(files[0]),
		Message: fmt.Sprintf("%s not published, such as this one: was the folder built from this "+
			"source?",
			robotstag.Count(len(files), "file of the site's pages is",
				"files of the site's pages are"))}}
}

// twoFiles reports files that no address of a host leads to, because another file takes them all:
// once for a rule of the owner's, at its line. If neither of x.html and x/index.html is such a
// file, it reports them as two files for one URL, /x, whatever the site's own hosts do there.
func twoFiles(site *plan.Plan) (all []policy.Finding) {
	hidden, hosts := tallies{}, hostSites{}
	for _, pg := range site.Pages {
		if by, host := hosts.findHider(site, pg); by != nil {
			key, at := pg.URL, policy.Origin{} // the page's own file
			if by.Route != nil {               // a rule of the owner's, which may hide many
				at = by.Route.Origin
				key = policy.Placed(at.File, at.Line, at.Key)
			}
			serves := fmt.Sprintf("%s serves %s at %s", host, by.File, by.Path)
			hidden.add(key, pg, placeShowing(at, serves)) // which {at} becomes
			continue
		}
		dir, isIndex := strings.CutSuffix(pg.File.Name, "/index.html")
		if !isIndex {
			continue
		}
		other := site.Page(dir + ".html")
		if other == nil {
			continue
		}
		by, _ := hosts.findHider(site, other)
		if by == nil { // else the other file is reported as hidden
			const noLine = 0
			url := strings.TrimSuffix(pg.URL, "/")
			f := site.About(pg, "two-files", policy.Warning, noLine,
				"%s.html and this file are both served at %s: hosts differ in which", dir, url)
			f.URL = url
			all = append(all, f)
		}
	}
	return append(all, hidden.findings(site, "two-files", policy.Warning,
		"no address is left for {pages}: {at}")...)
}

// hostSites are a site's addresses as each single target serves them ([address.Site.On]), such as
// Netlify and Cloudflare if either may be the host. The key is the folder of the publish root that
// is served: "", or "de/" of a site that has a host for each language ([project.Host.Root]).
type hostSites map[string][]*address.Site

// of are the addresses below one such folder, for each of the targets that may serve it.
func (all hostSites) of(root string, addresses *address.Site) []*address.Site {
	if all[root] == nil {
		isTaken := map[string]bool{} // Cloudflare may serve in two ways, by Pages or by a Worker
		for _, h := range addresses.Handlings() {
			if !isTaken[h.Host] {
				isTaken[h.Host] = true
				all[root] = append(all[root], addresses.On(h.Host))
			}
		}
	}
	return all[root]
}

// findHider returns the address of the file that takes a page's URL on a target that serves the
// page's own file nowhere, and the name of that host; nil if no target hides the page. If a target
// may serve in several ways, the page is hidden if none of them serves it, and the name is that of
// the first way.
//
// With x.html and x/index.html published, a host that serves x/index.html at /x/, and redirects /x
// there, hides x.html. A page is not hidden where a line of its owner's redirects it, or where the
// host has nothing but its fallback, a file that it serves wherever nothing is published. A file
// without a policy is not looked for: nothing is lost with it.
func (all hostSites) findHider(
	site *plan.Plan, pg *plan.Page,
) (by *address.Address, hostName string) {
	// publisher is the host of the site that serves the file, file its name from that host's folder.
	publisher, addresses, file := site.Site(pg.File.Name)
	isServed := addresses != nil
	if !isServed || !pg.File.Role.Policed() || !mayHide(site, addresses, pg) {
		return nil, ""
	}
	// The page's URL at its host. The Root, which is a language, has no character to encode.
	request := "/" + strings.TrimPrefix(pg.URL[1:], publisher.Root)
	serves := func(a address.Address) bool { return a.Serves() }
	for _, single := range all.of(publisher.Root, addresses) {
		if slices.ContainsFunc(single.Of(file), serves) { // this target serves the page somewhere
			continue
		}
		for _, answer := range single.At(request) {
			answer = followHost(single, answer)
			if answer.Serves() && answer.By != address.Fallback {
				return &answer, single.Handlings()[0].Name
			}
		}
	}
	return nil, ""
}

// followHost returns where a host's own redirects lead from an address. It ends before a redirect
// of the owner's. A host always has a first answer, which is what it does by the path alone.
func followHost(single *address.Site, a address.Address) address.Address {
	for range address.MostHops {
		if a.Route != nil || !strings.HasPrefix(a.To, "/") {
			break
		}
		a = single.At(a.To)[0]
	}
	return a
}

// mayHide reports whether anything may take all addresses of a page: a rule that goes before
// published files, or the other file of x.html and x/index.html. It is a quick answer, false for
// most pages.
func mayHide(site *plan.Plan, addresses *address.Site, pg *plan.Page) bool {
	return site.Page(address.Sibling(pg.File.Name)) != nil ||
		slices.ContainsFunc(addresses.Routes(),
			func(r *address.Route) bool { return r.BeforeFiles })
}

// precompressed reports the compressed copies of pages that change, which a server sends in a
// page's place: what a crawler gets may be the copy. The pipeline has to renew them.
// https://nginx.org/en/docs/http/ngx_http_gzip_static_module.html
// https://caddyserver.com/docs/caddyfile/directives/file_server#precompressed
func precompressed(site *plan.Plan) (all []policy.Finding) {
	for _, pg := range site.Pages {
		if !pg.Bytes.Change || !pg.File.HTML {
			continue
		}
		for _, ending := range []string{".gz", ".br", ".zst"} {
			if site.Page(pg.File.Name+ending) == nil {
				continue
			}
			all = append(all, policy.Finding{ID: "precompressed", Severity: policy.Error,
				URL: pg.URL, File: site.Project.Published(pg.File.Name + ending),
				Message: "the page changes and this compressed copy of it does not: compress " +
					"after metarobots, or the copy is served without the policy"})
		}
	}
	return all
}

func isDocument(pg *plan.Page) bool {
	return pg.File.Role.Policed() && site.IsDocument(pg.File.Name)
}

// unknownFiles reports documents that nothing of this site is known to make: what a template
// publishes under a name of its own is one, and what an earlier build left behind. Nobody finds the
// rest by itself, and a build makes such files under names that nobody foresees: styles,
// fingerprinted scripts, search data.
func unknownFiles(site *plan.Plan) []policy.Finding {
	return tallied(site, "unknown-file", policy.Note,
		"metarobots does not know what generates {pages}: only rules and the environment decide "+
			"on such files (--verbose marks each as unknown)",
		countIf(func(pg *plan.Page) bool { return pg.File.Unknown && isDocument(pg) }))
}

// openFiles reports documents in the folder of a section that visibility hides, and beside a page
// of the same name that is noindex: they are no pages of the section, nor of the page, and stay in
// the index.
func openFiles(site *plan.Plan) []policy.Finding {
	sections, beside := tallies{}, tallies{}
	for _, pg := range site.Pages {
		if !isDocument(pg) || pg.Decision.NoIndex() {
			continue
		}
		at, dir, isHidden := hiddenSectionOf(site, pg)
		page := site.PageOf(pg)                           // of the same name, or nil
		isResource := pg.File.Role == policy.RoleResource // resources = "own" says so of these
		switch {
		case isHidden:
			sections.add(fmt.Sprintf("match = [%q]", "/"+dir+"/**"), pg, at)
		case page != nil && page.Hidden() && !isResource:
			beside.add(oneTally, pg, policy.Origin{})
		}
	}
	return append(
		sections.findings(site, "section-files", policy.Warning,
			"{at} hides the section's pages and not the files in its folder, which stay in the index "+
				"unless a rule hides them, {key}: {pages}"),
		beside.findings(site, "page-files", policy.Warning, "the page of the same name is "+
			"noindex, and {pages} may be indexed: a rule with match = [\"{path}\"] and robots = "+
			"\"noindex\" keeps the file out")...)
}

// hiddenSectionOf is where visibility hides the section of a file: the list, in the folder dir,
// that is next above the file. isHidden is false if it does not, or if there is no list.
func hiddenSectionOf(
	site *plan.Plan, pg *plan.Page,
) (at policy.Origin, dir string, isHidden bool) {
	for dir = path.Dir(pg.File.Name); dir != "."; dir = path.Dir(dir) {
		if list := site.Page(dir + "/index.html"); list != nil {
			at, isHidden = hiddenByVisibility(list, "visibility.sections.")
			return at, dir, isHidden
		}
	}
	return at, "", false
}

// hiddenByVisibility is where visibility, by a key that holds a text, hides a page from everyone.
func hiddenByVisibility(pg *plan.Page, keyPart string) (at policy.Origin, isHidden bool) {
	return pg.Decision.NoIndexBy(func(o policy.Origin) bool {
		return o.Layer == policy.LayerVisibility && strings.Contains(o.Key, keyPart)
	})
}

// openFeeds reports feeds of lists that visibility hides, once for each key: they take nothing from
// it (L5), since a hidden list must not end a feed that people follow.
func openFeeds(site *plan.Plan) []policy.Finding {
	return tallied(site, "archive-feeds", policy.Note,
		"{at} hides lists and not their feeds, which may be indexed\n; a rule with {key} and "+
			"robots = \"noindex\" keeps them out: {pages}", func(all tallies, pg *plan.Page) {
			list := site.PageOf(pg)
			isFeed := pg.File.Role == policy.RoleOutput && !pg.File.HTML
			isOfTaxonomy := len(pg.File.Taxonomies) > 0
			if !isFeed || !isOfTaxonomy || pg.Decision.NoIndex() || list == nil {
				return
			}
			const anyKey = ""
			if at, isHidden := hiddenByVisibility(list, anyKey); isHidden {
				glob := "/" + archiveFolder(site, pg) + "/**/*" + path.Ext(pg.File.Name)
				all.add(fmt.Sprintf("match = [%q]", glob), pg, at)
			}
		})
}

// archiveFolder is the folder of the feeds of one taxonomy: of the feed of a term the folder of the
// taxonomy's own list, en/tags of en/tags/x/index.xml, if it is there; else the folder of the feed
// itself.
func archiveFolder(site *plan.Plan, feed *plan.Page) string {
	own := path.Dir(feed.File.Name)
	above := path.Dir(own)
	list := site.Page(above + "/index.html")
	if list != nil && slices.Equal(list.File.Taxonomies, feed.File.Taxonomies) {
		return above
	}
	return own
}
