package frontmatter

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"metarobots/internal/source"
)

// F3a: the examples beside the rules for keys that restrict are as they say.
func TestHouse_ExamplesOfKeysThatRestrict(t *testing.T) {
	text, err := os.ReadFile("restrictingkey.go")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "//\trestricts ")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := regexp.MustCompile(`(?m)^//\t(\S.*?) {2,}\d +(\S.*?) {2,}`).FindAllStringSubmatch(table, -1)
	for _, row := range rows {
		for i, example := range row[1:] {
			var params map[string]any
			if _, err := source.Read("yaml", []byte(example), 0, &params); err != nil {
				t.Fatalf("%s: %v", example, err)
			}
			if got := restrictsAny(params, nil); got != (i == 0) {
				t.Errorf("%s: restricts %t", example, got)
			}
		}
	}
	if len(rows) < 12 {
		t.Errorf("%d rows of the table are read", len(rows))
	}
}

// restrictsAny reports whether one of the keys of a table, or of a table in it, restricts.
func restrictsAny(table map[string]any, parents []string) bool {
	for key, value := range table {
		if inner, ok := value.(map[string]any); ok {
			return restrictsAny(inner, append(parents, key))
		}
		isTrue, isTruth := Truth(value)
		_, isNumber := number(value)
		if isTruth && keyRestricts(key, isTrue, isNumber, parents) {
			return true
		}
	}
	return false
}
