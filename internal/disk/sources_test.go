package disk

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// opensItself are the files that open others by themselves, and why.
var opensItself = map[string]string{
	"internal/cli/logs.go":    "access logs and published ranges, which the user names and which may be pipes",
	"internal/cli/reports.go": "snapshots that the user names, which may be pipes",
}

// One package opens the files of a site: what it refuses nobody else reads.
func TestHouse_NobodyElseOpensFiles(t *testing.T) {
	const root = "../.."
	opens := map[string]bool{}
	for _, top := range []string{"internal", "emit", "frontmatter", "policy"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(name string, d fs.DirEntry, err error) error {
			rel, _ := filepath.Rel(root, name)
			rel = filepath.ToSlash(rel)
			if err == nil && d.IsDir() && slices.Contains([]string{"internal/disk",
				"internal/tables", "internal/site/hugo/family"}, rel) {
				return filepath.SkipDir
			}
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if in, ok := call.X.(*ast.Ident); ok && in.Name == "os" && slices.Contains([]string{"ReadFile", "Open",
					"OpenFile", "OpenInRoot", "DirFS"}, call.Sel.Name) {
					if opens[rel] = true; opensItself[rel] == "" {
						t.Errorf("%s calls os.%s: disk.Root or disk.ReadFile reads regular files alone, within "+
							"limits", rel, call.Sel.Name)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range opensItself {
		if !opens[name] {
			t.Errorf("%s opens nothing by itself any more", name)
		}
	}
}
