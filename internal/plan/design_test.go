package plan_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// House: the table of docs/design.md that says where to add what names files and tests that exist.
// A name in brackets behind a file is in that file.
func TestHouse_WhereToAddWhatIsThere(t *testing.T) {
	text := string(tables.Value(os.ReadFile("../../docs/design.md"))(t))
	_, table, ok := strings.Cut(text, "| change | files | test | documents |\n|---|---|---|---|\n")
	if !ok {
		t.Fatal("docs/design.md has no table of changes")
	}
	tests := testFunctions(t)
	var changes []string
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if len(cells) != 4 {
			break
		}
		change := strings.TrimSpace(cells[0])
		changes = append(changes, change)
		for _, cell := range cells[1:] {
			checkPlaces(t, change, cell, tests)
		}
	}
	for _, change := range []string{"a host", "a line of robots.txt", "a report's column", "a generator",
		"a fact kept in snapshots", "a finding", "a directive", "a crawler", "a command", "a flag",
		"a configuration key", "a front matter key"} {
		if !slices.ContainsFunc(changes, func(c string) bool { return strings.HasPrefix(c, change) }) {
			t.Errorf("docs/design.md does not say where to add %s", change)
		}
	}
}

var (
	// A place is a file, a test, or words in brackets behind a file.
	place   = regexp.MustCompile("`([^`]+)`|(\\()|(\\))")
	isPath  = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)+$|^[\w-]+\.(go|toml|md|yml)$`)
	madeUp  = regexp.MustCompile(`\bNAME\b`)
	aTest   = regexp.MustCompile(`^(Test|Fuzz)\w+$`)
	oneWord = regexp.MustCompile(`^[\w ]+$`)
)

// checkPlaces checks the files, tests and words of one cell.
func checkPlaces(t *testing.T, change, cell string, tests map[string]bool) {
	t.Helper()
	file, inBrackets := "", false // the file before, and whether words are of it
	for _, m := range place.FindAllStringSubmatch(cell, -1) {
		name := m[1]
		switch {
		case m[2] != "":
			inBrackets = true
		case m[3] != "":
			inBrackets = false
		case aTest.MatchString(name):
			if !tests[name] {
				t.Errorf("%s: no test is called %s", change, name)
			}
		case isPath.MatchString(name) && madeUp.MatchString(name):
			if _, err := os.Stat(filepath.Join("../..", path.Dir(name))); err != nil {
				t.Errorf("%s: no folder for %s", change, name)
			}
		case isPath.MatchString(name):
			file = name
			if _, err := os.Stat(filepath.Join("../..", name)); err != nil {
				t.Errorf("%s: %s is not there", change, name)
			}
		case inBrackets && file != "" && oneWord.MatchString(name):
			text, err := os.ReadFile(filepath.Join("../..", file))
			if err != nil {
				continue // said above
			}
			if !regexp.MustCompile(`\b` + name + `\b`).Match(text) {
				t.Errorf("%s: %s has no %q", change, file, name)
			}
		}
	}
}
