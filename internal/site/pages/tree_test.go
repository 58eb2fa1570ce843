package pages

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"metarobots/frontmatter"
	"metarobots/internal/site"
	"metarobots/policy"
)

var testOptions = frontmatter.Options{Crawlers: policy.KnownCrawlers()}

// front is front matter whose statement is on line 2.
const front = "---\nrobots: noindex\n---\n"

func write(t testing.TB, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// lay writes files into a fresh folder; "a -> b" is a link.
func lay(t testing.TB, files map[string]string) (root string) {
	t.Helper()
	root = filepath.Join(t.TempDir(), "site")
	for name, text := range files {
		name, target, link := strings.Cut(name, " -> ")
		if !link {
			write(t, root, name, text)
			continue
		}
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.FromSlash(target), name); err != nil {
			t.Skip(err)
		}
	}
	return root
}

// generatorOf is the generator that a folder is taken for.
func generatorOf(root string) site.Generator {
	all := Generators()
	i := slices.IndexFunc(all, func(g site.Generator) bool { return g.Detect(root) })
	if i < 0 {
		return HTML
	}
	return all[i]
}

// walked are the published files of a site, sorted.
func walked(s site.Site) (names []string) {
	fs.WalkDir(os.DirFS(s.Settings().Publish), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, name)
		}
		return nil
	})
	slices.Sort(names)
	return names
}

// list lists the site that files make, of which public is the publish folder where no generator is known. published are
// further files, of a page without text: their names are from the site's folder, or behind a slash from where the
// generator publishes.
func list(t testing.TB, files map[string]string, o site.Options, published ...string) (*pageMap, error) {
	t.Helper()
	root := lay(t, files)
	o.Source, o.Short = root, func(file string) string {
		if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
		return file
	}
	g := generatorOf(root)
	if g == HTML {
		o.Destination = filepath.Join(root, cmp.Or(o.Destination, "public"))
	}
	s, err := g.Open(t.Context(), o)
	if err != nil {
		return nil, err
	}
	for _, name := range published {
		in := root
		if name[0] == '/' {
			in = s.Settings().Publish
		}
		write(t, in, name, "<html><head></head>")
	}
	m, err := s.List(t.Context(), testOptions, walked(s))
	return m.(*pageMap), err
}

