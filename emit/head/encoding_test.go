package head

import (
	"bytes"
	"maps"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"

	"metarobots/internal/tables"
)

// WHATWG's labels, as x/text has them: those in the table name what the table says, and an encoding
// in which ASCII is ASCII is not in it.
func TestWHATWG_LabelsOfStatefulEncodings(t *testing.T) {
	all := maps.Clone(statefulLabels)
	maps.Copy(all, servedLabels)
	for label, want := range all {
		e, err := htmlindex.Get(label)
		if err != nil {
			t.Errorf("%s: %v", label, err)
			continue
		}
		if name, err := htmlindex.Name(e); name != want {
			t.Errorf("%s: %s, %v; want %s", label, name, err, want)
		}
	}
	for _, label := range []string{"utf-8", "latin1", "windows-1252", "shift_jis", "euc-jp", "gbk", "gb18030", "big5",
		"euc-kr", "koi8-r", "x-user-defined", "iso-8859-15", "macintosh"} {
		if _, err := htmlindex.Get(label); err != nil || statefulLabels[label] != "" {
			t.Errorf("%s: %v, %q", label, err, statefulLabels[label])
		}
	}
}

// FuzzDecodersAgreeWithXText compares each decoder with x/text's of the same name: what is ASCII in
// a text, and where anything else is. (For the other characters of ISO-2022-JP ours has U+FFFD.)
func FuzzDecodersAgreeWithXText(f *testing.F) {
	for _, text := range []string{"a\x1b$BF|K\\\x1b(Jb~\\", "\x1b(I1\x1b(B<", "\x1b$(D\"0!\n<m", "\x1b$(Ex\x1b", "\x1b$@F\n\x1b\x1b(",
		"<\x00h\x00", "\x00<\x00h\x80", "\xd8\x00", ""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for name, decode := range decoders {
			encoding := tables.Value(htmlindex.Get(name))(t)
			theirs := tables.Value(encoding.NewDecoder().Bytes(text))(t)
			if name == "iso-2022-jp" {
				theirs = bytes.Map(func(r rune) rune {
					if r < utf8.RuneSelf {
						return r
					}
					return utf8.RuneError
				}, theirs)
			}
			if ours := decode(text); !bytes.Equal(ours, theirs) {
				t.Errorf("%s: %q is %q, and %q to x/text", name, text, ours, theirs)
			}
		}
	})
}

// The curly quotes of windows-1252 are those that x/text reads there, and all of them.
func TestWHATWG_CurlyQuotesOfWindows1252(t *testing.T) {
	for b := range 256 {
		quote := string(charmap.Windows1252.DecodeByte(byte(b)))
		if !strings.Contains(curlyQuotes, quote) {
			quote = ""
		}
		if curlyQuotesOf1252[byte(b)] != quote {
			t.Errorf("%#x: %q, want %q", b, curlyQuotesOf1252[byte(b)], quote)
		}
	}
}
