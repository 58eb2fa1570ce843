//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
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

const lampsOrigin = "https://lamps.example"

// A generatorFile is a published file with what is decided, written by hand from docs/semantics.md.
// A page is to carry that in its tags, described as in themeFile; the header asks for the same
// where it restricts.
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
	// moved is the file of a page that a program moves, to where no rule leads; permalink is the
	// line of [site.content] that tells.
	moved, permalink string
	// linked is a content file that is a link to one elsewhere in the repository.
	linked string
	table  []generatorFile
	dir    string // where its site is laid
}

// published is the folder of what it builds.
func (g generator) published() string { return filepath.Join(g.dir, g.publish) }

// metarobots is a run over its site: such a pipeline needs no Hugo.
func (g generator) metarobots(t *testing.T, args ...string) result {
	t.Helper()
	c := command(args...)
	c.Path, c.Dir, c.Env = programFile(t, lean), g.dir, append(c.Env, builtOn)
	return finish(t, c)
}

// run is a run that ends with 0.
func (g generator) run(t *testing.T, args ...string) result {
	t.Helper()
	return g.metarobots(t, args...).is(t, 0)
}

// lantern is what the links of the sites lead to, out of them.
const lantern = "---\ntitle: Lantern\nrobots: noindex\n---\n\nKept beside the site.\n"

// Every site has a page that its front matter makes noindex, a section that a rule does, an archive
// of tags, a PDF, a draft with a statement, which makes no page and is no fault, a page that its
// front matter or a configuration puts elsewhere, and one that a program does.
var generatorSites = []generator{
	{name: "eleventy", command: []string{"@11ty/eleventy/cmd.cjs"}, publish: "_site",
		moved: "attic/index.html", permalink: `"src/chimney.md" = "/attic/"`},
	{name: "astro", command: []string{"astro/bin/astro.mjs", "build"}, modern: true, publish: "dist",
		moved: "parts/spare-chimney/index.html", permalink: `"src/content/parts" = "/parts/spare-:name/"`},
	{name: "docusaurus", command: []string{"@docusaurus/core/bin/docusaurus.mjs", "build"}, publish: "build",
		moved: "docs/attic/index.html", permalink: `"docs/chimney.md" = "/docs/attic/"`},
	{name: "vitepress", command: []string{"vitepress/bin/vitepress.js", "build"}, publish: ".vitepress/dist",
		moved: "attic/chimney.html", permalink: `"chimney.md" = "/attic/:name.html"`},
	{name: "hexo", command: []string{"hexo/bin/hexo", "generate"}, publish: "public",
		moved: "2026/03/05/attic/index.html", permalink: `"source/_posts/chimney.md" = "/:year/:month/:day/attic/"`,
		linked: "source/lantern.md"},
	{name: "jekyll", command: []string{"jekyll", "build"}, publish: "_site",
		moved: "attic/index.html", permalink: `"chimney.md" = "/attic/"`, linked: "lantern.md"},
	{name: "mkdocs", command: []string{"mkdocs", "build", "--quiet"}, publish: "site",
		moved: "attic/index.html", permalink: `"docs/chimney.md" = "/attic/"`, linked: "docs/lantern.md"},
	{name: "pelican", command: []string{"pelican", "--quiet"}, publish: "output",
		moved: "flue.html", permalink: `"content/pages/chimney.md" = "/flue.html"`, linked: "content/pages/lantern.md"},
}

// generatorAsset is what has no row in the tables, and is free.
var generatorAsset = regexp.MustCompile(`\.(css|eot|gif|ico|js|map|otf|png|svg|ttf|woff2?)$|\.LICENSE\.txt$`)

// Issue 8: what real generators publish carries what semantics.md says, their own bytes stay, and a
// second run changes nothing. Of the slow generators one has its turn, or all.
func TestGenerators_PagesCarryWhatWasDecided(t *testing.T) {
	t.Parallel()
	slow := []string{"astro", "docusaurus", "vitepress"}
	turn := slow[rand.IntN(len(slow))]
	for _, g := range generatorSites {
		if !everything && slices.Contains(slow, g.name) && g.name != turn {
			continue
		}
		t.Run(g.name, g.test)
	}
}

// builtOn is the day of every build and run.
const builtOn = "SOURCE_DATE_EPOCH=1772791200"

