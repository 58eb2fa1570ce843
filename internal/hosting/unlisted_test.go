package hosting_test

import (
	"fmt"
	"slices"
	"testing"

	"metarobots/internal/tables"
)

// M6v: a host that publishes what is not listed is named, surely if its own files show that.
func TestHouse_HostsThatPublishWhatIsNotListed(t *testing.T) {
	const git, both, packages, workers = "out/.git: ", ".git and node_modules", "out/node_modules: ", "Cloudflare Workers"
	const notListed = ", and metarobots does not list what is in there"
	workersFile := "[assets]\ndirectory = \"out\"\n"
	firebase := func(ignore string) map[string]string {
		return map[string]string{"firebase.json": `{"hosting": {"public": "out", "ignore": [` + ignore + `]}}`}
	}
	for _, c := range []struct {
		target string
		files  map[string]string
		want   []string
	}{
		{"portable", nil, nil},
		{"netlify", nil, nil},
		{"cloudflare", nil, nil},
		{"cloudflare", map[string]string{"wrangler.toml": "pages_build_output_dir = \"out\"\n"}, nil},
		{"cloudflare", map[string]string{"wrangler.toml": workersFile},
			[]string{"warning " + git + workers + " publishes " + both}},
		{"portable", map[string]string{"wrangler.toml": workersFile, "out/.assetsignore": "# a\n.git\n"},
			[]string{"warning " + packages + workers + " publishes node_modules"}},
		{"portable", map[string]string{"wrangler.toml": workersFile, "out/.assetsignore": "/.*/\r\n**/node_modules/**"}, nil},
		{"vercel", nil, nil},
		{"amplify", nil, []string{"note " + git + "AWS Amplify may publish .git"}},
		{"portable\", \"apache", nil, []string{"note " + git + "Apache may publish " + both}},
		{"apache", nil, []string{"note " + git + "Apache may publish " + both}},
		{"none", nil, []string{"note " + packages + "a host without headers may publish node_modules"}},
		{"firebase", nil, []string{"note " + git + "Firebase Hosting may publish " + both}},
		{"firebase", firebase(`"firebase.json", "**/.*", "**/node_modules/**"`),
			[]string{"warning " + git + "Firebase Hosting publishes .git"}},
		{"firebase", firebase(`".git/**", "node_modules/**"`), nil},
	} {
		h := tables.Value(read(t, c.target, c.files))(t)
		var got, want []string
		for _, f := range h.ReportUnlisted([]string{".git", "node_modules"}) {
			got = append(got, fmt.Sprintf("%s %s: %s", f.Severity, f.File, f.Message))
		}
		for _, finding := range c.want {
			want = append(want, finding+notListed)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s with %q: %q, want %q", c.target, c.files, got, want)
		}
	}
}

// M6v: of many the first two are named, and the others are counted.
func TestHouse_ManyUnlistedFoldersAreOneFinding(t *testing.T) {
	h := tables.Value(read(t, "nginx", nil))(t)
	found := h.ReportUnlisted([]string{".git", "a/.git", "b/.git", "node_modules"})
	const want = "nginx may publish .git, a/.git and 2 others, and metarobots does not list what is in there"
	if len(found) != 1 || found[0].Message != want {
		t.Errorf("%+v, want %q", found, want)
	}
}