// laid is list without options, of a site that can be read.
func laid(t testing.TB, files map[string]string, published ...string) *pageMap {
	t.Helper()
	m, err := list(t, files, site.Options{}, published...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// slashed are names in the publish folder.
func slashed(names []string) (all []string) {
	for _, name := range names {
		all = append(all, "/"+name)
	}
	return all
}

// holds compares what stands behind pages, and the findings that are more than a note.
func holds(t *testing.T, m *pageMap, want map[string]string, findings ...string) {
	t.Helper()
	for name, line := range want {
		if got := strings.TrimPrefix(strings.TrimPrefix(describe(m.File(name)), name+" <"), " "); got != line {
			t.Errorf("%s\n got %s\nwant %s", name, got, line)
		}
	}
	var got []string
	for _, f := range m.Findings() {
		if f.Severity != policy.Note {
			got = append(got, brief(f))
		}
	}
	if !slices.Equal(got, findings) {
		t.Errorf("findings %q, want %q", got, findings)
	}
}

// describe prints what stands behind a file.
func describe(f site.File) string {
	line := f.Name + " <"
	if f.Source != "" {
		line += " " + f.Source
	}
	var said []string
	for _, s := range f.Page {
		at := s.Origin.File
		if s.Origin.Line > 0 {
			at += fmt.Sprintf(":%d", s.Origin.Line)
		}
		said = append(said, s.States()+" ("+at+")")
	}
	if len(said) > 0 {
		line += ": " + strings.Join(said, ", ")
	}
	return line
}

func brief(f policy.Finding) string {
	line := fmt.Sprintf("%s %s %s", f.Severity, f.ID, f.File)
	if f.Line > 0 {
		line += fmt.Sprintf(":%d", f.Line)
	}
	return line
}

func briefs(m *pageMap) (all []string) {
	for _, f := range m.Findings() {
		all = append(all, brief(f))
	}
	return all
}

// A fixture is a site of one generator: its sources, what is published of it, and what is to be found.
type fixture struct {
	name                              string
	files                             map[string]string
	content                           *site.Content
	published, want, findings, errors []string // want: of each page its content file and the statements there
}

// readFixture reads a fixture. The sections published, content, want, findings and errors are no files of it.
func readFixture(t testing.TB, file string) *fixture {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	x := &fixture{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), files: map[string]string{}}
	sections := map[string]*[]string{"published": &x.published, "want": &x.want, "findings": &x.findings,
		"errors": &x.errors, "content": new([]string)}
	for _, f := range a.Files {
		if lines := sections[f.Name]; lines != nil {
			*lines = strings.FieldsFunc(string(f.Data), func(r rune) bool { return r == '\n' })
		} else {
			x.files[f.Name] = string(f.Data)
		}
	}
	for _, line := range *sections["content"] {
		if x.content == nil {
			x.content = &site.Content{Permalinks: map[string]string{}}
		}
		if exclude, ok := strings.CutPrefix(line, "exclude "); ok {
			x.content.Exclude = append(x.content.Exclude, globs([]string{exclude})...)
			continue
		}
		dir, url, ok := strings.Cut(strings.TrimPrefix(line, "permalinks "), " = ")
		if !ok {
			t.Fatalf("%s: %q", file, line)
		}
		x.content.Permalinks[dir] = url
	}
	return x
}

// open publishes pages, at the place where the generator puts them, and lists the site.
func (x *fixture) open(t testing.TB, published []string) (*pageMap, error) {
	t.Helper()
	return list(t, x.files, site.Options{Content: x.content, Now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)},
		slashed(published)...)
}

func fixtures(t testing.TB) (all []*fixture) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) != len(Generators()) {
		t.Fatalf("%d fixtures, %v", len(files), err)
	}
	for _, file := range files {
		all = append(all, readFixture(t, file))
	}
	return all
}

// Which content file stands behind each page, what it states and where, and which were not found: written by hand from
// the documentation that each fixture names.
func TestGenerators_ContentBehindPages(t *testing.T) {
	for _, x := range fixtures(t) {
		t.Run(x.name, func(t *testing.T) {
			m, err := x.open(t, x.published)
			if got := m.reader.site.generator.Name(); got != x.name {
				t.Errorf("taken for a site of %s", got)
			}
			if site.IsHugo(m.reader.site.options.Source, nil) { // which is asked before all others
				t.Error("taken for a site of Hugo")
			}
			var errors []string
			if err != nil {
				errors = strings.Split(err.Error(), "\n")
			}
			if !slices.EqualFunc(errors, x.errors, strings.HasPrefix) {
				t.Errorf("errors %q, want %q", errors, x.errors)
			}
			var got []string
			for _, name := range m.published.html {
				got = append(got, describe(m.File(name)))
			}
			for _, name := range m.published.names {
				if f := m.File(name); !f.HTML && f.Source != "" {
					got = append(got, describe(f))
				}
			}
			slices.Sort(got)
			want := slices.Clone(x.want)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			findings := slices.Sorted(slices.Values(briefs(m)))
			wanted := slices.Sorted(slices.Values(x.findings))
			if !slices.Equal(findings, wanted) {
				t.Errorf("findings\n%s\nwant\n%s", strings.Join(findings, "\n"), strings.Join(wanted, "\n"))
			}
		})
	}
}

