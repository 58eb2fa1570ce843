package plan

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"

	"metarobots/emit/patch"
	"metarobots/emit/robotstxt"
	"metarobots/emit/sitemap"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A SitemapFile is one published sitemap, without the pages that leave it (S1), and what it lists that may be wrong
// there.
type SitemapFile struct {
	Output // without bytes where the file stays as it is
	// Dropped is how many of its generator's entries are left out: pages, or of an index sitemaps.
	Dropped int
	// Index: it lists sitemaps, not pages.
	Index bool
	// Noindex are the noindex pages that it goes on to list, because the owner keeps us from taking them out.
	Noindex []*Page
	// Alternates are the noindex pages that its hreflang links name, once for each link of a page that it lists.
	Alternates []*Page
	// Others are the other pages with a policy; none where no robots.txt keeps crawlers from anything.
	Others []*Page

	text []byte // unpacked
	file *sitemap.File
}

// findControl adds the sitemaps that robots.txt or a sitemap index names to the files that never get a policy (L6).
// names are all published files, sorted.
func (p *planner) findControl(names []string) {
	var read func(h project.Host, name string)
	add := func(h project.Host, location string) {
		to, ok := p.Project.Leads(h.Root+"robots.txt", location, true)
		name := strings.TrimPrefix(project.Decoded(to), "/")
		if _, published := slices.BinarySearch(names, name); ok && published && !p.control[name] {
			p.control[name] = true
			read(h, name)
		}
	}
	read = func(h project.Host, name string) {
		s, err := p.readSitemap(name)
		begin := s.text[:min(len(s.text), 64<<10)] // most are lists of pages, and long: their entries are not asked for
		if err != nil || !bytes.Contains(begin, []byte("sitemapindex")) || s.parse() != nil || !s.file.Index {
			return
		}
		for _, e := range s.file.Entries {
			add(h, e.Loc)
		}
	}
	for _, h := range p.Project.Hosts {
		if data, _, err := p.Project.ReadRobots(p.Project.Path(h.Root + "robots.txt")); err == nil {
			for _, l := range robotstxt.Parse(data).Sitemaps() {
				add(h, l.Value)
			}
		}
		for _, name := range names {
			if site.IsSitemap(name) && strings.HasPrefix(name, h.Root) {
				read(h, name)
			}
		}
	}
}

// planSitemaps takes noindex pages, redirects and error pages out of the sitemaps, and sitemaps that this empties out
// of their index. A preview's noindex says nothing of the pages: the environment does not count.
//
// One sitemap is in memory at a time, beside those that change: a large site has many.
func (p *planner) planSitemaps(robots []*RobotsFile) (all []*SitemapFile) {
	filter := p.Project.Config.Robots.FilterSitemap
	leaving := ServedPages(p.pages, (*Page).leavesSitemap)
	listable := listable(p.pages, robots)
	keep := func(s *SitemapFile) {
		p.list(s, leaving, listable)
		if s.file, s.text = nil, nil; !s.Changes() {
			s.Old, s.New = nil, nil
		}
		all = append(all, s)
	}
	var indexes, empty []*SitemapFile
	for _, pg := range p.pages {
		if pg.Role != policy.RoleControl ||
			!(site.IsSitemap(pg.Name) || strings.HasPrefix(pg.Kind, "sitemap") || p.control[pg.Name]) {
			continue
		}
		s, err := p.readSitemap(pg.Name)
		if err == nil {
			err = s.parse()
		}
		if err != nil && !errors.Is(err, sitemap.ErrNoSitemap) {
			p.report(p.About(pg, "sitemap", policy.Warning, 0,
				"it cannot be read and stays as it is: %s", project.Reason(err)))
		}
		if s.Index = s.file.Index; filter && s.Index {
			indexes = append(indexes, s)
			continue
		}
		if filter && s.filter(func(loc string) bool { return leaving[p.listed(s, loc)] != nil }) {
			empty = append(empty, s)
		}
		keep(s)
	}
	emptied := map[string]bool{}
	for _, s := range empty {
		emptied[project.ServedPath("/"+s.name)] = true
		text := "none of its pages may be indexed: the file is empty"
		if len(indexes) > 0 {
			text += " and leaves the sitemap index"
		}
		p.report(policy.Finding{ID: "sitemap-empty", Severity: policy.Warning, URL: site.URL(s.name), File: s.File,
			Message: text})
	}
	for _, s := range indexes {
		s.filter(func(loc string) bool { return emptied[p.listed(s, loc)] })
		keep(s)
	}
	slices.SortFunc(all, func(a, b *SitemapFile) int { return strings.Compare(a.name, b.name) })
	return all
}

