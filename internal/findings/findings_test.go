package findings

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"metarobots/policy"
)

var update = flag.Bool("update", false, "write docs/findings.md")

// introduction of docs/findings.md.
const introduction = `# Findings

<!-- Made from internal/findings/findings.toml by: go test ./internal/findings -update -->

A run reports what it noticed about a site as findings: one line each on stderr, with the file, the line and an ID.
` + "`--json`" + ` has all of them.

` + "```" + `
warning: public/old/index.html:4: a robots tag stands in the body: some crawlers obey it, so it counts,
	and the head gets it (meta-in-body)
` + "```" + `

| severity | means | exit code |
|---|---|---|
| error | the result differs from the decision, or is very likely a mistake | 1 |
| warning | check it: crawlers may not do what you want | 0 |
| note | good to know | 0 |

The first ten findings of a kind are printed; ` + "`--verbose`" + ` prints all of them,
` + "`--quiet`" + ` only errors. A configuration or front matter that cannot be read
is not a finding: it ends the run before anything is written, with exit code 2.

## Suppressing

A finding that you know and accept can be suppressed by its ID, for the whole site or for some URLs:

` + "```toml" + `
[robots]
suppress = [{ id = "two-files", match = ["/old/**"], reason = "the host takes the folder" }]
` + "```" + `

- ` + "`match`" + ` takes globs like those of a rule,
  matched against the finding's URL. A finding that is reported once for many pages has the URL of the first.
  A finding without a URL, such as one about a header file, is suppressed by an entry without ` + "`match`" + `.
- ` + "`reason`" + ` is for readers of the file. The summary counts what is suppressed.
- An entry that suppresses nothing is itself reported: [suppress](#suppress).
- An error that means that the result differs from the decision cannot be suppressed; such findings say so below.

## All findings

`

// markdown returns docs/findings.md.
func markdown() []byte {
	var b bytes.Buffer
	b.WriteString(introduction)
	for _, g := range Groups() {
		separator := ":"
		fmt.Fprintf(&b, "- [%s](#%s)", g.Name, anchor(g.Name))
		for _, k := range g.Kinds {
			fmt.Fprintf(&b, "%s\n  [%s](#%s)", separator, k.ID, k.ID)
			separator = ","
		}
		b.WriteByte('\n')
	}
	for _, g := range Groups() {
		fmt.Fprintf(&b, "\n## %s\n", g.Name)
		for _, k := range g.Kinds {
			section(&b, k)
		}
	}
	return b.Bytes()
}

func section(b *bytes.Buffer, k Kind) {
	severity := "**" + string(k.Severity) + "**"
	for i, s := range k.Also {
		word := ","
		if i == len(k.Also)-1 {
			word = " or"
		}
		severity += word + " **" + string(s) + "**"
	}
	if k.CannotSuppress {
		severity += "; cannot be suppressed"
		if len(k.Also) > 0 {
			severity += " as " + map[policy.Severity]string{policy.Error: "an error", policy.Warning: "a warning",
				policy.Note: "a note"}[k.Severity]
		}
	}
	why := k.Why
	if k.Source != "" {
		why += " ([source](" + k.Source + "))"
	}
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n%s\n\n%s\n\n**How to fix:** %s\n", k.ID, severity, wrap(k.What), wrap(why),
		strings.TrimPrefix(wrap("**How to fix:** "+k.Fix), "**How to fix:** "))
}

// wrap breaks a paragraph between words, after 120 characters at the latest, and never inside of code.
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
	want := markdown()
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
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
	if !bytes.HasPrefix(want, []byte("# Findings\n")) || len(headings) < len(Kinds())+len(Groups()) {
		t.Errorf("%d headings for %d kinds", len(headings), len(Kinds()))
	}
	for _, k := range Kinds() {
		if !headings[k.ID] {
			t.Errorf("%s has no section", k.ID)
		}
	}
}