// Whatever of a site is published: every statement that was read is that of a published file, or stands in a file that
// is named in a finding; the files without any are counted in one note.
func TestHouse_NoStatementIsLost(t *testing.T) {
	for _, x := range fixtures(t) {
		read, _ := x.open(t, x.published)
		rapid.Check(t, func(rt *rapid.T) {
			var published []string
			for _, name := range x.published {
				if rapid.IntRange(0, 3).Draw(rt, name) > 0 {
					published = append(published, name)
				}
			}
			of := *read.reader.site
			of.layout.fallback = rapid.Bool().Draw(rt, "fallback")
			m := newPageMap(newReader(&of, testOptions), nil, published)
			m.reader.sources = read.reader.sources
			for _, c := range read.content {
				again := *c
				again.claimed = nil
				m.content = append(m.content, &again)
			}
			m.place()
			findings := m.Findings()
			notes, silent := 0, 0
			for _, f := range findings {
				if f.ID == "no-page" && f.Severity == policy.Note {
					notes++
				}
			}
			for _, c := range m.content {
				taken := 0
				for _, name := range published {
					f := m.File(name)
					has := !slices.ContainsFunc(c.statements,
						func(s policy.Statement) bool { return !slices.Contains(f.Page, s) })
					if slices.Contains(m.behind[name], c) && (has || !f.HTML) {
						taken++
					}
				}
				named := slices.ContainsFunc(findings, func(f policy.Finding) bool {
					return f.ID == "no-page" && (f.File == c.file && strings.HasPrefix(f.Message, "this file says") ||
						strings.Contains(f.Message, c.file))
				})
				switch {
				case taken > 0:
				case len(c.statements) == 0:
					silent++
				case !named:
					rt.Errorf("%s: %s with %v published: its statements are lost", x.name, c.file, published)
				case c.unpublished:
					silent++
				}
			}
			if notes != min(1, silent) {
				rt.Errorf("%s: %d notes for %d files", x.name, notes, silent)
			}
		})
	}
}

// Of a folder that no generator's own files tell, nothing is guessed; Hexo and Jekyll have one configuration's name.
func TestGenerators_AreRecognizedByTheirFiles(t *testing.T) {
	for _, c := range []struct {
		files, want string
	}{
		{".eleventy.js", "eleventy"}, {"eleventy.config.ts", "eleventy"}, {"astro.config.mjs", "astro"},
		{"_config.yml Gemfile", "jekyll"}, {"_config.yml _posts/x.md", "jekyll"}, {"_config.toml index.md", "jekyll"},
		{"docusaurus.config.js", "docusaurus"}, {".vitepress/config.js", "vitepress"},
		{"docs/.vitepress/config/index.ts", "vitepress"},
		{"mkdocs.yml", "mkdocs"}, {"pelicanconf.py", "pelican"},
		{"_config.yml", ""}, {"package.json", ""}, {"content/x.md", ""}, {"hugo.toml", ""}, {"index.html", ""},
		{"_config.yml package.json Gemfile", "jekyll"}, {"_config.yml:baseurl:_a/b", "jekyll"},
		{"_config.yml:plugins:_[jekyll-feed]", "jekyll"}, {"_config.yml:sphinx:_{}", ""},
		{"_config.yml:baseurl:_/b hexo", "hexo"},
		// Without a configuration.
		{"package.json:{\"devDependencies\":{\"@11ty/eleventy\":\"3\"}}", "eleventy"},
		{"package.json:{\"dependencies\":{\"@11ty/eleventy-img\":\"3\"}}", ""},
		{"package.json:{\"devDependencies\":{\"@11ty/eleventy\":\"3\"}} astro.config.ts", "astro"},
		{"package.json:{\"devDependencies\":{\"@11ty/eleventy\":\"3\"}} mkdocs.yml", "mkdocs"},
		{"package.json:{\"dependencies\":{\"astro\":\"7\"}} src/pages/index.astro", "astro"},
		{"package.json:{\"dependencies\":{\"astro\":\"7\"}} index.html", ""},
		{"package.json:{\"devDependencies\":{\"vitepress\":\"1\"}} docs/.vitepress/theme/index.js", "vitepress"},
		{"package.json:{\"devDependencies\":{\"vitepress\":\"1\"}}", ""},
		{"package.json:{ index.md", ""},
		{"_config.yml source/_posts/x.md hexo", "hexo"},
	} {
		root := t.TempDir()
		for name := range strings.FieldsSeq(c.files) {
			name, text, ok := strings.Cut(name, ":")
			switch {
			case name == "hexo":
				name, text = "package.json", `{"dependencies":{"hexo":"8"}}`
			case !ok:
				text = "{}"
			}
			text = strings.ReplaceAll(text, "_", " ")
			write(t, root, name, text)
		}
		got := generatorOf(root).Name()
		if c.want == "" {
			c.want = "html"
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.files, got, c.want)
		}
	}
}

