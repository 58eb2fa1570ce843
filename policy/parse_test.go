package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/internal/tables"
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
		func(p Finding) bool { return p.ID == id && strings.Contains(p.Text(), message) }) {
		t.Errorf("%s %q reports %v, want %q", name, text, problems, want.fault)
	}
}

// D4, D5a, D5g, D6b, D7b: one text read as our own and as found on disk (D4a, D4b, D4c, D4d, D4e,
// D4f, D4g).
func TestHouse_DirectivesOfOneText(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/parse.txt") {
		own, problems := Parse(c["text"], Own)
		check(t, c["text"], Own, own.Directives, problems, outcome{c["own"], c["own fault"]})
		found, problems := Parse(c["text"], Found)
		check(t, c["text"], Found, found.Directives, problems, outcome{c["found"], c["found fault"]})
		for _, p := range problems {
			if p.Severity == Error {
				t.Errorf("found %q: what another program wrote is no error of the user's: %v", c["text"], p)
			}
		}
		if own.Crawler != "" || found.Crawler != "" {
			t.Errorf("%q names a crawler", c["text"])
		}
	}
}

// A1a, D0a, D0b, D0d: the grammar of X-Robots-Tag.
func TestGoogle_HeaderNamesCrawlers(t *testing.T) {
	known := KnownCrawlers("FloraBot")
	for _, c := range tables.Read(t, "testdata/header.txt") {
		for _, whose := range []Text{Own, Found} {
			readings, problems := ParseHeader(c["text"], whose, known)
			var parts []string
			for _, r := range readings {
				parts = append(parts, r.Crawler+": "+r.Directives.String())
			}
			if got := strings.Join(parts, "; "); got != c["readings"] {
				t.Errorf("%q reads %q, want %q", c["text"], got, c["readings"])
			}
			check(t, c["text"], whose, Directives{}, problems, outcome{fault: c["fault"]})
		}
	}
}

// D3a, D3c, in Google's own words: indexifembedded has an effect only beside noindex.
func TestGoogle_IndexIfEmbedded(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/indexifembedded.txt") {
		var all []Statement
		lonely := 0
		for _, text := range c.List("sources") {
			readings, problems := ParseHeader(text, Own, Crawlers{})
			if len(problems) > 0 {
				t.Errorf("%q: %v", text, problems)
			}
			lonely += len(ApplyIndexIfEmbedded(readings))
			all = append(all, readings...)
		}
		var p Policy
		d := p.Resolve(all)
		got := d.Generic
		if c["crawler"] != "" {
			got, _ = d.Agent(c["crawler"])
		}
		if got.String() != c["obeys"] || fmt.Sprint(lonely) != c["without effect"] {
			t.Errorf("%q: %q and %d without effect, want %q and %s", c["sources"], got, lonely, c["obeys"],
				c["without effect"])
		}
	}
}

// What is said of a text that crawlers read in part names that part.
func TestHouse_AnAuditSaysWhatCounts(t *testing.T) {
	for text, want := range map[string]string{"noindex nofollow": "counts for nothing", "no-index": "counts for nothing",
		"noindex, nofollow noarchive":                               `no more of it counts than "noindex"`,
		"nosnippet, googlebot: noindex; noai, googlebot: noarchive": `than "nosnippet; googlebot: noarchive"`} {
		_, problems := ParseHeader(text, Audited, Crawlers{})
		if len(problems) != 1 || !strings.Contains(problems[0].Text(), want) {
			t.Errorf("%q: %v, want %q", text, problems, want)
		}
	}
}

// D5, D6c: what is found in the place of a date and cannot be read stays, for whom it was stated.
func TestHouse_AnUnreadDateStays(t *testing.T) {
	readings, problems := ParseHeader("noai, unavailable_after: soon, googlebot: unavailable_after: 25.06.2030, 15 Uhr, "+
		"bingbot: noindex", Found, Crawlers{})
	var got []string
	for _, r := range readings {
		got = append(got, r.Crawler+": "+r.Directives.String())
	}
	want := ": noai, unavailable_after: soon; googlebot: unavailable_after: 25.06.2030, 15 Uhr; bingbot: noindex, follow"
	if text := strings.Join(got, "; "); text != want || len(problems) != 1 {
		t.Errorf("%q, with %v, want %q", text, problems, want)
	}
}

