package pages

import (
	"slices"
	"strings"
	"testing"

	"metarobots/internal/site"
	"metarobots/policy"
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
	x := &fixture{name: "astro", root: t.TempDir(), content: s.content}
	if s.files["astro.config.mjs"] == "" {
		write(t, x.root, "astro.config.mjs", "export default {}")
	}
	for name, text := range s.files {
		if text == "" {
			text = "---\nrobots: noindex\n---\n"
		}
		write(t, x.root, name, text)
	}
	m, err := x.open(t, strings.Fields(s.published))
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
	postsRoute = `
export async function getStaticPaths() {
  const posts = await getCollection('posts')
  return posts.map((post) => ({ params: { slug: post.id }, props: { post } }))
}
`
	onePost = "src/content/posts/one.md: noindex (src/content/posts/one.md:2)"
)

// An entry is shown by every page whose parameter is its name; what an endpoint makes of it is no page of its own.
// https://docs.astro.build/en/guides/routing/#dynamic-routes https://docs.astro.build/en/guides/endpoints/
func TestAstro_RoutesOfOneCollection(t *testing.T) {
	helper := "\nconst posts = await sortedPosts()\nreturn posts.map((post) => ({ params: { slug: post.id } }))\n"
	other := strings.ReplaceAll(postsRoute, "slug: post.id", "slug: nameOf(post)")
	for _, c := range []shown{
		{name: "an endpoint", files: map[string]string{"src/pages/og/[...slug].json.js": postsRoute, "src/pages/posts/[...slug].astro": postsRoute},
			published: "og/one.json posts/one/index.html", want: []string{"posts/one/index.html < " + onePost}},
		{name: "an endpoint alone leaves the page lost", files: map[string]string{"src/pages/og/[...slug].json.js": postsRoute},
			published: "og/one.json attic/index.html", findings: []string{"error no-page src/content/posts/one.md:2"}},
		{name: "an endpoint without an extension", files: map[string]string{"src/pages/posts/[...slug].js": postsRoute},
			published: "posts/one attic/index.html", findings: []string{"error no-page src/content/posts/one.md:2"}},
		{name: "an endpoint that makes pages", files: map[string]string{"src/pages/raw/[...slug].html.js": postsRoute},
			published: "raw/one.html", want: []string{"raw/one.html < " + onePost}},
		{name: "two routes", files: map[string]string{"src/pages/posts/[...slug].astro": postsRoute, "src/pages/print/[...slug].astro": postsRoute},
			published: "posts/one/index.html print/one/index.html", want: []string{"posts/one/index.html < " + onePost, "print/one/index.html < " + onePost}},
		{name: "two routes, one of them below a language", files: map[string]string{"src/pages/posts/[...slug].astro": postsRoute, "src/pages/[lang]/posts/[...slug].astro": postsRoute},
			published: "posts/one/index.html de/posts/one/index.html", want: []string{"de/posts/one/index.html < " + onePost, "posts/one/index.html < " + onePost}},
		{name: "a route below several languages cannot be told", files: map[string]string{"src/pages/posts/[...slug].astro": postsRoute, "src/pages/[lang]/posts/[...slug].astro": postsRoute},
			published: "posts/one/index.html de/posts/one/index.html fr/posts/one/index.html", want: []string{"posts/one/index.html < " + onePost},
			findings: []string{"warning no-page src/content/posts/one.md:2"}},
		{name: "a second route with a computed parameter is told of", files: map[string]string{"src/pages/posts/[...slug].astro": postsRoute, "src/pages/print/[...slug].astro": other},
			published: "posts/one/index.html print/one/index.html", want: []string{"posts/one/index.html < " + onePost},
			findings: []string{"warning no-page src/content/posts/one.md:2"}},
		{name: "a second route that a helper feeds is told of", files: map[string]string{"src/pages/posts/[...slug].astro": postsRoute, "src/pages/print/[...slug].astro": helper},
			published: "posts/one/index.html print/one/index.html", want: []string{"posts/one/index.html < " + onePost},
			findings: []string{"warning no-page src/content/posts/one.md:2"}},
		{name: "a page of its own goes before a route", files: map[string]string{"src/pages/posts/[...slug].astro": postsRoute, "src/pages/print/[...slug].astro": postsRoute, "src/pages/print/one.md": "---\n---\n"},
			published: "posts/one/index.html print/one/index.html", want: []string{"posts/one/index.html < " + onePost, "print/one/index.html < src/pages/print/one.md"}},
		{name: "a route of another collection is none", files: map[string]string{"src/pages/posts/[...slug].astro": postsRoute, "src/pages/print/[...slug].astro": strings.ReplaceAll(postsRoute, "'posts'", "'notes'")},
			published: "posts/one/index.html print/one/index.html", want: []string{"posts/one/index.html < " + onePost}},
		{name: "an archive of terms is none", files: map[string]string{"src/pages/posts/[...slug].astro": postsRoute, "src/pages/tags/[slug].astro": postsRoute, "src/pages/by/[tag].astro": strings.ReplaceAll(postsRoute, "slug:", "tag:")},
			published: "posts/one/index.html tags/one/index.html by/one/index.html", want: []string{"posts/one/index.html < " + onePost}},
		{name: "what the owner says goes before a route, and the other page is told of", files: map[string]string{"src/pages/posts/[...slug].astro": postsRoute},
			content:   &site.Content{Permalinks: map[string]string{"src/content/posts": "/else/:name/"}},
			published: "posts/one/index.html else/one/index.html", want: []string{"else/one/index.html < " + onePost},
			findings: []string{"warning no-page src/content/posts/one.md:2"}},
		{name: "an index of the root is no list", files: map[string]string{"src/pages/posts/[...slug].astro": postsRoute, "src/content/posts/one.md": "---\n---\n", "src/content/posts/index.md": ""},
			published: "posts/index.html posts/index/index.html posts/one/index.html",
			want:      []string{"posts/index/index.html < src/content/posts/index.md: noindex (src/content/posts/index.md:2)", "posts/one/index.html < src/content/posts/one.md"}},
	} {
		c.files["src/content.config.mjs"] = postsByGlob
		if _, ok := c.files["src/content/posts/one.md"]; !ok {
			c.files["src/content/posts/one.md"] = ""
		}
		c.test(t)
	}
}

