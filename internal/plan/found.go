package plan

import (
	"slices"

	"metarobots/emit/head"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/policy"
)

// standing is what stands in a page, and what an earlier run of ours has to do with it.
type standing struct {
	tags    []policy.Tag // the robots metas that stand there now
	found   []state.Tag  // as the generator wrote them
	ours    bool         // the tags are what we wrote before
	drifted bool         // they are not what an earlier run of ours left
	// wasIndexable: the tags that an earlier run of ours left did not say noindex.
	wasIndexable bool
}

// standing tells the tags of a page that an earlier run of ours wrote from those of its generator (M7).
func (p *Plan) standing(f *site.File, facts *head.Facts, fresh bool) standing {
	var s standing
	if len(facts.Robots) > 0 {
		s.tags = make([]policy.Tag, len(facts.Robots))
	}
	for i, m := range facts.Robots {
		s.tags[i] = policy.Tag{Name: m.Name, Content: m.Content}
	}
	known := p.project.state.Recall(f.Name, s.tags)
	s.wasIndexable = known.Indexable
	if !fresh && !f.Unknown { // a page of an earlier build holds what we wrote: nobody is left who would say it again
		p.recognise(&s, f, facts, known)
	}
	if !s.ours {
		s.found = foundTags(facts.Robots)
	}
	return s
}

// recognise finds out whether the tags of a page are what an earlier run of ours wrote.
func (p *Plan) recognise(s *standing, f *site.File, facts *head.Facts, known state.Memory) {
	if s.found, s.ours, s.drifted = known.Found, known.Ours, known.Edited; s.ours || p.project.state.Found {
		return
	}
	exact := !slices.ContainsFunc(facts.Robots, func(m head.Meta) bool { return !m.Ours })
	s.ours = p.project.options.AssumeOurs && exact && len(s.tags) > 0
	if f.Role == policy.RolePage && !facts.Fragment && facts.Encoding == "" {
		p.suspectTags(f.Subject, s.tags, exact)
	}
}

// foundTags are the tags of a page whose generator wrote them.
func foundTags(metas []head.Meta) []state.Tag {
	if len(metas) == 0 {
		return nil
	}
	found := make([]state.Tag, 0, len(metas))
	for _, m := range metas {
		if !believed(&m) {
			continue
		}
		tag := state.Tag{Tag: policy.Tag{Name: m.Name, Content: m.Content}, HasContent: m.HasContent, Line: m.Line}
		if !m.HasContent {
			tag.Content = m.Value
		}
		found = append(found, tag)
	}
	return found
}

// believed reports whether a tag counts, be it for crawlers or as metadata, which is believed where a template alone can
// have said it, and said it right.
func believed(m *head.Meta) bool {
	return m.Name != site.PageMetaName || !m.Body && m.Mistake == 0
}

// faultyTags reports what is wrong with tags that count all the same, and metadata that does not.
func faultyTags(at subject, metas []head.Meta) (findings []policy.Finding) {
	for i := range metas {
		m := &metas[i]
		if !believed(m) {
			findings = append(findings, distrusted(at, m))
			continue
		}
		if m.Mistake > 0 {
			findings = append(findings, at.finding("mistaken-tag", policy.Warning, m.Line,
				"crawlers do not read this tag as <meta name=%q>, which it was meant to be (%s): it counts as meant", m.Name, m.Mistake))
		}
		if m.Cut {
			findings = append(findings, at.finding("long-content", policy.Error, m.Line,
				"<meta name=%q> has more than 64 KB of content: what follows was not read", m.Name))
		}
		if m.Body {
			findings = append(findings, at.finding("meta-in-body", policy.Warning, m.Line,
				"a robots tag stands in the body: some crawlers obey it, so it counts, and the head gets it"))
		}
	}
	return findings
}

// inertTags reports metas whose name says nothing to anyone in a page (A4).
func inertTags(at subject, metas []head.Meta) (findings []policy.Finding) {
	for _, m := range metas {
		reason := "is told by X-Robots-Tag alone"
		if r := policy.Inert(m.Name); r != "" {
			reason = r
		}
		findings = append(findings, at.finding("inert-crawler", policy.Warning, m.Line, "<meta name=%q> does nothing: %s %s", m.Name, m.Name, reason))
	}
	return findings
}

// foundStatements turns found tags into the layer found: those of one name are one source (D3). file is the published
// file, for people.
func foundStatements(at subject, file string, tags []state.Tag) (statements []policy.Statement, findings []policy.Finding) {
	add := func(id string, severity policy.Severity, line int, format string, args ...any) {
		findings = append(findings, at.finding(id, severity, line, format, args...))
	}
	for _, tag := range tags {
		if tag.Name == site.PageMetaName {
			continue // none for crawlers: see learn
		}
		if !tag.HasContent && tag.Content != "" {
			add("value-for-content", policy.Warning, tag.Line, "<meta name=%q value=%q> states nothing: the attribute is called content", tag.Name, tag.Content)
			continue
		}
		if !tag.HasContent {
			add("no-content", policy.Warning, tag.Line, "<meta name=%q> has no content: it states nothing", tag.Name)
			continue
		}
		r, problems := policy.Parse(tag.Content, policy.Found)
		for _, problem := range problems {
			add(problem.ID, problem.Severity, tag.Line, "<meta name=%q>: %s", tag.Name, problem.Message)
		}
		if tag.Name != "robots" {
			r.Crawler = tag.Name
		}
		if r.Directives.IsZero() && !r.Embed {
			continue
		}
		statements = append(statements, r.Statement(policy.Origin{Layer: policy.LayerFound, File: file, Line: tag.Line, Key: "meta " + tag.Name}))
	}
	for range policy.OneSource(statements) {
		add("indexifembedded", policy.Warning, tags[0].Line, "indexifembedded states nothing without noindex")
	}
	return statements, findings
}
