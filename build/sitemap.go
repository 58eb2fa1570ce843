package build

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/disk"
	"metarobots/emit/sitemap"
	"metarobots/policy"
	"metarobots/site"
)

// A SitemapFile is one published sitemap, without the pages that leave it (S1).
type SitemapFile struct {
	// Name from the publish root.
	Name string
	// Old are its bytes as they stand there, nil for no file; New what they should be.
	Old, New []byte
	// Dropped is how many entries this run takes out.
	Dropped int

	file  *sitemap.File
	empty bool // no entry is left
}

// Changes reports whether the file is not yet what it should be.
func (s *SitemapFile) Changes() bool { return !bytes.Equal(s.Old, s.New) }

// planSitemaps takes noindex pages, redirects and error pages out of the sitemaps, and sitemaps that this empties out
// of their index. A preview's noindex says nothing of the pages: the environment does not count.
func (p *Plan) planSitemaps() {
	filter := p.project.Config.Robots.FilterSitemap
	pages := map[string]*Page{}
	for _, pg := range p.Pages {
		if pg.HTML || pg.Decision.Restricts() {
			pages[pg.Path.File], pages[pg.Path.URL] = pg, pg
		}
		if pg.Role == policy.RoleControl && (site.IsSitemap(pg.Name) || strings.HasPrefix(pg.Kind, "sitemap") || p.control[pg.Name]) {
			_, given := p.given[pg.Name]
			if s := p.readSitemap(pg.Name); s != nil && (filter || given) {
				p.Sitemaps = append(p.Sitemaps, s)
			}
		}
	}
	if !filter {
		return
	}
	emptied := map[string]bool{}
	for _, s := range p.Sitemaps {
		if s.file.Index {
			continue
		}
		s.filter(func(loc string) bool {
			pg := pages[p.published(s, loc)]
			return pg != nil && p.leavesSitemap(pg)
		})
		if s.empty {
			emptied["/"+s.Name] = true
			p.report(policy.Finding{ID: "sitemap-empty", Severity: policy.Warning, URL: site.URL(s.Name), File: p.Published(s.Name),
				Message: "none of its pages is to be indexed: the file is empty and leaves the sitemap index"})
		}
	}
	for _, s := range p.Sitemaps {
		if s.file.Index {
			s.filter(func(loc string) bool { return emptied[p.published(s, loc)] })
		}
	}
	p.Sitemaps = slices.DeleteFunc(p.Sitemaps, func(s *SitemapFile) bool { return s.Dropped == 0 && !s.Changes() })
}

// leavesSitemap reports whether a page is no page to list, whatever the environment.
func (p *Plan) leavesSitemap(pg *Page) bool {
	if pg.Role == policy.RoleRedirect || pg.Role == policy.RoleError {
		return true
	}
	if !pg.Decision.NoIndex() {
		return false
	}
	return slices.ContainsFunc(pg.Decision.Statements, func(s policy.Statement) bool {
		return s.Crawler == "" && s.Origin.Layer != policy.LayerEnvironment && s.Directives.NoIndex()
	})
}

// published returns the path from the publish root, decoded, that an address in a sitemap names; empty for one of
// another site.
func (p *Plan) published(s *SitemapFile, loc string) string {
	u, err := url.Parse(loc)
	if err != nil || u.RawQuery != "" {
		return ""
	}
	base, err := url.Parse(p.project.settings.BaseURL)
	if err != nil {
		return ""
	}
	root := ""
	for _, r := range p.roots() {
		if r != "" && strings.HasPrefix(s.Name, r+"/") {
			root = "/" + r // each host has a base of its own
			return root + "/" + strings.TrimPrefix(u.Path, "/")
		}
	}
	if base.Host != "" && u.Host != "" && !strings.EqualFold(base.Host, u.Host) {
		return ""
	}
	rest, ok := strings.CutPrefix(u.Path, strings.TrimSuffix(base.Path, "/"))
	if !ok {
		return ""
	}
	if rest == "" {
		rest = "/"
	}
	return rest
}

// readSitemap reads a sitemap; nil where it is none.
func (p *Plan) readSitemap(name string) *SitemapFile {
	s := &SitemapFile{Name: name}
	var err error
	if s.Old, err = readIfThere(p.path(name)); err != nil {
		return nil
	}
	s.New = s.Old
	if given, ok := p.given[name]; ok {
		s.New = given
	}
	text, err := s.text()
	if err == nil {
		s.file, err = sitemap.Read(text)
	}
	if err != nil {
		s.file = &sitemap.File{}
	}
	if err != nil && !errors.Is(err, sitemap.ErrNoSitemap) {
		p.report(policy.Finding{ID: "sitemap", Severity: policy.Warning, URL: site.URL(name), File: p.Published(name),
			Message: fmt.Sprintf("it cannot be read and stays as it is: %v", err)})
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
	return io.ReadAll(r)
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

// writeSitemaps writes the sitemaps that change.
func (p *Plan) writeSitemaps() error {
	var errs []error
	for _, s := range p.Sitemaps {
		if !s.Changes() {
			continue
		}
		file := p.path(s.Name)
		err := p.plain(s.Name)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(file), 0o777)
		}
		if err == nil {
			err = disk.Write(file, s.New, p.project.options.Sync)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