// A page of src/pages is no entry's of the same name, unless it names the collection; nor is one that a route of another
// collection makes at the root. An entry whose page is not found is an error, and a draft takes no other page.
// https://docs.astro.build/en/guides/routing/#route-priority-order
func TestAstro_PagesOfTheirOwn(t *testing.T) {
	const about = "src/content/posts/about.md: noindex (src/content/posts/about.md:2)"
	computed := strings.ReplaceAll(postsRoute, "slug: post.id", "slug: nameOf(post)")
	for _, c := range []shown{
		{name: "a page called as an entry", files: map[string]string{"src/pages/about.astro": "text", "src/pages/jobs/[...slug].astro": computed},
			published: "about/index.html jobs/w-about/index.html", findings: []string{"error no-page src/content/posts/about.md:2"}},
		{name: "and as a draft", files: map[string]string{"src/pages/about.astro": "text", "src/pages/jobs/[...slug].astro": postsRoute + "if (data.draft) …", "src/content/posts/about.md": "---\ndraft: true\nrobots: noindex\n---\n"},
			published: "about/index.html", findings: []string{"note no-page src/content/posts/about.md"}},
		{name: "below the collection's name", files: map[string]string{"src/pages/posts/about.astro": "text", "src/pages/posts/[...slug].astro": postsRoute},
			published: "posts/about/index.html", findings: []string{"error no-page src/content/posts/about.md:2"}},
		{name: "a page that shows it", files: map[string]string{"src/pages/about.astro": "const about = await getEntry('posts', 'about')"},
			published: "about/index.html", want: []string{"about/index.html < " + about}},
		{name: "a route of another collection", files: map[string]string{"src/pages/[...slug].astro": strings.ReplaceAll(postsRoute, "'posts'", "'notes'")},
			published: "about/index.html", findings: []string{"error no-page src/content/posts/about.md:2"}},
		{name: "a route that names none", files: map[string]string{"src/pages/[...slug].astro": "text"},
			published: "about/index.html", want: []string{"about/index.html < " + about}},
	} {
		c.files["src/content.config.mjs"] = postsByGlob
		if _, ok := c.files["src/content/posts/about.md"]; !ok {
			c.files["src/content/posts/about.md"] = ""
		}
		c.test(t)
	}
}

