package frontmatter_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"metarobots/frontmatter"
	"metarobots/policy"
)

// House: front matter beyond what any page holds is an error with its line, never nothing.
func TestHouse_FrontMatterHasLimits(t *testing.T) {
	keys := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	large := strings.Repeat("long ", 1<<18)
	for _, c := range []struct {
		name, content, message string
		line                   int
	}{
		{"yaml, size", "---\nrobots: noindex\nx: " + large + "\n---\n", "larger than", 1},
		{"toml, size", "\n+++\nrobots = 'noindex'\nx = '" + large + "'\n+++\n", "larger than", 2},
		{"json, size", "{\"robots\": \"noindex\",\n\"x\": \"" + large + "\"}\n", "larger than", 1},
		{"yaml, keys", "---\nrobots: noindex\n" + keys("a%d: 1\n", 3000) + "---\n", "more than 2000 keys", 2002},
		{"yaml, keys below", "---\nrobots: noindex\nb:\n" + keys("  a%d: 1\n", 3000) + "---\n", "more than 2000 keys",
			2004},
		{"json, keys", "{\"robots\": \"noindex\"" + keys(",\n\"a%d\": 1", 3000) + "}", "more than 2000 keys", 2001},
		{"yaml, depth", "---\nrobots: noindex\nx: " + strings.Repeat("[", 100_000) + "\n---\n", "levels deep", 3},
		{"toml, depth", "+++\nrobots = 'noindex'\nx = " + strings.Repeat("[", 100_000) + "\n+++\n", "levels deep", 3},
		{"json, depth", "{\"robots\": \"noindex\",\n\"x\": " + strings.Repeat("[", 100_000) + "\n", "levels deep", 2},
		{"json, a key twice", "{\n\"robots\": \"noindex\",\n\"robots\": \"index\"}", "twice", 3},
		{"json, a key twice below", "{\n\"seo\": {\"noindex\": true,\n\"noindex\": false}}", "twice", 3},
	} {
		_, err := frontmatter.Parse([]byte(c.content))
		var e *frontmatter.Error
		if !errors.As(err, &e) || !strings.Contains(e.Msg, c.message) || e.Line != c.line || !e.Ours {
			t.Errorf("%s: %v on line %v, want %q on line %d", c.name, err, e, c.message, c.line)
		}
	}
	for _, content := range []string{
		// text
		"{\"robots\": \"noindex\", \"Robots\": \"index\", \"seo\": {\"robots\": \"index\"}}\n{\"robots\": 1}" + large,
		"---\nx:\n" + keys("- %d\n", 3000) + "---\n" + large,
	} {
		if _, err := frontmatter.Parse([]byte(content)); err != nil {
			t.Errorf("%.60s: %v", content, err)
		}
	}
}

// House: what Read does grows with what it reads, not with its square. Counted are the bytes that are allocated.
func TestHouse_WorkGrowsWithTheValue(t *testing.T) {
	repeat := func(n int, of func(int) any) (list []any) {
		for i := range n {
			list = append(list, of(i))
		}
		return list
	}
	for _, c := range []struct {
		name string
		make func(n int) map[string]any
	}{
		{"items", func(n int) map[string]any {
			return map[string]any{"robots": repeat(n, func(int) any { return "noindex" })}
		}},
		{"items that embed", func(n int) map[string]any {
			return map[string]any{"robots": repeat(n,
				func(i int) any { return []any{"noindex", "indexifembedded"}[2*i/n] })}
		}},
		{"unknown items", func(n int) map[string]any {
			return map[string]any{"robots": repeat(n, func(i int) any { return fmt.Sprint("x", i) })}
		}},
		{"items for crawlers", func(n int) map[string]any {
			return map[string]any{"robots": repeat(n, func(i int) any { return map[string]any{"bingbot": "noai"} })}
		}},
		{"words of a text", func(n int) map[string]any { return map[string]any{"robots": strings.Repeat("noai ", n)} }},
		{"unknown words of a text", func(n int) map[string]any {
			return map[string]any{"robots": strings.Repeat("unheard, ", n)}
		}},
		{"keys", func(n int) map[string]any {
			m := map[string]any{}
			for i := range n {
				m[fmt.Sprint("robot", i)] = "noindex"
			}
			return m
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			work := func(n int) uint64 {
				params := c.make(n)
				return allocated(func() {
					frontmatter.Mentions(params, frontmatter.Options{})
					frontmatter.Mistyped(params, frontmatter.Options{})
					r := frontmatter.Read(params, frontmatter.Options{})
					policy.OneSource(r.Statements)
				})
			}
			one, eight := work(1000), work(8000)
			for try := 0; try < 5 && eight > 16*one; try++ {
				one, eight = work(1000), work(8000)
			}
			if eight > 16*one {
				t.Errorf("%d bytes for 1000, %d for 8000", one, eight)
			}
		})
	}
}

// allocated counts the bytes that a call takes from the heap. What the rest of the process takes meanwhile counts too,
// so a figure that is too high is taken again.
func allocated(run func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
