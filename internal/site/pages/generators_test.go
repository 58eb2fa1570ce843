package pages

import (
	"context"
	"maps"
	"slices"
	"testing"

	"metarobots/internal/site"
)

// A translation has its file's own word; what is not translated follows the default language's, version by version.
// https://docusaurus.io/docs/i18n/introduction
func TestDocusaurus_TranslationsAndVersions(t *testing.T) {
	m := laid(t, map[string]string{
		"docusaurus.config.js": "module.exports = { i18n: { defaultLocale: 'en', locales: ['en', 'de'] }, plugins: " +
			"[['@docusaurus/plugin-content-docs', { id: 'team', path: 'team', routeBasePath: 'team' }]] }",
		"versions.json": `["1.0"]`,
		"docs/a.md":     "---\nrobots: noindex\n---\n",
		"i18n/de/docusaurus-plugin-content-docs/current/a.md": "# A",
		"versioned_docs/version-1.0/a.md":                     "# A",
		"team/a.md":                                           "# A",
	}, "build/docs/next/a.html", "build/de/docs/next/a.html", "build/docs/a.html", "build/de/docs/a.html",
		"build/de/index.html", "build/team/a.html")
	holds(t, m, map[string]string{
		"docs/next/a.html":    "docs/a.md: noindex (docs/a.md:2)",
		"de/docs/next/a.html": "i18n/de/docusaurus-plugin-content-docs/current/a.md",
		"docs/a.html":         "versioned_docs/version-1.0/a.md",
		"de/docs/a.html":      "versioned_docs/version-1.0/a.md",
		"team/a.html":         "team/a.md",
	})
}

// The options of the docs and the blog are the preset's: the theme has some of its own under the same names.
// https://docusaurus.io/docs/api/themes/configuration#docs
func TestDocusaurus_OptionsOfThePreset(t *testing.T) {
	const noindex = "---\nrobots: noindex\n---\n"
	const (
		theme   = "themeConfig: { docs: { sidebar: { hideable: true } }, blog: { sidebar: { groupByYear: false } } },\n"
		options = "{ docs: { path: 'content', routeBasePath: '/' }, blog: { path: 'news', routeBasePath: 'news' } }"
	)
	for _, config := range []string{
		"const config: Config = {\n" + theme + "presets: [['classic', " + options +
			" satisfies Preset.Options]],\n}",
		"const presets = [['classic', " + options + "]]\nmodule.exports = {\n" + theme +
			"presets,\n}",
	} {
		holds(t, laid(t, map[string]string{"docusaurus.config.ts": config, "content/a.md": noindex,
			"news/b.md": noindex}, "build/a/index.html", "build/news/b/index.html"),
			map[string]string{"a/index.html": "content/a.md: noindex (content/a.md:2)",
				"news/b/index.html": "news/b.md: noindex (news/b.md:2)"})
	}
}

// Presets and plugins that are computed are said.
func TestDocusaurus_ComputedPlugins(t *testing.T) {
	for _, config := range []string{"module.exports = { presets: with('classic', { docs: { path: 'content' } }) }",
		"module.exports = { plugins: [[require.resolve('./docs'), { path: 'content' }]] }"} {
		holds(t, laid(t, map[string]string{"docusaurus.config.js": config, "content/a.md": front}, "build/a/index.html"),
			nil, "warning config-computed docusaurus.config.js")
	}
}

// Versions that the configuration leaves out have no pages, and take none from those that are published.
// https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs#includeCurrentVersion
func TestDocusaurus_VersionsLeftOut(t *testing.T) {
	const noindex = "---\nrobots: noindex\n---\n"
	files := map[string]string{
		"versions.json": `["2.0", "1.0"]`, "docs/a.md": noindex, "docs/b.md": noindex,
		"versioned_docs/version-2.0/a.md": "# A", "versioned_docs/version-1.0/a.md": noindex,
	}
	for option, findings := range map[string][]string{
		"includeCurrentVersion: false, onlyIncludeVersions: ['2.0']": nil,
		"onlyIncludeVersions: ['2.0']":                               nil,
		"includeCurrentVersion: false":                               {"error no-page versioned_docs/version-1.0/a.md:2"},
		"": {"error no-page docs/a.md:2",
			"error no-page docs/b.md:2", "error no-page versioned_docs/version-1.0/a.md:2"},
	} {
		files["docusaurus.config.js"] = "module.exports = { presets: [['classic', { docs: { " + option + " } }]] }"
		holds(t, laid(t, files, "build/docs/a/index.html"),
			map[string]string{"docs/a/index.html": "versioned_docs/version-2.0/a.md"}, findings...)
	}
}

