package state

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"metarobots/internal/disk"
)

// A state on the disk is a line with its version, the form that encode writes, and the SHA-256 of
// all that. first is that line.
const first = "metarobots state 11\n"

// maxSize is the size of the largest state that is read, in bytes: hosts stop at 100,000 files.
const maxSize = 256 << 20

// Open reads the state of a publish folder from a folder of states, as each run does that opens a
// project. s can be used in any case; problem is for a warning. These are the cases:
//
//	folder is empty                      s is empty, Found is false, and Save writes nothing
//	no state is there                    s is empty, Found is false
//	the system does not let us read it   the same, with that as the problem
//	it is damaged, or no state at all    s is empty, Found is true, and Save replaces it even if
//	                                     nothing changes; problem says what is wrong with it
//	a state is there                     s has what it remembers, Found is true
func Open(folder, publish string) (s *State, problem error) {
	s = &State{files: map[string]Versions{}}
	if folder == "" {
		return s, nil
	}
	s.file = fileOf(folder, publish, ".state")
	data, err := disk.NewRoot(folder).ReadFile(s.file, maxSize)
	if errors.Is(err, os.ErrNotExist) {
		if err = disk.LeadsNowhere(s.file); err == nil { // else a link is there, which is refused too
			return s, nil
		}
	}
	switch {
	case err == nil:
		if err = s.decode(data); err != nil {
			problem = fmt.Errorf("%s: %w", s.file, err)
		}
	case disk.Refused(err): // something is there that is no state
		problem = err
	default:
		return s, err
	}
	s.Found, s.exists = true, true
	if problem != nil {
		s.dirty = true // so that Save replaces it
		// Without the files that decode had read until it failed. Whether the last run finished
		// says nothing without files.
		clear(s.files)
	}
	return s, problem
}

// fileOf is the file of a publish folder, with an ending. Several publish folders may have theirs
// in one folder.
func fileOf(folder, publish, ending string) string {
	sum := sha256.Sum256([]byte(publish))
	return filepath.Join(folder, hex.EncodeToString(sum[:8])+ending)
}

// Lock keeps others from a publish folder until unlock is called, once. writer names this run to
// others who wait, or says that it only reads: see [disk.Lock]. Without a folder of states nothing
// is locked.
func Lock(ctx context.Context, folder, publish, writer string) (unlock func(), err error) {
	if folder == "" {
		return func() {}, nil
	}
	return disk.Lock(ctx, fileOf(folder, publish, ".lock"), writer)
}

// firstOld begins a state that was written before [first]: values of gob, whether its run finished
// and an entry for each file. It is read so that what that run left can be taken back, and the next
// run writes the form of today. No release has written one, so none reads it (build tag released).
const firstOld = "metarobots state 10\n"

// decode reads a state as it is on the disk. One that an older version wrote is to be written anew.
func (s *State) decode(data []byte) error {
	isOld := bytes.HasPrefix(data, []byte(firstOld))
	if !isOld && !bytes.HasPrefix(data, []byte(first)) {
		return errors.New("it does not begin as one of this version does")
	}
	end := len(data) - sha256.Size // of the form; the sum follows
	isWhole := end >= max(len(first), len(firstOld)) &&
		sha256.Sum256(data[:end]) == [sha256.Size]byte(data[end:])
	if !isWhole {
		return errDamaged
	}
	if isOld {
		s.dirty = true
		return s.decodeOld(data[len(firstOld):end])
	}
	return s.decodeForm(data[len(first):end])
}

// Save writes the state atomically, if it is dirty. One that says nothing is not made, unless
// [State.Keep] asked for it.
func (s *State) Save() error {
	if err := s.save(); err != nil {
		return fmt.Errorf("what this run writes cannot be remembered (--state names another "+
			"folder): %w", err)
	}
	return nil
}

// save is Save without the words around its error. It makes the folder if that is not there, and
// removes what interrupted runs left of the file.
func (s *State) save() error {
	isNeeded := len(s.files) > 0 || s.exists // which Keep sets too
	if s.file == "" || !s.dirty || !isNeeded {
		return nil
	}
	ignore := filepath.Join(filepath.Dir(s.file), ".gitignore")
	if _, err := os.Lstat(ignore); errors.Is(err, os.ErrNotExist) {
		if err := disk.Replace(ignore, []byte("*\n")); err != nil {
			return err
		}
	}
	disk.Sweep(s.file)
	err := disk.WriteFrom(s.file, func(w io.Writer) error {
		hash, out := sha256.New(), bufio.NewWriter(w)
		both := io.MultiWriter(hash, out)
		io.WriteString(both, first)
		s.encode(both)
		out.Write(hash.Sum(nil))
		return out.Flush()
	})
	if err != nil {
		return err
	}
	s.dirty, s.exists = false, true
	return nil
}
