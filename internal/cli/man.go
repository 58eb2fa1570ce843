package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// man prints the manual page, which packages install: metarobots man >/usr/share/man/man1/metarobots.1.
func (c *command) man(cmd *cobra.Command, _ []string) error {
	date, _, _ := strings.Cut(settings(buildInfo())["vcs.time"], "T")
	return writeMan(c.stdout.w, cmd.Root(), date)
}

// writeMan writes one page of section 1 about a command and those below it, by the macros of man(7), which groff and
// mandoc know. The date is that of the source, not of the build: equal sources give equal bytes.
//
// It is written here and not by cobra/doc, which makes a page for each command and reads texts as Markdown, where
// <meta name="robots"> is HTML and vanishes.
func writeMan(w io.Writer, root *cobra.Command, date string) error {
	var b strings.Builder
	name := root.Name()
	fmt.Fprintf(&b, ".TH %s 1 %q %q\n", strings.ToUpper(name), date, name)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(strings.ToLower(root.Short[:1])+root.Short[1:]))
	b.WriteString(".SH SYNOPSIS\n")
	fmt.Fprintf(&b, ".B %s\n[\\fIcommand\\fR] [\\fIflags\\fR]\n", roff(name))
	b.WriteString(".SH DESCRIPTION\n")
	paragraphs(&b, root.Long)
	b.WriteString(".SH COMMANDS\n")
	for _, cmd := range root.Commands() {
		if !cmd.IsAvailableCommand() && cmd.Name() != "help" {
			continue
		}
		fmt.Fprintf(&b, ".SS %s\n%s.\n", roff(cmd.Use), roff(strings.TrimSuffix(cmd.Short, ".")))
		if cmd.Long != "" && cmd.Name() != "help" && cmd.Name() != "completion" {
			b.WriteString(".PP\n")
			paragraphs(&b, cmd.Long)
		}
		if cmd.Example != "" {
			fmt.Fprintf(&b, ".PP\n.nf\n%s\n.fi\n", roff(cmd.Example))
		}
		flags(&b, cmd.LocalFlags(), root.Flags())
		for _, sub := range cmd.Commands() {
			entry(&b, ".B "+roff(cmd.Name()+" "+sub.Name()), sub.Short+".")
		}
	}
	b.WriteString(".SH OPTIONS\nFor\n.B build\nand, where they apply, for the other commands.\n")
	flags(&b, root.Flags(), nil)
	b.WriteString(".SH FILES\n")
	entry(&b, ".I metarobots.toml", "the policy, in the site's folder")
	entry(&b, ".I "+roff(lockFile), "every URL's decision, as "+name+" snapshot writes it")
	entry(&b, ".I _headers", "the header rules of the host, in the publish folder")
	b.WriteString(".SH ENVIRONMENT\n")
	entry(&b, ".B HUGO_ENVIRONMENT, HUGO_ENV", "the environment, without --environment")
	entry(&b, ".B NETLIFY and CONTEXT, VERCEL_ENV, CF_PAGES_BRANCH, WORKERS_CI_BRANCH",
		"set by hosts; a preview is noindex, nofollow")
	entry(&b, ".B SOURCE_DATE_EPOCH", "the time to use as now, without --now")
	entry(&b, ".B NO_COLOR", "print no colours")
	_, err := io.WriteString(w, b.String())
	return err
}

// entry writes a name, as troff reads it, and what it is.
func entry(b *strings.Builder, name, text string) { fmt.Fprintf(b, ".TP\n%s\n%s\n", name, roff(text)) }

// paragraphs writes text as it is filled by the reader's width.
func paragraphs(b *strings.Builder, text string) {
	fmt.Fprintf(b, "%s\n", strings.ReplaceAll(roff(strings.TrimSpace(text)), "\n\n", "\n.PP\n"))
}

// flags writes what a command adds to the flags that all have.
func flags(b *strings.Builder, own, common *pflag.FlagSet) {
	own.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || common != nil && common.Lookup(f.Name) != nil &&
			common.Lookup(f.Name).Usage == f.Usage {
			return
		}
		names := `\fB` + roff("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			names = `\fB` + roff("-"+f.Shorthand) + `\fR, ` + names
		}
		value, usage := pflag.UnquoteUsage(f)
		if value != "" {
			names += ` \fI` + roff(value) + `\fR`
		}
		entry(b, names, usage)
	})
}

// roff escapes text for troff: a backslash, the characters that devices print otherwise than typed, and a dot or
// apostrophe that begins a line. https://man7.org/linux/man-pages/man7/groff_char.7.html
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, `"`, `\(dq`,
		"…", "...", "\n.", "\n\\&.", "\n…", "\n\\&...").Replace("\n" + text)
	return text[1:]
}
