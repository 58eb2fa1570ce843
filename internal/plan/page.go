package plan

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A Page is the decision for one published file, and what becomes of the file.
type Page struct {
	// File is what is known of it, with all that is said of it beside the policy.
	site.File
	// URL is the encoded path from the publish root.
	URL string
	// Title is the page's, where Options ask for it.
	Title    string
	Decision policy.Decision
	// Header is what the decision asks of X-Robots-Tag, the generic line first.
	Header []string
	standing
	change
	// Related is what it says of other pages; nil for nothing.
	Related  *Related
	findings []policy.Finding
}

// asset decides on a file that is no HTML, or none that is read.
func (p *Plan) asset(f site.File) *Page {
	if p.control[f.Name] || slices.ContainsFunc(p.Headers, func(h *HeaderFile) bool { return h.name == f.Name }) {
		f.Role = policy.RoleControl
	}
	return p.decided(f, nil)
}

// page decides on an HTML file by what stands in it; text is what the facts are of. fresh says that the generator made
// it just now, so that no tag in it can be ours.
func (p *Plan) page(f site.File, facts *head.Facts, text []byte, fresh bool) *Page {
	if p.project.redirects(&f, facts.Refresh) {
		f.Role = policy.RoleRedirect
	}
	at := subjectOf(f)
	s := p.standing(&f, facts, fresh)
	findings := inertTags(at, facts.Inert)
	if !s.ours {
		findings = append(findings, faultyTags(at, facts.Robots)...)
	}
	findings = append(findings, oddWords(at, s.found)...)
	found, problems := foundStatements(at, p.Published(f.Name), s.found)
	f.Found = found
	findings = append(findings, problems...)
	f, problems = p.learn(f, text, s.found)
	pg := p.decided(f, append(findings, problems...))
	pg.Title, pg.standing, pg.Related = facts.Title, s, p.project.related(at, facts.Relations)
	return pg
}

// subject names a file in findings.
type subject struct{ url, name string }

func subjectOf(f site.File) subject {
	url := site.URL(f.Name)
	if url == f.Path.URL {
		url = f.Path.URL // one string for both
	}
	return subject{url, f.Name}
}

// finding is about the file itself.
func (s subject) finding(id string, severity policy.Severity, line int, format string, args ...any) policy.Finding {
	return policy.Finding{ID: id, Severity: severity, URL: s.url, File: s.name, Line: line, Message: fmt.Sprintf(format, args...)}
}

// finding reports something about the file itself.
func (pg *Page) finding(id string, severity policy.Severity, line int, format string, args ...any) {
	pg.findings = append(pg.findings, subject{pg.URL, pg.Name}.finding(id, severity, line, format, args...))
}

// samePath compares two encoded paths as hosts serve them.
func samePath(a, b string) bool { return a == b || servedAs(decoded(a)) == servedAs(decoded(b)) }

// servedAs is a decoded path without what hosts leave out of it: /x for /x/, /x/index.html and /x.html. A site that
// publishes several of these has them reported (two-files).
func servedAs(path string) string {
	path = strings.TrimSuffix(path, "/index.html")
	path = strings.TrimSuffix(path, ".html")
	return strings.TrimSuffix(path, "/")
}
