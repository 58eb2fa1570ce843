package plan

import (
	"cmp"
	"strings"

	"metarobots/emit/head"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/policy"
)

// learn completes what is known of a page by what it says itself: what its generator's map reads in it, and its metadata.
//
// Metadata adds. Unless the owner trusts the templates, a page is decided on as it is known without its metadata and as
// its metadata has it, and what both are told counts ([policy.Subject].Claimed): whoever writes into a page can make it
// stricter and nothing else.
func (p *Plan) learn(f site.File, src []byte, tags []state.Tag) (site.File, []policy.Finding) {
	metadata, findings := p.metadata(f, tags)
	claimed := p.claimed(f, src, metadata)
	if claimed != nil && p.project.Config.Site.TrustTemplate {
		return *claimed, findings
	}
	if r, ok := p.m.(site.PageReader); ok {
		r.ReadPage(&f, src, nil)
	}
	if claimed != nil {
		f.Claimed = &claimed.Subject
		f.Complete(claimed)
	}
	return f, findings
}

// claimed is a file as its metadata has it; nil where there is none.
func (p *Plan) claimed(known site.File, src []byte, metadata []site.PageMeta) *site.File {
	if len(metadata) == 0 {
		return nil
	}
	f := known
	if r, ok := p.m.(site.PageReader); ok {
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
func (p *Plan) metadata(f site.File, tags []state.Tag) (metadata []site.PageMeta, findings []policy.Finding) {
	at := subjectOf(f)
	add := func(id string, severity policy.Severity, line int, format string, args ...any) {
		findings = append(findings, at.finding(id, severity, line, format, args...))
	}
	for _, tag := range tags {
		if tag.Name != site.PageMetaName {
			continue
		}
		h, err := site.ParsePageMeta(tag.Content, p.project.Config.Robots.FrontMatter)
		if err != nil {
			add("page-metadata", policy.Error, tag.Line, "<meta name=%q>: %v: it states nothing", tag.Name, err)
			continue
		}
		for _, problem := range h.Problems {
			if problem.Severity == policy.Error {
				add("page-metadata", policy.Error, tag.Line, "<meta name=%q>: %s: this states nothing", tag.Name, problem.Message)
				continue
			}
			add(problem.ID, problem.Severity, tag.Line, "<meta name=%q>: %s", tag.Name, problem.Message)
		}
		for i := range h.Statements {
			if at := &h.Statements[i].Origin; at.File == "" {
				at.File, at.Line = p.Published(f.Name), tag.Line
			}
		}
		metadata = append(metadata, h)
	}
	return metadata, findings
}

// distrusted reports metadata that is not believed: it stands in the body, or is not said right.
func distrusted(at subject, m *head.Meta) policy.Finding {
	if m.Body {
		return at.finding("page-metadata-in-body", policy.Warning, m.Line, "<meta name=%q> stands in the body, which is the page's content: it states nothing, the template says it in the head", m.Name)
	}
	return at.finding("mistaken-tag", policy.Warning, m.Line, "this tag is not read as <meta name=%q>, which it was meant to be (%s): it states nothing", m.Name, m.Mistake)
}
