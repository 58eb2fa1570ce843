package source

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// What is known of a value.
const (
	absent  = "absent"
	literal = "literal"
	unread  = "computed"
)

// known is a value of a program, and what is known of it.
func (t Tokens) known(key string) (value any, known string) {
	values, _ := t.Read()
	value, ok := values[key]
	switch {
	case value == Computed:
		return nil, unread
	case !ok || value == nil:
		return nil, absent
	}
	return value, literal
}

// Literal values are read, whatever stands around them; what is computed is known to be.
func TestHouse_LiteralTextsOfPrograms(t *testing.T) {
	for file, key := range map[string]string{"javascript.txt": "out", "python.txt": "OUT"} {
		for _, c := range tables.Read(t, "testdata/"+file) {
			if got, known := Lex(c["program"]).known(key); got != c["value"] && (got != nil || c["value"] != "") ||
				known != c["known"] {
				t.Errorf("%s: %q %s, want %q %s", c["program"], got, known, c["value"], c["known"])
			}
		}
	}
}

func TestHouse_LiteralListsBooleansAndObjects(t *testing.T) {
	for source, want := range map[string]any{
		`f({ b: ["a", 'b',] })`: "[a b]", "f({ b: [\n  'a',\n  // 'x'\n  'b'\n] })": "[a b]", `f({ b: [] })`: "[]",
		`f({ b: ["a", c] })`: "[a " + Computed + "]", `f({ b: ["a", ...c] })`: "[a " + Computed + "]",
		`f({ b: true })`: true, `f({ b: false, c: 1 })`: false, `f({ b: !x })`: unread, `f({ b: true && x })`: unread,
		`f({})`: absent, "b = True\n": true, `f({ b: { c: 1 } })`: map[string]any{"c": 1.0},
		`f({ b: g(1, [2]) })`: unread, `f({ b: require.resolve("x") })`: unread, `f({ b: ({ c: null }) })`: map[string]any{},
	} {
		if got, known := Lex(source).known("b"); fmt.Sprint(got) != fmt.Sprint(want) && known != want {
			t.Errorf("%s: %v %s, want %v", source, got, known, want)
		}
	}
	values, x := Lex("f({\n r: { 'a.md': 'b.md', c: g({ d: 1 }),\n \"E\": [1, { f: 2 }] }, x: 1 })").Read()
	keys := slices.Sorted(maps.Keys(values["r"].(map[string]any)))
	if got := strings.Join(keys, " "); got != "E a.md c" || x.Line("r", "a.md") != 2 || x.Line("r", "e", "1", "f") != 3 {
		t.Errorf("keys %q, lines %d %d", got, x.Line("r", "a.md"), x.Line("r", "e", "1", "f"))
	}
	p := Lex(`c.set("a"); c . set(b); set('d', e); set(); d.c.set`)
	for function, want := range map[string]string{"set": "[a d]", "c.set": "[a]"} {
		if got := fmt.Sprint(p.Arguments(function)); got != want {
			t.Errorf("calls of %s: %s", function, got)
		}
	}
}

// No text makes the reader fail or run on, and brackets always come out even.
func FuzzHouse_NoProgramFailsToBeRead(f *testing.F) {
	for _, seed := range []string{`export default { out: "a", l: ["a", 'b'], r: { 'x': "y" } }`,
		"OUT = ('a'\n 'b') # c", "`a${`b`}`", "/[/]/", "a: /b", "'\\", "'''", "]:", "...", "const a =", "rb'x'", "}{][)(", "\xff\xfe'\xff'",
		"ü: 'ü'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		p := Lex(source)
		if len(p) > len(source) {
			t.Fatalf("%d tokens of %d bytes", len(p), len(source))
		}
		p.Object()
		_, x := p.Read()
		x.paths(func(key []string, line int) {
			if line < 1 || line > strings.Count(source, "\n")+1 {
				t.Fatalf("%q at line %d", key, line)
			}
		})
	})
}

// House: 100,000 levels are refused with their line, in every way that a format has to nest; those
// of pages are not.
func TestHouse_DepthIsLimited(t *testing.T) {
	for _, c := range []struct{ name, format, begin, open, inside, close string }{
		{"json arrays", "json", "\n", "[", "", "]"},
		{"json objects", "json", "\n", `{"a":`, "1", "}"},
		{"json, not closed", "json", "\n", "[", "", ""},
		{"toml arrays", "toml", "\na = ", "[", "", "]"},
		{"toml tables", "toml", "\na = ", "{a=", "1", "}"},
		{"toml dotted key", "toml", "\na", ".a", " = 1", ""},
		{"toml header", "toml", "\n[a", ".a", "]\n", ""},
		{"yaml flow lists", "yaml", "x: 1\na: ", "[", "", "]"},
		{"yaml flow maps", "yaml", "x: 1\na: ", "{a: ", "1", "}"},
		{"yaml block lists", "yaml", "x: 1\na:\n ", "- ", "1", ""},
		{"yaml keys", "yaml", "x: 1\na:\n ", "? ", "1", ""},
	} {
		nested := func(levels int) (syntax *SyntaxError) {
			_, err := Of(c.format, []byte(c.begin+strings.Repeat(c.open, levels)+c.inside+strings.Repeat(c.close, levels)), 10)
			errors.As(err, &syntax)
			return syntax
		}
		if e := nested(100_000); e == nil || !strings.Contains(e.Msg, "levels deep") || e.Line != 12 && e.Line != 13 {
			t.Errorf("%s: %v, want line 12", c.name, e)
		}
		if e := nested(MaxDepth - 2); e != nil && c.name != "json, not closed" {
			t.Errorf("%s, %d levels: %v", c.name, MaxDepth-1, e)
		}
	}
}

// House: the work for an index grows with the text, not with its square. Counted are the bytes that
// are allocated.
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
			tables.Linear(t, func(n int) func() {
				var b strings.Builder
				b.WriteString(c.begin)
				for i := range n {
					b.WriteString(strings.ReplaceAll(c.each, "%", strings.Repeat("b",
						i%7)+string(rune('a'+i%26))+strconv.Itoa(i)))
				}
				b.WriteString(c.end)
				return func() {
					x := tables.Value(Of(c.format, []byte(b.String()), 0))(t)
					x.paths(func([]string, int) {})
				}
			})
		})
	}
}

// Front matter that nests without end is known before Hugo's YAML parser sees it; ordinary front
// matter and content are not.
func TestHouse_DeepFrontMatterIsKnownUnparsed(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	for text, line := range map[string]int{
		"---\ntitle: a\nx: " + deep + "\n---\n":                   3,
		"---\nx:\n  " + strings.Repeat("- ", 100_000) + "\n---\n": 3,
		"---\ntitle: a\n---\n" + deep:                             0, // content
		deep:                                                      0, // no front matter
		"---\nx: [" + strings.Repeat("[a], ", 10_000) + "]\n---\n": 0,
		"---\ntitle: a\n---\n" + strings.Repeat("-", 5000):         0, // a ruler
	} {
		if got := DeepLine(strings.NewReader(text)); got != line {
			t.Errorf("%.30s: line %d, want %d", text, got, line)
		}
	}
}