// Entries that file() loads are no content files: where they state something, that is said.
// https://docs.astro.build/en/reference/content-loader-reference/#file-loader
func TestAstro_EntriesOfAFile(t *testing.T) {
	config := "import { file } from 'astro/loaders'\nexport const collections = { lamps: defineCollection({ loader: file('./src/data/lamps.json') }) }\n"
	for text, want := range map[string][]string{
		`[{ "id": "a", "name": "A" }]`:                                  nil,
		"[\n { \"id\": \"a\", \"robots\": \"noindex\" }\n]":             {"warning config-computed src/data/lamps.json:2"},
		`{ "a": { "robotsText": "x", "noindexed": 1, "x": "robots" } }`: nil,
	} {
		m := laid(t, map[string]string{"astro.config.mjs": "x", "src/content.config.ts": config, "src/data/lamps.json": text}, "dist/lamps/a/index.html")
		holds(t, m, nil, want...)
	}
}

// Entries in the folder of their language are shown below a parameter for it, as Astro's own recipe has it.
// https://docs.astro.build/en/recipes/i18n/#use-collections-for-translated-content
func TestAstro_EntriesInFoldersOfLanguages(t *testing.T) {
	recipe := `
const pages = await getCollection('posts')
const paths = pages.map(page => {
  const [lang, ...slug] = page.id.split('/');
  return { params: { lang, slug: slug.join('/') || undefined }, props: page }
})`
	c := shown{files: map[string]string{"src/content.config.mjs": postsByGlob, "src/pages/[lang]/blog/[...slug].astro": recipe,
		"src/content/posts/en/one.md": "", "src/content/posts/de/one.md": "---\n---\n", "src/content/posts/de/index.md": "", "src/content/posts/misc/two.md": ""},
		published: "en/blog/one/index.html de/blog/one/index.html de/blog/index.html misc/blog/two/index.html",
		want: []string{"de/blog/index.html < src/content/posts/de/index.md: noindex (src/content/posts/de/index.md:2)", "de/blog/one/index.html < src/content/posts/de/one.md",
			"en/blog/one/index.html < src/content/posts/en/one.md: noindex (src/content/posts/en/one.md:2)"},
		findings: []string{"error no-page src/content/posts/misc/two.md:2"}}
	c.test(t)
}

