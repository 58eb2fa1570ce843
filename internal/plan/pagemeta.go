package plan

import (
	"cmp"
	"fmt"
	"strings"

	"metarobots/emit/head"
	"metarobots/internal/site"
	"metarobots/policy"
)

// completeFromPage completes what is known of a page by what it says itself: what its generator's
// map reads in it, and its metadata.
//
// Metadata adds. Unless the owner trusts the templates, a page is decided on as it is known without
// its metadata and as its metadata has it, and the statements for both count
// ([policy.Subject].Claimed): whoever writes into a page can make it stricter and nothing else.
func (mk *Maker) completeFromPage(pg *Page, language string) {
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

// readPage completes what a map knows of a file by what the page says: the map does so itself, or
// its metadata is added.
func readPage(pages site.Map, f *site.File, language string, metadata []site.PageMeta) {
	if reader, ok := pages.(site.PageReader); ok {
		reader.ReadPage(f, language, metadata)
	} else {
		addMetadata(f, metadata)
	}
}

// addMetadata adds metadata to what is known of a file. Hugo knows the source better than its
// templates, whose paths count from the content's folder.
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
		h.AddTo(f)
	}
	f.Source = cmp.Or(source, f.Source)
}

// readMetadata reads what the page's template says of it, in each <meta name="metarobots"> among
// pg.Tags, which are those of the page as its generator made it: an earlier run may have taken the
// tag out, and the state remembers it. What is wrong with a tag becomes a note of the page, at the
// tag's line; metadata has no item for one that cannot be read. A statement whose place the
// metadata does not name has that of the tag.
func (mk *Maker) readMetadata(pg *Page) (metadata []site.PageMeta) {
	for _, tag := range pg.Tags {
		if tag.Name != site.PageMetaName {
			continue
		}
		meta, err := site.ParsePageMeta(tag.Content, mk.project.Config.Robots.FrontMatter)
		if err != nil {
			pg.noteMetadata(tag, policy.Finding{ID: "page-metadata", Severity: policy.Error,
				Message: err.Error() + ", so it has no effect"})
			continue
		}
		for _, problem := range meta.FrontMatter.Findings {
			if problem.Severity == policy.Error {
				problem = withoutEffect(problem)
			}
			pg.noteMetadata(tag, problem)
		}
		for i := range meta.FrontMatter.Statements {
			if at := &meta.FrontMatter.Statements[i].Origin; at.File == "" {
				at.File, at.Line = mk.project.Published(pg.File.Name), tag.Line
			}
		}
		metadata = append(metadata, meta)
	}
	return metadata
}

// noteMetadata notes what is wrong with a tag of metadata, in place of where the finding is in
// front matter.
func (pg *Page) noteMetadata(tag head.Meta, f policy.Finding) {
	const eachTime = "" // no key: also if other pages have the same
	pg.note(policy.Finding{ID: f.ID, Severity: f.Severity, Line: tag.Line,
		Message: fmt.Sprintf("<meta name=%q>: %s", tag.Name, f.Message),
		Detail:  f.Detail, Fix: f.Fix}, eachTime)
}

// withoutEffect is an error of front matter as one of metadata: there it ends the run, here a part
// has no effect.
func withoutEffect(f policy.Finding) policy.Finding {
	f.ID = "page-metadata"
	end := &f.Message
	if f.Detail != "" { // which is printed behind the message
		end = &f.Detail
	}
	*end += ", so this has no effect"
	return f
}
