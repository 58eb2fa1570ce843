//go:build !unix

package disk

import (
	"cmp"
	"io"
	"io/fs"
	"math"
)

// A Reader reads files.
type Reader struct {
	// Mode and Links are the permissions and the number of names of the last file read.
	Mode  fs.FileMode
	Links uint64
	// Max is the size of the largest file that is read, in bytes; 0 for any.
	Max int64
}

// nonblock is for systems whose pipes are files.
const nonblock = 0

// Read reads a regular file.
func (r *Reader) Read(name string) ([]byte, error) {
	r.Mode, r.Links = 0o644, 1
	return ReadFile(name, cmp.Or(r.Max, math.MaxInt64-1))
}

func replace(name string, data []byte, mode fs.FileMode, isNew, sync bool) error {
	return stream(name, mode, isNew, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}, sync)
}
