package plan

import (
	"hash/maphash"
	"slices"
	"sync"

	"metarobots/emit/head"
	"metarobots/policy"
)

var seed = maphash.MakeSeed()

// shared keeps once what many pages of a site have in common: the statements behind equal decisions, and what equal
// decisions print. Nobody changes these values.
type shared struct {
	mu         sync.Mutex
	statements map[uint64][]policy.Statement
	printed    map[policy.Directives]printed
}

// printed is what a decision prints that tells no crawler anything of its own.
type printed struct {
	metas  []policy.Tag
	html   string // of the metas
	header []string
}

// same returns statements that are equal to these, the first that came.
func (s *shared) same(statements []policy.Statement) []policy.Statement {
	var h maphash.Hash
	h.SetSeed(seed)
	for i := range statements {
		maphash.WriteComparable(&h, statements[i])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.statements[h.Sum64()]; ok {
		if slices.Equal(known, statements) {
			return known
		}
		return statements
	}
	if s.statements == nil {
		s.statements = map[uint64][]policy.Statement{}
	}
	s.statements[h.Sum64()] = statements
	return statements
}

// print returns what a decision prints.
func (s *shared) print(d *policy.Decision, style policy.Style) printed {
	if len(d.Agents) > 0 {
		return newPrinted(d, style)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
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
