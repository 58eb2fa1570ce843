package frontmatter

import (
	"testing"

	"metarobots/policy"
)

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
