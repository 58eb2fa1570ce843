package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/policy"
)

// A Page is the decision for one published file, and what becomes of the file. A site has many: what few pages have
// stands behind a pointer, and what can be read again is not kept.
type Page struct {
	known
	// URL is the encoded path from the publish root.
	URL string
	// Title is the page's, where Options ask for it.
	Title    string
	Decision policy.Decision
	// Header is what the decision asks of X-Robots-Tag, the generic line first.
	Header []string
	change
	memory
	entry *state.Entry // what the index is to remember of it; nil for nothing
	// Tags are the robots metas of a page as its generator wrote them.
	Tags    []FoundTag
	drifted bool // see untouched
	// WasIndexable: the tags that an earlier run of ours left in a page did not say noindex.
	WasIndexable bool
	// Related is what it says of other pages; nil for nothing.
	Related  *Related
	findings []policy.Finding
}

// known is what was known of a file when it was decided on.
type known struct {
	// Name is the path from the publish root, Source the content file behind it: see [site.File].
	Name, Source string
	Path         policy.Path
	policy.Facts
	Role          policy.Role
	HTML, Unknown bool
	Pager         int
	Of            *policy.Owner
	more          *policy.Subject // with all else that was known, but for what was found; nil for nothing else
}

// Taxonomies are the plural names of those that list the page, or that it lists.
func (k *known) Taxonomies() []string {
	if k.more == nil {
		return nil
	}
	return k.more.Taxonomies
}

func knownOf(f *site.File) known {
	k := known{f.Name, f.Source, f.Path, f.Facts, f.Role, f.HTML, f.Unknown, f.Pager, f.Of, nil}
	if len(f.Taxonomies)+len(f.Page)+len(f.Owners)+len(f.Headers) > 0 || f.Alone || f.Claimed != nil {
		s := f.Subject
		s.Found = nil
		k.more = &s
	}
	return k
}

// subject is a file as it was decided on, but for what was found in it.
func (k *known) subject() policy.Subject {
	if k.more != nil {
		return *k.more
	}
	return policy.Subject{Path: k.Path, Facts: k.Facts, Role: k.Role, HTML: k.HTML, Of: k.Of, Pager: k.Pager}
}

// asset decides on a file that is no HTML, or none that is read.
func (p *planner) asset(f site.File) *Page {
	if p.control[f.Name] || slices.ContainsFunc(p.headers, func(h *headerSource) bool { return h.name == f.Name }) {
		f.Role = policy.RoleControl
	}
	return p.decided(f, nil)
}

// page decides on an HTML file by what its generator wrote there.
func (p *planner) page(f site.File, u *untouched) *Page {
	if p.redirects(&f, u.facts.Refresh) {
		f.Role = policy.RoleRedirect
	}
	at := p.aboutFile(&f)
	tags := foundTags(u.facts.Robots)
	found, problems := p.foundStatements(at, tags)
	findings := slices.Concat(inertTags(at, u.facts.Inert), faultyTags(at, u.facts.Robots), opposedTags(at, tags),
		problems)
	f.Found = found
	f, problems = p.learn(f, u.facts.Language, tags)
	pg := p.decided(f, append(findings, problems...))
	pg.Related = p.related(at, u.facts.Relations)
	if p.options.Titles {
		pg.Title = u.facts.Title
	}
	pg.Tags, pg.memory, pg.drifted, pg.WasIndexable = tags, u.memory, u.drifted, u.wasIndexable
	return pg
}

// decided asks the policy about a file of which everything is known but the site's own header rules; findings are what
// is said of it so far.
func (p *planner) decided(f site.File, findings []policy.Finding) *Page {
	at := p.aboutFile(&f)
	if len(f.Path.File) > 0 && f.Path.File[1:] == f.Name {
		f.Name = f.Path.File[1:] // one string for both
	}
	if !f.Role.Policed() {
		return &Page{known: knownOf(&f), URL: at.url, findings: findings}
	}
	if f.Unknown && f.HTML {
		findings = append(findings, at.finding("unknown-file", policy.Warning, 0, "no page or static file of this "+
			"site makes this file, and it is published: if it is left over from an earlier build, perhaps of a draft, "+
			"remove it; only rules, the environment and its own tags decide on it"))
	}
	f.Headers = p.headersFor(f.Name)
	statements := p.Policy.Statements(&f.Subject, p.usage)
	var d policy.Decision
	if len(f.Found) == 0 {
		d = p.shared.decide(p.Policy, statements)
	} else { // what stands in a page is its own
		d = p.Policy.Resolve(statements)
	}
	for _, s := range d.Expired {
		t, _ := s.Directives.Expiry()
		expired := at.finding("expired", policy.Warning, s.Origin.Line,
			"unavailable_after %s has passed: the page counts as noindex", t.Format("2006-01-02 15:04 MST"))
		expired.File = cmp.Or(s.Origin.File, expired.File)
		findings = append(findings, expired)
	}
	d.Expired = nil
	return &Page{known: knownOf(&f), URL: at.url, Decision: d, Header: p.shared.print(&d, p.Policy.Style).header,
		findings: findings}
}

// about names a file in findings.
type about struct {
	*planner
	name, url string
}

func (p *planner) about(name, url string) about { return about{p, name, url} }

func (p *planner) aboutFile(f *site.File) about {
	url := site.URL(f.Name)
	if url == f.Path.URL {
		url = f.Path.URL // one string for both
	}
	return about{p, f.Name, url}
}

// finding is about the file itself.
func (a about) finding(id string, s policy.Severity, line int, format string, args ...any) policy.Finding {
	return policy.Finding{ID: id, Severity: s, URL: a.url, File: a.published(a.name), Line: line,
		Message: fmt.Sprintf(format, args...)}
}

// finding reports something about a page's file.
func (p *planner) finding(pg *Page, id string, severity policy.Severity, format string, args ...any) {
	pg.findings = append(pg.findings, p.about(pg.Name, pg.URL).finding(id, severity, 0, format, args...))
}

// carriesNoindex reports whether its tags say noindex to everyone.
func (pg *Page) carriesNoindex() bool {
	return slices.ContainsFunc(pg.Carries, func(t policy.Tag) bool {
		if t.Name != "robots" {
			return false
		}
		r, _ := policy.Parse(t.Content, policy.Found)
		return r.Directives.NoIndex()
	})
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
	return pg.Of != nil && pg.Related != nil && ServedAs(pg.Related.Canonical) == servedAs(pg.Of.Path.URL)
}

// TakesTags reports whether the policy of a file can stand in its bytes; else a header alone can carry it (M5).
func (pg *Page) TakesTags() bool { return pg.HTML && !pg.headerOnly }
