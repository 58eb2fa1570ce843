package plan

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"reflect"
	"testing"

	"metarobots/emit/links"
	"metarobots/policy"
)

// M7: what stands in a page after a run that was cut off is known to be ours, whichever run put it there.
func TestHouse_LinksOfACutOffRunAreTakenBack(t *testing.T) {
	s, err := openState("", "")
	if err != nil {
		t.Fatal(err)
	}
	const plain = `<a href="https://x.example/">x</a>`
	edit := func(rel links.Rel) (string, *linked) {
		var p links.Page
		p.Scan([]byte(plain), "https://example.org/", links.New(links.Options{Rules: []links.Rule{{Rel: rel}}}))
		out := string(p.Rewrite(nil, []byte(plain)))
		return out, &linked{sumOf([]byte(out)), p.Record()}
	}
	first, nofollow := edit(links.Nofollow)
	s.intendLinks("a.html", nofollow, nil)
	s.done()
	// Two runs want something else and are cut off before the page is written; each saw what stands there.
	for _, rel := range []links.Rel{links.UGC, links.Sponsored} {
		src, was := s.undo("a.html", []byte(first))
		if was == nil || string(src) != plain {
			t.Fatalf("%q is not taken back: %q", first, src)
		}
		_, record := edit(rel)
		s.intendLinks("a.html", record, was)
	}
	if src, was := s.undo("a.html", []byte(first)); was == nil || string(src) != plain {
		t.Errorf("%q is not taken back: %q", first, src)
	}
	// The last one gets through, and the page is then what it wrote.
	s.done()
	if _, was := s.undo("a.html", []byte(first)); was != nil {
		t.Error("what an earlier run wrote counts still")
	}
	last, _ := edit(links.Sponsored)
	if src, was := s.undo("a.html", []byte(last)); was == nil || string(src) != plain {
		t.Errorf("%q is not taken back: %q", last, src)
	}
}

// M7: what is remembered of one page is not what is remembered of another, where tags that are not UTF-8 become equal in
// the file.
func TestHouse_StateKeepsListsApart(t *testing.T) {
	dir := t.TempDir()
	s, problem := openState(dir, "/site/public")
	if problem != nil {
		t.Fatal(problem)
	}
	written := []policy.Tag{{Name: "robots", Content: "noindex"}}
	for name, content := range map[string]string{"a.html": "\xff", "b.html": "\xfe", "c.html": "nosnippet", "d.html": "notranslate", "e.html": "noarchive"} {
		s.intend(name, written, nil, []FoundTag{{policy.Tag{Name: "robots", Content: content}, true, 1}})
	}
	if err := s.save(false); err != nil {
		t.Fatal(err)
	}
	again, problem := openState(dir, "/site/public")
	if problem != nil {
		t.Fatal(problem)
	}
	for name, content := range map[string]string{"a.html": "\ufffd", "b.html": "\ufffd", "c.html": "nosnippet", "d.html": "notranslate", "e.html": "noarchive"} {
		found, ours := again.original(name, written)
		if !ours || len(found) != 1 || found[0].Content != content {
			t.Errorf("%s: got %v, %v, want ours, and %q found", name, found, ours, content)
		}
	}
}

// M7: what is remembered comes back, whatever the pages are called.
func TestHouse_StateComesBack(t *testing.T) {
	dir := t.TempDir()
	written := []policy.Tag{{Name: "robots", Content: "noindex"}}
	other := []policy.Tag{{Name: "robots", Content: "index, \"follow\"\n"}}
	names := []string{"index.html", "a b/c.html", " ", "-", "1 2 - x", "\"quoted\".html", "line\nbreak.html", "cr\r.html", "\xff\xfe.html", "ümläut.html"}
	s, problem := openState(dir, "/site/public")
	if problem != nil {
		t.Fatal(problem)
	}
	for i, name := range names {
		var stands []policy.Tag
		if i%2 == 0 {
			stands = other
		}
		s.intend(name, written, stands, []FoundTag{{policy.Tag{Name: "robots", Content: "index"}, i%3 == 0, i}})
	}
	if err := s.save(false); err != nil {
		t.Fatal(err)
	}
	again, problem := openState(dir, "/site/public")
	if problem != nil || !again.found {
		t.Fatal(problem)
	}
	if !maps.Equal(s.pages, again.pages) || !reflect.DeepEqual(s.lists.all, again.lists.all) {
		t.Errorf("got %v, %v\nwant %v, %v", again.pages, again.lists.all, s.pages, s.lists.all)
	}
	// A second save of the same is the same file.
	before, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	again.dirty = true
	if err := again.save(false); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.ReadFile(s.file); !bytes.Equal(before, after) {
		t.Errorf("got\n%s\nwant\n%s", after, before)
	}
}

