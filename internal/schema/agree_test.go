package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"metarobots/frontmatter"
	"metarobots/internal/config"
	"metarobots/policy"
)

// agree holds what the code says of a value against what the schema says: the schema never refuses
// what is valid, and it refuses what is not, but for texts, which the program itself judges.
func agree(t *testing.T, key string, value any, accepted, valid error) {
	t.Helper()
	switch name := fmt.Sprintf("%s = %v", key, value); {
	case accepted == nil && valid != nil:
		t.Errorf("the schema refuses what is valid: %s\n%v", name, valid)
	case accepted != nil && valid == nil && !holdsText(value):
		t.Errorf("the schema accepts what is not valid: %s\n%v", name, accepted)
	}
}

// holdsText reports whether a value is a text or holds one.
func holdsText(value any) bool {
	switch v := value.(type) {
	case string:
		return true
	case []any:
		return slices.ContainsFunc(v, holdsText)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), holdsText)
	}
	return false
}

// battery are values that a key may be given, right and wrong.
var battery = []any{
	true, false, int64(0), int64(1), int64(5), int64(-1), 0.25, 1.5, "", "true", "No", "1", "0.25", "perhaps",
	"noindex", "noindex, nofollow", "noindx", "googlebot: noindex", "ignore",
	"/a/**", "a/**", "/:slug/", "auto", "netlify, apache", "nohost", "page", "page, section", "ai-training", "ugc",
	"merge", "drop", "keep", "hugo", "two-files", "no-finding",
	[]any{}, []any{"noindex", "max-snippet:50"}, []any{"noindx"}, []any{int64(5)}, []any{"/a"}, []any{"a"},
	[]any{"page"}, []any{"apache"}, []any{"ugc"}, []any{"ai-search"}, []any{"florabot"},
	map[string]any{}, map[string]any{"index": false}, map[string]any{"unknown": "noindex"},
}

// directiveBattery are further values of keys that hold directives.
var directiveBattery = []any{
	"NoIndex,  NOARCHIVE ,", "noindex nofollow", "noindex/nofollow", "max-snippet:50", "max-snippet : -1",
	"max-snippet:many", "max-snippet:-7", "max-image-preview:large", "max-image-preview:huge",
	"unavailable_after: 25 Jun 2030 15:00:00 PST, noai", "unavailable_after: soon", "indexifembedded", "none",
	[]any{map[string]any{"max-snippet": int64(50)}}, []any{map[string]any{"noindx": true}},
	[]any{map[string]any{"googlebot": "noai"}},
	map[string]any{"index": "perhaps"}, map[string]any{"archive": "no", "max-snippet": "50",
		"max-image-preview": "large"}, map[string]any{"noindx": true},
	map[string]any{"max-snippet": "many"}, map[string]any{"max-video-preview": -3},
	map[string]any{"max-image-preview": "huge"}, map[string]any{"unavailable_after": "2030-01-31"},
	map[string]any{"unavailableAfter": "soon"},
	map[string]any{"googlebot": "noindex"}, map[string]any{"googlebot": []any{"noindx"}},
	map[string]any{"googlebot": map[string]any{"bingbot": "noindex"}}, map[string]any{"robots": "noindex"},
	map[string]any{"all": true}, map[string]any{"all": false}, map[string]any{"google-extended": "noindex"},
}

// policyWith is a policy file that gives one key a value, and everything else that the key's table
// needs.
func policyWith(keys []config.Key, k *config.Key, value any) map[string]any {
	for i := len(k.Path) - 1; i >= 0; i-- {
		switch name := k.Path[i]; name {
		case "[]":
			value = []map[string]any{value.(map[string]any)}
		case "*":
			names := keys[slices.IndexFunc(keys,
				func(known config.Key) bool { return known.String() == strings.Join(k.Path[:i], ".") })].Words
			if len(names) == 0 {
				names = []string{"x"}
			}
			value = map[string]any{names[0]: value}
		default:
			m := map[string]any{name: value}
			for needed, v := range map[string]map[string]any{
				"robots.rules.[]":       {"match": []any{"/a"}, "robots": "noindex"},
				"robots.suppress.[]":    {"id": "two-files"},
				"robots.links.rules.[]": {"rel": "ugc"},
			} {
				if strings.Join(k.Path[:i], ".") == needed {
					for key := range v {
						if _, ok := m[key]; !ok {
							m[key] = v[key]
						}
					}
				}
			}
			value = m
		}
	}
	return value.(map[string]any)
}

// tryPolicy holds what the code says of a policy file against what the schema says; false for what
// no TOML has.
func tryPolicy(t *testing.T, s *jsonschema.Schema, name string, value any, file map[string]any) bool {
	t.Helper()
	var text bytes.Buffer
	if err := toml.NewEncoder(&text).Encode(file); err != nil {
		return false
	}
	agree(t, name, value, config.Check("metarobots.toml", text.Bytes()), s.Validate(instance(t, file)))
	return true
}

