//go:build unix && !linux

package disk

import "syscall"

// syncData waits until the file is on the disk.
func syncData(fd int) error { return syscall.Fsync(fd) }
