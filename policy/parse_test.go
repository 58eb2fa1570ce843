package policy

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// outcome of a text: what it states, or the fault, "id: a part of the message".
type outcome struct {
	states string
	fault  string // empty: nothing is reported
}

func check(t *testing.T, text string, whose Text, got Directives, problems []Finding, want outcome) {
	t.Helper()
	name := map[Text]string{Own: "own", Found: "found"}[whose]
	if got.String() != want.states {
		t.Errorf("%s %q states %q, want %q", name, text, got, want.states)
	}
	id, message, _ := strings.Cut(want.fault, ": ")
	if want.fault == "" {
		if len(problems) > 0 {
			t.Errorf("%s %q reports %v", name, text, problems)
		}
		return
	}
	if !slices.ContainsFunc(problems,
		func(p Finding) bool { return p.ID == id && strings.Contains(p.Message, message) }) {
		t.Errorf("%s %q reports %v, want %q", name, text, problems, want.fault)
	}
}

// D4, D6, D7: one text read as our own and as found on disk.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		text       string
		own, found outcome
	}{
		// D4: case, white space, commas.
		{"", outcome{}, outcome{}},
		{" , ,, ", outcome{}, outcome{}},
		{";", outcome{}, outcome{}},
		{"noindex", outcome{"noindex, follow", ""}, outcome{"noindex, follow", ""}},
		{"NoIndex,NOFOLLOW", outcome{"noindex, nofollow", ""}, outcome{"noindex, nofollow", ""}},
		{"noindex,,nofollow,", outcome{"noindex, nofollow", ""}, outcome{"noindex, nofollow", ""}},
		{"\tnoindex\r\n,\u00a0nofollow\u2003", outcome{"noindex, nofollow", ""}, outcome{"noindex, nofollow", ""}},
		{"\ufeffnoindex,\u205fnofollow,\u1680noai", outcome{"noindex, nofollow, noai", ""},
			outcome{"noindex, nofollow, noai", ""}},
		{"Max-Snippet : 50 , MAX-IMAGE-PREVIEW:Standard", outcome{"max-snippet:50, max-image-preview:standard", ""},
			outcome{"max-snippet:50, max-image-preview:standard", ""}},
		{"noindex, noindex, index", outcome{"noindex, follow", ""}, outcome{"noindex, follow", ""}}, // D2
		{"index, noindex, noimageindex, follow", outcome{"noindex, follow", ""}, outcome{"noindex, follow", ""}},
		// D4: the other separators.
		{"noindex nofollow", outcome{"noindex, nofollow", "separator: commas"},
			outcome{"noindex, nofollow", "separator: commas"}},
		{"noindex;nofollow", outcome{"noindex, nofollow", "separator: commas"},
			outcome{"noindex, nofollow", "separator: commas"}},
		{"noindex ; nofollow;", outcome{"noindex, nofollow", "separator: commas"},
			outcome{"noindex, nofollow", "separator: commas"}},
		{"noindex\nnofollow", outcome{"noindex, nofollow", "separator: commas"},
			outcome{"noindex, nofollow", "separator: commas"}},
		{"noindex/nofollow", outcome{"", `separator: "noindex, nofollow"`},
			outcome{"noindex, nofollow", "separator: commas"}},
		{"noindex|nofollow", outcome{"", `separator: "noindex, nofollow"`},
			outcome{"noindex, nofollow", "separator: commas"}},
		{"noindex;nofollow, max-snippet:5 noai", outcome{"noindex, nofollow, noai", "separator: commas"},
			outcome{"noindex, nofollow, noai", "separator: commas"}},
		// the strictest reading
		{"index noindex", outcome{"noindex, follow", "separator: commas"},
			outcome{"noindex, follow", "separator: commas"}},
		{"max-snippet: 50 nosnippet", outcome{"nosnippet", "separator: commas"},
			outcome{"nosnippet", "separator: commas"}},
		{"noindex indexifembedded", outcome{"noindex, follow", "separator: commas"},
			outcome{"noindex, follow", "separator: commas"}},
		// foo is no item of its own
		{"noindex foo", outcome{"", `separator: "noindex, foo"`}, outcome{"noindex, follow", "separator: counted"}},
		{"noindex nofolow", outcome{"", `separator: "noindex, nofollow"`},
			outcome{"noindex, follow", "separator: counted"}},
		{"noindex; max-snippet:many", outcome{"", "bad-value: number of characters"},
			outcome{"noindex, follow", "separator: counted"}},
		{"foo; bar", outcome{"", "unknown-directive: foo, bar"}, outcome{"foo; bar", "unknown-directive: foo; bar"}},
		{"foo/bar", outcome{"", "unknown-directive: foo/bar"}, outcome{"foo/bar", "unknown-directive: foo/bar"}},
		// What templates print that print a list as such.
		{"[noindex nofollow]", outcome{"", `unknown-directive: "noindex, nofollow"`},
			outcome{"noindex, nofollow", "separator: commas"}},
		{"[noarchive]", outcome{"", `unknown-directive: noarchive`}, outcome{"noarchive", "separator: commas"}},
		{`["noindex", 'nofollow']`, outcome{"", `unknown-directive: noindex`},
			outcome{"noindex, nofollow", "separator: commas"}},
		{"(foo)", outcome{"", "unknown-directive: foo"}, outcome{"(foo)", "unknown-directive: foo"}},
		// D6: bad values.
		{"max-snippet:many", outcome{"", "bad-value: max-snippet:50"}, outcome{"", "bad-value: many"}},
		{"max-snippet:-7", outcome{"", "bad-value: max-snippet:-1"}, outcome{"", "bad-value: -7"}},
		{"max-snippet:", outcome{"", "bad-value: max-snippet:50"}, outcome{"", "bad-value: max-snippet"}},
		{"max-snippet", outcome{"", "bad-value: max-snippet:50"}, outcome{"", "bad-value: max-snippet"}},
		{"max-snippet:5.5", outcome{"", "bad-value: 5.5"}, outcome{"", "bad-value: 5.5"}},
		{"max-snippet:+5", outcome{"", "bad-value: +5"}, outcome{"", "bad-value: +5"}},
		{"max-snippet:50:60", outcome{"", "bad-value: 50:60"}, outcome{"", "bad-value: 50:60"}},
		{"max-video-preview:long", outcome{"", "bad-value: max-video-preview:10"}, outcome{"", "bad-value: long"}},
		{"max-video-preview", outcome{"", "bad-value: number of seconds"}, outcome{"", "bad-value: seconds"}},
		{"max-image-preview:huge", outcome{"", "bad-value: none, standard or large"}, outcome{"", "bad-value: huge"}},
		{"max-image-preview", outcome{"", "bad-value: none, standard or large"}, outcome{"", "bad-value: large"}},
		{"unavailable_after:soon", outcome{"", "bad-value: 2026-09-21"}, outcome{"", "bad-value: soon"}},
		{"unavailable_after", outcome{"", "bad-value: 2026-09-21"}, outcome{"", "bad-value: date"}},
		{"unavailable_after: 25 Jun 2010 15:00:00 AEST", outcome{"", "bad-value: AEST"},
			outcome{"unavailable_after: 2010-06-25T00:00:00Z", "bad-value: AEST"}},
		{"noai unavailable_after: 25 Jun 2010 05:00:00 AEST", outcome{"", "bad-value: AEST"},
			outcome{"noai, unavailable_after: 2010-06-24T15:00:00Z", "separator: commas"}},
		{"noindex:yes", outcome{"", "bad-value: takes no value"}, outcome{"", "bad-value: takes no value"}},
		{"max-snippet:many, nofollow", outcome{"index, nofollow", "bad-value: many"},
			outcome{"index, nofollow", "bad-value: many"}},
		// D7: unknown ones.
		{"noindx", outcome{"", `unknown-directive: did you mean "noindex"?`},
			outcome{"noindx", `unknown-directive: did you mean "noindex"?`}},
		{"X-Robots", outcome{"", `unknown-directive: "X-Robots"`},
			outcome{"x-robots", `unknown-directive: "X-Robots"`}},
		{"max-snippet=50", outcome{"", "unknown-directive: max-snippet=50"},
			outcome{"max-snippet=50", "unknown-directive: max-snippet=50"}},
		// A4
		{"nopagereadaloud", outcome{"", "inert-directive: google"},
			outcome{"nopagereadaloud", "inert-directive: google"}},
		{"noindex, foo", outcome{"noindex, follow", "unknown-directive: foo"},
			outcome{"noindex, follow, foo", "unknown-directive: foo"}},
		// D0: no crawlers here.
		{"googlebot: noindex", outcome{"", `prefix: {googlebot: "noindex"}`}, outcome{"", "prefix: counts"}},
		{"GoogleBot:noindex nofollow", outcome{"", `prefix: {googlebot: "noindex nofollow"}`},
			outcome{"", "prefix: counts"}},
		{"robots: noindex", outcome{"", "prefix: map form"}, outcome{"noindex, follow", "prefix: counts"}},
		{"*: noindex", outcome{"", "prefix: map form"}, outcome{"noindex, follow", "prefix: counts"}},
		{"otherthing: noindex, nofollow", outcome{"index, nofollow", "prefix: map form"},
			outcome{"index, nofollow", "prefix: states nothing"}},
		{"max-snipet:50", outcome{"", `unknown-directive: did you mean "max-snippet"?`},
			outcome{"", `unknown-directive: did you mean "max-snippet"?`}},
		{"unavailble_after: 2026-09-21", outcome{"", `unknown-directive: did you mean "unavailable_after"?`},
			outcome{"", `unknown-directive: did you mean "unavailable_after"?`}},
		{": noindex", outcome{"", "prefix: "}, outcome{"", "prefix: "}},
		// D5: a date takes as many items as it needs.
		{"unavailable_after: Friday, 25-Jun-10 15:00:00 UTC", outcome{"unavailable_after: 2010-06-25T15:00:00Z", ""},
			outcome{"unavailable_after: 2010-06-25T15:00:00Z", ""}},
		{"unavailable_after:Friday , 25-Jun-10 15:00:00 UTC, noarchive",
			outcome{"noarchive, unavailable_after: 2010-06-25T15:00:00Z", ""},
			outcome{"noarchive, unavailable_after: 2010-06-25T15:00:00Z", ""}},
		{"Unavailable_After : 25-Aug-2007 15:00:00 EST", outcome{"unavailable_after: 2007-08-25T20:00:00Z", ""},
			outcome{"unavailable_after: 2007-08-25T20:00:00Z", ""}},
		{"unavailable_after: Friday, nofollow", outcome{"index, nofollow", "bad-value: Friday"},
			outcome{"index, nofollow", "bad-value: Friday"}},
		{"unavailable_after: Friday, soon, nofollow", outcome{"index, nofollow", "bad-value: Friday"},
			outcome{"index, nofollow, soon", "bad-value: Friday"}},
		{"unavailable_after: 2010-06-25 noarchive", outcome{"noarchive, unavailable_after: 2010-06-25T00:00:00Z",
			"separator: commas"}, outcome{"noarchive, unavailable_after: 2010-06-25T00:00:00Z", "separator: commas"}},
		{"noarchive unavailable_after: 25 Jun 2010 15:00:00 PST noai",
			outcome{"noarchive, noai, unavailable_after: 2010-06-25T23:00:00Z", "separator: commas"},
			outcome{"noarchive, noai, unavailable_after: 2010-06-25T23:00:00Z", "separator: commas"}},
		{"unavailable_after: 25 Jun 2010 15:00:00 PST; noai", outcome{"noai, unavailable_after: 2010-06-25T23:00:00Z",
			"separator: commas"}, outcome{"noai, unavailable_after: 2010-06-25T23:00:00Z", "separator: commas"}},
		// D4 after a bad date: on disk every known word counts.
		{"unavailable_after: soon noindex", outcome{"", "bad-value: soon"},
			outcome{"noindex, follow", "separator: counted"}},
		{"unavailable_after: 2026-13-45;noindex", outcome{"", "bad-value: 2026-13-45"},
			outcome{"noindex, follow", "separator: counted"}},
		{"unavailable_after: Friday, 25-Jun-10 15:00:00 UTC noindex", outcome{"noindex, follow", "separator: commas"},
			outcome{"noindex, follow", "separator: commas"}},
	} {
		own, problems := Parse(c.text, Own)
		check(t, c.text, Own, own.Directives, problems, c.own)
		found, problems := Parse(c.text, Found)
		check(t, c.text, Found, found.Directives, problems, c.found)
		for _, p := range problems {
			if p.Severity == Error {
				t.Errorf("found %q: what another program wrote is no error of the user's: %v", c.text, p)
			}
		}
		if own.Crawler != "" || found.Crawler != "" {
			t.Errorf("%q names a crawler", c.text)
		}
	}
}

