//go:build e2e

package e2e

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// What pages say in the tables below.
const (
	open   = "index, follow, max-snippet:-1, max-image-preview:large, max-video-preview:-1" // the default
	hidden = "noindex, follow"
	closed = "noindex, nofollow"
)

// decided is what a cell of the tables of generators and themes stands for.
func decided(cell string) string {
	return cmp.Or(map[string]string{"open": open, "hidden": hidden, "closed": closed,
		"dated":      open + ", unavailable_after: 2099-01-31T00:00:00Z",
		"noPreview":  "index, follow, max-snippet:-1, max-image-preview:none, max-video-preview:-1",
		"unarchived": "index, follow, noarchive, max-snippet:-1, max-image-preview:large, max-video-preview:-1",
		"unfollowed": "index, nofollow, max-snippet:-1, max-image-preview:large, max-video-preview:-1",
		"unquoted":   open + "; googlebot: index, follow, nosnippet, max-image-preview:large",
	}[cell], cell)
}

// A themeFile is a file of a theme's site, with what the theme prints into it, and what is decided.
// A page is to carry that in its tags; the header asks for the same where it restricts. Tags are
// written as in described.
type themeFile struct {
	name    string
	printed [2]string // in production, in staging
	wanted  [2]string // in production, in staging and in previews
}

// themeSurrounding is where a site is built.
type themeSurrounding struct {
	name        string
	args        []string // of Hugo and of metarobots
	environment []string // of the processes
	printed     int      // the columns of a themeFile
	wanted      int
}

// In a host's preview Hugo itself is none the wiser: themes print what they print in production
// (E1, E2).
var themeSurroundings = []themeSurrounding{
	{name: "production"},
	{name: "staging", args: []string{"-e", "staging"}, printed: 1, wanted: 1},
	{name: "preview", environment: []string{"NETLIFY=true", "CONTEXT=deploy-preview"}, wanted: 1},
}

// Issue 5: doks prints what front matter says in seo.robots, word for word, and nothing else.
func TestThemes_Doks(t *testing.T) { compareTheme(t, "doks") }

// Issue 5: docsy prints "index, follow" wherever Hugo's environment is production, front matter or
// not, and "noindex, nofollow" elsewhere and in its print pages.
func TestThemes_Docsy(t *testing.T) { compareTheme(t, "docsy") }

// themeAsset is what has no row in the tables: in production it is free, elsewhere closed.
var themeAsset = regexp.MustCompile(`\.(css|css\.map|js|woff2?|webmanifest|svg|png|ico)$`)

// robotsNames are the names of metas that can be ours (A1), in the order of tags in a page (M1).
var robotsNames = []string{"robots", "adsbot-google", "amazonbot", "applebot", "archive.org_bot", "baiduspider",
	"bingbot", "duckduckbot",
	"googlebot", "googlebot-news", "mojeekbot", "msnbot", "otherbot", "seznambot", "slurp", "teoma", "yandex", "yeti"}

// described writes tags as one text: each one's content, before it the crawler's name.
func described(tags []meta) string {
	var parts []string
	for _, m := range tags {
		name := strings.ToLower(m.Name)
		if !slices.Contains(robotsNames, name) {
			continue
		}
		content := ""
		if m.Content != nil {
			content = *m.Content
		}
		if name != "robots" {
			content = name + ": " + content
		}
		parts = append(parts, content)
	}
	return strings.Join(parts, "; ")
}

// describedMap is described for what --json says.
func describedMap(tags map[string]string) string {
	var list []meta
	for _, name := range robotsNames {
		if content, ok := tags[name]; ok {
			list = append(list, meta{Name: name, Content: &content})
		}
	}
	if len(list) != len(tags) {
		return fmt.Sprintf("unknown names in %q", tags)
	}
	return described(list)
}

// tagsOf asks parse5 for the tags of all pages below a folder.
func tagsOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	names, pages := pagesOf(t, folder)
	tags := map[string]string{}
	for i, found := range theirs(t, pages) {
		tags[names[i]] = described(found)
		for _, m := range found {
			if slices.Contains(robotsNames, strings.ToLower(m.Name)) && !m.Head {
				t.Errorf("%s: a tag in the body: %v", names[i], m)
			}
		}
	}
	return tags
}

// sameFiles compares two publish folders byte by byte.
func sameFiles(t *testing.T, a, b string) (files int) {
	t.Helper()
	texts := tables.Tree(t, a)
	sameTexts(t, filepath.Base(a)+" and "+filepath.Base(b), texts, tables.Tree(t, b))
	return len(texts)
}

// byFile is what --json says of each file.
func byFile(o outcome) map[string]published {
	files := map[string]published{}
	for _, pg := range o.Pages {
		files[pg.File] = pg
	}
	return files
}

