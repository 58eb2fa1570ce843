package cli

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The manual page names every command and every flag, says what each does, and loses nothing that
// looks like HTML.
func TestMan_IsComplete(t *testing.T) {
	page := succeed(t, "man")
	plain := strings.NewReplacer(`\-`, "-", `\fB`, "", `\fI`, "", `\fR`, "", `\(dq`, `"`, `\(aq`, "'", `\&`, "", "...",
		"…").Replace(page)
	flags := 0
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		if cmd.HasParent() && (!strings.Contains(plain, cmd.Use) || !strings.Contains(plain,
			strings.TrimSuffix(cmd.Short, "."))) {
			t.Errorf("the command %q is missing", cmd.Use)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			flags++
			if _, usage := pflag.UnquoteUsage(f); f.Name != "help" && (!strings.Contains(plain, "--"+f.Name) ||
				!strings.Contains(plain, usage)) {
				t.Errorf("%s --%s is missing", cmd.Name(), f.Name)
			}
		})
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(newRoot(command{stdout: newPrinter(io.Discard, noVariables)}, []string{"man"}))
	if flags < 50 {
		t.Errorf("%d flags were looked for", flags)
	}
	for _, want := range []string{".TH METAROBOTS 1 ", `<meta name="robots">`, "metarobots.toml", "SOURCE_DATE_EPOCH",
		"Exit codes: 0 success"} {
		if !strings.Contains(plain, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if again := succeed(t, "man"); again != page {
		t.Error("a second run prints another page")
	}
}

// No text becomes a request of troff's, or loses a character.
func FuzzMan_Roff(f *testing.F) {
	for _, s := range []string{"", ".TH", "a\n.so /etc/passwd\n'br", `\fB\n`, "--flag", "it's “…”", "..", "a\\\nb"} {
		f.Add(s)
	}
	back := strings.NewReplacer(`\e`, `\`, `\-`, "-", `\(aq`, "'", `\(ga`, "`", `\(ha`, "^", `\(ti`, "~", `\(dq`, `"`, `\&`, "")
	f.Fuzz(func(t *testing.T, text string) {
		got := roff(text)
		for line := range strings.SplitSeq(got, "\n") {
			if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
				t.Errorf("roff(%q) begins a line with %q", text, line)
			}
		}
		if want := strings.ReplaceAll(text, "…", "..."); back.Replace(got) != want {
			t.Errorf("roff(%q) = %q, which is read as %q", text, got, back.Replace(got))
		}
	})
}