// summed is a state of this version with its first line.
func summed(rest string) []byte {
	return fmt.Appendf(nil, stateFirst+"%s", stateVersion, len(rest), fmt.Sprintf("%x", sha256.Sum256([]byte(rest))), rest)
}

// One bit that fell over, one byte that is missing or too many, another version: the state is as good as none, and says so
// once. The next run writes a whole one.
func TestHouse_DamagedStateIsNone(t *testing.T) {
	const rest = `{"lists":[[["robots","noindex",true,0]],[]]}` + "\n0 1 - index.html\n"
	whole := summed(rest)
	var damaged [][]byte
	for i := range whole {
		one := bytes.Clone(whole)
		one[i] ^= 1
		damaged = append(damaged, one, whole[:i])
	}
	damaged = append(damaged, append(bytes.Clone(whole), '\n'), []byte("{}"), []byte(`{"version":2,"lists":[[]]}`+"\n"),
		bytes.Replace(whole, []byte(" 3 "), []byte(" 4 "), 1), make([]byte, 1<<20))
	for _, data := range damaged {
		dir := t.TempDir()
		s, _ := openState(dir, "p")
		if err := os.WriteFile(s.file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		s, problem := openState(dir, "p")
		if problem == nil || len(s.pages)+len(s.lists.all)+len(s.links) > 0 {
			t.Fatalf("%.200q: %v, %v", data, problem, s.pages)
		}
		if err := s.save(false); err != nil {
			t.Fatal(err)
		}
		if _, problem := openState(dir, "p"); problem != nil {
			t.Fatalf("the next run: %v", problem)
		}
	}
	dir := t.TempDir()
	s, _ := openState(dir, "p")
	os.WriteFile(s.file, whole, 0o644)
	if s, problem := openState(dir, "p"); problem != nil || len(s.pages) != 1 {
		t.Errorf("whole: %v, %v", s.pages, problem)
	}
}

// A state that was cut off, or is none, says so and is as good as none.
func TestHouse_BrokenStateIsNone(t *testing.T) {
	const lists = `{"lists":[[["robots","noindex",true,0]],[]]}` + "\n"
	for _, text := range []string{"", lists[:20], lists + "0 1 - index.ht", lists + "0 1 -", lists + "0 2 - a\n", lists + "0 -1 - a\n",
		lists + "0 1\n", lists + "0 1 x a\n", lists + "0 1 - \"a\n", `{"lists":[[["robots",1,true,0]]]}` + "\n"} {
		dir := t.TempDir()
		s, _ := openState(dir, "p")
		if err := os.WriteFile(s.file, summed(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s, problem := openState(dir, "p")
		if problem == nil || len(s.pages)+len(s.lists.all) > 0 {
			t.Errorf("%q: %v, %v", text, problem, s.pages)
		}
	}
}

func FuzzState(f *testing.F) {
	f.Add(`{"lists":[[["robots","noindex",true,0]],[]]}` + "\n0 1 - index.html\n1 0 1 \"a\\nb\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		s, _ := openState(dir, "p")
		if err := os.WriteFile(s.file, summed(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s, problem := openState(dir, "p")
		if problem != nil {
			return
		}
		s.dirty = true
		if err := s.save(false); err != nil {
			t.Fatal(err)
		}
		again, problem := openState(dir, "p")
		if problem != nil || !maps.Equal(s.pages, again.pages) {
			t.Errorf("%v: %v, %v", problem, s.pages, again.pages)
		}
	})
}
