//go:build unix

package disk

import (
	"io/fs"
	"slices"
	"syscall"
)

// A Reader reads files into one buffer. The calls are made directly: an os.File would cost as many again.
type Reader struct {
	buf []byte
	// Mode and Links are the permissions and the number of names of the last file read.
	Mode  fs.FileMode
	Links uint64
	// Max is the size of the largest file that is read, in bytes; 0 for any.
	Max int64
}

// nonblock opens a pipe without waiting for who writes into it.
const nonblock = syscall.O_NONBLOCK

// Read reads a regular file; the bytes are valid until the next call.
func (r *Reader) Read(name string) ([]byte, error) {
	failed := func(op string, err error) error { return &fs.PathError{Op: op, Path: name, Err: err} }
	fd, err := open(name, syscall.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, failed("open", err)
	}
	defer syscall.Close(fd)
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		return nil, failed("stat", err)
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return nil, failed("read", ErrNotRegular)
	}
	r.Mode, r.Links = fs.FileMode(st.Mode&0o777), uint64(st.Nlink)
	if r.Max > 0 && st.Size > r.Max {
		return nil, failed("read", ErrTooLarge)
	}
	r.buf = slices.Grow(r.buf[:0], int(st.Size)+1)
	for {
		if len(r.buf) == cap(r.buf) {
			r.buf = slices.Grow(r.buf, 32<<10)
		}
		n, err := syscall.Read(fd, r.buf[len(r.buf):cap(r.buf)])
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return nil, failed("read", err)
		}
		r.buf = r.buf[:len(r.buf)+n]
		if n == 0 || int64(len(r.buf)) == st.Size {
			return r.buf, nil // the end, or as long as the file said
		}
	}
}

func open(name string, flags int, mode uint32) (fd int, err error) {
	for {
		if fd, err = syscall.Open(name, flags|syscall.O_CLOEXEC, mode); err != syscall.EINTR {
			return fd, err
		}
	}
}

// replace writes a temporary file and renames it. A file that is new gets its mode from the umask.
func replace(name string, data []byte, mode fs.FileMode, isNew, sync bool) (err error) {
	temp := tempName(name)
	failed := func(err error) error { return &fs.PathError{Op: "write", Path: name, Err: err} }
	fd, err := open(temp, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_EXCL, uint32(mode.Perm()))
	if err != nil {
		return failed(err)
	}
	defer func() {
		if err != nil {
			syscall.Unlink(temp)
		}
	}()
	for left := data; len(left) > 0 && err == nil; {
		var n int
		if n, err = syscall.Write(fd, left); err == syscall.EINTR {
			err = nil
		}
		left = left[max(n, 0):]
	}
	if err == nil && !isNew {
		err = syscall.Fchmod(fd, uint32(mode.Perm())) // the umask may have cut it
	}
	if err == nil && sync {
		err = syscall.Fsync(fd)
	}
	if e := syscall.Close(fd); err == nil {
		err = e
	}
	if err == nil {
		err = syscall.Rename(temp, name)
	}
	if err != nil {
		return failed(err)
	}
	return nil
}
