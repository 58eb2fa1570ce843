package disk

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"metarobots/internal/tables"
)

// oldPage makes a page that nobody has written for a while, and returns its name and its version.
func oldPage(t *testing.T) (name string, read Version) {
	t.Helper()
	name = page(t, 0o640)
	r := &Reader{Max: 100}
	tables.Value(r.Read(name))(t)
	if r.Version == (Version{}) {
		t.Skip("no file is staged here")
	}
	old := time.Now().Add(-time.Hour)
	tables.Must(t, os.Chtimes(name, old, old))
	tables.Value(r.Read(name))(t)
	read = r.Version
	return name, read
}

// settled is a version as if its file had been changed an hour ago: no test can set that time.
func settled(v Version) Version {
	v.changed = v.changed.Add(-time.Hour)
	return v
}

// hold stages new bytes for a page as if it had been changed an hour ago.
func hold(t *testing.T, s *Stage, name string, read Version) {
	t.Helper()
	s.Add(name, []byte("new"), settled(read))
	f, isHeld := s.files[name]
	if !isHeld {
		t.Fatal("it is not held")
	}
	f.replaces = read
	s.files[name] = f
}

// M6a: the old page is there until the new one is, which has its mode.
func TestHouse_AStagedPageTakesItsPlace(t *testing.T) {
	name, read := oldPage(t)
	var s Stage
	hold(t, &s, name, read)
	if data := tables.Value(os.ReadFile(name))(t); string(data) != "old" {
		t.Errorf("it is replaced already: %q", data)
	}
	modified, ok := s.Replace(name)
	info := tables.Value(os.Stat(name))(t)
	if !ok || !modified.Equal(info.ModTime()) || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v: %v, %v", ok, modified, info.ModTime(), info.Mode())
	}
	holds(t, name, "new")
	if _, ok := s.Replace(name); ok {
		t.Error("it is replaced twice")
	}
}

// M6c: whoever writes the page in between, as one of the same size, with its time set back or in
// its place, keeps what he wrote.
func TestHouse_AStagedPageThatWasWrittenStays(t *testing.T) {
	for by, change := range map[string]func(name string, info os.FileInfo) error{
		"the same size": func(name string, info os.FileInfo) error {
			err := os.WriteFile(name, []byte("His"), 0o640)
			return errors.Join(err, os.Chtimes(name, info.ModTime(), info.ModTime()))
		},
		"another file": func(name string, info os.FileInfo) error {
			err := os.WriteFile(name+".his", []byte("His"), 0o640)
			err = errors.Join(err, os.Chtimes(name+".his", info.ModTime(), info.ModTime()))
			return errors.Join(err, os.Rename(name+".his", name))
		},
		"a symlink": func(name string, _ os.FileInfo) error {
			outside := filepath.Join(t.TempDir(), "his.html")
			err := os.Rename(name, outside)
			return errors.Join(err, os.WriteFile(outside, []byte("His"), 0o640), os.Symlink(outside, name))
		},
	} {
		t.Run(by, func(t *testing.T) {
			name, read := oldPage(t)
			var s Stage
			hold(t, &s, name, read)
			time.Sleep(20 * time.Millisecond) // longer than a step of the file system's clock
			tables.Must(t, change(name, tables.Value(os.Stat(name))(t)))
			if _, ok := s.Replace(name); ok {
				t.Error("it is replaced")
			}
			holds(t, name, "His")
		})
	}
}

// A page that was written just now may be written again without any sign of it.
func TestHouse_AFreshPageIsNotStaged(t *testing.T) {
	name, read := oldPage(t) // whose modification is old, and whose change is not
	var s Stage
	s.Add(name, []byte("new"), read)
	if _, ok := s.Replace(name); ok {
		t.Error("it was held")
	}
	holds(t, name, "old")
}

// Nothing is left of what is dropped, and nothing is taken after that.
func TestHouse_WhatIsDroppedLeavesNothing(t *testing.T) {
	name, read := oldPage(t)
	var s Stage
	hold(t, &s, name, read)
	s.Drop()
	s.Add(name, []byte("new"), settled(read))
	if _, ok := s.Replace(name); ok {
		t.Error("it was held")
	}
	holds(t, name, "old")
}

// Where a page cannot be staged, such as on a full disk, none is: the room is that of the pages
// that are then written one by one.
func TestHouse_AStageWithoutRoomIsDropped(t *testing.T) {
	name, read := oldPage(t)
	var s Stage
	hold(t, &s, name, read)
	s.Add(filepath.Join(name, "no folder", "index.html"), []byte("new"), settled(read))
	holds(t, name, "old")
	if _, ok := s.Replace(name); ok {
		t.Error("it is still held")
	}
}

// M6c: a version may be the next one's too as long as the clock of the file system has not gone on.
func TestHouse_AVersionSettlesByTheStepsOfItsClock(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	for _, c := range []struct {
		modified, changed time.Time
		want              bool
	}{
		{ago(3 * time.Second), ago(3 * time.Second), true},
		{ago(time.Second), ago(time.Second), false},
		{ago(101 * time.Millisecond), ago(101 * time.Millisecond), true},
		{ago(99 * time.Millisecond), ago(99 * time.Millisecond), false},
		{ago(time.Hour), ago(99 * time.Millisecond), false},
		{ago(time.Hour), ago(101 * time.Millisecond), false}, // the time of an archive: no fraction
		{ago(1500 * time.Millisecond), ago(time.Second), false},
		{time.Time{}, time.Time{}, false},
	} {
		v := Version{size: 1, modified: c.modified, changed: c.changed}
		if v.modified.IsZero() {
			v = Version{}
		}
		if got := v.isSettled(now); got != c.want {
			t.Errorf("modified %v, changed %v: %v, want %v", now.Sub(c.modified), now.Sub(c.changed), got, c.want)
		}
	}
}
