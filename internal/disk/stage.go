package disk

import (
	"io/fs"
	"os"
	"sync"
	"time"
)

// A Stage holds the new bytes of files in temporary files beside them, until it is decided whether
// they take their places. So a page that was read to be decided on need not be read again to be
// written. It only spares work: a file that it does not hold is written by [Rewrite]. A nil Stage
// holds nothing. It is safe for concurrent use.
type Stage struct {
	mu sync.Mutex
	// files are those that wait, by the names of the files that they are to replace.
	files map[string]stagedFile
	// isClosed: it takes no more, since there was no room, or what it held was dropped.
	isClosed bool
}

// A stagedFile is a temporary file that waits.
type stagedFile struct {
	temp     string
	modified time.Time
	replaces Version
}

// A Version is another one as soon as anybody writes the file, or sets its time of change. The zero
// value is that of systems on which package syscall does not say when that was.
type Version struct {
	inode             uint64
	size              int64
	modified, changed time.Time
	mode              fs.FileMode
}

// A version has to be as old as a step of its file system's clock to differ from the next one. The
// longest steps are those of FAT, and all of whole seconds tell no fraction of one. Where there are
// fractions, the steps are the kernel's: a hundredth of a second at most
// (https://docs.kernel.org/filesystems/multigrain-ts.html).
const (
	longStep  = 2 * time.Second
	shortStep = 100 * time.Millisecond // ten times the longest, for a busy machine
)

// isSettled reports whether nobody can write the file any more and leave it the same version.
func (v Version) isSettled(now time.Time) bool {
	step := longStep
	if v.modified.Nanosecond() != 0 && v.changed.Nanosecond() != 0 {
		step = shortStep
	}
	return v != Version{} && now.Sub(v.modified) > step && now.Sub(v.changed) > step
}

// Add holds the new bytes of a file that was read as a version. What cannot be held, or not safely,
// is left to [Rewrite], which also says what is wrong.
func (s *Stage) Add(file string, data []byte, replaces Version) {
	if s == nil || !replaces.isSettled(time.Now()) || s.closed() {
		return
	}
	temp := tempName(file)
	made, err := writeTemp(file, temp, fileMode{bits: replaces.mode.Perm()}, writer(data))
	if err != nil {
		s.Drop() // what it holds may be what takes the room
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isClosed { // meanwhile
		os.Remove(temp)
		return
	}
	if s.files == nil {
		s.files = map[string]stagedFile{}
	}
	s.files[file] = stagedFile{temp, made.modified, replaces}
}

func (s *Stage) closed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isClosed
}

// Replace puts the bytes that it holds for a file in the file's place, and returns the time of
// change that the file has then. ok is false, and the file stays as it is, if it holds none, or if
// the file is not the version that was read.
func (s *Stage) Replace(file string) (modified time.Time, ok bool) {
	if s == nil {
		return time.Time{}, false
	}
	s.mu.Lock()
	f, isHeld := s.files[file]
	delete(s.files, file)
	s.mu.Unlock()
	if !isHeld {
		return time.Time{}, false
	}
	if now, err := versionOf(file); err != nil || now != f.replaces || rename(f.temp, file) != nil {
		os.Remove(f.temp)
		return time.Time{}, false
	}
	return f.modified, true
}

// Drop removes what it holds. From then on it holds nothing.
func (s *Stage) Drop() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isClosed = true
	for _, f := range s.files {
		os.Remove(f.temp)
	}
	clear(s.files)
}
