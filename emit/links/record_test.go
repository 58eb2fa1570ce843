package links

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestHouse_UndoRefusesAPageMadeAnew(t *testing.T) {
	src := []byte(`<p><a href=//x>x</a> <a href=//y rel=me>y</a>`)
	var p Page
	p.Scan(src, own, everything)
	out, r := p.Rewrite(nil, src), p.Record()
	for name, page := range map[string]string{
		"the source":          string(src),
		"a byte more":         strings.Replace(string(out), "x</a>", "xx</a>", 1),
		"a byte less":         string(out[1:]),
		"cut off":             string(out[:len(out)-14]),
		"edited by the owner": strings.Replace(string(out), `rel="nofollow"`, `rel="nofollow me"`, 1),
		"nothing":             "",
	} {
		if back, ok := r.Undo([]byte(page)); ok {
			t.Errorf("%s: undone: %q", name, back)
		}
	}
	if again := r.Redo([]byte("kept"), src); string(again) != "kept"+string(out) {
		t.Errorf("redone: %q", again)
	}
	if again := (Record{}).Redo(nil, src); !bytes.Equal(again, src) {
		t.Errorf("the zero record redone: %q", again)
	}
	if back, ok := (Record{}).Undo(out); !ok || !bytes.Equal(back, out) {
		t.Errorf("the zero record: %q, %v", back, ok)
	}
	for _, r := range []Record{
		{At: []int{0}}, {At: []int{0, 0}}, {Texts: []string{"<"}, At: []int{-1, 0}}, {Texts: []string{"<"},
			At: []int{0, -1}},
		{Texts: []string{"<"}, At: []int{0, 1}}, {Texts: []string{"<"}, At: []int{1 << 62, 0}}, {Texts: []string{"<"},
			At: []int{0, 0, 1}},
	} {
		if _, ok := r.Undo(out); ok {
			t.Errorf("%+v: undone", r)
		}
	}
}

// A link more costs a few bytes of the state.
func TestHouse_RecordIsShort(t *testing.T) {
	src := []byte(strings.Repeat("<p>Some text around <a href=https://out.example/>a link</a> and <a href=//x "+
		"rel=me>another</a>.</p>\n", 50))
	var p Page
	p.Scan(src, own, everything)
	data, err := json.Marshal(p.Record())
	if err != nil || len(p.Edits) != 100 {
		t.Fatal(err, len(p.Edits))
	}
	if perEdit := float64(len(data)) / 100; perEdit > 9 {
		t.Errorf("%.1f bytes an edit: %s", perEdit, data)
	}
}

func FuzzUndo(f *testing.F) {
	f.Add([]byte(`<a rel="nofollow" href=//x>`), []byte(`{"texts":[" rel=\"nofollow\""],"at":[2,0]}`))
	f.Add([]byte(`abab`), []byte(`{"texts":["a","b"],"at":[0,0,0,1,0,0]}`))
	f.Add([]byte(`x`), []byte(`{"texts":[""],"at":[0,0,1,0]}`))
	f.Add([]byte(`x`), []byte(`{"at":[0]}`))
	f.Fuzz(func(t *testing.T, page, data []byte) {
		var r Record
		if json.Unmarshal(data, &r) != nil {
			return
		}
		src, ok := r.Undo(page)
		if !ok {
			return
		}
		// Putting the texts in again gives the page.
		var out []byte
		from := 0
		for i := 0; i < len(r.At); i += 2 {
			out = append(out, src[from:from+r.At[i]]...)
			out = append(out, r.Texts[r.At[i+1]]...)
			from += r.At[i]
		}
		if out = append(out, src[from:]...); !bytes.Equal(out, page) {
			t.Errorf("%q: undone %q, put in again %q", page, src, out)
		}
	})
}
