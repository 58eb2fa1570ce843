package policy

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// texts prints a decision as the header lines and the metas would.
func texts(d Decision, s Style) map[string]string {
	m := map[string]string{}
	for _, tag := range d.Texts(s) {
		m[tag.Name] = tag.Content
	}
	return m
}

// A2: "the crawler will use the sum of the negative rules".
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
func TestGoogle_SumOfNegatives(t *testing.T) {
	for _, c := range []struct {
		sources []string
		want    map[string]string
	}{
		{[]string{"nofollow", "googlebot: noindex"},
			map[string]string{"robots": "index, nofollow", "googlebot": "noindex, nofollow"}},
		{[]string{"googlebot: noindex", "nofollow"},
			map[string]string{"robots": "index, nofollow", "googlebot": "noindex, nofollow"}},
		{[]string{"googlebot: noindex", "googlebot: nosnippet"}, map[string]string{"googlebot": "noindex, follow"}},
		// A3
		{[]string{"max-snippet:50", "googlebot: max-snippet:-1"}, map[string]string{"robots": "max-snippet:50"}},
		// complete
		{[]string{"max-snippet:50", "googlebot: index"},
			map[string]string{"robots": "max-snippet:50", "googlebot": "index, follow, max-snippet:50"}},
		// does not differ
		{[]string{"index, follow", "googlebot: all"}, map[string]string{"robots": "index, follow"}},
		// as printed (P3)
		{[]string{"noindex", "googlebot: nosnippet, notranslate"}, map[string]string{"robots": "noindex, follow"}},
		{[]string{"noindex, indexifembedded", "googlebot: noindex"},
			map[string]string{"robots": "noindex, follow, indexifembedded", "googlebot": "noindex, follow"}},
		// A2: googlebot-news also takes what googlebot is told.
		{[]string{"googlebot: nosnippet", "googlebot-news: noindex"},
			map[string]string{"googlebot": "nosnippet", "googlebot-news": "noindex, follow"}},
		{[]string{"googlebot: nofollow", "googlebot-news: noindex"},
			map[string]string{"googlebot": "index, nofollow", "googlebot-news": "noindex, nofollow"}},
		{[]string{"googlebot-news: noindex"}, map[string]string{"googlebot-news": "noindex, follow"}},
		{[]string{"googlebot: noindex", "googlebot-image: nosnippet"},
			map[string]string{"googlebot": "noindex, follow", "googlebot-image": "nosnippet"}},
		{nil, map[string]string{}},
	} {
		var all []Statement
		for _, text := range c.sources {
			all = append(all, say(t, text)...)
		}
		var p Policy
		if got := texts(p.Resolve(all), Style{}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q\n got %v\nwant %v", c.sources, got, c.want)
		}
	}
}

