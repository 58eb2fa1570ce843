package plan

import (
	"cmp"
	"strings"

	"metarobots/emit/head"
	"metarobots/internal/site"
	"metarobots/policy"
)

// learn completes what is known of a page by what it says itself: what its generator's map reads in it, and its metadata.
//
// Metadata adds. Unless the owner trusts the templates, a page is decided on as it is known without its metadata and as
// its metadata has it, and what both are told counts ([policy.Subject].Claimed): whoever writes into a page can make it
// stricter and nothing else.
func (e *editor) learn(pg *Page, src []byte) {
	claimed := e.claimed(pg.File, src, e.metadata(pg))
	if claimed != nil && e.plan.project.Config.Site.TrustTemplate {
		pg.File = *claimed
	} else {
		if r, ok := e.plan.m.(site.PageReader); ok {
			r.ReadPage(&pg.File, src, nil)
		}
		if claimed != nil {
			pg.Subject.Claimed = &claimed.Subject
			pg.File.Complete(claimed)
		}
	}
	pg.Source = pg.File.Source
}

// claimed is a file as its metadata has it; nil where there is none.
func (e *editor) claimed(known site.File, src []byte, metadata []site.PageMeta) *site.File {
	if len(metadata) == 0 {
		return nil
	}
	f := known
	if r, ok := e.plan.m.(site.PageReader); ok {
		r.ReadPage(&f, src, metadata)
		return &f
	}
	// Hugo knows the source better than its templates, whose paths count from the content's folder.
	for i := range metadata {
		h := &metadata[i]
		for j := range h.Statements {
			if at := &h.Statements[j].Origin; at.File == h.Source && strings.HasSuffix(known.Source, "/"+h.Source) {
				at.File = known.Source
			}
		}
		h.Take(&f)
	}
	f.Source = cmp.Or(known.Source, f.Source)
	return &f
}

// metadata reads what the page's template says of it, which an earlier run may have taken out and the state then
// remembers.
func (e *editor) metadata(pg *Page) (metadata []site.PageMeta) {
	for _, tag := range pg.found {
		if tag.Name != site.PageMetaName {
			continue
		}
		h, err := site.ParsePageMeta(tag.Content, e.plan.project.Config.Robots.FrontMatter)
		if err != nil {
			pg.finding("page-metadata", policy.Error, tag.Line, "<meta name=%q>: %v: it states nothing", tag.Name, err)
			continue
		}
		for _, problem := range h.Problems {
			if problem.Severity == policy.Error {
				pg.finding("page-metadata", policy.Error, tag.Line, "<meta name=%q>: %s: this states nothing", tag.Name, problem.Message)
				continue
			}
			pg.finding(problem.ID, problem.Severity, tag.Line, "<meta name=%q>: %s", tag.Name, problem.Message)
		}
		for i := range h.Statements {
			if at := &h.Statements[i].Origin; at.File == "" {
				at.File, at.Line = e.plan.Published(pg.Name), tag.Line
			}
		}
		metadata = append(metadata, h)
	}
	return metadata
}

// distrust reports metadata that is not believed: it stands in the body, or is not said right.
func (pg *Page) distrust(m *head.Meta) {
	if m.Body {
		pg.finding("page-metadata-in-body", policy.Warning, m.Line, "<meta name=%q> stands in the body, which is the page's content: it states nothing, the template says it in the head", m.Name)
		return
	}
	pg.finding("mistaken-tag", policy.Warning, m.Line, "this tag is not read as <meta name=%q>, which it was meant to be (%s): it states nothing", m.Name, m.Mistake)
}
