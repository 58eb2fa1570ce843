package printable

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"metarobots/internal/tables"
)

// X10a, X10b.
func TestHouse_ALineIsPrintable(t *testing.T) {
	long := strings.Repeat("a", Longest) + strings.Repeat("b", 3000)
	for _, c := range []struct{ name, text, want string }{
		{"text", `/blog/a.html: unknown directive "noindx"`, `/blog/a.html: unknown directive "noindx"`},
		{"other scripts", "Übung עברית 日本語 👩\u200d🌾 می\u200cشود", "Übung עברית 日本語 👩\u200d🌾 می\u200cشود"},
		{"ends of lines", "a\nb\r\nc\u0085d\u2028e\u2029f\vg\fh\ti", "a b  c d e f g h i"},
		{"a terminal's escapes", "\x1b[2J\x1b]0;title\a\u009b31m\x7f", "\ufffd[2J\ufffd]0;title\ufffd\ufffd31m\ufffd"},
		{"directions", "\u202egpj.exe\u2066\u2069", "\ufffdgpj.exe\ufffd\ufffd"},
		{"no UTF-8", "a\xff\xfeb", "a\ufffdb"},
		{"Azure Pipelines", "x ##vso[task.setvariable variable=a]b", "x # #vso[task.setvariable variable=a]b"},
		{"TeamCity", "##teamcity[buildStop]", "# #teamcity[buildStop]"},
		{"GitHub's older form", "x ###[add-mask]y", "x ## #[add-mask]y"},
		{"headings", "## Title", "## Title"},
	} {
		if got := Line(c.text); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	got := Line(long)
	if n := utf8.RuneCountInString(got); n > Longest || !strings.HasPrefix(got, "aaa") ||
		!strings.HasSuffix(got, "bbb") {
		t.Errorf("%d characters of a long text: %s", n, got)
	}
}

// https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs: white space in front counts for
// nothing (X10c).
func TestGitHub_NoLineBeginsACommand(t *testing.T) {
	for _, c := range [][2]string{
		{"::error::x", `\::error::x`},
		{"  ::add-mask::x", `  \::add-mask::x`},
		{"\u00a0::x", "\u00a0\\::x"},
		{":x::", ":x::"},
		{"a ::error::", "a ::error::"},
	} {
		if got := Begin(c[0]); got != c[1] {
			t.Errorf("%q: got %q, want %q", c[0], got, c[1])
		}
	}
	if got, want := Lines("WARN a\r\n::error::b\x1b\n"), "WARN a\n\\::error::b\ufffd\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// X10d.
func TestJSON_IsExact(t *testing.T) {
	want := map[string]string{"a\u202e\x7f": "\x00\u009b\n<é>\u2066 ::error::"}
	text := tables.Value(JSON(want, ""))(t)
	if at := strings.IndexFunc(strings.ReplaceAll(string(text), "\n", ""), unprintable); at >= 0 {
		t.Errorf("it holds %q", text[at:])
	}
	var got map[string]string
	if err := json.Unmarshal(text, &got); err != nil || len(got) != 1 || got["a\u202e\x7f"] != want["a\u202e\x7f"] {
		t.Errorf("got %q, %v", got, err)
	}
}

// The laws of what is printed, whatever it is made of.
func FuzzLaw_NothingUnprintableIsPrinted(f *testing.F) {
	for _, s := range []string{"", "a", "\n::error::x", "\x1b[2J", "a\u202eb", "\xff", "##vso[", "####[[",
		strings.Repeat("x\u202e", Longest),
		strings.Repeat("#", Longest) + "[", "\u3000::x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line := Line(s)
		switch {
		case !utf8.ValidString(line):
			t.Errorf("%q: no UTF-8: %q", s, line)
		case strings.ContainsFunc(line, unprintable) || strings.ContainsAny(line, "\u2028\u2029"):
			t.Errorf("%q: %q", s, line)
		case utf8.RuneCountInString(line) > Longest:
			t.Errorf("%q: %d characters", s, utf8.RuneCountInString(line))
		case loggingCommand.MatchString(line):
			t.Errorf("%q: a command: %q", s, line)
		case Line(line) != line:
			t.Errorf("%q: %q becomes %q", s, line, Line(line))
		}
		for printed := range strings.Lines(Lines(s)) {
			printed = strings.TrimSuffix(printed, "\n")
			if strings.HasPrefix(strings.TrimLeftFunc(printed, unicode.IsSpace), "::") ||
				strings.ContainsFunc(printed, unprintable) {
				t.Errorf("%q: line %q", s, printed)
			}
		}
		var back string
		if text, err := JSON(s, ""); err != nil || json.Unmarshal(text, &back) != nil || utf8.ValidString(s) &&
			back != s {
			t.Errorf("%q: JSON %q, read as %q: %v", s, text, back, err)
		}
	})
}