// What Docusaurus 3.10.2 makes of each of these names its own functions told, parseBlogFileName and
// DefaultNumberPrefixParser.
func TestDocusaurus_DatesAndNumbersInNames(t *testing.T) {
	for name, want := range map[string]string{
		"docs/2024-plans.md": "docs/plans", "docs/2024-10-plans.md": "docs/2024-10-plans",
		"docs/07-a/3. b.md": "docs/a/b", "docs/7.0-a.md": "docs/7.0-a",
		"blog/2024-02-03.md": "blog/2024/02/03", "blog/a/2024-02-04-y.md": "blog/2024/02/04/a/y",
		"blog/2024/2-5-z/index.md":       "blog/2024/2/5/z",
		"blog/2024-02-06 Hello World.md": "blog/2024/02/06/ Hello World",
		"blog/2024/02/07/index.mdx":      "blog/2024/02/07/index", "blog/w.md": "blog/w",
	} {
		m := laid(t, map[string]string{"docusaurus.config.js": "module.exports = {}",
			name: "---\nrobots: noindex\n---\n"}, "build/"+want+"/index.html")
		holds(t, m, map[string]string{want + "/index.html": name + ": noindex (" + name + ":2)"})
	}
}

// What a version says of itself says nothing of the docs: its path is no folder's.
// https://docusaurus.io/docs/versioning#configuring-versioning-behavior
func TestDocusaurus_PathsOfVersionsAreNoFolders(t *testing.T) {
	const noindex = "---\nrobots: noindex\n---\n"
	m := laid(t, map[string]string{
		"docusaurus.config.js": `export default { presets: [['classic', { docs: {
  sidebarPath: './sidebars.js', lastVersion: 'current', versions: { current: { label: '2.0.0', path: '2.0.0' }, '1.0': { path: 'old', banner: 'none' } } } }]] }`,
		"versions.json": `["1.0"]`, "docs/a.md": noindex, "versioned_docs/version-1.0/a.md": noindex,
	}, "build/docs/2.0.0/a/index.html", "build/docs/old/a/index.html")
	holds(t, m, map[string]string{"docs/2.0.0/a/index.html": "docs/a.md: noindex (docs/a.md:2)",
		"docs/old/a/index.html": "versioned_docs/version-1.0/a.md: noindex (versioned_docs/version-1.0/a.md:2)"})
}

// Translations lie where the configuration says, and are published below their language.
// https://docusaurus.io/docs/api/docusaurus-config#i18n
func TestDocusaurus_FoldersOfTranslations(t *testing.T) {
	m := laid(t, map[string]string{
		"docusaurus.config.js": "export default { i18n: { defaultLocale: 'en', locales: ['en', 'de', 'fr'], " +
			"localeConfigs: { de: { label: 'Deutsch', path: 'de-DE' } }, path: 'words' } }",
		"docs/a.md": "---\nrobots: noarchive\n---\n",
		"words/de-DE/docusaurus-plugin-content-docs/current/a.md": "---\nrobots: noindex\n---\n",
		"words/fr/docusaurus-plugin-content-docs/current/a.md":    "# A",
	}, "build/docs/a.html", "build/de/docs/a.html", "build/fr/docs/a.html", "build/de/index.html",
		"build/fr/index.html")
	holds(t, m, map[string]string{"docs/a.html": "docs/a.md: noarchive (docs/a.md:2)",
		"de/docs/a.html": "words/de-DE/docusaurus-plugin-content-docs/current/a.md: noindex " +
			"(words/de-DE/docusaurus-plugin-content-docs/current/a.md:2)",
		"fr/docs/a.html": "words/fr/docusaurus-plugin-content-docs/current/a.md"})
}

