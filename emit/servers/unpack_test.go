package servers

import (
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What is read back of an expression of ours is what Go's own reading of it takes: both extremes of each path's spelling, and
// nothing that is not named (N3).
func TestLaw_ExpressionsOfOursAreReadBack(t *testing.T) {
	var good []string
	for _, name := range names {
		if !badName(name) {
			good = append(good, "/"+name)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		urls := rapid.SliceOfNDistinct(rapid.SampledFrom(good), 1, 6, rapid.ID).Draw(t, "urls")
		c := newCompiler(&targets[3], &User{&model{}}, nil, nil, Options{})
		raw := rapid.Bool().Draw(t, "raw")
		for _, p := range c.pack(urls, func(url string) string {
			if raw {
				return encodedPattern(url) + "|" + regexp.QuoteMeta(url[1:])
			}
			return encodedPattern(url)
		}, vercelSource) {
			r, err := unpack(answer{}, "^/(?:", p, ")$")
			if err != nil || r.matches != nil {
				t.Fatalf("%s: %v, not read back", p, err)
			}
			e := regexp.MustCompile("^/(?:" + p + ")$")
			for _, text := range r.texts {
				if !e.MatchString(text) {
					t.Fatalf("%s: %q is read back and not taken", p, text)
				}
			}
			for _, url := range urls {
				spelled := []string{encoded.of(url), encodedStrictly.of(url)}
				if raw {
					spelled = append(spelled, url)
				}
				for _, text := range spelled {
					if !slices.Contains(r.texts, text) {
						t.Fatalf("%s: %q is not read back of %q", p, text, r.texts)
					}
				}
			}
		}
	})
}

// An expression between our marks that names no single path is run, as the host would run it.
func TestHouse_WidenedExpressionsAreRun(t *testing.T) {
	for _, test := range []struct{ expression, takes, not string }{
		{patternMark + "a.*", "/ab", "/b"},
		{patternMark + "a|b[cd]", "/bd", "/b"},
		{patternMark + "a(?:b)?", "/ab", "/abb"},
		{patternMark + "(?:a|%62)", "/a", "/b"},
		{patternMark + `a\d`, "/a1", "/ad"},
	} {
		r, err := unpack(answer{}, "^/(?:", test.expression, ")$")
		if err != nil || r.matches == nil {
			t.Errorf("%s: %v, read back as %q", test.expression, err, r.texts)
			continue
		}
		if !r.matches(test.takes) || r.matches(test.not) {
			t.Errorf("%s: takes %q or not %q", test.expression, test.takes, test.not)
		}
	}
	if _, err := unpack(answer{}, "^/(?:", patternMark+"(", ")$"); err == nil {
		t.Error("an expression that no host can read is taken")
	}
}
