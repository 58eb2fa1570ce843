package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"metarobots/internal/tables"
)

func glob(t testing.TB, text string) Glob {
	t.Helper()
	return tables.Value(ParseGlob(text))(t)
}

// C: what a glob selects, by the published file and by its URL (C4a, C4c).
func TestHouse_GlobsSelectFilesAndURLs(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/globs.txt") {
		g := glob(t, c["glob"])
		if g.String() != c["glob"] {
			t.Errorf("%q prints %q", c["glob"], g)
		}
		for _, name := range c.List("selects") {
			if !g.Match(PathOf(name)) {
				t.Errorf("%s does not select %q", c["glob"], name)
			}
		}
		for _, name := range c.List("selects not") {
			if g.Match(PathOf(name)) {
				t.Errorf("%s selects %q", c["glob"], name)
			}
		}
	}
}

func TestHouse_GlobsSayWhatIsMeant(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/badglobs.txt") {
		if g, err := ParseGlob(c["glob"]); err == nil || !strings.Contains(err.Error(), c["message"]) {
			t.Errorf("%q: %v, error %v, want %q in it", c["glob"], g, err, c["message"])
		}
	}
}

func TestHouse_FilesAndTheirURLs(t *testing.T) {
	for name, want := range map[string]Path{
		"index.html":     {"/index.html", "/"},
		"/index.html":    {"/index.html", "/"},
		"x/index.html":   {"/x/index.html", "/x/"},
		"p.html":         {"/p.html", "/p"},
		"x/p.html":       {"/x/p.html", "/x/p"},
		"x/a.pdf":        {"/x/a.pdf", "/x/a.pdf"},
		"xindex.html":    {"/xindex.html", "/xindex"},
		"x/p.htm":        {"/x/p.htm", "/x/p.htm"},
		"a%20b/c d.html": {"/a%20b/c d.html", "/a%20b/c d"},
	} {
		if got := PathOf(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

var innermost = regexp.MustCompile(`\{([^{}]*)\}`)

// expand takes the braces of a glob apart, the innermost first.
func expand(text string) (all []string) {
	at := innermost.FindStringSubmatchIndex(text)
	if at == nil {
		return []string{text}
	}
	for part := range strings.SplitSeq(text[at[2]:at[3]], ",") {
		all = append(all, expand(text[:at[0]]+part+text[at[1]:])...)
	}
	return all
}

// segments matches segment by segment, as C says it.
func segments(glob, path []string) bool {
	switch {
	case len(glob) == 0:
		return len(path) == 0
	case glob[0] == "**" && len(glob) == 1:
		return len(path) > 0 // /x/** is not /x
	case glob[0] == "**":
		for n := range len(path) + 1 {
			if segments(glob[1:], path[n:]) {
				return true
			}
		}
		return false
	case len(path) == 0:
		return false
	}
	pattern := "^(?s:" + strings.ReplaceAll(regexp.QuoteMeta(glob[0]), `\*`, `.*`) + ")$"
	return regexp.MustCompile(pattern).MatchString(path[0]) && segments(glob[1:], path[1:])
}

// reference is what Match promises: braces taken apart, then segment by segment.
func reference(text string, p Path) bool {
	for _, one := range expand(text) {
		for _, path := range []string{p.File, p.URL} {
			if segments(strings.Split(one, "/"), strings.Split(path, "/")) {
				return true
			}
			if !strings.ContainsAny(text, "*{") &&
				slices.Contains([]string{one + "/", one + ".html", one + "/index.html"}, path) {
				return true
			}
		}
	}
	return false
}

// C: Match agrees with the words of the contract on all globs of a small alphabet (C4b).
func TestLaw_GlobsAgreeWithTheirReference(t *testing.T) {
	var tried, selected int
	rapid.Check(t, func(t *rapid.T) {
		segment := rapid.SampledFrom([]string{"a", "b", "*", "**", "a*", "*b", "{a,b}", "{a,}b", "{a,b*}", "{a/b,b}",
			""})
		text := "/" + strings.Join(rapid.SliceOfN(segment, 0, 4).Draw(t, "glob"), "/")
		g, err := ParseGlob(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for range 20 {
			name := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ab", "index.html", "a.html"}), 1,
				4).Draw(t, "path"), "/")
			got, want := g.Match(PathOf(name)), reference(text, PathOf(name))
			if got != want {
				t.Fatalf("%s selects %s: %v, want %v", text, name, got, want)
			}
			if tried++; got {
				selected++
			}
		}
	})
	if selected*50 < tried || selected == tried {
		t.Errorf("%d of %d selected: the sample says little", selected, tried)
	}
}

func FuzzLaw_GlobsAgreeWithTheirReference(f *testing.F) {
	for _, text := range []string{"/**", "/x/**/*.pdf", "/{a,b{c,d}}/*", "/menu", "/a}", "/{", "/\xff*", "/***",
		"/**/**/**", "/{a,b}/{**,c}"} {
		f.Add(text, "x/a.pdf")
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		g, err := ParseGlob(text)
		if err != nil {
			return
		}
		if g.String() != text || !strings.HasPrefix(text, "/") {
			t.Fatalf("%q is read as %q", text, g)
		}
		p := PathOf(name)
		got := g.Match(p)
		if strings.ContainsAny(text, "{},") || len(text) > 60 || strings.Count(text, "*") > 8 || len(name) > 60 ||
			!utf8.ValidString(text) || !utf8.ValidString(name) {
			return // the reference takes too long, or has no opinion
		}
		if want := reference(text, p); got != want {
			t.Fatalf("%q selects %q: %v, want %v", text, name, got, want)
		}
	})
}

// House: a glob that a message suggests is one: whoever takes it is not refused again.
func TestLaw_SuggestedGlobsAreRead(t *testing.T) {
	suggestion := regexp.MustCompile(`did you mean "([^"]+)"`)
	part := rapid.SampledFrom([]string{"a", "b.html", "*", "**", "/", ".pdf", "x y", "{a,b}"})
	suggested := 0
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(part, 1, 6).Draw(t, "parts"), "")
		_, err := ParseGlob(text)
		if err == nil {
			return
		}
		if m := suggestion.FindStringSubmatch(err.Error()); m != nil {
			suggested++
			if _, err := ParseGlob(m[1]); err != nil && strings.HasPrefix(text, "/") {
				t.Fatalf("%s: %v", text, err)
			}
		}
	})
	if suggested == 0 {
		t.Error("nothing was suggested")
	}
}

// H2k: what the last ** of a glob matches.
func TestHouse_WhatTheLastStarsMatch(t *testing.T) {
	for _, c := range [][4]string{
		{"/docs/*/**", "/docs/1.9/a/x.pdf", "a/x.pdf", "true"},
		{"/docs/*/**", "/docs/1.9/", "", "true"},
		{"/docs/**/x.pdf", "/docs/a/b/x.pdf", "a/b/", "true"},
		{"/docs/**/x.pdf", "/docs/x.pdf", "", "true"},
		{"/**/1.9/**", "/a/b/1.9/c/", "c/", "true"},
		{"/{a,b}/**", "/b/x", "x", "true"},
		{"/{a/**,b}", "/a/x/y", "x/y", "true"},
		{"/docs/**", "/doc/x", "", "false"},
		{"/docs/*", "/docs/x", "", "false"},
		{"/docs/", "/docs/", "", "false"},
	} {
		rest, ok := tables.Value(ParseGlob(c[0]))(t).Rest()(c[1])
		if rest != c[2] || fmt.Sprint(ok) != c[3] {
			t.Errorf("%s in %s: %q, %v; want %q, %s", c[0], c[1], rest, ok, c[2], c[3])
		}
	}
}
