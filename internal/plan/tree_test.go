package plan_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"metarobots/internal/tables"
)

// tree are all files of the repository, by their names from its root. Those of Git and of npm are
// left out.
var tree = sync.OnceValues(func() (names []string, err error) {
	err = filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.IsDir():
			names = append(names, strings.TrimPrefix(filepath.ToSlash(name), "../../"))
		}
		return nil
	})
	return names, err
})

// isIn reports whether a file lies in one of some folders, each a name or a path.
func isIn(name string, folders ...string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		return strings.Contains("/"+name, "/"+folder+"/")
	})
}

// A goFile is a file of Go, with its comments.
type goFile struct {
	name   string // from the root of the repository
	syntax *ast.File
	lines  *token.FileSet
}

// goFiles are the Go files of the repository, tests included, without those that are data of tests.
var goFiles = sync.OnceValues(func() (files []goFile, err error) {
	names, err := tree()
	for _, name := range names {
		if err != nil || !strings.HasSuffix(name, ".go") || isIn(name, "testdata") {
			continue
		}
		f := goFile{name: name, lines: token.NewFileSet()}
		f.syntax, err = parser.ParseFile(f.lines, filepath.Join("../..", name), nil,
			parser.ParseComments|parser.SkipObjectResolution)
		files = append(files, f)
	}
	return files, err
})

// eachSource calls do for the program's files, without its tests.
func eachSource(t *testing.T, do func(name string, file *ast.File)) {
	t.Helper()
	for _, f := range tables.Value(goFiles())(t) {
		if !strings.HasSuffix(f.name, "_test.go") && !isIn(f.name, "e2e") {
			do(f.name, f.syntax)
		}
	}
}

// testFunctions are the names of all tests, those of e2e included.
func testFunctions(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, f := range tables.Value(goFiles())(t) {
		for _, d := range f.syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && strings.HasSuffix(f.name, "_test.go") {
				names[d.Name.Name] = true
			}
		}
	}
	return names
}
