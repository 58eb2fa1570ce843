//go:build unix

package disk

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"metarobots/internal/tables"
)

// Pipes, sockets, devices and folders are refused, and nothing waits for them (M6d).
func TestHouse_OnlyRegularFilesAreRead(t *testing.T) {
	dir := tables.Value(os.MkdirTemp("", "m"))(t) // a socket's name is short
	t.Cleanup(func() { os.RemoveAll(dir) })
	pipe, socket := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket")
	tables.Must(t, syscall.Mkfifo(pipe, 0o644))
	l := tables.Value(net.Listen("unix", socket))(t)
	defer l.Close()
	link := filepath.Join(dir, "link")
	tables.Must(t, os.Symlink("pipe", link))
	for _, name := range []string{pipe, socket, link, dir, "/dev/zero"} {
		if _, err := ReadFile(name, 100); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := NewRoot(filepath.Dir(name)).ReadFile(name, 100); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s below its folder: %v", name, err)
		}
		// a socket cannot be opened
		if _, err := (&Reader{Max: 100}).Read(name); name != socket && !errors.Is(err, ErrNotRegular) || err == nil {
			t.Errorf("Reader, %s: %v", name, err)
		}
		if err := WriteFrom(name, func(io.Writer) error { return nil }); !errors.Is(err, ErrNotRegular) {
			t.Errorf("writing %s: %v", name, err)
		}
	}
	// The standard streams are links of the system's.
	if info, err := os.Lstat("/dev/stdout"); err == nil && info.Mode()&os.ModeSymlink != 0 &&
		replaceable("/dev/stdout") {
		t.Error("/dev/stdout would be replaced")
	}
}
