package plan_test

import (
	"go/ast"
	"path"
	"slices"
	"testing"
)

const (
	mostFields  = 15
	mostNesting = 4
)

// House: a struct of more fields than a reader keeps in mind is several things. These are all that
// have more, and how many; the public forms of results have a member for each thing that they tell.
// A number may only fall.
func TestHouse_StructsAreFewThings(t *testing.T) {
	most := map[string]int{
		"internal/verify.Summary": 20,
	}
	known := map[string]int{}
	eachSource(t, func(name string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, isType := n.(*ast.TypeSpec)
			if !isType {
				return true
			}
			if s, isStruct := spec.Type.(*ast.StructType); isStruct {
				if fields := s.Fields.NumFields(); fields > mostFields {
					known[path.Dir(name)+"."+spec.Name.Name] = fields
				}
			}
			return true
		})
	})
	for name, fields := range known {
		if fields > max(most[name], mostFields) {
			t.Errorf("%s has %d fields: make several types of it", name, fields)
		}
	}
	for name, fields := range most {
		if known[name] < fields {
			t.Errorf("%s has %d fields now: lower its number here, or take it out", name, known[name])
		}
	}
}

// House: what is nested deeper than a reader can follow is a function of its own. A function
// literal begins anew.
func TestHouse_NestingIsShallow(t *testing.T) {
	functions := 0
	eachSource(t, func(name string, file *ast.File) {
		for _, d := range file.Decls {
			if f, isFunction := d.(*ast.FuncDecl); isFunction && f.Body != nil {
				functions++
				if depth := nesting(f.Body); depth > mostNesting {
					t.Errorf("%s: %s is nested %d deep, %d at most", name, f.Name.Name, depth, mostNesting)
				}
			}
		}
	})
	t.Logf("%d functions", functions)
	if functions < 2000 {
		t.Errorf("only %d functions were seen", functions)
	}
}

// nesting is how many statements with a body lie within each other below a node.
func nesting(below ast.Node) (deepest int) {
	ast.Inspect(below, func(n ast.Node) bool {
		if n == nil || n == below {
			return true
		}
		var bodies []ast.Node
		switch n := n.(type) {
		case *ast.FuncLit:
			deepest = max(deepest, nesting(n.Body))
			return false
		case *ast.IfStmt:
			bodies = branches(n)
		case *ast.ForStmt:
			bodies = []ast.Node{n.Body}
		case *ast.RangeStmt:
			bodies = []ast.Node{n.Body}
		case *ast.SwitchStmt:
			bodies = []ast.Node{n.Body}
		case *ast.TypeSwitchStmt:
			bodies = []ast.Node{n.Body}
		case *ast.SelectStmt:
			bodies = []ast.Node{n.Body}
		default:
			return true
		}
		for _, body := range bodies {
			deepest = max(deepest, 1+nesting(body))
		}
		return false
	})
	return deepest
}

// branches are the bodies of an if and of all that its else adds, which lie beside each other.
func branches(n *ast.IfStmt) []ast.Node {
	bodies := []ast.Node{n.Body}
	switch other := n.Else.(type) {
	case *ast.IfStmt:
		bodies = slices.Concat(bodies, branches(other))
	case *ast.BlockStmt:
		bodies = append(bodies, other)
	}
	return bodies
}
