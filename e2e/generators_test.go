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
	// moved is the file of a page that a program moves, to where no rule leads; permalink is the line of [site.content]
	// that tells.
	moved, permalink string
	// linked is a content file that is a link to one elsewhere in the repository.
	linked string
	table  []generatorFile
}

// lantern is what the links of the sites lead to, out of them.
const lantern = "---\ntitle: Lantern\nrobots: noindex\n---\n\nKept beside the site.\n"

// Every site has a page that its front matter makes noindex, a section that a rule does, an archive of tags, a PDF, a
// draft with a statement, which makes no page and is no fault, a page that its front matter or a configuration puts
// elsewhere, and one that a program does.
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

// Issue 8: what real generators publish carries what semantics.md says, their own bytes stay, and a second run changes
// nothing. Of the slow generators one has its turn, or all.
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

// lay copies the site to a folder where it can be built.
func (g generator) lay(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS("generators/"+g.name)))
	g.configure(t, dir, true)
	if g.linked != "" {
		// The link leads out of the site's folder, within the repository around it.
		write(t, filepath.Join(filepath.Dir(dir), ".git/HEAD"), "ref: refs/heads/main\n")
		shared := filepath.Join(filepath.Dir(dir), "lantern.md")
		write(t, shared, lantern)
		must(t, os.Symlink(shared, filepath.Join(dir, g.linked)))
	}
	g.linkModules(t, dir)
	return dir
}

// linkModules gives a site what is installed in generators/. Caches of the tools stay in the site.
func (g generator) linkModules(t *testing.T, dir string) {
	t.Helper()
	if !g.script() {
		return
	}
	modules := installed(t, "generators/node_modules")
	entries, err := os.ReadDir(modules)
	must(t, err)
	must(t, os.Mkdir(filepath.Join(dir, "node_modules"), 0o755))
	for _, e := range entries {
		must(t, os.Symlink(filepath.Join(modules, e.Name()), filepath.Join(dir, "node_modules", e.Name())))
	}
}

// script reports whether the generator is one of generators/node_modules.
func (g generator) script() bool { return strings.Contains(g.command[0], "/") }

// build has the site built, as on one and the same day.
func (g generator) build(t *testing.T, dir string) {
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
	c.Dir, c.Env = dir, append(command().Env, "TZ=UTC", "LANG=C.UTF-8", "ASTRO_TELEMETRY_DISABLED=1",
		"NEXT_TELEMETRY_DISABLED=1", "NO_UPDATE_NOTIFIER=1", builtOn)
	finish(t, c).is(t, 0)
}

