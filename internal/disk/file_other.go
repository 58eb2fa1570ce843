//go:build !unix

package disk

import (
	"errors"
	"io/fs"
	"os"
)

func openFile(name string, flag int, mode fs.FileMode) (file, error) {
	f, err := os.OpenFile(name, flag, mode)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

// isDatedWhenClosed: a file that was written has its time once it is closed, not before.
const isDatedWhenClosed = true

func rename(from, to string) error { return os.Rename(from, to) }

// versionOf is not known here: see [Version].
func versionOf(string) (Version, error) { return Version{}, errors.ErrUnsupported }
