//go:build !js

package disk

import "syscall"

// nonblock opens a pipe without waiting for whoever writes to it.
const nonblock = syscall.O_NONBLOCK
