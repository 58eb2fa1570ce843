package plan

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"metarobots/emit/sitemap"
	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A SitemapFile is one published sitemap, without the pages that leave it (S1).
type SitemapFile struct {
	// Name from the publish root.
	Name string
	Output
	// Dropped is how many entries this run takes out.
	Dropped int

	file  *sitemap.File
	empty bool // no entry is left
}

// planSitemaps takes noindex pages, redirects and error pages out of the sitemaps, and sitemaps that this empties out
// of their index. A preview's noindex says nothing of the pages: the environment does not count.
//
// One sitemap is in memory at a time, beside those that change: a large site has many.
func (p *Plan) planSitemaps() {
	filter := p.project.Config.Robots.FilterSitemap
	pages := p.served((*Page).leavesSitemap)
	shut := disallows{}
	published := p.listable()
	keep := func(s *SitemapFile) {
		p.disallowed(s, published, shut)
		if s.file = nil; s.Dropped > 0 || s.Changes() {
			p.Sitemaps = append(p.Sitemaps, s)
		}
	}
	var indexes, empty []*SitemapFile
	for _, pg := range p.Pages {
		if pg.Role != policy.RoleControl || !(site.IsSitemap(pg.Name) || strings.HasPrefix(pg.Kind, "sitemap") || p.control[pg.Name]) {
			continue
		}
		s := p.readSitemap(pg.Name)
		switch {
		case s == nil:
			continue
		case !filter:
			p.contradicted(s, pages)
		case s.file.Index:
			indexes = append(indexes, s)
			continue
		default:
			s.filter(func(loc string) bool { return pages[p.listed(s, loc)] != nil })
			if s.empty {
				empty = append(empty, s)
			}
		}
		keep(s)
	}
	emptied := map[string]bool{}
	for _, s := range empty {
		emptied[servedAs("/"+s.Name)] = true
		p.report(policy.Finding{ID: "sitemap-empty", Severity: policy.Warning, URL: site.URL(s.Name), File: p.Published(s.Name),
			Message: "none of its pages is to be indexed: the file is empty" + map[bool]string{true: " and leaves the sitemap index"}[len(indexes) > 0]})
	}
	for _, s := range indexes {
		s.filter(func(loc string) bool { return emptied[p.listed(s, loc)] })
		keep(s)
	}
	slices.SortFunc(p.Sitemaps, func(a, b *SitemapFile) int { return strings.Compare(a.Name, b.Name) })
	shut.report(p, "sitemap-lists-disallowed", policy.Warning, func(d *disallowed) string {
		return fmt.Sprintf("%q keeps %s from %s%s, which the sitemap lists: allow crawling, or leave it out of the sitemap",
			d.rule, strings.Join(d.crawlers, " and "), d.first.URL, d.more())
	})
}

// listable are the pages by the path that hosts serve; nil where no robots.txt keeps anybody from anything.
func (p *Plan) listable() map[string]*Page {
	if !slices.ContainsFunc(p.Robots, func(r *RobotsFile) bool { return r.New != nil && r.file.Disallows() }) {
		return nil
	}
	return p.served(func(pg *Page) bool { return pg.Role.Policed() && !pg.hidden() }) // those are told of anyway
}

// disallowed counts the pages of a sitemap that robots.txt keeps the usual crawlers from.
func (p *Plan) disallowed(s *SitemapFile, published map[string]*Page, all disallows) {
	if published == nil {
		return
	}
	for _, entry := range s.file.Entries {
		pg := published[p.listed(s, entry.Loc)]
		if pg == nil {
			continue
		}
		for _, crawler := range robotsCrawlers {
			if v, r := p.verdict(pg, crawler); !v.Allowed {
				all.add(pg, crawler, v, r, "")
			}
		}
	}
}

// contradicted reports a sitemap that lists noindex pages, where the owner keeps us from taking them out.
func (p *Plan) contradicted(s *SitemapFile, pages map[string]*Page) {
	t := &tally{}
	for _, entry := range s.file.Entries {
		if pg := pages[p.listed(s, entry.Loc)]; pg != nil && pg.Decision.NoIndex() {
			t.add(pg, policy.Origin{File: s.File})
		}
	}
	if t.count > 0 {
		p.finding(t, "sitemap-lists-noindex", policy.Warning, "it lists noindex pages, %s%s: robots.sitemap.filter = true takes them out", t.first.URL, t.more())
	}
}

// leavesSitemap reports whether a page is no page to list, whatever the environment.
func (pg *Page) leavesSitemap() bool {
	return pg.Role == policy.RoleRedirect || pg.Role == policy.RoleError || pg.hidden()
}

// served are the files of a kind by the path that hosts serve, in the form of [servedAs]; where several files are served at
// one path, the last that is a page or restricted counts.
func (p *Plan) served(which func(*Page) bool) map[string]*Page {
	pages := map[string]*Page{}
	for _, pg := range p.Pages {
		if which(pg) {
			pages[servedAs(pg.Path.File)] = pg
		}
	}
	for _, pg := range p.Pages {
		if len(pages) == 0 {
			break
		}
		if !pg.HTML && !pg.Decision.Restricts() || which(pg) {
			continue
		}
		if path := servedAs(pg.Path.File); pages[path] != nil && pages[path].Name < pg.Name {
			delete(pages, path)
		}
	}
	return pages
}

// listed returns the path from the publish root that an address in a sitemap names, in the form of [servedAs]; one that
// no file has for an address of another site.
func (p *Plan) listed(s *SitemapFile, loc string) string {
	if strings.Contains(loc, "?") {
		return "\x00"
	}
	to, ok := p.project.leads(s.Name, loc, true)
	path, err := url.PathUnescape(to)
	if !ok || err != nil {
		return "\x00"
	}
	return servedAs(path)
}

// readSitemap reads a sitemap; nil where it is none.
func (p *Plan) readSitemap(name string) *SitemapFile {
	s := &SitemapFile{Name: name, Output: Output{File: p.Published(name), path: p.path(name)}}
	var err error
	s.Old, err = p.project.read(s.path, maxSitemap)
	s.New = s.Old
	if made, ok := p.made[name]; ok {
		s.New = made
	}
	var text []byte
	if err == nil {
		text, err = s.text()
	}
	if err == nil {
		s.file, err = sitemap.Read(text)
	}
	if err != nil {
		s.file = &sitemap.File{}
	}
	if err != nil && !errors.Is(err, sitemap.ErrNoSitemap) {
		p.report(policy.Finding{ID: "sitemap", Severity: policy.Warning, URL: site.URL(name), File: p.Published(name),
			Message: fmt.Sprintf("it cannot be read and stays as it is: %s", reason(err))})
	}
	return s
}

// text returns the sitemap unpacked.
func (s *SitemapFile) text() ([]byte, error) {
	if path.Ext(s.Name) != ".gz" {
		return s.New, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(s.New))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, maxSitemap+1))
	if len(text) > maxSitemap {
		return nil, disk.ErrTooLarge
	}
	return text, err
}

func (s *SitemapFile) filter(drop func(loc string) bool) {
	out, n := s.file.Without(drop)
	s.Dropped = n
	s.empty = n > 0 && n == len(s.file.Entries)
	if n == 0 {
		return
	}
	if s.New = out; path.Ext(s.Name) == ".gz" {
		var b bytes.Buffer
		w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
		w.Write(out)
		w.Close()
		s.New = b.Bytes()
	}
}