// A1, M1: a tag for everyone, then one for each crawler that reads metas, alphabetically; a line for all of them.
func TestMetasAndHeaders(t *testing.T) {
	for _, c := range []struct {
		sources string
		metas   []Tag
		header  []string
	}{
		{"", nil, nil},
		{"index, follow", []Tag{{"robots", "index, follow"}}, nil}, // N1: restricts nothing
		{"noindex, yandex: noarchive, bingbot: nosnippet",
			[]Tag{{"robots", "noindex, follow"}, {"yandex", "noindex, follow, noarchive"}},
			[]string{"noindex, follow", "yandex: noindex, follow, noarchive"}},
		{"googlebot-image: noindex, gptbot: noai, bingbot: nocache", []Tag{{"bingbot", "nocache"}},
			[]string{"bingbot: nocache", "googlebot-image: noindex, follow", "gptbot: noai"}},
		{"index, follow, bingbot: nocache", []Tag{{"robots", "index, follow"}, {"bingbot", "index, follow, nocache"}},
			// N1: the generic line first whenever it is not empty
			[]string{"index, follow", "bingbot: index, follow, nocache"}},
		// P5: no line starts with a colon directive, nor what follows a name.
		{"max-snippet:50", []Tag{{"robots", "max-snippet:50"}}, []string{"index, follow, max-snippet:50"}},
		{"googlebot: unavailable_after: 2099-01-01", []Tag{{"googlebot", "unavailable_after: 2099-01-01T00:00:00Z"}},
			[]string{"googlebot: index, follow, unavailable_after: 2099-01-01T00:00:00Z"}},
		{"noai, max-snippet:50", []Tag{{"robots", "noai, max-snippet:50"}}, []string{"noai, max-snippet:50"}},
		// A5: Yandex lets the allowing word win.
		{"yandex: noindex", []Tag{{"yandex", "noindex, follow"}}, []string{"yandex: noindex, follow"}},
		{"index, follow, yandex: noindex", []Tag{{"robots", "follow"}, {"yandex", "noindex, follow"}},
			[]string{"yandex: noindex, follow"}},
		{"index, follow, max-snippet:5, yandex: none",
			[]Tag{{"robots", "max-snippet:5"}, {"yandex", "noindex, nofollow"}},
			[]string{"max-snippet:5", "yandex: noindex, nofollow"}},
		{"max-snippet:5, yandex: noindex", []Tag{{"robots", "max-snippet:5"}, {"yandex", "noindex, follow"}},
			[]string{"follow, max-snippet:5", "yandex: noindex, follow"}},
		{"nofollow, yandex: noindex", []Tag{{"robots", "nofollow"}, {"yandex", "noindex, nofollow"}},
			[]string{"nofollow", "yandex: noindex, nofollow"}},
		{"noindex, yandex: nofollow", []Tag{{"robots", "noindex"}, {"yandex", "noindex, nofollow"}},
			[]string{"noindex", "yandex: noindex, nofollow"}},
		{"noindex, follow, yandex: noindex", []Tag{{"robots", "noindex, follow"}}, []string{"noindex, follow"}},
		{"index, follow, yandex: noarchive", []Tag{{"robots", "index, follow"}, {"yandex", "index, follow, noarchive"}},
			[]string{"index, follow", "yandex: index, follow, noarchive"}},
	} {
		var p Policy
		d := p.Resolve(say(t, c.sources))
		if got := d.Metas(Style{}); !slices.Equal(got, c.metas) {
			t.Errorf("%q: metas\n got %v\nwant %v", c.sources, got, c.metas)
		}
		if got := d.Header(Style{}); !slices.Equal(got, c.header) {
			t.Errorf("%q: header\n got %q\nwant %q", c.sources, got, c.header)
		}
	}
}

// L7: a past date counts as noindex, for whom it is said.
func TestHouse_PastExpiryIsNoindex(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		text    string
		want    map[string]string
		expired int
	}{
		{"unavailable_after: 2026-11-19", map[string]string{"robots": "noindex, follow"}, 1},
		{"unavailable_after: 2026-11-20T12:00:00Z", map[string]string{"robots": "noindex, follow"}, 1},
		{"unavailable_after: 2026-11-20T12:00:01Z",
			map[string]string{"robots": "unavailable_after: 2026-11-20T12:00:01Z"}, 0},
		{"nofollow, unavailable_after: 2020-01-01", map[string]string{"robots": "noindex, nofollow"}, 1},
		{"index, unavailable_after: 2020-01-01", map[string]string{"robots": "noindex, follow"}, 1},
		{"noindex, indexifembedded, unavailable_after: 2020-01-01", map[string]string{"robots": "noindex, follow"}, 1},
		{"nosnippet, googlebot: unavailable_after: 2020-01-01",
			map[string]string{"robots": "nosnippet", "googlebot": "noindex, follow"}, 1},
		{"googlebot: unavailable_after: 2020-01-01, googlebot-news: nofollow",
			map[string]string{"googlebot": "noindex, follow", "googlebot-news": "noindex, nofollow"}, 1},
	} {
		p := Policy{Now: now}
		given := say(t, c.text)
		d := p.Resolve(given)
		if got := texts(d, Style{}); !reflect.DeepEqual(got, c.want) || len(d.Expired) != c.expired {
			t.Errorf("%q: %v, %d expired, want %v, %d", c.text, got, len(d.Expired), c.want, c.expired)
		}
	}
	var p Policy // without a clock nothing has passed
	if d := p.Resolve(say(t, "unavailable_after: 2020-01-01")); d.NoIndex() || len(d.Expired) > 0 {
		t.Errorf("%v", d)
	}
}

