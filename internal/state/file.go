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

// A state on the disk is a line with its version, what [State.encode] writes, and the SHA-256 of all that.
const first = "metarobots state 11\n"

// maxSize is the size of the largest state that is read, in bytes: hosts stop at 100,000 files.
const maxSize = 256 << 20

// Open reads the state of a publish folder from a folder beside it; there may be none, and nothing is remembered where
// folder is empty. One that cannot be read, or that is damaged, is as good as none: the problem says so.
func Open(folder, publish string) (s *State, problem error) {
	s = &State{files: map[string]Versions{}}
	if folder == "" {
		return s, nil
	}
	s.file = fileOf(folder, publish, ".state")
	data, err := disk.NewRoot(folder).ReadFile(s.file, maxSize)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if err = disk.LeadsNowhere(s.file); err == nil {
			return s, nil
		}
	case err != nil && !disk.Refused(err):
		return s, err
	case err == nil:
		if err = s.decode(data); err != nil {
			err = fmt.Errorf("%s: %w", s.file, err)
		}
	}
	if err != nil {
		s.dirty = true // it is replaced by the next run
		clear(s.files)
	}
	s.Found, s.exists = true, true
	return s, err
}

// fileOf is the file of a publish folder, by its ending.
func fileOf(folder, publish, ending string) string {
	sum := sha256.Sum256([]byte(publish))
	return filepath.Join(folder, hex.EncodeToString(sum[:8])+ending)
}

// Lock keeps others from a publish folder for as long as its state is in use: see [disk.Lock].
func Lock(ctx context.Context, folder, publish, writer string) (unlock func(), err error) {
	if folder == "" {
		return func() {}, nil
	}
	return disk.Lock(ctx, fileOf(folder, publish, ".lock"), writer)
}

// decode reads a state as it is on the disk. One that an older version wrote is to be written anew.
func (s *State) decode(data []byte) error {
	n := len(data) - sha256.Size
	isOld := bytes.HasPrefix(data, []byte(firstOld))
	switch {
	case !bytes.HasPrefix(data, []byte(first)) && !isOld:
		return errors.New("it does not begin as one of this version does")
	case n < len(first) || sha256.Sum256(data[:n]) != [sha256.Size]byte(data[n:]):
		return errDamaged
	case isOld:
		s.dirty = true
		return s.decodeOld(data[len(firstOld):n])
	}
	return s.decodeForm(data[len(first):n])
}

// Save writes the state, if anything changed, atomically. One that says nothing is made for [State.Keep] alone.
func (s *State) Save() error {
	if err := s.save(); err != nil {
		return fmt.Errorf("what this run writes cannot be remembered (--state names another folder): %w", err)
	}
	return nil
}

func (s *State) save() error {
	if s.file == "" || !s.dirty || len(s.files) == 0 && !s.exists {
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
