package pages

import (
	"strings"
	"testing"
)

// No program makes the reader fail or run on, and a line is one of the text.
func FuzzScript(f *testing.F) {
	for _, seed := range []string{
		"const a = 'x'\nexport default { a, robots: ['noindex', a], ...b, [c]: 1, get d() {}, async *e() {}, f: { g: -1.5 } }",
		"module.exports = async (d) => ({ robots: d })", "export default class A extends B { data() { if (x) return {}; return { a: 1 } } }\nA.data = 1",
		"export { a as default, b } from 'x'\nexport * from 'y'", "const a = { ...b }, b = { ...a }\nexport default { a, ...b }", "let a: X = b\nlet b = a\nexports.data = a",
		"exports.robots = function () { return () => 'x' }", "export default function* data(a: b): c {", "{ a: [[[{ b: (1) }]]] }", "export async function data", "const { a } = ", "async", "-", "export {a as", "a.b.c += 1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		p := readScript([]byte(source))
		for _, read := range []func(*script){(*script).readMatter, (*script).readData, (*script).readTemplate, func(s *script) { s.readGlobal([]string{"seo", "robots"}) }} {
			h, s := readProgram(p, 0, read)
			for key, n := range h.lines {
				if n < 1 || n > strings.Count(source, "\n")+1 {
					t.Fatalf("%q: line %d of %d", key, n, strings.Count(source, "\n")+1)
				}
			}
			s.stray()
		}
		p.called("a")
	})
}
