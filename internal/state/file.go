package state

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"metarobots/internal/disk"
)

// A state on the disk is a line with its version, a gob for each page, sorted by name, and the SHA-256 of all that.
const first = "metarobots state 4\n"

// maxSize is the size of the largest state that is read, in bytes: hosts stop at 100,000 files.
const maxSize = 256 << 20

// entry is a page on the disk. Its tags are those of the place in the list of all that came so far, from 1; Tags are
// there where that place is a new one.
type entry struct {
	Name  string
	At    int
	Tags  *tags
	Links *links
}

// Open reads the state of a publish folder from a folder beside it; there may be none, and nothing is remembered where
// folder is empty. One that cannot be read, or that is damaged, is as good as none: the problem says so.
func Open(folder, publish string) (s *State, problem error) {
	s = empty()
	if folder == "" {
		return s, nil
	}
	sum := sha256.Sum256([]byte(publish))
	s.file = filepath.Join(folder, hex.EncodeToString(sum[:8])+".state")
	data, err := disk.NewRoot(folder).ReadFile(s.file, maxSize)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return s, nil
	case err != nil && !disk.Refused(err):
		return s, err
	case err == nil:
		if err = s.decode(data); err != nil {
			err = fmt.Errorf("%s: %w", s.file, err)
		}
	}
	if err != nil { // it is replaced by the next run
		*s = State{file: s.file, dirty: true, pages: map[string]page{}, tags: map[string]*tags{}}
	}
	s.Found = true
	return s, err
}

func empty() *State { return &State{pages: map[string]page{}, tags: map[string]*tags{}} }

// decode reads a state as it stands on the disk.
func (s *State) decode(data []byte) error {
	rest, ok := bytes.CutPrefix(data, []byte(first))
	if !ok {
		return errors.New("it does not begin as a state of this version does")
	}
	n := len(data) - sha256.Size
	if n < len(first) || sha256.Sum256(data[:n]) != [sha256.Size]byte(data[n:]) {
		return errors.New("it is damaged: its bytes are not those that were written")
	}
	d := gob.NewDecoder(bytes.NewReader(rest[:len(rest)-sha256.Size]))
	var all []*tags
	for {
		var e entry
		if err := d.Decode(&e); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if e.Tags != nil {
			all = append(all, s.same(e.Tags))
		}
		if e.At < 0 || e.At > len(all) {
			return fmt.Errorf("page %q: its tags are not there", e.Name)
		}
		p := page{links: e.Links}
		if e.At > 0 {
			p.tags = all[e.At-1]
		}
		s.pages[e.Name] = p
	}
}

// Save writes the state, if anything changed, atomically. A state that says nothing is not written anew.
func (s *State) Save(sync bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == "" || !s.dirty || len(s.pages) == 0 && !s.Found {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(s.file), 0o755); err != nil {
		return err
	}
	disk.Sweep(s.file)
	if err := disk.WriteFrom(s.file, s.encode, sync); err != nil {
		return err
	}
	s.dirty, s.Found = false, true
	return nil
}

// encode writes the state as it stands on the disk; s.mu is held.
func (s *State) encode(w io.Writer) error {
	hash, out := sha256.New(), bufio.NewWriter(w)
	both := io.MultiWriter(hash, out)
	io.WriteString(both, first)
	g := gob.NewEncoder(both)
	at := map[*tags]int{}
	for _, name := range slices.Sorted(maps.Keys(s.pages)) {
		p := s.pages[name]
		e := entry{Name: name, Links: p.links}
		if p.tags != nil {
			if at[p.tags] == 0 {
				at[p.tags], e.Tags = len(at)+1, p.tags
			}
			e.At = at[p.tags]
		}
		if err := g.Encode(e); err != nil {
			return err
		}
	}
	out.Write(hash.Sum(nil))
	return out.Flush()
}
