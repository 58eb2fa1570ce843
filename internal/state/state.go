// Package state remembers from run to run what metarobots wrote into pages and what had stood there before (M7): a tag
// of ours that counted as the theme's could never be taken back.
package state

import (
	"fmt"
	"slices"
	"strconv"
	"sync"

	"metarobots/policy"
)

// A State remembers, for each page of one publish folder, the robots metas that we wrote and those that had been found
// before the first write, and what we put into links. Tags that are equal to what we wrote are ours, and what had been
// found counts; other tags mean that the page was made anew. It is safe for concurrent use.
//
// What a run is about to write is kept beside what the run before it wrote, and saved before the first page changes:
// whichever of the two stands in a page after a crash is known to be ours.
type State struct {
	// Found: an earlier run left one.
	Found bool

	file  string // empty: nothing is remembered
	mu    sync.Mutex
	pages map[string]page
	tags  map[string]*tags // each once: the pages of a site have few different ones
	dirty bool
}

// page is what is remembered of one page; nil for nothing of a kind.
type page struct {
	tags  *tags
	links *links
}

// tags are the robots metas of a page.
type tags struct {
	Wrote   []policy.Tag // by the last run, or about to be written by this one
	Earlier []policy.Tag // by the run before, while a run goes on; else the same as Wrote
	Found   []FoundTag
}

// links are what the last run put into the links of a page, or is about to, and what stood there of the one before.
type links struct{ Wrote, Earlier *Links }

// A FoundTag is a robots meta as it stood in a page.
type FoundTag struct {
	policy.Tag
	HasContent bool
	Line       int
}

// Originals are the tags that stood in a page before our first write.
func Originals(found []FoundTag) (tags []policy.Tag) {
	for _, t := range found {
		if t.HasContent {
			tags = append(tags, t.Tag)
		}
	}
	return tags
}

// A Memory is what is remembered of a page by the tags that stand in it.
type Memory struct {
	// Ours: the tags are what we wrote; Found are those that stood there before.
	Ours  bool
	Found []FoundTag
	// Edited: something of ours is remembered, and the tags are neither that nor what had been found before: the page
	// was not made anew by its generator alone.
	Edited bool
	// Indexable: the last run left the page without noindex.
	Indexable bool
}

// Recall returns what is remembered of a page in which these tags stand.
func (s *State) Recall(name string, stand []policy.Tag) (m Memory) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.pages[name].tags
	if t == nil {
		return m
	}
	m.Indexable = !slices.ContainsFunc(t.Wrote, func(t policy.Tag) bool {
		reading, _ := policy.Parse(t.Content, policy.Found)
		return t.Name == "robots" && reading.Directives.NoIndex()
	})
	if slices.Equal(t.Wrote, stand) || slices.Equal(t.Earlier, stand) {
		m.Ours, m.Found = true, t.Found
		return m
	}
	m.Edited = !slices.EqualFunc(stand, t.Found, func(t policy.Tag, f FoundTag) bool {
		return t == f.Tag || !f.HasContent && t.Name == f.Name && t.Content == ""
	})
	return m
}

// Intend keeps what is about to be written to a page beside stand, what is ours there already; nil for nothing.
func (s *State) Intend(name string, write, stand []policy.Tag, found []FoundTag) {
	if stand == nil {
		stand = write
	}
	s.put(name, &tags{write, stand, found})
}

// Forget drops the tags of a page that carries none of ours.
func (s *State) Forget(name string) { s.put(name, nil) }

// put keeps the tags of a page; nil for none.
func (s *State) put(name string, t *tags) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t != nil {
		t = s.same(t)
	}
	p := s.pages[name]
	if p.tags == t {
		return
	}
	p.tags = t
	s.set(name, p)
}

// set keeps a page, or drops it where nothing is left of it; s.mu is held.
func (s *State) set(name string, p page) {
	if s.dirty = true; p == (page{}) {
		delete(s.pages, name)
		return
	}
	s.pages[name] = p
}

// same returns tags that are equal to these, the first that came; s.mu is held.
func (s *State) same(t *tags) *tags {
	key := t.key()
	if known, ok := s.tags[key]; ok {
		return known
	}
	s.tags[key] = t
	return t
}

func (t *tags) key() string {
	b := make([]byte, 0, 128)
	for _, written := range [][]policy.Tag{t.Wrote, t.Earlier} {
		for _, tag := range written {
			b = strconv.AppendQuote(strconv.AppendQuote(b, tag.Name), tag.Content)
		}
		b = append(b, '\n')
	}
	for _, f := range t.Found {
		b = fmt.Appendf(b, "%q %q %v %d\n", f.Name, f.Content, f.HasContent, f.Line)
	}
	return string(b)
}

// Prune drops pages that are not published any more.
func (s *State) Prune(published func(name string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.pages {
		if !published(name) {
			s.set(name, page{})
		}
	}
}

// Done says that everything intended was written.
func (s *State) Done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, p := range s.pages {
		was := p
		if t := p.tags; t != nil && slices.Equal(t.Wrote, Originals(t.Found)) {
			p.tags = nil // the generator's own tags stand there
		} else if t != nil && !slices.Equal(t.Earlier, t.Wrote) {
			p.tags = s.same(&tags{t.Wrote, t.Wrote, t.Found})
		}
		if l := p.links; l != nil && l.Wrote == nil {
			p.links = nil
		} else if l != nil && l.Earlier != nil {
			p.links = &links{Wrote: l.Wrote}
		}
		if p != was {
			s.set(name, p)
		}
	}
}