// A permalink may hold any key of front matter, as that of a plugin, and what permalink_defaults says where there is
// none. Marks of more than three characters open front matter too.
// https://hexo.io/docs/permalinks
func TestHexo_KeysInPermalinksAndLongMarks(t *testing.T) {
	holds(t, laid(t, map[string]string{
		"_config.yml":        "permalink: :lang/posts/:abbrlink.html\npermalink_defaults:\n  lang: en\n",
		"package.json":       `{"dependencies": {"hexo": "^8.0.0"}}`,
		"source/_posts/a.md": "---\ntitle: A\nabbrlink: 4a17b156\nrobots: noindex\n---\n",
		"source/_posts/b.md": "-----\ntitle: B\nabbrlink: 815\nlang: de\nrobots: noindex\n-----\n",
		"source/_posts/c.md": "---\nabbrlink: 816\n---\n",
	}, "public/en/posts/4a17b156.html", "public/de/posts/815.html", "public/en/posts/816.html"), map[string]string{
		"en/posts/4a17b156.html": "source/_posts/a.md: noindex (source/_posts/a.md:4)",
		"de/posts/815.html":      "source/_posts/b.md: noindex (source/_posts/b.md:5)",
		"en/posts/816.html":      "source/_posts/c.md",
	})
	r := &reader{}
	if _, err := r.frontMatter("source/a.md", ".md", []byte("-----\ntitle: [\n-----\n"), dialect{Long: true}); err == nil {
		t.Error("what cannot be read between long marks is no error")
	}
}

