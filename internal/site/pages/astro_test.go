package pages

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/head"
	"metarobots/internal/site"
)

// A shown is an Astro site of a few files, with what is to be found of it.
type shown struct {
	name      string
	files     map[string]string
	published string
	content   *site.Content
	want      []string // of the pages behind which a content file stands
	findings  []string
}

// open lists the site; files that are given no text state noindex where they may.
func (s *shown) open(t *testing.T) *pageMap {
	t.Helper()
	files := map[string]string{"astro.config.mjs": "export default {}"}
	for name, text := range s.files {
		files[name] = cmp.Or(text, front)
	}
	m, err := list(t, files, site.Options{Content: s.content}, slashed(strings.Fields(s.published))...)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return m
}

func (s *shown) test(t *testing.T) {
	t.Helper()
	m := s.open(t)
	var got []string
	for _, name := range m.published.names {
		if f := m.File(name); f.Source != "" || len(f.Page) > 0 {
			got = append(got, describe(f))
		}
	}
	if !slices.Equal(got, s.want) {
		t.Errorf("%s\n got %s\nwant %s", s.name, strings.Join(got, "\n     "), strings.Join(s.want, "\n     "))
	}
	if found := briefs(m); !slices.Equal(found, s.findings) {
		t.Errorf("%s: findings %q, want %q", s.name, found, s.findings)
	}
}

const (
	postsByGlob = `import { defineCollection } from 'astro:content'
import { glob } from 'astro/loaders'
export const collections = { posts: defineCollection({ loader: glob({ pattern: '**/*.md', base: './src/content/posts' }) }) }
`
	onePost = "src/content/posts/one.md: noindex (src/content/posts/one.md:2)"
)

// An entry is looked for below its collection's name, at the root where there is one collection, and in the folder of
// its language. What else a route makes of it is not known, and where nothing is found that is an error.
// https://docs.astro.build/en/guides/routing/#dynamic-routes
// https://docs.astro.build/en/recipes/i18n/#use-collections-for-translated-content
func TestAstro_EntriesByTheirPaths(t *testing.T) {
	lost := []string{"error no-page src/content/posts/one.md:2"}
	own := &site.Content{Permalinks: map[string]string{"src/content/posts": "/else/:name/"}}
	language := "src/content/posts/de/two.md: noindex (src/content/posts/de/two.md:2)"
	for _, c := range []shown{
		{name: "below its collection", published: "posts/one/index.html og/one.json",
			want: []string{"posts/one/index.html < " + onePost}},
		{name: "at the root", published: "one/index.html", want: []string{"one/index.html < " + onePost}},
		{name: "at the root, of several collections", files: map[string]string{"src/content/notes/x.md": "text"},
			published: "one/index.html", findings: append(lost, "note no-page src/content/notes/x.md")},
		{name: "elsewhere", published: "print/one/index.html", findings: lost},
		{name: "where the owner says", content: own, published: "posts/one/index.html else/one/index.html",
			want: []string{"else/one/index.html < " + onePost}},
		{name: "a page of its own", files: map[string]string{"src/pages/posts/one.astro": "text"},
			published: "posts/one/index.html", want: []string{"posts/one/index.html < " + onePost}},
		{name: "below a language", files: map[string]string{"src/content/posts/one.md": "text",
			"src/content/posts/de/two.md": ""},
			published: "de/posts/two/index.html posts/one/index.html",
			want: []string{"de/posts/two/index.html < " + language,
				"posts/one/index.html < src/content/posts/one.md"}},
		{name: "an index of the root", files: map[string]string{"src/content/posts/one.md": "text",
			"src/content/posts/index.md": ""},
			published: "posts/index.html posts/index/index.html posts/one/index.html",
			want: []string{"posts/index/index.html < src/content/posts/index.md: noindex (src/content/posts/index.md:2)",
				"posts/one/index.html < src/content/posts/one.md"}},
	} {
		files := map[string]string{"src/content.config.mjs": postsByGlob, "src/content/posts/one.md": ""}
		maps.Copy(files, c.files)
		c.files = files
		c.test(t)
	}
}

