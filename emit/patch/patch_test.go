package patch

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestHouse_UndoRefusesAPageMadeAnew(t *testing.T) {
	src := []byte(`<p><a href=//x>x</a> <a href=//y rel=me>y</a>`)
	p := New(src, []Edit{{5, 5, ` rel="nofollow"`}, {33, 39, `rel="me nofollow"`}})
	out, ok := p.Apply(nil, src)
	if !ok || string(out) != `<p><a rel="nofollow" href=//x>x</a> <a href=//y rel="me nofollow">y</a>` {
		t.Fatalf("%q", out)
	}
	for name, page := range map[string]string{
		"the source":          string(src),
		"a byte more":         strings.Replace(string(out), "x</a>", "xx</a>", 1),
		"a byte less":         string(out[1:]),
		"cut off":             string(out[:len(out)-14]),
		"edited by the owner": strings.Replace(string(out), `rel="nofollow"`, `rel="nofollow me"`, 1),
		"nothing":             "",
	} {
		if back, ok := p.Undo(nil, []byte(page)); ok {
			t.Errorf("%s: undone: %q", name, back)
		}
	}
	for _, p := range []Patch{
		{Steps: []Step{{Skip: -1}}}, {Steps: []Step{{Skip: 1 << 30}}}, {Steps: []Step{{Old: 1}}},
		{Steps: []Step{{New: -1}}}, {Texts: []string{"<"}, Steps: []Step{{New: 2}}},
	} {
		if _, ok := p.Undo(nil, out); ok {
			t.Errorf("%+v: undone", p)
		}
	}
}

// A patch there and back leaves every byte as it was, whatever is replaced, also once it was
// written and read.
func TestLaw_ThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.SliceOfN(rapid.ByteRange('a', 'c'), 0, 20).Draw(t, "src")
		var edits []Edit
		for at := 0; at <= len(src) && rapid.Bool().Draw(t, "edit"); {
			e := Edit{Start: rapid.IntRange(at, len(src)).Draw(t, "start")}
			e.End = rapid.IntRange(e.Start, len(src)).Draw(t, "end")
			e.Text = rapid.StringMatching("[a-c]{0,3}").Draw(t, "text")
			edits, at = append(edits, e), e.End
		}
		for _, edits := range [][]Edit{edits, Between(src, rapid.SliceOfN(rapid.ByteRange('a', 'c'), 0, 20).Draw(t,
			"out"))} {
			var want []byte
			from := 0
			for _, e := range edits {
				want = slices.Concat(want, src[from:e.Start], []byte(e.Text))
				from = e.End
			}
			want = append(want, src[from:]...)
			made, read := New(src, edits), Patch{}
			if text, err := json.Marshal(made); err != nil || json.Unmarshal(text, &read) != nil || !read.Equal(&made) {
				t.Fatal(err)
			}
			out, ok := read.Apply([]byte("kept"), src)
			if !ok || string(out) != "kept"+string(want) {
				t.Fatalf("%v of %q: %q, want %q", edits, src, out, want)
			}
			if back, ok := read.Undo(nil, want); !ok || !bytes.Equal(back, src) {
				t.Fatalf("%v of %q: back to %q", edits, src, back)
			}
		}
	})
}

// A link more costs a few bytes of what is kept.
func TestHouse_PatchIsShort(t *testing.T) {
	src := []byte(strings.Repeat("<p>Some text around <a href=https://out.example/>a link</a></p>\n", 100))
	var edits []Edit
	for i := range 100 {
		edits = append(edits, Edit{i*64 + 22, i*64 + 22, ` rel="nofollow"`})
	}
	p := New(src, edits)
	if len(p.Texts) != 1 {
		t.Errorf("texts %q", p.Texts)
	}
}

func FuzzWhatIsUndoneWasThere(f *testing.F) {
	f.Add([]byte(`<a rel="nofollow" href=//x>`), []byte(`{"Texts":[" rel=\"nofollow\""],"Steps":[{"Skip":2,"New":1}]}`))
	f.Add([]byte(`abab`), []byte(`{"Texts":["a","b"],"Steps":[{"New":1},{"Old":1,"New":2},{"New":1}]}`))
	f.Add([]byte(`x`), []byte(`{"Texts":[""],"Steps":[{"New":1},{"Skip":1}]}`))
	f.Fuzz(func(t *testing.T, page, data []byte) {
		var p Patch
		if json.Unmarshal(data, &p) != nil {
			return
		}
		if src, ok := p.Undo(nil, page); ok {
			if out, ok := p.Apply(nil, src); !ok || !bytes.Equal(out, page) {
				t.Errorf("%q: undone %q, put in again %q", page, src, out)
			}
		}
	})
}

// M6a: edits that cannot be made together are a fault of the program, which ends before it writes
// what they would leave of a page: nothing.
func TestHouse_EditsOutOfOrderEndTheProgram(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("nothing happens")
		}
	}()
	New([]byte("<head><meta>"), []Edit{{Start: 6, End: 12}, {Start: 6, End: 6, Text: "<link>"}})
}