// D0: the grammar of X-Robots-Tag.
func TestParseHeader(t *testing.T) {
	known := KnownCrawlers("FloraBot")
	for _, c := range []struct {
		text, want string // readings, each "crawler: words", by semicolons
		fault      string
	}{
		{"noindex", ": noindex, follow", ""},
		{"googlebot: nofollow, otherbot: noindex, nofollow", "googlebot: index, nofollow; otherbot: noindex, nofollow",
			""},
		// governs until the next name
		{"noarchive, googlebot: noindex, nofollow", ": noarchive; googlebot: noindex, nofollow", ""},
		{"googlebot: noindex, robots: nofollow", "googlebot: noindex, follow; : index, nofollow", ""},
		{"googlebot: noindex, *: nofollow", "googlebot: noindex, follow; : index, nofollow", ""},
		{"googlebot: noindex, bingbot: noai, googlebot: nofollow", "googlebot: noindex, nofollow; bingbot: noai", ""},
		{"GoogleBot : NoIndex", "googlebot: noindex, follow", ""},
		{"googlebot:noindex", "googlebot: noindex, follow", ""},
		{"googlebot:", "", ""},
		{"googlebot: , noindex", "googlebot: noindex, follow", ""},
		{"florabot: noindex", "florabot: noindex, follow", ""},
		{"archive.org_bot: noarchive", "archive.org_bot: noarchive", ""},
		{"max-snippet:50", ": max-snippet:50", ""},
		{"googlebot: max-snippet:50, max-image-preview: standard",
			"googlebot: max-snippet:50, max-image-preview:standard", ""},
		{"googlebot: unavailable_after: Fri, 25 Jun 2010 10:00:00 GMT, bingbot: noindex",
			"googlebot: unavailable_after: 2010-06-25T10:00:00Z; bingbot: noindex, follow", ""},
		{"unavailable_after: 25 Jun 2010 15:00:00 PST", ": unavailable_after: 2010-06-25T23:00:00Z", ""},
		{"unavailable_after: soon, googlebot: noindex", "googlebot: noindex, follow", "bad-value: soon"},
		{"googlebot: noindex;nofollow", "googlebot: noindex, nofollow", "separator: commas"},
		// Names that nobody knows stay, near misses are directives.
		{"somebot: noindex", "somebot: noindex, follow", `unknown-crawler: unknown crawler "somebot"`},
		{"gogglebot: noindex", "gogglebot: noindex, follow", `unknown-crawler: did you mean "googlebot"?`},
		{"max-snipet:50", "", `unknown-directive: did you mean "max-snippet"?`},
		{"noindx: 1", "", `unknown-directive: did you mean "noindex"?`},
		{"noindex: 1", "", "bad-value: takes no value"},
		{"google-extended: noindex", "google-extended: noindex, follow", "inert-crawler: robots.txt"}, // A4
		{"some?bot: noindex", "", "prefix: neither a directive nor a crawler"},
		{": noindex", "", "prefix: neither a directive nor a crawler"},
	} {
		for _, whose := range []Text{Own, Found} {
			readings, problems := ParseHeader(c.text, whose, known)
			var parts []string
			for _, r := range readings {
				parts = append(parts, r.Crawler+": "+r.Directives.String())
			}
			if got := strings.Join(parts, "; "); got != c.want {
				t.Errorf("%q reads %q, want %q", c.text, got, c.want)
			}
			check(t, c.text, whose, Directives{}, problems, outcome{fault: c.fault})
		}
	}
}

