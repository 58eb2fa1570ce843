package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"metarobots/internal/printable"
	"metarobots/internal/project"
	"metarobots/internal/result"
	"metarobots/internal/site"
	"metarobots/policy"
)

// printer writes for people: in colour on a terminal, unless NO_COLOR is set (https://no-color.org)
// or TERM is dumb.
type printer struct {
	w        io.Writer
	terminal bool
	width    int // of the terminal, in columns; 0 if nobody knows it
	color    bool
	program  string    // how the user calls the program; empty for metarobots
	last     time.Time // of the progress line
	shown    bool
	// templates are those of text.tmpl with the colours of this printer.
	templates *template.Template
}

func newPrinter(w io.Writer, getenv func(string) string) *printer {
	p := &printer{w: w, last: time.Now(), program: getenv("METAROBOTS_COMMAND")} // a short run shows no progress
	if f, ok := w.(*os.File); ok {
		p.terminal = term.IsTerminal(int(f.Fd())) && getenv("TERM") != "dumb"
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && p.terminal {
			p.width = columns
		}
	}
	p.color = p.terminal && getenv("NO_COLOR") == ""
	return p
}

// Colours by what they mean.
const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	blue   = "36"
)

// styled is text that is fit for output already, and may be coloured.
type styled string

// paint makes what a value says fit for output, and colours it.
func (p *printer) paint(color string, value any) styled {
	text := fmt.Sprint(fit(value))
	if p.color && color != "" && text != "" {
		text = "\x1b[" + color + "m" + text + "\x1b[0m"
	}
	return styled(text)
}

// fit makes fit for output what a value says, whoever said it; numbers are fit.
func fit(value any) any {
	v := reflect.ValueOf(value)
	if _, ok := value.(styled); ok || v.CanInt() || v.CanUint() || v.CanFloat() {
		return value
	}
	return printable.Line(fmt.Sprint(value))
}

// sprintf is fmt.Sprintf for text that is printed. The format alone has ends of lines.
func sprintf(format string, args ...any) styled {
	values := make([]any, len(args))
	for i, arg := range args {
		values[i] = fit(arg)
	}
	return styled(fmt.Sprintf(format, values...))
}

// printf prints whole lines. With [printer.paint] and the templates it is the one place where text
// for people is made fit for output.
func (p *printer) printf(format string, args ...any) { p.print(string(sprintf(format, args...))) }

// print prints whole lines of fit text, none of which becomes a command to the program that runs a
// pipeline.
func (p *printer) print(text string) {
	for line := range strings.Lines(p.named(text)) {
		_, _ = io.WriteString(p.w, printable.Begin(line))
	}
}

// hint matches a command of the program within a text.
var hint = sync.OnceValue(func() *regexp.Regexp {
	commands := slices.Sorted(maps.Keys(texts().Commands))
	return regexp.MustCompile("(^|[\\s\"'`(=])metarobots (-|(?:" + strings.Join(commands, "|") + ")\\b)")
})

// named is a text whose hints name the program as the user calls it.
func (p *printer) named(text string) string {
	if p.program == "" {
		return text
	}
	program := printable.Line(p.program)
	if strings.HasSuffix(program, " metarobots") { // npx metarobots, which texts of cobra have already
		text = strings.ReplaceAll(text, program+" ", "metarobots ")
	}
	return hint().ReplaceAllString(text, "${1}"+strings.ReplaceAll(program, "$", "$$")+" $2")
}

// messages prints each text after a label.
func (p *printer) messages(color, label string, texts ...string) {
	for _, text := range texts {
		p.printf("%s %s\n", p.paint(color, label+":"), text)
	}
}

// A cell is a text of a table, and its colour.
type cell struct{ color, text string }

// widest is how wide a column may be; what is wider pushes the next ones.
const widest = 68

func (c cell) width() int { return utf8.RuneCountInString(c.text) }