// absent skips a test whose tool is not there, but where everything is to be proved fails it.
func absent(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// laid copies the site to a folder, and builds it.
func (g generator) laid(t *testing.T) generator {
	t.Helper()
	g.dir = t.TempDir()
	must(t, os.CopyFS(g.dir, os.DirFS("generators/"+g.name)))
	g.configure(t, true)
	if g.linked != "" {
		// The link leads out of the site's folder, within the repository around it.
		write(t, filepath.Join(filepath.Dir(g.dir), ".git/HEAD"), "ref: refs/heads/main\n")
		shared := filepath.Join(filepath.Dir(g.dir), "lantern.md")
		write(t, shared, lantern)
		must(t, os.Symlink(shared, filepath.Join(g.dir, g.linked)))
	}
	g.linkModules(t)
	g.build(t)
	return g
}

// linkModules gives a site what is installed in generators/. Caches of the tools stay in the site.
func (g generator) linkModules(t *testing.T) {
	t.Helper()
	if !g.script() {
		return
	}
	modules := installed(t, "generators/node_modules")
	entries := tables.Value(os.ReadDir(modules))(t)
	must(t, os.Mkdir(filepath.Join(g.dir, "node_modules"), 0o755))
	for _, e := range entries {
		must(t, os.Symlink(filepath.Join(modules, e.Name()), filepath.Join(g.dir, "node_modules", e.Name())))
	}
}

// script reports whether the generator is one of generators/node_modules.
func (g generator) script() bool { return strings.Contains(g.command[0], "/") }

// build has the site built, as on one and the same day.
func (g generator) build(t *testing.T) {
	t.Helper()
	tool, args := g.command[0], g.command[1:]
	if g.script() {
		args = append([]string{filepath.Join("node_modules", tool)}, args...)
		tool = "node"
		if g.modern {
			tool = modernNode(t).Path
		}
	}
	file, err := exec.LookPath(tool)
	if err != nil {
		absent(t, "%s is missing: run e2e/install.sh, and as root on Debian e2e/install-debian.sh", tool)
	}
	c := exec.Command(file, args...)
	c.Dir, c.Env = g.dir, append(command().Env, "TZ=UTC", "LANG=C.UTF-8", "ASTRO_TELEMETRY_DISABLED=1",
		"NEXT_TELEMETRY_DISABLED=1", "NO_UPDATE_NOTIFIER=1", builtOn)
	finish(t, c).is(t, 0)
}

func (g generator) test(t *testing.T) {
	t.Parallel()
	for _, row := range tables.Read(t, "testdata/generators/"+g.name+".txt") {
		g.table = append(g.table, generatorFile{row["file"], decided(row["wanted"]), row["states"], row["left"]})
	}
	g = g.laid(t)
	publish := g.published()
	before := tables.Tree(t, publish)
	g.configure(t, false)
	g.lost(t)
	g.configure(t, true)

	// The generator and its publish folder are found out.
	deciding := byFile(planned(t, g.run(t, "apply", "--json")))
	after := tables.Tree(t, publish)
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
		carried := tags
		if path.Ext(row.name) == ".html" {
			carried = carriedBy(t, row.name, after[row.name])
		}
		pg.carries(t, carried, tags, header)
	}
	for name, pg := range deciding {
		if _, ok := rows[name]; !ok && name != "_headers" &&
			(!generatorAsset.MatchString(name) || len(pg.Header) > 0 || len(pg.Meta) > 0) {
			t.Errorf("%s has no row, and the header %q", name, pg.Header)
		}
	}

	// M4: nothing but tags differs from what the generator wrote, and S1: but for sitemaps, which
	// lose what is noindex.
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
				row := rows[fileAt(t, after, url)]
				undecided := row.wanted == "" && path.Ext(row.name) == ".html" // an error page or a redirect
				if !undecided && !strings.Contains(row.wanted, "noindex") {
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

	g.explain(t, deciding)
	g.reports(t, deciding)

	// M7
	g.run(t, "apply").is(t, 0, nothingWritten)
	sameTexts(t, "a second apply", after, tables.Tree(t, publish))
	g.run(t, "check")

	// M7: a preview's tags do not stay, and what is built anew over an edited folder carries the
	// same again.
	g.run(t, "apply", "-e", "staging")
	for _, row := range g.table {
		if path.Ext(row.name) != ".html" || row.wanted == "" {
			continue
		}
		if got := carriedBy(t, row.name, read(t, publish, row.name)); !strings.HasPrefix(got, closed) ||
			strings.Contains(got, ";") {
			t.Errorf("%s in staging carries %q", row.name, got)
		}
	}
	g.run(t, "apply")
	for name, text := range after {
		if (path.Ext(name) == ".html" || name == "_headers") && read(t, publish, name) != text {
			t.Errorf("%s is another after staging", name)
		}
	}
	g.printsMetadata(t)
	t.Logf("%d files, %d rows", len(after), len(g.table))
}

// lost runs over a site of which one content file's page is where no rule leads: that is an error
// with the statement's line, and nothing else is. The message asks for the line that
// [generator.configure] writes.
func (g generator) lost(t *testing.T) {
	t.Helper()
	var states string
	for _, row := range g.table {
		if row.name == g.moved {
			states = row.states
		}
	}
	file, line, _ := strings.Cut(states, ":")
	r := g.metarobots(t, "check", "--json").is(t, 1)
	var o struct {
		Pages    []published
		Findings []struct {
			ID, Severity, File, Message string
			Line                        int
		}
	}
	must(t, json.Unmarshal([]byte(r.stdout), &o))
	errors := 0
	for _, f := range o.Findings {
		if f.Severity != "error" {
			continue
		}
		if errors++; f.ID != "no-page" || f.File != file || fmt.Sprint(f.Line) != line ||
			!strings.Contains(f.Message, fmt.Sprintf("permalinks = { %q = ", file)) {
			t.Errorf("error %+v, want no-page at %s", f, states)
		}
	}
	if errors != 1 {
		t.Errorf("%d errors of a page that is not found, want 1", errors)
	}
	for _, pg := range o.Pages {
		if pg.File == g.moved && pg.Meta["robots"] != open {
			t.Errorf("%s is %q before anybody told where it comes from", g.moved, pg.Meta)
		}
	}
}

// configure writes the site's policy; told: with the line that leads to the page that a program
// moves.
func (g generator) configure(t *testing.T, told bool) {
	t.Helper()
	text := read(t, "generators", g.name, "metarobots.toml")
	if told {
		text = "[site.content]\npermalinks = { " + g.permalink + " }\n\n" + text
	}
	write(t, filepath.Join(g.dir, "metarobots.toml"), text)
}

// reports asks the commands that look at a site: they tell what apply decided, and find nothing
// changed.
func (g generator) reports(t *testing.T, deciding map[string]published) {
	t.Helper()
	sameDecisions(t, [2]string{"apply", "report"}, deciding, byFile(planned(t, g.run(t, "report", "--format", "json"))))
	lock := filepath.Join(t.TempDir(), "metarobots.lock.json")
	g.run(t, "snapshot", "-o", lock)
	g.run(t, "diff", lock, lock)
	g.run(t, "check", "--baseline", lock)
	has(t, read(t, lock), deciding[g.moved].URL)
	has(t, g.run(t, "report", "--format", "html").stdout, deciding[g.moved].URL)
}

// printsMetadata builds the site anew, over what was edited, with templates that print page
// metadata: no line of configuration is needed, every page carries what it did, nothing of it
// stays, and the other bytes are the generator's.
func (g generator) printsMetadata(t *testing.T) {
	t.Helper()
	tables.Write(t, g.dir, tables.Tree(t, "generators/pagemeta/"+g.name))
	g.configure(t, false)
	g.build(t)
	publish := g.published()
	built := map[string]string{}
	printed := 0
	for _, row := range g.table {
		if path.Ext(row.name) == ".html" {
			built[row.name] = read(t, publish, row.name)
			printed += len(pageMetaTag.FindAllString(built[row.name], -1))
		}
	}
	if printed < 8 {
		t.Errorf("%d pages have metadata", printed)
	}
	deciding := byFile(planned(t, g.run(t, "apply", "--json")))
	for _, row := range g.table {
		old, ok := built[row.name]
		if !ok {
			continue
		}
		text := read(t, publish, row.name)
		tags := row.wanted
		if row.left != "" {
			tags = row.left
		}
		equal(t, "with metadata, the tags of "+row.name, carriedBy(t, row.name, text), tags)
		if strings.Contains(cutTags(text), "metarobots") && row.left == "" {
			t.Errorf("%s still has metadata: %s", row.name, pageMetaTag.FindString(text))
		}
		if cutTags(pageMetaTag.ReplaceAllString(old, "")) != cutTags(text) {
			t.Errorf("%s: more than tags was changed", row.name)
		}
	}
	g.explain(t, deciding)
	g.run(t, "apply").is(t, 0, nothingWritten)
	g.run(t, "check")
}
