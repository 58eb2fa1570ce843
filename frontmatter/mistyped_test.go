package frontmatter

import (
	"testing"

	"metarobots/policy"
)

// F: a key that only looks like ours states nothing, and says so where its value shows what was meant.
func TestHouse_MistypedKeysAreFindings(t *testing.T) {
	for _, test := range []struct {
		params  map[string]any
		message string
	}{
		{map[string]any{"robot": "noindex"}, `robot: this key has no effect (did you mean "robots"?)`},
		{map[string]any{"Robos": "none"}, `robos: this key has no effect (did you mean "robots"?)`},
		{map[string]any{"no-index": true}, `no-index: this key has no effect (did you mean "noindex"?)`},
		{map[string]any{"robots-noindex": true},
			`robots-noindex: this key has no effect (did you mean "noindex"?)`},
		{map[string]any{"no-robots": true}, `no-robots: this key has no effect (did you mean "noindex"?)`},
		{map[string]any{"noidnex": "yes"}, `noidnex: this key has no effect (did you mean "noindex"?)`},
		{map[string]any{"params": map[string]any{"no-follow": 1}},
			`params.no-follow: this key has no effect (did you mean "nofollow"?)`},
		{map[string]any{"meta_robots": []any{"noindex", "nofollow"}},
			`meta_robots: this key has no effect (did you mean "robots"?)`},
		{map[string]any{"unavailable-after": "2030-01-02"},
			`unavailable-after: this key has no effect (did you mean "unavailable_after"?)`},
		{map[string]any{"unavailable_until": "2030-01-02"},
			`unavailable_until: this key has no effect (did you mean "unavailable_after"?)`},
		{map[string]any{"unavailible_after": "2030-01-02"},
			`unavailible_after: this key has no effect (did you mean "unavailable_after"?)`},
		{map[string]any{"google": "noindex"}, `google: this key has no effect (did you mean "googlebot"?)`},
		{map[string]any{"bing": "noindx"}, `bing: this key has no effect (did you mean "bingbot"?)`},
		{map[string]any{"seo": "noindx"}, `seo: this key has no effect (did you mean "robots"?)`},
		{map[string]any{"meta": "noindex/nofollow"}, `meta: this key has no effect (did you mean "robots"?)`},
		{map[string]any{"params": map[string]any{"meta": "none"}},
			`params.meta: this key has no effect (did you mean "robots"?)`},
		{map[string]any{"googelbot": "noindex"}, `googelbot: this key has no effect (did you mean "googlebot"?)`},
		{map[string]any{"params": map[string]any{"bing-bot": []any{"noindex", "nofollow"}}},
			`params.bing-bot: this key has no effect (did you mean "bingbot"?)`},
		{map[string]any{"nosnippet": true}, `nosnippet: this key has no effect (did you mean "robots: nosnippet"?)`},
		{map[string]any{"params": map[string]any{"noAI": "yes"}},
			`params.noai: this key has no effect (did you mean "robots: noai"?)`},
		{map[string]any{"max-snippet": 0}, `max-snippet: this key has no effect (did you mean "robots: max-snippet:0"?)`},
		{map[string]any{"index": false}, `index: this key has no effect (did you mean "noindex: true"?)`},
		{map[string]any{"seo": map[string]any{"follow": "no"}},
			`seo.follow: this key has no effect (did you mean "nofollow: true"?)`},
		{map[string]any{"meta": []any{map[string]any{"name": "author", "content": "none"},
			map[string]any{"name": "Robots", "content": "noindex"}}},
			`meta: this key has no effect (did you mean "robots"?)`},
		{map[string]any{"robots": nil}, `robots: this key has no value, and so no effect`},
		{map[string]any{"params": map[string]any{"noIndex": nil}},
			`params.noindex: this key has no value, and so no effect`},
		{map[string]any{"googlebot": nil}, `googlebot: this key has no value, and so no effect`},
	} {
		problems := Mistyped(test.params, Options{})
		if len(problems) != 1 || problems[0].Message != test.message || problems[0].ID != "mistyped-key" ||
			problems[0].Severity != policy.Warning {
			t.Errorf("%v: %v, want %s", test.params, problems, test.message)
		}
		if r := Read(test.params, Options{}); len(r.Statements) > 0 {
			t.Errorf("%v states %v", test.params, r.Statements)
		}
	}
	for _, params := range []map[string]any{
		{"robots": "noindex"}, {"noindex": true}, {"no_index": true}, // read
		{"robot": "R2-D2"}, {"unavailable": true}, {"unavailable_until": "sold out"}, {"robots_txt": "noindex"}, {"no-index": false}, {"index": true}, {"nodes": true},
		{"notes": "noindex"}, {"name": "none"},
		{"robot": map[string]any{"name": "noindex"}}, {"meta_robots": []any{}}, {"roots": true},
		{"seo": "noindex"}, {"bing": "noindex"}, // read
		{"googelbot": "a robot"}, {"title": nil}, {"robots": ""}, {"expirydate": nil}, {"nosnippet": false}, {"all": true}, {"max-snippet": "long"},
		{"index": "A"},
		{"meta": []any{map[string]any{"name": "author", "content": "noindex"}, "robots"}},
		{"seo": "An index"}, {"meta": true}, {"google": "dBw5CvburAxi537"}, {"seo": []any{}},
	} {
		if problems := Mistyped(params, Options{}); len(problems) > 0 {
			t.Errorf("%v: %v", params, problems)
		}
	}
	// What the configuration gives a meaning, or takes it from, is known.
	for _, key := range []string{"no-index", "params.no-index"} {
		o := Options{Keys: map[string]Key{key: {Ignore: true}}}
		if problems := Mistyped(map[string]any{"params": map[string]any{"no-index": true}}, o); len(problems) > 0 {
			t.Errorf("with %s ignored: %v", key, problems)
		}
	}
}