// What Jekyll 4.3.1 makes of each of these files was seen in its own build of them: which are read, and the one file
// that a permalink leads to.
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/entry_filter.rb (include, exclude)
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/drops/url_drop.rb (placeholders)
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/page.rb (destination)
func TestJekyll_WhatItPublishes(t *testing.T) {
	front := func(line string) string { return "---\n" + line + "\nrobots: noindex\n---\nx\n" }
	files := map[string]string{
		"_layouts/default.html": "",
		"_config.yml": `include: [.hid, "_pages/"]
exclude: [sec, "*.bak.md"]
permalink: /:categories/:slugified_categories/:title
collections:
  tools: {output: true, permalink: "/tools/:name/:path"}
  docs: {output: true}
defaults:
  - scope: {path: "", type: posts}
    values: {robots: noindex, categories: [base]}
  - scope: {path: note}
    values: {robots: noarchive}
`,
		"team/index.html": "static",
		// None of these is read, or each is excluded.
		"sub/_und/u.md": front(""), "_posts/_und/2026-01-05-u.md": front(""), "_posts/README.md": "text",
		"_tools/_und/t1.md": front(""), "_tools/_t4.md": front(""),
		"secret.md": front(""), "sec.md": front(""), "k.bak.md": front(""), "vendor/bundle/w.md": front(""),
		"liq.html": "{% raw %}x{% endraw %}", "tsconfig.json": "{\n // c\n \"a\": 1 }",
		"data.json": `{"robots": "noindex"}`,
	}
	// By their content files; what states something else than noindex, and elsewhere, is below.
	pages := map[string]string{
		"staff.md": "team.html", "ver.md": "v1.0", "vphp.md": "x.php", "dirp.md": "where/index.html",
		"esc.md": "a b.html", "unk.md": "q/:title/y.html", "pretty.md": "pretty.html",
		".hid/page.md": ".hid/page.html", ".hidden/page.md": ".hidden/page.html",
		"sub/.hid/page.md": "sub/.hid/page.html", "_pages/p.md": "_pages/p.html",
		"_posts/2026-01-02-one.md":  "base/a b/c/base/a-b/c/one.html",
		"_posts/2026-01-03-two.md":  "base/x/y/z q/base/x/y/z-q/two.html",
		"_posts/2026-01-08-v1.0.md": "base/base/v1.0.html", "_posts/sub/_und/2026-01-06-su.md": "base/base/su.html",
		"a/_posts/2026-01-07-ab.md": "a/base/n&m/a/base/n-m/ab.html",
		"_tools/t2.md":              "tools/t2/t2.html", "_tools/sub/.d/t3.md": "tools/t3/sub/.d/t3.html",
		"_docs/x/index.md": "docs/x/index.html", "_docs/y.md": "docs/y.html",
		"vendor/x/v.md": "vendor/x/v.html", "h.htm": "h.htm", "hh/index.htm": "hh/index.htm",
		"feed.json": "feed/index.json", "search.json": "search.json",
	}
	says := map[string]string{
		"staff.md": "permalink: /team", "ver.md": "permalink: /v1.0", "vphp.md": "permalink: /x.php",
		"dirp.md": "permalink: /where/", "esc.md": `permalink: "/a%20b"`, "unk.md": "permalink: /q/:title/y",
		"pretty.md": "permalink: pretty", "_posts/2026-01-02-one.md": "categories: [A B, c]",
		"a/_posts/2026-01-07-ab.md": "categories: [a, N&M]", "feed.json": "permalink: /feed/",
	}
	want := map[string]string{"team/index.html": ""}
	published := []string{"_site/liq.html", "_site/tsconfig.json", "_site/data.json", "_site/base/base/bare.html",
		"_site/notes.html", "_site/dots.html", "_site/team/index.html"}
	for source, page := range pages {
		files[source] = front(says[source])
		published = append(published, "_site/"+page)
		want[page] = source + ": noindex (" + source + ":3)"
		if !site.IsHTML(page) {
			delete(want, page) // which file it came from is asked below
		}
	}
	files["_posts/2026-01-03-two.md"] = "---\ncategories: X Y\ncategory: Z Q\nrobots: noindex\n---\n"
	want["base/x/y/z q/base/x/y/z-q/two.html"] = "_posts/2026-01-03-two.md: noindex (_posts/2026-01-03-two.md:4)"
	files["_posts/2026-01-04-bare.md"] = "no front matter, and yet a post"
	want["base/base/bare.html"] = "_posts/2026-01-04-bare.md: noindex (_config.yml:9)"
	files["notes.md"] = "---\na: b\n---\n"
	want["notes.html"] = "notes.md: noarchive (_config.yml:11)" // a scope is what a path begins with
	files["dots.md"] = "---\nrobots: noindex\n...\ntext\n"
	want["dots.html"] = "dots.md: noindex (dots.md:2)"
	m := laid(t, files, published...)
	holds(t, m, want)
	for source, page := range pages {
		if got := m.reader.sources[source]; got == nil || !slices.Equal(got.claimed, []string{page}) {
			t.Errorf("%s: %+v, want %s", source, got, page)
		}
	}
	for _, source := range slices.Sorted(maps.Keys(m.reader.sources)) {
		if c := m.reader.sources[source]; len(c.claimed) == 0 && !c.unpublished {
			t.Errorf("%s is looked for at %q", source, c.places)
		}
	}
}