func (g generator) test(t *testing.T) {
	t.Parallel()
	for _, row := range tables.Read(t, "testdata/generators/"+g.name+".txt") {
		g.table = append(g.table, generatorFile{row["file"], decided(row["wanted"]), row["states"], row["left"]})
	}
	dir := g.lay(t)
	g.build(t, dir)
	publish := filepath.Join(dir, g.publish)
	before := map[string]string{}
	for _, name := range regular(t, publish) {
		before[name] = read(t, publish, name)
	}
	metarobots := programFile(t, lean) // such a pipeline needs no Hugo
	run := func(code int, args ...string) result {
		t.Helper()
		c := command(args...)
		c.Path, c.Dir = metarobots, dir
		c.Env = append(c.Env, builtOn)
		return finish(t, c).is(t, code)
	}
	in := func(args ...string) result {
		t.Helper()
		return run(0, args...)
	}
	g.configure(t, dir, false)
	g.lost(t, run)
	g.configure(t, dir, true)

	// The generator and its publish folder are found out.
	applied := in("apply", "--json")
	deciding := byFile(planned(t, applied))
	after := map[string]string{}
	for _, name := range regular(t, publish) {
		after[name] = read(t, publish, name)
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
		if _, ok := rows[name]; !ok && name != "_headers" &&
			(!generatorAsset.MatchString(name) || len(pg.Header) > 0 || len(pg.Meta) > 0) {
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

	g.explain(t, in, deciding)
	g.reports(t, run, deciding)

	// M7
	in("apply").is(t, 0, nothingWritten)
	for _, name := range regular(t, publish) {
		if text, ok := after[name]; !ok || read(t, publish, name) != text {
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
		if got := carriedBy(t, row.name, read(t, publish, row.name)); !strings.HasPrefix(got, closed) ||
			strings.Contains(got, ";") {
			t.Errorf("%s in staging carries %q", row.name, got)
		}
	}
	in("apply")
	for name, text := range after {
		if (path.Ext(name) == ".html" || name == "_headers") && read(t, publish, name) != text {
			t.Errorf("%s is another after staging", name)
		}
	}
	g.printsMetadata(t, in, dir)
	t.Logf("%d files, %d rows", len(after), len(g.table))
}

// lost runs over a site of which one content file's page is where no rule leads: that is an error with the statement's
// line, and nothing else is. The message asks for the line that [generator.configure] writes.
func (g generator) lost(t *testing.T, run func(code int, args ...string) result) {
	t.Helper()
	var states string
	for _, row := range g.table {
		if row.name == g.moved {
			states = row.states
		}
	}
	file, line, _ := strings.Cut(states, ":")
	r := run(1, "check", "--json")
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

// configure writes the site's policy; told: with the line that leads to the page that a program moves.
func (g generator) configure(t *testing.T, dir string, told bool) {
	t.Helper()
	text := read(t, "generators", g.name, "metarobots.toml")
	if told {
		text = "[site.content]\npermalinks = { " + g.permalink + " }\n\n" + text
	}
	must(t, os.WriteFile(filepath.Join(dir, "metarobots.toml"), []byte(text), 0o644))
}

// reports asks the commands that look at a site: they tell what apply decided, and find nothing changed.
func (g generator) reports(t *testing.T, run func(code int, args ...string) result, deciding map[string]published) {
	t.Helper()
	sameDecisions(t, [2]string{"apply", "report"}, deciding, byFile(planned(t, run(0, "report", "--format", "json"))))
	lock := filepath.Join(t.TempDir(), "metarobots.lock.json")
	run(0, "snapshot", "-o", lock)
	run(0, "diff", lock, lock)
	run(0, "check", "--baseline", lock)
	has(t, read(t, lock), deciding[g.moved].URL)
	has(t, run(0, "report", "--format", "html").stdout, deciding[g.moved].URL)
}

// printsMetadata builds the site anew, over what was edited, with templates that print page metadata: no line of
// configuration is needed, every page carries what it did, nothing of it stays, and the other bytes are the
// generator's.
func (g generator) printsMetadata(t *testing.T, in func(args ...string) result, dir string) {
	t.Helper()
	if err := filepath.WalkDir("generators/pagemeta/"+g.name, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		to, _ := filepath.Rel("generators/pagemeta/"+g.name, file)
		to = filepath.Join(dir, to)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, []byte(read(t, file)), 0o644)
	}); err != nil {
		t.Fatal(err)
	}
	g.configure(t, dir, false)
	g.build(t, dir)
	publish := filepath.Join(dir, g.publish)
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
	deciding := byFile(planned(t, in("apply", "--json")))
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
		if got := carriedBy(t, row.name, text); got != tags {
			t.Errorf("%s, with metadata, carries %q, want %q", row.name, got, tags)
		}
		if strings.Contains(cutTags(text), "metarobots") && row.left == "" {
			t.Errorf("%s still has metadata: %s", row.name, pageMetaTag.FindString(text))
		}
		if cutTags(pageMetaTag.ReplaceAllString(old, "")) != cutTags(text) {
			t.Errorf("%s: more than tags was changed", row.name)
		}
	}
	g.explain(t, in, deciding)
	in("apply").is(t, 0, nothingWritten)
	in("check")
}