// table prints rows of cells in columns. A first cell that is wider than most has a line of its
// own.
func (p *printer) table(indent string, most int, rows [][]cell) {
	widths := columnWidths(rows)
	widths[0] = min(widths[0], most)
	for _, row := range rows {
		if row[0].width() > most {
			p.printf("%s%s\n", styled(indent), p.paint(row[0].color, styled(row[0].text)))
			row[0].text = ""
		}
		line := indent
		for i, c := range row {
			line += string(p.paint(c.color, styled(c.text)))
			if i < len(row)-1 {
				line += strings.Repeat(" ", max(0, widths[i]-c.width())+2)
			}
		}
		p.printf("%s\n", styled(line))
	}
}

// columnWidths makes the cells fit for output, and returns the width of each column.
func columnWidths(rows [][]cell) map[int]int {
	widths := map[int]int{}
	for _, row := range rows {
		for i := range row {
			row[i].text = printable.Line(row[i].text)
			widths[i] = max(widths[i], min(row[i].width(), widest))
		}
	}
	return widths
}

// tabbed prints rows of cells for other programs: a line each, with tabs between cells.
func (p *printer) tabbed(rows [][]cell) {
	for _, row := range rows {
		texts := make([]string, len(row))
		for i, c := range row {
			texts[i] = printable.Line(c.text)
		}
		p.printf("%s\n", styled(strings.Join(texts, "\t")))
	}
}

// Write prints what others say, such as Hugo's log: what it is given is taken for whole lines.
func (p *printer) Write(text []byte) (int, error) {
	p.clear()
	_, err := io.WriteString(p.w, printable.Lines(string(text)))
	return len(text), err
}

// clear takes the progress line away.
func (p *printer) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// errors prints every error of a joined one that has a text on a line of its own, and below it what
// helps.
func (p *printer) errors(err error) {
	p.clear()
	for _, e := range flat(err) {
		if text := e.Error(); text != "" {
			p.messages(red, "error", text)
		}
		help, isHelp := errors.AsType[*printable.Help](e)
		if !isHelp {
			continue
		}
		for _, line := range help.Lines {
			text := strings.TrimPrefix(line, "\t")
			p.printf("%s%s\n", styled(line[:len(line)-len(text)]), text)
		}
	}
}

// flat takes joined errors apart.
func flat(err error) []error {
	switch e := err.(type) {
	case nil:
		return nil
	case interface{ Unwrap() []error }:
		var all []error
		for _, e := range e.Unwrap() {
			all = append(all, flat(e)...)
		}
		return all
	case *project.InvalidError:
		return flat(e.Err)
	case *site.RenderError:
		return flat(e.Err)
	}
	return []error{err}
}

// note and warn say something of the run, unless that is to be quiet.
func (c *command) note(format string, args ...any) { c.say(blue, "note", format, args...) }

func (c *command) warn(format string, args ...any) { c.say(yellow, "warning", format, args...) }

func (c *command) say(color, label, format string, args ...any) {
	if !c.quiet {
		c.stderr.messages(color, label, fmt.Sprintf(format, args...))
	}
}

func (c *command) printJSON(v any) error { return result.WriteJSON(c.stdout.w, v) }

// summary prints the counts; its first line names the environment and what chose it.
func (p *printer) summary(s result.Summary, isWritten bool) {
	verb, removal := "to write", "to be removed"
	if isWritten {
		verb, removal = "written", "removed"
	}
	p.show("summary", struct {
		Summary                      result.Summary
		Verb, Removal                string
		Others, Error, Warning, Note int
	}{s, verb, removal, s.Files - s.Pages, s.Findings[policy.Error], s.Findings[policy.Warning], s.Findings[policy.Note]})
}

// firstOf returns at most so many of a list, and the line that is printed for the others; empty if
// there are none.
func firstOf[T any](list []T, most int) (first []T, more string) {
	if len(list) <= most {
		return list, ""
	}
	return list[:most], fmt.Sprintf("… and %d more (-v)", len(list)-most)
}

// printMore prints the line of [firstOf] about what is left out of a list, if anything is.
func (p *printer) printMore(left string) {
	if left != "" {
		p.printf("%s\n", left)
	}
}
