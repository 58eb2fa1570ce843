package state

import (
	"bytes"
	"crypto/sha256"
	"os"
	"reflect"
	"testing"

	"metarobots/emit/patch"
	"metarobots/internal/tables"
)

// left is what a run leaves that puts a text at the end of what is there.
func left(own, text string) *Left {
	p := patch.New([]byte(own), []patch.Edit{{Start: len(own), End: len(own), Text: text}})
	return &Left{Sum: Sum([]byte(own)), Patch: p}
}

// M7i: what is in a file after a run that was cut off is known to be ours, whichever run put it
// there.
func TestHouse_WhatACutOffRunLeavesIsTakenBack(t *testing.T) {
	s, _ := Open("", "")
	const own = `<a href="https://x.example/">x</a>`
	s.Intend("a.html", left(own, "first"), nil)
	s.Done()
	// Two runs want something else and are cut off before the file is written; each saw what was
	// there.
	for _, text := range []string{"second", "third"} {
		src, was := s.Recall("a.html").Undo(nil, []byte(own+"first"))
		if was == nil || string(src) != own {
			t.Fatalf("it is not taken back: %q", src)
		}
		s.Intend("a.html", left(own, text), was)
	}
	for _, text := range []string{"first", "third"} {
		if src, was := s.Recall("a.html").Undo(nil, []byte(own+text)); was == nil || string(src) != own {
			t.Errorf("%s is not taken back: %q", text, src)
		}
	}
	// The last one gets through, and the file is then what it wrote.
	s.Done()
	if src, was := s.Recall("a.html").Undo(nil, []byte(own+"first")); was != nil || string(src) != own+"first" {
		t.Error("what an earlier run wrote counts still")
	}
	if src, was := s.Recall("a.html").Undo(nil, []byte(own+"third")); was == nil || string(src) != own {
		t.Errorf("it is not taken back: %q", src)
	}
	// What is given back is remembered until it is there.
	_, was := s.Recall("a.html").Undo(nil, []byte(own+"third"))
	if s.Intend("a.html", nil, was); s.Recall("a.html").Stands != was {
		t.Error("it is forgotten before it is written")
	}
	if s.Done(); len(s.files) > 0 {
		t.Error("it is remembered for good")
	}
}

// A file that was made has nothing when it is taken back, not even an empty text.
func TestHouse_AMadeFileWasNone(t *testing.T) {
	l := left("", "text")
	if own, ok := l.Undo(nil, []byte("text")); !ok || own == nil {
		t.Errorf("an empty file: %v, %v", own, ok)
	}
	l.Made = true
	if own, ok := l.Undo(nil, []byte("text")); !ok || own != nil {
		t.Errorf("no file: %v, %v", own, ok)
	}
}

// M7d: what is remembered comes back, whatever the files are called, and one file's is not
// another's.
func TestHouse_StateComesBack(t *testing.T) {
	dir := t.TempDir()
	names := []string{"index.html", "a b/c.html", " ", "-", "1 2 - x", "\"quoted\".html", "line\nbreak.html",
		"cr\r.html", "\xff\xfe.html", "ümläut.html"}
	s, problem := Open(dir, "/site/public")
	if problem != nil {
		t.Fatal(problem)
	}
	for i, name := range names {
		write, stands := left(name, "\xff"+name), left(name, "\xfe")
		write.NoIndex, write.Made = i%3 == 0, i%4 == 0
		if i%2 == 0 {
			stands = nil
		} else if i%5 == 0 {
			write = nil
		}
		s.Intend(name, write, stands)
	}
	tables.Must(t, s.Save())
	again, problem := Open(dir, "/site/public")
	if problem != nil || !again.Found {
		t.Fatal(problem)
	}
	if !reflect.DeepEqual(s.files, again.files) || len(again.files) != len(names) {
		t.Errorf("got %v\nwant %v", again.files, s.files)
	}
	// What is intended again changes nothing; a second save of the same is the same file.
	for name, v := range s.files {
		again.Intend(name, v.Left, v.Stands)
	}
	if again.dirty {
		t.Error("it is to be written anew")
	}
	before := tables.Value(os.ReadFile(s.file))(t)
	again.dirty = true
	tables.Must(t, again.Save())
	if after, _ := os.ReadFile(s.file); !bytes.Equal(before, after) {
		t.Errorf("got\n%q\nwant\n%q", after, before)
	}
}

