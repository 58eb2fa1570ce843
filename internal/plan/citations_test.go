package plan_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"metarobots/internal/tables"
)

// House: docs/semantics.md has one promise a part, and a test cites each part.
func TestHouse_EachPromiseIsCited(t *testing.T) {
	rules, parts := promises(t)
	cited := map[string]string{} // a place by rule or part
	citations(t, func(place string, isTest bool, name string) {
		if !rules[name] {
			t.Errorf("%s cites %s, which docs/semantics.md does not have", place, name)
		}
		if isTest && cited[name] == "" {
			cited[name] = place
		}
	})

	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if cited[name] == "" {
			t.Errorf("no test cites %s of docs/semantics.md", name)
		}
	}
	t.Logf("docs/semantics.md has %d parts", len(parts))
}

// House: a line of docs/semantics.md can be reviewed, and the letters of a rule leave none out.
func TestHouse_RulesCanBeReviewed(t *testing.T) {
	const longest = 300
	text := tables.Value(os.ReadFile("../../docs/semantics.md"))(t)
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		if n := utf8.RuneCountInString(line); n > longest+1 {
			t.Errorf("docs/semantics.md:%d has %d characters: write a sentence a line", number, n)
		}
	}
	_, parts := promises(t)
	for part := range parts {
		rule := strings.TrimRight(part, lowerCase)
		letters := strings.TrimPrefix(part, rule)
		if len(letters) > 1 {
			t.Errorf("%s: a rule has at most 26 parts", part)
		} else if letters > "a" && !parts[rule+string(letters[0]-1)] {
			t.Errorf("docs/semantics.md has %s, and no part before it", part)
		}
	}
}

const lowerCase = "abcdefghijklmnopqrstuvwxyz"

// promises reads docs/semantics.md: the names of all rules and parts, and what a test must cite,
// which is each part, and each rule without parts.
func promises(t *testing.T) (rules, parts map[string]bool) {
	t.Helper()
	text := tables.Value(os.ReadFile("../../docs/semantics.md"))(t)
	rules, parts = map[string]bool{}, map[string]bool{}
	defined := regexp.MustCompile(`(?m)^ *- \*\*([A-Z]\d+[a-z]*)\*\* `)
	for _, m := range defined.FindAllStringSubmatch(string(text), -1) {
		if rules[m[1]] {
			t.Errorf("docs/semantics.md has %s twice", m[1])
		}
		rules[m[1]], parts[m[1]] = true, true
	}
	for name := range rules {
		if rule := strings.TrimRight(name, lowerCase); rule != name {
			delete(parts, rule)
		}
	}
	return rules, parts
}

// A citation is a rule or part in a comment: no part of a path, of an escape such as %C3, or of a
// word.
var citation = regexp.MustCompile("(?:^|[^%\\w/.=\\-'\"`])([DPALUEFMSICXNH]\\d{1,2}[a-z]{0,2})\\b")

// citations calls do for each citation in comments of Go files, in comments of the data of tests,
// and in the member "rule" of cases in JSON.
func citations(t *testing.T, do func(place string, isTest bool, name string)) {
	t.Helper()
	for _, name := range tables.Value(tree())(t) {
		isData, ext := isIn(name, "testdata"), path.Ext(name)
		if ext != ".go" && !(isData && slices.Contains([]string{".txtar", ".txt", ".json"}, ext)) {
			continue
		}
		text := tables.Value(os.ReadFile(filepath.Join("../..", name)))(t)
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			for _, m := range citation.FindAllStringSubmatch(remark(ext, line), -1) {
				do(fmt.Sprintf("%s:%d", name, number), isData || strings.HasSuffix(name, "_test.go"), m[1])
			}
		}
	}
}

var ruleMember = regexp.MustCompile(`"rule": "([^"]*)"`)

// remark is the part of a line in which rules are cited, by the kind of its file.
func remark(ext, line string) string {
	switch ext {
	case ".go":
		_, comment, _ := strings.Cut(line, "//")
		return comment
	case ".json":
		if m := ruleMember.FindStringSubmatch(line); m != nil {
			return m[1]
		}
		return ""
	}
	if comment, ok := strings.CutPrefix(line, "#"); ok {
		return comment
	}
	return ""
}
