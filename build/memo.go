package build

import (
	"slices"

	"metarobots/policy"
)

// memo shares what many pages of a site have in common: the statements behind their decisions and what is printed of
// them. A worker has one.
type memo struct {
	statements []policy.Statement
	printed    map[policy.Directives]printed
}

// printed is what a decision prints that tells no crawler anything of its own.
type printed struct {
	metas  []policy.Tag
	header []string
}

// share gives a decision the statements of the one before it where they are the same.
func (m *memo) share(d *policy.Decision) {
	if slices.Equal(m.statements, d.Statements) {
		d.Statements = m.statements
	} else {
		m.statements = d.Statements
	}
}

func (m *memo) metas(p *Plan, pg *Page) []policy.Tag {
	if len(pg.Decision.Agents) > 0 {
		return pg.Decision.Metas(p.project.Policy.Style)
	}
	return m.print(p, pg).metas
}

func (m *memo) header(p *Plan, pg *Page) []string {
	if len(pg.Decision.Agents) > 0 {
		return pg.Decision.Header(p.project.Policy.Style)
	}
	return m.print(p, pg).header
}

func (m *memo) print(p *Plan, pg *Page) printed {
	text, ok := m.printed[pg.Decision.Generic]
	if !ok {
		style := p.project.Policy.Style
		text = printed{pg.Decision.Metas(style), pg.Decision.Header(style)}
		if m.printed == nil {
			m.printed = map[policy.Directives]printed{}
		}
		m.printed[pg.Decision.Generic] = text
	}
	return text
}
