package printable

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// JSON returns v as indented JSON whose lines begin with prefix, but for the first, and which ends with a line's end.
// What it says is exact. Of the characters that Line replaces, those that JSON may hold as they are stand escaped.
func JSON(v any, prefix string) ([]byte, error) { return encode(v, prefix, "  ") }

// Quote returns a text, or what is made of texts alone, as such JSON in one line, without the line's end.
func Quote(v any) string {
	text, err := encode(v, "", "")
	if err != nil {
		panic(fmt.Sprintf("text has no JSON: %v", err))
	}
	return strings.TrimSuffix(string(text), "\n")
}

func encode(v any, prefix, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, indent)
	err := e.Encode(v)
	return escapeJSON(b.Bytes()), err
}

// escapeJSON escapes in JSON what may stand in a text of JSON and is no text. Outside of texts JSON has none of it.
func escapeJSON(src []byte) []byte {
	escaped := func(r rune) bool { return r > '~' && unprintable(r) }
	if !bytes.ContainsFunc(src, escaped) {
		return src
	}
	var out []byte
	for _, r := range string(src) {
		if escaped(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}
