package pages_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"metarobots/internal/check"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/result"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
	"metarobots/internal/write"
	"metarobots/policy"
)

// folder is a site on the disk.
type folder string

func (dir folder) write(t testing.TB, name, text string) {
	t.Helper()
	tables.Write(t, string(dir), map[string]string{name: text})
}

func (dir folder) read(t testing.TB, name string) string {
	t.Helper()
	data := tables.Value(os.ReadFile(filepath.Join(string(dir), filepath.FromSlash(name))))(t)
	return string(data)
}

// open opens the site, of which publish is the publish folder, or the generator's own.
func (dir folder) open(publish string) (*project.Project, error) {
	return project.Open(context.Background(), project.Options{WorkDir: string(dir), Dir: publish,
		Getenv: func(string) string { return "" }, Generator: project.GeneratorOptions{Log: io.Discard}}, pages.Generators()...)
}

// decide returns the plan of the site, of which nothing is written.
func (dir folder) decide(t testing.TB, publish string) *plan.Plan {
	t.Helper()
	p := tables.Value(dir.open(publish))(t)
	defer p.Close()
	plan := tables.Value(plan.New(context.Background(), p))(t)
	return plan
}

// apply plans, and writes what changes.
func (dir folder) apply(t testing.TB, publish string) *plan.Plan {
	t.Helper()
	plan := dir.decide(t, publish)
	tables.Must(t, write.Apply(context.Background(), plan, nil))
	return plan
}

func ids(plan *plan.Plan, severity policy.Severity) string {
	var all []string
	for _, f := range check.Run(plan).Findings {
		if f.Severity == severity {
			all = append(all, f.ID)
		}
	}
	return strings.Join(all, " ")
}

const quiet = "[robots]\ndefault = \"\"\nheaders.targets = [\"none\"]\n"

// M7: page metadata is taken out of the page, and holds in every run after it (M8a).
func TestHouse_PageMetaIsTakenOutAndRemembered(t *testing.T) {
	dir := folder(tables.Folder(t, map[string]string{"metarobots.toml": quiet,
		"out/index.html": "<html><head><title>x</title></head></html>"}))
	const before, after = "<html><head><title>x</title>", "</head><body>x</body></html>"
	dir.write(t, "out/a/index.html",
		before+`<meta name="metarobots" content='{"robots": "noindex", "source": "a.txt", "line": 3, "kind": "page", "section": "s", "type": "t"}'>`+after)
	for run := range 3 {
		applied := dir.apply(t, "out")
		if got, want := dir.read(t, "out/a/index.html"),
			before+`<meta name="robots" content="noindex, follow" />`+after; got != want {
			t.Fatalf("run %d\n got %s\nwant %s", run, got, want)
		}
		if changed, _ := applied.Differing(); (len(changed) > 0) != (run == 0) {
			t.Errorf("run %d: changed %q", run, changed)
		}
		r := result.PageOf(applied, applied.Page("a/index.html"))
		why := result.Why{Layer: policy.LayerPage, File: "a.txt", Line: 3, Key: "robots", States: "noindex",
			Decides: true}
		if r.Kind != "page" || r.Section != "s" || r.Type != "t" || len(r.Why) != 1 || r.Why[0] != why {
			t.Errorf("run %d: %+v", run, r)
		}
	}
	// Made anew without it, the page is open again.
	dir.write(t, "out/a/index.html", before+after)
	dir.apply(t, "out")
	if got := dir.read(t, "out/a/index.html"); got != before+after {
		t.Errorf("made anew: %s", got)
	}
}

