package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page's style and script
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"metarobots/internal/lazyregexp"
)

var (
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// chunk is how many files are in one table of those that are read without scripting. A browser lays
// out only the tables near the window, which it does not do within one table.
// https://developer.mozilla.org/docs/Web/CSS/content-visibility
const chunk = 100

// Chunks are the rows of these tables.
func (v *view) Chunks() [][]*row { return slices.Collect(slices.Chunk(v.Rows, chunk)) }

// htmlTable is [filesTable] rendered. It does not take the way through Markdown, since a site may
// have many thousands of files: only the blank table is rendered.
func htmlTable(rows []*row) string {
	blank := blankFiles()
	table := []string{blank.begin}
	for _, r := range rows {
		for i, cell := range r.cells(asHTML) {
			table = append(table, blank.row[i], strings.Trim(cell, " "))
		}
		table = append(table, blank.row[len(filesColumns)])
	}
	return strings.Join(append(table, blank.end), "")
}

// A blank is a table as [render] makes it, without the texts of its cells.
type blank struct {
	begin, end string   // what is around the rows
	row        []string // what is before each cell of a row, and after the last
}

// blankFiles is the blank of [filesTable].
var blankFiles = sync.OnceValue(func() *blank {
	const text = "TEXT" // no markup has it
	table := render(head(filesColumns...) + strings.Repeat("| "+text+" ", len(filesColumns)) + "|\n")
	row, end := strings.LastIndex(table, "<tr"), strings.LastIndex(table, "</tbody>")
	return &blank{table[:row], table[end:], strings.Split(table[row:end], text)}
})

// markdown renders the report's text: tables, and no markup that is in the text. A table's
// alignment is not in style attributes, which the page's own policy forbids.
var markdown = goldmark.New(goldmark.WithExtensions(
	extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))))

// frames adds to tables a frame that scrolls sideways and is reached by keyboard, the scope of
// headings, and roles: on a phone a row is laid out as a card, for which browsers forget that it is
// a table's.
var frames = strings.NewReplacer(
	"<table>", `<div class="frame" tabindex="0" role="group" aria-label="Table">`+"\n"+`<table role="table">`,
	"<thead>", `<thead role="rowgroup">`,
	"<tbody>", `<tbody role="rowgroup">`,
	"<tr>", `<tr role="row">`,
	"</table>", "</table>\n</div>",
	"<th>", `<th scope="col" role="columnheader">`,
	`<th align="right">`, `<th scope="col" role="columnheader" class="right">`,
	"<td ", `<td role="cell" `,
	`align="right">`, `class="right">`)

// headerCell is a cell of a table's head, and lineNumber the end of a place.
var (
	headerCell = lazyregexp.New(`^<th(?: align="right")?>(.*)</th>`)
	lineNumber = lazyregexp.New(`(:\d+)</code>`)
)

// labelled gives each cell the name of its column, which is shown before it in a card. It needs
// each cell on a line of its own, as the renderer writes them.
func labelled(page string) string {
	var b strings.Builder
	var names []string
	column := 0
	for line := range strings.Lines(page) {
		if name := headerCell.FindStringSubmatch(line); name != nil {
			names = append(names, name[1])
		}
		switch {
		case strings.HasPrefix(line, "<thead>"):
			names = nil
		case strings.HasPrefix(line, "<tr>"):
			column = 0
		case strings.HasPrefix(line, "<td") && column < len(names):
			line = `<td data-label="` + names[column] + `"` + strings.TrimPrefix(line, "<td")
			column++
		}
		b.WriteString(line)
	}
	return b.String()
}

// render returns text, which is Markdown, as HTML of the page.
func render(text string) string {
	var b bytes.Buffer
	if err := markdown.Convert([]byte(text), &b); err != nil {
		panic(fmt.Sprintf("a buffer takes every text: %v", err))
	}
	page := frames.Replace(labelled(b.String()))
	return lineNumber.ReplaceAllString(page, `<span class="line">$1</span></code>`)
}

// hash is the hash of a style or script in the form in which the page's content security policy
// names it.
// https://www.w3.org/TR/CSP3/#grammardef-hash-source
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
