package plan

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"metarobots/emit/patch"
	"metarobots/emit/robotstxt"
	"metarobots/emit/sitemap"
	"metarobots/internal/disk"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/internal/versions"
	"metarobots/policy"
)

// A SitemapFile is one published sitemap, without the pages that leave it (S1).
type SitemapFile struct {
	Change state.Output // without bytes if the file stays as it is
	// Dropped is how many of its generator's entries are left out: pages, or of an index sitemaps.
	Dropped int
	// Index: it lists sitemaps, not pages.
	Index bool
	// Listed are the files of the entries that stay: noindex pages too, if the owner keeps us from taking them out.
	Listed []*Page
	// Leaving are the files of the entries that this run takes out and that no earlier run did.
	Leaving []*Page
	// Alternates are the noindex pages that hreflang links of its other entries name, once for each link.
	Alternates []*Page
	// Redirected are those of its addresses, as encoded paths from the publish root, that hosts only redirect.
	Redirected []string
	// Relative are those of its addresses that are no whole URLs, as /about/: crawlers do not accept them.
	Relative []string
	// Missing is an error if the new bytes do not list what is to stay (S1i).
	Missing []policy.Finding

	text []byte // unpacked
	file *sitemap.List
	// leftOut says of each entry whether it is taken out; nil if none is.
	leftOut []bool
}

// findControl adds the sitemaps that robots.txt or a sitemap index names, and texts that are sitemaps, to the files that
// never get a policy (L6).
func (mk *Maker) findControl() {
	for _, h := range mk.project.Hosts {
		robots, sitemaps := h.Root+"robots.txt", []string(nil)
		add := func(location string) {
			to, ok := mk.project.Leads(robots, location, true)
			name := strings.TrimPrefix(policy.Decoded(to), "/")
			if ok && mk.folder.Has(name) && !mk.control[name] {
				mk.control[name] = true
				sitemaps = append(sitemaps, name)
			}
		}
		if data, _, err := mk.project.ReadRobots(mk.project.Path(robots)); err == nil {
			for _, l := range robotstxt.Parse(data).Sitemaps() {
				add(l.Value)
			}
		}
		for _, name := range mk.folder.Names {
			switch {
			case !strings.HasPrefix(name, h.Root):
			case site.IsSitemap(name):
				sitemaps = append(sitemaps, name)
			case site.IsTextSitemap(name) && !mk.control[name]:
				s, err := mk.readSitemap(name)
				mk.control[name] = err == nil && s.parse() == nil
			}
		}
		for i := 0; i < len(sitemaps); i++ { // an index adds others
			s, err := mk.readSitemap(sitemaps[i])
			begin := s.text[:min(len(s.text), 64<<10)] // most are lists of pages, and long: their entries are not asked for
			if err == nil && bytes.Contains(begin, []byte("sitemapindex")) && s.parse() == nil && s.file.Index {
				for _, e := range s.file.Entries {
					add(e.Loc)
				}
			}
		}
	}
}

// planSitemaps takes noindex pages, redirects and error pages out of the sitemaps, and sitemaps that this empties out
// of their index. A preview's noindex says nothing of the pages: the environment does not count.
//
// One sitemap is in memory at a time, beside those that change: a large site has many.
func (mk *Maker) planSitemaps(plan *Plan) (findings []policy.Finding) {
	keep := func(s *SitemapFile) {
		s.Missing = s.prove()
		mk.list(plan, s)
		if s.file, s.text, s.leftOut = nil, nil, nil; !s.Change.Differs() {
			s.Change.Old, s.Change.New = nil, nil
		}
		plan.Sitemaps = append(plan.Sitemaps, s)
	}
	var indexes []*SitemapFile
	var empty []*Page
	for _, pg := range plan.Pages {
		if !mk.isSitemap(pg) || mk.isSitemap(mk.behindLink(plan, pg)) {
			continue // what is there through a symlink too is changed once, under its own name
		}
		s, err := mk.readSitemap(pg.File.Name)
		if err == nil {
			err = s.parse()
		}
		if err != nil && !errors.Is(err, sitemap.ErrNoSitemap) {
			findings = append(findings, plan.About(pg, "sitemap", policy.Warning, 0,
				"it cannot be read and stays as it is: %s", project.Reason(err)))
		}
		if s.Index = s.file.Index; s.Index {
			indexes = append(indexes, s)
			continue
		}
		if s.filter(func(loc string) bool { return mk.leavesSitemap(plan, s, loc) }) {
			empty = append(empty, pg)
		}
		keep(s)
	}
	text := "no entry is left in it: the file is empty"
	if len(indexes) > 0 {
		text += " and leaves the sitemap index"
	}
	emptied := map[*Page]bool{}
	for _, pg := range empty {
		emptied[pg] = true
		if pg.File.Facts.Version == versions.Old { // all of its pages are old
			continue
		}
		findings = append(findings, plan.About(pg, "sitemap-empty", policy.Warning, 0, "%s", text))
	}
	for _, s := range indexes {
		s.filter(func(loc string) bool {
			pg := mk.listed(plan, s, loc)
			return emptied[pg] || emptied[mk.behindLink(plan, pg)]
		})
		keep(s)
	}
	slices.SortFunc(plan.Sitemaps, func(a, b *SitemapFile) int { return strings.Compare(a.Change.Name, b.Change.Name) })
	return findings
}

