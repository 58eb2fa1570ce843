package accesslog

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

// Nothing that is in a log stops the reader or makes it invent: every line is an entry or counted,
// and what an entry has stood in the line unless something was escaped or is no UTF-8.
func FuzzHouse_NothingIsInvented(f *testing.F) {
	for _, line := range []string{
		`example.org:443 192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET /a\"\x41 HTTP/1.1" 200 1 "-" "x" "203.0.113.9"`,
		`2001:db8::1 - a [b] c [2000-10-10T20:55:36Z] "-" 408 - "-" "-"`,
		`{"ts":1.5,"request":{"client_ip":"::1","uri":"/","method":"GET","headers":{"User-Agent":["a\ud83c\udf3f"]}},"status":200}`,
		`{"time":1,"request":"GET / HTTP/1.1","status":"200"}`,
		"\x1f\x8b\x08", "[[[[[[[[[[", `{"a":[{"b":[1,2,{"c":null}]}]}`,
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		entries := 0
		s, err := Read(strings.NewReader(text), func(e *Entry) error {
			entries++
			compressed := strings.HasPrefix(text, "\x1f\x8b")
			if !strings.Contains(text, `\`) && utf8.ValidString(text) && !compressed {
				for _, b := range []string{e.Host, e.Method, e.Target, e.UserAgent} {
					if !strings.Contains(text, b) {
						t.Errorf("%q is not in %q", b, text)
					}
				}
			}
			return nil
		})
		if err == nil && s.Lines != entries+s.Unreadable {
			t.Errorf("%d entries, %+v", entries, s)
		}
	})
}

// Escaping what a server escapes, and reading it, changes nothing.
func FuzzLaw_EscapesAreReadBack(f *testing.F) {
	f.Add("a\"b\\c\n\x00é")
	f.Fuzz(func(t *testing.T, text string) {
		const digits = "0123456789ABCDEF"
		var nginx, apache bytes.Buffer // each by its documentation
		for i := range len(text) {
			switch c := text[i]; {
			case c == '"' || c == '\\':
				apache.WriteByte('\\')
				apache.WriteByte(c)
			case c == '\n':
				apache.WriteString(`\n`)
			case c < ' ' || c > 126:
				apache.WriteString(`\x` + string(digits[c>>4]|0x20) + string(digits[c&15]|0x20))
			default:
				apache.WriteByte(c)
			}
			if c := text[i]; c < ' ' || c > 126 || c == '"' || c == '\\' {
				nginx.WriteString(`\x` + string(digits[c>>4]) + string(digits[c&15]))
			} else {
				nginx.WriteByte(c)
			}
		}
		for _, escaped := range []string{nginx.String(), apache.String()} {
			line := `192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "` + escaped + `"`
			if e, err := parse([]byte(line)); err != nil || e.UserAgent != text && text != "-" {
				t.Errorf("%q: %+v, %v", escaped, e, err)
			}
		}
	})
}
