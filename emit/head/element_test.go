package head

import (
	"reflect"
	"testing"

	"metarobots/internal/tables"
)

func all(from, attrs int) bool { return true }

// elements returns the tags that Elements gives, as they are written.
func elements(s *Scanner, src string) (tags []string) {
	found, _ := s.Elements([]byte(src), all)
	for _, e := range found {
		tags = append(tags, src[e.Start:e.End])
	}
	return tags
}

func TestStandard_Elements(t *testing.T) {
	var s Scanner
	for _, c := range tables.Read(t, "testdata/elements.txt") {
		if got := elements(&s, c["page"]); !reflect.DeepEqual(got, c.List("want")) {
			t.Errorf("%s: got %q, want %q\n%q", c["name"], got, c.List("want"), c["page"])
		}
		if len(s.page.facts.Robots) != 0 {
			t.Errorf("%s: metas %v", c["name"], s.page.facts.Robots)
		}
	}
	if e, _ := s.Elements([]byte("x<SECTION id=a>"), all); len(e) != 1 || e[0] != (Element{Name: "section", Start: 1, Attrs: 9, End: 15}) {
		t.Errorf("got %+v", e)
	}
	if e, _ := s.Elements([]byte("<x-y>"), all); len(e) != 1 || e[0] != (Element{Name: "x-y", Attrs: 4, End: 5}) {
		t.Errorf("got %+v", e)
	}
	// Between them a Scanner serves Scan as before.
	if p := s.Scan([]byte("<base><meta name=robots><p>x<meta name=robots>"), robots); len(p.Robots) != 2 {
		t.Errorf("metas %v", p.Robots)
	}
}

func TestStandard_NextAttr(t *testing.T) {
	for page, want := range map[string][]string{
		`<a>`:                           nil,
		`<a href=x rel="y z"title='' >`: {"href", "x", "rel", "y z", "title", ""},
		`<a/HREF = x/ =b a>`:            {"HREF", "x/", "=b", "", "a", ""},
		`<a x="`:                        nil,
	} {
		var got []string
		var a Attr
		i, more := nextAttr([]byte(page), 2, &a)
		for ; more; i, more = nextAttr([]byte(page), i, &a) {
			got = append(got, page[a.Name:a.NameEnd], page[a.Value:a.ValueEnd])
		}
		end := len(page)
		if page[end-1] != '>' {
			end = -1
		}
		if !reflect.DeepEqual(got, want) || i != end {
			t.Errorf("%q: got %q, end %d", page, got, i)
		}
	}
	a := Attr{Name: 1, NameEnd: 5}
	if !a.Is([]byte("xHrEf"), "href") || a.Is([]byte("xhref"), "hre") || a.Is([]byte("xhre\u212A"), "hrek") {
		t.Error("names are compared wrongly")
	}
	if got := string(Decode([]byte("kept"), []byte("a&amp;\r\nb"))); got != "kepta&\nb" {
		t.Errorf("decoded %q", got)
	}
}

func TestStandard_ReferencesInAttributes(t *testing.T) {
	for _, row := range tables.Read(t, "testdata/references.txt") {
		if got := string(Decode(nil, []byte(row["v"]))); got != row["want"] {
			t.Errorf("%q: got %q, want %q", row["v"], got, row["want"])
		}
	}
}