// isSitemap reports whether a file is a sitemap by its name, or by what is known of it; nil is none.
func (mk *Maker) isSitemap(pg *Page) bool {
	return pg != nil && pg.File.Role == policy.RoleControl &&
		(site.IsSitemap(pg.File.Name) || strings.HasPrefix(pg.File.Facts.Kind, "sitemap") || mk.control[pg.File.Name])
}

// behindLink is the file whose bytes a file has that is there through a symlink; nil for others.
func (mk *Maker) behindLink(plan *Plan, pg *Page) *Page {
	if pg == nil || mk.folder.Symlinks[pg.File.Name].Target == "" {
		return nil
	}
	return plan.Page(mk.folder.Symlinks[pg.File.Name].Target)
}

// Leaves reports whether a file is to be in no sitemap; nil is a URL that no file has.
func (pg *Page) Leaves() bool {
	return pg != nil && (pg.File.Role == policy.RoleRedirect || pg.File.Role == policy.RoleError || pg.Hidden())
}

// leavesSitemap reports whether the owner wants an entry of a sitemap to be taken out, for one of three reasons: what is
// decided on its page (S1a), the owner names it (S1j), or robots.txt keeps search engines from it (S1k).
func (mk *Maker) leavesSitemap(plan *Plan, s *SitemapFile, loc string) bool {
	want := &mk.project.Config.Robots.Sitemap
	pg := mk.listed(plan, s, loc)
	return want.OmitsHidden && pg.Leaves() || pg != nil && want.Except.Match(pg.File.Path) ||
		want.OmitsDisallowed && mk.isDisallowed(plan, s, loc)
}

// isDisallowed reports whether the robots.txt that is planned for an entry's host keeps all usual search engines from the
// address of the entry.
func (mk *Maker) isDisallowed(plan *Plan, s *SitemapFile, loc string) bool {
	at, ok := mk.project.Leads(s.Change.Name, loc, project.IsOurs)
	if !ok {
		return false
	}
	robots, path := RobotsAt(plan, at)
	if robots == nil {
		return false
	}
	if _, query, _ := strings.Cut(loc, "?"); query != "" {
		path += robotstxt.Escape("?" + query)
	}
	mayFetch := func(crawler string) bool { return robots.File.Ask(crawler, path).Allowed }
	return !slices.ContainsFunc(policy.UsualCrawlers, mayFetch)
}

// list notes which files a sitemap lists, and the noindex pages that its hreflang links name.
func (mk *Maker) list(s *Plan, m *SitemapFile) {
	for i, entry := range m.file.Entries {
		pg := mk.listed(s, m, entry.Loc)
		if m.isLeftOut(i) {
			if pg != nil && m.Change.Stands == nil {
				m.Leaving = append(m.Leaving, pg)
			}
			continue
		}
		if !isWholeURL(entry.Loc) {
			m.Relative = append(m.Relative, entry.Loc)
		}
		if pg != nil {
			m.Listed = append(m.Listed, pg)
		}
		at, ok := mk.project.Leads(m.Change.Name, entry.Loc, project.IsOurs)
		if ok && !strings.Contains(entry.Loc, "?") {
			if _, only := s.Sites.Redirects(at); only {
				m.Redirected = append(m.Redirected, at)
			}
		}
		for _, alternate := range entry.Alternates {
			if to := mk.listed(s, m, alternate); !pg.Leaves() && to.Leaves() && to.Decision.NoIndex() {
				m.Alternates = append(m.Alternates, to)
			}
		}
	}
}

