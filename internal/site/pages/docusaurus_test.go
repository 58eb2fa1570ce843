package pages

import "testing"

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
