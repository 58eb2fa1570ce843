//go:build e2e && generators

package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// What pages of generators say besides open, hidden and closed.
const (
	dated       = open + ", unavailable_after: 2099-01-31T00:00:00Z"
	noPreview   = "index, follow, max-snippet:-1, max-image-preview:none, max-video-preview:-1"
	unarchived  = "index, follow, noarchive, max-snippet:-1, max-image-preview:large, max-video-preview:-1"
	unfollowed  = "index, nofollow, max-snippet:-1, max-image-preview:large, max-video-preview:-1"
	unquoted    = open + "; googlebot: index, follow, nosnippet, max-image-preview:large"
	lampsOrigin = "https://lamps.example"
)

// A generatorFile is a published file with what is decided, written by hand from docs/semantics.md. A page is to carry
// that in its tags, described as in themeFile; the header asks for the same where it restricts.
type generatorFile struct {
	name, wanted string
	states       string // "file:line" of the content file's statement
	left         string // what the generator printed into a redirect page, which stays (L4)
}

// A generator is a real one, with a site of generators/ that it builds.
type generator struct {
	name    string
	command []string // a program, or a script of generators/node_modules; with arguments
	modern  bool     // the script wants Node 22
	publish string
	table   []generatorFile
}

// Every site has a page that its front matter makes noindex, a section that a rule does, an archive of tags, a PDF, a draft
// with a statement, which makes no page and is no fault, and a page that its front matter or a configuration puts elsewhere.
var generatorSites = []generator{
	{name: "eleventy", command: []string{"@11ty/eleventy/cmd.cjs"}, publish: "_site", table: []generatorFile{
		{name: "index.html", wanted: open},
		{name: "404.html", wanted: open}, // a page, by its content file (L3)
		{name: "about/index.html", wanted: open},
		{name: "imprint/index.html", wanted: hidden, states: "src/imprint.md:4"},
		{name: "terms/index.html", wanted: hidden, states: "src/terms.md:5"},
		{name: "company/history/index.html", wanted: unarchived, states: "src/history.md:5"},
		{name: "blog/index.html", wanted: open},
		{name: "blog/page/2/index.html", wanted: hidden},
		{name: "blog/2026-03-01-oil/index.html", wanted: unquoted, states: "src/blog/2026-03-01-oil.md:5"},
		{name: "blog/glass/index.html", wanted: open},
		{name: "blog/soot/index.html", wanted: dated, states: "src/blog/soot.md:5"},
		{name: "notes/brass/index.html", wanted: unarchived, states: "src/notes/notes.json:3"},
		{name: "notes/tin/index.html", wanted: unfollowed, states: "src/notes/tin.md:3"}, // in place of the folder's
		{name: "internal/plan/index.html", wanted: closed},
		{name: "tags/index.html", wanted: hidden},
		{name: "tags/care/index.html", wanted: hidden},
		{name: "tags/oil/index.html", wanted: hidden},
		{name: "files/prices.pdf", wanted: hidden},
		{name: "feed.xml"},    // L5
		{name: "sitemap.xml"}, // L6
	}},
	{name: "astro", command: []string{"astro/bin/astro.mjs", "build"}, modern: true, publish: "dist", table: []generatorFile{
		{name: "index.html", wanted: open},
		{name: "404.html"}, // a template without content (L3)
		{name: "about/index.html", wanted: open},
		{name: "imprint/index.html", wanted: hidden, states: "src/pages/imprint.md:4"},
		{name: "company/index.html", wanted: unarchived, states: "src/pages/company/index.md:4"},
		{name: "blog/oil/index.html", wanted: unquoted, states: "src/content/blog/oil.md:5"},
		{name: "blog/clean-glass/index.html", wanted: hidden, states: "src/content/blog/glass.md:5"},
		{name: "blog/burner-parts/index.html", wanted: dated, states: "src/content/blog/Burner Parts.md:4"},
		{name: "internal/plan/index.html", wanted: closed},
		{name: "tags/care/index.html", wanted: hidden},
		{name: "tags/oil/index.html", wanted: hidden},
		{name: "who/index.html", left: "noindex"},
		{name: "files/prices.pdf", wanted: hidden},
	}},
	{name: "docusaurus", command: []string{"@docusaurus/core/bin/docusaurus.mjs", "build"}, publish: "build", table: []generatorFile{
		{name: "index.html", wanted: open},
		{name: "404.html"}, // L3
		{name: "imprint/index.html", wanted: hidden, states: "src/pages/imprint.md:3"},
		{name: "terms/index.html", wanted: hidden}, // printed by its content
		{name: "docs/index.html", wanted: open},
		{name: "docs/glass/index.html", wanted: unquoted, states: "docs/02-glass.md:5"},
		{name: "docs/company/history/index.html", wanted: unarchived, states: "docs/history.md:4"},
		{name: "docs/black-soot/index.html", wanted: dated, states: "docs/soot.md:4"},
		{name: "docs/price-list/index.html", wanted: closed, states: "docs/price-list.md:3"}, // nofollow is Docusaurus' own
		{name: "docs/internal/plan/index.html", wanted: closed},
		{name: "docs/tags/index.html", wanted: hidden},
		{name: "docs/tags/care/index.html", wanted: hidden},
		{name: "blog/index.html", wanted: open},
		{name: "blog/page/2/index.html", wanted: hidden},
		{name: "blog/archive/index.html", wanted: open},
		{name: "blog/2026/03/01/oil/index.html", wanted: hidden, states: "blog/2026-03-01-oil.md:4"},
		{name: "blog/polish/index.html", wanted: unfollowed, states: "blog/2026-03-02-brass/index.md:5"},
		{name: "blog/tags/index.html", wanted: hidden},
		{name: "blog/tags/oil/index.html", wanted: hidden},
		{name: "files/prices.pdf", wanted: hidden},
		{name: "blog/atom.xml"}, // L5
		{name: "blog/rss.xml"},
		{name: "sitemap.xml"}, // L6
	}},
	{name: "vitepress", command: []string{"vitepress/bin/vitepress.js", "build"}, publish: ".vitepress/dist", table: []generatorFile{
		{name: "index.html", wanted: open},
		{name: "404.html"},                      // L3
		{name: "about.html", wanted: noPreview}, // VitePress prints it from the page's head
		{name: "imprint.html", wanted: hidden, states: "imprint.md:3"},
		{name: "company/history.html", wanted: unarchived, states: "history.md:3"},
		{name: "guide/index.html", wanted: open},
		{name: "guide/glass.html", wanted: unquoted, states: "guide/glass.md:4"},
		{name: "guide/soot.html", wanted: dated, states: "guide/soot.md:3"},
		{name: "de/index.html", wanted: hidden},
		{name: "de/impressum.html", wanted: closed, states: "de/impressum.md:3"},
		{name: "internal/plan.html", wanted: closed},
		{name: "tags/care.html", wanted: hidden},
		{name: "tags/oil.html", wanted: hidden},
		{name: "files/prices.pdf", wanted: hidden},
		{name: "hashmap.json"},
		{name: "sitemap.xml"}, // L6
	}},
	{name: "hexo", command: []string{"hexo/bin/hexo", "generate"}, publish: "public", table: []generatorFile{
		{name: "index.html", wanted: open},
		{name: "page/2/index.html", wanted: hidden},
		{name: "about/index.html", wanted: open},
		{name: "imprint.html", wanted: hidden, states: "source/imprint.md:3"},
		{name: "company/history/index.html", wanted: unarchived, states: "source/history.md:4"},
		{name: "internal/plan.html", wanted: closed},
		{name: "2026/03/01/oil/index.html", wanted: unquoted, states: "source/_posts/oil.md:5"},
		{name: "2026/03/02/glass/index.html", wanted: hidden, states: "source/_posts/glass.md:5"},
		{name: "soot/where-from/index.html", wanted: dated, states: "source/_posts/soot.md:6"},
		{name: "tags/care/index.html", wanted: hidden},
		{name: "tags/oil/index.html", wanted: hidden},
		{name: "files/prices.pdf", wanted: hidden},
	}},
	{name: "jekyll", command: []string{"jekyll", "build"}, publish: "_site", table: []generatorFile{
		{name: "index.html", wanted: open},
		{name: "404.html", wanted: open}, // a page, by its content file (L3)
		{name: "about/index.html", wanted: open},
		{name: "imprint/index.html", wanted: hidden, states: "imprint.md:3"},
		{name: "terms/index.html", wanted: hidden, states: "terms.html:3"},
		{name: "company/history/index.html", wanted: unarchived, states: "history.md:4"},
		{name: "2026/03/01/oil/index.html", wanted: unquoted, states: "_posts/2026-03-01-oil.md:5"},
		{name: "care/2026/03/02/glass/index.html", wanted: hidden, states: "_posts/2026-03-02-glass.markdown:5"},
		{name: "2026/03/04/black-soot/index.html", wanted: dated, states: "_posts/2026-03-03-soot.md:5"},
		{name: "tools/pliers/index.html", wanted: unfollowed, states: "_tools/pliers.md:3"},
		{name: "notes/brass/index.html", wanted: unarchived, states: "_config.yml:15"},
		{name: "notes/tin/index.html", wanted: unfollowed, states: "notes/tin.md:3"}, // in place of the folder's
		{name: "internal/plan/index.html", wanted: closed},
		{name: "tags/oil/index.html", wanted: hidden},
		{name: "files/prices.pdf", wanted: hidden},
		{name: "sitemap.xml"}, // L6
	}},
	{name: "mkdocs", command: []string{"mkdocs", "build", "--quiet"}, publish: "site", table: []generatorFile{
		{name: "index.html", wanted: open},
		{name: "404.html"}, // L3
		{name: "about/index.html", wanted: open},
		{name: "imprint/index.html", wanted: hidden, states: "docs/imprint.md:3"},
		{name: "care/index.html", wanted: unarchived, states: "docs/care/README.md:3"},
		{name: "care/glass/index.html", wanted: unquoted, states: "docs/care/glass.md:4"},
		{name: "care/soot/index.html", wanted: dated, states: "docs/care/soot.markdown:3"},
		{name: "wick/index.html", wanted: open}, // draft states nothing (F), and MkDocs 1.4 publishes it
		{name: "internal/plan/index.html", wanted: closed},
		{name: "tags/oil/index.html", wanted: hidden},
		{name: "files/prices.pdf", wanted: hidden},
		{name: "search/search_index.json"},
		{name: "sitemap.xml"}, // L6
		{name: "sitemap.xml.gz"},
	}},
	{name: "pelican", command: []string{"pelican", "--quiet"}, publish: "output", table: []generatorFile{
		{name: "index.html", wanted: open},
		{name: "index2.html", wanted: hidden},
		{name: "about.html", wanted: open},
		{name: "imprint.html", wanted: hidden, states: "content/pages/imprint.md:2"},
		{name: "conditions.html", wanted: closed, states: "content/pages/terms.rst:5"},
		{name: "company/history.html", wanted: unarchived, states: "content/pages/history.md:5"},
		{name: "blog/oil.html", wanted: unquoted, states: "content/blog/oil.md:5"},
		{name: "blog/cleaning-the-glass.html", wanted: hidden, states: "content/blog/glass.md:4"},
		{name: "blog/black-soot.html", wanted: dated, states: "content/blog/soot.md:5"},
		{name: "drafts/wick.html", wanted: closed + ", noarchive", states: "content/blog/wick.md:4"}, // Pelican publishes drafts there
		{name: "internal/plan.html", wanted: closed},
		{name: "category/blog.html", wanted: open},
		{name: "category/blog2.html", wanted: hidden},
		{name: "category/internal.html", wanted: open},
		{name: "tags.html", wanted: hidden},
		{name: "tag/care.html", wanted: hidden},
		{name: "tag/oil.html", wanted: hidden},
		{name: "files/prices.pdf", wanted: hidden},
		{name: "feeds/all.atom.xml"}, // L5
		{name: "feeds/all-en.atom.xml"},
	}},
}