// In _posts and in collections Jekyll follows links to files, and none to folders; _posts itself may be one. What such a
// folder states has no page, and is said.
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/reader.rb (get_entries)
func TestJekyll_LinksInPostsAndCollections(t *testing.T) {
	m := laid(t, map[string]string{
		"_config.yml": "permalink: pretty\ncollections: {tools: {output: true}}", "Gemfile": "", "../.git/HEAD": "",
		"../shared/2026-01-02-a.md": front, "../shared/sub/2026-01-03-b.md": front,
		"../shared/_posts/2026-01-04-c.md":                       front,
		"_posts/2026-01-02-a.md -> ../../shared/2026-01-02-a.md": "", "_posts/more -> ../../shared/sub": "",
		"_tools/a.md -> ../../shared/2026-01-02-a.md": "",
		"news/_posts -> ../../shared/sub":             "", "old -> ../shared": "",
	}, "_site/2026/01/02/a/index.html", "_site/tools/a/index.html", "_site/news/2026/01/03/b/index.html",
		"_site/old/2026/01/04/c/index.html",
		"_site/old/2026-01-02-a/index.html", "_site/old/sub/2026-01-03-b/index.html")
	holds(t, m, map[string]string{
		"2026/01/02/a/index.html":         "_posts/2026-01-02-a.md: noindex (_posts/2026-01-02-a.md:2)",
		"tools/a/index.html":              "_tools/a.md: noindex (_tools/a.md:2)",
		"news/2026/01/03/b/index.html":    "news/_posts/2026-01-03-b.md: noindex (news/_posts/2026-01-03-b.md:2)",
		"old/2026/01/04/c/index.html":     "old/_posts/2026-01-04-c.md: noindex (old/_posts/2026-01-04-c.md:2)",
		"old/sub/2026-01-03-b/index.html": "old/sub/2026-01-03-b.md: noindex (old/sub/2026-01-03-b.md:2)",
	}, "error no-page _posts/more/2026-01-03-b.md:2")
}

// A folder of collections is not followed, which is said; [site.content] answers it.
// https://jekyllrb.com/docs/collections/#setup
func TestJekyll_FolderOfCollections(t *testing.T) {
	files := map[string]string{"_config.yml": "collections_dir: col\ncollections: {tools: {output: true}}\n",
		"Gemfile": "", "col/_tools/a.md": front}
	holds(t, laid(t, files, "_site/tools/a.html"), nil, "warning config-computed _config.yml")
	files["_site/tools/a.html"] = ""
	m, err := owned(t, site.Content{Folders: []string{"col/_tools"}, Pattern: "/tools/:name"}, files)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, m, map[string]string{"tools/a.html": "col/_tools/a.md: noindex (col/_tools/a.md:2)"})
}

// A configuration that is spread from elsewhere loses nothing where every page is that of a content file.
func TestHouse_ComputedConfigurationOfMatchedPages(t *testing.T) {
	files := map[string]string{".vitepress/config.ts": "export default defineConfig({ ...sharedConfig, lang: 'en' })",
		"a.md": front, "index.md": ""}
	holds(t, laid(t, files, ".vitepress/dist/a.html", ".vitepress/dist/index.html", ".vitepress/dist/404.html"),
		map[string]string{"a.html": "a.md: noindex (a.md:2)"})
	holds(t, laid(t, files, ".vitepress/dist/a.html", ".vitepress/dist/b.html"),
		map[string]string{"a.html": "a.md: noindex (a.md:2)"}, "warning config-computed .vitepress/config.ts")
}

// What the configuration takes from the environment, or from another file, is not known, and is said.
// https://www.mkdocs.org/user-guide/configuration/#configuration-inheritance
func TestMkDocs_ConfigurationFromElsewhere(t *testing.T) {
	for text, files := range map[string]string{
		"docs_dir: !ENV DOCS":                  "DOCS/x.md", // is no folder's name
		"docs_dir: !ENV [DOCS, docs]":          "docs/a.md",
		"INHERIT: ../base.yml":                 "docs/a.md",
		"INHERIT: !ENV [BASE, base.yml]":       "docs/a.md",
		"exclude_docs: !ENV HIDDEN":            "docs/a.md",
		"use_directory_urls: !ENV [PRETTY, 1]": "docs/a.md",
	} {
		m := laid(t, map[string]string{"mkdocs.yml": text, files: ""}, "site/a/index.html", "site/b/index.html")
		holds(t, m, nil, "warning config-computed mkdocs.yml")
	}
}

// Three dots close YAML in MkDocs and Pelican too.
func TestGenerators_ThreeDotsCloseFrontMatter(t *testing.T) {
	const dots = "---\ntitle: A\nrobots: noindex\n...\n\ntext\n"
	holds(t, laid(t, map[string]string{"mkdocs.yml": "", "docs/a.md": dots}, "site/a/index.html"),
		map[string]string{"a/index.html": "docs/a.md: noindex (docs/a.md:3)"})
	holds(t, laid(t, map[string]string{"pelicanconf.py": "PATH = 'content'", "content/a.md": dots}, "output/a.html"),
		map[string]string{"a.html": "content/a.md: noindex (content/a.md:3)"})
}

