package pages

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/site"
	"metarobots/internal/tables"
	"metarobots/policy"
)

func facts(f site.File) string {
	s := fmt.Sprintf("%s %s section=%s language=%s format=%s", f.Role, f.Facts.Kind, f.Facts.Section,
		f.Facts.Language, f.Facts.Format)
	if f.Pager > 1 {
		s += fmt.Sprintf(" pager %d of %s", f.Pager, f.Of.Path.File)
	}
	if len(f.Taxonomies) > 0 {
		s += " of " + strings.Join(f.Taxonomies, " ")
	}
	return s
}

// What a page is, by what is published alone: kinds, sections, pagers and archives as Hugo names
// them.
func TestHouse_FactsOfPages(t *testing.T) {
	names := map[string]string{}
	for _, row := range tables.Read(t, "testdata/facts.txt") {
		names[row["file"]] = row["facts"]
	}
	files := map[string]string{}
	for name := range names {
		files["public/"+name] = ""
	}
	files["public/metarobots.json"] = "[]"
	m := laid(t, files)
	for name, want := range names {
		f := m.File(name)
		if got := facts(f); got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
		if f.Name != name || f.Path != policy.PathOf(name) || f.HTML != site.IsHTML(name) || f.Unknown {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if f := m.Findings(); len(f) != 1 || f[0].ID != "page-metadata-published" {
		t.Errorf("findings %v", f)
	}
}

// The type of a page is that of the first content file behind it that has one: a route of Astro's,
// which has none, leaves that of the entry which it renders.
func TestHouse_TypeIsOfTheFirstContentFileWithOne(t *testing.T) {
	m := laid(t, map[string]string{"astro.config.mjs": "x", "src/content/spec/about.md": front,
		"src/pages/about.astro": "<Layout/>"}, "/about/index.html")
	if f := m.File("about/index.html"); f.Facts.Type != "spec" || f.Source != "src/content/spec/about.md" {
		t.Errorf("type %q of %s, want spec", f.Facts.Type, f.Source)
	}
	m = laid(t, map[string]string{".eleventy.js": "", "a.md": "---\npermalink: /a/\ntype: post\nrobots: noindex\n---\n",
		"b.md": "---\npermalink: /a/\ntype: note\n---\n"}, "/a/index.html")
	if f := m.File("a/index.html"); f.Facts.Type != "post" || f.Source != "a.md" {
		t.Errorf("type %q of %s, want post", f.Facts.Type, f.Source)
	}
}

// L5a: a pager takes what its list's content file states; L3c: a 404 page is an error page, with a
// content file too.
func TestHouse_ContentBehindPagersAndErrorPages(t *testing.T) {
	m := laid(t, map[string]string{"_config.yml": "", "Gemfile": "", "blog/index.html": "---\nrobots: noarchive\n---\n",
		"404.md": "---\npermalink: /404.html\nrobots: noindex\n---\n"},
		"/blog/index.html", "/blog/page2/index.html", "/blog/x.html", "/404.html")
	f := m.File("blog/page2/index.html")
	if f.Pager != 2 || len(f.Page) != 1 || len(f.Of.Statements) != 1 || f.Page[0].States() != "noarchive" {
		t.Errorf("%s %v", facts(f), f.Page)
	}
	if f := m.File("404.html"); f.Role != policy.RoleError || len(f.Page) != 1 {
		t.Errorf("%s %v", facts(f), f.Page)
	}
}

// A folder is a language's where its pages say so: /it/ may be a section.
func TestHouse_LanguageFoldersByWhatPagesSay(t *testing.T) {
	m := laid(t, nil, "/index.html", "/de/index.html", "/de/blog/x.html", "/it/index.html", "/it/x.html")
	for _, c := range []struct{ name, language, want string }{
		{"de/blog/x.html", "de-AT", "page page section=blog language=de format=html"},
		{"de/blog/x.html", "", "page page section=blog language=de format=html"},
		{"it/x.html", "en", "page page section=it language=en format=html"},
		{"it/index.html", "en", "page section section=it language=en format=html"},
		{"index.html", "en-GB", "page home section= language=en-GB format=html"},
	} {
		f := m.File(c.name)
		m.ReadPage(&f, c.language, nil)
		if got := facts(f); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.name, c.language, got, c.want)
		}
	}
}

// twoFiles are an Eleventy site of two content files with statements, of which a.md has its page
// and lost.md has none.
func twoFiles(t *testing.T, home string) *pageMap {
	t.Helper()
	return laid(t, map[string]string{"eleventy.config.js": "export default () => ({ dir: { input: 'src' } })",
		"src/a.md": "---\nrobots: nofollow\n---\n", "src/lost.md": "---\npermalink: \"{{ computed }}\"\nrobots: noindex\n---\n",
		"_site/index.html": home}, "/a/index.html", "/b/index.html")
}

