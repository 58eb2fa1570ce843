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
	"metarobots/frontmatter"
	"metarobots/internal/config"
	"metarobots/policy"
)

// agree holds what the code says of a value against what the schema says: the schema never refuses what is valid, and
// it refuses what is not, but for texts, which the program itself judges.
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

// policyWith is a policy file that gives one key a value, and everything else that the key's table needs.
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

// C: at every key, the schema accepts what the code accepts.
func TestHouse_PolicySchemaAgreesWithTheDecoder(t *testing.T) {
	s := compile(t, "policy.json")
	keys := config.Keys()
	n := 0
	for _, k := range keys {
		if k.Form == config.FormTable || k.Form == config.FormTables || k.Form == config.FormNames {
			continue // their keys are tried one by one
		}
		values := battery
		if k.Form == config.FormDirectives {
			values = slices.Concat(battery, directiveBattery)
		}
		for _, value := range values {
			file := policyWith(keys, &k, value)
			var text bytes.Buffer
			if err := toml.NewEncoder(&text).Encode(file); err != nil {
				continue // no TOML has it
			}
			n++
			agree(t, k.String(), value, config.Check("metarobots.toml", text.Bytes()),
				s.Validate(instance(t, file)))
		}
	}
	t.Logf("%d values at %d keys", n, len(keys))
}

// C: a table of another kind than its own, an unknown key and a key that is missing are seen by both.
func TestHouse_PolicySchemaKnowsTables(t *testing.T) {
	s := compile(t, "policy.json")
	keys := config.Keys()
	try := func(name string, value any, file map[string]any) {
		t.Helper()
		var text bytes.Buffer
		if err := toml.NewEncoder(&text).Encode(file); err != nil {
			t.Fatal(err)
		}
		agree(t, name, value, config.Check("metarobots.toml", text.Bytes()), s.Validate(instance(t, file)))
	}
	for _, k := range keys {
		switch k.Form {
		case config.FormTable, config.FormTables, config.FormNames:
			for _, value := range []any{true, int64(5), "", "noindex", []any{}, []any{"/a"}, map[string]any{},
				map[string]any{"unknown": "noindex"}} {
				try(k.String(), value, policyWith(keys, &k, value))
			}
		}
		if k.Form != config.FormTables {
			continue
		}
		whole := map[string]any{"match": []any{"/a"}, "robots": "noindex", "agents": map[string]any{"bingbot": "noai"},
			"id": "two-files", "rel": "ugc"}
		for key := range whole {
			if !slices.ContainsFunc(keys,
				func(known config.Key) bool { return known.String() == k.String()+".[]."+key }) {
				delete(whole, key)
			}
		}
		try(k.String(), "whole", policyWith(keys, &k, []any{whole}))
		try(k.String(), "without anything", policyWith(keys, &k, []any{map[string]any{}}))
		for key := range whole {
			part := maps.Clone(whole)
			delete(part, key)
			try(k.String(), "without "+key, policyWith(keys, &k, []any{part}))
			part["unknown"] = true
			try(k.String(), "with an unknown key", policyWith(keys, &k, []any{part}))
		}
	}
}

// readFrontMatter is what the code says of front matter.
func readFrontMatter(params map[string]any) error {
	for _, p := range frontmatter.Read(params, frontmatter.Options{}).Findings {
		if p.Severity == policy.Error {
			return fmt.Errorf("%s", p.Message)
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
	if err != nil {
		t.Fatal(err)
	}
	var v struct{ Cases []T }
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Cases) == 0 {
		t.Fatalf("%s has no cases", file)
	}
	return v.Cases
}

// Every vector: the configurations and the front matter of decide.json, the front matter of frontmatter.json, the texts
// of resolve.json as front matter would have them.
func TestVectors_SchemasAgreeWithTheCode(t *testing.T) {
	policySchema, pageSchema := compile(t, "policy.json"), compile(t, "front-matter.json")
	n := 0
	for _, v := range vectors[struct {
		ID, Config  string
		FrontMatter map[string]any
		Page        struct {
			Bundle *struct {
				Pages []struct{ FrontMatter map[string]any }
			}
		}
	}](t, "../plan/testdata/decide.json") {
		var file map[string]any
		if _, err := toml.Decode(v.Config, &file); err != nil {
			t.Fatal(v.ID, err)
		}
		if file == nil {
			file = map[string]any{}
		}
		agree(t, "decide", v.ID, config.Check("metarobots.toml", []byte(v.Config)),
			policySchema.Validate(instance(t, file)))
		pages := []map[string]any{v.FrontMatter}
		if v.Page.Bundle != nil {
			for _, p := range v.Page.Bundle.Pages {
				pages = append(pages, p.FrontMatter)
			}
		}
		for _, params := range pages {
			if params != nil {
				n++
				agree(t, "decide, front matter", v.ID, readFrontMatter(params),
					pageSchema.Validate(instance(t, params)))
			}
		}
		n++
	}
	for _, v := range vectors[struct{ ID, Text string }](t, "../../frontmatter/testdata/frontmatter.json") {
		doc, err := frontmatter.Parse([]byte(v.Text))
		if err != nil {
			continue // it is no YAML, TOML or JSON, or never closed: no editor comes to ask a schema
		}
		params := doc.Params
		if params == nil {
			params = map[string]any{}
		}
		n++
		agree(t, "frontmatter", v.ID, readFrontMatter(params), pageSchema.Validate(instance(t, params)))
	}
	for _, v := range vectors[struct {
		ID      string
		Sources []string
	}](t, "../../policy/testdata/resolve.json") {
		for i, text := range v.Sources {
			n++
			agree(t, "resolve", fmt.Sprintf("%s.%d", v.ID, i), readFrontMatter(map[string]any{"robots": text}),
				pageSchema.Validate(map[string]any{"robots": text}))
		}
	}
	t.Logf("%d documents", n)
}