// generatorAsset is what has no row in the tables, and is free.
var generatorAsset = regexp.MustCompile(`\.(css|eot|gif|ico|js|map|otf|png|svg|ttf|woff2?)$|\.LICENSE\.txt$`)

// Issue 8: what real generators publish carries what semantics.md says, their own bytes stay, and a second run changes nothing.
func TestGenerators(t *testing.T) {
	for _, g := range generatorSites {
		t.Run(g.name, g.test)
	}
}

// absent skips a test whose tool is not there, but where everything is to be proved fails it.
func absent(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// lay copies the site to a folder where it can be built. Caches of the tools stay in there.
func (g generator) lay(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("generators/"+g.name)); err != nil {
		t.Fatal(err)
	}
	if g.script() {
		modules, err := filepath.Abs("generators/node_modules")
		if err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(modules)
		if err != nil {
			absent(t, "e2e/generators/node_modules is missing: run e2e/install.sh")
		}
		if err := os.Mkdir(filepath.Join(dir, "node_modules"), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if err := os.Symlink(filepath.Join(modules, e.Name()), filepath.Join(dir, "node_modules", e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// script reports whether the generator is one of generators/node_modules.
func (g generator) script() bool { return strings.Contains(g.command[0], "/") }

// build has the site built, as on one and the same day.
func (g generator) build(t *testing.T, dir string) {
	t.Helper()
	tool, args := g.command[0], g.command[1:]
	if g.script() {
		args = append([]string{filepath.Join("node_modules", filepath.FromSlash(tool))}, args...)
		tool = "node"
		if g.modern {
			var err error
			if tool, err = filepath.Abs("hosts/node_modules/node/bin/node"); err != nil {
				t.Fatal(err)
			}
		}
	}
	file, err := exec.LookPath(tool)
	if err != nil {
		absent(t, "%s is missing: run e2e/install.sh, and as root on Debian e2e/install-debian.sh", tool)
	}
	c := exec.Command(file, args...)
	c.Dir, c.Env = dir, append(command().Env, "TZ=UTC", "LANG=C.UTF-8", "ASTRO_TELEMETRY_DISABLED=1", "NO_UPDATE_NOTIFIER=1", "SOURCE_DATE_EPOCH=1772791200")
	if r := finish(t, c); r.code != 0 {
		t.Fatalf("%s: exit code %d\n%s%s", g.name, r.code, r.stdout, r.stderr)
	}
}

func (g generator) test(t *testing.T) {
	dir := g.lay(t)
	g.build(t, dir)
	publish := filepath.Join(dir, filepath.FromSlash(g.publish))
	before := map[string]string{}
	for _, name := range regular(t, publish) {
		before[name] = read(t, filepath.Join(publish, name))
	}
	metarobots := programFile(t, lean) // such a pipeline needs no Hugo
	in := func(args ...string) result {
		t.Helper()
		c := command(args...)
		c.Path, c.Dir = metarobots, dir
		r := finish(t, c)
		if r.code != 0 {
			t.Errorf("metarobots %s: exit code %d\n%s", strings.Join(args, " "), r.code, r.stderr)
		}
		return r
	}

	// The generator and its publish folder are found out.
	applied := in("apply", "--json")
	deciding := byFile(plan(t, applied))
	after := map[string]string{}
	for _, name := range regular(t, publish) {
		after[name] = read(t, filepath.Join(publish, name))
	}
	rows := map[string]generatorFile{}
	for _, row := range g.table {
		rows[row.name] = row
		pg, ok := deciding[row.name]
		if !ok {
			t.Errorf("%s is not among the published files", row.name)
			continue
		}
		tags, header := row.wanted, row.wanted
		switch {
		case row.left != "":
			tags, header = row.left, ""
		case path.Ext(row.name) != ".html":
			tags = ""
		case header == open:
			header = ""
		}
		if path.Ext(row.name) == ".html" {
			if got := carriedBy(t, row.name, after[row.name]); got != tags {
				t.Errorf("%s carries %q, want %q", row.name, got, tags)
			}
		}
		if got := describedMap(pg.Meta); got != tags {
			t.Errorf("%s: --json says %q, want %q", row.name, got, tags)
		}
		if got := strings.Join(pg.Header, "; "); got != header {
			t.Errorf("%s: the header is to say %q, want %q", row.name, got, header)
		}
	}
	for name, pg := range deciding {
		if _, ok := rows[name]; !ok && name != "_headers" && (!generatorAsset.MatchString(name) || len(pg.Header) > 0 || len(pg.Meta) > 0) {
			t.Errorf("%s has no row, and the header %q", name, pg.Header)
		}
	}

	// M4: nothing but tags differs from what the generator wrote, and S1: but for sitemaps, which lose what is noindex.
	for name, text := range after {
		old, ok := before[name]
		switch {
		case name == "_headers":
			if ok || !strings.Contains(text, "/files/prices.pdf\n  X-Robots-Tag: noindex, follow\n") {
				t.Errorf("_headers says %q", text)
			}
		case !ok:
			t.Errorf("%s is none of the generator's files", name)
		case path.Base(name) == "sitemap.xml", path.Base(name) == "sitemap.xml.gz":
			var want []string
			for _, url := range locations(unzipped(t, name, old)) {
				if !strings.Contains(rows[fileAt(t, after, url)].wanted, "noindex") {
					want = append(want, url)
				}
			}
			if got := locations(unzipped(t, name, text)); !slices.Equal(got, want) || len(got) == 0 {
				t.Errorf("%s lists\n%q, want\n%q", name, got, want)
			}
		case path.Ext(name) == ".html":
			if cutTags(old) != cutTags(text) {
				t.Errorf("%s: more than tags was changed", name)
			}
		case old != text:
			t.Errorf("%s was changed", name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			t.Errorf("%s is gone", name)
		}
	}

	g.explain(t, in, deciding)

	// M7
	if r := in("apply"); !strings.Contains(r.stderr, "written: 0,") {
		t.Errorf("a second apply writes:\n%s", r.stderr)
	}
	for _, name := range regular(t, publish) {
		if text, ok := after[name]; !ok || read(t, filepath.Join(publish, name)) != text {
			t.Errorf("the second apply changed %s", name)
		}
	}
	in("check")

	// M7: a preview's tags do not stay, and what is built anew over an edited folder carries the same again.
	in("apply", "-e", "staging")
	for _, row := range g.table {
		if path.Ext(row.name) != ".html" || row.wanted == "" {
			continue
		}
		if got := carriedBy(t, row.name, read(t, filepath.Join(publish, row.name))); !strings.HasPrefix(got, closed) || strings.Contains(got, ";") {
			t.Errorf("%s in staging carries %q", row.name, got)
		}
	}
	again := func(when string) {
		t.Helper()
		in("apply")
		for name, text := range after {
			if path.Ext(name) == ".html" || name == "_headers" {
				if read(t, filepath.Join(publish, name)) != text {
					t.Errorf("%s is another %s", name, when)
				}
			}
		}
	}
	again("after staging")
	g.build(t, dir)
	again("built anew")
	in("check")
	t.Logf("%d files, %d rows", len(after), len(g.table))
}

// explain asks for every row by its URL, and where a content file states something by that file: the answer is what apply
// decided, and names the statement's line (L8).
func (g generator) explain(t *testing.T, in func(args ...string) result, deciding map[string]published) {
	t.Helper()
	type reasons struct {
		Pages []struct {
			File string
			Why  []struct {
				Layer, File string
				Line        int
			}
		}
	}
	var urls, contents []string
	want := map[string]string{}
	for _, row := range g.table {
		urls = append(urls, deciding[row.name].URL)
		if row.states != "" {
			want[row.name] = row.states
			if file, _, _ := strings.Cut(row.states, ":"); slices.Contains([]string{".md", ".markdown", ".rst", ".html"}, path.Ext(file)) {
				contents = append(contents, file)
			}
		}
	}
	r := in(append([]string{"explain", "--json"}, urls...)...)
	if r.code != 0 {
		return
	}
	rows := map[string]published{}
	for _, row := range g.table {
		rows[row.name] = deciding[row.name]
	}
	sameDecisions(t, [2]string{"apply", "explain"}, rows, byFile(plan(t, r)))

	stated := func(r result) map[string][]string {
		var all reasons
		if err := json.Unmarshal([]byte(r.stdout), &all); err != nil {
			t.Fatal(err)
		}
		found := map[string][]string{}
		for _, pg := range all.Pages {
			found[pg.File] = nil
			for _, w := range pg.Why {
				if w.Layer == "page" {
					found[pg.File] = append(found[pg.File], fmt.Sprintf("%s:%d", w.File, w.Line))
				}
			}
		}
		return found
	}
	for name, at := range stated(r) {
		if want[name] == "" && len(at) > 0 || want[name] != "" && !slices.Contains(at, want[name]) {
			t.Errorf("%s: stated at %q, want %q", name, at, want[name])
		}
	}
	if r = in(append([]string{"explain", "--json"}, contents...)...); r.code != 0 {
		return
	}
	asked := stated(r)
	for name, at := range want {
		if file, _, _ := strings.Cut(at, ":"); slices.Contains(contents, file) && !slices.Contains(asked[name], at) {
			t.Errorf("explain %s does not lead to %s", file, name)
		}
	}
}

// carriedBy describes the tags of a page as golang.org/x/net/html reads it, a reader that shares nothing with ours. In the
// body no robots tag may stand.
func carriedBy(t *testing.T, name, page string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var tags []meta
	for n := range root.Descendants() {
		if n.DataAtom != atom.Meta || n.Namespace != "" {
			continue
		}
		var m meta
		for _, a := range n.Attr {
			switch a.Key {
			case "name":
				m.Name = a.Val
			case "content":
				m.Content = &a.Val
			}
		}
		tags = append(tags, m)
		if slices.Contains(robotsNames, strings.ToLower(m.Name)) && n.Parent.DataAtom != atom.Head {
			t.Errorf("%s: a tag outside the head: %v", name, m)
		}
	}
	return described(tags)
}

// cutTags is a page without its robots tags, byte for byte.
func cutTags(page string) string {
	var rest strings.Builder
	z := html.NewTokenizer(strings.NewReader(page))
	for z.Next() != html.ErrorToken {
		raw := string(z.Raw())
		token := z.Token()
		ours := func(a html.Attribute) bool {
			return a.Key == "name" && slices.Contains(robotsNames, strings.ToLower(a.Val))
		}
		if token.DataAtom != atom.Meta || !slices.ContainsFunc(token.Attr, ours) {
			rest.WriteString(raw)
		}
	}
	return rest.String()
}

// unzipped is the text of a file that may be compressed.
func unzipped(t *testing.T, name, data string) string {
	t.Helper()
	if path.Ext(name) != ".gz" {
		return data
	}
	r, err := gzip.NewReader(bytes.NewReader([]byte(data)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fileAt is the published file that hosts serve at an address of a sitemap.
func fileAt(t *testing.T, files map[string]string, url string) string {
	t.Helper()
	name, ok := strings.CutPrefix(url, lampsOrigin+"/")
	for _, form := range []string{name, name + "index.html", name + "/index.html", name + ".html"} {
		if _, found := files[form]; found && ok {
			return form
		}
	}
	t.Errorf("a sitemap lists %s, which is no file", url)
	return ""
}
