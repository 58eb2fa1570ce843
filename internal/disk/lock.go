package disk

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// patience is how long a run waits for another one.
var patience = 10 * time.Second

// Lock takes the lock that a file is, and waits for who holds it. With the name of a run that writes, nobody
// else holds it at the same time; without one, others that only read may. The system lets go of it where a run is
// killed. Where no such file can be made, or it is none that can be locked, there is no lock: what is beside it cannot
// be written either.
func Lock(ctx context.Context, file, writer string) (unlock func(), err error) {
	flag, names := os.O_RDONLY, file+".by" // a file that is locked cannot be read on Windows
	if writer != "" {
		flag = os.O_RDWR | os.O_CREATE
		os.MkdirAll(filepath.Dir(file), 0o755) // if that fails, opening fails too
	}
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() { // nor is a link followed
		return func() {}, nil
	}
	got := make(chan *lockedfile.File, 1)
	go func() {
		f, _ := lockedfile.OpenFile(file, flag, 0o644)
		got <- f
	}()
	select {
	case f := <-got:
		switch {
		case f == nil:
			return func() {}, nil
		case writer == "":
			return func() { f.Close() }, nil
		}
		Replace(names, fmt.Appendf(nil, "%s (process %d)", writer, os.Getpid()))
		return func() {
			os.Remove(names)
			f.Close()
		}, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-time.After(patience):
		by, _ := ReadFile(names, 1<<10)
		err = fmt.Errorf("%s is at work on the same folder, and %v were not enough for it to end: try again, "+
			"or stop it", cmp.Or(string(by), "another run of metarobots"), patience)
	}
	go func() {
		if f := <-got; f != nil {
			f.Close()
		}
	}()
	return nil, err
}
