//go:build unix

package build

import (
	"io/fs"
	"slices"
	"syscall"
)

// readFile reads a file into the editor's buffer, where it stays until the next call. The calls are made directly: an
// os.File would cost as many again to learn that a file is no pipe.
func (e *editor) readFile(name string) ([]byte, error) {
	fd, err := open(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	defer syscall.Close(fd)
	e.src = e.src[:0]
	for {
		e.src = slices.Grow(e.src, 32<<10)
		n, err := syscall.Read(fd, e.src[len(e.src):cap(e.src)])
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return nil, &fs.PathError{Op: "read", Path: name, Err: err}
		case n == 0:
			return e.src, nil
		}
		e.src = e.src[:len(e.src)+n]
	}
}

func open(name string) (fd int, err error) {
	for {
		if fd, err = syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0); err != syscall.EINTR {
			return fd, err
		}
	}
}
