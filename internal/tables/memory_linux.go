package tables

import (
	"os"
	"syscall"
)

// memory is Linux's folder for files that lie in memory, and room what the tests need there at most,
// the end-to-end tests included.
const (
	memory = "/dev/shm"
	room   = 6 << 30
)

// Tests make thousands of small files, and half of the time of Hugo's tests would be writing them
// to a disk. So the temporary folders of each package's tests lie in memory if there is room and if
// programs may run from there: tests run what they build. TMPDIR names another place.
func init() {
	if os.Getenv("TMPDIR") == "" && suits(memory) {
		os.Setenv("TMPDIR", memory)
	}
}

// suits reports whether a folder's file system has room, and whether programs may run from there.
func suits(folder string) bool {
	var system syscall.Statfs_t
	err := syscall.Statfs(folder, &system)
	return err == nil && system.Bavail*uint64(system.Bsize) > room && system.Flags&syscall.MS_NOEXEC == 0
}
