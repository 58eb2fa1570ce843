package frontmatter_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"metarobots/frontmatter"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// options of most cases: the reading of expiryDate, a crawler and keys of the site's own.
var options = frontmatter.Config{
	Expiry:   true,
	Crawlers: policy.KnownCrawlers("florabot"),
	Keys: map[string]frontmatter.Key{
		"quiet":           {Statements: own("noarchive, noimageindex")},
		"seo.hidden":      {Statements: own("noindex")},
		"garden.a.b":      {Statements: own("noai")},
		"seo.noindex":     {Statements: own("nosnippet")},
		"unlisted":        {Ignore: true},
		"params.nofollow": {Ignore: true},
	},
}

func own(text string) []policy.Statement {
	r, _ := policy.Parse(text, policy.Own)
	return []policy.Statement{r}
}

// states prints what params state: "robots: noindex, follow; googlebot: …", or the errors.
func states(params map[string]any, o frontmatter.Config) (said, errors string) {
	r := frontmatter.Read(params, o)
	var p policy.Policy
	d := p.Resolve(slices.Clone(r.Statements))
	var parts []string
	for _, tag := range d.Texts(policy.Style{}) {
		parts = append(parts, tag.Name+": "+tag.Content)
	}
	var faults []string
	for _, p := range r.Findings {
		if p.Severity == policy.Error {
			faults = append(faults, p.Text())
		}
	}
	return strings.Join(parts, "; "), strings.Join(faults, "; ")
}

// every returns front matter of YAML as each reader hands it on: from YAML, as Hugo's parameters,
// from JSON and, where it has no null, from TOML.
func every(t testing.TB, yaml string) map[string]map[string]any {
	t.Helper()
	parse := func(text, format string) map[string]any {
		doc, err := frontmatter.Parse([]byte(text))
		if err != nil || doc.Format != format {
			t.Errorf("%s: %s, want %s (%v)", text, doc.Format, format, err)
		}
		return doc.Params
	}
	params := parse("---\n"+yaml+"\n---\n", "yaml")
	all := map[string]map[string]any{"yaml": params, "parameters": hugoParams(params)}
	data := tables.Value(json.MarshalIndent(params, "", " "))(t)
	if string(data) != "null" {
		all["json"] = parse(string(data)+"\n\ntext {\n", "json")
	}
	var b bytes.Buffer
	if toml.NewEncoder(&b).Encode(params) == nil && !strings.Contains(yaml, "null") {
		all["toml"] = parse("+++\n"+b.String()+"+++\n", "toml")
	}
	return all
}

// F: every spelling of testdata/spellings.txt. YAML is what an author writes; the same values are
// read from TOML and JSON, and as Hugo hands them on (F0a).
func TestHouse_EverySpellingStatesWhatItSays(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/spellings.txt") {
		for how, params := range every(t, c["yaml"]) {
			if got, errors := states(params, options); got != c["states"] || errors != "" {
				t.Errorf("%s, %s: %q (errors %q), want %q", c["yaml"], how, got, errors, c["states"])
			}
			if c["states"] != "" && !frontmatter.Mentions(params, options) {
				t.Errorf("%s, %s: mentions nothing", c["yaml"], how)
			}
		}
	}
}

type namedMap map[string]any

// hugoParams is params as Hugo hands them on: maps and lists of types of their own, keys in lower
// case.
func hugoParams(params map[string]any) map[string]any {
	var convert func(v any) any
	convert = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			m := namedMap{}
			for _, k := range slices.Sorted(maps.Keys(v)) {
				key := strings.ToLower(k)
				if _, twin := v[key]; twin {
					key = k // Hugo would keep one of them
				}
				m[key] = convert(v[k])
			}
			return m
		case []any:
			var texts []string
			for _, e := range v {
				if s, ok := e.(string); ok {
					texts = append(texts, s)
				}
			}
			if len(texts) == len(v) {
				return texts
			}
			list := make([]any, len(v))
			for i := range v {
				list[i] = convert(v[i])
			}
			return list
		case int:
			if v >= 0 {
				return uint64(v) // what goccy/go-yaml gives
			}
			return int64(v)
		}
		return v
	}
	if m, ok := convert(params).(namedMap); ok {
		return m
	}
	return nil
}

