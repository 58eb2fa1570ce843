package snapshot

import (
	"bytes"
	"strings"
	"testing"

	"metarobots/internal/result"
)

// H: other headers are in the file where there are any, without those that are lost, and diff compares them.
func TestHouse_OtherHeadersAreCompared(t *testing.T) {
	line := func(value string, lost bool) result.HeaderLine {
		return result.HeaderLine{Name: "Link", Value: value, Lost: lost, Rule: result.HeaderRule{File: "m.toml", Line: 3}}
	}
	pdf := func(lines ...result.HeaderLine) *Snapshot {
		return snap("production", "", []result.Page{{URL: "/a.pdf", Headers: lines}, {URL: "/b.pdf"}})
	}
	written := func(s *Snapshot) string {
		var b bytes.Buffer
		if err := s.Write(&b); err != nil {
			t.Fatal(err)
		}
		read, err := Read(bytes.NewReader(b.Bytes()))
		if err != nil || !Diff(s, read).Empty() {
			t.Errorf("%v: read back otherwise:\n%s", err, &b)
		}
		return b.String()
	}
	none, a, b := pdf(line("</x/>", true)), pdf(line("</a/>", false)), pdf(line("</b/>", false))
	if text := written(none); strings.Contains(text, "headers") {
		t.Error(text)
	}
	if text := written(a); !strings.Contains(text, "\"headers\": {\n    \"/a.pdf\": [\"Link: </a/>\"]\n  }") {
		t.Error(text)
	}
	got := Diff(a, b)
	want := Change{URL: "/a.pdf", Was: "nothing; Link: </a/>", Is: "nothing; Link: </b/>", Reason: "robots.headers.rules",
		File: "m.toml", Line: 3}
	if len(got.Changed) != 1 || got.Changed[0] != want || len(got.Lists()) != 1 {
		t.Errorf("%+v", got)
	}
	if got := Diff(a.Restrictions(), none); !got.Empty() {
		t.Errorf("a deployed site: %+v", got)
	}
}
