package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"metarobots/internal/result"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// An example is a section of docs/migrate.md: the files of a site, and what its pages carry before and after.
type example struct {
	name  string
	files map[string]string
	rows  [][3]string // the address, before, after
}

var (
	namedBlock = regexp.MustCompile("(?ms)^`([^`\n]+)`:\n\n```\\w+\n(.*?)^```$")
	tableRow   = regexp.MustCompile(`(?m)^\| (/\S*) \| (.+?) \| (.+?) \|$`)
)

func examples(t *testing.T) (all []example) {
	t.Helper()
	text := tables.Value(os.ReadFile("docs/migrate.md"))(t)
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		name, body, _ := strings.Cut(section, "\n")
		x := example{name: name, files: map[string]string{}}
		for _, m := range namedBlock.FindAllStringSubmatch(body, -1) {
			x.files[m[1]] = m[2]
		}
		for _, m := range tableRow.FindAllStringSubmatch(body, -1) {
			x.rows = append(x.rows, [3]string(m[1:4]))
		}
		if x.files["metarobots.toml"] == "" || len(x.rows) < 2 {
			t.Errorf("%s: no policy, or no pages: %v", name, x)
		}
		all = append(all, x)
	}
	return all
}

// Every example of the page about migration is a site that is built, and its table is what comes of it.
func TestDocs_MigrationExamplesAreTrue(t *testing.T) {
	needsHugo(t)
	all := examples(t)
	if len(all) < 6 {
		t.Errorf("%d examples", len(all))
	}
	for _, x := range all {
		t.Run(x.name, func(t *testing.T) {
			dir := t.TempDir()
			args := []string{"check"}
			if x.files["layouts/all.html"] != "" {
				args = []string{"-n", "--noBuildLock"}
				if x.files["hugo.toml"] == "" {
					x.files["hugo.toml"] = "baseURL = \"https://example.org/\"\n"
				}
			}
			tables.Write(t, dir, x.files)
			pages := func() map[string]result.Page {
				r, _ := resultOfRun(t, append(args, "--now", "2026-01-01", "-s", dir)...)
				all := map[string]result.Page{}
				for _, pg := range r.Pages {
					all[pg.URL] = pg
				}
				return all
			}
			after := pages()
			writeFile(t, filepath.Join(dir, "metarobots.toml"), onlySite(x.files["metarobots.toml"]))
			before := pages()
			for _, row := range x.rows {
				url := row[0]
				pg, ok := after[url]
				if !ok {
					t.Errorf("%s is not published", url)
					continue
				}
				var found []string
				for _, why := range before[url].Why {
					if why.Layer == policy.LayerFound {
						found = append(found, why.States)
					}
				}
				said := cmp.Or(strings.Join(found, "; "), "nothing")
				carries := cmp.Or(pg.Meta["robots"], strings.Join(pg.Header, "; "))
				if said != row[1] || carries != row[2] {
					t.Errorf("%s: before %q, after %q; the page says %q and %q", url, said, carries, row[1], row[2])
				}
			}
		})
	}
}

// onlySite is a policy that says where the site is and nothing else.
func onlySite(policy string) string {
	_, rest, ok := strings.Cut(policy, "[site]\n")
	if !ok {
		return ""
	}
	site, _, _ := strings.Cut(rest, "\n\n")
	return "[site]\n" + site + "\n"
}
