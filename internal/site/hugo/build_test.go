package hugo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/frontmatter"
	"metarobots/internal/printable"
	"metarobots/internal/site"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// Hugo stops after ten errors, and then its renderers may have gone while a page is still to be
// sent to them. Where that is not noticed, the test ends with the time limit of go test.
func TestHouse_ABuildThatFailsOnManyPagesEndsWithTheError(t *testing.T) {
	files := map[string]string{"hugo.toml": "",
		"layouts/all.html": "<html><head></head>{{ .Params.none.none.none | strings.Repeat 2 }}</html>"}
	for i := range 400 {
		files[fmt.Sprintf("content/p%d.md", i)] = "---\ntitle: x\nnone: true\n---\n"
	}
	err := build(t, open(t, tables.Folder(t, files), site.Options{}), func(string, []byte) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "all.html") {
		t.Errorf("%v", err)
	}
}

// A file that Hugo finishes after the build has ended is refused, and is no error of the build.
func TestHouse_AFileAfterTheEndIsNoError(t *testing.T) {
	b := &builder{ctx: t.Context(), site: &hugoSite{}, closed: true}
	err := b.takeFinished("a/index.html", nil)
	b.noteUnwritten(err)
	if !errors.Is(err, errStopped) || b.unwritten() != nil {
		t.Errorf("refused with %v, and the build ends with %v", err, b.unwritten())
	}
}

// A list leaves nothing in the site's folder, nor does a dry run after it, for which Hugo's
// configuration is loaded again.
func TestHouse_AListAndADryRunLeaveNoFile(t *testing.T) {
	dir := tables.Folder(t, map[string]string{"hugo.toml": "[build.buildStats]\nenable = true\n",
		"content/a.md": "---\ntitle: A\n---\n", "layouts/all.html": "<html><head></head></html>"})
	s := open(t, dir, site.Options{})
	tables.Value(s.List(t.Context(), frontmatter.Config{}, nil))(t)
	tables.Must(t, s.(site.Builder).Build(t.Context(), frontmatter.Config{}, site.Hooks{DryRun: true,
		Listed: func(site.Map) error { return nil }, Write: func(string, []byte) error { return nil }}))
	for _, name := range []string{"hugo_stats.json", "public", ".hugo_build.lock"} {
		if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is there: %v", name, err)
		}
	}
}

// A panic inside Hugo is an error that names the file in hand and the way out.
func TestPanic_NamesTheFile(t *testing.T) {
	s := &hugoSite{options: site.Options{Source: t.TempDir(), Short: strings.Clone}}
	give := func(file string) (err error) {
		defer s.panicToError(&err, &file)
		panic("nil map")
	}
	for file, want := range map[string]string{"content/a.md": "gave up at content/a.md: nil map",
		"": "gave up: nil map"} {
		err := give(file)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if help, ok := errors.AsType[*printable.Help](err); !ok || !slices.Contains(help.Lines, "\tmetarobots apply") {
			t.Errorf("%v: no way out", err)
		}
	}
}

