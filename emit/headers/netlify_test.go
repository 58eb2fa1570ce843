package headers

import (
	"fmt"
	"strings"
	"testing"

	"metarobots/emit/robotstag"
)

// The rows were run on netlify-cli 27.10.2 with @netlify/headers-parser 10.1.1
// (https://github.com/netlify/build packages/headers-parser).
func TestNetlify_LastRuleWins(t *testing.T) {
	runServes(t, Netlify, []serves{
		serve("1 general then specific", rules("/*", "noindex", "/a", "nofollow"), "/a", "nofollow", "/b", "noindex"),
		serve("1 specific then general", rules("/a", "nofollow", "/*", "noindex"), "/a", "noindex"),
		serve("1 name twice in a block", "/a\n  X-Robots-Tag: noindex\n  X-Robots-Tag: nofollow\n",
			"/a", "noindex, nofollow"),
		serve("1 names of different case: the last", "/a\n  X-Robots-Tag: noindex\n  x-robots-tag: nofollow\n",
			"/a", "nofollow"),
		serve("1 names of different case in two rules: the one that came in last",
			"/*\n  X-Robots-Tag: a\n  x-robots-tag: b\n"+rules("/a", "c"), "/a", "b"),
		serve("1 same value twice stays twice", "/a\n  X-Robots-Tag: noindex\n  X-Robots-Tag: noindex\n",
			"/a", "noindex, noindex"),
		serve("1 same path twice, last per name", "/a\n  X-Robots-Tag: one\n/a\n  X-Other: z\n", "/a", "one"),
		serve("1 identical blocks: the last one's place", rules("/a", "one", "/*", "all", "/a", "one"), "/a", "one"),
		serve("5 detach is ignored", rules("/*", "noindex")+"/a\n  ! X-Robots-Tag\n", "/a", "noindex"),
		serve("5 portable override", rules("/*", "noindex")+"/a\n  ! X-Robots-Tag\n  X-Robots-Tag: v\n", "/a", "v"),
	})
}

func TestNetlify_Patterns(t *testing.T) { runPatterns(t, Netlify) }

func TestNetlify_FullURLsFallToTheBlockAbove(t *testing.T) {
	f := Netlify.Parse([]byte("/a\n  X-Other: x\nhttps://h.example/b\n  X-Robots-Tag: noindex\n"), robotstag.Name)
	if got := robotstag.Join(Netlify.Values(f, "h.example", "/a")); got != "noindex" {
		t.Errorf("/a: %q, want the full URL's header", got)
	}
	if got := robotstag.Join(Netlify.Values(f, "h.example", "/b")); got != "" {
		t.Errorf("/b: %q, want none", got)
	}
	if len(f.Findings) != 1 || f.Findings[0].Line != 3 {
		t.Errorf("findings %v, want one for line 3", f.Findings)
	}
}

func TestNetlify_Lines(t *testing.T) {
	long := strings.Repeat("p", 7000)
	runServes(t, Netlify, []serves{
		serve("6 commas", rules("/a", "a,b ,  c"), "/a", "a, b, c"),
		serve("6 placeholders stay in values", rules("/i/:n", "googlebot:noindex"), "/i/5", "googlebot:noindex"),
		serve("6 long lines", rules("/a", long), "/a", long),
		serve("6 long paths", rules("/pre", "pre", "/"+long, "v"), "/pre", "pre", "/"+long, "v"),
		serve("6 tabs and no indent", "/a\nX-Robots-Tag\t:\tv\n", "/a", "v"),
		serve("6 comment after a path is part of it", rules("/h # c", "v"), "/h", ""),
		serve("6 CRLF and byte order mark", "\ufeff/a\r\n\r\n  X-Robots-Tag: v\r\n", "/a", "v"),
		serve("6 CR only", "/a\r  X-Robots-Tag: v\r", "/a", ""),
		serve("6 header before any path", "X-Robots-Tag: v\n/a\n  X-Other: x\n", "/a", ""),
		serve("6 path without a slash: its headers fall to the block above",
			"/a\n  X-Other: x\nblog/x\n  X-Robots-Tag: v\n", "/a", "v"),
		serve("6 empty value", "/a\n  X-Robots-Tag:\n  X-Robots-Tag: v\n", "/a", "v"),
	})
}

func TestNetlify_HasNoLimit(t *testing.T) {
	var b strings.Builder
	for i := range 20000 {
		b.WriteString(rules(fmt.Sprintf("/r%d", i), "v"))
	}
	if f := Netlify.Parse([]byte(b.String()), robotstag.Name); f.Count != 20000 || len(f.Findings) > 0 {
		t.Errorf("kept %d, findings %v", f.Count, f.Findings)
	}
}

func TestNetlify_FindingsNameTheirLines(t *testing.T) {
	file := "X-Early: x\n/a\n  nocolon\n  X-Bad:\n  : v\n  ! X-Robots-Tag\n  X: y\n/empty\n" +
		"/(c*\n  X: y\n"
	var got []string
	for _, p := range Netlify.Parse([]byte(file), robotstag.Name).Findings {
		got = append(got, fmt.Sprint(p.Line))
	}
	if want := "1 3 4 5 6 8 9"; strings.Join(got, " ") != want {
		t.Errorf("findings at lines %v, want %s", got, want)
	}
}