// Starlight publishes docs at the root, and what is not translated below every language too: what its source says holds
// there.
// https://starlight.astro.build/guides/i18n/#fallback-content
func TestStarlight_Fallbacks(t *testing.T) {
	config := "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({ locales: { " +
		"root: {}, de: {} } })] }"
	loader := "export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) }"
	c := shown{files: map[string]string{"astro.config.mjs": config, "src/content.config.ts": loader,
		"src/content/docs/index.mdx": "text", "src/content/docs/a.md": "", "src/content/docs/b.md": "",
		"src/content/docs/404.md": "", "src/content/docs/de/b.md": "text"},
		published: "index.html 404.html a/index.html b/index.html de/index.html de/404/index.html de/a/index.html " +
			"de/b/index.html",
		want: []string{"404.html < src/content/docs/404.md: noindex (src/content/docs/404.md:2)",
			"a/index.html < src/content/docs/a.md: noindex (src/content/docs/a.md:2)",
			"b/index.html < src/content/docs/b.md: noindex (src/content/docs/b.md:2)",
			"de/404/index.html < src/content/docs/404.md: noindex (src/content/docs/404.md:2)",
			"de/a/index.html < src/content/docs/a.md: noindex (src/content/docs/a.md:2)",
			"de/b/index.html < src/content/docs/de/b.md", "de/index.html < src/content/docs/index.mdx",
			"index.html < src/content/docs/index.mdx"}}
	c.test(t)
	// Without a language at the root.
	c = shown{name: "all in folders", files: map[string]string{"astro.config.mjs": config,
		"src/content.config.ts":         loader,
		"src/content/docs/en/index.mdx": "text", "src/content/docs/en/a.md": "", "src/content/docs/en/b.md": "text",
		"src/content/docs/de/b.md": "text"},
		published: "index.html en/index.html en/a/index.html en/b/index.html de/index.html de/a/index.html " +
			"de/b/index.html fr/index.html fr/b/index.html",
		want: []string{"de/a/index.html < src/content/docs/en/a.md: noindex (src/content/docs/en/a.md:2)",
			"de/b/index.html < src/content/docs/de/b.md", "de/index.html < src/content/docs/en/index.mdx",
			"en/a/index.html < src/content/docs/en/a.md: noindex (src/content/docs/en/a.md:2)",
			"en/b/index.html < src/content/docs/en/b.md",
			"en/index.html < src/content/docs/en/index.mdx", "fr/b/index.html < src/content/docs/en/b.md",
			"fr/index.html < src/content/docs/en/index.mdx"}}
	c.test(t)
}

