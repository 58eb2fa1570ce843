package plan

import (
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/policy"
)

// standing is what stands in a page, and what an earlier run of ours has to do with it.
type standing struct {
	tags    []policy.Tag     // the robots metas that stand there now
	found   []state.FoundTag // as the generator wrote them
	ours    bool             // the tags are what we wrote before
	drifted bool             // they are not what an earlier run of ours left
	// wasIndexable: the tags that an earlier run of ours left did not say noindex.
	wasIndexable bool
}

// Tags are the robots metas that stand in a page, in order.
func (s *standing) Tags() []policy.Tag { return s.tags }

// FoundTags are the robots metas of a page as its generator wrote them.
func (s *standing) FoundTags() []state.FoundTag { return s.found }

// WasIndexable reports whether the tags that an earlier run of ours left in a page did not say noindex.
func (s *standing) WasIndexable() bool { return s.wasIndexable }

// standing tells the tags of a page that an earlier run of ours wrote from those of its generator (M7).
func (p *planner) standing(f *site.File, facts *head.Facts, fresh bool) standing {
	var s standing
	if len(facts.Robots) > 0 {
		s.tags = make([]policy.Tag, len(facts.Robots))
	}
	for i, m := range facts.Robots {
		s.tags[i] = policy.Tag{Name: m.Name, Content: m.Content}
	}
	known := p.state.Recall(f.Name, s.tags)
	s.wasIndexable = known.Indexable
	switch {
	case fresh || f.Unknown: // a page of an earlier build holds what we wrote: nobody is left who would say it again
	case known.Ours || p.state.Found:
		s.found, s.ours, s.drifted = known.Found, known.Ours, known.Edited
	default:
		exact := !slices.ContainsFunc(facts.Robots, func(m head.Meta) bool { return !m.Ours })
		s.ours = p.options.AssumeOurs && exact && len(s.tags) > 0
		if f.Role == policy.RolePage && !facts.Fragment && facts.Encoding == "" {
			p.suspectTags(f.Subject, s.tags, exact)
		}
	}
	if !s.ours {
		s.found = foundTags(facts.Robots)
	}
	return s
}

// foundTags are the tags of a page whose generator wrote them.
func foundTags(metas []head.Meta) (found []state.FoundTag) {
	for _, m := range metas {
		if !believed(&m) {
			continue
		}
		tag := state.FoundTag{Tag: policy.Tag{Name: m.Name, Content: m.Content}, HasContent: m.HasContent, Line: m.Line}
		if !m.HasContent {
			tag.Content = m.Value
		}
		found = append(found, tag)
	}
	return found
}

// believed reports whether a tag counts, be it for crawlers or as metadata, which is believed where a template alone
// can have said it, and said it right.
func believed(m *head.Meta) bool {
	return m.Name != site.PageMetaName || !m.Body && m.Mistake == 0
}

// faultyTags reports what is wrong with tags that count all the same, and metadata that does not.
func faultyTags(at about, metas []head.Meta) (all []policy.Finding) {
	for i := range metas {
		m := &metas[i]
		if !believed(m) {
			all = append(all, distrusted(at, m))
			continue
		}
		if m.Mistake > 0 {
			all = append(all, at.finding("mistaken-tag", policy.Warning, m.Line, "crawlers do not read this tag as "+
				"<meta name=%q>, which it was meant to be (%s): it counts as meant", m.Name, m.Mistake))
		}
		if m.Cut {
			all = append(all, at.finding("long-content", policy.Error, m.Line,
				"<meta name=%q> has more than 64 KB of content: what follows was not read", m.Name))
		}
		if m.Body {
			all = append(all, at.finding("meta-in-body", policy.Warning, m.Line,
				"a robots tag stands in the body: some crawlers obey it, so it counts, and the head gets it"))
		}
	}
	return all
}

// inertTags reports metas whose name says nothing to anyone in a page (A4).
func inertTags(at about, metas []head.Meta) (all []policy.Finding) {
	for _, m := range metas {
		reason := "is told by X-Robots-Tag alone"
		if r := policy.Inert(m.Name); r != "" {
			reason = r
		}
		all = append(all, at.finding("inert-crawler", policy.Warning, m.Line, "<meta name=%q> does nothing: %s %s",
			m.Name, m.Name, reason))
	}
	return all
}

// foundStatements turns found tags into the layer found: those of one name are one source (D3).
func (p *planner) foundStatements(at about, tags []state.FoundTag) (statements []policy.Statement, all []policy.Finding) {
	add := func(id string, severity policy.Severity, line int, format string, args ...any) {
		all = append(all, at.finding(id, severity, line, format, args...))
	}
	for _, tag := range tags {
		switch {
		case tag.Name == site.PageMetaName:
			continue // none for crawlers: see learn
		case !tag.HasContent && tag.Content != "":
			add("value-for-content", policy.Warning, tag.Line,
				"<meta name=%q value=%q> states nothing: the attribute is called content", tag.Name, tag.Content)
			continue
		case !tag.HasContent:
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
		if !r.Directives.IsZero() || r.Embed {
			statements = append(statements, r.Statement(policy.Origin{Layer: policy.LayerFound,
				File: p.published(at.name),
				Line: tag.Line, Key: "meta " + tag.Name}))
		}
	}
	for range policy.OneSource(statements) {
		add("indexifembedded", policy.Warning, tags[0].Line, "indexifembedded states nothing without noindex")
	}
	return statements, all
}

// opposedTags reports robots tags of one page and one name that contradict each other, or themselves.
func opposedTags(at about, found []state.FoundTag) []policy.Finding {
	said := map[policy.Tag]int{} // name and word, to the line
	for _, tag := range found {
		if !tag.HasContent {
			continue
		}
		separates := func(r rune) bool { return strings.ContainsRune(", ;/|\t\r\n", r) }
		for word := range strings.FieldsFuncSeq(strings.ToLower(tag.Content), separates) {
			words := []string{word}
			switch word {
			case "all":
				words = []string{"index", "follow"}
			case "none":
				words = []string{"noindex", "nofollow"}
			}
			for _, w := range words {
				said[policy.Tag{Name: tag.Name, Content: w}] = tag.Line
			}
		}
	}
	for _, tag := range found {
		for _, word := range []string{"index", "follow", "archive"} {
			a, yes := said[policy.Tag{Name: tag.Name, Content: word}]
			b, no := said[policy.Tag{Name: tag.Name, Content: "no" + word}]
			if yes && no {
				return []policy.Finding{at.finding("tags-at-odds", policy.Warning, max(a, b), "its %s tags say both "+
					"%s and no%s: the stricter counts here and for Google, not for every "+
					"crawler", tag.Name, word, word)}
			}
		}
	}
	return nil
}
