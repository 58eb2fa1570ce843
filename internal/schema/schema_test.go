package schema

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"metarobots/frontmatter"
	"metarobots/internal/config"
	"metarobots/internal/tables"
	"metarobots/policy"
)

func TestMain(m *testing.M) { tables.Lazily(m) }

var update = flag.Bool("update", false, "rewrite docs/schema")

func reference(t testing.TB) []byte {
	t.Helper()
	text := tables.Value(os.ReadFile("../../config.toml"))(t)
	return text
}

// documents are all schemas, by the name of their file.
func documents(t testing.TB) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, name := range []string{"policy", "hugo", "front-matter"} {
		text := tables.Value(Document(name, reference(t)))(t)
		all[name+".json"] = text
	}
	return all
}

// compile reads a schema as validators do, which also holds it against the schema of draft-07.
func compile(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	document := tables.Value(jsonschema.UnmarshalJSON(bytes.NewReader(documents(t)[name])))(t)
	c := jsonschema.NewCompiler()
	tables.Must(t, c.AddResource(name, document))
	s := tables.Value(c.Compile(name))(t)
	return s
}

// instance is a value of TOML or YAML as a validator sees it: JSON, with dates as texts.
func instance(t testing.TB, value any) any {
	t.Helper()
	text := tables.Value(json.Marshal(value))(t)
	v := tables.Value(jsonschema.UnmarshalJSON(bytes.NewReader(text)))(t)
	return v
}

// The files in docs are what the code makes.
func TestHouse_FilesAreGenerated(t *testing.T) {
	for name, want := range documents(t) {
		file := filepath.Join("../../docs/schema", name)
		if *update {
			tables.Must(t, os.WriteFile(file, want, 0o644))
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the code makes: go test ./internal/schema -update (%v)", file, err)
		}
		compile(t, name)
	}
}

// keysOf lists the keys that a document describes.
func keysOf(t *testing.T, document []byte) (keys []string) {
	t.Helper()
	var root map[string]any
	tables.Must(t, json.Unmarshal(document, &root))
	var visit func(n map[string]any, path string)
	visit = func(n map[string]any, path string) {
		properties, _ := n["properties"].(map[string]any)
		for name, below := range properties {
			n := below.(map[string]any)
			if text, _ := n["description"].(string); text == "" {
				t.Errorf("%s%s has no description", path, name)
			}
			keys = append(keys, path+name)
			visit(n, path+name+".")
		}
		if items, ok := n["items"].(map[string]any); ok {
			visit(items, path+"[].")
		}
	}
	visit(root, "")
	slices.Sort(keys)
	return keys
}

// C: the keys of the schema are those that the decoder asks for, and no others; each is described.
func TestHouse_KeysAreTheDecoders(t *testing.T) {
	policy, hugo := []string{}, []string{"params", "params.metarobots"}
	for _, k := range config.Keys() {
		if k.Form == "" {
			t.Errorf("%s is asked for in no form", &k)
		}
		paths := []string{k.String()}
		if k.Form == config.FormNames {
			for _, name := range k.Words {
				paths = append(paths, k.String()+"."+name)
			}
		}
		for _, path := range paths {
			if strings.HasSuffix(path, ".*") {
				continue
			}
			policy = append(policy, path)
			if rest, ok := strings.CutPrefix(path, "robots."); ok {
				hugo = append(hugo, "params.metarobots."+rest)
			}
		}
	}
	for name, want := range map[string][]string{"policy.json": policy, "hugo.json": hugo} {
		slices.Sort(want)
		if got := keysOf(t, documents(t)[name]); !slices.Equal(got, want) {
			t.Errorf("%s\n got %q\nwant %q", name, got, want)
		}
	}
}

// F: the keys of front matter are those that are read, on each level.
func TestHouse_FrontMatterKeysAreTheReaders(t *testing.T) {
	var want []string
	for _, level := range frontmatter.Levels() {
		prefix := strings.Join(level, ".")
		if prefix != "" {
			want = append(want, prefix)
			prefix += "."
		}
		for key := range frontmatter.Keys(policy.Crawlers{}) {
			want = append(want, prefix+key)
		}
	}
	slices.Sort(want)
	if got := keysOf(t, documents(t)["front-matter.json"]); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// The reference configuration describes keys that there are, and nothing else.
func TestHouse_ReferenceSpeaksOfKeysThatThereAre(t *testing.T) {
	entries := tables.Value(readReference(reference(t)))(t)
	known := map[string]bool{}
	named := map[string]bool{} // tables with names
	for _, k := range config.Keys() {
		known[k.String()] = true
		if k.Form == config.FormNames {
			named[k.String()] = true
		}
	}
	for path := range entries {
		i := strings.LastIndexByte(path, '.')
		if !known[path] && !(i > 0 && named[path[:i]]) {
			t.Errorf("config.toml speaks of %s, which nobody reads", path)
		}
	}
}

// The reference configuration's comments are read by the convention at its top.
func TestHouse_CommentsDescribeKeys(t *testing.T) {
	entries := tables.Value(readReference(tables.Value(os.ReadFile("testdata/reference.toml"))(t)))(t)
	for path, want := range map[string]string{"a": "A table, in two lines.",
		"a.key": "Its key: second and last, which is no part", "a.key.[].one": "the first goes on",
		"a.x": "Both.", "a.y": "Both.", "a.b": "", "a.b.[].z": "Of the list."} {
		if e, ok := entries[path]; !ok || e.text != want {
			t.Errorf("%s: %q, want %q", path, e.text, want)
		}
	}
	if len(entries) != 7 {
		t.Errorf("%d entries: %q", len(entries), slices.Sorted(maps.Keys(entries)))
	}
	if e := entries["a.key"]; e.value == nil || e.example == nil || entries["a.y"].value != true {
		t.Errorf("%+v", entries)
	}
	if _, err := readReference([]byte("# Default: x = \n")); err == nil || !strings.HasPrefix(err.Error(), "# Default: x = : ") {
		t.Errorf("%v", err)
	}
	if _, err := Document("policy", []byte("[site]\n")); err == nil || !strings.Contains(err.Error(), "says nothing of") {
		t.Errorf("a configuration that describes nothing: %v", err)
	}
}
