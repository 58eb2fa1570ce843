package build

import (
	"testing"

	"metarobots/emit/links"
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
