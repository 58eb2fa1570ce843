package findings

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// A use is one place of the program where a finding is named.
type use struct {
	id         string
	severities []policy.Severity // that the place itself says
	at         token.Position
}

// sources are the module's packages without their tests.
type sources struct {
	files   *token.FileSet
	folders map[string][]*ast.File // the files of each package
}

// readSources parses the module's own files; a folder with a go.mod is another module.
func readSources(t *testing.T) *sources {
	t.Helper()
	s := &sources{files: token.NewFileSet(), folders: map[string][]*ast.File{}}
	const root = "../.."
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, other := os.Stat(filepath.Join(name, "go.mod"))
			if name != root && (other == nil || strings.HasPrefix(d.Name(), ".") ||
				slices.Contains([]string{"findings", "testdata", "node_modules"}, d.Name())) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(s.files, name, nil, parser.SkipObjectResolution)
		s.folders[filepath.Dir(name)] = append(s.folders[filepath.Dir(name)], f)
		return err
	})
	tables.Must(t, err)
	return s
}

// uses finds every place that names a finding: the field ID of findings, what is assigned to such a
// field, and arguments for parameters called id.
func (s *sources) uses() (all []use) {
	shared := map[string]int{} // functions by which several packages report
	for _, files := range s.folders {
		if of := files[0].Name.Name; of == "policy" || of == "robotstag" || of == "plan" {
			maps.Copy(shared, idParameters(files))
		}
	}
	maps.DeleteFunc(shared, func(name string, _ int) bool { return !ast.IsExported(name) })
	for _, files := range s.folders {
		places := maps.Clone(shared)
		maps.Copy(places, idParameters(files))
		for _, f := range files {
			add := func(at ast.Node, id ast.Expr, severities ...policy.Severity) {
				if lit, ok := id.(*ast.BasicLit); ok && lit.Kind == token.STRING && lit.Value != `""` {
					text, _ := strconv.Unquote(lit.Value)
					all = append(all, use{text, severities, s.files.Position(at.Pos())})
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					spellOut(n)
					if lastName(n.Type) != "Finding" {
						break
					}
					fields := map[string]ast.Expr{}
					for _, e := range n.Elts {
						if kv, ok := e.(*ast.KeyValueExpr); ok {
							fields[lastName(kv.Key)] = kv.Value
						}
					}
					add(n, fields["ID"], severities(fields["Severity"])...)
				case *ast.AssignStmt:
					for i, e := range n.Lhs {
						if strings.EqualFold(lastName(e), "id") && len(n.Lhs) == len(n.Rhs) {
							add(n, n.Rhs[i])
						}
					}
				case *ast.CallExpr:
					name := lastName(n.Fun)
					if i, ok := places[name]; ok && i < len(n.Args) {
						add(n, n.Args[i], append(severities(n.Args...), implied[f.Name.Name+"."+name]...)...)
					}
				}
				return true
			})
		}
	}
	return all
}

// spellOut gives the elements of a list the type that they leave out.
func spellOut(n *ast.CompositeLit) {
	list, ok := n.Type.(*ast.ArrayType)
	if !ok {
		return
	}
	for _, e := range n.Elts {
		if e, ok := e.(*ast.CompositeLit); ok && e.Type == nil {
			e.Type = list.Elt
		}
	}
}

// implied are the severities of calls that do not say theirs: policy's parser decides by whose text
// it reads.
var implied = map[string][]policy.Severity{
	"policy.fault": {policy.Error, policy.Warning},
	"policy.warn":  {policy.Warning},
	// A robots.txt and the policy that goes into it.
	"robotstxt.warn":     {policy.Warning},
	"robotstxt.newFault": {policy.Warning},
	"robotstxt.fail":     {policy.Error},
}

// idParameters returns the place of the parameter called id of a package's functions, by their
// names.
func idParameters(files []*ast.File) map[string]int {
	places := map[string]int{}
	add := func(name string, f *ast.FuncType) {
		i := 0
		for _, field := range f.Params.List {
			for _, p := range field.Names {
				if p.Name == "id" && lastName(field.Type) == "string" {
					places[name] = i
				}
				i++
			}
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				add(n.Name.Name, n.Type)
			case *ast.AssignStmt:
				for i, e := range n.Rhs {
					if lit, ok := e.(*ast.FuncLit); ok && len(n.Lhs) == len(n.Rhs) {
						add(lastName(n.Lhs[i]), lit.Type)
					}
				}
			}
			return true
		})
	}
	return places
}

// lastName is the last name of an expression: x for x, p.x and *p.x.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.StarExpr:
		return lastName(e.X)
	}
	return ""
}

