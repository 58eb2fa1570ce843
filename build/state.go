package build

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"metarobots/policy"
)

// A State remembers, for each page of one publish folder, the robots metas that we wrote and those that had been
// found before the first write (M7). Tags that are equal to what we wrote are ours, and what had been found counts;
// other tags mean that the page was made anew. It is safe for concurrent use.
type State struct {
	file  string // empty: nothing is remembered
	mu    sync.Mutex
	Pages map[string]Remembered `json:"pages"`
	dirty bool
}

// Remembered is what State knows of one page.
type Remembered struct {
	Wrote []policy.Tag `json:"wrote"`
	Found []FoundTag   `json:"found"`
}

// A FoundTag is a robots meta as the generator wrote it.
type FoundTag struct {
	policy.Tag
	HasContent bool `json:"hasContent"`
	Line       int  `json:"line"`
}

// openState reads the state of a publish folder; there may be none.
func openState(folder, publish string) (*State, error) {
	s := &State{Pages: map[string]Remembered{}}
	if folder == "" {
		return s, nil
	}
	sum := sha256.Sum256([]byte(publish))
	s.file = filepath.Join(folder, hex.EncodeToString(sum[:8])+".json")
	data, err := os.ReadFile(s.file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return s, nil
	case err != nil:
		return nil, err
	}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("%s: %w; remove the file to start anew", s.file, err)
	}
	if s.Pages == nil {
		s.Pages = map[string]Remembered{}
	}
	return s, nil
}

// original returns what the generator had written where the tags of a page are ours.
func (s *State) original(name string, tags []policy.Tag) ([]FoundTag, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.Pages[name]
	if !ok || !slices.Equal(r.Wrote, tags) { // an empty list equals a missing one
		return nil, false
	}
	return r.Found, true
}

// remember keeps what was written to a page and what had been found in it.
func (s *State) remember(name string, wrote []policy.Tag, found []FoundTag) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.Pages[name]; ok && slices.Equal(r.Wrote, wrote) && slices.Equal(r.Found, found) {
		return
	}
	s.Pages[name] = Remembered{wrote, found}
	s.dirty = true
}

// forget drops a page that carries nothing of ours.
func (s *State) forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.Pages[name]; ok {
		delete(s.Pages, name)
		s.dirty = true
	}
}

// save writes the state, if anything changed, atomically.
func (s *State) save(sync bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == "" || !s.dirty {
		return nil
	}
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.file), 0o755); err != nil {
		return err
	}
	s.dirty = false
	return writeFile(s.file, data, sync)
}
