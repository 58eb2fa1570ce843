package plan_test

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
)

// messageFields hold text for people, as does what the methods Error and Text return.
var messageFields = []string{"Message", "Reason", "Why", "Detail", "Fix"}

// readers are the functions of package strings that find something in a text; regexps have methods
// for it.
var readers = map[string][]string{
	"strings": {"Contains", "ContainsAny", "ContainsFunc", "Cut", "CutPrefix", "CutSuffix", "EqualFold", "Fields",
		"FieldsFunc", "HasPrefix", "HasSuffix", "Index", "IndexByte", "LastIndex", "Split", "SplitAfter", "SplitN",
		"SplitSeq", "TrimPrefix", "TrimSuffix"},
	"": {"FindString", "FindStringSubmatch", "FindStringIndex", "FindAllString", "MatchString", "ReplaceAllString",
		"ReplaceAllStringFunc"},
}

// House: a message is for people, and no code finds anything out from it: who needs a part of it
// gets a field of its own. These are all the functions that do, and why. The list may only become
// shorter.
func TestHouse_NoCodeReadsAMessage(t *testing.T) {
	const library = "the library gives the kind of its error in the text alone; tests fail if that changes"
	allowed := map[string]string{
		"internal/site/hugo explainError": library,
		"internal/source readTOML":        library,
		"internal/source tomlMessage":     library,
		"internal/source readJSON":        library,
		"internal/source syntaxError":     library,
	}
	reads := map[string]bool{}
	eachSource(t, func(name string, file *ast.File) {
		folder := name[:strings.LastIndex("/"+name, "/")]
		for _, declared := range file.Decls {
			f, ok := declared.(*ast.FuncDecl)
			if !ok || f.Body == nil || !readsMessage(f) {
				continue
			}
			key := strings.TrimSuffix(folder, "/") + " " + f.Name.Name
			if reads[key] = true; allowed[key] == "" {
				t.Errorf("%s: %s finds something out from a message: give what it needs a field of its own", name,
					f.Name.Name)
			}
		}
	})
	for _, key := range slices.Sorted(maps.Keys(allowed)) {
		if !reads[key] {
			t.Errorf("%s reads no message any more: take it off the list", key)
		}
	}
}

// readsMessage reports whether a function looks for something in a message, or in a variable that
// holds one.
func readsMessage(f *ast.FuncDecl) (reads bool) {
	held := map[string]bool{} // variables with a message
	isMessage := func(e ast.Expr) bool { return holdsMessage(e, held) }
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if name, ok := left.(*ast.Ident); ok && i < len(n.Rhs) && isMessage(n.Rhs[i]) {
					held[name.Name] = true
				}
			}
		case *ast.CallExpr:
			reads = reads || isReader(n) && len(n.Args) > 0 && isMessage(n.Args[0])
		}
		return true
	})
	return reads
}

// isReader reports whether a call finds something in its first argument.
func isReader(call *ast.CallExpr) bool {
	called, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if in, ok := called.X.(*ast.Ident); ok && in.Name == "strings" {
		return slices.Contains(readers["strings"], called.Sel.Name)
	}
	return slices.Contains(readers[""], called.Sel.Name)
}

// holdsMessage reports whether an expression is a message, or one in another form, as
// strings.ToLower gives it.
func holdsMessage(e ast.Expr, held map[string]bool) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return held[e.Name]
	case *ast.ParenExpr:
		return holdsMessage(e.X, held)
	case *ast.SelectorExpr:
		return slices.Contains(messageFields, e.Sel.Name)
	case *ast.CallExpr:
		called, ok := e.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		if len(e.Args) == 0 {
			return called.Sel.Name == "Error" || called.Sel.Name == "Text"
		}
		in, ok := called.X.(*ast.Ident)
		return ok && in.Name == "strings" && slices.Contains([]string{"ToLower", "TrimSpace"}, called.Sel.Name) &&
			holdsMessage(e.Args[0], held)
	}
	return false
}
