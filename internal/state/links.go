package state

import (
	"crypto/sha256"
	"encoding/hex"

	emit "metarobots/emit/links"
)

// Links are what was put into the links of a page, and the sum of the page's bytes then: other bytes mean that the page
// was made anew.
type Links struct {
	Sum string
	emit.Record
}

// NewLinks remembers what was put into a page, whose bytes are those after it.
func NewLinks(after []byte, put emit.Record) *Links { return &Links{sumOf(after), put} }

func sumOf(page []byte) string {
	sum := sha256.Sum256(page)
	return hex.EncodeToString(sum[:8])
}

// Undo takes out of a page what an earlier run put into its links, and returns that too; nil where it put nothing
// there.
func (s *State) Undo(name string, page []byte) (src []byte, was *Links) {
	s.mu.Lock()
	known := s.pages[name].links
	s.mu.Unlock()
	if known == nil {
		return page, nil
	}
	sum := sumOf(page)
	for _, l := range []*Links{known.Wrote, known.Earlier} {
		if l == nil || l.Sum != sum {
			continue
		}
		if src, ok := l.Undo(page); ok {
			return src, l
		}
	}
	return page, nil
}

// IntendLinks keeps what is about to be put into a page's links beside what stands there of ours; nil for nothing.
func (s *State) IntendLinks(name string, write, stand *Links) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pages[name]
	if write == nil && stand == nil && p.links == nil {
		return
	}
	if p.links = nil; write != nil || stand != nil {
		p.links = &links{write, stand}
	}
	s.set(name, p)
}
