package accesslog

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Nothing that stands in a log stops the reader or makes it invent: every line is an entry or counted, and what an
// entry has stood in the line unless JSON escapes it or it is no UTF-8.
func FuzzRead(f *testing.F) {
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
