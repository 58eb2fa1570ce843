package hugo

import (
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/gohugoio/hugo/common/htime"
	"github.com/gohugoio/hugo/common/loggers"
	"github.com/gohugoio/hugo/resources/page"

	"metarobots/emit/head"
	"metarobots/frontmatter"
	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/policy"
)

// addUnbuilt lists the pages that Hugo leaves out with the site's flags (drafts, pages that are due
// later, expired ones) and that are published all the same, by a build with other flags or by an
// earlier one. Where nothing unknown is published, the site need not be assembled again.
func (s *hugoSite) addUnbuilt(m *pageMap, o frontmatter.Config, published []string) (err error) {
	unknown, scanner := selection{}, head.Scanner{}
	for _, name := range published {
		if !site.IsHTML(name) || !m.File(name).Unknown {
			continue
		}
		text, _ := disk.ReadFile(filepath.Join(s.publish(), filepath.FromSlash(name)), maxSource)
		if scanner.Scan(text, nobody).Refresh == nil { // else it is an alias
			unknown[name] = true
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	if err = s.assembleAll(); err != nil {
		return err
	}
	if m.unbuilt, err = s.makePageMap(o, unknown); err == nil {
		m.reports.add(m.unbuilt.reports.findings...)
		s.unbuilt = s.remember(m.unbuilt, unknown, o)
	}
	return err
}

// assembleAll makes the sites with all pages, also those that Hugo leaves out with the site's
// flags.
func (s *hugoSite) assembleAll() error {
	for _, flag := range []string{"buildDrafts", "buildFuture", "buildExpired"} {
		s.flags.Set(flag, true)
	}
	defer loggers.SetGlobalLogger(s.logger)
	s.logger = loggers.New(loggers.Options{StdOut: io.Discard, StdErr: io.Discard}) // all of it was said before
	s.sources.Logger = s.logger
	loggers.SetGlobalLogger(s.logger)
	return s.assemble()
}

// Withheld are the content files of pages that Hugo leaves out with the site's flags, by the files
// that it would publish.
func (m *pageMap) Withheld(names []string) ([]string, error) {
	if m.site.withheld == nil { // the site is built
		return nil, nil
	}
	return m.site.withheld(names)
}

func (s *hugoSite) withheld(o frontmatter.Config, names []string) (content []string, err error) {
	defer s.panicToError(&err, unknownFile)
	wanted := selection{}
	for _, name := range names {
		wanted[name] = true
	}
	if err := s.assembleAll(); err != nil {
		return nil, err
	}
	m, err := s.makePageMap(o, wanted)
	for _, name := range names {
		if o, ok := m.outputs[name]; ok && o.info.file != "" {
			content = append(content, o.info.file)
		}
	}
	return content, err
}

// nobody asks for metas of any name.
func nobody([]byte) head.Kind { return head.None }

// reportUnbuilt says of a page why Hugo leaves it out.
func (l *lister) reportUnbuilt(p page.Page, info *pageInfo) {
	why, now := "", htime.Now()
	switch {
	case p.Draft():
		why = "is a draft"
	case p.PublishDate().After(now):
		why = "is due on " + p.PublishDate().Format(time.DateOnly)
	case !p.ExpiryDate().IsZero() && p.ExpiryDate().Before(now):
		why = "has expired on " + p.ExpiryDate().Format(time.DateOnly)
	default: // a list that has only such pages
		return
	}
	l.note(policy.Finding{ID: "draft-published", Severity: policy.Warning, URL: site.URL(info.main),
		File: info.source, Message: "this page " + why + ", and it is published: what it says to crawlers counts",
		Fix: ". If it is not to be public, empty the publish folder and build without such pages"})
}

// publishes reports whether one of the files of a page is among names.
func (l *lister) publishes(p page.Page, names selection) bool {
	return slices.ContainsFunc(p.OutputFormats(), func(of page.OutputFormat) bool { return names[l.target(p, of)] })
}
