package pages

import (
	"strings"
	"testing"
)

// https://github.com/micromatch/picomatch#globbing-features
func TestPicomatch_Patterns(t *testing.T) {
	for _, c := range []struct{ pattern, matches, not string }{
		{"**/*.md", "a.md b/c.md b/c/_d.md", "a.mdx .a.md b/.c/d.md"},
		{"*.md", "a.md", "b/a.md .a.md"},
		{"**/[^_]*.md", "a.md b/c.md _b/c.md", "_a.md b/_c.md"},
		{"**/[!_]*.md", "a.md", "_a.md"},
		{"**/*.{md,mdx}", "a.md a/b.mdx", "a.yaml a.mdxx"},
		{"{blog,notes/*}/*.md", "blog/a.md notes/b/c.md", "a.md other/a.md notes/c.md"},
		{"{**/*.md,x.txt}", "a/b.md x.txt", "b/x.txt"},
		{"posts/**", "posts/a posts/a/b.md", "post/a posts/.a"},
		{"posts/**/index.md", "posts/index.md posts/a/b/index.md", "posts/aindex.md"},
		{"a?.[mt]d", "ab.md ac.td", "a/.md a.md ab.xd"},
		{"2026-*.md", "2026-.md 2026-a.b.md", "a/2026-x.md"},
		{"**.md", "a.md", "a/b.md"},
		{"a+b.md", "a+b.md", "aab.md"},
	} {
		p, ok := wildcard(c.pattern)
		if !ok {
			t.Errorf("%s is not understood", c.pattern)
			continue
		}
		for _, name := range strings.Fields(c.matches) {
			if !p.MatchString(name) {
				t.Errorf("%s does not match %s: %s", c.pattern, name, p)
			}
		}
		for _, name := range strings.Fields(c.not) {
			if p.MatchString(name) {
				t.Errorf("%s matches %s: %s", c.pattern, name, p)
			}
		}
	}
	for _, pattern := range []string{"", "**/!(_*).md", "@(a|b).md", "*(a).md", "{a,b", "[a", "[", "[[:alpha:]]", "{1..3}.md", ".a/*", "a/.b", `a\*`, "[z-a]", "{blog,notes/**}/*.md"} {
		if p, ok := wildcard(pattern); ok {
			t.Errorf("%q is taken for %s", pattern, p)
		}
	}
}

// The folder in which all is that a pattern matches.
func TestWildcard_Steady(t *testing.T) {
	for pattern, want := range map[string]string{"**/*.md": "", "a/b/*.md": "a/b", "a/b.md": "a", "a/{b,c}/d.md": "a", "*.md": "", "a/[b]/c": "a"} {
		if got := steady(pattern); got != want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}
