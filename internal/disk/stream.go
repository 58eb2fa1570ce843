package disk

import (
	"io"
	"io/fs"
	"os"
)

// WriteFrom is [Write] for bytes that are made as they are written, so that they need not be in memory. Where write
// fails the old file stays as it is. A symlink is replaced by the file, and what it leads to stays as it is.
func WriteFrom(name string, write func(io.Writer) error, sync bool) error {
	mode, isNew, err := target(name)
	if err != nil {
		return err
	}
	return stream(name, mode, isNew, write, sync)
}

// stream writes a temporary file and renames it. A file that is new gets its mode from the umask.
func stream(name string, mode fs.FileMode, isNew bool, write func(io.Writer) error, sync bool) (err error) {
	temp := tempName(name)
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(temp)
		}
	}()
	if err = write(f); err == nil && !isNew {
		err = f.Chmod(mode) // the umask may have cut it
	}
	if err == nil && sync {
		err = f.Sync()
	}
	if err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(temp, name)
}
