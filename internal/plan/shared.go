package plan

import (
	"hash/maphash"
	"slices"
	"sync"

	"metarobots/emit/head"
	"metarobots/policy"
)

var seed = maphash.MakeSeed()

// shared keeps once what many pages of a site have in common: equal decisions, and what they print. Nobody changes
// these values.
type shared struct {
	mu        sync.Mutex
	decisions map[uint64]*policy.Decision // by a sum of their statements
	printed   map[policy.Directives]printed
	agents    map[*policy.Agent]printed // of those decisions that tell crawlers something of their own
}

// printed is what a decision prints.
type printed struct {
	metas  []policy.Tag
	html   string // of the metas
	header []string
}

// decide is [policy.Policy.Resolve]; of pages of which the same is said, the first is asked for all.
func (s *shared) decide(p *policy.Policy, statements []policy.Statement) policy.Decision {
	var h maphash.Hash
	h.SetSeed(seed)
	for i := range statements {
		maphash.WriteComparable(&h, statements[i])
	}
	s.mu.Lock()
	known := s.decisions[h.Sum64()]
	s.mu.Unlock()
	if known != nil && slices.Equal(known.Statements, statements) {
		return *known
	}
	d := p.Resolve(statements)
	var text printed
	if len(d.Agents) > 0 {
		text = newPrinted(&d, p.Style)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.decisions == nil {
		s.decisions, s.agents = map[uint64]*policy.Decision{}, map[*policy.Agent]printed{}
	}
	if s.decisions[h.Sum64()] == nil {
		s.decisions[h.Sum64()] = &d
		if len(d.Agents) > 0 {
			s.agents[&d.Agents[0]] = text
		}
	}
	return d
}

// print returns what a decision prints.
func (s *shared) print(d *policy.Decision, style policy.Style) printed {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(d.Agents) > 0 {
		if text, ok := s.agents[&d.Agents[0]]; ok {
			return text
		}
		return newPrinted(d, style)
	}
	text, ok := s.printed[d.Generic]
	if !ok {
		text = newPrinted(d, style)
		if s.printed == nil {
			s.printed = map[policy.Directives]printed{}
		}
		s.printed[d.Generic] = text
	}
	return text
}

func newPrinted(d *policy.Decision, style policy.Style) printed {
	metas := d.Metas(style)
	return printed{metas, head.Tags(metas), d.Header(style)}
}
