package frontmatter

import (
	"fmt"
	"strings"
	"testing"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// F: the keys that are listed are those that are read, each in the form that is said of it.
func TestHouse_KeysAreThoseThatAreRead(t *testing.T) {
	o := Config{Expiry: true, Crawlers: policy.KnownCrawlers("florabot")}
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

// A: what front matter reads under a name of its own can be no crawler's name in a configuration
// (A1g).
func TestHouse_KeysAreNoCrawlers(t *testing.T) {
	for key := range always {
		if policy.NoCrawler(key) == "" {
			t.Errorf("%s may be a crawler: pageKeys in policy/reserved.go lacks it", key)
		}
	}
}

// A path leads through maps of any type and lists, keys in any case; of two that differ by case it
// is always the same one.
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

// F: a key that only looks like ours states nothing, and says so where its value shows what was
// meant (F1f).
func TestHouse_MistypedKeysAreFindings(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/mistyped.txt") {
		doc, err := Parse([]byte(c["params"]))
		if err != nil {
			t.Fatal(c["params"], err)
		}
		problems := Read(doc.Params, Config{}).Findings
		if c["message"] == "" {
			if len(problems) > 0 {
				t.Errorf("%s: %v", c["params"], problems)
			}
			continue
		}
		if len(problems) != 1 || problems[0].Text() != c["message"] || problems[0].ID != "mistyped-key" ||
			problems[0].Severity != policy.Warning {
			t.Errorf("%s: %v, want %s", c["params"], problems, c["message"])
		}
		if r := Read(doc.Params, Config{}); len(r.Statements) > 0 {
			t.Errorf("%s states %v", c["params"], r.Statements)
		}
	}
	// What the configuration gives a meaning, or takes it from, is known.
	for _, key := range []string{"no-index", "params.no-index"} {
		o := Config{Keys: map[string]Key{key: {Ignore: true}}}
		if problems := Read(map[string]any{"params": map[string]any{"no-index": true}}, o).Findings; len(problems) > 0 {
			t.Errorf("with %s ignored: %v", key, problems)
		}
	}
}

// What a page says of AI: each use is a statement of its own, and a value of another meaning is
// reported, not refused. I2b, I2c, I2d, I2e.
func TestHouse_PreferencesAboutAI(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/ai.txt") {
		doc := tables.Value(Parse([]byte(c["params"])))(t)
		r := Read(doc.Params, Config{})
		var sum policy.Preferences
		for _, s := range r.Statements {
			sum = policy.Strictest(sum, s.AI)
		}
		findings := ""
		for _, f := range r.Findings {
			findings += f.ID
		}
		if got := fmt.Sprint(sum); got != c["states"] || findings != c["findings"] {
			t.Errorf("%s: %s %v, want %s %s", c["params"], got, r.Findings, c["states"], c["findings"])
		}
	}
}
