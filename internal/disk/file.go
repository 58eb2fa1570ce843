package disk

import (
	"io"
	"io/fs"
	"os"
	"time"
)

// A file is an open one. [openFile] opens one by the quickest way of the system, which package os
// is not on Unix: it prepares each file for those who wait for it, which nobody does for a regular
// one. Errors are those of package os.
type file interface {
	io.ReadWriteCloser
	facts() (facts, error)
	setMode(fs.FileMode) error
}

// facts are what the system knows of an open file.
type facts struct {
	mode     fs.FileMode
	size     int64
	modified time.Time
	version  Version
}

// An osFile is a file of package os.
type osFile struct{ *os.File }

func (f osFile) facts() (facts, error) {
	info, err := f.Stat()
	if err != nil {
		return facts{}, err
	}
	return facts{mode: info.Mode(), size: info.Size(), modified: info.ModTime()}, nil
}

func (f osFile) setMode(mode fs.FileMode) error { return f.Chmod(mode) }