// D: directives in any order and number of items say the same; a longer list never says less.
func TestLaw_OrderOfDirectivesIsNothing(t *testing.T) {
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

func TestHouse_EveryDirectiveIsFoundByName(t *testing.T) {
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
	"unavailable_after: June, 25th, 2030 (noon), 5x, no-index", "unavailable_after: \"a\", b2: noai, no index",
	"googlebot: noindex, *: max-snipet:5", "foo bar:baz, X/Y|z", "unavailable_after: soon noindex", "İNDEX, ſ, K",
	": ; :, ::", "noindex:;nofollow", "googleBot:", "\xff\xfe, no\x00index"}

func FuzzLaw_PrintedTextsAreReadAlike(f *testing.F) {
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
				kept := p.ID == "bad-value" && strings.Contains(p.Text(), "it stays as it is")
				if p.ID != "unknown-directive" && p.ID != "inert-directive" && !kept {
					t.Fatalf("%q prints %q: %v", text, printed, p)
				}
			}
			if again := back.Directives.Format(Style{KeepRedundant: true}); again != printed {
				t.Fatalf("%q prints %q, and that %q", text, printed, again)
			}
		}
		// A longer list says no less, and what is at its end reaches somebody: the crawler that is
		// named last.
		one, _ := Parse(text, Found)
		more, _ := Parse(text+", nosnippet", Found)
		all, _ := ParseMeta("robots", text+", nosnippet", Found, Crawlers{})
		if !more.Directives.AtLeast(one.Directives) || !slices.ContainsFunc(all,
			func(s Statement) bool { return s.Directives.rank[snippet] == limitNone }) {
			t.Fatalf("%q reads %v, with nosnippet %v and %v", text, one, more, all)
		}
	})
}

func FuzzLaw_PrintedHeadersAreReadAlike(f *testing.F) {
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
				if slices.ContainsFunc(readings[:i], func(o Statement) bool { return o.Crawler == r.Crawler }) {
					t.Fatalf("%q: two readings of %q", text, r.Crawler)
				}
			}
			// What a decision prints is read back as the same decision, crawler by crawler.
			var p Policy
			d := p.Resolve(At(Origin{}, readings...))
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
						if p.ID == "bad-value" && strings.Contains(p.Text(), "it stays as it is") {
							continue
						}
						t.Fatalf("%q prints %q: %v", text, line, p)
					}
				}
				again = append(again, At(Origin{}, back...)...)
			}
			e := p.Resolve(again)
			for _, a := range append([]Agent{{Crawler: &Crawler{}}}, d.Agents...) {
				if got, want := obeyed(e.Obeyed(a.Crawler)), obeyed(d.Obeyed(a.Crawler)); d.Restricts() && got != want {
					t.Fatalf("%q: %q obeys %+v, printed %q, read again %+v", text, a.Crawler.Name, want,
						d.Header(Style{KeepRedundant: true}), got)
				}
			}
		}
	})
}

// D0c: a crawler's name governs to the end of its line, of whatever parts a host makes that.
func TestHouse_PartsOfALineAreReadAsTheLine(t *testing.T) {
	p := Policy{Crawlers: KnownCrawlers("nobot")}
	for _, parts := range [][]string{
		{"googlebot: nosnippet", "noindex"},
		{"noindex", "googlebot: nosnippet"},
		{"nofollow, googlebot: noindex", "nosnippet, bingbot:", "nocache", "*: noarchive", "noai"},
		{"googlebot:", "noindex"},
		{"max-snippet: 5", "unavailable_after: 25 Jun 2010 15:00:00 GMT", "nobot: none", "noindex"},
		{"noindx: all", "noindex", ""},
	} {
		for _, whose := range []Text{Found, Documented, Audited} {
			line, _ := ParseHeader(strings.Join(parts, ", "), whose, p.Crawlers)
			var all []Statement
			crawler := ""
			for _, part := range parts {
				var read []Statement
				read, crawler, _ = ParseHeaderPart(crawler, part, whose, p.Crawlers)
				all = append(all, read...)
			}
			want, got := p.Resolve(line), p.Resolve(all)
			if got.Generic != want.Generic || !slices.Equal(got.Agents, want.Agents) {
				t.Errorf("%q: %v %v, as one line %v %v", parts, got.Generic, got.Agents, want.Generic, want.Agents)
			}
		}
	}
}
