package policy_test

import (
	"slices"
	"strings"
	"testing"

	"metarobots/frontmatter"
	"metarobots/internal/schema"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// Every row of the table says what its directive does, and where that is documented.
func TestHouse_DirectivesAreDescribed(t *testing.T) {
	for _, d := range policy.AllDirectives() {
		if !strings.HasPrefix(d.Source, "https://") || !strings.HasSuffix(d.Means, ".") {
			t.Errorf("%s: %q %q", d.Name, d.Means, d.Source)
		}
	}
}

// A new directive is one row: it is parsed, decided, explained and printed, suggested where it is
// mistyped, read in a map of front matter, and in the schema for editors.
func TestHouse_NewDirectiveIsOneRow(t *testing.T) {
	stated := func(value any) (policy.Directives, []policy.Finding) {
		front := frontmatter.Read(map[string]any{"robots": value}, frontmatter.Config{})
		var sum policy.Directives
		for _, s := range front.Statements {
			sum = policy.MostRestrictive(sum, s.Directives)
		}
		return sum, front.Findings
	}
	if d, problems := policy.Parse("nopodcast", policy.Own); !d.Directives.IsZero() || len(problems) == 0 {
		t.Fatalf("without its row: %v %v", d, problems)
	}
	policy.WithFlag("nopodcast", "No podcast is made of the page.", "https://example.org/nopodcast", func() {
		r, problems := policy.Parse("NoPodcast, noindex, noml", policy.Own)
		if got := r.Directives.String(); got != "noindex, follow, noml, nopodcast" || len(problems) > 0 {
			t.Errorf("parsed: %q %v", got, problems)
		}
		d := (&policy.Policy{}).Resolve([]policy.Statement{{Directives: r.Directives}})
		want := policy.Tag{Name: "robots", Content: "noindex, follow, noml, nopodcast"}
		if tags := d.Metas(policy.Style{}); len(tags) != 1 || tags[0] != want {
			t.Errorf("tags %v", tags)
		}
		if header := d.Header(policy.Style{}); len(header) != 1 || header[0] != want.Content {
			t.Errorf("header %q", header)
		}
		if !slices.ContainsFunc(d.Causes("", policy.Style{}), func(c policy.Cause) bool {
			return c.Word.Text == "nopodcast" && len(c.By) == 1
		}) {
			t.Error("it is not explained")
		}
		if _, problems := policy.Parse("nopodcst", policy.Own); len(problems) != 1 ||
			!strings.Contains(problems[0].Text(), `did you mean "nopodcast"?`) {
			t.Errorf("mistyped: %v", problems)
		}
		if _, problems := policy.Parse("podcast", policy.Own); len(problems) > 0 {
			t.Errorf("its opposite: %v", problems)
		}
		for _, value := range []any{map[string]any{"nopodcast": true}, map[string]any{"podcast": false}} {
			if d, findings := stated(value); d.String() != "nopodcast" || len(findings) > 0 {
				t.Errorf("front matter %v: %q %v", value, d, findings)
			}
		}
		made := tables.Value(schema.Document("front-matter", nil))(t)
		text := string(made)
		for _, want := range []string{`"nopodcast": {`, `"podcast": {`, "No podcast is made of the page.",
			"https://example.org/nopodcast"} {
			if !strings.Contains(text, want) {
				t.Errorf("the schema lacks %s", want)
			}
		}
	})
	if _, _, ok := policy.Lookup("nopodcast"); ok {
		t.Error("the row stayed")
	}
}
