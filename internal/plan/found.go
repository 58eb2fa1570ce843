package plan

import (
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/emit/patch"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/policy"
)

// A FoundTag is a robots meta as the generator wrote it.
type FoundTag struct {
	policy.Tag
	HasContent bool
	Line       int
	Ours       bool // in exactly the form in which we write it
}

// untouched is a page as its generator left it, and what an earlier run of ours has to do with it.
type untouched struct {
	src   []byte // nil where the index has told the rest, and nobody has asked for the bytes
	sum   uint64 // of the file's bytes
	facts head.Facts
	memory
	drifted bool // its tags are neither what an earlier run left there nor what had been found before
	// wasIndexable: the tags that an earlier run of ours left did not say noindex.
	wasIndexable bool
}

// untouched takes out of a page what an earlier run of ours put there (M7); what it returns is the editor's until its
// next page. fresh says that src comes from the generator itself, so that nothing in it can be ours.
//
// Where its bytes are not what we left, but its tags are, somebody edited the rest: then what had been found stands in
// the place of our tags.
func (e *editor) untouched(f *site.File, src []byte, fresh bool) untouched {
	u, known := e.remembered(f)
	u.src = src
	fresh = fresh || f.Unknown // what a page of an earlier build holds of ours nobody would say again
	if !fresh {
		u.sum = state.Sum(src)
		if was := known.Of(u.sum); was != nil {
			if own, ok := was.Undo(e.own[:0], src); ok {
				e.own, u.src, u.was = own, own, was
			}
		}
	}
	u.facts = e.scanner.Scan(u.src, e.kind)
	if fresh || u.was != nil {
		return u
	}
	tags, found, ours := "", "", false
	if known != (state.Versions{}) || e.options.AssumeOurs {
		tags = head.Tags(tagsOf(u.facts.Robots))
		found, ours = u.byTags(known, tags)
	}
	if e.options.AssumeOurs && !e.state.Found && len(u.facts.Robots) > 0 {
		ours = !slices.ContainsFunc(u.facts.Robots, func(m head.Meta) bool { return !m.Ours })
	}
	if ours {
		undo := patch.New(src, u.facts.Edits(found))
		e.own, _ = undo.Apply(e.own[:0], src)
		u.was = &state.Left{Sum: u.sum, Patch: undo.Inverse(), Tags: tags, Found: found}
		u.src, u.facts = e.own, e.scanner.Scan(e.own, e.kind)
	}
	return u
}

// remembered is what the state says of a page.
func (e *editor) remembered(f *site.File) (u untouched, known state.Versions) {
	known = e.state.Recall(f.Name)
	u.wasIndexable = known.Left != nil && !known.Left.NoIndex
	return u, known
}

// byTags tells by its tags alone whether a page holds what an earlier run left there, and what had been found before.
func (u *untouched) byTags(known state.Versions, tags string) (found string, ours bool) {
	u.drifted = known != (state.Versions{})
	for _, l := range []*state.Left{known.Left, known.Stands} {
		switch {
		case l == nil:
		case l.Tags == tags && l.Tags != l.Found:
			u.drifted = false
			return l.Found, true
		case l.Tags == tags || l.Found == head.Tags(plain(foundTags(u.facts.Robots))):
			u.drifted = false
		}
	}
	return "", false
}

// tagsOf are robots metas as tags.
func tagsOf(metas []head.Meta) []policy.Tag {
	tags := make([]policy.Tag, len(metas))
	for i, m := range metas {
		tags[i] = policy.Tag{Name: m.Name, Content: m.Content}
	}
	return tags
}

// plain are the found tags that say anything.
func plain(found []FoundTag) (tags []policy.Tag) {
	for _, t := range found {
		if t.HasContent {
			tags = append(tags, t.Tag)
		}
	}
	return tags
}

// foundTags are the tags of a page that count.
func foundTags(metas []head.Meta) (found []FoundTag) {
	for _, m := range metas {
		if !believed(&m) {
			continue
		}
		tag := FoundTag{policy.Tag{Name: m.Name, Content: m.Content}, m.HasContent, m.Line, m.Ours}
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
func (p *planner) foundStatements(at about, tags []FoundTag) (statements []policy.Statement, all []policy.Finding) {
	add := func(id string, severity policy.Severity, line int, format string, args ...any) {
		all = append(all, at.finding(id, severity, line, format, args...))
	}
	for _, tag := range tags {
		switch {
		case tag.Name == site.PageMetaName:
			continue // none for crawlers: see learn
		case !tag.HasContent && tag.Content != "":
			add("value-for-content", policy.Warning, tag.Line,
				"<meta name=%q value=%q> has no effect: the attribute is called content", tag.Name, tag.Content)
			continue
		case !tag.HasContent:
			add("no-content", policy.Warning, tag.Line, "<meta name=%q> has no content, and so no effect", tag.Name)
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
		add("indexifembedded", policy.Warning, tags[0].Line, "indexifembedded has no effect without noindex")
	}
	return statements, all
}

// opposedTags reports robots tags of one page and one name that contradict each other, or themselves.
func opposedTags(at about, found []FoundTag) []policy.Finding {
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