// Page metadata that cannot be read is an error: it may be what keeps a page private.
func TestHouse_FaultyPageMetaIsAnError(t *testing.T) {
	for content, want := range map[string]string{
		`{"robots": "noindex"`:       "page-metadata",
		`[]`:                         "page-metadata",
		`{"robots": "noindx"}`:       "page-metadata",
		`{"robot": "noindex"}`:       "page-metadata",
		`{"line": "3"}`:              "page-metadata",
		`{} {}`:                      "page-metadata",
		`{"robots": "noindex"}`:      "",
		`{"params": {"any": "key"}}`: "",
		`{}`:                         "",
	} {
		dir := folder(tables.Folder(t, map[string]string{"metarobots.toml": quiet + "guard.noindex = 1\n",
			"out/index.html": "<html><head></head></html>",
			"out/a.html":     "<html><head><meta name=metarobots content='" + content + "'></head></html>"}))
		plan := dir.apply(t, "out")
		if got := ids(plan, policy.Error); got != want {
			t.Errorf("%s: %q, want %q", content, got, want)
		}
		if got := dir.read(t, "out/a.html"); strings.Contains(got, "metarobots") {
			t.Errorf("%s: %s", content, got)
		}
	}
}

// [site.content] leads to pages that no rule of the generator's finds, and auto knows the
// generator.
func TestHouse_OwnersPermalinksLeadToPages(t *testing.T) {
	dir := folder(tables.Folder(t, map[string]string{"eleventy.config.js": "export default { dir: { input: 'src' } }",
		"src/notes/2026-01-02-a.md": "---\nrobots: noindex\neleventyComputed: { permalink: \"{{ x }}\" }\n---\n",
		"_site/index.html":          "<html><head></head></html>", "_site/n/2026/a/index.html": "<html><head></head></html>",
		"metarobots.toml": quiet}))
	if got := ids(dir.apply(t, ""), policy.Error); got != "no-page" {
		t.Errorf("without: %q", got)
	}
	dir.write(t, "metarobots.toml",
		"[site.content]\npermalinks = { \"src/notes\" = \"/n/:year/:slug/\" }\n"+quiet+"guard.noindex = 1\n")
	if got := ids(dir.apply(t, ""), policy.Error); got != "" {
		t.Errorf("with: %q", got)
	}
	if got := dir.read(t, "_site/n/2026/a/index.html"); !strings.Contains(got, "noindex") {
		t.Errorf("%s", got)
	}
}

// Every generator of this package may be named in the configuration.
func TestHouse_EveryGeneratorHasAName(t *testing.T) {
	for _, g := range pages.Generators() {
		dir := folder(tables.Folder(t, map[string]string{"metarobots.toml": "[site]\ngenerator = \"" + g.Name() + "\"\n",
			"out/index.html": "<html><head></head></html>"}))
		if plan := dir.apply(t, "out"); len(plan.Pages) < 1 {
			t.Errorf("%s: no pages", g.Name())
		}
	}
}

