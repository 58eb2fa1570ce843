//go:build unix

package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// A unixFile is the number that the system gave to an open file. Each method makes one call of the
// system, where [os.File] makes up to five.
type unixFile struct {
	number int
	name   string
}

// openFile opens a file as [os.OpenFile] does.
func openFile(name string, flag int, mode fs.FileMode) (file, error) {
	number, err := uninterrupted(func() (int, error) {
		return unix.Open(name, flag|unix.O_CLOEXEC, uint32(mode.Perm()))
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return unixFile{number, name}, nil
}

// uninterrupted does a call of the system again if a signal has interrupted it.
func uninterrupted(call func() (int, error)) (n int, err error) {
	for {
		if n, err = call(); !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

func (f unixFile) Read(buf []byte) (n int, err error) {
	n, err = uninterrupted(func() (int, error) { return unix.Read(f.number, buf) })
	switch {
	case err != nil:
		return 0, f.failed("read", err)
	case n == 0 && len(buf) > 0:
		return 0, io.EOF
	}
	return n, nil
}

func (f unixFile) Write(data []byte) (written int, err error) {
	for written < len(data) {
		n, err := uninterrupted(func() (int, error) { return unix.Write(f.number, data[written:]) })
		if err != nil {
			return written, f.failed("write", err)
		} else if n == 0 {
			return written, f.failed("write", io.ErrUnexpectedEOF)
		}
		written += n
	}
	return written, nil
}

// Close is not done again after a signal: the number may be another file's by then.
func (f unixFile) Close() error {
	if err := unix.Close(f.number); err != nil && !errors.Is(err, unix.EINTR) {
		return f.failed("close", err)
	}
	return nil
}

func (f unixFile) facts() (facts, error) {
	var s unix.Stat_t
	_, err := uninterrupted(func() (int, error) { return 0, unix.Fstat(f.number, &s) })
	if err != nil {
		return facts{}, f.failed("stat", err)
	}
	return factsOf(&s), nil
}

func factsOf(s *unix.Stat_t) facts {
	mode := fs.FileMode(s.Mode & 0o777)
	if s.Mode&unix.S_IFMT != unix.S_IFREG {
		mode |= fs.ModeIrregular
	}
	modified := time.Unix(s.Mtim.Unix())
	return facts{mode, s.Size, modified,
		Version{inode: s.Ino, size: s.Size, modified: modified, changed: time.Unix(s.Ctim.Unix()), mode: mode}}
}

// versionOf is the version of a file; that of a symlink is its own.
func versionOf(file string) (Version, error) {
	var s unix.Stat_t
	_, err := uninterrupted(func() (int, error) { return 0, unix.Lstat(file, &s) })
	return factsOf(&s).version, err
}

func (f unixFile) setMode(mode fs.FileMode) error {
	_, err := uninterrupted(func() (int, error) { return 0, unix.Fchmod(f.number, uint32(mode.Perm())) })
	if err != nil {
		return f.failed("chmod", err)
	}
	return nil
}

func (f unixFile) failed(call string, err error) error {
	return &fs.PathError{Op: call, Path: f.name, Err: err}
}

// isDatedWhenClosed: a file that was written has its time once it is closed, not before.
const isDatedWhenClosed = false

// rename is [os.Rename], which looks first whether a folder has the new name: the system refuses
// that by itself.
func rename(from, to string) error {
	_, err := uninterrupted(func() (int, error) { return 0, unix.Rename(from, to) })
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