// F, F1b, D6a, D7a: what is an error, in every format and as parameters, and what its message
// shows.
func TestHouse_FaultsAreFindingsAtTheirKeys(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/faults.txt") {
		for how, params := range every(t, c["yaml"]) {
			if _, errors := states(params, options); !strings.Contains(errors, c["fault"]) {
				t.Errorf("%s, %s: errors %q, want %q in them", c["yaml"], how, errors, c["fault"])
			}
			if !frontmatter.Mentions(params, options) {
				t.Errorf("%s, %s: mentions nothing", c["yaml"], how)
			}
		}
	}
}

// F1a: booleans in any spelling, case and type.
func TestHouse_BooleansAreReadInEveryForm(t *testing.T) {
	for _, value := range []any{"true", "yes", "on", "y", "1", "True", "YES", "On", " y ", 1, int64(1), uint64(1),
		uint8(1), 1.0, float32(1), true} {
		if on, ok := frontmatter.Truth(value); !on || !ok {
			t.Errorf("%T %v is %v %v", value, value, on, ok)
		}
	}
	for _, value := range []any{"false", "no", "off", "n", "0", "False", "NO", "Off", "N\n", 0, int64(0), uint64(0),
		uint8(0), 0.0, float32(0), false} {
		if on, ok := frontmatter.Truth(value); on || !ok {
			t.Errorf("%T %v is %v %v", value, value, on, ok)
		}
	}
	for _, value := range []any{nil, "", "2", "t", "f", "ja", "truee", 2, -1, 0.5, []any{true}, map[string]any{},
		time.Now()} {
		if on, ok := frontmatter.Truth(value); on || ok {
			t.Errorf("%v is %v %v", value, on, ok)
		}
	}
}

// D5b: dates as the readers of the formats give them.
func TestHouse_DatesAreReadInEveryForm(t *testing.T) {
	machine := time.FixedZone("", 3*3600)
	for _, c := range []struct {
		toml, want string
	}{
		{"2026-09-21T10:00:00Z", "2026-09-21T10:00:00Z"},
		{"2026-09-21T10:00:00+02:00", "2026-09-21T08:00:00Z"},
		{"2026-09-21T10:00:00.5", "2026-09-21T10:00:00Z"}, // local: UTC is meant, wherever we are
		{"2026-09-21 10:00:00", "2026-09-21T10:00:00Z"},
		{"2026-09-21", "2026-09-21T00:00:00Z"},
	} {
		doc := tables.Value(frontmatter.Parse([]byte("+++\nunavailable_after = " + c.toml + "\n+++\n")))(t)
		if got, errors := states(doc.Params, options); got != "robots: unavailable_after: "+c.want || errors != "" {
			t.Errorf("%s: %q %q, want %s", c.toml, got, errors, c.want)
		}
	}
	for value, want := range map[any]string{
		time.Date(2026, 9, 21, 1, 0, 0, 0, machine): "2026-09-20T22:00:00Z",
		stringer("2026-09-21T10:00:00"):             "2026-09-21T10:00:00Z", // a LocalDateTime
		stringer("2026-09-21"):                      "2026-09-21T00:00:00Z",
		"2026-09-21":                                "2026-09-21T00:00:00Z",
	} {
		if got, err := frontmatter.Date(value); err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%v: %v (%v), want %s", value, got, err, want)
		}
	}
	doc := tables.Value(frontmatter.Parse([]byte("+++\nunavailable_after = 07:32:00\n+++\n")))(t)
	for _, value := range []any{doc.Params["unavailable_after"], time.Time{}.AddDate(-1, 0, 0),
		time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Hour, 5, nil, true, "soon"} {
		if got, err := frontmatter.Date(value); err == nil {
			t.Errorf("%v is %v", value, got)
		}
	}
}

type stringer string

func (s stringer) String() string { return string(s) }

// keyAsFile locates a key in a file that is called like it.
func keyAsFile(path ...string) (string, int) { return frontmatter.KeyName(path), 1 }

