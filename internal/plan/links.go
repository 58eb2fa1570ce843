package plan

import (
	"bytes"
	"fmt"
	"sync/atomic"

	"metarobots/emit/links"
	"metarobots/internal/state"
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
			pg.change.linked = state.NewLinks(out, e.links.Record())
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
