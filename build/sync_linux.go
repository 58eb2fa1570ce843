package build

import (
	"os"
	"syscall"
)

// syncData waits until the file's bytes are on the disk; its times may follow later.
func syncData(f *os.File) error {
	for {
		if err := syscall.Fdatasync(int(f.Fd())); err != syscall.EINTR {
			return err
		}
	}
}