// Posts are a collection, which may have a permalink of its own; pages have that of the site. Sass is published as CSS.
// https://jekyllrb.com/docs/permalinks/#collections
// https://github.com/jekyll/jekyll/blob/v4.3.1/lib/jekyll/converters/scss.rb (output_ext)
func TestJekyll_PermalinkOfThePostsCollection(t *testing.T) {
	holds(t, laid(t, map[string]string{
		"_config.yml": "permalink: pretty\ncollections:\n  posts:\n    permalink: /news/:year/:title\n",
		"index.md":    "---\n---\n", "about.md": "---\n---\n",
		"_posts/2026-01-02-a.md": "---\nrobots: noindex\n---\n",
		"css/site.scss":          "---\nrobots: noindex\n---\n",
	}, "_site/index.html", "_site/about/index.html", "_site/news/2026/a.html", "_site/css/site.css"), map[string]string{
		"index.html": "index.md", "about/index.html": "about.md",
		"news/2026/a.html": "_posts/2026-01-02-a.md: noindex (_posts/2026-01-02-a.md:2)",
		"css/site.css":     "css/site.scss: noindex (css/site.scss:2)",
	})
}

// Pelican reads lines between marks, and no YAML: a colon in a title is none of its business. What it would read to
// another end than the mark stays an error, where it is no YAML either.
// https://docs.getpelican.com/en/stable/content.html#file-metadata
func TestPelican_LinesBetweenMarks(t *testing.T) {
	m := laid(t, map[string]string{"pelicanconf.py": "PATH = 'content'",
		"content/a.md":   "---\nTitle: Oil: a guide\nSummary: of\n    several: lines\nRobots: \"noindex\"\n---\ntext\n",
		"content/b.html": "<html><head><title>Wick &amp; Oil</title>\n<meta name=robots content=noindex></head></html>",
		"content/c.md":   "Title: Glass – a “short” story\nRobots: noindex\n\ntext\n",
	}, "output/oil-a-guide.html", "output/wick-oil.html", "output/glass-a-short-story.html")
	holds(t, m, map[string]string{
		"oil-a-guide.html":         "content/a.md: noindex (content/a.md:5)",
		"wick-oil.html":            "content/b.html: noindex (content/b.html:2)",
		"glass-a-short-story.html": "content/c.md: noindex (content/c.md:2)",
	})
	for _, text := range []string{
		"---\ntitle: Oil: a guide\n\nrobots: noindex\n---\n",
		"---\ntitle: Oil: a guide\ntags:\n- a\nrobots: noindex\n---\n",
		"---\ntitle: Oil\nrobots: noindex\n",
	} {
		r := &reader{}
		if h, err := r.frontMatter("a.md", ".md", []byte(text), dialect{Closing: []string{"..."}, Lines: true, Marked: true}); err == nil {
			t.Errorf("%q: %s", text, &h)
		}
	}
}

// Pelican reads what lies below PATH. Where its configuration does not say it, the Makefile of its quickstart names the
// folder: what lies beside it is no content.
// https://docs.getpelican.com/en/stable/settings.html#basic-settings
func TestPelican_ReadsBelowItsPath(t *testing.T) {
	const article = "Title: A\nrobots: noindex\n\nText\n"
	for _, path := range []string{"PATH = 'content'\n", "", "PATH = find()\n"} {
		files := map[string]string{"pelicanconf.py": path, "content/a.md": article, "README.md": article}
		holds(t, laid(t, files, "output/a.html"), map[string]string{"a.html": "content/a.md: noindex (content/a.md:2)"})
	}
}

