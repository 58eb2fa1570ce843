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

// A state on the disk is a line with its version, a gob for each file, sorted by name, and the SHA-256 of all that.
const first = "metarobots state 5\n"

// maxSize is the size of the largest state that is read, in bytes: hosts stop at 100,000 files.
const maxSize = 256 << 20

// entry is a file on the disk.
type entry struct {
	Name string
	Versions
}

// Open reads the state of a publish folder from a folder beside it; there may be none, and nothing is remembered where
// folder is empty. One that cannot be read, or that is damaged, is as good as none: the problem says so.
func Open(folder, publish string) (s *State, problem error) {
	s = &State{files: map[string]Versions{}}
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
		s.dirty = true
		clear(s.files)
	}
	s.Found = true
	return s, err
}

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
	texts := map[string]string{} // each once: the pages of a site have few different ones
	once := func(text *string) {
		if known, ok := texts[*text]; ok {
			*text = known
			return
		}
		texts[*text] = *text
	}
	d := gob.NewDecoder(bytes.NewReader(rest[:len(rest)-sha256.Size]))
	for {
		var e entry
		if err := d.Decode(&e); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		for _, l := range []*Left{e.Left, e.Stands} {
			if l == nil {
				continue
			}
			once(&l.Tags)
			once(&l.Found)
			for i := range l.Patch.Texts {
				once(&l.Patch.Texts[i])
			}
		}
		s.files[e.Name] = e.Versions
	}
}

// Save writes the state, if anything changed, atomically. A state that says nothing is not written anew.
func (s *State) Save(sync bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == "" || !s.dirty || len(s.files) == 0 && !s.Found {
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
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		if err := g.Encode(entry{name, s.files[name]}); err != nil {
			return err
		}
	}
	out.Write(hash.Sum(nil))
	return out.Flush()
}
