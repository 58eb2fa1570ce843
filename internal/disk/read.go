// Package disk reads and replaces the files of a site. It reads regular files alone, within limits
// and below the site's own folders; each file that it replaces is the old one or the new one after
// a crash, a full disk or a kill (M6).
//
// Words of this package:
//
//	Root       folders below which files may be read: the site's, its repository's, and those that
//	           the owner names. A link that leads out of them is ErrOutside.
//	real       an absolute name after all links are followed
//	name       a path below a folder, with slashes, by the names of links
//	tools      folders beside content that are none of it: node_modules, .cache, .git
//	lock       a file beside the state of a site, which a run holds as long as it works on that site
//	writer     the command that holds a lock to write, "metarobots apply"; empty if it only reads
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"
)

// Why a file is not read though it exists. A [*fs.PathError] around them has its name. No error
// shows its content.
var (
	// ErrTooLarge is a file of more bytes than were to be read.
	ErrTooLarge = errors.New("it is too large")
	// ErrNotRegular is a folder, a named pipe, a socket or a device.
	ErrNotRegular = errors.New("it is not a regular file")
	// ErrOutside is what no folder of a [Root] holds.
	ErrOutside = errors.New("it leads out of the site")
	// ErrNowhere is a link whose target is not there.
	ErrNowhere = errors.New("it is a link to a file that is not there")
)

// Refused reports whether an error is one of a file that is there and is not to be read.
func Refused(err error) bool {
	return errors.Is(err, ErrTooLarge) || errors.Is(err, ErrNotRegular) ||
		errors.Is(err, ErrOutside) || errors.Is(err, ErrNowhere)
}

// LeadsNowhere is the error about a link to a file that is not there; nil for a file that is not
// there itself.
func LeadsNowhere(file string) error {
	if _, err := os.Lstat(file); err != nil {
		return nil
	}
	return &fs.PathError{Op: "open", Path: file, Err: ErrNowhere}
}

// ReadFile reads a regular file of at most limit bytes that the user names, wherever it lies. For
// files of a site there is [Root].
func ReadFile(name string, limit int64) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	return (&Reader{Max: limit}).readAll(osFile{f}, name)
}

// Open opens a regular file that the user names, wherever it lies, for reading.
func Open(name string) (*os.File, error) { return openRegular(os.Stat, os.Open, name, name) }

// openRegular opens a file if it is a regular one, by calls of the system or of an [os.Root]. That
// is asked before it is opened, since opening a pipe waits and opening some devices does something.
// Errors speak of the file as shown.
func openRegular(stat func(string) (fs.FileInfo, error), open func(string) (*os.File, error),
	name, shown string) (f *os.File, err error) {
	info, err := stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err == nil {
		f, err = open(name)
	}
	if err != nil {
		return nil, named(err, shown)
	}
	return f, nil
}

// named is an error about the file as the user knows it: not about where a link leads.
func named(err error, name string) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return &fs.PathError{Op: "open", Path: name, Err: err}
}

// A Reader reads files that a folder's listing called regular into one buffer. Unlike [Open], it
// does not ask again before it opens one: that would be a tenth of a run's processor time.
type Reader struct {
	// Max is the size of the largest file that is read, in bytes.
	Max int64
	// Modified is when the last file that was read was written.
	Modified time.Time
	// Version is that of the last file that was read, as it was before it was.
	Version Version
	buf     []byte
}

// Read reads a regular file; the bytes are valid until the next call.
func (r *Reader) Read(name string) ([]byte, error) {
	f, err := openFile(name, os.O_RDONLY|nonblock, 0) // a pipe that took its place is not waited for
	if err != nil {
		return nil, named(err, name)
	}
	return r.readAll(f, name)
}

// readAll reads an open file, and closes it, for [Reader.Read] and for the functions that open a
// file for one reading. It notes in r when the file was written and its version, as they are before
// it is read. name is for errors: what is no regular file is [ErrNotRegular], and one of more than
// r.Max bytes [ErrTooLarge]. The data may be r's own buffer, and is valid until the next call.
func (r *Reader) readAll(f file, name string) (data []byte, err error) {
	defer f.Close()
	found, err := f.facts()
	switch {
	case err != nil:
		return nil, err
	case !found.mode.IsRegular():
		return nil, named(ErrNotRegular, name)
	case found.size > r.Max:
		return nil, named(ErrTooLarge, name)
	}
	r.Modified, r.Version = found.modified, found.version
	if found.size > 0 {
		data, err = r.readSize(f, int(found.size))
	} else {
		data, err = r.readToEnd(f)
	}
	if err != nil {
		return nil, named(err, name)
	}
	return data, nil
}

// readSize reads the first bytes of a file, as many as it had when it was opened, into r's buffer.
// They are fewer, without an error, if somebody has cut it since.
func (r *Reader) readSize(f file, size int) ([]byte, error) {
	r.buf = slices.Grow(r.buf[:0], size)
	n, err := io.ReadFull(f, r.buf[:size])
	if isCut := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF); isCut {
		err = nil
	}
	return r.buf[:n], err
}

// readToEnd reads a file whose size is 0: it is empty, or one that tells no size, as in /proc.
func (r *Reader) readToEnd(f file) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f, r.Max+1))
	if err == nil && int64(len(data)) > r.Max {
		err = ErrTooLarge
	}
	return data, err
}
