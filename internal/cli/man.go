package cli

import (
	_ "embed"
	"strconv"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manText is one page of section 1 about the program and its commands, by the macros of man(7),
// which groff and mandoc know. The date is that of the source, not of the build: equal sources give
// equal bytes.
//
// It is written here and not by cobra/doc, which makes a page for each command and reads texts as
// Markdown, where <meta name="robots"> is HTML and vanishes.
//
//go:embed man.tmpl
var manText string

type manCommand struct{ command }

// run prints the manual page, which packages install: metarobots man
// >/usr/share/man/man1/metarobots.1.
func (c *manCommand) run() error {
	root := c.cmd.Root()
	page := template.Must(template.New("").Funcs(template.FuncMap{"roff": roff, "quote": strconv.Quote,
		"own": func(cmd *cobra.Command) []manFlag { return manFlags(cmd.LocalFlags(), root.Flags()) },
		"paragraphs": func(text string) string { // which are filled by the reader's width
			return strings.ReplaceAll(roff(strings.TrimSpace(text)), "\n\n", "\n.PP\n")
		}}).Parse(manText))
	date, _, _ := strings.Cut(stamp(buildInfo(), "vcs.time"), "T")
	return page.Execute(c.stdout.w, struct {
		Root        *cobra.Command
		Date, Short string
		Flags       []manFlag
	}{root, date, strings.ToLower(root.Short[:1]) + root.Short[1:], manFlags(root.Flags(), nil)})
}

type manFlag struct{ Shorthand, Name, Value, Usage string }

// manFlags are the flags that a command adds to those that all have.
func manFlags(own, common *pflag.FlagSet) (flags []manFlag) {
	own.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || common != nil && common.Lookup(f.Name) != nil &&
			common.Lookup(f.Name).Usage == f.Usage {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		flags = append(flags, manFlag{f.Shorthand, f.Name, value, usage})
	})
	return flags
}

// roff escapes text for troff: a backslash, the characters that devices print otherwise than typed,
// and a dot or apostrophe that begins a line.
// https://man7.org/linux/man-pages/man7/groff_char.7.html
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, `"`, `\(dq`,
		"…", "...", "\n.", "\n\\&.", "\n…", "\n\\&...").Replace("\n" + text)
	return text[1:]
}
