package report

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // the page's style and script
	"encoding/base64"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"metarobots/internal/result"
)

var (
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// writePage writes a document as a page.
func writePage(w io.Writer, d *document) error {
	b := bufio.NewWriter(w)
	if err := templates().ExecuteTemplate(b, "page", d); err != nil {
		return err
	}
	return b.Flush()
}

// chunk is how many files stand in one table of those that are read without scripting. A browser lays out only the
// tables near the window, which it does not do within one table.
// https://developer.mozilla.org/docs/Web/CSS/content-visibility
const chunk = 100

// Chunks are the tables of files.
func (v *view) Chunks() iter.Seq[string] {
	return func(yield func(string) bool) {
		for rows := range slices.Chunk(v.rows, chunk) {
			if !yield(filesTable(rows)) {
				return
			}
		}
	}
}

// markdown renders the report's text: tables, and no markup that stands in the text.
var markdown = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.Table),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(tables{}, 0))))
})

// render returns text as HTML.
func render(text string) string {
	var b bytes.Buffer
	if err := markdown().Convert([]byte(text), &b); err != nil {
		panic(fmt.Sprintf("a buffer takes every text: %v", err))
	}
	return b.String()
}

// hash is text's in the form of a policy's source.
// https://www.w3.org/TR/CSP3/#grammardef-hash-source
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// mostBars is how many bars a chart has at most.
const mostBars = 12

// A chart has a line for each of several things, of which the first has most pages.
type chart struct {
	Bars []bar
	Rest string // how many more there are
}

// A bar is one line of a chart: a name and a note, in HTML, and coloured parts.
type bar struct {
	Name, Note string
	Spans      []span
}

// A span is a part of a bar, whose whole length is 1000.
type span struct {
	State     result.State
	At, Width int
}

// add adds pages of a state to a bar, where the longest has widest.
func (b *bar) add(s result.State, n, widest int) {
	if n == 0 {
		return
	}
	at := 0
	if i := len(b.Spans) - 1; i >= 0 {
		at = b.Spans[i].At + b.Spans[i].Width
	}
	b.Spans = append(b.Spans, span{s, at, max(n*1000/widest, 2)}) // what is there is seen
}

// SectionsChart draws the decisions of each section.
func (v *view) SectionsChart() chart {
	return draw(v.Sections, "smaller section", func(s *section) bar {
		b := bar{Name: escape(cmp.Or(s.Name, "no section"))}
		var notes []string
		for _, state := range []result.State{result.Indexable, result.Limited, result.Noindex} {
			b.add(state, s.N(state), v.Sections[0].Total)
			if n := s.N(state); n > 0 {
				notes = append(notes, fmt.Sprintf("%s %s", thousands(n), state))
			}
		}
		b.Note = strings.Join(notes, ", ")
		return b
	})
}

// CausesChart draws why pages are noindex.
func (v *view) CausesChart() chart {
	return draw(v.Causes, "other cause", func(c *cause) bar {
		b := bar{Name: escape(capital(c.Layer)), Note: number(c.Pages, "page")}
		if c.Key != "" {
			b.Name += " <code>" + escape(c.Key) + "</code>"
		}
		b.add(result.Noindex, c.Pages, v.Causes[0].Pages)
		return b
	})
}

// draw makes a chart of things that noun calls where it leaves some out.
func draw[T any](things []T, noun string, of func(T) bar) (c chart) {
	for _, thing := range things[:min(mostBars, len(things))] {
		c.Bars = append(c.Bars, of(thing))
	}
	if more := len(things) - mostBars; more > 0 {
		c.Rest = number(more, noun)
	}
	return c
}

// tables renders the tables of Markdown, and code and addresses, with what a page wants beyond the text: a frame that
// scrolls sideways and is reached by keyboard; the scope of headings; for narrow screens, where a row is laid out as a
// card, the heading of each cell, and the roles that browsers then forget; and no alignment in style attributes, which
// the page's own policy forbids.
type tables struct{}

// RegisterFuncs says which nodes are rendered here.
func (tables) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(extast.KindTable, frame)
	r.Register(extast.KindTableCell, tableCell)
	r.Register(ast.KindCodeSpan, codeSpan)
	r.Register(ast.KindAutoLink, link)
}

// breaks lets a line end between the parts of a path, where browsers would break within a word.
var breaks = strings.NewReplacer("://", "://", "/", "/<wbr>", "_", "_<wbr>", "?", "?<wbr>", "=", "=<wbr>")

// breakable is text as HTML, in which a long path can be broken.
func breakable(text string) string {
	html := escape(text)
	if len(text) < 24 {
		return html
	}
	return breaks.Replace(html)
}

func codeSpan(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		var text strings.Builder
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			text.Write(c.(*ast.Text).Segment.Value(source))
		}
		fmt.Fprintf(w, "<code>%s</code>", breakable(text.String()))
	}
	return ast.WalkSkipChildren, nil
}

func link(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		url := string(n.(*ast.AutoLink).URL(source))
		fmt.Fprintf(w, `<a href="%s">%s</a>`, escape(url), breakable(url))
	}
	return ast.WalkSkipChildren, nil
}

func frame(w util.BufWriter, _ []byte, table ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		w.WriteString(`<div class="frame" tabindex="0" role="group" aria-label="Table">` + "\n<table role=\"table\">\n")
		table.FirstChild().SetAttributeString("role", "rowgroup") // of the heading, goldmark puts them on thead
		for row := table.FirstChild().NextSibling(); row != nil; row = row.NextSibling() {
			row.SetAttributeString("role", "row")
		}
	} else {
		w.WriteString("</table>\n</div>\n")
	}
	return ast.WalkContinue, nil
}

func tableCell(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*extast.TableCell)
	tag, attributes := "td", ` role="cell"`
	if n.Parent().Kind() == extast.KindTableHeader {
		tag, attributes = "th", ` role="columnheader" scope="col"`
	} else {
		heading := n.Parent().Parent().FirstChild().FirstChild()
		for c := n.PreviousSibling(); c != nil; c = c.PreviousSibling() {
			heading = heading.NextSibling()
		}
		attributes += ` data-label="` + escape(string(heading.Lines().Value(source))) + `"`
	}
	if !entering {
		fmt.Fprintf(w, "</%s>\n", tag)
		return ast.WalkContinue, nil
	}
	if n.Alignment == extast.AlignRight {
		attributes += ` class="right"`
	}
	fmt.Fprintf(w, "<%s%s>", tag, attributes)
	return ast.WalkContinue, nil
}