// F: what front matter says of one file of its bundle counts for that file, at its line (L5o).
func TestHouse_FrontMatterOfABundlesFile(t *testing.T) {
	dir := tables.Folder(t, map[string]string{
		"layouts/page.html": "<html>{{ range .Resources }}{{ .RelPermalink }}{{ end }}</html>",
		"content/b/index.md": "---\ntitle: B\nnofollow: true\nresources:\n- src: f.pdf\n  params:\n    robots: " +
			"noindex\n" +
			"- src: '*.txt'\n  params: {seo: {noindex: true}}\n---\n",
		"content/b/f.pdf": "%PDF f", "content/b/g.pdf": "%PDF g", "content/b/h.txt": "h",
		"content/s/_index.md": "---\nresources: [{src: i.pdf, params: {noindex: true}}]\n---\n",
		"content/s/i.pdf":     "%PDF i",
	})
	m := listed(t, dir)
	var p policy.Policy
	for name, want := range map[string]string{
		"b/f.pdf": "noindex, nofollow [noindex content/b/index.md:7]", "b/g.pdf": "index, nofollow",
		"b/h.txt": "noindex, nofollow [noindex content/b/index.md:9]",
		"s/i.pdf": "noindex, follow [noindex content/s/_index.md:2]",
	} {
		f := m.File(name)
		d := p.Decide(&f.Subject)
		got := strings.Join(d.Header(policy.Style{}), "; ")
		for _, s := range f.Page {
			got += fmt.Sprintf(" [%s %s:%d]", s.States(), s.Origin.File, s.Origin.Line)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// S2n: Hugo renders robots.txt and sitemaps over static files of the same names, which are then
// nobody's source, unless it is to render none. Without a template there is no 404.html of its own.
func TestHugo_WhatIsRenderedReplacesStaticFiles(t *testing.T) {
	const ofStatic = " kind= section= lang= format=, static/"
	for config, want := range map[string]map[string]string{
		"enableRobotsTXT = true\n": {
			"robots.txt":  "control kind=robotstxt section= lang=en format=robots, ",
			"sitemap.xml": "control kind=sitemap section= lang=en format=sitemap, ",
			"404.html":    "error" + ofStatic + "404.html"},
		"disableKinds = ['sitemap']\n": {
			"robots.txt":  "control" + ofStatic + "robots.txt",
			"sitemap.xml": "control" + ofStatic + "sitemap.xml"},
	} {
		m := listed(t, tables.Folder(t, map[string]string{"hugo.toml": config, "static/robots.txt": "x",
			"static/sitemap.xml": "x", "static/404.html": "<html>x</html>", "content/a.md": ""}))
		for name, want := range want {
			if f := m.File(name); describe(f)+", "+f.Source != want {
				t.Errorf("%s%s: %s, %s, want %s", config, name, describe(f), f.Source, want)
			}
		}
	}
}

// L5e: text that publishes a page again is a copy of it; a feed is none, nor is data.
func TestHouse_TextOutputsAreCopies(t *testing.T) {
	dir := tables.Folder(t, map[string]string{
		"hugo.toml": "[outputs]\npage = ['html', 'markdown', 'plain', 'json', 'calendar']\nsection = ['html', " +
			"'markdown', 'rss']\n" +
			"[outputFormats.plain]\nmediaType = 'text/plain'\nisPlainText = true\n",
		"content/a/b.md":    "---\nnoindex: true\n---\n",
		"content/a/only.md": "---\noutputs: [markdown]\nnoindex: true\n---\n",
	})
	m := listed(t, dir)
	for name, want := range map[string]string{"a/b/index.md": "a/b/index.html", "a/b/index.txt": "a/b/index.html",
		"a/b/index.json": "", "a/b/index.ics": "", "a/index.md": "a/index.html", "a/index.xml": "",
		"a/page/2/index.md": "a/page/2/index.html", "a/page/2/index.html": "",
		"a/only/index.md": "", "a/b/index.html": ""} {
		f := m.File(name)
		if f.CopyOf != want || f.Unknown || f.IsPageItsOwn != (name == "a/only/index.md") {
			t.Errorf("%s: a copy of %q, want %q: %s", name, f.CopyOf, want, describe(f))
		}
	}
}

// L5n: a bundle's file that a template publishes elsewhere is its page's still; where it is another
// by then, nobody knows what it was made of.
func TestHouse_BundlesFilesPublishedElsewhere(t *testing.T) {
	// resources.Copy of Hugo 0.165 reads a resource without a lock, and the first call of Key, ours
	// or a template's, writes to it. One renderer keeps the two apart.
	t.Setenv("HUGO_NUMWORKERMULTIPLIER", "1")
	dir := tables.Folder(t, map[string]string{
		"layouts/page.html": "<html>{{ with .Resources.Get \"f.pdf\" }}{{ (. | resources.Copy " +
			"\"/pub/g.pdf\").RelPermalink }}" +
			"{{ (.Content | resources.FromString \"/pub/i.pdf\").RelPermalink }}" +
			"{{ (.Content | lower | resources.FromString \"/pub/h.pdf\").RelPermalink }}" +
			"{{ (\"css\" | resources.FromString \"/pub/x.css\").RelPermalink }}{{ end }}</html>",
		"content/b/index.md": "---\ntitle: B\nnoindex: true\nbuild: {publishResources: false}\n---\n",
		"content/b/f.pdf":    "%PDF f",
		"content/b/same.pdf": "%PDF f", // the page is its owner once all the same
		"content/c/index.md": "---\ntitle: C\n---\n",
		"content/c/d.pdf":    "%PDF d",
	})
	var dry site.Map
	isDry := site.Hooks{DryRun: true, Listed: func(m site.Map) error { dry = m; return nil },
		Write: func(string, []byte) error { return nil }}
	tables.Must(t, open(t, dir, site.Options{}).(site.Builder).Build(t.Context(), frontmatter.Config{}, isDry))
	c := buildAll(t, dir, site.Options{})
	list := listed(t, dir)
	for name, want := range map[string]string{
		"pub/g.pdf": "resource kind= section= lang=en format= owner=/b/",
		"pub/i.pdf": "resource kind= section= lang=en format= owner=/b/",
		"pub/h.pdf": "static kind= section= lang= format= unknown",
	} {
		for how, m := range map[string]site.Map{"build": c.m, "list": list, "dry run": dry} {
			if got := describe(m.File(name)); got != want {
				t.Errorf("%s, %s: %s, want %s", how, name, got, want)
			}
		}
	}
	if f := c.m.File("pub/x.css"); f.Unknown {
		t.Error(describe(f))
	}
}
