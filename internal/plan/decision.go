package plan

import (
	"cmp"
	"fmt"

	"metarobots/internal/site"
	"metarobots/policy"
)

// decided asks the policy about a file of which everything is known but the site's own header rules; findings are what
// is said of it so far.
func (p *Plan) decided(f site.File, findings []policy.Finding) *Page {
	at := subjectOf(f)
	if len(f.Path.File) > 0 && f.Path.File[1:] == f.Name {
		f.Name = f.Path.File[1:] // one string for both
	}
	if !f.Role.Policed() {
		return &Page{File: f, URL: at.url, findings: findings}
	}
	if f.Unknown && f.HTML {
		findings = append(findings, at.finding("unknown-file", policy.Warning, 0, "no page or static file of this site makes this file (left from an earlier build?): only rules, the environment and what it says itself decide on it"))
	}
	f.Headers = p.headersFor(f.Name)
	d := p.project.Policy.Decide(&f.Subject, p.usage)
	if len(f.Found) == 0 { // what stands in a page is its own
		d.Statements = p.shared.same(d.Statements)
	}
	for _, s := range d.Expired {
		t, _ := s.Directives.Expiry()
		findings = append(findings, policy.Finding{ID: "expired", Severity: policy.Warning, URL: at.url, File: cmp.Or(s.Origin.File, f.Name), Line: s.Origin.Line,
			Message: fmt.Sprintf("unavailable_after %s has passed: the page counts as noindex", t.Format("2006-01-02 15:04 MST"))})
	}
	return &Page{File: f, URL: at.url, Decision: d, Header: p.shared.print(&d, p.project.Policy.Style).header, findings: findings}
}
