package frontmatter

import (
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
