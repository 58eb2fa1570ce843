package plan_test

import (
	"go/ast"
	"go/types"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// modulePath is the path of this module, which whoever publishes it may change.
func modulePath(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-C", "../..", "-m").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// The packages depend on each other in one direction, and Hugo stands behind one door: everything
// but cli and site/hugo compiles in seconds.
func TestHouse_ImportsGoOneWay(t *testing.T) {
	const format = `{{.ImportPath}} {{join .Imports " "}}`
	out, err := exec.Command("go", "list", "-C", "../..", "-f", format, "./...").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	direct, everything := map[string][]string{}, []string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		direct[fields[0]] = fields[1:]
		everything = append(everything, fields[1:]...)
	}
	const hugo = "github.com/gohugoio/hugo"
	module := modulePath(t)
	ours := module + "/internal/site/hugo"

	below := func(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }
	isHugo := func(path string) bool { return below(path, hugo) || below(path, ours) }

	may, order := importsTable(t)
	short := func(path string) string {
		return strings.TrimPrefix(strings.TrimPrefix(path, module+"/"), "internal/")
	}
	for path, imports := range direct {
		name := short(path)
		if path == module || name == "cli" || below(name, "e2e") || below(name, "hugo") ||
			name == "site/hugo/family" {
			continue // programs and tests
		}
		allowed, ok := may[name]
		if !ok {
			t.Errorf("%s has no row in the table of imports", name)
		}
		for _, other := range imports {
			if strings.HasPrefix(other, module+"/") && !slices.Contains(allowed, short(other)) {
				t.Errorf("%s imports %s", name, short(other))
			}
			if slices.Index(order, short(other)) > slices.Index(order, name) {
				t.Errorf("%s imports %s, which stands below it: a later stage", name, short(other))
			}
			if isHugo(other) && path != ours {
				t.Errorf("%s imports Hugo, which cli and site/hugo alone may", name)
			}
		}
	}
	// It imports none of ours, so these are all.
	for _, path := range direct[module+"/policy"] {
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") || first == module {
			t.Errorf("policy imports %s, which is not of the standard library", path)
		}
	}
	// The libraries that the program is made with: each is imported by a package of it, beside the
	// tests.
	for _, library := range []string{hugo, "github.com/adrg/frontmatter", "github.com/BurntSushi/toml",
		"github.com/yuin/goldmark"} {
		if !slices.ContainsFunc(everything, func(path string) bool { return below(path, library) }) {
			t.Errorf("nothing imports %s", library)
		}
	}
}

// importsTable reads from docs/design.md what each package may import of ours, and the order of the
// packages.
func importsTable(t *testing.T) (may map[string][]string, order []string) {
	t.Helper()
	text := tables.Value(os.ReadFile("../../docs/design.md"))(t)
	_, table, ok := strings.Cut(string(text), "| package | knows | imports of ours |\n|---|---|---|\n")
	if !ok {
		t.Fatal("docs/design.md has no table of imports")
	}
	may = map[string][]string{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 3 {
			break
		}
		name := strings.TrimPrefix(strings.Trim(cells[0], " `"), "internal/")
		may[name] = nil
		order = append(order, name)
		for other := range strings.SplitSeq(cells[2], ",") {
			may[name] = append(may[name], strings.TrimSpace(other))
		}
	}
	return may, order
}

// House: what has a name in the program's own terms has one type.
func TestHouse_OneTypeForEachTerm(t *testing.T) {
	terms := map[string]string{"Finding": "policy", "Severity": "policy", "Tag": "policy", "Statement": "policy",
		"Directives": "policy", "Decision": "policy", "Crawler": "policy", "Rule": "policy", "Origin": "policy",
		"Want": "emit/robotstag", "Environment": "internal/config", "Problem": "", "Marker": ""}
	// A rule of a header file and a decision in its public form are other things, and say so by
	// their packages.
	others := []string{"emit/headers.Rule", "emit/links.Rule", "emit/robotstxt.Rule"}
	eachSource(t, func(name string, file *ast.File) {
		folder := path.Dir(name)
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			home, term := terms[spec.Name.Name]
			if term && home != folder && !slices.Contains(others, folder+"."+spec.Name.Name) {
				t.Errorf("%s: a second type %s; the one is of package %q", name, spec.Name.Name, home)
			}
			return true
		})
	})
}

// House: a type of ours is embedded for what it promotes, and not to have fewer fields. These are
// all, and why.
func TestHouse_EmbeddingIsAnException(t *testing.T) {
	allowed := map[string]string{
		"internal/site policy.Subject":    "a published file is what a decision is about, and is asked as such everywhere",
		"internal/report result.Result":   "its members are those of a report in JSON",
		"internal/result Asked":           "its members are those of a page in JSON",
		"internal/result Changes":         "its members are those of a summary in JSON",
		"internal/result Counts":          "its members are those of a summary in JSON",
		"internal/result Settings":        "its members are those of a summary in JSON",
		"internal/result Facts":           "its members are those of a page in JSON",
		"internal/snapshot seen.Told":     "its members are those of an entry in JSON",
		"internal/schema node":            "its keywords are those of a document in JSON",
		"internal/schema object":          "its keywords are those of a schema in JSON",
		"internal/seen policy.Directives": "a text is asked what it states",
		"internal/cli command":            "its streams, and the methods that each command has in common with the others",
		"internal/cli siteCommand":        "a command that reads a site is asked to open it and to plan it",
		"internal/cli resultCommand":      "build, apply and check end alike",
	}
	embeds, module := map[string]bool{}, modulePath(t)
	eachSource(t, func(name string, file *ast.File) {
		imports := map[string]string{} // paths by the names that the file uses
		for _, spec := range file.Imports {
			imported := strings.Trim(spec.Path.Value, `"`)
			imports[path.Base(imported)] = imported
			if spec.Name != nil {
				imports[spec.Name.Name] = imported
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			fields, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			for _, field := range fields.Fields.List {
				embedded := types.ExprString(field.Type)
				of, _, foreign := strings.Cut(strings.TrimPrefix(embedded, "*"), ".")
				ours := !foreign && ast.IsExported(of) || !foreign && !slices.Contains([]string{"error", "any"}, of) ||
					strings.HasPrefix(imports[of], module+"/")
				if key := path.Dir(name) + " " + embedded; len(field.Names) == 0 && ours {
					if embeds[key] = true; allowed[key] != "" {
						continue
					}
					t.Errorf("%s embeds %s: name the field, or say here what it is that it promotes", name, embedded)
				}
			}
			return true
		})
	})
	for key := range allowed {
		if !embeds[key] {
			t.Errorf("%s is not embedded any more", key)
		}
	}
	if len(allowed) > 14 {
		t.Errorf("%d types are embedded", len(allowed))
	}
}