// The folder of a collection may be named by a literal text; where it is none a finding says so, once.
// https://docs.astro.build/en/reference/content-loader-reference/#glob-loader
func TestAstro_CollectionsByTheirLoaders(t *testing.T) {
	const config = "import { defineCollection } from 'astro:content'\nimport { glob, file } from 'astro/loaders'\n"
	const computed = "warning config-computed src/content.config.ts"
	one := "posts/one/index.html < src/data/one.md: noindex (src/data/one.md:2)"
	glob := func(options string) string {
		return "const posts = defineCollection({ loader: glob({ " + options + " }) })"
	}
	for _, c := range []struct {
		name, config, files, published string
		want, findings                 []string
	}{
		{name: "an underscore", config: glob("pattern: '**/*.md', base: './src/data'"),
			files:     "src/data/_one.md src/data/_in/two.md",
			published: "posts/_one/index.html posts/_in/two/index.html",
			want: []string{"posts/_in/two/index.html < src/data/_in/two.md: noindex (src/data/_in/two.md:2)",
				"posts/_one/index.html < src/data/_one.md: noindex (src/data/_one.md:2)"}},
		{name: "an underscore that is lost", config: glob("pattern: '**/*.md', base: './src/data'"),
			files:     "src/data/_one.md",
			published: "index.html", findings: []string{"error no-page src/data/_one.md:2"}},
		{name: "an underscore that the pattern leaves out", config: glob("pattern: '**/[^_]*.md', base: './src/data'"),
			files: "src/data/_one.md src/data/one.md", published: "posts/one/index.html", want: []string{one},
			findings: []string{"note no-page src/data/_one.md"}},
		{name: "patterns that leave out", config: glob("pattern: ['**/*.{md,mdx}', '!**/_*'], base: './src/data'"),
			files: "src/data/_a.md src/data/one.md", published: "posts/one/index.html", want: []string{one},
			findings: []string{"note no-page src/data/_a.md"}},
		{name: "no base", config: glob("pattern: 'src/data/*.md'"), files: "src/data/one.md",
			published: "posts/src/data/one/index.html", findings: []string{computed}},
		{name: "a constant", config: "export const BLOG_PATH = 'src/data'\n" +
			glob("pattern: '**/*.md', base: `./${BLOG_PATH}`"),
			files: "src/data/one.md", published: "posts/one/index.html", findings: []string{computed}},
		{name: "a constant alone", config: "const BLOG_PATH: string = './src/data'\n" +
			glob("pattern: '**/*.md', base: BLOG_PATH"),
			files: "src/data/one.md", published: "posts/one/index.html", findings: []string{computed}},
		{name: "a constant of another file", config: "import { BLOG_PATH } from './config'\n" +
			glob("base: `./${BLOG_PATH}`"),
			files: "src/data/one.md", published: "posts/one/index.html", findings: []string{computed}},
		{name: "a constant that is computed", config: "const BLOG_PATH = process.env.POSTS ?? 'src/data'\n" +
			glob("base: BLOG_PATH"),
			files: "src/data/one.md", published: "posts/one/index.html", findings: []string{computed}},
		{name: "a URL", config: glob("base: new URL('./data', import.meta.url)"), files: "src/data/one.md",
			published: "posts/one/index.html", findings: []string{computed}},
		{name: "a function that makes the loader", files: "src/data/one.md", published: "posts/one/index.html",
			config: "const md = (dir) => glob({ base: './src/' + dir })\nconst posts = defineCollection({ loader: " +
				"md('data') })",
			findings: []string{computed}},
		{name: "options that are spread", config: glob("pattern: '**/*.md', ...where"), files: "src/data/one.md",
			published: "posts/one/index.html", findings: []string{computed}},
		{name: "a collection that is computed", config: "const posts = defineCollection(made('posts'))",
			files:     "src/data/one.md",
			published: "posts/one/index.html", findings: []string{computed}},
		{name: "a loader that is named", config: "const posts = defineCollection({ loader, schema: z.object({}) })",
			files:     "src/data/one.md",
			published: "posts/one/index.html", findings: []string{computed}},
		{name: "a file of data", config: "const posts = defineCollection({ loader: file('src/data/posts.json') })",
			files:     "src/data/one.md",
			published: "posts/one/index.html", findings: []string{"note config-computed src/content.config.ts"}},
		{name: "a schema that speaks of a base", files: "src/data/one.md", published: "posts/one/index.html",
			want: []string{one},
			config: "const posts = defineCollection({ schema: z.object({ base: z.string() }), loader: glob({ base: " +
				"'src/data' }) })"},
		{name: "another name under which it is exported", files: "src/data/one.md", published: "posts/one/index.html",
			findings: []string{"error no-page src/data/one.md:2"},
			config: "const postCollection = defineCollection({ loader: glob({ base: 'src/data' }) })\nexport const " +
				"collections = { 'posts': postCollection }"},
		{name: "a folder of another's", config: strings.Replace(glob("pattern: 'posts/*.md', base: 'src/content'"),
			"posts =", "content =", 1),
			files: "src/content/posts/one.md", published: "posts/one/index.html",
			want: []string{"posts/one/index.html < src/content/posts/one.md: noindex (src/content/posts/one.md:2)"}},
	} {
		files := map[string]string{"src/content.config.ts": config + c.config}
		for name := range strings.FieldsSeq(c.files) {
			files[name] = ""
		}
		s := shown{name: c.name, files: files, published: c.published, want: c.want, findings: c.findings}
		s.test(t)
	}
}

