package report

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"metarobots/internal/tables"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // its schema is read from its source
	"github.com/santhosh-tekuri/jsonschema/v6"

	"metarobots/internal/result"
	"metarobots/policy"
)

// oasisSchema is the schema of
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json as a library for SARIF has
// it in its source.
func oasisSchema(t *testing.T) string {
	t.Helper()
	dir := tables.Value(exec.Command("go", "list", "-f", "{{.Dir}}",
		"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output())(t)
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil,
		0)
	tables.Must(t, err)
	value := file.Scope.Lookup("schema").Decl.(*ast.ValueSpec).Values[0].(*ast.BasicLit)
	text := tables.Value(strconv.Unquote(value.Value))(t)
	return text
}

func TestOASIS_SARIFMatchesItsSchema(t *testing.T) {
	text := tables.Value(jsonschema.UnmarshalJSON(strings.NewReader(oasisSchema(t))))(t)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	tables.Must(t, c.AddResource("sarif.json", text))
	schema := tables.Value(c.Compile("sarif.json"))(t)
	validate := func(text string) error {
		v := tables.Value(jsonschema.UnmarshalJSON(strings.NewReader(text)))(t)
		return schema.Validate(v)
	}
	for name, d := range map[string]*Data{"garden": garden(), "attacked": attacked(hostile), "empty": {},
		"absolute": {Result: result.Result{Findings: []policy.Finding{
			{ID: "a", Severity: policy.Error, File: "/srv/a b/ü:1.html", Line: 2, Message: "m"},
			{ID: "b", Severity: "odd", File: "c:d.html", Message: ""}}}}} {
		if err := validate(written(t, SARIF, d, made2026)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The validator is awake.
	if validate(`{"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]}`) == nil {
		t.Error("a tool without a name is valid")
	}
	// No line is invented, none is lost (L8).
	golden := written(t, SARIF, garden(), made2026)
	lines := 0
	for _, f := range garden().Findings {
		if f.Line > 0 {
			lines++
		}
		if !strings.Contains(golden, fmt.Sprintf("\"uri\": %q", f.File)) && f.File != "" {
			t.Errorf("%s is lost", f.File)
		}
	}
	if n := strings.Count(golden, "startLine"); n != lines {
		t.Errorf("%d lines, want %d", n, lines)
	}
	if validate(strings.Replace(golden, `"startLine": 3`, `"startLine": 0`, 1)) == nil {
		t.Error("line 0 is valid")
	}
}