// D0: what a name governs ends with its text, never with the next header line.
func TestHouse_PrefixEndsWithItsText(t *testing.T) {
	got, _ := resolveTexts([]string{"googlebot: noindex", "nofollow"})
	if got["robots"] != "index, nofollow" || got["googlebot"] != "noindex, nofollow" {
		t.Errorf("%v", got)
	}
}

// D3, in Google's own words: indexifembedded has an effect only beside noindex.
func TestGoogle_IndexIfEmbedded(t *testing.T) {
	for _, c := range []struct {
		sources []string
		name    string
		want    string
		lonely  int
	}{
		{[]string{"noindex, indexifembedded"}, "", "noindex, follow, indexifembedded", 0},
		{[]string{"indexifembedded, noindex"}, "", "noindex, follow, indexifembedded", 0},
		{[]string{"none, indexifembedded"}, "", "noindex, nofollow, indexifembedded", 0},
		{[]string{"indexifembedded"}, "", "", 1},
		{[]string{"index, indexifembedded"}, "", "index, follow", 1},
		{[]string{"noindex, indexifembedded", "noindex"}, "", "noindex, follow", 0}, // every source that says noindex
		{[]string{"noindex", "indexifembedded"}, "", "noindex, follow", 1},          // another source cannot loosen it
		{[]string{"noindex, indexifembedded", "nofollow"}, "", "noindex, nofollow, indexifembedded", 0},
		{[]string{"noindex, googlebot: indexifembedded"}, "googlebot", "noindex, follow", 1}, // statements of one name
		{[]string{"googlebot: noindex, googlebot: indexifembedded"}, "googlebot", "noindex, follow, indexifembedded",
			0},
		{[]string{"noindex, googlebot: noindex, indexifembedded"}, "googlebot", "noindex, follow", 0},
	} {
		var all []Statement
		lonely := 0
		for _, text := range c.sources {
			readings, problems := ParseHeader(text, Own, Crawlers{})
			if len(problems) > 0 {
				t.Errorf("%q: %v", text, problems)
			}
			source := make([]Statement, 0, len(readings))
			for _, r := range readings {
				source = append(source, r.Statement(Origin{}))
			}
			lonely += len(OneSource(source))
			all = append(all, source...)
		}
		var p Policy
		d := p.Resolve(all)
		got := d.Generic
		if c.name != "" {
			got, _ = d.Agent(c.name)
		}
		if got.String() != c.want || lonely != c.lonely {
			t.Errorf("%q: %q and %d without effect, want %q and %d", c.sources, got, lonely, c.want, c.lonely)
		}
	}
}

