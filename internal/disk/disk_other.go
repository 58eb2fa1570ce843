//go:build !unix

package disk

import (
	"cmp"
	"io/fs"
	"math"
	"os"
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

// replace writes a temporary file and renames it.
func replace(name string, data []byte, mode fs.FileMode, _, sync bool) (err error) {
	temp := tempName(name)
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temp)
		}
	}()
	if _, err = f.Write(data); err == nil && sync {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(temp, name)
}
