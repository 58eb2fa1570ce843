package headers

import (
	"fmt"
	"strings"
	"testing"

	"metarobots/emit/robotstag"
)

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

// The rows were run on netlify-cli 27.10.2 with @netlify/headers-parser 10.1.1
// (https://github.com/netlify/build packages/headers-parser).
func TestNetlify_Serves(t *testing.T) {
	long := strings.Repeat("p", 7000)
	runArchive(t, Netlify, []serves{
		serve("6 long lines", rules("/a", long), "/a", long),
		serve("6 long paths", rules("/pre", "pre", "/"+long, "v"), "/pre", "pre", "/"+long, "v"),
		serve("6 tabs and no indent", "/a\nX-Robots-Tag\t:\tv\n", "/a", "v"),
		serve("6 CRLF and byte order mark", "\ufeff/a\r\n\r\n  X-Robots-Tag: v\r\n", "/a", "v"),
		serve("6 CR only", "/a\r  X-Robots-Tag: v\r", "/a", ""),
	})
}

func TestNetlify_HasNoLimit(t *testing.T) {
	f := Netlify.Parse([]byte(numbered(20000, "/r%d\n  X-Robots-Tag: v\n")), robotstag.Name)
	if f.Count != 20000 || len(f.Findings) > 0 {
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