// Where the folder of a collection is computed, [site.content] says it.
func TestAstro_OwnersFolderOfAComputedCollection(t *testing.T) {
	s := shown{files: map[string]string{
		"src/content.config.ts": "const posts = defineCollection({ loader: glob({ pattern: '**/*.md', base: where() }) })",
		"src/data/_one.md":      "", "src/pages/about.md": ""},
		content: &site.Content{Folders: []string{"src/data", "src/pages"},
			Permalinks: map[string]string{"src/data": "/posts/:path/"}},
		published: "posts/_one/index.html about/index.html",
		want: []string{"about/index.html < src/pages/about.md: noindex (src/pages/about.md:2)",
			"posts/_one/index.html < src/data/_one.md: noindex (src/data/_one.md:2)"}}
	s.test(t)
}

// build.format says whether a page is a folder or a file.
// https://docs.astro.build/en/reference/configuration-reference/#buildformat
func TestAstro_BuildFormatDecidesFileOrFolder(t *testing.T) {
	files := func(format string) map[string]string {
		return map[string]string{"astro.config.mjs": "export default { image: { format: 'webp' }, build: { format: " +
			format + " } }", "src/content.config.mjs": postsByGlob, "src/pages/team/index.md": "",
			"src/pages/who.md": "", "src/pages/index.md": "",
			"src/content/posts/one.md": "", "src/content/posts/sub/index.md": ""}
	}
	who := func(name, file string) string { return name + " < " + file + ": noindex (" + file + ":2)" }
	for _, c := range []shown{
		{name: "file", files: files("'file'"), published: "index.html team.html team/index.html who.html " +
			"who/index.html posts/one.html posts/sub.html",
			want: []string{who("index.html", "src/pages/index.md"), who("posts/one.html", "src/content/posts/one.md"),
				who("posts/sub.html", "src/content/posts/sub/index.md"), who("team.html", "src/pages/team/index.md"),
				who("who.html", "src/pages/who.md")}},
		{name: "directory", files: files("'directory'"), published: "index.html team.html team/index.html who.html " +
			"who/index.html posts/one/index.html posts/sub/index.html",
			want: []string{who("index.html", "src/pages/index.md"), who("posts/one/index.html",
				"src/content/posts/one.md"), who("posts/sub/index.html", "src/content/posts/sub/index.md"),
				who("team/index.html", "src/pages/team/index.md"), who("who/index.html", "src/pages/who.md")}},
		{name: "preserve", files: files("'preserve'"), published: "index.html team.html team/index.html who.html " +
			"who/index.html posts/one.html posts/sub.html",
			want: []string{who("index.html", "src/pages/index.md"), who("posts/one.html", "src/content/posts/one.md"),
				who("posts/sub.html", "src/content/posts/sub/index.md"), who("team/index.html",
					"src/pages/team/index.md"), who("who.html", "src/pages/who.md")}},
		{name: "computed", files: files("process.env.FORMAT"), published: "index.html team.html who.html " +
			"posts/one.html posts/sub.html",
			want: []string{who("index.html", "src/pages/index.md"),
				who("posts/one.html", "src/content/posts/one.md"),
				who("posts/sub.html", "src/content/posts/sub/index.md"),
				who("team.html", "src/pages/team/index.md"), who("who.html", "src/pages/who.md")}},
	} {
		c.test(t)
	}
}

