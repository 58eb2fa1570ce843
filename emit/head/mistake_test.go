package head

import (
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// What crawlers do not read and its author meant is known from what nobody meant.
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#robotsmeta
// M2e.
func TestHouse_MistakesAreReadAsTheyWereMeant(t *testing.T) {
	kinds := map[string]Mistake{"right": "", "misnamed": Misnamed, "in a list": InList, "in property": InProperty,
		"in http-equiv": InHTTPEquiv, "in itemprop": InItemprop, "in id": InID, "in value": InValue,
		"curly quotes": CurlyQuotes}
	for _, c := range tables.Read(t, "testdata/mistakes.txt") {
		mistake, isMeta := kinds[c["mistake"]]
		for _, place := range []string{"<!doctype html><head>", "<!doctype html><p>x"} {
			p := scan(place + c["tag"])
			if !isMeta {
				if len(p.Robots) > 0 || c["mistake"] != "none" {
					t.Errorf("%s: taken for %+v", c["tag"], p.Robots)
				}
				continue
			}
			if len(p.Robots) != 1 {
				t.Errorf("%s: metas %+v", c["tag"], p.Robots)
				continue
			}
			m := p.Robots[0]
			if m.Name != c["name"] || m.Content != c["content"] || m.Mistake != mistake || !m.HasContent {
				t.Errorf("%s: got %+v", c["tag"], m)
			}
			if err := law([]byte(place + c["tag"])); err != nil {
				t.Error(err)
			}
		}
	}
	if p := scan(`<meta property=robots>`); len(p.Robots) != 1 || p.Robots[0].HasContent || p.Robots[0].Mistake == "" {
		t.Errorf("no content: %+v", p.Robots)
	}
}

// M2f.
func TestHouse_LongValuesAreCut(t *testing.T) {
	page := func(n int) string { return `<meta name=robots content="noindex,` + strings.Repeat(" ", n-8) + `">` }
	for n, want := range map[int]bool{100: false, maxValue: false, maxValue + 1: true, 3 * maxValue: true} {
		p := scan(page(n))
		if m := p.Robots[0]; m.Cut != want || len(m.Content) != min(n, maxValue) || !strings.HasPrefix(m.Content, "noindex") {
			t.Errorf("%d bytes: cut %v, %d read", n, m.Cut, len(m.Content))
		}
		if err := law([]byte(page(n))); err != nil {
			t.Errorf("%d bytes: %.200v", n, err)
		}
	}
	s := Scanner{Relations: true, Title: true}
	p := s.Scan([]byte(`<link rel=canonical href="/`+strings.Repeat("x", maxValue)+`"><title>`+strings.Repeat("x ", maxValue)), crawlers)
	if len(p.Relations) > 0 || len(p.Title) > maxValue {
		t.Errorf("a URL of %d bytes, a title of %d", len(p.Relations), len(p.Title))
	}
}

// A name may be empty.
func TestStandard_AnEmptyName(t *testing.T) {
	var s Scanner
	if f := s.Scan([]byte("<meta name><p><meta name content=x>"), func(n []byte) Kind { return Kind(1 - min(len(n), 1)) }); len(f.Robots) != 2 {
		t.Errorf("%+v", f.Robots)
	}
}
