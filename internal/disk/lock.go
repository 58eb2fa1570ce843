package disk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// patience is how long a run waits for another one.
var patience = 10 * time.Second

// onlyReads is the writer of a run that writes nothing.
const onlyReads = ""

// noLock is the unlock of a run that holds no lock.
func noLock() {}

// Lock locks a file for the run of a command, and waits up to [patience] for the run that holds it
// (M6h). Every command that opens a site calls it first, by way of package state: then no run reads
// pages that another one is writing. file lies beside the state of the site. writer names the
// command that wants to write, such as "metarobots build": while it holds the lock nobody else
// does. It is [onlyReads] for a command that writes nothing: many of these hold the lock together
// (M6i). The system frees the lock of a run that was killed (M6k).
//
// The error is that of ctx, or says who has held the lock for too long; unlock is nil then.
// Otherwise the caller calls unlock once, at the end of the run. It is [noLock] where a lock cannot
// be or is not needed, which is no error:
//
//   - a reader finds no such file, so that no run has ever written there;
//   - a writer cannot make it: then it cannot write the state beside it either, which the lock
//     protects;
//   - something else than a regular file is there, such as a link, which somebody else has made.
func Lock(ctx context.Context, file, writer string) (unlock func(), err error) {
	// The holder's name is in a file of its own, because nobody can read a locked file on Windows.
	holderFile := file + ".by"
	isWriter := writer != onlyReads
	if isWriter {
		os.MkdirAll(filepath.Dir(file), 0o755) // if that fails, opening fails too
	}
	// Lstat, since opening would follow a link and make the file that it names.
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		return noLock, nil
	}
	locked, err := openLocked(ctx, file, isWriter)
	switch {
	case errors.Is(err, errHeld):
		// There is none if only readers hold the lock, or it is that of a writer that was killed.
		holder, _ := ReadFile(holderFile, 1<<10)
		return nil, fmt.Errorf("%s is at work on the same folder, and %v were not enough for it to "+
			"end: try again, or stop it", cmp.Or(string(holder), "another run of metarobots"), patience)
	case err != nil:
		return nil, err
	case locked == nil:
		return noLock, nil
	case !isWriter:
		return func() { locked.Close() }, nil // which frees the lock
	}
	// For the message of a run that waits; without it that message names nobody.
	Replace(holderFile, fmt.Appendf(nil, "%s (process %d)", writer, os.Getpid()))
	return func() {
		os.Remove(holderFile)
		locked.Close()
	}, nil
}

// errHeld: another run holds a lock, and has not freed it within [patience].
var errHeld = errors.New("the lock is held")

// openLocked opens a file and locks it. A writer has it alone, and the file is made if it is not
// there; readers have it together. The result is nil without an error if the file cannot be opened
// or locked at all. An error is that of ctx, or [errHeld].
func openLocked(ctx context.Context, file string, isWriter bool) (*lockedfile.File, error) {
	// By the flag it is locked for one alone or for several:
	// https://pkg.go.dev/github.com/rogpeppe/go-internal/lockedfile#OpenFile
	flag := os.O_RDONLY
	if isWriter {
		flag = os.O_RDWR | os.O_CREATE
	}
	// Opening waits for the lock, without an end, so a goroutine does that.
	opened := make(chan *lockedfile.File, 1)
	go func() {
		f, _ := lockedfile.OpenFile(file, flag, 0o644)
		opened <- f
	}()
	var err error
	select {
	case f := <-opened:
		return f, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-time.After(patience):
		err = errHeld
	}
	go func() { // a lock that comes after this is freed at once
		if f := <-opened; f != nil {
			f.Close()
		}
	}()
	return nil, err
}
