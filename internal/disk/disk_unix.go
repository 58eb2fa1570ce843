//go:build unix

package disk

import (
	"io/fs"
	"syscall"
)

// nonblock opens a pipe without waiting for who writes into it.
const nonblock = syscall.O_NONBLOCK

// names is how many names a file has.
func names(info fs.FileInfo) uint64 { return uint64(info.Sys().(*syscall.Stat_t).Nlink) }