// D: directives in any order and number of items say the same; a longer list never says less.
func TestParse_OrderIsNothing(t *testing.T) {
	words := append(slices.Clone(directiveNames), "max-snippet:20", "max-image-preview:none", "max-video-preview:0",
		"unavailable_after: Friday, 25-Jun-10 15:00:00 UTC")
	words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(valuedNames, w) })
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.SampledFrom(words), 0, 6).Draw(t, "list")
		shuffled := rapid.Permutation(list).Draw(t, "shuffled")
		a, problems := Parse(strings.Join(list, ", "), Own)
		b, _ := Parse(strings.Join(shuffled, " , "), Own)
		if a != b || len(problems) > 0 {
			t.Fatalf("%q reads %v (%v), %q reads %v", list, a, problems, shuffled, b)
		}
		var sum Directives
		for _, word := range list {
			one, _ := Parse(word, Own)
			sum = MostRestrictive(sum, one.Directives)
		}
		if sum != a.Directives {
			t.Fatalf("%q reads %+v, its words %+v", list, a.Directives, sum)
		}
	})
}

var valuedNames = []string{"max-image-preview", "max-snippet", "max-video-preview", "unavailable_after"}

func TestLookup(t *testing.T) {
	for _, name := range DirectiveNames() {
		d, value, ok := Lookup(name)
		if !ok || value != slices.Contains(valuedNames, name) {
			t.Errorf("%s: %v %v", name, value, ok)
		}
		if read, problems := Parse(name, Own); !value && (read.Directives != d || len(problems) > 0) {
			t.Errorf("%s is %v, read %v (%v)", name, d, read, problems)
		}
	}
	if !slices.IsSorted(DirectiveNames()) {
		t.Error("the names are not sorted")
	}
	if _, _, ok := Lookup("noidx"); ok {
		t.Error("noidx is a directive")
	}
}