// D3b, D3c: the statements of one front matter are one source, and an indexifembedded without
// effect is reported.
func TestGoogle_IndexIfEmbeddedWithoutNoindexIsAFinding(t *testing.T) {
	o := options
	o.Locate = keyAsFile
	r := frontmatter.Read(map[string]any{"robots": "nofollow, indexifembedded", "googlebot": "noindex"}, o)
	if len(r.Findings) != 1 || r.Findings[0].ID != "indexifembedded" || r.Findings[0].Severity != policy.Warning ||
		r.Findings[0].File != "robots" {
		t.Errorf("%v", r.Findings)
	}
}

// A4b: told to a token of robots.txt alone, a statement does nothing, and that is said.
func TestGoogle_ExtendedInFrontMatter(t *testing.T) {
	for _, params := range []map[string]any{{"google-extended": "noindex"},
		{"robots": map[string]any{"Google-Extended": "noindex"}}} {
		r := frontmatter.Read(params, options)
		if len(r.Statements) != 0 || len(r.Findings) != 1 || r.Findings[0].ID != "inert-crawler" ||
			r.Findings[0].Severity == policy.Error {
			t.Errorf("%v: %v", params, r)
		}
	}
}

// L8a: each statement names its key, and the order is that of the keys, not of the map.
func TestHouse_StatementsHaveTheirKeys(t *testing.T) {
	params := map[string]any{"robots": map[string]any{"Index": false,
		"googlebot": []any{"noai", map[string]any{"max-snippet": 5}}}, "nofollow": true,
		"params": map[string]any{"seo": map[string]any{"bingbot": "noml"}}, "seo": map[string]any{"hidden": true}}
	want := "[nofollow robots.index robots.googlebot robots.googlebot.max-snippet params.seo.bingbot seo.hidden]"
	for range 20 {
		o := options
		o.Locate = keyAsFile
		r := frontmatter.Read(params, o)
		var keys []string
		for _, s := range r.Statements {
			keys = append(keys, s.Origin.Key)
			if s.Origin.File != s.Origin.Key {
				t.Errorf("path %s, key %s", s.Origin.File, s.Origin.Key)
			}
		}
		if got := fmt.Sprint(keys); got != want {
			t.Fatalf("keys\n got %s\nwant %s", got, want)
		}
	}
}

// Value reads what stands under another key, as the configuration does.
func TestHouse_AValueStatesWhatTheKeyRobotsWould(t *testing.T) {
	r := frontmatter.Value(map[string]any{"index": false, "googlebot": "nofolow"}, []string{"params", "robots"},
		"", options)
	if len(r.Statements) != 1 || r.Statements[0].Origin.Key != "params.robots.index" {
		t.Errorf("%v", r.Statements)
	}
	if len(r.Findings) != 1 || !strings.HasPrefix(r.Findings[0].Text(), "params.robots.googlebot: ") {
		t.Errorf("%v", r.Findings)
	}
}

// What Read states or reports, Mentions mentions; and Read neither panics nor changes its argument.
func FuzzHouse_WhatIsStatedIsMentioned(f *testing.F) {
	for _, c := range tables.Read(f, "testdata/spellings.txt") {
		doc, err := frontmatter.Parse([]byte("---\n" + c["yaml"] + "\n---\n"))
		if err != nil {
			f.Fatal(err)
		}
		data, _ := json.Marshal(doc.Params)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var params map[string]any
		if json.Unmarshal(data, &params) != nil {
			return
		}
		before, _ := json.Marshal(params)
		o := options
		o.Locate = keyAsFile
		r := frontmatter.Read(params, o)
		for _, s := range r.Statements {
			if s.Origin.File != s.Origin.Key {
				t.Fatalf("%s: path %s, key %s", data, s.Origin.File, s.Origin.Key)
			}
		}
		if len(r.Statements) > 0 && !frontmatter.Mentions(params, options) {
			t.Fatalf("%s: %v, and nothing is mentioned", data, r)
		}
		for _, s := range r.Statements {
			if _, ok := options.Crawlers.Lookup(s.Crawler); s.Crawler != "" && !ok {
				t.Fatalf("%s: crawler %q", data, s.Crawler)
			}
		}
		if again := frontmatter.Read(params, o); !reflect.DeepEqual(r, again) {
			t.Fatalf("%s: read twice, %v and %v", data, r, again)
		}
		if after, _ := json.Marshal(params); !bytes.Equal(before, after) {
			t.Fatalf("%s became %s", before, after)
		}
	})
}