// C: faults of [site.content] are named with their lines.
func TestHouse_FaultsOfContent(t *testing.T) {
	for text, want := range map[string]string{
		"pattern = \"/:slgu/\"":            `metarobots.toml:2: site.content.pattern: unknown placeholder "slgu" (did you mean "slug"?)`,
		"pattern = \":slug\"":              "metarobots.toml:2: site.content.pattern: \":slug\" is not a URL of this site",
		"permalinks = { \"a/b\" = \"b\" }": "metarobots.toml:2: site.content.permalinks.a/b: \"b\" is not a URL",
		"folder = [\"a\"]": "metarobots.toml:2: site.content.folder: unknown key \"folder\" (did you " +
			"mean \"folders\"?)",
		"folders = 5": "metarobots.toml:2: site.content.folders: 5 is not a list of texts",
	} {
		dir := folder(tables.Folder(t, map[string]string{"metarobots.toml": "[site.content]\n" + text + "\n",
			"out/index.html": ""}))
		if _, err := dir.open("out"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// F2d: js-yaml, with which Hexo and VuePress read their configuration, stops at a key that stands
// twice, and so do we.
// https://github.com/nodeca/js-yaml/blob/4.1.0/lib/loader.js (duplicated mapping key)
func TestGenerators_RefuseAKeyThatStandsTwice(t *testing.T) {
	for config, files := range map[string]map[string]string{
		"_config.yml":          {"package.json": `{"hexo": {"version": "7"}}`},
		".vuepress/config.yml": {},
	} {
		files[config], files["out/index.html"] = "title: one\ntitle: two\n", ""
		_, err := folder(tables.Folder(t, files)).open("out")
		if want := config + ":2: "; err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// L4d: the tag of a redirect page is told of where its generator does not put it there.
func TestHouse_TagsOfRedirects(t *testing.T) {
	for config, want := range map[string]string{"astro.config.mjs": "", "mkdocs.yml": "", ".eleventy.js": "redirect"} {
		dir := folder(tables.Folder(t, map[string]string{"metarobots.toml": quiet + "guard.noindex = 1\n", config: "",
			"out/index.html": "<html><head></head></html>",
			"out/old/index.html": `<html><head><meta http-equiv="refresh" content="0;url=/">` +
				`<meta name="robots" content="noindex"></head></html>`}))
		if got := ids(dir.apply(t, "out"), policy.Warning); got != want {
			t.Errorf("%s: %q, want %q", config, got, want)
		}
	}
}

// A generator's copies of a page carry what restricts the page by header, wherever that is stated:
// in the page, by a rule. Other files do not (L5e, L5f).
func TestHouse_CopiesOfAPage(t *testing.T) {
	dir := folder(t.TempDir())
	dir.write(t, "metarobots.toml", "[robots]\nguard.noindex = 1\nvisibility.sections.docs = false\n")
	const meta = `<html><head><meta name="robots" content="noindex"></head></html>`
	for name, text := range map[string]string{
		"index.html": meta, "index.txt": "", "docs/a.html": "<html><head></head></html>", "docs/a.txt": "",
		"docs/a.md": "", "docs/a.html.md": "", "docs/a.markdown": "", "docs/a.MD": "",
		"open.html": "<html><head></head></html>", "open.txt": "", "open.md": "", "robots.txt": "User-agent: *\n",
		"other.txt": "", "docs/b.txt": "",
		"__next._full.txt": "", "docs/a/__next._full.txt": "", "open/__next._full.txt": "",
		"_next/x.js": "", "_next/data/b1/docs/a.json": "", "_next/data/b1/index.json": "", "_next/data/b1/open.json": "", "_payload.json": "", "page-data/index/page-data.json": "",
		"page-data/docs/a/page-data.json": "", "llms.txt": "",
	} {
		dir.write(t, "out/"+name, text)
	}
	hidden := map[string]bool{"index.txt": true, "docs/a.txt": true, "docs/a.md": true, "docs/a.html.md": true,
		"docs/a.markdown": true, "docs/a.MD": true,
		"__next._full.txt": true, "docs/a/__next._full.txt": true, "_payload.json": true, "_next/data/b1/docs/a.json": true, "_next/data/b1/index.json": true,
		"page-data/index/page-data.json": true, "page-data/docs/a/page-data.json": true}
	for _, pg := range dir.apply(t, "out").Pages {
		if !pg.File.HTML && pg.Decision.NoIndex() != hidden[pg.File.Name] {
			t.Errorf("%s: %v", pg.File.Name, pg.Header())
		}
	}
}

// S2, and links to hidden pages: testdata/disallowed.txt.
func TestGoogle_DisallowedPagesAreFindings(t *testing.T) {
	data := tables.Value(os.ReadFile("testdata/disallowed.txt"))(t)
	sites := strings.Split(string(data), "\n=== ")
	ids := []string{"robotstxt-hides-directives", "sitemap-lists-disallowed", "hreflang-to-noindex"}
	for _, text := range sites[1:] {
		title, text, _ := strings.Cut(text, "\n")
		dir, want := folder(t.TempDir()), []string(nil)
		for _, f := range append(txtar.Parse([]byte(sites[0]+"\n")).Files, txtar.Parse([]byte(text+"\n")).Files...) {
			if dir.write(t, f.Name, string(f.Data)); f.Name == "want" {
				want = strings.FieldsFunc(string(f.Data), func(r rune) bool { return r == '\n' })
			}
		}
		var said []string
		for _, f := range check.Run(dir.decide(t, "out")).Findings {
			if slices.Contains(ids, f.ID) {
				said = append(said, fmt.Sprintf("%s %s: %s", f.Severity, f.ID, f.Text()))
			}
		}
		if !slices.EqualFunc(said, want, strings.HasPrefix) {
			t.Errorf("%s: got\n%s\nwant\n%s", title, strings.Join(said, "\n"), strings.Join(want, "\n"))
		}
	}
}
