package printable

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// JSON returns v as indented JSON whose lines begin with prefix, except the first, and which ends
// with a line's end. What it says is exact. Of the characters that Line replaces, those that JSON
// may hold as they are become escapes.
func JSON(v any, prefix string) ([]byte, error) {
	text, err := encode(v, prefix, "  ")
	return []byte(text), err
}

// Quote returns a text, or what is made of texts alone, as such JSON in one line, without the
// line's end.
func Quote(v any) string {
	text, err := encode(v, "", "")
	if err != nil {
		panic(fmt.Sprintf("text has no JSON: %v", err))
	}
	return strings.TrimSuffix(text, "\n")
}

// escapes writes what may be in a text of JSON and is no text. Outside of texts JSON has none of
// it.
var escapes = sync.OnceValue(func() *strings.Replacer {
	var pairs []string
	for r := '\u007f'; r <= '\u2069'; r++ {
		if unprintable(r) {
			pairs = append(pairs, string(r), fmt.Sprintf(`\u%04x`, r))
		}
	}
	return strings.NewReplacer(pairs...)
})

func encode(v any, prefix, indent string) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, indent)
	err := e.Encode(v)
	return escapes().Replace(b.String()), err
}
