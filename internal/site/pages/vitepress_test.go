package pages

import "testing"

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
