package findings

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"
	"unicode/utf8"

	"metarobots/internal/tables"
)

var update = flag.Bool("update", false, "write docs/findings.md")

// markdown returns docs/findings.md.
func markdown(t *testing.T) []byte {
	t.Helper()
	page := template.New("findings.md.tmpl").Funcs(template.FuncMap{"anchor": anchor, "wrap": wrap})
	var b bytes.Buffer
	tables.Must(t, template.Must(page.ParseFiles("testdata/findings.md.tmpl")).Execute(&b, Groups()))
	return b.Bytes()
}

// wrap breaks a paragraph between words, after 120 characters at the latest, and never inside of
// code.
func wrap(s string) string {
	const width = 120
	var b strings.Builder
	column, code := 0, false
	words := strings.FieldsFunc(s, func(r rune) bool {
		code = code != (r == '`')
		return r == ' ' && !code
	})
	for i, word := range words {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}

// anchor is what GitHub makes of a heading.
func anchor(heading string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(heading), ".", ""), " ", "-")
}

func TestHouse_FindingsAreDocumented(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "findings.md")
	want := markdown(t)
	if *update {
		tables.Must(t, os.WriteFile(file, want, 0o644))
	}
	got := tables.Value(os.ReadFile(file))(t)
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the kinds say; go test ./internal/findings -update writes it", file)
	}
	// Each link inside of the document has its heading.
	headings := map[string]bool{}
	for line := range strings.Lines(string(got)) {
		if strings.HasPrefix(line, "#") {
			headings[anchor(strings.TrimSpace(strings.TrimLeft(line, "#")))] = true
		}
	}
	for _, part := range strings.Split(string(got), "](#")[1:] {
		target, _, _ := strings.Cut(part, ")")
		if !headings[target] {
			t.Errorf("a link leads to #%s, which is no heading", target)
		}
	}
	for _, k := range Kinds() {
		if !headings[k.ID] {
			t.Errorf("%s has no section", k.ID)
		}
	}
}