// What is put online has its address in another file, which imports the first and goes before it.
// https://docs.getpelican.com/en/stable/publish.html#deployment
func TestPelican_AddressOfWhatIsPublished(t *testing.T) {
	for _, local := range []string{"", "SITEURL = ''\n", "SITEURL = 'http://localhost:8000'\n"} {
		root := t.TempDir()
		write(t, root, "pelicanconf.py", local+"PATH = 'content'")
		write(t, root, "publishconf.py", "from pelicanconf import *\nSITEURL = 'https://a.example'")
		s, err := generatorOf(root).Open(context.Background(), site.Options{Source: root})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Settings().BaseURL; got != "https://a.example" {
			t.Errorf("%q: %q", local, got)
		}
	}
}

// VitePress leaves out folders called dist and node_modules, wherever they are.
func TestVitePress_FoldersLeftOut(t *testing.T) {
	const noindex = "---\nrobots: noindex\n---\n"
	holds(t, laid(t, map[string]string{".vitepress/config.mts": "export default { srcExclude: ['parts/**'] }",
		"a.md": noindex, "parts/b.md": noindex, "dist/c.md": noindex, "a/dist/d.md": noindex,
		"a/node_modules/e/README.md": noindex},
		".vitepress/dist/a.html"), map[string]string{"a.html": "a.md: noindex (a.md:2)"})
}

// A key of an object in the configuration is not the configuration's own.
// https://vitepress.dev/reference/site-config#vite https://docs.astro.build/en/reference/configuration-reference/#vite
func TestGenerators_KeysWithinAConfiguration(t *testing.T) {
	const inner = "vite: { build: { outDir: 'other' }, plugins: [menu({ srcDir: 'text', srcExclude: ['**'] })] }"
	for _, c := range []struct{ config, text, file, publish string }{
		{".vitepress/config.mts", "export default defineConfig({ title: 'A', " + inner + " })", "a.md",
			".vitepress/dist"},
		{".vitepress/config.mts", "const a = { srcDir: 'docs' }\nexport default a", "docs/a.md", ".vitepress/dist"},
		{".vitepress/config.mts", "export default withPlugin(defineConfig({ " + inner + ", outDir: 'out' }))", "a.md",
			"out"},
		{".vitepress/config.mts", "const title = 'A', base = '/a/'\nconst vite = { plugins: [] }\nexport default " +
			"defineConfig({ title, base, vite, srcDir: 'docs' })", "docs/a.md", ".vitepress/dist"},
		{"astro.config.mjs", "export default defineConfig({ " + inner + ", integrations: [] })", "src/pages/a.md",
			"dist"},
		{"astro.config.mjs", "const dir = { srcDir: './text', outDir: './out' }\nexport default defineConfig(dir)",
			"text/pages/a.md", "out"},
	} {
		m := laid(t, map[string]string{c.config: c.text, c.file: "---\nrobots: noindex\n---\n"}, c.publish+"/a.html")
		if m.published.has("a.html") {
			holds(t, m, map[string]string{"a.html": c.file + ": noindex (" + c.file + ":2)"})
		} else {
			t.Errorf("%s: published in %s", c.text, m.reader.site.publish)
		}
	}
}

// A configuration may be spread over files, as VitePress shows it for languages: what it takes over from another is
// computed, and a manifest answers it.
// https://vitepress.dev/guide/i18n
func TestVitePress_ConfigurationInSeveralFiles(t *testing.T) {
	files := map[string]string{
		".vitepress/config/index.ts": "import { shared } from './shared'\nexport default defineConfig({\n  ...shared,\n" +
			"  locales: { de: { label: 'Deutsch', ...de } },\n})",
		".vitepress/config/shared.ts": "export const shared = defineConfig({ rewrites: { 'en/:rest*': ':rest*' } })",
		"en/a.md":                     front,
	}
	holds(t, laid(t, files, ".vitepress/dist/a.html"), nil, "warning config-computed .vitepress/config/index.ts",
		"error no-page en/a.md:2")
	files["metarobots.json"] = `[{"file": "a.html", "source": "en/a.md"}]`
	holds(t, laid(t, files, ".vitepress/dist/a.html"), map[string]string{"a.html": "en/a.md: noindex (en/a.md:2)"})
}
