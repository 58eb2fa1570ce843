package plan

import (
	"bytes"
	"fmt"
	"sync/atomic"

	"metarobots/emit/links"
	"metarobots/policy"
)

// linkUse counts what of the links' policy found something to do.
type linkUse struct{ rules, snippets []atomic.Bool }

// editLinks applies the links' policy to a page whose metas are settled; out are its bytes, src those on the disk. What
// is returned is the editor's until its next page.
func (e *editor) editLinks(pg *Page, encoding string, src, out []byte) []byte {
	c := e.plan.project.Config.Robots.Links
	if pg.Role == policy.RolePage && !c.Empty() && encoding == "" {
		e.links.Scan(out, e.plan.project.address(pg.Name).String(), c.Policy(pg.Section))
		if len(e.links.Edits) > 0 {
			e.linked = e.links.Rewrite(e.linked[:0], out)
			out = e.linked
			pg.change.linked = &linked{sumOf(out), e.links.Record()}
		}
		e.plan.linkUse.note(&e.links)
		pg.edits = len(e.links.Edits)
		pg.ignored(&e.links)
	}
	pg.Changes = !bytes.Equal(out, src)
	return out
}

func (u *linkUse) note(p *links.Page) {
	for i, used := range p.Rules {
		if used && i < len(u.rules) {
			u.rules[i].Store(true)
		}
	}
	for i, used := range p.NoSnippet {
		if used && i < len(u.snippets) {
			u.snippets[i].Store(true)
		}
	}
}

// ignored reports elements on which Google reads no data-nosnippet.
func (pg *Page) ignored(p *links.Page) {
	if len(p.Ignored) == 0 {
		return
	}
	i := p.Ignored[0]
	more := ""
	if n := len(p.Ignored) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	pg.finding("nosnippet-ignored", policy.Warning, 0, "<%s class=%q> gets no data-nosnippet: Google reads it on div, span and section alone%s", i.Name, string(i.Class), more)
}

// unusedLinks reports what of the links' policy selected nothing (S4).
func (p *Plan) unusedLinks() {
	c := p.project.Config.Robots.Links
	if c.Empty() {
		return
	}
	say := func(o policy.Origin, what string) {
		p.report(policy.Finding{ID: "selects-nothing", Severity: policy.Warning, File: o.File, Line: o.Line, Message: fmt.Sprintf("%s: %s", o.Key, what)})
	}
	for i := range p.linkUse.rules {
		if !p.linkUse.rules[i].Load() {
			say(c.RuleOrigins[i], "no link of the site is one of these")
		}
	}
	for i := range p.linkUse.snippets {
		if !p.linkUse.snippets[i].Load() {
			say(c.SnippetOrigins[i], fmt.Sprintf("no element has the class %q", c.Options.NoSnippet[i]))
		}
	}
}
