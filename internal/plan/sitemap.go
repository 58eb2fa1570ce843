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

// SitemapPages are what one sitemap lists that may be wrong there.
type SitemapPages struct {
	// File is the sitemap, for messages.
	File string
	// Noindex are the noindex pages that it goes on to list, because the owner keeps us from taking them out.
	Noindex []*Page
	// Others are the other pages with a policy; none where no robots.txt keeps crawlers from anything.
	Others []*Page
}

// planSitemaps takes noindex pages, redirects and error pages out of the sitemaps, and sitemaps that this empties out
// of their index. A preview's noindex says nothing of the pages: the environment does not count.
//
// One sitemap is in memory at a time, beside those that change: a large site has many.
func (p *Plan) planSitemaps() {
	filter := p.project.Config.Robots.FilterSitemap
	pages := p.served((*Page).leavesSitemap)
	others := p.listable()
	keep := func(s *SitemapFile) {
		p.list(s, pages, others)
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
}

// listable are the pages by the path that hosts serve; nil where no robots.txt keeps anybody from anything.
func (p *Plan) listable() map[string]*Page {
	if !slices.ContainsFunc(p.Robots, func(r *RobotsFile) bool { return r.New != nil && r.file.Disallows() }) {
		return nil
	}
	return p.served(func(pg *Page) bool { return pg.Role.Policed() && !pg.Hidden() }) // those are told of anyway
}

// list keeps which of those pages a sitemap lists in the end.
func (p *Plan) list(s *SitemapFile, leaving, others map[string]*Page) {
	l := SitemapPages{File: s.File}
	filtered := p.project.Config.Robots.FilterSitemap
	for _, entry := range s.file.Entries {
		if len(others) == 0 && (filtered || len(leaving) == 0) {
			break
		}
		at := p.listed(s, entry.Loc)
		if pg := leaving[at]; pg != nil && pg.Decision.NoIndex() && !filtered {
			l.Noindex = append(l.Noindex, pg)
		}
		if pg := others[at]; pg != nil {
			l.Others = append(l.Others, pg)
		}
	}
	if len(l.Noindex)+len(l.Others) > 0 {
		p.Listed = append(p.Listed, l)
	}
}

// leavesSitemap reports whether a page is no page to list, whatever the environment.
func (pg *Page) leavesSitemap() bool {
	return pg.Role == policy.RoleRedirect || pg.Role == policy.RoleError || pg.Hidden()
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