// Without anybody to tell, a page that is computed is not found, and that is an error.
func TestHouse_UnplacedStatementIsAnError(t *testing.T) {
	if got := briefs(twoFiles(t, "")); !slices.Equal(got, []string{"error no-page src/lost.md:3"}) {
		t.Errorf("%q", got)
	}
}

// What a template says goes before what a rule found.
func TestHouse_PageMetaNamesTheSource(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/page-metadata.txt") {
		m := twoFiles(t, "")
		h := tables.Value(site.ParsePageMeta(c["metadata"], testOptions))(t)
		f := m.File(c["name"])
		m.ReadPage(&f, "", []site.PageMeta{h})
		if got := describe(f); got != c["want"] {
			t.Errorf("%s\n got %s\nwant %s", c["metadata"], got, c["want"])
		}
		if got := strings.Join(briefs(m), "\n"); got != c["finding"] {
			t.Errorf("%s: findings %q, want %q", c["metadata"], got, c["finding"])
		}
	}
}

// Templates name content files as their generators know them: from the site's folder, from the
// content's, absolute. One that is not there is told of, where it says nothing else.
func TestHouse_PageMetaNamesTheSourceAsItsGeneratorDoes(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/named.txt") {
		files := map[string]string{c["config"]: "", c["file"]: "---\ntitle: X\nrobots: noindex\n---\n"}
		switch c["generator"] {
		case "hexo":
			files["package.json"] = `{"dependencies": {"hexo": "8"}}`
		case "jekyll":
			files["Gemfile"] = ""
		}
		m := laid(t, files, c["page"])
		root := m.reader.site.options.Source
		read := func(source string) site.File {
			rel, _ := filepath.Rel(m.reader.site.publish, filepath.Join(root, filepath.FromSlash(c["page"])))
			f := m.File(filepath.ToSlash(rel))
			h := tables.Value(site.NewPageMeta(map[string]any{"source": source, "robots": "noindex"}, testOptions))(t)
			m.ReadPage(&f, "", []site.PageMeta{h})
			return f
		}
		says := c["says"]
		if says[0] == '/' {
			says = filepath.Join(root, filepath.FromSlash(says))
		}
		f := read(says)
		if f.Source != c["file"] || len(f.Page) != 1 || f.Page[0].Origin.File != c["file"] || f.Page[0].Origin.Line != 3 {
			t.Errorf("%s: %s is %s", c["generator"], c["says"], describe(f))
		}
		if got := briefs(m); len(got) > 0 {
			t.Errorf("%s: %q", c["generator"], got)
		}
		h := site.PageMeta{Source: "gone.md"}
		m.ReadPage(&f, "", []site.PageMeta{h})
		if got := briefs(m); len(got) != 1 || !strings.HasPrefix(got[0], "warning source-differs ") {
			t.Errorf("%s: of a source that is not there %q", c["generator"], got)
		}
	}
}

// The home page says which generator made it.
func TestHouse_GeneratorMetaIsCompared(t *testing.T) {
	for src, want := range map[string]int{
		`<meta name="generator" content="Eleventy v3.1.0">`: 0, `<meta name=generator content="Astro v5.0">`: 1,
		`<meta name=generator content="WordPress 6">`: 0, "": 0,
	} {
		m, got := twoFiles(t, "<head>"+src), 0
		for _, f := range m.Findings() {
			if f.ID == "source-differs" && f.Severity == policy.Warning {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: %v", src, m.Findings())
		}
	}
}

// Whatever a page says of its language, reading it neither fails nor takes anything away.
func FuzzHouse_ALanguageTakesNothingAway(f *testing.F) {
	for _, seed := range []string{"de", "", "-", "d\x00e"} {
		f.Add(seed)
	}
	s := openedSite{options: site.Options{Short: strings.Clone}}
	m := newPageMap(newReader(&s, testOptions), []string{"de/index.html", "de/x.html"})
	m.languages = []string{"de"}
	c := &content{file: "src/a.md",
		statements: []policy.Statement{{Directives: policy.Stating("noindex")}}}
	m.reader.sources[c.file], m.behind["de/x.html"] = c, []*content{c}
	f.Fuzz(func(t *testing.T, language string) {
		file := m.File("de/x.html")
		m.ReadPage(&file, language, nil)
		if len(file.Page) != 1 || file.Source != "src/a.md" {
			t.Fatalf("%+v", file)
		}
	})
}