// readersAgree: what each crawler keeps to, as the printed texts say, is what the decision says of it, whether its own
// text adds to the generic one or replaces it (A2, A3).
func readersAgree(t *rapid.T, p *Policy, d Decision, s Style) {
	metas, lines := d.Metas(s), d.Texts(s)
	for _, name := range pool {
		c, _ := p.Crawlers.Lookup(name)
		if name == "" {
			c.Name = ""
		}
		want := d.Generic
		if name != "" {
			want = d.Obeyed(c)
		}
		for _, how := range []reader{sums, replaces} {
			if !c.HeaderOnly() {
				if got := told(t, metas, name, how); got != obeyed(want) {
					t.Fatalf("%q reads %+v in %q, decided is %+v", name, got, metas, obeyed(want))
				}
			}
			if got := told(t, lines, name, how); got != obeyed(want) {
				t.Fatalf("%q reads %+v in %q, decided is %+v", name, got, lines, obeyed(want))
			}
		}
		if !want.AtLeast(d.Generic) {
			t.Fatalf("%q is told less than everyone", name) // A3
		}
	}
}

// wellPrinted: P1, P2, P5, A3, A5, M1, N1 for any decision.
func wellPrinted(t *rapid.T, d Decision, s Style) {
	metas := d.Metas(s)
	generic := ""
	for i, tag := range metas {
		if tag.Content == "" || i > 0 && tag.Name <= metas[i-1].Name && metas[i-1].Name != "robots" ||
			tag.Name == "robots" && i > 0 {
			t.Fatalf("metas %q", metas)
		}
		if c, _ := (Crawlers{}).Lookup(tag.Name); c.HeaderOnly() {
			t.Fatalf("a tag for %s", tag.Name) // A1
		}
		if tag.Name == "robots" {
			generic = tag.Content
		} else {
			wellFormed(t, tag.Content)
		}
	}
	omit := d.generic(Style{})
	if omit == (Style{}) {
		wellFormed(t, generic)
	}
	words := strings.Split(generic, ", ")
	for _, a := range d.Agents {
		if a.AllowWins && (a.Directives.NoIndex() && slices.Contains(words, "index") ||
			a.Directives.NoFollow() && slices.Contains(words, "follow")) {
			t.Fatalf("%s is told %v, and %q lets it win", a.Name, a.Directives, generic) // A5
		}
	}
	header := d.Header(s)
	if (len(header) > 0) != d.Restricts() {
		t.Fatalf("restricts %v, header %q", d.Restricts(), header) // N1
	}
	for _, text := range header {
		name, rest, named := strings.Cut(text, ": ")
		if !named || !slices.Contains(pool, name) {
			name, rest = "", text
		}
		first, _, _ := strings.Cut(rest, ", ")
		if strings.Contains(first, ":") && (name != "" || omit != (Style{omitIndex: true, omitFollow: true})) {
			t.Fatalf("header line %q starts with a colon directive", text) // P5, A5
		}
	}
}

// A decision: every reader is served, order is nothing, and a further statement loosens nothing (L).
func TestResolve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &Policy{Now: clockOfTests}
		given := statements(t, "statements", 5)
		more := statement.Draw(t, "more")
		s := style.Draw(t, "style")
		d := p.Resolve(slices.Clone(given))
		readersAgree(t, p, d, s)
		wellPrinted(t, d, s)
		e := p.Resolve(append(rapid.Permutation(given).Draw(t, "shuffled"), more))
		notLooser(t, p, d, e, s)
		f := p.Resolve(append([]Statement{more}, given...))
		same(t, e, f, s)
		same(t, p.Resolve(append(slices.Clone(given), given...)), d, s) // said twice is said once
	})
}

