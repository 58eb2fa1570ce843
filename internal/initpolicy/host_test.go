package initpolicy

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/hosts"
	"metarobots/internal/tables"
)

func TestHouse_InitNamesTheHostByItsFiles(t *testing.T) {
	for _, c := range []struct {
		name      string
		files     map[string]string
		published string
		want      string
		told      string // the files that told it
	}{
		{"nothing", map[string]string{"package.json": "{}"}, "", "", ""},
		{"netlify", map[string]string{"netlify.toml": ""}, "", "netlify", "netlify.toml"},
		{"cloudflare", map[string]string{"wrangler.jsonc": "{}"}, "", "cloudflare", "wrangler.jsonc"},
		{"cloudflare by what is published", nil, "_routes.json", "cloudflare", "_routes.json"},
		{"netlify and cloudflare read one file", map[string]string{"netlify.toml": "", "wrangler.toml": ""}, "",
			"portable", "netlify.toml, wrangler.toml"},
		{"vercel", map[string]string{"vercel.json": "{}"}, "", "vercel", "vercel.json"},
		{"firebase hosting", map[string]string{"firebase.json": `{"hosting": {"public": "dist"}}`}, "",
			"firebase", "firebase.json"},
		{"firebase without a site", map[string]string{"firebase.json": `{"functions": {}}`}, "", "", ""},
		{"amplify by two files", map[string]string{"amplify.yml": "", "customHttp.yml": ""}, "", "amplify",
			"amplify.yml, customHttp.yml"},
		{"azure", nil, "staticwebapp.config.json", "azure", "staticwebapp.config.json"},
		{"apache", nil, ".htaccess", "apache", ".htaccess"},
		{"nginx", map[string]string{"nginx.conf": ""}, "", "nginx", "nginx.conf"},
		{"caddy", map[string]string{"Caddyfile": ""}, "", "caddy", "Caddyfile"},
		{"github pages", map[string]string{".github/workflows/site.yml": "jobs:\r\n  deploy:\r\n    steps:\r\n      - name: Deploy\r\n        uses: actions/deploy-pages@v4\r\n"}, "", "none", ".github/workflows/site.yml"},
		{"a workflow that speaks of it",
			map[string]string{".github/workflows/site.yml": "# uses: actions/deploy-pages@v4\n"}, "", "", ""},
		{"gitlab pages", map[string]string{".gitlab-ci.yml": "test:\n  script: x\npages:\n  script: y\n"}, "",
			"none", ".gitlab-ci.yml"},
		{"gitlab without a site", map[string]string{".gitlab-ci.yml": "test:\n  script: pages:\n"}, "", "", ""},
		{"two that do not agree", map[string]string{"netlify.toml": "", "vercel.json": "{}"}, "", "",
			"netlify.toml, vercel.json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := tables.Folder(t, c.files)
			public := tables.Folder(t, map[string]string{cmp.Or(c.published, "index.html"): ""})
			seen := hosts.InFolders(dir, public)
			files := strings.Join(unique(seen, func(h hosts.Seen) string { return h.By }), ", ")
			if got := agreed(seen); got != c.want || files != c.told {
				t.Errorf("target %q by %q, want %q by %q", got, files, c.want, c.told)
			}
		})
	}
}

// Every name that is listed is in the form in which names are compared, and in one group.
func TestNames_AreFound(t *testing.T) {
	seen := map[string]string{}
	for group, all := range known().Pages {
		for _, name := range all {
			if groupOf(name) != group || seen[name] != "" {
				t.Errorf("%q is of %s, found as %q, listed in %q", name, group, groupOf(name), seen[name])
			}
			seen[name] = group
		}
	}
	for name, want := range map[string]string{"Privacy-Policy": legal, "mentions_legales": legal, "Thank-You": service,
		"thanks-to-bees": "", "": "", "term": ""} {
		if got := groupOf(name); got != want {
			t.Errorf("%q is of %q, want %q", name, got, want)
		}
	}
	for _, key := range known().Keys {
		if strings.TrimSpace(key) != key || slices.Index(known().Keys, key) != slices.IndexFunc(known().Keys,
			func(k string) bool { return strings.EqualFold(k, key) }) {
			t.Errorf("%q stands twice", key)
		}
	}
}