// severities are the constants of package policy among expressions.
func severities(of ...ast.Expr) (all []policy.Severity) {
	for _, e := range of {
		if s := policy.Severity(strings.ToLower(lastName(e))); slices.Contains(bySeverity, s) && ast.IsExported(lastName(e)) {
			all = append(all, s)
		}
	}
	return all
}

func TestHouse_EveryFindingIsRegistered(t *testing.T) {
	used := map[string]bool{}
	for _, u := range readSources(t).uses() {
		used[u.id] = true
		if _, ok := Of(u.id); !ok {
			t.Errorf("%s: finding %q is not registered", u.at, u.id)
		}
	}
	for _, k := range Kinds() {
		if !used[k.ID] {
			t.Errorf("finding %q is registered, and nothing reports it", k.ID)
		}
	}
}

// elsewhere are severities that no place says beside the id, and why they occur all the same.
var elsewhere = map[string]string{
	"config-computed warning":    "raised where it may affect what is restricted",
	"header-overlap warning":     "what an item lacks, of an HTML page",
	"header-name error":          "by refuse, as what a header file of a server cannot say",
	"header-overlap error":       "by refuse, as what a header file of a server cannot say",
	"header-name warning":        "what an item lacks, of an HTML page",
	"header-value warning":       "what an item lacks, of an HTML page",
	"header-syntax note":         "of a line of the site's own file",
	"no-html warning":            "lowered for a folder that may hold files alone",
	"not-listed warning":         "raised where files of the site show that a host publishes all",
	"no-page error":              "raised for what is no draft",
	"no-page warning":            "lowered for drafts",
	"selects-nothing error":      "raised for a rule's match",
	"value-for-content warning":  "the id of mistaken-tag in its place, by reportForm",
	"two-configurations warning": "lowered where the tags state all that is decided",
	"two-pages error":            "raised where they state different things",

	"robotstxt-content-signal error": "of a line of the configuration, by checkTexts",
	"robotstxt-content-usage error":  "of a line of the configuration, by checkTexts",
}

func TestHouse_SeveritiesAreThoseOfTheSources(t *testing.T) {
	said := map[string]bool{}
	for _, u := range readSources(t).uses() {
		k, ok := Of(u.id)
		for _, s := range u.severities {
			said[u.id+" "+string(s)] = true
			if ok && s != k.Severity && !slices.Contains(k.Also, s) {
				t.Errorf("%s: %s as %s; it is registered as %s, %v", u.at, u.id, s, k.Severity, k.Also)
			}
		}
	}
	for _, k := range Kinds() {
		for _, s := range append([]policy.Severity{k.Severity}, k.Also...) {
			switch name := k.ID + " " + string(s); {
			case said[name] && elsewhere[name] != "":
				t.Errorf("%s: said beside the id, so it is not elsewhere", name)
			case !said[name] && elsewhere[name] == "":
				t.Errorf("%s is registered, and no place says it", name)
			}
		}
	}
	for name := range elsewhere {
		id, s, _ := strings.Cut(name, " ")
		if k, ok := Of(id); !ok || string(k.Severity) != s && !slices.Contains(k.Also, policy.Severity(s)) {
			t.Errorf("%s: elsewhere, and not registered", name)
		}
	}
}

// The search finds each form in which an id can be written.
func TestHouse_IDsAreFoundInEveryForm(t *testing.T) {
	const text = `package p
func (p *P) finding(id string, s policy.Severity, format string) {}
func tallied(t *tally, id string) {}
func unrelated(name string) {}
func f() {
	local := func(line int, id string) {}
	_ = policy.Finding{ID: "keyed", Severity: policy.Error}
	_ = []policy.Finding{{ID: "elided", Severity: policy.Note}}
	p.finding("called", policy.Warning, "format")
	tallied(nil, "tallied")
	local(1, "local")
	at.ID, at.Message = "assigned", "text"
	_ = policy.Finding{ID: "computed", Severity: computed}
	_ = Other{ID: "no-finding"}
	unrelated("no-id")
}
`
	s := &sources{files: token.NewFileSet()}
	f := tables.Value(parser.ParseFile(s.files, "p.go", text, parser.SkipObjectResolution))(t)
	s.folders = map[string][]*ast.File{"p": {f}}
	var got []string
	for _, u := range s.uses() {
		line := u.id
		for _, severity := range u.severities {
			line += " " + string(severity)
		}
		got = append(got, line)
	}
	want := []string{"keyed error", "elided note", "called warning", "tallied", "local", "assigned", "computed"}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}