// C: at every key, the schema accepts what the code accepts. A table of another kind than its own,
// an unknown key and a key that is missing are seen by both.
func TestHouse_PolicySchemaAgreesWithTheDecoder(t *testing.T) {
	s := compile(t, "policy.json")
	keys := config.Keys()
	known := func(path string) bool {
		return slices.ContainsFunc(keys, func(k config.Key) bool { return k.String() == path })
	}
	n := 0
	for _, k := range keys {
		values := battery
		switch k.Form {
		case config.FormDirectives, config.FormEnvironment, config.FormWords, config.FormKey:
			values = slices.Concat(battery, directiveBattery)
		case config.FormTable, config.FormTables, config.FormNames:
			values = []any{true, int64(5), "", "noindex", []any{}, []any{"/a"}, map[string]any{},
				map[string]any{"unknown": "noindex"}}
		}
		for _, value := range values {
			if tryPolicy(t, s, k.String(), value, policyWith(keys, &k, value)) {
				n++
			}
		}
		if k.Form != config.FormTables {
			continue
		}
		whole := map[string]any{"match": []any{"/a"}, "robots": "noindex", "agents": map[string]any{"bingbot": "noai"},
			"id": "two-files", "rel": "ugc"}
		maps.DeleteFunc(whole, func(key string, _ any) bool { return !known(k.String() + ".[]." + key) })
		tries := map[string]map[string]any{"whole": whole, "without anything": {}}
		for key := range whole {
			part := maps.Clone(whole)
			delete(part, key)
			tries["without "+key] = part
			tries["with an unknown key in place of "+key] = maps.Clone(part)
			tries["with an unknown key in place of "+key]["unknown"] = true
		}
		for name, table := range tries {
			tryPolicy(t, s, k.String(), name, policyWith(keys, &k, []any{table}))
		}
	}
	t.Logf("%d values at %d keys", n, len(keys))
}

// readFrontMatter is what the code says of front matter.
func readFrontMatter(params map[string]any) error {
	for _, p := range frontmatter.Read(params, frontmatter.Config{}).Findings {
		if p.Severity == policy.Error {
			return fmt.Errorf("%s", p.Text())
		}
	}
	return nil
}

// F: at every key of front matter and on every level, the schema accepts what the code accepts.
func TestHouse_FrontMatterSchemaAgreesWithTheReader(t *testing.T) {
	s := compile(t, "front-matter.json")
	n := 0
	for _, level := range frontmatter.Levels() {
		for key, form := range frontmatter.Keys(policy.Crawlers{}) {
			for _, value := range slices.Concat([]any{nil, "2030-01-31", "2030-01-31T10:00:00+02:00", []any{nil}},
				battery, directiveBattery) {
				params := map[string]any{key: value}
				for i := len(level) - 1; i >= 0; i-- {
					params = map[string]any{level[i]: params}
				}
				n++
				// What differs differs for every key of the form and on every level.
				agree(t, string(form), value, readFrontMatter(params), s.Validate(instance(t, params)))
			}
		}
	}
	t.Logf("%d values", n)
}

// vectors reads the cases of a file.
func vectors[T any](t *testing.T, file string) []T {
	t.Helper()
	data, err := os.ReadFile(file)
	var v struct{ Cases []T }
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil || len(v.Cases) == 0 {
		t.Fatalf("%s: %d cases, %v", file, len(v.Cases), err)
	}
	return v.Cases
}

// Every vector: the configurations and the front matter of decide.json, the front matter of
// frontmatter.json.
func TestVectors_SchemasAgreeWithTheCode(t *testing.T) {
	policySchema, pageSchema := compile(t, "policy.json"), compile(t, "front-matter.json")
	type page struct{ FrontMatter map[string]any }
	for _, v := range vectors[struct {
		ID, Config  string
		FrontMatter map[string]any
		Page        struct{ Bundle struct{ Pages []page } }
	}](t, "../plan/testdata/decide.json") {
		file := map[string]any{}
		if _, err := toml.Decode(v.Config, &file); err != nil {
			t.Fatal(v.ID, err)
		}
		agree(t, "decide", v.ID, config.Check("metarobots.toml", []byte(v.Config)),
			policySchema.Validate(instance(t, file)))
		for _, p := range append(v.Page.Bundle.Pages, page{v.FrontMatter}) {
			if p.FrontMatter != nil {
				agree(t, "decide, front matter", v.ID, readFrontMatter(p.FrontMatter),
					pageSchema.Validate(instance(t, p.FrontMatter)))
			}
		}
	}
	for _, v := range vectors[struct{ ID, Text string }](t, "../../frontmatter/testdata/frontmatter.json") {
		doc, err := frontmatter.Parse([]byte(v.Text))
		if err != nil || doc.Params == nil {
			continue // it is no YAML, TOML or JSON, or never closed: no editor comes to ask a schema
		}
		agree(t, "frontmatter", v.ID, readFrontMatter(doc.Params), pageSchema.Validate(instance(t, doc.Params)))
	}
}
