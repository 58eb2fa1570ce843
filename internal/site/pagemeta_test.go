package site

import (
	"encoding/json"
	"strings"
	"testing"

	"metarobots/frontmatter"
	"metarobots/policy"
)

var metaOptions = frontmatter.Options{Crawlers: policy.KnownCrawlers()}

// Of page metadata every key is known, so that a misspelt one is no silence.
func TestHouse_PageMetaKeys(t *testing.T) {
	for _, c := range []struct{ text, states, fault string }{
		{`{"robots": "noindex"}`, "noindex", ""},
		{`{"NoIndex": true, "googlebot": "nosnippet"}`, "noindex; googlebot: nosnippet", ""},
		{`{"params": {"robots": {"index": false}}, "seo": {"nofollow": true}}`, "noindex; nofollow", ""},
		{`{"source": "a", "line": 2, "kind": null}`, "", ""},
		{`{"unavailable_after": "2030-01-31"}`, "unavailable_after: 2030-01-31T00:00:00Z", ""},
		{`{"robot": "noindex"}`, "", `unknown key "robot" (did you mean "robots"?)`},
		{`{"title": "x"}`, "", `unknown key "title"`},
		{`{"kind": 5}`, "", "kind: 5 is not text"},
		{`{"line": 1.5}`, "", "line: 1.5 is not a line"},
		{`{"line": -1}`, "", "line: -1 is not a line"},
		{`"noindex"`, "", "it is no JSON object"},
		{``, "", "it is no JSON object"},
		{`{}{}`, "", "it is no JSON object"},
		{`{}}`, "", "it is no JSON object"},
	} {
		h, err := ParsePageMeta(c.text, metaOptions)
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: %v, want %q", c.text, err, c.fault)
			}
			continue
		}
		var said []string
		for _, s := range h.FrontMatter.Statements {
			said = append(said, s.States())
			if s.Origin.Layer != policy.LayerPage || s.Origin.File != h.Source || s.Origin.Line != h.Line {
				t.Errorf("%s: %+v", c.text, s.Origin)
			}
		}
		if got := strings.Join(said, "; "); err != nil || len(h.FrontMatter.Findings) > 0 || !sameWords(got, c.states) {
			t.Errorf("%s: %q %v %v, want %q", c.text, got, h.FrontMatter.Findings, err, c.states)
		}
	}
}

func sameWords(a, b string) bool {
	count := map[string]int{}
	for _, s := range strings.Split(a, "; ") {
		count[s]++
	}
	for _, s := range strings.Split(b, "; ") {
		count[s]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// Page metadata is added to what is known, and changes nothing that other files share.
func TestHouse_AddedMetadataSharesNothing(t *testing.T) {
	shared := make([]policy.Statement, 1, 2)
	f := File{}
	f.Page, f.Facts.Kind, f.Facts.Section = shared, "page", "kept"
	h, err := ParsePageMeta(`{"robots": "noindex", "kind": "section", "source": "a.md"}`, metaOptions)
	if err != nil {
		t.Fatal(err)
	}
	h.Take(&f)
	if len(f.Page) != 2 || f.Facts.Kind != "section" || f.Facts.Section != "kept" || f.Source != "a.md" {
		t.Errorf("%+v", f)
	}
	if shared[:2][1] != (policy.Statement{}) {
		t.Error("what others share was written to")
	}
	h.Take(&f)
	if len(f.Page) != 2 {
		t.Errorf("said twice: %v", f.Page)
	}
}

// Page metadata is an error or it is read whole; it never fails otherwise.
func FuzzPageMeta(f *testing.F) {
	for _, seed := range []string{`{"robots": "noindex", "source": "a", "line": 3}`, `{"robots": {"googlebot": ["x"]}}`,
		`{}`, `[`, `{"line": 1e99}`, `{"params": {"seo": {}}}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, err := ParsePageMeta(text, metaOptions)
		if err == nil && !json.Valid([]byte(text)) {
			t.Fatalf("%q is no JSON and was read: %+v", text, h)
		}
		if h.Line < 0 {
			t.Fatalf("line %d", h.Line)
		}
	})
}
