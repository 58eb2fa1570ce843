package servers

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Whichever way an expression is asked, along the sorted texts or one text after
// the other, it gives the same.
func TestLaw_ExpressionsAlongTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"a", "b", "ab", "(?:a|b)", "(a|bc|)", "[ab]", "[^a]", "a?", "(?:ab)?", "b*", ".", "(?:x){0}", "%[Cc]3", "(?i:a)", "(?i:aB)", "[Aa]", "(?:b|%62)", "a{2}", "$", "^", `\.`})
		source := strings.Join(rapid.SliceOfN(piece, 1, 6).Draw(t, "pieces"), "")
		if rapid.Bool().Draw(t, "two") {
			source += "|" + strings.Join(rapid.SliceOfN(piece, 1, 4).Draw(t, "others"), "")
		}
		texts := rapid.SliceOf(rapid.StringMatching(`[abAB.cé]{0,5}(%[Cc]3|%62)?`)).Draw(t, "texts")
		slices.Sort(texts)
		for whole, anchored := range map[bool]string{true: "^(?:" + source + ")$", false: source} {
			e, err := newExpression(source, whole)
			if err != nil {
				t.Fatal(err)
			}
			want := scan(texts, regexp.MustCompile(anchored).MatchString)
			if got := e.among(texts); !slices.Equal(got, want) {
				t.Fatalf("%s, whole %v, of %q: %v, want %v", source, whole, texts, got, want)
			}
		}
	})
}

// A rule with many paths is walked, not run.
func TestExpressionsOfOursAreWalked(t *testing.T) {
	for target, key := range map[string]string{"vercel": "source", "firebase": "regex"} {
		files := []string{"größe 日本 (1).pdf", "a/index.html"}
		res, err := Compile(target, []byte(map[string]string{"firebase": `{"hosting": {}}`}[target]), []Want{{Path: files[0], Values: []string{"noindex"}}, {Path: files[1], Values: []string{"noindex"}}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := readModel(target, res.File)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range m.readings {
			l := r.(*list)
			p := &paths{decoded: []string{"/" + files[0], "/" + files[1]}}
			for _, rule := range l.rules {
				w := walk{texts: p.in(l.spelling).texts}
				e := rule.matcher.(*expression)
				if e.tree == nil || !w.step(e.tree, span{hi: 2}, w.keep) || len(w.found) != 2 {
					t.Errorf("%s: the %s %s cannot be walked", target, key, rule.pattern)
				}
			}
		}
	}
}

// An expression that never comes to an end does not hold a build up.
func TestExpressionsEnd(t *testing.T) {
	e, err := newExpression(`(?=a)(?:(?:a|a)*)*b`, true)
	if err != nil {
		t.Fatal(err)
	}
	e.among([]string{strings.Repeat("a", 60)})
}