// same: two decisions say the same to everyone.
func same(t *rapid.T, a, b Decision, s Style) {
	if a.Generic != b.Generic || !slices.Equal(a.Agents, b.Agents) || !slices.Equal(a.Header(s), b.Header(s)) ||
		!slices.Equal(a.Metas(s), b.Metas(s)) {
		t.Fatalf("order counts:\n%v %v\n%v %v", a.Generic, a.Agents, b.Generic, b.Agents)
	}
}

// notLooser: no crawler may do more under e than under d, by the sets and by what is printed.
func notLooser(t *rapid.T, p *Policy, d, e Decision, s Style) {
	for _, name := range pool {
		c, _ := p.Crawlers.Lookup(name)
		before, after := d.Generic, e.Generic
		if name != "" {
			before, after = d.Obeyed(c), e.Obeyed(c)
		}
		if !after.AtLeast(before) {
			t.Fatalf("%q was told %v, is told %v", name, before, after)
		}
		for _, how := range []reader{sums, replaces} {
			if before, after := told(t, d.Texts(s), name, how), told(t, e.Texts(s), name, how); !after.AtLeast(before) {
				t.Fatalf("%q read %q, reads %q", name, d.Texts(s), e.Texts(s))
			}
		}
	}
	if d.Restricts() && !e.Restricts() || d.NoIndex() && !e.NoIndex() {
		t.Fatalf("%v was stricter than %v", d.Generic, e.Generic)
	}
}

// L8: for every printed directive, what fixed it; and what fixed it says so.
func TestHouse_EveryPrintedDirectiveHasItsCauses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &Policy{Now: clockOfTests}
		d := p.Resolve(statements(t, "statements", 5))
		s := style.Draw(t, "style")
		for _, tag := range d.Texts(s) {
			name := tag.Name
			if name == "robots" {
				name = ""
			}
			var words []string
			for _, f := range d.Causes(name, s) {
				words = append(words, f.Word.Text)
				if len(f.By) == 0 != f.Word.Implied {
					t.Fatalf("%s of %q: fixed by %v, implied %v", f.Word.Text, tag, f.By, f.Word.Implied)
				}
				for _, i := range f.By {
					if c := d.Statements[i].Crawler; name == "" && c != "" {
						t.Fatalf("%s for everyone is fixed by what %s is told", f.Word.Text, c)
					}
				}
			}
			if got := strings.Join(words, ", "); got != tag.Content {
				t.Fatalf("%q is explained as %q", tag, got)
			}
		}
	})
	var p Policy
	d := p.Resolve(append(append(say(t, "index, follow", LayerDefault), say(t, "noindex", LayerRule)...),
		say(t, "noindex, yandex: noarchive", LayerPage)...))
	if got, want := fmt.Sprint(d.Causes("",
		Style{})), "[{{index noindex false} [1 2]} {{follow follow false} [0]}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := fmt.Sprint(d.Causes("yandex", Style{})[2]), "{{cache noarchive false} [3]}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func BenchmarkResolve(b *testing.B) {
	for name, sources := range map[string][]string{
		"default and page": {"index, follow, max-snippet:-1, max-image-preview:large, max-video-preview:-1", "noindex"},
		"all layers": {"index, follow, max-snippet:-1, max-image-preview:large, max-video-preview:-1",
			"noindex, nofollow", "noindex, follow", "nosnippet, googlebot: noarchive", "noindex, bingbot: nocache",
			"index, follow"},
	} {
		b.Run(name, func(b *testing.B) {
			p := Policy{Now: clockOfTests}
			var all []Statement
			for _, text := range sources {
				all = append(all, say(b, text)...)
			}
			b.ReportAllocs()
			for b.Loop() {
				p.Resolve(all)
			}
		})
	}
}

func BenchmarkMetas(b *testing.B) {
	p := Policy{}
	d := p.Resolve(say(b, "index, follow, max-snippet:-1, max-image-preview:large, max-video-preview:-1, bingbot: nocache"))
	b.ReportAllocs()
	for b.Loop() {
		d.Metas(Style{})
	}
}
