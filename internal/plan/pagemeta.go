package plan

import (
	"cmp"
	"fmt"
	"strings"

	"metarobots/internal/site"
	"metarobots/policy"
)

// complete completes what is known of a page by what it says itself: what its generator's map reads in it, and its
// metadata.
//
// Metadata adds. Unless the owner trusts the templates, a page is decided on as it is known without its metadata and as
// its metadata has it, and what both are told counts ([policy.Subject].Claimed): whoever writes into a page can make it
// stricter and nothing else.
func (mk *Maker) complete(pg *Page, language string) {
	metadata := mk.readMetadata(pg)
	read := func(f *site.File, metadata []site.PageMeta) { readPage(mk.pages, f, language, metadata) }
	if len(metadata) == 0 || mk.project.Config.Site.TrustTemplate {
		read(&pg.File, metadata)
		return
	}
	claimed := pg.File
	read(&claimed, metadata)
	read(&pg.File, nil)
	pg.File.Claimed = &claimed.Subject
	pg.File.Facts, pg.File.Source = pg.File.Facts.Or(claimed.Facts), cmp.Or(pg.File.Source, claimed.Source)
}

// readPage completes what a map knows of a file by what the page says: the map does so itself, or its metadata is added.
func readPage(pages site.Map, f *site.File, language string, metadata []site.PageMeta) {
	if reader, ok := pages.(site.PageReader); ok {
		reader.ReadPage(f, language, metadata)
	} else {
		addMetadata(f, metadata)
	}
}

// addMetadata adds metadata to what is known of a file. Hugo knows the source better than its templates, whose paths
// count from the content's folder.
func addMetadata(f *site.File, metadata []site.PageMeta) {
	source := f.Source
	for i := range metadata {
		h := &metadata[i]
		for j := range h.FrontMatter.Statements {
			at := &h.FrontMatter.Statements[j].Origin
			if at.File == h.Source && strings.HasSuffix(source, "/"+h.Source) {
				at.File = source
			}
		}
		h.Take(f)
	}
	f.Source = cmp.Or(source, f.Source)
}

// readMetadata reads what the page's template says of it, which an earlier run may have taken out and the state then
// remembers.
func (mk *Maker) readMetadata(pg *Page) (metadata []site.PageMeta) {
	for _, tag := range pg.Tags {
		if tag.Name != site.PageMetaName {
			continue
		}
		report := func(f policy.Finding) {
			f.Message = fmt.Sprintf("<meta name=%q>: %s", tag.Name, f.Message)
			pg.note(policy.Finding{ID: f.ID, Severity: f.Severity, Line: tag.Line, Message: f.Message, Detail: f.Detail}, "")
		}
		h, err := site.ParsePageMeta(tag.Content, mk.project.Config.Robots.FrontMatter)
		if err != nil {
			report(policy.Finding{ID: "page-metadata", Severity: policy.Error, Message: err.Error() + ", so it has no effect"})
			continue
		}
		for _, problem := range h.FrontMatter.Findings {
			if problem.Severity == policy.Error {
				problem.ID = "page-metadata"
				last := &problem.Message
				if problem.Detail != "" {
					last = &problem.Detail
				}
				*last += ", so this has no effect"
			}
			report(problem)
		}
		for i := range h.FrontMatter.Statements {
			if o := &h.FrontMatter.Statements[i].Origin; o.File == "" {
				o.File, o.Line = mk.project.Published(pg.File.Name), tag.Line
			}
		}
		metadata = append(metadata, h)
	}
	return metadata
}
