package initpolicy

import (
	"bytes"
	"fmt"
	"strings"

	"metarobots/internal/printable"
)

// wide is how long a line of prose may be.
const wide = 80

// writer writes a policy file.
type writer struct{ bytes.Buffer }

func (w *writer) line(text string) {
	w.WriteString(text)
	w.WriteByte('\n')
}

// prose writes a comment: lines that begin with # and a blank.
func (w *writer) prose(text string) {
	line := "#"
	for _, word := range strings.Fields(printable.Line(text)) {
		if len(line)+1+len(word) > wide && line != "#" {
			w.line(line)
			line = "#"
		}
		line += " " + word
	}
	w.line(line)
}

// config writes lines of configuration, as a suggestion with # and no blank before them.
func (w *writer) config(lines []string, suggested bool) {
	for _, line := range lines {
		if suggested {
			line = "#" + line
		}
		w.line(line)
	}
}

// settings writes a table; nothing where nothing is set.
func (w *writer) settings(table string, settings []setting) {
	if len(settings) == 0 {
		return
	}
	w.line("")
	w.line("[" + table + "]")
	for _, s := range settings {
		if s.comment != "" {
			w.prose(s.comment)
		}
		w.config(s.lines, s.choice)
	}
}

// suggestion writes one, with how many pages it hides and which.
func (w *writer) suggestion(s *Suggestion, taken bool) {
	w.line("")
	w.prose(s.Noun() + ": " + s.What)
	w.prose(s.Hides.Addresses(4))
	if s.Barred > 0 {
		w.prose(fmt.Sprintf("%s keeps crawlers from reading %d of them, so they would not see noindex. First remove that "+
			"line, in the robots.txt that the site is built from.", s.Rule, s.Barred))
	}
	w.config(s.Lines, !taken)
}
