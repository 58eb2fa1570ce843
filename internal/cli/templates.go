package cli

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"text/template"
	"unicode/utf8"

	"metarobots/emit/robotstag"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/printable"
	"metarobots/internal/seen"
)

// text.tmpl is what is printed for people. Lines that come out empty are left out, so that what
// only steers may stand on lines of its own.
//
//go:embed text.tmpl
var textSource string

// action is one of a template's. Its first group is empty where it prints.
var action = lazyregexp.New(`{{-? ?((?:if|else|end|range|with|define|template)\b|/)?.*?}}`)

// fitted has what the actions of a template print made fit for output.
func fitted(source string) string {
	return action.ReplaceAllStringFunc(source, func(text string) string {
		if action.FindStringSubmatch(text)[1] != "" {
			return text
		}
		return strings.TrimSuffix(text, "}}") + " | fit}}"
	})
}

// countRegular prints a number with its noun, whose plural ends in s: "1 page", "2 pages".
func countRegular(n int, noun string) string { return robotstag.Count(n, noun, noun+"s") }

// quote is a text in quotes, fit for output.
func quote(text string) string { return strconv.Quote(printable.Line(text)) }

// functions are those of the templates.
func (p *printer) functions() template.FuncMap {
	all := template.FuncMap{"fit": fit, "count": countRegular, "join": strings.Join, "day": day, "minute": minute,
		"place": place, "color": p.paint, "sentence": p.sentence,
		"quote": quote,
		"row": func(width int, name string) styled {
			return "  " + p.paint(faint, fmt.Sprintf("%-*s", width, name))
		},
		"verdictColor": func(v seen.Verdict) string { return verdictColors[v] }}
	for name, color := range map[string]string{"bold": bold, "faint": faint, "red": red, "green": green,
		"yellow": yellow, "blue": blue} {
		all[name] = func(value any) styled { return p.paint(color, value) }
	}
	return all
}

// sentence is a text in lines that the terminal has room for, each behind an indent; in one line if
// nobody knows the room.
func (p *printer) sentence(indent, text string) styled {
	var b strings.Builder
	used := 0
	for i, word := range strings.Fields(printable.Line(text)) {
		columns := utf8.RuneCountInString(word)
		switch {
		case i == 0:
			b.WriteString(indent)
			used = len(indent)
		case p.width > 0 && used+1+columns > p.width:
			b.WriteString("\n" + indent)
			used = len(indent)
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += columns
	}
	return styled(b.String())
}

// show prints what a template makes of data. Tests print each, so that none can fail.
func (p *printer) show(name string, data any) {
	if p.templates == nil {
		p.templates = template.Must(template.New("").Funcs(p.functions()).Parse(fitted(textSource)))
	}
	var b strings.Builder
	if err := p.templates.ExecuteTemplate(&b, name, data); err != nil {
		panic(err)
	}
	for line := range strings.Lines(b.String()) {
		if strings.TrimSpace(line) != "" {
			p.print(line)
		}
	}
}
