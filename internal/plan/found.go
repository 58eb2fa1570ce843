package plan

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/emit/patch"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/policy"
)

// untouched takes out of a page what an earlier run of ours put there (M7), and scans what is left; that is the
// editor's until its next page. fresh says that src comes from the generator itself, so that nothing in it can be ours.
//
// Only a page that is byte for byte what we left, and that nobody has written since, is taken back. In any other, a tag
// may be the generator's, whatever it says, and counts.
func (e *editor) untouched(pg *Page, src []byte, fresh bool) (own []byte, facts head.Facts) {
	known := e.mk.project.State.Recall(pg.File.Name)
	pg.WasIndexable = known.Left != nil && !known.Left.NoIndex
	if fresh || pg.File.Unknown { // what a page of an earlier build holds of ours nobody would say again
		return src, e.scanner.Scan(src, e.kind)
	}
	p := e.mk.project
	// Of a page that is newer than the last run, its generator may print what we left.
	info, err := os.Stat(p.Path(pg.File.Name))
	if err != nil || p.Options.AssumeOurs || !p.State.Rewritten(info.ModTime()) {
		if own, pg.stands = known.Undo(e.own[:0], src); pg.stands != nil {
			e.own = own
			return own, e.scanner.Scan(own, e.kind)
		}
	}
	facts = e.scanner.Scan(src, e.kind)
	pg.Edited = slices.ContainsFunc(tagsOf(foundTags(facts.Robots)), func(t policy.Tag) bool {
		return known.Put(head.Tags([]policy.Tag{t}))
	})
	foreign := func(m head.Meta) bool { // not, to the byte, what we would print for what it states
		r, _ := policy.Parse(m.Content, policy.Found)
		return !m.Ours || r.Directives.Format(p.Policy.Style) != m.Content
	}
	if p.State.Found || !p.Options.AssumeOurs || len(facts.Robots) == 0 || slices.ContainsFunc(facts.Robots, foreign) {
		return src, facts
	}
	undo := patch.New(src, facts.Edits(""))
	e.own, _ = undo.Apply(e.own[:0], src)
	pg.stands = &state.Left{Sum: state.Sum(e.own), Patch: undo.Inverse()}
	return e.own, e.scanner.Scan(e.own, e.kind)
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
func plain(found []head.Meta) []policy.Tag {
	return tagsOf(slices.DeleteFunc(slices.Clone(found), func(m head.Meta) bool { return !m.HasContent }))
}

// foundTags are the tags of a page that count.
func foundTags(metas []head.Meta) []head.Meta {
	return slices.DeleteFunc(slices.Clone(metas), func(m head.Meta) bool { return !believed(&m) })
}

// believed reports whether a tag counts, be it for crawlers or as metadata, which is believed where a template alone
// can have said it, and said it right.
func believed(m *head.Meta) bool {
	return m.Name != site.PageMetaName || !m.Body && m.Mistake == 0
}

// readTags reads the tags of a page, and reports what is wrong with them.
func (mk *Maker) readTags(pg *Page, facts *head.Facts) {
	for _, m := range facts.Inert { // their names say nothing to anyone in a page (A4)
		mk.finding(pg, "inert-crawler", policy.Warning, m.Line, "<meta name=%q> does nothing: %s %s", m.Name, m.Name,
			cmp.Or(policy.Inert(m.Name), "is told by X-Robots-Tag alone"))
	}
	for i := range facts.Robots {
		mk.reportFaults(pg, &facts.Robots[i])
	}
	pg.Tags = foundTags(facts.Robots)
	mk.reportOpposed(pg)
	mk.readFound(pg)
}

// reportFaults reports what is wrong with a tag that counts all the same, and metadata that does not.
func (mk *Maker) reportFaults(pg *Page, m *head.Meta) {
	switch {
	case believed(m):
	case m.Body:
		mk.finding(pg, "page-metadata-in-body", policy.Warning, m.Line, "<meta name=%q> is in the body, which is the "+
			"page's content, so it has no effect; the template must print it in the head", m.Name)
		return
	default:
		mk.finding(pg, "mistaken-tag", policy.Warning, m.Line, "this tag is not read as <meta name=%q>, which was "+
			"probably meant (%s), so it has no effect", m.Name, m.Mistake)
		return
	}
	const meant = "crawlers do not read this tag as <meta name=%q>, which it was meant to be (%s): it counts as meant"
	if id := "mistaken-tag"; m.Mistake != 0 {
		if m.Mistake == head.InValue {
			id = "value-for-content"
		}
		mk.finding(pg, id, policy.Warning, m.Line, meant, m.Name, m.Mistake)
	}
	if m.Cut {
		mk.finding(pg, "long-content", policy.Error, m.Line,
			"<meta name=%q> has more than 64 KB of content: what follows was not read", m.Name)
	}
	if m.Body {
		mk.finding(pg, "meta-in-body", policy.Warning, m.Line,
			"a robots tag stands in the body: some crawlers obey it, so it counts, and the head gets it")
	}
}

// readFound turns the tags of a page into the layer found: those of one name are one source (D3).
func (mk *Maker) readFound(pg *Page) {
	for _, tag := range pg.Tags {
		switch {
		case tag.Name == site.PageMetaName:
			continue // none for crawlers: see complete
		case !tag.HasContent:
			mk.finding(pg, "no-content", policy.Warning, tag.Line, "<meta name=%q> has no content, and so no effect",
				tag.Name)
			continue
		}
		parsed := mk.parse(policy.Tag{Name: tag.Name, Content: tag.Content})
		for _, problem := range parsed.problems {
			mk.note(pg, about(mk.project, pg, problem.ID, problem.Severity, tag.Line, "<meta name=%q>: %s", tag.Name,
				problem.Message), true)
		}
		for _, r := range parsed.readings {
			if !r.Directives.IsZero() || r.Embed {
				pg.File.Found = append(pg.File.Found, r.Statement(policy.Origin{Layer: policy.LayerFound,
					File: mk.project.Published(pg.File.Name), Line: tag.Line, Key: "meta " + tag.Name}))
			}
		}
	}
	for range policy.OneSource(pg.File.Found) {
		mk.finding(pg, "indexifembedded", policy.Warning, pg.Tags[0].Line,
			"indexifembedded has no effect without noindex")
	}
}

// parsed is what a tag states, and what is wrong with it.
type parsed struct {
	readings []policy.Reading
	problems []policy.Finding
}

// parse reads a tag. Pages of one template state the same, which is read once.
func (mk *Maker) parse(tag policy.Tag) parsed {
	r, ok := mk.tags.get(tag)
	if !ok {
		r.readings, r.problems = policy.ParseMeta(tag.Name, tag.Content, policy.Found, mk.project.Policy.Crawlers)
		mk.tags.put(tag, r)
	}
	return r
}

// pageFindings are those about single pages. One template prints the same fault into many, so it is said of the first.
func (mk *Maker) pageFindings(pages []*Page) (all []policy.Finding) {
	type fault struct{ id, message string }
	first, more := map[fault]int{}, map[int]int{} // their places
	for _, pg := range pages {
		all = append(all, mk.noted[pg].findings...)
		for _, f := range mk.noted[pg].faults {
			if i, said := first[fault{f.ID, f.Message}]; said {
				more[i]++
				continue
			}
			first[fault{f.ID, f.Message}] = len(all)
			all = append(all, f)
		}
	}
	for i, n := range more {
		all[i].Message += fmt.Sprintf("; the same on %d more", n)
	}
	return all
}

// reportOpposed reports robots tags of one page and one name that contradict each other, or themselves.
func (mk *Maker) reportOpposed(pg *Page) {
	said := map[policy.Tag]int{} // name and word, to the line
	for _, tag := range pg.Tags {
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
	for _, tag := range pg.Tags {
		for _, word := range []string{"index", "follow", "archive"} {
			a, yes := said[policy.Tag{Name: tag.Name, Content: word}]
			b, no := said[policy.Tag{Name: tag.Name, Content: "no" + word}]
			if yes && no {
				mk.finding(pg, "tags-at-odds", policy.Warning, max(a, b), "its %s tags say both %s and no%s. "+
					"Google and metarobots use the stricter one; other crawlers may not", tag.Name, word, word)
				return
			}
		}
	}
}

// metaNames are the names of metas that crawlers read, that of page metadata, and the names that say nothing in a page
// (A4).
func metaNames(crawlers policy.Crawlers) map[string]head.Kind {
	names := map[string]head.Kind{}
	for _, name := range crawlers.Names() {
		names[name] = head.Robots
		if c, _ := crawlers.Lookup(name); c.HeaderOnly() {
			names[name] = head.Inert
		}
	}
	for _, name := range policy.InertNames() {
		names[name] = head.Inert
	}
	names["robots"], names[site.PageMetaName] = head.Robots, head.Robots
	return names
}

// classify corrects the role of an HTML file by what its owner says of it (L3) and by what its generator wrote (L4).
func (mk *Maker) classify(f *site.File, r *head.Refresh) {
	paths := &mk.project.Config.Robots.ErrorPaths
	matches := func(g policy.Glob) bool { return g.Match(f.Path) }
	excepted := slices.ContainsFunc(paths.Except, matches)
	switch {
	case f.Role == policy.RoleControl:
	case !excepted && slices.ContainsFunc(paths.Match, matches):
		f.Role, f.Facts.Kind = policy.RoleError, "404"
	case mk.redirects(f, r):
		f.Role = policy.RoleRedirect
	case excepted && f.Role == policy.RoleError:
		f.Role, f.Facts.Kind = policy.RolePage, "page"
	}
}

// redirects reports whether a page only sends readers on: a real head element http-equiv=refresh, delay 0, to another
// URL (L4).
func (mk *Maker) redirects(f *site.File, r *head.Refresh) bool {
	if r == nil || r.Delay != 0 || r.URL == "" {
		return false
	}
	to, ok := mk.project.Leads(f.Name, r.URL, false)
	return !ok || !project.SamePath(to, site.URL(f.Name)) // else it reloads itself
}

// Related is what a page says of others: its canonical address and its translations, as far as they are not itself.
type Related struct {
	// Canonical is the encoded path from the publish root; empty for the page itself, for none and for another site's.
	Canonical string
	// Line is that of the canonical link; 0 for none.
	Line int
	// Elsewhere: the canonical address is on another site.
	Elsewhere bool
	// Alternates are encoded paths from the publish root.
	Alternates []string
}

// related returns what a page's links say of other pages; nil for nothing. Where the site's address is not known, whole
// addresses may be its own or another site's, and nothing is said of them.
func (mk *Maker) related(pg *Page, links []head.Relation) (r *Related) {
	for _, link := range links {
		to, ok := mk.project.Leads(pg.File.Name, link.Href, false)
		if ok && project.SamePath(to, pg.URL) {
			if link.Canonical {
				pg.Self = cmp.Or(pg.Self, to)
			}
			continue
		} else if !ok && mk.project.HostOf(pg.File.Name).URL.Host == "" {
			continue // nobody has said which host is the site's own
		}
		if r == nil {
			r = &Related{}
		}
		switch {
		case link.Canonical && r.Line == 0:
			r.Canonical, r.Elsewhere, r.Line = to, !ok, link.Line
		case !link.Canonical && ok:
			r.Alternates = append(r.Alternates, to)
		}
	}
	return r
}
