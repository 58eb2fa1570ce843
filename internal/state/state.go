// Package state remembers from run to run what metarobots changed in published files (M7). Without
// it nobody could tell what is ours in a file from what its generator wrote, and ours could never
// be taken back.
//
//	state     what is remembered of each file, and the steps of a run
//	change    what a run makes of a file, by what is remembered
//	file      where a state is on the disk; form, old: its bytes
//
// # A run
//
//	Open     reads what earlier runs left.
//	Recall   says it of a file; [Versions.Undo] makes of the file's bytes what its generator wrote.
//	Intend   keeps what this run is about to leave beside what is there.
//	Begin    says that files are about to be written, and Save writes the state to the disk before the first is.
//	Done     says that all are written: what was there before is forgotten. Save writes that.
//
// If the run is cut off between Begin and Done, the next one finds both versions of each file, and
// finds out by its bytes which of them is there.
//
// # Words of this package
//
//   - Own are the bytes that a file's generator wrote; ours is what we put there, a [patch.Patch]
//     from own bytes to those on the disk.
//   - [Versions] are the two that a file may have of ours: what this run is about to leave, or the
//     last has left, and what is there until it is replaced. nil is nothing of ours.
//   - A sum tells the bytes of a file from others. A file with other bytes was made anew, or edited.
//   - A file is made if its generator wrote none, such as a robots.txt that only the policy asks for.
//   - A state is dirty if it differs from what is on the disk.
package state

import (
	"hash/crc32"
	"sync"
	"time"

	"metarobots/emit/patch"
)

// A State remembers, for each changed file of one publish folder, how its bytes come of those that
// its generator wrote, so that each run can begin with these. Recall and Intend are safe for
// concurrent use.
//
// What a run is about to leave is kept beside what the run before it left, and saved before the
// first file changes: whichever of the two is there after a crash is known to be ours.
type State struct {
	// Found: an earlier run left one.
	Found bool

	file string // where it is on the disk; empty if nothing is to be remembered
	// finished: the last run has written all of its files. It is false while a run goes on, and if
	// one was cut off.
	finished bool
	mu       sync.Mutex // for files and dirty, in Recall and Intend
	files    map[string]Versions
	dirty    bool
	exists   bool // it is on the disk, or has to be even if it says nothing
}

// Versions are what is remembered of a file: what the last run left, or this one is about to leave,
// and what is there while a run goes on; nil for nothing of ours.
type Versions struct{ Left, Stands *Left }

// Left is what a run left in a file.
type Left struct {
	// Sum is that of the bytes that its generator wrote: if the file has others without the patch,
	// it was made anew, or edited.
	Sum   uint64
	Patch patch.Patch // from those bytes to what was left
	// Made: there was no such file.
	Made bool
	// NoIndex: the file is a page, and its tags say noindex.
	NoIndex bool
	// Written is when a page was last changed after it was written, in nanoseconds since 1970. A
	// generator that makes the page anew leaves another time, also one that it sets back.
	Written int64
}

// Sum tells the bytes of a file from others.
func Sum(data []byte) uint64 {
	castagnoli := crc32.MakeTable(crc32.Castagnoli) // which is made once
	return uint64(len(data))<<32 | uint64(crc32.Checksum(data, castagnoli))
}

// Undo appends to dst what a generator wrote, if data is what one of v left, and returns that one
// as well. If data is what neither left, nothing in it is ours: own is data itself, without a
// Left.
func (v Versions) Undo(dst, data []byte) (own []byte, is *Left) {
	for _, l := range []*Left{v.Left, v.Stands} {
		if l != nil {
			if own, ok := l.Undo(dst, data); ok {
				return own, l
			}
		}
	}
	return data, nil
}

// Put reports whether a patch of v puts a text into the file.
func (v Versions) Put(text string) bool {
	return v.Left != nil && v.Left.Patch.Puts(text) || v.Stands != nil && v.Stands.Patch.Puts(text)
}

// Undo appends to dst what a generator wrote; ok is false if data is not what l left. Of a file
// that was made own is nil: its generator wrote no file, not an empty one.
func (l *Left) Undo(dst, data []byte) (own []byte, ok bool) {
	own, ok = l.Patch.Undo(dst, data)
	ok = ok && Sum(own[len(dst):]) == l.Sum
	if l.Made {
		return nil, ok
	}
	return own, ok
}

// equal reports whether two of them are the same in all that is remembered; either may be nil.
func (l *Left) equal(other *Left) bool {
	return l == other || l != nil && other != nil && l.Sum == other.Sum && l.Made == other.Made &&
		l.NoIndex == other.NoIndex && l.Written == other.Written && l.Patch.Equal(&other.Patch)
}

// At is l of a page that was last changed at that time. l itself stays as it is.
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

// Intend keeps what is about to be left in a file beside what is there of ours; nil for nothing. If
// the two are equal, the file stays as it is, and one is enough.
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

// set keeps what is remembered of a file, or forgets the file if that is nothing.
func (s *State) set(name string, v Versions) {
	s.dirty = true
	if v == (Versions{}) {
		delete(s.files, name)
	} else {
		s.files[name] = v
	}
}

// Prune forgets files that are not published any more.
func (s *State) Prune(published func(name string) bool) {
	for name := range s.files {
		if !published(name) {
			s.set(name, Versions{})
		}
	}
}

// Keep makes [State.Save] write a state that says nothing too: the next run has to know that this
// one was here.
func (s *State) Keep() {
	s.dirty = s.dirty || !s.exists
	s.exists = true
}

// Begin says that files are about to be written.
func (s *State) Begin() {
	s.dirty = s.dirty || s.finished
	s.finished = false
}

// Standing returns which of v may be in a page that was last changed at that time: nothing that was
// left there at another time, since somebody else has written the page since. After a run that was
// cut off, nobody knows the times of what it wrote, and it may be either.
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
	s.dirty = s.dirty || !s.finished
	s.finished = true
	for name, v := range s.files {
		if v.Stands != nil {
			s.set(name, Versions{Left: v.Left})
		}
	}
}