// M7d: what a version before this one remembered is read, and the next run writes it in the form of
// today.
func TestHouse_AnOlderStateIsReadOnce(t *testing.T) {
	left, made := left("own", "text"), left("made", "more")
	left.NoIndex, left.Written, made.Made = true, 1764385523000000001, true
	want := map[string]Versions{"a/index.html": {left, nil}, "b.html": {made, left}, "c.html": {nil, made}}
	s, problem := opened(t, tables.Value(os.ReadFile("testdata/version10.state"))(t))
	if problem != nil || !s.finished || !reflect.DeepEqual(s.files, want) {
		t.Fatalf("%v, %v\nwant %v", problem, s.files, want)
	}
	tables.Must(t, s.Save())
	if data := tables.Value(os.ReadFile(s.file))(t); !bytes.HasPrefix(data, []byte(first)) {
		t.Errorf("it is still %.20q", data)
	}
}

// summed is a state of this version with its sum.
func summed(rest []byte) []byte {
	data := append([]byte(first), rest...)
	sum := sha256.Sum256(data)
	return append(data, sum[:]...)
}

// entries are files as a state holds them.
func entries(files map[string]Versions) []byte {
	var b bytes.Buffer
	(&State{files: files}).encode(&b)
	return b.Bytes()
}

// opened is the state that data on the disk is.
func opened(t *testing.T, data []byte) (*State, error) {
	dir := t.TempDir()
	s, _ := Open(dir, "p")
	tables.Must(t, os.WriteFile(s.file, data, 0o644))
	return Open(dir, "p")
}

// One bit that fell over, one byte that is missing or too many, another version: the state is as
// good as none, and says so once. The next run writes a whole one.
func TestHouse_DamagedStateIsNone(t *testing.T) {
	rest := entries(map[string]Versions{"index.html": {left("a", "b"), nil}})
	whole := summed(rest)
	var damaged [][]byte
	for i := range whole {
		one := bytes.Clone(whole)
		one[i] ^= 1
		damaged = append(damaged, one, whole[:i])
	}
	damaged = append(damaged, append(bytes.Clone(whole), '\n'), []byte("{}"), make([]byte, 1<<20),
		bytes.Replace(whole, []byte(" 11\n"), []byte(" 9\n"), 1), summed(nil), summed([]byte("\x00x")), summed(rest[:len(rest)-1]))
	for _, data := range damaged {
		s, problem := opened(t, data)
		if problem == nil || len(s.files) > 0 {
			t.Fatalf("%.200q: %v, %v", data, problem, s.files)
		}
		tables.Must(t, s.Save())
		if data, err := os.ReadFile(s.file); err != nil || !bytes.Equal(data, summed(entries(nil))) {
			t.Fatalf("the next run: %q, %v", data, err)
		}
	}
	if s, problem := opened(t, whole); problem != nil || len(s.files) != 1 {
		t.Errorf("whole: %v, %v", s.files, problem)
	}
}

// A state that says what cannot be takes nothing back.
func FuzzHouse_AStateThatCannotBe(f *testing.F) {
	f.Add(entries(map[string]Versions{"index.html": {left("a", "b"), nil}, "a\nb": {nil, &Left{Sum: Sum([]byte("ab")),
		Patch: patch.Patch{Steps: []patch.Step{{Skip: 1 << 30, Old: -1, New: 9}}}}}}))
	f.Fuzz(func(t *testing.T, rest []byte) {
		s, problem := opened(t, summed(rest))
		if problem != nil {
			return
		}
		for name := range s.files {
			s.Recall(name).Undo(nil, []byte("ab"))
		}
		s.dirty = true
		tables.Must(t, s.Save())
		data, _ := os.ReadFile(s.file)
		again, problem := opened(t, data)
		if problem != nil || len(s.files) != len(again.files) {
			t.Errorf("%v: %v, %v", problem, s.files, again.files)
		}
	})
}
