package pages

import (
	"slices"
	"strings"
	"testing"
)

// Literal values are read, whatever stands around them; what is computed is known to be.
func TestLiteral_Text(t *testing.T) {
	for _, c := range []struct {
		source string
		want   string
		known  state
	}{
		{`export default { out: "a" }`, "a", literal},
		{`export default { 'out': 'a', }`, "a", literal},
		{"module.exports = {\n  out:\n    `a`\n}", "a", literal},
		{`const out = "a"; use(out)`, "a", literal},
		{`f({ deep: { out: "b" }, out: "a" })`, "a", literal},
		{`f({ deep: { out: "b" } })`, "b", literal},
		{`// out: "b"` + "\n" + `/* out: "c" */ f({ out: "a" })`, "a", literal},
		{`f({ s: "out: 'b'", out: "a" })`, "a", literal},
		{`f({ re: /out: "b"/g, out: "a" })`, "a", literal},
		{`f({ n: 1 / 2, out: "a" }) // "`, "a", literal},
		{`f({ out: "a\u00e4\x41\n\'" })`, "aäA\n'", literal},
		{`x.out = "b"`, "", absent},
		{`y ? "out" : "b"`, "", absent},
		{`if (out == "b") {}`, "", absent},
		{`g(out => "b")`, "", absent},
		{`f({ about: "b" })`, "", absent},
		{`f({ out: undefined })`, "", absent},
		{`f({ out: "a" + b })`, "", unread},
		{`f({ out: cond ? "a" : "b" })`, "", unread},
		{`f({ out: "a".repeat(2) })`, "", unread},
		{"f({ out: `a${b}` })", "", unread},
		{`f({ out: dir })`, "", unread},
		{`f({ out: "a`, "", unread},
		{`f({ out: })`, "", unread},
		{`f({ out:`, "", absent},
		{`out`, "", absent},
		{``, "", absent},
		{`]]}}) out: "a"`, "a", literal},
	} {
		if got, known := readScript([]byte(c.source)).text("out"); got != c.want || known != c.known {
			t.Errorf("%s: %q %d, want %q %d", c.source, got, known, c.want, c.known)
		}
	}
}

func TestLiteral_Python(t *testing.T) {
	for _, c := range []struct {
		source string
		want   string
		known  state
	}{
		{"OUT = 'a'", "a", literal},
		{"# OUT = 'b'\nOUT = \"a\" # no", "a", literal},
		{"OUT = '''a\nb'''", "a\nb", literal},
		{`OUT = r'(\d)'`, `(\d)`, literal},
		{"OUT = ('a'\n  'b')\nX = 1", "ab", literal},
		{"OUT = 'a' 'b'\n", "ab", literal},
		{"OUT = None\n", "", absent},
		{"OUT = f'a{b}'", "", unread},
		{"OUT = 'a' + B", "", unread},
		{"OUT = 'a' if B else 'c'", "", unread},
		{"OUT = get('a')", "", unread},
		{"OUT = 'a' % B", "", unread},
		{"D = { 'OUT': 'b' }\nOUT = 'a'", "a", literal},
		{"x = \"\"\"\nOUT = 'b'\n\"\"\"\n", "", absent},
	} {
		if got, known := readPython([]byte(c.source)).text("OUT"); got != c.want || known != c.known {
			t.Errorf("%s: %q %d, want %q %d", c.source, got, known, c.want, c.known)
		}
	}
}

func TestLiteral_ListsAndTruths(t *testing.T) {
	for _, c := range []struct {
		source string
		want   []string
		known  state
	}{
		{`f({ l: ["a", 'b',] })`, []string{"a", "b"}, literal},
		{"f({ l: [\n  'a',\n  // 'x'\n  'b'\n] })", []string{"a", "b"}, literal},
		{`f({ l: [] })`, nil, literal},
		{`f({ l: "a" })`, []string{"a"}, literal},
		{`f({ l: ["a", b] })`, []string{"a"}, unread},
		{`f({ l: ["a", ...b] })`, []string{"a"}, unread},
		{`f({ l: b })`, nil, unread},
		{`f({})`, nil, absent},
	} {
		if got, known := readScript([]byte(c.source)).list("l"); !slices.Equal(got, c.want) || known != c.known {
			t.Errorf("%s: %q %d, want %q %d", c.source, got, known, c.want, c.known)
		}
	}
	for source, want := range map[string]struct {
		on    bool
		known state
	}{
		`f({ b: true })`: {true, literal}, `f({ b: false, c: 1 })`: {false, literal}, `f({ b: !x })`: {false, unread},
		`f({ b: true && x })`: {false, unread}, `f({})`: {false, absent}, "b = True\n": {true, literal},
		`f({ b: { c: 1 } })`: {false, unread},
	} {
		if on, known := readScript([]byte(source)).boolean("b"); on != want.on || known != want.known {
			t.Errorf("%s: %v %d", source, on, known)
		}
	}
	p := readScript([]byte(`f({ r: { 'a.md': 'b.md', c: g({ d: 1 }), "e": [1, { f: 2 }] }, x: 1 })`))
	var keys []string
	for key, at := range p.block("r").entries {
		keys = append(keys, key+" "+p.block("r")[at].text)
	}
	if got := strings.Join(keys, ", "); got != "a.md b.md, c g, e [" {
		t.Errorf("entries %q", got)
	}
	if got := readScript([]byte(`c.set("a"); c . set(b); set('d', e)`)).firsts("set"); !slices.Equal(got,
		[]string{"a", "d"}) {
		t.Errorf("calls %q", got)
	}
}

// No text makes the reader fail or run on, and brackets always come out even.
func FuzzLiteral(f *testing.F) {
	for _, seed := range []string{`export default { out: "a", l: ["a", 'b'], r: { 'x': "y" } }`,
		"OUT = ('a'\n 'b') # c", "`a${`b`}`", "/[/]/", "a: /b", "'\\", "'''", "rb'x'", "}{][)(", "\xff\xfe'\xff'",
		"ü: 'ü'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		for _, python := range []bool{false, true} {
			p := tokens(source, python)
			if len(p) > len(source) {
				t.Fatalf("%d tokens of %d bytes", len(p), len(source))
			}
			for i, token := range p {
				if inner := p.inside(i); len(inner) > len(p)-i-1 {
					t.Fatalf("token %d holds %d of %d", i, len(inner), len(p))
				}
				if token.kind != word && token.kind != text {
					continue
				}
				s, known := p.text(token.text)
				if known != literal && s != "" {
					t.Fatalf("%q: %q is not literal", token.text, s)
				}
				p.list(token.text)
				p.boolean(token.text)
				p.firsts(token.text)
				for _, at := range p.block(token.text).entries {
					if at >= len(p) {
						t.Fatalf("entry at %d of %d", at, len(p))
					}
				}
				if i > 50 {
					break
				}
			}
		}
	})
}