// carries compares the tags of a file, which --json says too, and its header with what is wanted.
func (pg published) carries(t *testing.T, carried, tags, header string) {
	t.Helper()
	equal(t, "the tags of "+pg.File, carried, tags)
	equal(t, "the tags in --json of "+pg.File, describedMap(pg.Meta), tags)
	equal(t, "the header of "+pg.File, strings.Join(pg.Header, "; "), header)
}

// sameDecisions compares what two runs say of the same files.
func sameDecisions(t *testing.T, names [2]string, a, b map[string]published) {
	t.Helper()
	text := func(pg published) string {
		data := tables.Value(json.Marshal(pg))(t)
		return string(data)
	}
	if len(a) != len(b) {
		t.Errorf("%s knows %d files, %s %d", names[0], len(a), names[1], len(b))
	}
	for name, pg := range a {
		if other, ok := b[name]; !ok || text(pg) != text(other) {
			t.Errorf("%s:\n%s says %s\n%s says %s", name, names[0], text(pg), names[1], text(other))
		}
	}
}

// compareTheme builds a site of themes/ in every surrounding and compares what its pages carry with
// the table.
func compareTheme(t *testing.T, name string) {
	t.Parallel()
	var table []themeFile
	for _, row := range tables.Read(t, "testdata/themes/"+name+".txt") {
		table = append(table, themeFile{row["file"],
			[2]string{decided(row["printed"]), decided(row["printed in staging"])},
			[2]string{decided(row["wanted"]), decided(row["wanted elsewhere"])}})
	}
	modules := installed(t, "themes/node_modules")
	sass := filepath.Join(modules, "sass-embedded-linux-x64/dart-sass")
	if _, err := os.Stat(sass); err != nil {
		if _, err := exec.LookPath("sass"); err != nil {
			t.Fatal("sass is missing: on Linux run e2e/install.sh, elsewhere install Dart Sass")
		}
	}
	hugo := programFile(t, plainHugo)
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS("themes/"+name)))
	must(t, os.Symlink(modules, filepath.Join(dir, "node_modules")))
	for _, where := range themeSurroundings {
		t.Run(where.name, func(t *testing.T) {
			in := func(tool string, args ...string) result {
				t.Helper()
				c := exec.Command(tool, append(args, where.args...)...)
				c.Dir, c.Env = dir, append(command().Env, "PATH="+sass+string(filepath.ListSeparator)+os.Getenv("PATH"))
				c.Env = append(c.Env, where.environment...)
				return finish(t, c).is(t, 0)
			}
			plain, built := filepath.Join(dir, "plain-"+where.name), filepath.Join(dir, "built-"+where.name)
			in(hugo, "-d", plain)
			printed := tagsOf(t, plain)

			building := byFile(planned(t, in(program, "build", "--json", "-d", built)))
			applying := byFile(planned(t, in(program, "apply", "--json", plain)))
			sameDecisions(t, [2]string{"build", "apply"}, building, applying)
			files := sameFiles(t, built, plain) // apply after hugo gives what build gives
			carried := tagsOf(t, built)

			// The table, the decisions and the pages are of the same files and say the same.
			rows := map[string]bool{}
			for _, row := range table {
				rows[row.name] = true
				pg, ok := building[row.name]
				if !ok {
					t.Errorf("%s is not published", row.name)
					continue
				}
				equal(t, row.name+" as the theme prints it", printed[row.name], row.printed[where.printed])
				want := row.wanted[where.wanted]
				header := want
				if path.Ext(row.name) != ".html" {
					want = ""
				} else if header == open {
					header = ""
				}
				pg.carries(t, carried[row.name], want, header)
			}
			pages := 0
			var all []string
			for file, pg := range building {
				all = append(all, file)
				if path.Ext(file) == ".html" {
					pages++
				}
				if rows[file] || file == "_headers" {
					continue
				}
				want := [2]string{"", closed}[where.wanted]
				if got := strings.Join(pg.Header, "; "); !themeAsset.MatchString(file) || got != want ||
					len(pg.Meta) > 0 {
					t.Errorf("%s has no row, and the header %q", file, got)
				}
			}

			// explain says the same afterwards, and nothing is left to do.
			slices.Sort(all)
			explained := byFile(planned(t, in(program, append([]string{"explain", "--json", "-d", built}, all...)...)))
			sameDecisions(t, [2]string{"build", "explain"}, building, explained)
			for _, args := range [][]string{{"build", "-d", built}, {"apply", built}, {"apply", plain}} {
				in(program, args...).is(t, 0, nothingWritten)
			}
			in(program, "check", built)
			in(program, "check", plain)
			t.Logf("%d files, %d pages, %d rows", files, pages, len(table))
		})
	}
}
