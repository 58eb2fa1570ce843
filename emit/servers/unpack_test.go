package servers

import (
	"regexp"
	"slices"
	"testing"

	"metarobots/emit/robotstag"

	"pgregory.net/rapid"
)

// What is read back of an expression of ours is what Go's own reading of it takes: both extremes of each path's
// spelling, and nothing that is not named (N3).
func TestLaw_ExpressionsOfOursAreReadBack(t *testing.T) {
	var good []string
	for _, name := range names {
		if !badName(name) {
			good = append(good, "/"+name)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		urls := rapid.SliceOfNDistinct(rapid.SampledFrom(good), 1, 6, rapid.ID).Draw(t, "urls")
		c := newCompiler(&User{}, nil, nil, robotstag.Options{})
		raw := rapid.Bool().Draw(t, "raw")
		for _, p := range c.pack(urls, "", "|", expressionMost, func(url string) string {
			if raw {
				return encodedPattern(url) + "|" + regexp.QuoteMeta(url[1:])
			}
			return encodedPattern(url)
		}) {
			texts := unpack(p)
			if texts == nil {
				t.Fatalf("%s: not read back", p)
			}
			e := regexp.MustCompile("^/(?:" + p + ")$")
			for _, text := range texts {
				if !e.MatchString(text) {
					t.Fatalf("%s: %q is read back and not taken", p, text)
				}
			}
			for _, url := range urls {
				spelled := []string{encoded(url), encodedStrictly(url)}
				if raw {
					spelled = append(spelled, url)
				}
				for _, text := range spelled {
					if !slices.Contains(texts, text) {
						t.Fatalf("%s: %q is not read back of %q", p, text, texts)
					}
				}
			}
		}
	})
}

// An expression between our marks that names no single path is run, as the host would run it.
func TestHouse_WidenedExpressionsAreRun(t *testing.T) {
	for _, test := range []struct{ expression, takes, not string }{
		{"a.*", "/ab", "/b"},
		{"a|b[cd]", "/bd", "/b"},
		{"a(?:b)?", "/ab", "/abb"},
		{"(?:a|%62)", "/a", "/b"},
		{`a\d`, "/a1", "/ad"},
	} {
		var r rule
		err := vercel.readOurs(&File{}, &r, vercel.head+test.expression+vercel.tail)
		if err != nil || r.means == nil {
			t.Errorf("%s: %v, read back as %q", test.expression, err, r.texts)
			continue
		}
		if e := regexp.MustCompile(r.means(way{})); !e.MatchString(test.takes) || e.MatchString(test.not) {
			t.Errorf("%s: takes %q or not %q", test.expression, test.takes, test.not)
		}
	}
	if err := vercel.readOurs(&File{}, &rule{}, vercel.head+"("+vercel.tail); err == nil {
		t.Error("an expression that no host can read is taken")
	}
}
