package plan

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/emit/patch"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A Page is a published file, what is decided on it, and what becomes of its bytes.
type Page struct {
	// File is what was known of it when it was decided on.
	site.File
	// URL is the encoded path from the publish root.
	URL string
	// Title is the page's, where Options ask for it.
	Title string
	*told
	change
	memory
	// Tags are the robots metas of a page as its generator wrote them, as far as they count.
	Tags []head.Meta
	// Related is what it says of other pages; nil for nothing.
	Related  *Related
	findings []policy.Finding
	faults   []policy.Finding // of its tags' contents
}

// begin is a page on which nothing is decided yet.
func begin(f site.File) *Page {
	pg := &Page{File: f, URL: site.URL(f.Name), told: untold}
	if pg.URL == f.Path.URL { // one string for both
		pg.URL = f.Path.URL
	}
	if len(f.Path.File) > 0 && f.Path.File[1:] == f.Name {
		pg.Name = f.Path.File[1:]
	}
	return pg
}

// asset decides on a file that is no HTML, or none that is read.
func (p *planner) asset(f site.File) *Page {
	if p.control[f.Name] || slices.ContainsFunc(p.headers, func(h *HeaderFile) bool { return h.name == f.Name }) {
		f.Role = policy.RoleControl
	}
	pg := begin(f)
	p.decide(pg)
	return pg
}

// judge decides on an HTML file by what its generator wrote there, and says which tags are exchanged in it.
func (p *planner) judge(pg *Page, facts *head.Facts) []patch.Edit {
	p.classify(&pg.File, facts.Refresh)
	p.readTags(pg, facts)
	p.learn(pg, facts.Language)
	pg.Related = p.related(pg, facts.Relations)
	if p.Project.Options.Titles {
		pg.Title = facts.Title
	}
	p.decide(pg)
	edits := p.editMetas(pg, facts)
	if pg.headerOnly && facts.Encoding != "" {
		p.finding(pg, "encoding", policy.Warning, 0, "the file is %s, which is not edited: a header alone can carry "+
			"its policy", facts.Encoding)
	}
	return edits
}

// decide asks the policy about a file of which everything is known but the site's own header rules.
func (p *planner) decide(pg *Page) {
	if !pg.Role.Policed() {
		return
	}
	if pg.Unknown && pg.HTML {
		p.finding(pg, "unknown-file", policy.Warning, 0, "no page or static file of this "+
			"site makes this file, and it is published: if it is left over from an earlier build, perhaps of a draft, "+
			"remove it; only rules, the environment and its own tags decide on it")
	}
	pg.Headers = p.headersFor(pg.Name)
	pg.told = p.toldBy(p.Project.Policy.Statements(&pg.Subject), len(pg.Found) == 0)
	for _, s := range pg.Decision.Expired {
		t, _ := s.Directives.Expiry()
		expired := p.About(pg, "expired", policy.Warning, s.Origin.Line,
			"unavailable_after %s has passed: the page counts as noindex", t.Format("2006-01-02 15:04 MST"))
		expired.File = cmp.Or(s.Origin.File, expired.File)
		pg.findings = append(pg.findings, expired)
	}
}

// About is a finding about a page's file.
func (p *planner) About(pg *Page, id string, s policy.Severity, line int, format string, args ...any) policy.Finding {
	return policy.Finding{ID: id, Severity: s, URL: pg.URL, File: p.Project.Published(pg.Name), Line: line,
		Message: fmt.Sprintf(format, args...)}
}

// finding reports something about a page's file.
func (p *planner) finding(pg *Page, id string, s policy.Severity, line int, format string, args ...any) {
	pg.findings = append(pg.findings, p.About(pg, id, s, line, format, args...))
}

// Hidden reports whether a page is noindex for everyone by anything but the environment.
func (pg *Page) Hidden() bool {
	return pg.Decision.NoIndex() && slices.ContainsFunc(pg.Decision.Statements, func(s policy.Statement) bool {
		return s.Crawler == "" && s.Origin.Layer != policy.LayerEnvironment && s.Directives.NoIndex()
	})
}

// LanguageHidden reports whether a page is noindex for its language alone, which visibility hides on purpose.
func (pg *Page) LanguageHidden() bool {
	return !slices.ContainsFunc(pg.Decision.Statements, func(s policy.Statement) bool {
		byLanguage := s.Origin.Layer == policy.LayerVisibility && strings.Contains(s.Origin.Key,
			"visibility.languages.")
		return s.Crawler == "" && s.Directives.NoIndex() && !byLanguage
	})
}

// NamesOwner reports whether the canonical link of a pager, or of another output of a page, names that page.
func (pg *Page) NamesOwner() bool {
	return pg.Of != nil && pg.Related != nil &&
		project.ServedAs(pg.Related.Canonical) == project.ServedPath(pg.Of.Path.URL)
}

// TakesTags reports whether the policy of a file can stand in its bytes; else a header alone can carry it (M5).
func (pg *Page) TakesTags() bool { return pg.HTML && !pg.headerOnly }

// told is what crawlers are told of a file. Pages of which the same is said share one, and nobody changes it.
type told struct {
	Decision policy.Decision
	*printed
}

// printed is what a decision prints. Files that are told the same for different reasons share one.
type printed struct {
	// Header is what the decision asks of X-Robots-Tag, the generic line first.
	Header []string
	metas  []policy.Tag
	html   string // of the metas
}

// untold is a file of which nothing is said.
var untold = &told{printed: &printed{}}

var seed = maphash.MakeSeed()

// toldBy decides by what is said of a file; of files of which the same is said, the first is asked for all. What nobody
// else shares, since it stands in the page itself, is not kept.
func (p *planner) toldBy(statements []policy.Statement, keep bool) *told {
	var h maphash.Hash
	if h.SetSeed(seed); keep {
		for i := range statements {
			maphash.WriteComparable(&h, statements[i])
		}
		if known, ok := p.known.Load(h.Sum64()); ok && slices.Equal(known.(*told).Decision.Statements, statements) {
			return known.(*told)
		}
	}
	d := p.Project.Policy.Resolve(statements)
	text, ok := p.known.Load(d.Generic)
	if !ok || len(d.Agents) > 0 {
		metas := d.Metas(p.Project.Policy.Style)
		text = &printed{d.Header(p.Project.Policy.Style), metas, head.Tags(metas)}
		if len(d.Agents) == 0 {
			p.known.Store(d.Generic, text)
		}
	}
	t := &told{d, text.(*printed)}
	if keep {
		p.known.LoadOrStore(h.Sum64(), t)
	}
	return t
}
