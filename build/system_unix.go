//go:build unix

package build

import (
	"io/fs"
	"syscall"
)

// linkCount returns how many names a file has.
func linkCount(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}