// Numbers are pagers where a route's parameter is a page, and where they go on from 2 without a gap; those of things
// are none. https://docs.astro.build/en/guides/routing/#pagination
func TestAstro_NumberedPagers(t *testing.T) {
	s := shown{files: map[string]string{
		"src/pages/products/index.astro": "x", "src/pages/products/[id].astro": "x", "src/pages/items/[id].astro": "x",
		"src/pages/blog/[...page].astro": "x", "src/pages/else/[page].astro": "x",
		"src/pages/news/[page].astro": "x", "src/pages/tags/[tag]/[...page].astro": "x",
		"src/pages/[...slug].astro": "x",
		"src/pages/lamp2.astro":     "x", "src/pages/bulb/2/index.astro": "x"},
		published: "index.html products/index.html products/7/index.html products/12/index.html products/31/index.html " +
			"items/index.html items/2/index.html items/3/index.html blog/index.html blog/2/index.html " +
			"blog/3/index.html blog/2026/index.html " +
			"news/index.html news/1/index.html news/2/index.html tags/a/index.html tags/a/2/index.html flat.html " +
			"flat/2.html flat/3.html " +
			"else/index.html else/2/index.html else/4/index.html both/index.html both/1/index.html both/2/index.html " +
			"lamp.html lamp2.html bulb.html bulb/2/index.html"}
	m := s.open(t)
	want := map[string]int{"blog/2/index.html": 2, "blog/3/index.html": 3, "news/2/index.html": 2,
		"tags/a/2/index.html": 2, "else/2/index.html": 2}
	for _, name := range m.published.names {
		if f := m.File(name); f.Pager != want[name] {
			t.Errorf("%s is pager %d, want %d", name, f.Pager, want[name])
		}
	}
}

// What was said of a page outright stays, whatever its template names beside it, or its language says.
func TestHouse_ExplicitStatementsStay(t *testing.T) {
	m := laid(t, map[string]string{".eleventy.js": "", "a.md": "---\nrobots: nofollow\n---\n",
		"b.md": "---\nrobots: noarchive\n---\n", "c.md": "---\npermalink: /b/\nrobots: nosnippet\n---\n",
		"metarobots.json": `[
  {"url": "/else/", "robots": "noindex"},
  {"url": "/it/x/", "section": "hidden", "kind": "term"},
  {"url": "/y/", "language": "xx"},
  {"url": "/list/", "section": "hidden", "language": "xx"},
  {"url": "/named/", "source": "a.md"}
]`}, "/index.html", "/a/index.html", "/else/index.html", "/it/index.html", "/it/x/index.html", "/y/index.html",
		"/list/index.html", "/list/page/2/index.html", "/list/x/index.html", "/named/index.html", "/b/index.html")
	read := func(name, src string, metadata ...site.PageMeta) site.File {
		f := m.File(name)
		facts := new(head.Scanner).Scan([]byte(src), func([]byte) head.Kind { return head.None })
		m.ReadPage(&f, facts.Language, metadata)
		return f
	}
	noarchive, err := site.ParsePageMeta(`{"robots": "noarchive"}`, testOptions)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, src string
		metadata  []site.PageMeta
		want      string
	}{
		{"else/index.html", "", []site.PageMeta{{Source: "a.md"}}, "else/index.html < a.md: nofollow (a.md:2), " +
			"noindex (metarobots.json:2)"},
		{"else/index.html", "<html lang=en>", []site.PageMeta{noarchive, {Source: "a.md"}},
			"else/index.html < a.md: nofollow (a.md:2), noindex (metarobots.json:2), noarchive ()"},
		// two files of one page
		{"b/index.html", "", []site.PageMeta{{Source: "b.md"}}, "b/index.html < b.md: noarchive (b.md:2), nosnippet " +
			"(c.md:3)"},
		{"b/index.html", "", []site.PageMeta{{Source: "a.md"}}, "b/index.html < a.md: nofollow (a.md:2)"},
	} {
		if got := describe(read(c.name, c.src, c.metadata...)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	const english = "<html lang=en>"
	for name, want := range map[string]string{
		"it/x/index.html":        "page term section=hidden language=en format=html",
		"y/index.html":           "page page section= language=xx format=html",
		"list/index.html":        "page section section=hidden language=xx format=html",
		"list/page/2/index.html": "page section section=hidden language=xx format=html pager 2 of /list/index.html",
		"list/x/index.html":      "page page section=list language=en format=html",
	} {
		f := read(name, english)
		if got := facts(f); got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
		if f.Of != nil && f.Of.Facts.Section != "hidden" {
			t.Errorf("%s is a pager of %+v", name, f.Of.Facts)
		}
	}
}
