package family

import (
	"os"
	"syscall"
)

// memory is where Linux keeps files in memory.
const memory = "/dev/shm"

// enough is how many bytes must be free there: all sites, built several times, take a twentieth of it.
const enough = 4 << 30

// InMemory has temporary folders lie in memory, unless TMPDIR says where. The tests' sites are thousands of small
// files, and putting them on a disk takes half of the tests' time.
func InMemory() {
	var s syscall.Statfs_t
	if os.Getenv("TMPDIR") == "" && syscall.Statfs(memory, &s) == nil && s.Bavail*uint64(s.Bsize) > enough {
		os.Setenv("TMPDIR", memory)
	}
}