// A configuration that cannot be read is the user's to mend.
func TestHouse_FaultyConfigurationIsAnError(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"mkdocs.yml", "a: [", "mkdocs.yml:1: "},
		{"_config.toml", "a = ", "_config.toml:1: "},
	} {
		files := map[string]string{c.file: c.text, "_posts/2026-01-01-x.md": ""}
		if _, err := list(t, files, site.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.file, err, c.want)
		}
	}
}

// F: front matter that cannot be read ends the run, whichever generator's: all of it in one go, with lines.
func TestHouse_FaultyFrontMatterIsAnError(t *testing.T) {
	_, err := list(t, map[string]string{"mkdocs.yml": "", "docs/a.md": "---\ntitle: A\nrobots: noindx\n---\n",
		"docs/b.md": "---\nrobots: noindex\n", "docs/c.md": "---\nnoindex: perhaps\n---\n"}, site.Options{})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"docs/a.md:3: robots: unknown directive",
		"docs/b.md:1: front matter: --- on this line opens it", "docs/c.md:2: noindex"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %q", err, want)
		}
	}
}

// The configuration's address, as far as it is literal.
func TestGenerators_AddressIsThatOfTheConfiguration(t *testing.T) {
	for _, c := range []struct{ file, text, publish, want string }{
		{"astro.config.mjs", "export default { site: 'https://a.example/', base: '/b' }", "dist",
			"https://a.example/b"},
		{"docusaurus.config.js", "module.exports = { url: 'https://a.example', baseUrl: '/b/' }", "build",
			"https://a.example/b/"},
		{"pelicanconf.py", "SITEURL = 'https://a.example'", "output", "https://a.example"},
		{"pelicanconf.py", "SITEURL = ''", "output", ""},
		{"pelicanconf.py", "SITEURL = get()", "output", ""},
		{"mkdocs.yml", "site_url: https://a.example/b/", "site", "https://a.example/b/"},
		{".vitepress/config.js", "export default { sitemap: { hostname: 'https://a.example' } }", ".vitepress/dist",
			"https://a.example"},
		{".eleventy.js", "", "_site", ""},
		{"docusaurus.config.js", "module.exports = { url: get(), baseUrl: '/' }", "build", ""},
		{"docusaurus.config.js", "module.exports = { url: 'https://a.example', presets: [['classic', { docs: { path: " +
			"where() } }]] }", "build", "https://a.example/"},
	} {
		root := t.TempDir()
		write(t, root, c.file, c.text)
		write(t, root, path.Join(c.publish, "index.html"), "")
		for _, g := range Generators() {
			if g.Detect(root) {
				s, err := g.Open(context.Background(), site.Options{Source: root})
				if err != nil {
					t.Fatalf("%s: %v", c.file, err)
				}
				settings := s.Settings()
				if settings.BaseURL != c.want || settings.Publish != filepath.Join(root,
					filepath.FromSlash(c.publish)) || settings.State == "" {
					t.Errorf("%s: %s: %+v", c.file, c.text, settings)
				}
				want := policy.Severity(policy.Note)
				if strings.Contains(c.text, "where()") {
					want = policy.Warning // content may lie elsewhere
				}
				m, err := s.List(t.Context(), testOptions, []string{"a.html"})
				if err != nil {
					t.Fatal(err)
				}
				found := m.Findings()
				if computed := len(found) == 1; computed != strings.Contains(c.text, "()") || computed &&
					found[0].Severity != want {
					t.Errorf("%s: %s: %v", c.file, c.text, found)
				}
			}
		}
	}
}
