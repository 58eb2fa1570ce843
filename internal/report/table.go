package report

import (
	"fmt"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// tables renders the tables of Markdown with what a page wants beyond the text: a frame that scrolls sideways on a
// narrow screen and is reached by keyboard, the scope of headings, and no alignment in style attributes, which the
// page's own policy forbids.
type tables struct{}

// RegisterFuncs says which nodes are rendered here.
func (tables) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(extast.KindTable, frame)
	r.Register(extast.KindTableCell, tableCell)
}

func frame(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		w.WriteString("<div class=\"frame\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">\n<table>\n")
	} else {
		w.WriteString("</table>\n</div>\n")
	}
	return ast.WalkContinue, nil
}

func tableCell(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*extast.TableCell)
	tag, scope := "td", ""
	if n.Parent().Kind() == extast.KindTableHeader {
		tag, scope = "th", " scope=\"col\""
	}
	if !entering {
		fmt.Fprintf(w, "</%s>\n", tag)
		return ast.WalkContinue, nil
	}
	align := ""
	if n.Alignment == extast.AlignRight {
		align = " class=\"right\""
	}
	fmt.Fprintf(w, "<%s%s%s>", tag, scope, align)
	return ast.WalkContinue, nil
}
