// Package state remembers from run to run what metarobots changed in published files (M7): what is ours in a file that
// could not be told from what its generator wrote could never be taken back.
package state

import (
	"hash/crc32"
	"sync"
	"time"

	"metarobots/emit/patch"
)

// A State remembers, for each changed file of one publish folder, how its bytes come of those that its generator wrote,
// so that each run can begin with these. Recall and Intend are safe for concurrent use.
//
// What a run is about to leave is kept beside what the run before it left, and saved before the first file changes:
// whichever of the two is there after a crash is known to be ours.
type State struct {
	// Found: an earlier run left one.
	Found bool

	file string // empty: nothing is remembered
	// finished: the last run has written all of its files. It is false while a run goes on, and if one was cut off.
	finished bool
	mu       sync.Mutex
	files    map[string]Versions
	dirty    bool
	exists   bool // it is on the disk, or is to be
}

// Versions are what is remembered of a file: what the last run left, or this one is about to leave, and what is
// there while a run goes on; nil for nothing of ours.
type Versions struct{ Left, Stands *Left }

// Left is what a run left in a file.
type Left struct {
	// Sum is that of the bytes that its generator wrote: where the file has others without the patch, it was made anew,
	// or edited.
	Sum   uint64
	Patch patch.Patch
	// Made: there was no such file.
	Made bool
	// NoIndex: of a page, its tags say so.
	NoIndex bool
	// Written is when a page was last changed after it was written, in nanoseconds since 1970. A generator that makes the
	// page anew leaves another time, also one that it sets back.
	Written int64
}

// Sum tells the bytes of a file from others.
func Sum(data []byte) uint64 {
	castagnoli := crc32.MakeTable(crc32.Castagnoli) // which is made once
	return uint64(len(data))<<32 | uint64(crc32.Checksum(data, castagnoli))
}

// Undo appends to dst what a generator wrote, where data is what one of v left, and tells which; own is data itself
// where nothing of that is ours.
func (v Versions) Undo(dst, data []byte) (own []byte, stands *Left) {
	for _, l := range []*Left{v.Left, v.Stands} {
		if l != nil {
			if own, ok := l.Undo(dst, data); ok {
				return own, l
			}
		}
	}
	return data, nil
}

// Put reports whether one of v put a text into the file.
func (v Versions) Put(text string) bool {
	return v.Left != nil && v.Left.Patch.Puts(text) || v.Stands != nil && v.Stands.Patch.Puts(text)
}

// Undo appends to dst what a generator wrote, if data is what l left; a file that was made has nothing, not even an
// empty text.
func (l *Left) Undo(dst, data []byte) (own []byte, ok bool) {
	own, ok = l.Patch.Undo(dst, data)
	if ok = ok && Sum(own[len(dst):]) == l.Sum; l.Made {
		return nil, ok
	}
	return own, ok
}

func (l *Left) equal(other *Left) bool {
	return l == other || l != nil && other != nil && l.Sum == other.Sum && l.Made == other.Made &&
		l.NoIndex == other.NoIndex && l.Written == other.Written && l.Patch.Equal(&other.Patch)
}

// At is l in a page that was last changed at that time.
func (l *Left) At(changed time.Time) *Left {
	if l == nil || l.Written == changed.UnixNano() {
		return l
	}
	at := *l
	at.Written = changed.UnixNano()
	return &at
}

// Recall returns what is remembered of a file.
func (s *State) Recall(name string) Versions {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[name]
}

// Intend keeps what is about to be left in a file beside what is there of ours; nil for nothing.
func (s *State) Intend(name string, left, stands *Left) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if left.equal(stands) {
		stands = nil
	}
	if was := s.files[name]; !was.Left.equal(left) || !was.Stands.equal(stands) {
		s.set(name, Versions{left, stands})
	}
}

// set keeps what is remembered of a file, or drops it where that is nothing.
func (s *State) set(name string, v Versions) {
	if s.dirty = true; v == (Versions{}) {
		delete(s.files, name)
		return
	}
	s.files[name] = v
}

// Prune drops files that are not published any more.
func (s *State) Prune(published func(name string) bool) {
	for name := range s.files {
		if !published(name) {
			s.set(name, Versions{})
		}
	}
}

// Keep asks for a state that says nothing to be written too: that this run was here is worth knowing.
func (s *State) Keep() { s.dirty, s.exists = s.dirty || !s.exists, true }

// Begin says that files are about to be written.
func (s *State) Begin() { s.dirty, s.finished = s.dirty || s.finished, false }

// Standing returns what of v may be in a page that was last changed at that time: nothing that was left there at
// another time, since somebody else has written the page since. After a run that was cut off, nobody can tell.
func (s *State) Standing(v Versions, changed time.Time) Versions {
	if !s.finished {
		return v
	}
	then := func(l *Left) *Left {
		if l == nil || l.Written != changed.UnixNano() {
			return nil
		}
		return l
	}
	return Versions{then(v.Left), then(v.Stands)}
}

// Done says that everything intended was written.
func (s *State) Done() {
	s.dirty, s.finished = s.dirty || !s.finished, true
	for name, v := range s.files {
		if v.Stands != nil {
			s.set(name, Versions{Left: v.Left})
		}
	}
}
