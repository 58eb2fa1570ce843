package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page's style and script
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

var (
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// chunk is how many files stand in one table of those that are read without scripting. A browser lays out only the
// tables near the window, which it does not do within one table.
// https://developer.mozilla.org/docs/Web/CSS/content-visibility
const chunk = 100

// Chunks are these tables.
func (v *view) Chunks() (tables []string) {
	for rows := range slices.Chunk(v.Rows, chunk) {
		tables = append(tables, filesTable(rows))
	}
	return tables
}

// markdown renders the report's text: tables, and no markup that stands in the text. A table's alignment is not in
// style attributes, which the page's own policy forbids.
var markdown = goldmark.New(goldmark.WithExtensions(
	extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))))

// frames adds to tables a frame that scrolls sideways and is reached by keyboard, and the scope of headings.
var frames = strings.NewReplacer(
	"<table>", `<div class="frame" tabindex="0" role="group" aria-label="Table">`+"\n<table>",
	"</table>", "</table>\n</div>",
	"<th>", `<th scope="col">`,
	`<th align="right">`, `<th scope="col" class="right">`,
	`<td align="right">`, `<td class="right">`)

// render returns text as HTML.
func render(text string) string {
	var b bytes.Buffer
	if err := markdown.Convert([]byte(text), &b); err != nil {
		panic(fmt.Sprintf("a buffer takes every text: %v", err))
	}
	return frames.Replace(b.String())
}

// hash is text's in the form of a policy's source.
// https://www.w3.org/TR/CSP3/#grammardef-hash-source
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