// A page that the template names is no other entry's, however its name looks.
func TestAstro_PageMetaSettlesWhichPagesShowAnEntry(t *testing.T) {
	s := shown{files: map[string]string{"src/content.config.mjs": postsByGlob, "src/content/posts/one.md": "", "src/pages/posts/[...slug].astro": postsRoute, "src/pages/[lang]/posts/[...slug].astro": postsRoute},
		published: "posts/one/index.html de/posts/one/index.html fr/posts/one/index.html"}
	m := s.open(t)
	for _, name := range strings.Fields(s.published) {
		f := m.File(name)
		m.ReadPage(&f, nil, []site.PageMeta{{Source: "src/content/posts/one.md"}})
		if len(f.Page) != 1 {
			t.Errorf("%s", describe(f))
		}
	}
	if got := briefs(m); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

// What a collection's loader finds are its entries, also what begins with an underscore; the folder that it names may be
// made of constants, and where it is computed a finding says so.
// https://docs.astro.build/en/reference/content-loader-reference/#glob-loader
func TestAstro_CollectionsByTheirLoaders(t *testing.T) {
	const config = "import { defineCollection } from 'astro:content'\nimport { glob, file } from 'astro/loaders'\n"
	const computed = "warning config-computed src/content.config.ts:"
	one := "posts/one/index.html < src/data/one.md: noindex (src/data/one.md:2)"
	for _, c := range []struct {
		name, config, files, published string
		want, findings                 []string
	}{
		{name: "an underscore", config: "const posts = defineCollection({ loader: glob({ pattern: '**/*.md', base: './src/data' }) })", files: "src/data/_one.md src/data/_in/two.md",
			published: "posts/_one/index.html posts/_in/two/index.html",
			want: []string{"posts/_in/two/index.html < src/data/_in/two.md: noindex (src/data/_in/two.md:2)",
				"posts/_one/index.html < src/data/_one.md: noindex (src/data/_one.md:2)"}},
		{name: "an underscore that is lost", config: "const posts = defineCollection({ loader: glob({ pattern: '**/*.md', base: './src/data' }) })", files: "src/data/_one.md",
			published: "index.html", findings: []string{"error no-page src/data/_one.md:2"}},
		{name: "an underscore that the pattern leaves out", config: "const posts = defineCollection({ loader: glob({ pattern: '**/[^_]*.md', base: './src/data' }) })", files: "src/data/_one.md src/data/one.md",
			published: "posts/one/index.html", want: []string{one}, findings: []string{"note no-page src/data/_one.md"}},
		{name: "patterns that leave out", config: "const posts = defineCollection({ loader: glob({ pattern: ['**/*.{md,mdx}', '!drafts/**', '!**/_*'], base: './src/data' }) })", files: "src/data/_a.md src/data/drafts/b.md src/data/one.md",
			published: "posts/one/index.html", want: []string{one}, findings: []string{"note no-page src/data/_a.md"}},
		{name: "a pattern that is not understood leaves nothing out", config: "const posts = defineCollection({ loader: glob({ pattern: '**/!(_*).md', base: './src/data' }) })", files: "src/data/_a.md",
			published: "index.html", findings: []string{"error no-page src/data/_a.md:2"}},
		{name: "no base", config: "const posts = defineCollection({ loader: glob({ pattern: 'src/data/*.md' }) })", files: "src/data/one.md README.md",
			published: "posts/src/data/one/index.html", want: []string{"posts/src/data/one/index.html < src/data/one.md: noindex (src/data/one.md:2)"}},
		{name: "a constant", config: "export const BLOG_PATH = 'src/data'\nconst posts = defineCollection({ loader: glob({ pattern: '**/*.md', base: `./${BLOG_PATH}` }) })", files: "src/data/one.md",
			published: "posts/one/index.html", want: []string{one}},
		{name: "a constant alone", config: "const BLOG_PATH: string = './src/data'\nconst posts = defineCollection({ loader: glob({ pattern: '**/*.md', base: BLOG_PATH }) })", files: "src/data/one.md",
			published: "posts/one/index.html", want: []string{one}},
		{name: "a constant of another file", config: "import { BLOG_PATH } from './config'\nconst posts = defineCollection({ loader: glob({ pattern: '**/*.md', base: `./${BLOG_PATH}` }) })", files: "src/data/one.md",
			published: "posts/one/index.html", findings: []string{computed + "4"}},
		{name: "a constant that is computed", config: "const BLOG_PATH = process.env.POSTS ?? 'src/data'\nconst posts = defineCollection({ loader: glob({ pattern: '**/*.md', base: BLOG_PATH }) })", files: "src/data/one.md",
			published: "posts/one/index.html", findings: []string{computed + "4"}},
		{name: "a URL", config: "const posts = defineCollection({ loader: glob({ pattern: '**/*.md', base: new URL('./data', import.meta.url) }) })", files: "src/data/one.md",
			published: "posts/one/index.html", findings: []string{computed + "3"}},
		{name: "a function that makes the loader", config: "const md = (dir) => glob({ pattern: '**/*.md', base: './src/' + dir })\nconst posts = defineCollection({ loader: md('data') })", files: "src/data/one.md",
			published: "posts/one/index.html", findings: []string{computed + "4"}},
		{name: "options that are spread", config: "const posts = defineCollection({ loader: glob({ pattern: '**/*.md', ...where }) })", files: "src/data/one.md",
			published: "posts/one/index.html", findings: []string{computed + "3"}},
		{name: "a collection that is computed", config: "const posts = defineCollection(made('posts'))", files: "src/data/one.md",
			published: "posts/one/index.html", findings: []string{computed + "3"}},
		{name: "a loader that is named", config: "const posts = defineCollection({ loader, schema })", files: "src/data/one.md",
			published: "posts/one/index.html", findings: []string{computed + "3"}},
		{name: "a file of data", config: "const posts = defineCollection({ loader: file('src/data/posts.json') })", files: "src/data/one.md",
			published: "posts/one/index.html"},
		{name: "a schema that speaks of a base", config: "const posts = defineCollection({ schema: z.object({ base: z.string(), loader: z.string() }), loader: glob({ pattern: '**/*.md', base: 'src/data' }) })", files: "src/data/one.md",
			published: "posts/one/index.html", want: []string{one}},
		{name: "the name under which it is exported", config: "const postCollection = defineCollection({ loader: glob({ pattern: '**/*.md', base: 'src/data' }) })\nexport const collections = { 'posts': postCollection }", files: "src/data/one.md",
			published: "posts/one/index.html", want: []string{one}},
		{name: "two collections of one folder", config: "const notes = defineCollection({ loader: glob({ pattern: 'notes/*.md', base: 'src/data' }) })\nconst posts = defineCollection({ loader: glob({ pattern: 'p/*.md', base: 'src/data' }) })", files: "src/data/p/one.md",
			published: "posts/p/one/index.html", want: []string{"posts/p/one/index.html < src/data/p/one.md: noindex (src/data/p/one.md:2)"}},
		{name: "a folder of another's", config: "const posts = defineCollection({ loader: glob({ pattern: 'posts/*.md', base: 'src/content' }) })", files: "src/content/posts/one.md src/content/notes/two.md",
			published: "posts/posts/one/index.html posts/one/index.html notes/two/index.html", want: []string{"notes/two/index.html < src/content/notes/two.md: noindex (src/content/notes/two.md:2)", "posts/posts/one/index.html < src/content/posts/one.md: noindex (src/content/posts/one.md:2)"}},
		{name: "an entry of two collections", config: "const all = defineCollection({ loader: glob({ pattern: '**/*.md', base: 'src/data' }) })\nconst posts = defineCollection({ loader: glob({ pattern: 'p/*.md', base: 'src/data' }) })", files: "src/data/p/one.md",
			published: "posts/p/one/index.html all/p/one/index.html", want: []string{"all/p/one/index.html < src/data/p/one.md: noindex (src/data/p/one.md:2)", "posts/p/one/index.html < src/data/p/one.md: noindex (src/data/p/one.md:2)"}},
	} {
		files := map[string]string{"src/content.config.ts": config + c.config, "src/pages/posts/[...slug].astro": postsRoute, "src/pages/all/[...slug].astro": strings.ReplaceAll(postsRoute, "'posts'", "'all'")}
		for name := range strings.FieldsSeq(c.files) {
			files[name] = ""
		}
		s := shown{name: c.name, files: files, published: c.published, want: c.want, findings: c.findings}
		s.test(t)
	}
}

// Where the folder of a collection is computed, [site.content] says it, and its routes are known as ever.
func TestAstro_OwnersFolderOfAComputedCollection(t *testing.T) {
	s := shown{files: map[string]string{
		"src/content.config.ts":           "const posts = defineCollection({ loader: glob({ pattern: '**/*.md', base: where() }) })",
		"src/pages/posts/[...slug].astro": postsRoute, "src/data/_one.md": "", "src/pages/about.md": ""},
		content:   &site.Content{Folders: []string{"src/data", "src/pages"}},
		published: "posts/_one/index.html about/index.html",
		want: []string{"about/index.html < src/pages/about.md: noindex (src/pages/about.md:2)",
			"posts/_one/index.html < src/data/_one.md: noindex (src/data/_one.md:2)"},
		findings: []string{"warning config-computed src/content.config.ts:1"}}
	s.test(t)
}

// build.format says whether a page is a folder or a file. https://docs.astro.build/en/reference/configuration-reference/#buildformat
func TestAstro_BuildFormat(t *testing.T) {
	files := func(format string) map[string]string {
		return map[string]string{"astro.config.mjs": "export default { image: { format: 'webp' }, build: { format: " + format + " } }", "src/content.config.mjs": postsByGlob, "src/pages/team/index.md": "", "src/pages/who.md": "", "src/pages/index.md": "",
			"src/content/posts/one.md": "", "src/content/posts/sub/index.md": "", "src/pages/posts/[...slug].astro": postsRoute}
	}
	who := func(name, file string) string { return name + " < " + file + ": noindex (" + file + ":2)" }
	for _, c := range []shown{
		{name: "file", files: files("'file'"), published: "index.html team.html team/index.html who.html who/index.html posts/one.html posts/sub.html",
			want: []string{who("index.html", "src/pages/index.md"), who("posts/one.html", "src/content/posts/one.md"), who("posts/sub.html", "src/content/posts/sub/index.md"), who("team.html", "src/pages/team/index.md"), who("who.html", "src/pages/who.md")}},
		{name: "directory", files: files("'directory'"), published: "index.html team.html team/index.html who.html who/index.html posts/one/index.html posts/sub/index.html",
			want: []string{who("index.html", "src/pages/index.md"), who("posts/one/index.html", "src/content/posts/one.md"), who("posts/sub/index.html", "src/content/posts/sub/index.md"), who("team/index.html", "src/pages/team/index.md"), who("who/index.html", "src/pages/who.md")}},
		{name: "preserve", files: files("'preserve'"), published: "index.html team.html team/index.html who.html who/index.html posts/one.html posts/sub.html",
			want: []string{who("index.html", "src/pages/index.md"), who("posts/one.html", "src/content/posts/one.md"), who("posts/sub.html", "src/content/posts/sub/index.md"), who("team/index.html", "src/pages/team/index.md"), who("who.html", "src/pages/who.md")}},
		{name: "computed", files: files("process.env.FORMAT"), published: "index.html team.html who.html posts/one.html posts/sub.html",
			want:     []string{who("index.html", "src/pages/index.md"), who("posts/one.html", "src/content/posts/one.md"), who("posts/sub.html", "src/content/posts/sub/index.md"), who("team.html", "src/pages/team/index.md"), who("who.html", "src/pages/who.md")},
			findings: []string{"warning config-computed astro.config.mjs"}},
	} {
		c.test(t)
	}
}

// Numbers are pagers where a route's parameter is a page, and where they go on from 2 without a gap; those of things are
// none. https://docs.astro.build/en/guides/routing/#pagination
func TestAstro_NumberedPagers(t *testing.T) {
	s := shown{files: map[string]string{
		"src/pages/products/index.astro": "x", "src/pages/products/[id].astro": "x", "src/pages/items/[id].astro": "x", "src/pages/blog/[...page].astro": "x",
		"src/pages/news/[page].astro": "x", "src/pages/tags/[tag]/[...page].astro": "x", "src/pages/[...slug].astro": "x",
		"src/pages/lamp2.astro": "x", "src/pages/bulb/2/index.astro": "x"},
		published: "index.html products/index.html products/7/index.html products/12/index.html products/31/index.html " +
			"items/index.html items/2/index.html items/3/index.html blog/index.html blog/2/index.html blog/3/index.html blog/2026/index.html " +
			"news/index.html news/1/index.html news/2/index.html tags/a/index.html tags/a/2/index.html flat.html flat/2.html flat/3.html " +
			"else/index.html else/2/index.html else/4/index.html both/index.html both/1/index.html both/2/index.html " +
			"lamp.html lamp2.html bulb.html bulb/2/index.html"}
	m := s.open(t)
	want := map[string]int{"blog/2/index.html": 2, "blog/3/index.html": 3, "news/2/index.html": 2, "tags/a/2/index.html": 2, "flat/2.html": 2, "flat/3.html": 3, "else/2/index.html": 2}
	for _, name := range m.published.names {
		if f := m.File(name); f.Pager != want[name] {
			t.Errorf("%s is pager %d, want %d", name, f.Pager, want[name])
		}
	}
}

// What was said of a page outright stays, whatever its template names beside it, its language says, or it links to.
func TestHouse_WhatIsSaidOutrightStays(t *testing.T) {
	root := t.TempDir()
	write(t, root, ".eleventy.js", "")
	write(t, root, "a.md", "---\nrobots: nofollow\n---\n")
	write(t, root, "metarobots.json", `[
  {"url": "/else/", "robots": "noindex"},
  {"url": "/it/x/", "section": "hidden", "kind": "term"},
  {"url": "/y/", "language": "xx"},
  {"url": "/list/", "section": "hidden", "language": "xx"},
  {"url": "/named/", "source": "a.md"}
]`)
	write(t, root, "b.md", "---\nrobots: noarchive\n---\n")
	write(t, root, "c.md", "---\npermalink: /b/\nrobots: nosnippet\n---\n")
	for _, name := range []string{"index.html", "a/index.html", "else/index.html", "it/index.html", "it/x/index.html", "y/index.html", "list/index.html", "list/page/2/index.html", "list/x/index.html", "named/index.html", "b/index.html"} {
		write(t, root, "_site/"+name, "")
	}
	s, err := Generator{&eleventy}.Open(t.Context(), site.Options{Source: root, Short: func(file string) string { return strings.TrimPrefix(file, root+"/") }})
	if err != nil {
		t.Fatal(err)
	}
	read, err := s.List(t.Context(), testOptions)
	if err != nil {
		t.Fatal(err)
	}
	m := read.(*pageMap)
	learn := func(name, src string, metadata ...site.PageMeta) site.File {
		f := m.File(name)
		m.ReadPage(&f, []byte(src), metadata)
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
		{"else/index.html", "", []site.PageMeta{{Source: "a.md"}}, "else/index.html < a.md: nofollow (a.md:2), noindex (metarobots.json:2)"},
		{"else/index.html", "<html lang=en>", []site.PageMeta{noarchive, {Source: "a.md"}}, "else/index.html < a.md: nofollow (a.md:2), noindex (metarobots.json:2), noarchive ()"},
		{"b/index.html", "", []site.PageMeta{{Source: "b.md"}}, "b/index.html < b.md: noarchive (b.md:2), nosnippet (c.md:3)"}, // two files of one page
		{"b/index.html", "", []site.PageMeta{{Source: "a.md"}}, "b/index.html < a.md: nofollow (a.md:2)"},
		{"named/index.html", `<a href="/edit/main/b.md">`, nil, "named/index.html < a.md: nofollow (a.md:2)"},
	} {
		if got := describe(learn(c.name, c.src, c.metadata...)); got != c.want {
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
		f := learn(name, english)
		if got := facts(f); got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
		if f.Of != nil && f.Of.Section != "hidden" {
			t.Errorf("%s is a pager of %+v", name, f.Of.Facts)
		}
	}
}

// A page that links to several content files to be edited is a list of them; where it links to one that has a page of its
// own, that is told.
func TestHouse_EditLinksOfAList(t *testing.T) {
	const a = `<a href="https://code.example/o/r/edit/main/src/a.md">Edit</a>`
	const lost = `<a href="https://code.example/o/r/edit/main/src/lost.md">Edit</a>`
	for _, c := range []struct{ src, want, finding string }{
		{a + lost, "b/index.html <", "error no-page src/lost.md:3"},
		{lost + a, "b/index.html <", "error no-page src/lost.md:3"},
		{lost + lost, "b/index.html < src/lost.md: noindex (src/lost.md:3)", ""},
		{`<link rel="edit" href="/src/lost.md">` + a, "b/index.html < src/lost.md: noindex (src/lost.md:3)", ""},
		{a, "b/index.html < src/a.md: nofollow (src/a.md:2)", "warning source-differs src/a.md\nerror no-page src/lost.md:3"},
	} {
		m := learned(t)
		f := m.File("b/index.html")
		m.ReadPage(&f, []byte("<html><head>"+c.src), nil)
		if got := describe(f); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.src, got, c.want)
		}
		if got := strings.Join(briefs(m), "\n"); got != c.finding {
			t.Errorf("%s: findings %q, want %q", c.src, got, c.finding)
		}
	}
}

// A finding of a second page names it, and the file that may show it there.
func TestAstro_DoubtNamesThePage(t *testing.T) {
	s := shown{files: map[string]string{"src/content.config.mjs": postsByGlob, "src/content/posts/one.md": "", "src/pages/posts/[...slug].astro": postsRoute,
		"src/pages/print/[...slug].astro": strings.ReplaceAll(postsRoute, "slug: post.id", "slug")},
		published: "posts/one/index.html print/one/index.html"}
	f := s.open(t).Findings()
	if len(f) != 1 || f[0].Severity != policy.Warning || f[0].URL != "/print/one/" || !strings.Contains(f[0].Message, "src/pages/print/[...slug].astro") {
		t.Errorf("%+v", f)
	}
}
