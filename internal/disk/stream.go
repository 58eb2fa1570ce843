package disk

import (
	"io"
	"os"
)

// WriteFrom is [Write] for bytes that are made as they are written, so that they need not be in memory. Where write fails
// the old file stays as it is. A symlink is replaced by the file, and what it leads to stays as it is.
func WriteFrom(name string, write func(io.Writer) error, sync bool) (err error) {
	mode, isNew, err := target(name)
	if err != nil {
		return err
	}
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
	if err = write(f); err != nil {
		return err
	}
	if !isNew { // a file that is there keeps its mode, whatever the umask
		if err = f.Chmod(mode); err != nil {
			return err
		}
	}
	if sync {
		if err = f.Sync(); err != nil {
			return err
		}
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(temp, name)
}
