package source

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// House: 100,000 levels are refused with their line, in every way that a format has to nest.
func TestHouse_DepthIsLimited(t *testing.T) {
	const levels = 100_000
	for _, c := range []struct{ name, format, text string }{
		{"json arrays", "json", "{\n\"a\": " + strings.Repeat("[", levels) + strings.Repeat("]", levels) + "}"},
		{"json objects", "json", "{\n\"a\": " + strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}",
			levels) + "}"},
		{"json, not closed", "json", "{\n\"a\": " + strings.Repeat("[", levels)},
		{"toml arrays", "toml", "\na = " + strings.Repeat("[", levels) + strings.Repeat("]", levels)},
		{"toml tables", "toml", "\na = " + strings.Repeat("{a=", levels) + "1" + strings.Repeat("}", levels)},
		{"toml dotted key", "toml", "\na" + strings.Repeat(".a", levels) + " = 1"},
		{"toml header", "toml", "\n[a" + strings.Repeat(".a", levels) + "]\nb = 1"},
		{"yaml flow lists", "yaml", "x: 1\na: " + strings.Repeat("[", levels) + strings.Repeat("]", levels)},
		{"yaml flow maps", "yaml", "x: 1\na: " + strings.Repeat("{a: ", levels) + "1" + strings.Repeat("}", levels)},
		{"yaml block lists", "yaml", "x: 1\na:\n " + strings.Repeat("- ", levels) + "1"},
		{"yaml keys", "yaml", "x: 1\na:\n " + strings.Repeat("? ", levels) + "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Of(c.format, []byte(c.text), 10)
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || !strings.Contains(syntax.Msg, "levels deep") {
				t.Fatalf("%v", err)
			}
			if syntax.Line != 12 && syntax.Line != 13 {
				t.Errorf("on line %d, want 12", syntax.Line)
			}
		})
	}
	for _, c := range []struct{ format, text string }{
		{"json", "{\"a\": " + strings.Repeat("[", MaxDepth-1) + strings.Repeat("]", MaxDepth-1) + "}"},
		{"toml", "a = " + strings.Repeat("[", MaxDepth-1) + strings.Repeat("]", MaxDepth-1)},
		{"yaml", "a: " + strings.Repeat("[", MaxDepth-1) + strings.Repeat("]", MaxDepth-1)},
	} {
		if _, err := Of(c.format, []byte(c.text), 0); err != nil {
			t.Errorf("%s, %d levels: %v", c.format, MaxDepth, err)
		}
	}
}

// House: the work for an index grows with the text, not with its square. Counted are the bytes that are allocated.
func TestHouse_WorkGrowsWithTheText(t *testing.T) {
	for _, c := range []struct{ name, format, begin, each, end string }{
		{"json keys", "json", "{", `"a%": 1,`, `"z": 1}`},
		{"json elements", "json", "[", "1, ", "1]"},
		{"toml keys", "toml", "", "a% = 1\n", ""},
		{"toml tables", "toml", "", "[[a]]\nb = 1\n", ""},
		{"yaml keys", "yaml", "", "a%: 1\n", ""},
		{"yaml elements", "yaml", "a:\n", "- b\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			work := func(n int) uint64 {
				var b strings.Builder
				b.WriteString(c.begin)
				for i := range n {
					b.WriteString(strings.ReplaceAll(c.each, "%", strings.Repeat("b",
						i%7)+string(rune('a'+i%26))+strconv.Itoa(i)))
				}
				b.WriteString(c.end)
				return allocated(func() {
					x, err := Of(c.format, []byte(b.String()), 0)
					if err != nil {
						t.Fatal(err)
					}
					for range x.Paths() {
					}
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

// Front matter that nests without end is known before Hugo's parsers see it; ordinary front matter and content are not.
func TestHouse_DeepFrontMatterIsKnownUnparsed(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	for _, c := range []struct {
		name, text string
		line       int
	}{
		{"yaml", "---\ntitle: a\nx: " + deep + "\n---\n", 3},
		{"yaml, list items", "---\nx:\n  " + strings.Repeat("- ", 100_000) + "\n---\n", 3},
		{"toml", "+++\nx = " + deep + "\n+++\n", 2},
		{"json", "{\"x\":\n" + deep + "\n", 2},
		{"content", "---\ntitle: a\n---\n" + deep, 0},
		{"content behind JSON", "{\"title\": \"a\"}\n" + deep, 0},
		{"no front matter", deep, 0},
		{"many values", "---\nx: [" + strings.Repeat("[a], ", 10_000) + "]\n---\n", 0},
		{"a ruler", "---\ntitle: a\n---\n" + strings.Repeat("-", 5000), 0},
	} {
		if got := DeepLine(strings.NewReader(c.text)); got != c.line {
			t.Errorf("%s: line %d, want %d", c.name, got, c.line)
		}
	}
}
