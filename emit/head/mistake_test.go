package head

import (
	"strings"
	"testing"
)

// What crawlers do not read and its author meant is known from what nobody meant.
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#robotsmeta
func TestHouse_MistakesAreReadAsTheyWereMeant(t *testing.T) {
	for _, c := range []struct {
		tag, name, content string
		mistake            Mistake
	}{
		{`<meta name="robots" content="noindex">`, "robots", "noindex", 0},
		{`<meta name="ROBOT" content="noindex">`, "robots", "noindex", Misnamed},
		{`<meta name="X-Robots-Tag" content="noindex">`, "robots", "noindex", Misnamed},
		{`<meta property="robots" content="noindex">`, "robots", "noindex", InProperty},
		{`<meta property="Googlebot" content="noindex">`, "googlebot", "noindex", InProperty},
		{`<meta name=description property=robots content=noindex>`, "robots", "noindex", InProperty},
		{`<meta itemprop="robots" content="noindex">`, "robots", "noindex", InItemprop},
		{`<meta id="robots" content="noindex">`, "robots", "noindex", InID},
		{`<meta id="robots" name="robots" content="noindex">`, "robots", "noindex", 0},
		{`<meta http-equiv="X-Robots-Tag" content="noindex">`, "robots", "noindex", InHTTPEquiv},
		{`<meta http-equiv=robots content="noindex">`, "robots", "noindex", InHTTPEquiv},
		{`<meta name=“robots” content=“noindex, nofollow” />`, "robots", "noindex, nofollow", CurlyQuotes},
		{`<meta name="robots" content=“noindex, nofollow”>`, "robots", "noindex, nofollow", CurlyQuotes},
		{`<meta name="robots" content=“noindex”>`, "robots", "noindex", CurlyQuotes},
		{`<meta content=”noindex, nofollow” name=”robots”>`, "robots", "noindex, nofollow", CurlyQuotes},
		{`<meta name=‘bingbot’ content=‘noindex’>`, "bingbot", "noindex", CurlyQuotes},
		{`<meta name="robots" content="“noindex”, ‘nofollow’">`, "robots", "noindex ,  nofollow", CurlyQuotes},
		{`<meta name=“robot” content=“noindex, nofollow>`, "robots", "noindex, nofollow", CurlyQuotes},
		{"<meta name=\x93robots\x94 content=\x93noindex, nofollow\x94>", "robots", "noindex, nofollow", CurlyQuotes},
		{`<meta name=&quot;robots&quot; content=noindex>`, "robots", "noindex", CurlyQuotes},
		{`<meta name="robots" content="noindex”><meta name="x">`, "robots", `noindex ><meta name=`, CurlyQuotes},
		{`<meta name="robots" value="noindex">`, "robots", "noindex", InValue},
		{`<meta name="robots" content="" value="noindex">`, "robots", "noindex", InValue},
		{`<meta name="robots" content=" " value="noindex">`, "robots", "noindex", InValue},
		{`<meta name="robots, googlebot" content="noindex">`, "robots", "noindex", InList},
		{`<meta name="Robots Googlebot" content="noindex">`, "robots", "noindex", InList},
		{`<meta name="bingbot;googlebot" content="noindex">`, "robots", "noindex", InList},
		{`<meta property="robots,x" content="noindex">`, "robots", "noindex", InProperty},
		{`<meta name="robots" value=“noindex”>`, "robots", "noindex", CurlyQuotes},
		{`<meta property=“robots” content=“noindex”>`, "robots", "noindex", CurlyQuotes},

		{`<meta name="robots.txt" content="noindex">`, "", "", 0},
		{`<meta name="viewport, x" content="noindex">`, "", "", 0},
		{`<meta name="robotss" content="noindex">`, "", "", 0},
		{`<meta name="“description”" content="“noindex”">`, "", "", 0},
		{`<meta property="og:robots" content="noindex">`, "", "", 0},
		{`<meta itemprop="name" content="noindex">`, "", "", 0},
		{`<meta name="description" itemprop="robots" id="robots" content="noindex">`, "", "", 0},
		{`<meta http-equiv="refresh" content="noindex">`, "", "", 0},
		{`<meta name="" property="" http-equiv="" content="noindex">`, "", "", 0},
	} {
		for _, place := range []string{"<!doctype html><head>", "<!doctype html><p>x"} {
			p := scan(place + c.tag)
			if c.name == "" {
				if len(p.Robots) > 0 {
					t.Errorf("%s: taken for %+v", c.tag, p.Robots)
				}
				continue
			}
			if len(p.Robots) != 1 {
				t.Errorf("%s: metas %+v", c.tag, p.Robots)
				continue
			}
			m := p.Robots[0]
			if m.Name != c.name || m.Content != c.content || m.Mistake != c.mistake || !m.HasContent {
				t.Errorf("%s: got %+v", c.tag, m)
			}
			if err := law([]byte(place + c.tag)); err != nil {
				t.Error(err)
			}
		}
	}
	if p := scan(`<meta property=robots>`); len(p.Robots) != 1 || p.Robots[0].HasContent || p.Robots[0].Mistake.String() == "" {
		t.Errorf("no content: %+v", p.Robots)
	}
}

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