var fuzzTexts = []string{"noindex, nofollow", "max-snippet:50 noai; none",
	"unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, noarchive",
	"googlebot: noindex, *: max-snipet:5", "foo bar:baz, X/Y|z", "unavailable_after: soon noindex", "İNDEX, ſ, K",
	": ; :, ::", "noindex:;nofollow", "\xff\xfe, no\x00index"}

func FuzzParse(f *testing.F) {
	for _, text := range fuzzTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, whose := range []Text{Own, Found} {
			r, problems := Parse(text, whose)
			if r.Crawler != "" {
				t.Fatalf("%q names %q", text, r.Crawler)
			}
			faulty := slices.ContainsFunc(problems, func(p Finding) bool { return p.Severity == Error })
			if whose == Found && faulty {
				t.Fatalf("found %q is an error: %v", text, problems)
			}
			for _, name := range split(r.Directives.flags) {
				if whose == Own && !faulty && !slices.Contains(flagNames, name) {
					t.Fatalf("%q keeps %q without an error", text, name) // D7
				}
			}
			// P6: printed and read again it says the same, whatever stood there.
			printed := r.Directives.Format(Style{KeepRedundant: true})
			back, problems := Parse(printed, Found)
			for _, p := range problems {
				if p.ID != "unknown-directive" && p.ID != "inert-directive" {
					t.Fatalf("%q prints %q: %v", text, printed, p)
				}
			}
			if again := back.Directives.Format(Style{KeepRedundant: true}); again != printed {
				t.Fatalf("%q prints %q, and that %q", text, printed, again)
			}
		}
		// A longer list says no less.
		one, _ := Parse(text, Found)
		more, _ := Parse(text+", nosnippet", Found)
		if !more.Directives.AtLeast(one.Directives) || more.Directives.rank[snippet] != limitNone {
			t.Fatalf("%q reads %v, with nosnippet %v", text, one, more)
		}
	})
}

