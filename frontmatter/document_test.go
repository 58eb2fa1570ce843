package frontmatter_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"metarobots/frontmatter"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// firstFault returns the line and message of the first error in a content file.
func firstFault(content string) (int, string) {
	doc, err := frontmatter.Parse([]byte(content))
	if err != nil {
		var e *frontmatter.Error
		if !errors.As(err, &e) {
			return -1, err.Error()
		}
		return e.Line, err.Error()
	}
	o := options
	o.Locate = func(path ...string) (string, int) { return "", doc.Index.Line(path...) }
	r := frontmatter.Read(doc.Params, o)
	i := slices.IndexFunc(r.Findings, func(f policy.Finding) bool { return f.Severity == policy.Error })
	if i < 0 {
		return 0, ""
	}
	return r.Findings[i].Line, r.Findings[i].Text()
}

// F: an error names the line of the faulty key or item, in each format, at each level (F0e).
func TestHouse_FaultsHaveTheirLines(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/lines.txt") {
		for how, content := range map[string]string{
			"as it is":       c["content"],
			"Windows' lines": strings.ReplaceAll(c["content"], "\n", "\r\n"),
			"with a mark":    "\ufeff" + c["content"],
			"with both":      "\ufeff" + strings.ReplaceAll(c["content"], "\n", "\r\n"),
		} {
			if line, message := firstFault(content); fmt.Sprint(line) != c["line"] || message == "" {
				t.Errorf("%s, %s: line %d, want %s (%s)\n%s", c["name"], how, line, c["line"], message, content)
			}
		}
	}
}

// A line that a message itself names is a line of the file.
func TestHouse_LineWithinAMessage(t *testing.T) {
	_, message := firstFault("---\nrobots: noindex\ntitle: x\nrobots: nofollow\n---\n")
	if want := `mapping key "robots" already defined at line 2`; !strings.Contains(message, want) ||
		strings.Contains(message, "unmarshal") {
		t.Errorf("%q, want %q in it", message, want)
	}
}

// What is front matter, and where it ends.
func TestHouse_FrontMatterIsReadInEveryForm(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/forms.txt") {
		for _, content := range []string{c["content"], "\ufeff" + c["content"], strings.ReplaceAll(c["content"], "\n", "\r\n")} {
			doc, err := frontmatter.Parse([]byte(content))
			if err != nil || doc.Format != c["format"] {
				t.Errorf("%s: format %q (%v), want %q", c["name"], doc.Format, err, c["format"])
				continue
			}
			if got, errors := states(doc.Params, options); got != c["states"] || errors != "" {
				t.Errorf("%s: %q (errors %q), want %q", c["name"], got, errors, c["states"])
			}
		}
	}
}

// What Jekyll and MkDocs close YAML with besides; Hugo does not, nor does any mark but YAML's own
// take it.
// https://github.com/gohugoio/hugo/blob/v0.165.0/parser/pageparser/pagelexer_intro.go
func TestParse_OtherClosingMarks(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/closing.txt") {
		as := c["content"]
		for _, content := range []string{as, "\ufeff" + as, strings.ReplaceAll(as, "\n", "\r\n")} {
			doc, err := frontmatter.Parse([]byte(content), "...")
			if got, errors := states(doc.Params, options); err != nil || doc.Format != "yaml" || got != c["states"] ||
				errors != "" {
				t.Errorf("%s: %q (%v, errors %q), want %q", c["name"], got, err, errors, c["states"])
			}
		}
	}
	for _, content := range []string{"---\nnoindex: true\n...\n", "---\nnoindex: true\n...\n\n* * *\n"} {
		if _, err := frontmatter.Parse([]byte(content)); err == nil ||
			!strings.Contains(err.Error(), "no line with --- closes it") {
			t.Errorf("%q: %v", content, err)
		}
	}
	if _, err := frontmatter.Parse([]byte("---\nnoindex: true\n"), "..."); err == nil ||
		!strings.Contains(err.Error(), "no line with --- or ... closes it") {
		t.Errorf("%v", err)
	}
	if _, err := frontmatter.Parse([]byte("+++\nnoindex = true\n...\n"), "..."); err == nil {
		t.Error("three dots close TOML")
	}
}

func FuzzHouse_FrontMatterIsReadOrAnError(f *testing.F) {
	for _, text := range []string{"---\nnoindex: true\n---\ntext", "+++\n[params]\nrobots = ['noindex']\n+++\n",
		"{\"seo\": {\"robots\": {\"googlebot\": 5}}}\ntext",
		"\ufeff---\r\nrobots: noindx\r\n---\r\n", "---\nx: &x [*x]\n---", "---\n? [a]\n: b\n---\n", ";;;\n[]\n;;;",
		"---\na: |\n  ---\n---\n", "---\nrobots: noindex\nrobots: no\n---\n",
		"+++\nunavailable_after = 07:00:00\n+++"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		lines := bytes.Count(content, []byte("\n")) + 1
		before := bytes.Clone(content)
		doc, err := frontmatter.Parse(content)
		if !bytes.Equal(before, content) {
			t.Fatalf("%q became %q", before, content)
		}
		if err != nil {
			var e *frontmatter.Error
			if !errors.As(err, &e) || e.Line < 0 || e.Line > lines || e.Msg == "" {
				t.Fatalf("%q: %#v", content, err)
			}
			return
		}
		if doc.Format == "" != (doc.Index == nil) {
			t.Fatalf("%q: format %q, index %v", content, doc.Format, doc.Index)
		}
		o := options
		o.Locate = func(path ...string) (string, int) {
			line, nearest := doc.Index.Line(path...), doc.Index.Nearest(path...)
			if line < 0 || line > lines || nearest < 0 || nearest > lines {
				t.Fatalf("%q: %s at line %d or %d", content, fmt.Sprint(path), line, nearest)
			}
			return "", nearest
		}
		frontmatter.Read(doc.Params, o)
	})
}

// F2a: front matter beyond what any page holds is an error with its line, never nothing.
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
		{"yaml, keys", "---\nrobots: noindex\n" + keys("a%d: 1\n", 11_000) + "---\n", "more than 10000 keys", 10002},
		{"yaml, keys below", "---\nrobots: noindex\nb:\n" + keys("  a%d: 1\n", 11_000) + "---\n", "more than 10000 keys",
			10004},
		{"json, keys", "{\"robots\": \"noindex\"" + keys(",\n\"a%d\": 1", 11_000) + "}", "more than 10000 keys", 10001},
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
		"---\nx:\n" + keys("- %d\n", 11_000) + "---\n" + large,
	} {
		if _, err := frontmatter.Parse([]byte(content)); err != nil {
			t.Errorf("%.60s: %v", content, err)
		}
	}
}

// House: what Read does grows with what it reads, not with its square. Counted are the bytes that
// are allocated.
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
			tables.Linear(t, func(n int) func() {
				params := c.make(n)
				return func() {
					frontmatter.Mentions(params, frontmatter.Config{})
					r := frontmatter.Read(params, frontmatter.Config{})
					policy.ApplyIndexIfEmbedded(r.Statements)
				}
			})
		})
	}
}