// isWholeURL reports whether the address of an entry names its scheme and its host.
// https://www.sitemaps.org/protocol.html#locdef
func isWholeURL(loc string) bool {
	u, err := url.Parse(loc)
	return err != nil || u.Host != "" && (strings.EqualFold(u.Scheme, "http") || strings.EqualFold(u.Scheme, "https"))
}

// listed returns the file that an address in a sitemap names, whatever its query; nil for one that no file has. Where
// hosts may serve one of several files there, it is one that may be listed, if there is such a one.
func (mk *Maker) listed(s *Plan, m *SitemapFile, loc string) (listed *Page) {
	at, ok := mk.project.Leads(m.Change.Name, loc, true)
	if !ok {
		return nil
	}
	for name := range s.Sites.Leads(at) {
		if pg := s.Page(name); pg != nil && (listed == nil || listed.Leaves() && !pg.Leaves()) {
			listed = pg
		}
	}
	return listed
}

// readSitemap reads a sitemap as its generator left it, and unpacks it.
func (mk *Maker) readSitemap(name string) (s *SitemapFile, err error) {
	s = &SitemapFile{Change: mk.project.Output(name), file: &sitemap.List{}}
	s.Change.Old, err = mk.project.Read(s.Change.Path, project.MaxSitemap)
	s.Change.New = mk.project.Own(mk.from, &s.Change)
	if s.text = s.Change.New; err == nil && s.packed() {
		s.text, err = disk.Unpack(s.text, project.MaxSitemap)
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

// isLeftOut reports whether the entry with an index is taken out.
func (s *SitemapFile) isLeftOut(entry int) bool { return s.leftOut != nil && s.leftOut[entry] }

func (s *SitemapFile) packed() bool { return path.Ext(s.Change.Name) == ".gz" }

// filter takes out the entries that drop names, and reports whether none is left.
func (s *SitemapFile) filter(drop func(loc string) bool) (empty bool) {
	s.leftOut = make([]bool, 0, len(s.file.Entries))
	edits := s.file.Without(func(loc string) bool { // asked once for each entry, in their order
		isLeftOut := drop(loc)
		s.leftOut = append(s.leftOut, isLeftOut)
		return isLeftOut
	})
	s.Dropped = len(edits)
	c, own := &s.Change, s.Change.New
	if s.packed() && len(edits) > 0 {
		text := patch.New(s.text, edits)
		out, _ := text.Apply(nil, s.text)
		edits = patch.Between(own, disk.Pack(out))
	}
	c.New, c.Left = state.Edit(nil, own, c.Old, edits, c.Stands)
	return s.Dropped > 0 && s.Dropped == len(s.file.Entries)
}

// prove reads the new bytes back as crawlers do, and returns an error if they list anything but
// the entries that stay (S1i). A file that is left as its generator made it needs no proof.
func (s *SitemapFile) prove() []policy.Finding {
	if s.Dropped == 0 {
		return nil
	}
	c := &s.Change
	text, err := c.New, error(nil)
	if s.packed() {
		text, err = disk.Unpack(text, project.MaxSitemap)
	}
	var entries []sitemap.Entry
	if err == nil {
		var file *sitemap.List
		if file, err = sitemap.Read(text); err == nil {
			entries = file.Entries
		}
	}
	var remaining []sitemap.Entry
	for i, entry := range s.file.Entries {
		if !s.isLeftOut(i) {
			remaining = append(remaining, entry)
		}
	}
	isEmptyText := len(remaining) == 0 && len(bytes.TrimSpace(text)) == 0 // a text without addresses
	isSame := func(a, b sitemap.Entry) bool {
		return a.Loc == b.Loc && slices.Equal(a.Alternates, b.Alternates)
	}
	wrong := ""
	switch {
	case isEmptyText:
		return nil
	case err != nil:
		wrong = "the new bytes cannot be read back: " + project.Reason(err)
	case !slices.EqualFunc(entries, remaining, isSame):
		wrong = fmt.Sprintf("the new bytes list %d entries, which are not the %d that are to stay",
			len(entries), len(remaining))
	default:
		return nil
	}
	return []policy.Finding{{ID: "sitemap-mismatch", Severity: policy.Error, File: c.File,
		Message: wrong}}
}
