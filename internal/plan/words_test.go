package plan_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
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

// Words that make a reader stop: a sentence has one subject and one active verb, and its condition comes
// last, with "if".
var stiff = regexp.MustCompile(`(?i)\b(of which|but for|be it|(is|are|was|were|be|been) told|what is said|` +
	`stands?|as far as)\b`)

const countsFile = "testdata/words.txt"

// House: stiff words in comments, messages and documents become fewer. testdata/words.txt has how many each
// folder still has; a number may only fall (go test ./internal/plan -run House_Words -update lowers it).
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

// stiffWords finds them in comments of Go, in its texts outside of tests, and in documents, by folder.
func stiffWords(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	note := func(file string, line int, text string) {
		for _, word := range stiff.FindAllString(text, -1) {
			folder := path.Dir(file)
			found[folder] = append(found[folder], fmt.Sprintf("\t%s:%d: %s", file, line, word))
		}
	}
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		file := strings.TrimPrefix(filepath.ToSlash(name), "../../")
		if d.IsDir() {
			skipped := []string{"testdata", "node_modules", ".git", "docs/schema", "site-example"}
			if slices.Contains(skipped, d.Name()) || slices.Contains(skipped, file) {
				return fs.SkipDir
			}
			return nil
		}
		if file == "docs/findings.md" || file == "internal/plan/words_test.go" {
			return nil // made of findings.toml; and the words themselves
		}
		switch path.Ext(file) {
		case ".go":
			return goTexts(name, func(line int, text string) { note(file, line, text) })
		case ".md", ".toml", ".tmpl":
			data, err := os.ReadFile(name)
			for i, line := range strings.Split(string(data), "\n") {
				note(file, i+1, line)
			}
			return err
		}
		return nil
	})
	tables.Must(t, err)
	return found
}

// goTexts calls do for each line of a comment, and for each text unless the file is a test.
func goTexts(name string, do func(line int, text string)) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			do(files.Position(c.Pos()).Line, c.Text)
		}
	}
	if strings.HasSuffix(name, "_test.go") {
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
			do(files.Position(text.Pos()).Line, text.Value)
		}
		return true
	})
	return nil
}