// listable are the pages by the path that hosts serve; nil where no robots.txt keeps anybody from anything.
func listable(pages []*Page, robots []*RobotsFile) map[string]*Page {
	if !slices.ContainsFunc(robots, func(r *RobotsFile) bool { return r.New != nil && r.file.Disallows() }) {
		return nil
	}
	// others are told of anyway
	return ServedPages(pages, func(pg *Page) bool { return pg.Role.Policed() && !pg.Hidden() })
}

// list notes which of those pages a sitemap lists in the end.
func (p *planner) list(s *SitemapFile, leaving, listable map[string]*Page) {
	if len(listable) == 0 && len(leaving) == 0 {
		return
	}
	for _, entry := range s.file.Entries {
		at := p.listed(s, entry.Loc)
		if leaving[at] == nil {
			for _, alternate := range entry.Alternates {
				if pg := leaving[p.listed(s, alternate)]; pg != nil && pg.Decision.NoIndex() {
					s.Alternates = append(s.Alternates, pg)
				}
			}
		} else if pg := leaving[at]; pg.Decision.NoIndex() && !p.Project.Config.Robots.FilterSitemap {
			s.Noindex = append(s.Noindex, pg)
		}
		if pg := listable[at]; pg != nil {
			s.Others = append(s.Others, pg)
		}
	}
}

// leavesSitemap reports whether a page is no page to list, whatever the environment.
func (pg *Page) leavesSitemap() bool {
	return pg.Role == policy.RoleRedirect || pg.Role == policy.RoleError || pg.Hidden()
}

// ServedPages are the files of a kind by the path that hosts serve, in the form of [project.ServedPath]; where several
// files are served at one path, the last that is a page or restricted counts.
func ServedPages(all []*Page, which func(*Page) bool) map[string]*Page {
	pages := map[string]*Page{}
	for _, pg := range all {
		if which(pg) {
			pages[project.ServedPath(pg.Path.File)] = pg
		}
	}
	if len(pages) == 0 {
		return pages
	}
	for _, pg := range all {
		if !pg.HTML && !pg.Decision.Restricts() || which(pg) {
			continue
		}
		if path := project.ServedPath(pg.Path.File); pages[path] != nil && pages[path].Name < pg.Name {
			delete(pages, path)
		}
	}
	return pages
}

// listed returns the path from the publish root that an address in a sitemap names, in the form of [project.ServedPath];
// one that no file has for an address of another site.
func (p *planner) listed(s *SitemapFile, loc string) string {
	to, ok := p.Project.Leads(s.name, loc, true)
	if !ok || strings.Contains(loc, "?") {
		return "\x00"
	}
	return project.ServedAs(to)
}

// readSitemap reads a sitemap as its generator left it, and unpacks it.
func (p *planner) readSitemap(name string) (s *SitemapFile, err error) {
	s = &SitemapFile{Output: p.output(name), file: &sitemap.File{}}
	s.Old, err = p.Project.Read(s.path, project.MaxSitemap)
	s.New = p.own(&s.Output)
	if s.text = s.New; err == nil && s.packed() {
		s.text, err = unpack(s.New, project.MaxSitemap)
	}
	return s, err
}

// parse reads the entries of a sitemap. One that cannot be read has none.
func (s *SitemapFile) parse() error {
	file, err := sitemap.Read(s.text)
	if err == nil {
		s.file = file
	}
	return err
}

func (s *SitemapFile) packed() bool { return path.Ext(s.name) == ".gz" }

// filter takes out the entries that drop names, and reports whether none is left.
func (s *SitemapFile) filter(drop func(loc string) bool) (empty bool) {
	edits := s.file.Without(drop)
	s.Dropped = len(edits)
	own, n := s.New, len(s.file.Entries)
	if s.packed() && len(edits) > 0 {
		text := patch.New(s.text, edits)
		out, _ := text.Apply(nil, s.text)
		edits = patch.Between(own, pack(out))
	}
	s.New = s.edit(nil, own, s.Old, edits)
	return s.Dropped > 0 && s.Dropped == n
}
