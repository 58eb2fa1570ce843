package report

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// tables renders the tables of Markdown, and code and addresses, with what a page wants beyond the text: a frame that scrolls sideways and is
// reached by keyboard; the scope of headings; for narrow screens, where a row is laid out as a card, the heading of
// each cell, and the roles that browsers then forget; and no alignment in style attributes, which the page's own policy
// forbids.
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
