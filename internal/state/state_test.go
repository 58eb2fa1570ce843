package state

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"os"
	"reflect"
	"testing"

	emit "metarobots/emit/links"
	"metarobots/policy"
)

// M7: what stands in a page after a run that was cut off is known to be ours, whichever run put it there.
func TestHouse_LinksOfACutOffRunAreTakenBack(t *testing.T) {
	s := empty()
	const plain = `<a href="https://x.example/">x</a>`
	edit := func(rel emit.Rel) (string, *Links) {
		var p emit.Page
		p.Scan([]byte(plain), "https://example.org/", emit.New(emit.Options{Rules: []emit.Rule{{Rel: rel}}}))
		out := p.Rewrite(nil, []byte(plain))
		return string(out), NewLinks(out, p.Record())
	}
	first, nofollow := edit(emit.Nofollow)
	s.IntendLinks("a.html", nofollow, nil)
	s.Done()
	// Two runs want something else and are cut off before the page is written; each saw what stands there.
	for _, rel := range []emit.Rel{emit.UGC, emit.Sponsored} {
		src, was := s.Undo("a.html", []byte(first))
		if was == nil || string(src) != plain {
			t.Fatalf("%q is not taken back: %q", first, src)
		}
		_, record := edit(rel)
		s.IntendLinks("a.html", record, was)
	}
	if src, was := s.Undo("a.html", []byte(first)); was == nil || string(src) != plain {
		t.Errorf("%q is not taken back: %q", first, src)
	}
	// The last one gets through, and the page is then what it wrote.
	s.Done()
	if _, was := s.Undo("a.html", []byte(first)); was != nil {
		t.Error("what an earlier run wrote counts still")
	}
	last, _ := edit(emit.Sponsored)
	if src, was := s.Undo("a.html", []byte(last)); was == nil || string(src) != plain {
		t.Errorf("%q is not taken back: %q", last, src)
	}
}

var noindex = []policy.Tag{{Name: "robots", Content: "noindex"}}

// M7: what is remembered of one page is not what is remembered of another, be its tags UTF-8 or not.
func TestHouse_StateKeepsPagesApart(t *testing.T) {
	dir := t.TempDir()
	s, problem := Open(dir, "/site/public")
	if problem != nil {
		t.Fatal(problem)
	}
	contents := map[string]string{"a.html": "\xff", "b.html": "\xfe", "c.html": "nosnippet", "d.html": "notranslate",
		"e.html": "noarchive", "f.html": "noarchive"}
	for name, content := range contents {
		s.Intend(name, noindex, nil, []FoundTag{{policy.Tag{Name: "robots", Content: content}, true, 1}})
	}
	if err := s.Save(false); err != nil {
		t.Fatal(err)
	}
	again, problem := Open(dir, "/site/public")
	if problem != nil {
		t.Fatal(problem)
	}
	for name, content := range contents {
		m := again.Recall(name, noindex)
		if !m.Ours || len(m.Found) != 1 || m.Found[0].Content != content {
			t.Errorf("%s: got %+v, want ours, and %q found", name, m, content)
		}
	}
}

// M7: what is remembered comes back, whatever the pages are called.
func TestHouse_StateComesBack(t *testing.T) {
	dir := t.TempDir()
	other := []policy.Tag{{Name: "robots", Content: "index, \"follow\"\n"}}
	names := []string{"index.html", "a b/c.html", " ", "-", "1 2 - x", "\"quoted\".html", "line\nbreak.html",
		"cr\r.html",
		"\xff\xfe.html", "ümläut.html"}
	s, problem := Open(dir, "/site/public")
	if problem != nil {
		t.Fatal(problem)
	}
	for i, name := range names {
		var stand []policy.Tag
		if i%2 == 0 {
			stand = other
		}
		s.Intend(name, noindex, stand, []FoundTag{{policy.Tag{Name: "robots", Content: "index"}, i%3 == 0, i}})
		if i%4 == 0 {
			s.IntendLinks(name, &Links{Sum: name, Record: emit.Record{Texts: []string{name}, At: []int{i, 0}}}, nil)
		}
	}
	if err := s.Save(false); err != nil {
		t.Fatal(err)
	}
	again, problem := Open(dir, "/site/public")
	if problem != nil || !again.Found {
		t.Fatal(problem)
	}
	if !reflect.DeepEqual(s.pages, again.pages) {
		t.Errorf("got %v\nwant %v", again.pages, s.pages)
	}
	// A second save of the same is the same file.
	before, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	again.dirty = true
	if err := again.Save(false); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.ReadFile(s.file); !bytes.Equal(before, after) {
		t.Errorf("got\n%q\nwant\n%q", after, before)
	}
}

// summed is a state of this version with its sum.
func summed(rest []byte) []byte {
	data := append([]byte(first), rest...)
	sum := sha256.Sum256(data)
	return append(data, sum[:]...)
}

// gobs are entries as a state holds them.
func gobs(t testing.TB, entries ...entry) []byte {
	var b bytes.Buffer
	g := gob.NewEncoder(&b)
	for _, e := range entries {
		if err := g.Encode(e); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// opened is the state that data on the disk is.
func opened(t *testing.T, data []byte) (*State, error) {
	dir := t.TempDir()
	s, _ := Open(dir, "p")
	if err := os.WriteFile(s.file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return Open(dir, "p")
}

// One bit that fell over, one byte that is missing or too many, another version, pages that cannot be: the state is as
// good as none, and says so once. The next run writes a whole one.
func TestHouse_DamagedStateIsNone(t *testing.T) {
	rest := gobs(t, entry{Name: "index.html", At: 1, Tags: &tags{Wrote: noindex, Earlier: noindex}})
	whole := summed(rest)
	var damaged [][]byte
	for i := range whole {
		one := bytes.Clone(whole)
		one[i] ^= 1
		damaged = append(damaged, one, whole[:i])
	}
	damaged = append(damaged, append(bytes.Clone(whole), '\n'), []byte("{}"), make([]byte, 1<<20),
		bytes.Replace(whole, []byte(" 4\n"), []byte(" 5\n"), 1), summed([]byte("x")), summed(rest[:len(rest)-1]),
		summed(gobs(t, entry{Name: "a", At: 1})), summed(gobs(t, entry{Name: "a", At: -1})))
	for _, data := range damaged {
		s, problem := opened(t, data)
		if problem == nil || len(s.pages)+len(s.tags) > 0 {
			t.Fatalf("%.200q: %v, %v", data, problem, s.pages)
		}
		if err := s.Save(false); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(s.file); err != nil || !bytes.Equal(data, summed(nil)) {
			t.Fatalf("the next run: %q, %v", data, err)
		}
	}
	if s, problem := opened(t, whole); problem != nil || len(s.pages) != 1 {
		t.Errorf("whole: %v, %v", s.pages, problem)
	}
}

func FuzzState(f *testing.F) {
	f.Add(gobs(f, entry{Name: "index.html", At: 1, Tags: &tags{Wrote: noindex, Earlier: noindex}},
		entry{Name: "a\nb", At: 1, Links: &links{Wrote: &Links{Sum: "1"}}}))
	f.Fuzz(func(t *testing.T, rest []byte) {
		s, problem := opened(t, summed(rest))
		if problem != nil {
			return
		}
		s.dirty = true
		if err := s.Save(false); err != nil {
			t.Fatal(err)
		}
		data, _ := os.ReadFile(s.file)
		again, problem := opened(t, data)
		if problem != nil || len(s.pages) != len(again.pages) {
			t.Errorf("%v: %v, %v", problem, s.pages, again.pages)
		}
	})
}