func FuzzParseHeader(f *testing.F) {
	for _, text := range fuzzTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, whose := range []Text{Own, Found} {
			readings, _ := ParseHeader(text, whose, Crawlers{})
			for i, r := range readings {
				if r.Crawler != "" && (!IsToken(r.Crawler) || strings.ToLower(r.Crawler) != r.Crawler ||
					Everyone(r.Crawler)) {
					t.Fatalf("%q names %q", text, r.Crawler)
				}
				if slices.ContainsFunc(readings[:i], func(o Reading) bool { return o.Crawler == r.Crawler }) {
					t.Fatalf("%q: two readings of %q", text, r.Crawler)
				}
			}
			// What a decision prints is read back as the same decision, crawler by crawler.
			var p Policy
			d := p.Resolve(Statements(readings, Origin{}))
			var again []Statement
			for _, line := range d.Header(Style{KeepRedundant: true}) {
				if strings.ContainsAny(line, "\r\n") {
					t.Fatalf("%q prints a line break: %q", text, line)
				}
				back, problems := ParseHeader(line, Found, Crawlers{})
				for _, p := range problems {
					switch p.ID {
					case "unknown-directive", "unknown-crawler", "inert-directive", "inert-crawler":
					default:
						t.Fatalf("%q prints %q: %v", text, line, p)
					}
				}
				again = append(again, Statements(back, Origin{})...)
			}
			e := p.Resolve(again)
			for _, name := range append([]string{""}, agentNames(d)...) {
				c, _ := p.Crawlers.Lookup(name)
				c.Name = name
				if got, want := obeyed(e.Obeyed(c)), obeyed(d.Obeyed(c)); d.Restricts() && got != want {
					t.Fatalf("%q: %q obeys %+v, printed %q, read again %+v", text, name, want,
						d.Header(Style{KeepRedundant: true}), got)
				}
			}
		}
	})
}

func agentNames(d Decision) (names []string) {
	for _, a := range d.Agents {
		names = append(names, a.Name)
	}
	return names
}

func BenchmarkParse(b *testing.B) {
	for name, text := range map[string]string{
		"short":   "noindex, nofollow",
		"default": "index, follow, max-snippet:-1, max-image-preview:large, max-video-preview:-1",
		"date":    "noarchive, unavailable_after: Friday, 25-Jun-10 15:00:00 UTC",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(text, Found)
			}
		})
	}
}
