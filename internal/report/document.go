package report

import (
	"bufio"
	"embed"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"text/template"
	"time"
	"unicode/utf8"

	"metarobots/internal/printable"
	"metarobots/policy"
)

// A document is a report as text, in Markdown, from which the page is rendered too.
type document struct {
	Title, Generated, Lead string // Generated says by what and when
	Figures                []figure
	Parts                  []part
	Files                  *view // what the script of a page shows; nil if the page has no script
}

// A figure is one of the headline's numbers.
type figure struct {
	N     int
	Noun  string // of what, in the singular
	Note  string // what that means
	Class string // gives the number its colour
	Part  string // the ID of the part of the page that shows what is counted; empty for none
}

// A part is one section: a heading and the text below it.
type part struct{ ID, Title, Text string }

// parts are those that have something to say: a template of the part's name makes its text.
func parts(of []part, data any) (list []part) {
	for _, p := range of {
		if p.Text = fill(p.ID, data); p.Text != "" {
			list = append(list, p)
		}
	}
	return list
}

// generated names the site of the report, if the title does not, and says when it was generated, and
// by what.
func generated(site string, at time.Time) string {
	line := []string{}
	if site != "" {
		line = append(line, text(site))
	}
	if !at.IsZero() {
		line = append(line, at.Format("2 January 2006, 15:04 MST"))
	}
	return strings.Join(append(line, "metarobots"), " · ") + "\n"
}

//go:embed *.tmpl
var sources embed.FS

// templates hold the sentences and tables of reports, and the page's frame. Their own text is
// Markdown, or HTML, and each text of the site passes through text, code or cell, or through
// escape.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		// Texts of the site, and of findings.
		"cell": cell, "code": code, "command": command, "escape": escape, "line": printable.Line, "message": message,
		"property": property, "record": record, "text": func(s any) string { return text(fmt.Sprint(s)) },
		// Numbers, words, and rows of tables.
		"capital": capital, "first": first, "head": head, "more": more, "number": number, "percent": percent,
		"plural": plural, "row": line, "sectionsListed": always(sectionsListed), "stateName": stateName,
		"thousands": thousands,
		// What findings, answers and vendors are about.
		"about": about, "level": level, "metas": metas, "names": names, "place": policy.Place, "reasons": reasons,
		"signalPlace": signalPlace, "step": step, "uri": fileURI, "urlsOf": urlsOf, "urlsWith": urlsWith,
		"vendorUse": vendorUse, "widest": widest,
		// The page.
		"bars": always(mostBars), "checkedTitle": always(checkedTitle), "filesTitle": always(filesTitle),
		"hash": hash, "htmlTable": htmlTable, "json": printable.Quote, "listed": always(listed), "render": render,
		"script": always(script), "style": always(style),
	}).ParseFS(sources, "*.tmpl"))
})

// always is a template's function that returns a constant.
func always[T any](v T) func() T { return func() T { return v } }

// fill is the text that a template makes of data. It panics if the template does not fit the data:
// tests fill each.
func fill(name string, data any) string {
	var b strings.Builder
	if err := fillTo(&b, name, data); err != nil {
		panic(err)
	}
	return b.String()
}

// fillTo writes the text that a template makes of data, through a buffer: [fill] keeps all of it. The
// error is that of writing. It panics as fill does.
func fillTo(w io.Writer, name string, data any) error {
	out := bufio.NewWriter(w)
	fault := templates().ExecuteTemplate(out, name, data)
	err := out.Flush() // also the first error of an earlier write, which ended the template
	if err == nil && fault != nil {
		panic(fault)
	}
	return err
}

// first are the first n of a list.
func first(n int, list any) any {
	v := reflect.ValueOf(list)
	return v.Slice(0, min(n, v.Len())).Interface()
}

// head is the heading of a table. A column whose name begins with > is aligned to the right.
func head(columns ...string) string {
	names, rules := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		name, right := strings.CutPrefix(c, ">")
		names[i], rules[i] = name, "---"
		if right {
			rules[i] = "---:"
		}
	}
	return line(names...) + line(rules...)
}

// line is a row of a table, of cells that are Markdown already.
func line(cells ...string) string {
	row := "|"
	for _, c := range cells {
		if c != "" {
			c += " "
		}
		row += " " + c + "|"
	}
	return row + "\n"
}

// more says how many of n entries are left out if limit are written: "And 3 more."; "" if none are.
func more(n, limit int) string {
	if n <= limit {
		return ""
	}
	return fmt.Sprintf("\nAnd %s more.\n", thousands(n-limit))
}

// capital is s with its first letter in upper case.
func capital(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}

// number prints n with its noun: "1 page", "2,000 pages".
func number(n int, noun string) string { return thousands(n) + " " + plural(n, noun) }

// plural is a noun for n things: "page" for one, "pages"; "entries" of "entry", "addresses" of
// "address".
func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		noun = stem + "ie"
	} else if strings.HasSuffix(noun, "ss") {
		noun += "e"
	}
	return noun + "s"
}

// thousands prints n with commas between its thousands.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// percent prints a share of total in whole percent; what is there is never 0%, and what is missing
// never 100%.
func percent(n, total int) string {
	switch p := (200*n + total) / max(2*total, 1); {
	case n > 0 && p == 0:
		return "< 1%"
	case n < total && p == 100:
		return "> 99%"
	default:
		return fmt.Sprintf("%d%%", p)
	}
}
