//go:build unix

package disk

import (
	"os"
	"syscall"
)

// nonblock opens a pipe without waiting for who writes into it.
const nonblock = syscall.O_NONBLOCK

// Linked reports whether a file has a second name (a hard link).
func Linked(name string) bool {
	info, err := os.Lstat(name)
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1
}
