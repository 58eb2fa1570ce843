package frontmatter

import (
	"fmt"
	"strings"
	"testing"

	"metarobots/policy"
)

// F: the keys that are listed are those that are read, each in the form that is said of it.
func TestHouse_KeysAreThoseThatAreRead(t *testing.T) {
	o := Options{Expiry: true, Crawlers: policy.KnownCrawlers("florabot")}
	keys := Keys(o.Crawlers)
	r := reader{options: o}
	for key, form := range keys {
		if r.options.form(strings.ToLower(key)) == "" {
			t.Errorf("%s is listed and not read", key)
		}
		for _, level := range levels {
			read := func(value any) Result {
				params := map[string]any{key: value}
				for i := len(level) - 1; i >= 0; i-- {
					params = map[string]any{level[i]: params}
				}
				return Read(params, o)
			}
			on, date := read(true), read("2030-01-31")
			states := func(r Result, text string) bool {
				return len(r.Statements) == 1 && len(r.Findings) == 0 && r.Statements[0].States() == text
			}
			var ok bool
			switch off := read(false); form {
			case FormDirectives:
				ok = len(on.Statements) == 0 && states(off, "noindex, nofollow")
			case FormCrawler:
				ok = states(off, key+": noindex, nofollow") && states(read("noai"), key+": noai") &&
					len(read("x1y2z3").Statements) == 0
			case FormNoIndex:
				ok = states(on, "noindex") && len(off.Statements) == 0
			case FormNoFollow:
				ok = states(on, "nofollow") && len(off.Statements) == 0
			case FormDate, FormExpiry:
				ok = states(date, "unavailable_after: 2030-01-31T00:00:00Z") && len(on.Findings) == 1
			case FormAI:
				ok = len(on.Statements) == 0 && len(off.Statements) == 1 &&
					off.Statements[0].AI == policy.Preferences{policy.Denied, policy.Denied, policy.Denied}
			case FormInert:
				ok = len(on.Statements) == 0 && len(on.Findings) == 1 && on.Findings[0].ID == "inert-crawler"
			}
			if !ok {
				t.Errorf("%v %s is no %s: true states %v %v, a date %v %v", level, key, form, on.Statements,
					on.Findings, date.Statements, date.Findings)
			}
		}
	}
	// And no other: what is read and close to a name stands in the list.
	for key := range keys {
		for _, near := range []string{"no" + key, strings.TrimPrefix(key, "no"), key + "s",
			strings.ReplaceAll(key, "_", ""), strings.ReplaceAll(key, "no", "no_")} {
			listed := false
			for known := range keys {
				listed = listed || strings.EqualFold(known, near)
			}
			if read := r.options.form(strings.ToLower(near)) != ""; read != listed {
				t.Errorf("%s: read %v, listed %v", near, !listed, listed)
			}
		}
	}
}

// A: what front matter reads under a name of its own can be no crawler's name in a configuration.
func TestHouse_KeysAreNoCrawlers(t *testing.T) {
	for key := range always {
		if policy.NoCrawler(key) == "" {
			t.Errorf("%s may be a crawler: pageKeys in policy/reserved.go lacks it", key)
		}
	}
}

// A path leads through maps of any type and lists, keys in any case; of two that differ by case it is always the same
// one.
func TestHouse_LookupIsOneAndTheSame(t *testing.T) {
	type params map[string]any
	value := params{"SEO": map[any]any{"Robots": []string{"noindex", "nofollow"}}, "robots": "noindex",
		"Robots": "index", "ROBOTS": 1}
	for _, c := range []struct {
		path []string
		want any
	}{
		{[]string{"seo", "robots", "1"}, "nofollow"},
		{[]string{"seo", "robots", "2"}, nil},
		{[]string{"seo", "robots", "-1"}, nil},
		{[]string{"seo", "robots", "x"}, nil},
		{[]string{"seo", "other"}, nil},
		{[]string{"robots"}, "noindex"},
		{[]string{"robots", "0"}, nil},
		{[]string{"none", "of", "it"}, nil},
	} {
		for range 20 {
			if got := Lookup(value, c.path); got != c.want {
				t.Fatalf("%q: got %v, want %v", c.path, got, c.want)
			}
		}
	}
	if got := Lookup("x", nil); got != "x" {
		t.Errorf("no path: got %s", fmt.Sprint(got))
	}
}

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

// What a page says of AI: each use is a statement of its own, and a value of another meaning is reported, not refused.
func TestHouse_PreferencesAboutAI(t *testing.T) {
	const deny, allow = policy.Denied, policy.Allowed
	for _, c := range []struct {
		params   map[string]any
		want     policy.Preferences
		findings string
	}{
		{map[string]any{"ai": false}, policy.Preferences{deny, deny, deny}, ""},
		{map[string]any{"AI": "false"}, policy.Preferences{deny, deny, deny}, ""},
		{map[string]any{"ai": map[string]any{"Training": "deny", "search": "Allow"}}, policy.Preferences{deny, allow}, ""},
		{map[string]any{"params": map[string]any{"ai": map[string]any{"input": false}}}, policy.Preferences{0, 0, deny}, ""},
		{map[string]any{"robots": map[string]any{"ai": map[string]any{"training": "deny"}}}, policy.Preferences{deny}, ""},
		{map[string]any{"robots": map[string]any{"ai": false}}, policy.Preferences{}, ""}, // noai
		{map[string]any{"ai": "Deny"}, policy.Preferences{deny, deny, deny}, ""},
		{map[string]any{"ai": map[string]any{"trainig": false}}, policy.Preferences{}, "bad-value"},
		{map[string]any{"ai": map[string]any{"models": "deny"}}, policy.Preferences{}, "bad-value"},
		{map[string]any{"ai": map[string]any{"generated": true}}, policy.Preferences{}, "other-key"},
		{map[string]any{"ai": nil}, policy.Preferences{}, ""},
		{map[string]any{"ai": true}, policy.Preferences{}, "other-key"},
		{map[string]any{"ai": "written with a model"}, policy.Preferences{}, "other-key"},
		{map[string]any{"ai": map[string]any{"model": "x"}}, policy.Preferences{}, "other-key"},
		{map[string]any{"ai": map[string]any{"training": "denied"}}, policy.Preferences{}, "bad-value"},
		{map[string]any{"ai": map[string]any{"training": "deny", "serch": "deny"}}, policy.Preferences{deny}, "bad-value"},
	} {
		r := Read(c.params, Options{})
		var sum policy.Preferences
		for _, s := range r.Statements {
			sum = policy.Strictest(sum, s.AI)
		}
		findings := ""
		for _, f := range r.Findings {
			findings += f.ID
		}
		if sum != c.want || findings != c.findings {
			t.Errorf("%v: %q %v, want %q %q", c.params, sum, r.Findings, c.want, c.findings)
		}
	}
}
