package policy

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// House: what a text costs grows with its length, not with its square. Counted are the steps of the
// parser, and the bytes that are allocated until there is a decision. With PROOFS=all the texts are
// twice as long.
func TestHouse_WorkGrowsWithTheText(t *testing.T) {
	n := 100
	if os.Getenv("PROOFS") == "all" {
		n = 200
	}
	for _, c := range []struct{ name, each string }{
		{"words", "noindex,"}, {"words without commas", "noindex "}, {"unknown words", "u%,"},
		{"unknown words without commas", "u% "},
		{"words of one comma item", "a;b "}, {"dates", "unavailable_after: 2099-01-02,"},
		{"dates without commas", "unavailable_after:2099-01-02 "},
		{"bad dates", "unavailable_after: soon,"}, {"bad dates without commas", "unavailable_after:soon "},
		{"parts of a date", "Friday, "},
		{"parts of a date without commas", "25 "}, {"prefixes", "bingbot:"}, {"unknown prefixes", "z%:"},
		{"crawlers", "z%: noai,"}, {"colons", ":"},
		{"crawlers taken by others", "googlebot-news: noai, googlebot: noml,"}, {"quotation marks", "“noai” "},
		{"commas", ","}, {"blanks", " "},
	} {
		for _, header := range []bool{false, true} {
			for _, whose := range []Text{Own, Found} {
				for _, first := range []string{"", "unavailable_after: Friday, ", "unavailable_after: 25 "} {
					work := func(n int) (steps int, bytes uint64) {
						var b strings.Builder
						b.WriteString(first)
						for i := range n {
							b.WriteString(strings.ReplaceAll(c.each, "%", fmt.Sprint(1000+i)))
						}
						text := b.String()
						bytes = allocated(func() {
							p := parser{whose: whose, header: header}
							if p.read(text); p.searches > maxSearches {
								t.Errorf("%s: %d searches for a near name", c.name, p.searches)
							}
							d := (&Policy{}).Resolve(At(Origin{}, p.statements()...))
							d.Causes("", Style{})
							steps = p.steps
						})
						return steps, bytes
					}
					steps, bytes := work(n)
					steps8, bytes8 := work(8 * n)
					for try := 0; try < 5 && bytes8 > 16*bytes+10_000; try++ {
						_, bytes = work(n)
						_, bytes8 = work(8 * n)
					}
					if steps8 > 9*steps+100 || bytes8 > 16*bytes+10_000 {
						t.Errorf("%s after %q, header %v, text %v: %d steps and %d bytes for %d, %d and %d for %d",
							c.name, first, header, whose, steps, bytes, n, steps8, bytes8, 8*n)
					}
				}
			}
		}
	}
}

// allocated counts the bytes that a call takes from the heap. What the rest of the process takes
// meanwhile counts too, so a figure that is too high is taken again.
func allocated(run func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// What a text of 64 KB costs until it is explained and printed is far below a second, whatever its
// words are.
func TestHouse_TheLongestTextsAreExplainedAtOnce(t *testing.T) {
	for _, between := range []string{", ", " "} {
		for _, before := range []string{"", "noindex "} {
			var b strings.Builder
			for i := range 20_000 {
				fmt.Fprint(&b, "u", i, between)
			}
			start := time.Now()
			readings, _ := ParseHeader(before+b.String(), Found, Crawlers{})
			d := (&Policy{}).Resolve(At(Origin{}, readings...))
			d.Causes("", Style{})
			d.Deciding(Style{})
			for _, w := range d.Generic.Words(Style{}) {
				d.Generic.Covers(d.Generic.On(w.Axis))
			}
			if took := time.Since(start); took > time.Second {
				t.Errorf("after %q, with %q between the words: %v", before, between, took)
			}
			if before != "" && !d.NoIndex() {
				t.Errorf("with %q between the words, the noindex before them is lost", between)
			}
		}
	}
}

// D8a, D8b: a text beyond 64 KB is an error where it is ours, and cut with a finding where it is
// found.
func TestHouse_TextsHaveALimit(t *testing.T) {
	long := "noai, " + strings.Repeat(" ", 64<<10) + ", noindex"
	r, problems := Parse(long, Own)
	if !r.Directives.IsZero() || len(problems) != 1 || problems[0].Severity != Error {
		t.Errorf("our own: %v, %v", r, problems)
	}
	r, problems = Parse(long, Found)
	if r.Directives.String() != "noai" || len(problems) != 1 || problems[0].Severity != Warning {
		t.Errorf("found: %v, %v", r, problems)
	}
	readings, problems := ParseHeader("noindex, bingbot: "+strings.Repeat("noml, ", 20_000), Found, Crawlers{})
	if len(readings) != 2 || !readings[0].Directives.NoIndex() || readings[1].Directives.String() != "noml" ||
		len(problems) != 1 {
		t.Errorf("header: %v, %v", readings, problems)
	}
	if _, problems := Parse("noai, "+strings.Repeat(" ", 60<<10)+", noindex", Own); len(problems) > 0 {
		t.Errorf("%v", problems)
	}
}
