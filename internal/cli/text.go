package cli

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"text/template"
	"text/template/parse"

	"metarobots/internal/printable"
)

// text.tmpl is what is printed for people. Lines that come out empty are left out, so that what only steers may stand
// on lines of its own.
//
//go:embed text.tmpl
var textSource string

// textTemplates are its templates. What their actions print is made fit for output; the functions that colour are each
// printer's own.
var textTemplates = sync.OnceValue(func() *template.Template {
	t := template.Must(template.New("").Funcs((&printer{}).functions()).Parse(textSource +
		`{{define "fit"}}{{. | fit}}{{end}}`))
	last := t.Lookup("fit").Root.Nodes[0].(*parse.ActionNode).Pipe.Cmds[1]
	for _, each := range t.Templates() {
		if each.Name() != "fit" {
			fitted(each.Root, last)
		}
	}
	return t
})

// fitted has what actions print pass through one more function.
func fitted(n parse.Node, last *parse.CommandNode) {
	branch := func(b *parse.BranchNode) {
		fitted(b.List, last)
		if b.ElseList != nil {
			fitted(b.ElseList, last)
		}
	}
	switch n := n.(type) {
	case *parse.ListNode:
		for _, below := range n.Nodes {
			fitted(below, last)
		}
	case *parse.ActionNode:
		if len(n.Pipe.Decl) == 0 {
			n.Pipe.Cmds = append(n.Pipe.Cmds, last)
		}
	case *parse.IfNode:
		branch(&n.BranchNode)
	case *parse.RangeNode:
		branch(&n.BranchNode)
	case *parse.WithNode:
		branch(&n.BranchNode)
	}
}

// aSite is a generator's site as people call it: "an Eleventy site".
func aSite(generator string) string {
	name := strings.ToUpper(generator[:1]) + generator[1:]
	switch name {
	case "Mkdocs":
		name = "MkDocs"
	case "Vitepress":
		name = "VitePress"
	}
	if strings.Contains("AEIOU", name[:1]) {
		return "an " + name + " site"
	}
	return "a " + name + " site"
}

// functions are those of the templates.
func (p *printer) functions() template.FuncMap {
	all := template.FuncMap{"fit": fit, "aSite": aSite, "count": count, "join": strings.Join, "day": day,
		"place":  place,
		"minute": minute,
		"quote":  func(text string) string { return strconv.Quote(printable.Line(text)) },
		"row": func(width int, name string) styled {
			return "  " + p.paint(faint, fmt.Sprintf("%-*s", width, name))
		},
		"color": func(color string, text any) styled { return p.paint(color, fmt.Sprint(text)) }}
	for name, color := range map[string]string{"bold": bold, "faint": faint, "red": red, "green": green,
		"yellow": yellow, "blue": blue} {
		all[name] = func(text any) styled { return p.paint(color, fmt.Sprint(text)) }
	}
	return all
}

// show prints what a template makes of data. Tests print each, so that none can fail.
func (p *printer) show(name string, data any) {
	if p.templates == nil {
		p.templates = template.Must(textTemplates().Clone()).Funcs(p.functions())
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
