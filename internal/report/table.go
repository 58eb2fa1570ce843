package report

import (
	"fmt"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// tables renders the tables of Markdown with what a page wants beyond the text: a frame that scrolls sideways and is
// reached by keyboard; the scope of headings; for narrow screens, where a row is laid out as a card, the heading of
// each cell, and the roles that browsers then forget; and no alignment in style attributes, which the page's own policy
// forbids.
type tables struct{}

// RegisterFuncs says which nodes are rendered here.
func (tables) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(extast.KindTable, frame)
	r.Register(extast.KindTableCell, tableCell)
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
