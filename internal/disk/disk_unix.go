//go:build unix

package disk

import "syscall"

// nonblock opens a pipe without waiting for who writes into it.
const nonblock = syscall.O_NONBLOCK
