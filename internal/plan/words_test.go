package plan_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

var update = flag.Bool("update", false, "lower the numbers of testdata/words.txt")

// Words that make a reader stop: a sentence has one subject and one active verb, and its condition
// comes last, with "if".
var stiff = regexp.MustCompile(`(?i)\b(of which|but for|be it|(is|are|was|were|be|been) told|what is said|` +
	`stands?|as far as)\b`)

const countsFile = "testdata/words.txt"

// House: stiff words in comments, messages and documents become fewer. testdata/words.txt has how
// many each folder still has; a number may only fall (go test ./internal/plan -run House_Words
// -update lowers it).
func TestHouse_WordsAreThoseOfPeople(t *testing.T) {
	most := map[string]int{} // by folder
	for line := range strings.Lines(string(tables.Value(os.ReadFile(countsFile))(t))) {
		if folder, n, ok := strings.Cut(strings.TrimSpace(line), " "); ok && folder != "#" {
			most[folder] = tables.Value(strconv.Atoi(n))(t)
		}
	}
	found := stiffWords(t) // places by folder
	total := 0
	for _, folder := range slices.Sorted(maps.Keys(found)) {
		places := found[folder]
		total += len(places)
		t.Logf("%4d  %s", len(places), folder)
		if n := most[folder]; len(places) > n {
			t.Errorf("%s had %d of these words and has %d: %s\n%s", folder, n, len(places), stiff,
				strings.Join(places, "\n"))
		}
	}
	t.Logf("%4d  in all", total)
	if !*update || t.Failed() {
		return
	}
	text := "# How many stiff words each folder has: words_test.go. A number only falls.\n"
	for _, folder := range slices.Sorted(maps.Keys(found)) {
		text += fmt.Sprintf("%s %d\n", folder, len(found[folder]))
	}
	tables.Must(t, os.WriteFile(countsFile, []byte(text), 0o644))
}

// stiffWords finds them in comments of Go, in its texts outside of tests, and in documents, by
// folder.
func stiffWords(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	note := func(file string, line int, text string) {
		for _, word := range stiff.FindAllString(text, -1) {
			folder := path.Dir(file)
			found[folder] = append(found[folder], fmt.Sprintf("\t%s:%d: %s", file, line, word))
		}
	}
	for _, f := range tables.Value(goFiles())(t) {
		if f.name != "internal/plan/words_test.go" { // which has the words themselves
			f.texts(func(line int, text string) { note(f.name, line, text) })
		}
	}
	for _, name := range tables.Value(tree())(t) {
		made := name == "docs/findings.md" || isIn(name, "testdata", "docs/schema", "site-example")
		if made || !slices.Contains([]string{".md", ".toml", ".tmpl"}, path.Ext(name)) {
			continue
		}
		number := 0
		for line := range strings.Lines(string(tables.Value(os.ReadFile(filepath.Join("../..", name)))(t))) {
			number++
			note(name, number, line)
		}
	}
	return found
}

// texts calls do for each line of a comment, and for each text unless the file is a test.
func (f *goFile) texts(do func(line int, text string)) {
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			do(f.lines.Position(c.Pos()).Line, c.Text)
		}
	}
	if strings.HasSuffix(f.name, "_test.go") {
		return
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
			do(f.lines.Position(text.Pos()).Line, text.Value)
		}
		return true
	})
}
