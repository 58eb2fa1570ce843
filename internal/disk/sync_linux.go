package disk

import "syscall"

// syncData waits until the file's bytes are on the disk; its times may follow later.
func syncData(fd int) error {
	for {
		if err := syscall.Fdatasync(fd); err != syscall.EINTR {
			return err
		}
	}
}
