package plan

import (
	"slices"

	"metarobots/internal/site"
	"metarobots/policy"
)

// known is what is known of a file beside its name.
type known struct{ site.File }

// decided is what the policy says of a file.
type decided struct {
	Decision policy.Decision
	// Header is what the decision asks of X-Robots-Tag, the generic line first.
	Header []string
}

// stands is what stands in a page.
type stands struct {
	tags  []policy.Tag // the robots metas that stand there now
	found []FoundTag   // as the generator wrote them
}

// memo shares what many pages of a site have in common: what is known of them, their decisions and what is printed of
// those. A worker has one.
type memo struct {
	known   recent[known]
	decided recent[decided]
	stands  recent[stands]
	printed map[policy.Directives]printed
}

// printed is what a decision prints that tells no crawler anything of its own.
type printed struct {
	metas  []policy.Tag
	header []string
}

// recent are the values that were used last, the latest first: pages of one kind follow each other.
type recent[T any] struct{ values [16]*T }

// of returns the value that same says is equal to v, or v where none is.
func (r *recent[T]) of(v *T, same func(a, b *T) bool) *T {
	at := len(r.values) - 1
	for i, known := range r.values {
		if known == nil {
			at = i
			break
		}
		if same(known, v) {
			v, at = known, i
			break
		}
	}
	copy(r.values[1:at+1], r.values[:at])
	r.values[0] = v
	return v
}

// settle has a page share what it is like others in, once everything is known of it. What only a decision asks for is
// dropped: the statements are in the decision.
func (m *memo) settle(p *Plan, pg *Page) {
	if p.project.options.Trials {
		return
	}
	k := &pg.known.File
	k.Path, k.Name, k.Source = policy.Path{}, "", ""
	k.Page, k.Alone, k.Owners, k.Found, k.Claimed = nil, false, nil, nil, nil
	pg.known = m.known.of(pg.known, func(a, b *known) bool {
		return a.Facts == b.Facts && a.Role == b.Role && a.HTML == b.HTML && a.Of == b.Of && a.Pager == b.Pager && a.Unknown == b.Unknown &&
			slices.Equal(a.Taxonomies, b.Taxonomies) && slices.Equal(a.Headers, b.Headers)
	})
	pg.decided = m.decided.of(pg.decided, func(a, b *decided) bool {
		return a.Decision.Generic == b.Decision.Generic && slices.Equal(a.Decision.Agents, b.Decision.Agents) &&
			slices.Equal(a.Decision.Statements, b.Decision.Statements) && slices.Equal(a.Decision.Expired, b.Decision.Expired) &&
			slices.Equal(a.Header, b.Header)
	})
	alike := slices.Equal(pg.Carries, pg.tags)
	pg.stands = m.stands.of(pg.stands, func(a, b *stands) bool {
		return slices.Equal(a.tags, b.tags) && slices.Equal(a.found, b.found)
	})
	if alike {
		pg.Carries = pg.tags
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
