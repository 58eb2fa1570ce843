package cli

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand"
	"os"
	"path"
	"path/filepath"
	"reflect"
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
)

// A plan that is made side by side, for explain, is the one that check makes in turn: of the sites
// of all scripts and of random ones, before a run has written what it plans and after it, and of a
// site whose header file goes.
func TestLaw_PlansMadeSideBySideAreThoseMadeInTurn(t *testing.T) {
	t.Parallel()
	planned := 0
	for _, files := range append(sitesOfScripts(t), randomSites(tables.Cases(30, 600))...) {
		dir := tables.Folder(t, files)
		for _, folder := range siteFolders(files) {
			at := filepath.Join(dir, filepath.FromSlash(folder))
			if !samePlans(t, at) {
				continue // no site, or a faulty one
			}
			planned++
			applyIn(t, at)
			samePlans(t, at)
			policyFile := filepath.Join(at, "metarobots.toml")
			if text, err := os.ReadFile(policyFile); err == nil {
				withoutHeaders := bytes.ReplaceAll(text, []byte(`targets = ["`), []byte(`targets = ["none"] #`))
				tables.Must(t, os.WriteFile(policyFile, withoutHeaders, 0o644))
				samePlans(t, at)
			}
		}
		tables.Must(t, os.RemoveAll(dir))
	}
	t.Logf("%d sites", planned)
	if planned < 100 {
		t.Errorf("only %d sites were planned", planned)
	}
}

// sitesOfScripts are the files of each script of testdata/script. Sites of Hugo's are left out: they
// have to be built first.
func sitesOfScripts(t *testing.T) (all []map[string]string) {
	t.Helper()
	scripts := tables.Value(filepath.Glob("internal/cli/testdata/script/*.txtar"))(t)
	for _, script := range scripts {
		files := map[string]string{}
		for _, f := range tables.Value(txtar.ParseFile(script))(t).Files {
			if name := filepath.ToSlash(filepath.Clean(f.Name)); fs.ValidPath(name) {
				files[name] = string(f.Data)
			}
		}
		all = append(all, files)
	}
	return all
}

// siteFolders are the folders among some files that may be sites: each with a policy, and the one
// around all.
func siteFolders(files map[string]string) (folders []string) {
	folders = []string{"."}
	for name := range files {
		if dir := path.Dir(name); path.Base(name) == "metarobots.toml" && dir != "." {
			folders = append(folders, dir)
		}
	}
	slices.Sort(folders)
	return folders
}

// randomSites are so many sites with header files, sitemaps and an index that may list each other,
// and what is not published.
func randomSites(n int) (all []map[string]string) {
	r := rand.New(rand.NewSource(1))
	some := func(texts ...string) (text string) {
		for _, one := range texts {
			if r.Intn(2) == 0 {
				text += one
			}
		}
		return text
	}
	one := func(texts ...string) string { return texts[r.Intn(len(texts))] }
	for range n {
		loc := func(path string) string { return "<url><loc>https://example.org" + path + "</loc></url>\n" }
		page := func() string {
			return "<!doctype html><title>x</title>" + some("<meta name=robots content=noindex>",
				"<meta name=robots content=noodp>", "<link rel=canonical href=/a/>",
				"<link rel=alternate hreflang=de href=/b.html>")
		}
		files := map[string]string{
			"metarobots.toml": "[site]\ngenerator = \"html\"\ndestination = \"public\"\n" +
				"[robots.headers]\ntargets = [\"" + one("netlify", "cloudflare", "portable", "apache") + "\"]\n" +
				some("[robots.sitemap]\nexcept = [\"/_headers\", \"/b.html\"]\n") +
				some("[[robots.rules]]\nmatch = [\"/a/**\"]\nrobots = \"noindex\"\n") +
				some("[[robots.rules]]\nmatch = [\"/**/*.pdf\"]\nrobots = \"noarchive\"\n"),
			"public/index.html": page(), "public/a/index.html": page(), "public/b.html": page(), "public/b/index.html": page(),
			"public/x.pdf": "%PDF", "public/X.PDF": "%PDF",
			"public/sitemap.xml": "<urlset>" + some(loc("/"), loc("/a/"), loc("/b"), loc("/_headers"), loc("/x.pdf"),
				loc("/gone")) + "</urlset>",
		}
		optional := map[string]string{
			"public/_headers":   some("/a/*\n  X-Robots-Tag: nosnippet\n", "/_headers\n  X-Robots-Tag: noindex\n"),
			"public/_redirects": some("/b /a/ 301\n", "/h /_headers 200\n"),
			"public/other.xml":  "<urlset>" + some(loc("/a/"), loc("/.htaccess"), loc("/h")) + "</urlset>",
			"public/sitemap_index.xml": "<sitemapindex><sitemap><loc>https://example.org/other.xml</loc></sitemap>" +
				"</sitemapindex>",
			"public/robots.txt": "User-agent: *\n" + some("Disallow: /b\n", "Disallow: /x\n", "Disallow: /_headers\n") +
				some("Sitemap: https://example.org/_headers\n", "Sitemap: https://example.org/other.xml\n"),
		}
		for _, name := range slices.Sorted(maps.Keys(optional)) {
			if r.Intn(2) == 0 {
				files[name] = optional[name]
			}
		}
		all = append(all, files)
	}
	return all
}

// samePlans compares the plans of a site, and all that is said of it. It is false if there is no
// site, or if it cannot be planned.
func samePlans(t *testing.T, dir string) bool {
	t.Helper()
	inTurn, err := described(dir, plan.New)
	sideBySide, otherErr := described(dir, plan.NewAwaited)
	if fmt.Sprint(err) != fmt.Sprint(otherErr) {
		t.Fatalf("%s: %v, side by side %v", dir, err, otherErr)
	}
	if inTurn != sideBySide {
		at := 0
		for at < min(len(inTurn), len(sideBySide)) && inTurn[at] == sideBySide[at] {
			at++
		}
		t.Fatalf("…%.300s…\nside by side\n…%.300s…\n%.3000s", inTurn[max(0, at-100):], sideBySide[max(0, at-100):],
			tables.Tree(t, dir))
	}
	return err == nil
}

// described is all that is printed of a site, and all that the plan holds.
func described(dir string, make planner) (string, error) {
	ctx := context.Background()
	p, err := project.Open(ctx, project.Options{WorkDir: dir, BaseURL: "https://example.org/", Getenv: noVariables,
		Now: "2026-11-30"}, pages.Generators()...)
	if err != nil {
		return "", err
	}
	defer p.Close()
	s, err := make(ctx, p)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := result.Write(&b, resultOf(s, check.Run(s)), result.Pages(s)); err != nil {
		return "", err
	}
	var held strings.Builder
	for _, part := range []any{s.Pages, s.Sitemaps, s.Findings} {
		dump(&held, reflect.ValueOf(part), nil)
	}
	return b.String() + held.String(), nil
}

// applyIn writes what is planned for a site, as far as that can be written.
func applyIn(t *testing.T, dir string) {
	t.Helper()
	ctx := context.Background()
	p := tables.Value(project.Open(ctx, project.Options{WorkDir: dir, BaseURL: "https://example.org/", Getenv: noVariables,
		Now: "2026-11-30"}, pages.Generators()...))(t)
	defer p.Close()
	s := tables.Value(plan.New(ctx, p))(t)
	write.Apply(ctx, s, nil) // a site that is not to be written stays as it is
}
