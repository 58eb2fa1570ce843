package pages

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/site"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// owned is list with what the owner says under [site.content].
func owned(t *testing.T, content site.Content, files map[string]string) (*pageMap, error) {
	t.Helper()
	return list(t, files, site.Options{Content: &content})
}

// M8f, M8g: a manifest names the source of each page, whatever its extension and its form of front
// matter, with generator "html" alone.
func TestHouse_ManifestNamesSourcesOfAnyKind(t *testing.T) {
	sources := map[string]string{ // by the line of the statement
		"a.txt 2": front, "b.html 2": front, "c.njk 2": front, "d.adoc 2": "= D\n:page-robots: noindex\n", "e 2": front,
		"f.md 2": "+++\nrobots = \"noindex\"\n+++\n", "g.md 2": "{\n\"robots\": \"noindex\"\n}\ntext",
		"h.md 1":  "Robots: noindex\n\ntext",
		"i.rst 4": "I\n=\n\n:robots: noindex\n", "deep/j.vto 2": "---json\n{\"robots\": \"noindex\"}\n---\n",
	}
	list, lines := "[", ""
	files, want := map[string]string{}, map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(sources)) {
		name, line, _ := strings.Cut(key, " ")
		page := "x/" + strings.ReplaceAll(name, "/", "-") + "/"
		files["src/"+name], files["public/"+page+"index.html"] = sources[key], ""
		list += `{"url": "/` + page + `", "source": "src/` + name + `"},` + "\n"
		lines += `{"file": "` + page + `index.html", "source": "src/` + name + `"}` + "\n"
		want[page+"index.html"] = "src/" + name + ": noindex (src/" + name + ":" + line + ")"
	}
	for name, content := range map[string]site.Content{"metarobots.json": {},
		"data/pages.jsonl": {Manifest: "data/pages.jsonl"}} {
		files := maps.Clone(files)
		if files[name] = strings.TrimSuffix(list, ",\n") + "]"; strings.HasSuffix(name, "jsonl") {
			files[name] = lines + "\n"
		}
		m := tables.Value(owned(t, content, files))(t)
		holds(t, m, want)
		if f := m.Findings(); len(f) > 0 {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// An entry that cannot be followed is an error with its line; a page that is in no entry is told by
// its path, and that is said once with the count (M8g, M8h).
func TestHouse_ManifestFaults(t *testing.T) {
	files := map[string]string{"public/a/index.html": "", "public/b/index.html": "", "public/c/index.html": "",
		"public/404.html": "",
		"good.md":         front, "bad.md": "---\nrobots: noindx\n---\n", "open.md": "---\nrobots: noindex\n",
		"../out.md": front, "link.md -> ../out.md": ""}
	for _, c := range tables.Read(t, "testdata/manifest-faults.txt") {
		with := maps.Clone(files)
		with["metarobots.json"] = c["manifest"]
		if _, err := owned(t, site.Content{}, with); err == nil || !strings.Contains(err.Error(), c["fault"]) {
			t.Errorf("%s: %v, want %s", c["manifest"], err, c["fault"])
		}
	}
	want := "pages.json: [site.content] manifest: the file is not read: no such file or directory"
	if _, err := owned(t, site.Content{Manifest: "pages.json"}, files); err == nil || err.Error() != want {
		t.Errorf("a manifest that is not there: %v, want %s", err, want)
	}
	with := maps.Clone(files)
	with["metarobots.json"] = `["/a/"]`
	if _, err := owned(t, site.Content{}, with); err == nil || strings.Contains(err.Error(), "names no page") {
		t.Errorf("a list of texts: %v, want one error", err)
	}

	files["metarobots.json"] = `[{"url": "/a/", "source": "good.md"}, {"url": "/gone/"}, {"url": "/lost/"}]`
	m := tables.Value(owned(t, site.Content{}, files))(t)
	holds(t, m, map[string]string{"a/index.html": "good.md: noindex (good.md:2)", "b/index.html": ""})
	var messages []string
	for _, f := range m.Findings() {
		messages = append(messages, string(f.Severity)+": "+f.Text())
	}
	want = "note: no page is published at \"/gone/\" and 1 more, which this file names\n" +
		"note: pages in no entry of this file: /b/ and 1 more. Content files are matched with them by name"
	slices.Sort(messages)
	if got := strings.Join(messages, "\n"); got != want {
		t.Error(got)
	}
}

// No manifest makes the reader fail, and an error names a line of it.
func FuzzHouse_ManifestIsReadOrAnError(f *testing.F) {
	for _, seed := range []string{`[{"url": "/a/", "robots": "noindex"}]`, "{\"file\": \"a\"}\n{\"url\": 5}", "[", "{",
		"[{}]", "\n\n{}", `{"url": "%zz"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := newReader(&openedSite{generator: HTML(), options: site.Options{Short: strings.Clone}}, testOptions)
		for _, e := range r.readEntries("m.json", []byte(text)) {
			if e.line < 1 || e.line > strings.Count(text, "\n")+1 || e.page() == "" {
				t.Fatalf("%q: %+v", text, e)
			}
			publishedOf([]string{"a/index.html"}).of(&e, "https://a.example/b/")
		}
	})
}

// A file that begins with a brace is content where its generator has no such front matter, and
// where it is no JSON.
func TestHouse_FilesThatBeginWithABrace(t *testing.T) {
	braced := []string{"{% extends \"base.html\" %}\ntext", "{/* a comment */}\n# A", "{{ title }}", "{#id}\n# A",
		"{\n\"robots\": \"noindex\"\n}\n# A", "{ broken"}
	for i, text := range braced {
		for config, page := range map[string][2]string{".eleventy.js": {"a.md", "_site/a/index.html"},
			".vitepress/config.js": {"a.md", ".vitepress/dist/a.html"},
			"mkdocs.yml":           {"docs/a.md", "site/a/index.html"}, "astro.config.mjs": {"src/pages/a.md",
				"dist/a/index.html"},
			"pelicanconf.py": {"a.md", "output/a.html"}, "docusaurus.config.js": {"docs/a.md", "build/docs/a.html"}} {
			m := laid(t, map[string]string{config: "", page[0]: text}, page[1])
			for _, f := range m.Findings() {
				if f.Severity != policy.Note {
					t.Errorf("%s, %q: %v", config, text, f)
				}
			}
			for name, c := range m.reader.sources {
				if len(c.statements) > 0 {
					t.Errorf("%s, %q: %s says %v", config, text, name, c.statements)
				}
			}
		}
		m, err := owned(t, site.Content{Folders: []string{"src"}}, map[string]string{"src/a.md": text,
			"public/a/index.html": ""})
		if err != nil || len(m.reader.sources["src/a.md"].statements) != map[int]int{4: 1}[i] {
			t.Errorf("html, %q: %v", text, err)
		}
	}
}

// The lines that make the manifest stand in the documentation as they are offered; each was tried
// with its generator.
func TestHouse_ManifestLinesAreDocumented(t *testing.T) {
	doc := tables.Value(os.ReadFile(filepath.Join("..", "..", "..", "docs", "generators.md")))(t)
	for _, g := range Generators() {
		lines := manifestLines(g.Name())
		if without := g.Name() == "html" || g.Name() == "astro"; without != (lines == "") ||
			!strings.Contains(string(doc), lines) {
			t.Errorf("%s: %q", g.Name(), lines)
		}
	}
}

// What the owner says himself is no finding.
func TestHouse_WhatTheOwnerSaysIsNotComputed(t *testing.T) {
	files := map[string]string{"astro.config.mjs": "export default { outDir: out(), site: where() }"}
	for _, answered := range []bool{true, false} {
		o := site.Options{Destination: t.TempDir()}
		if answered {
			o.BaseURL = "https://a.example/"
		}
		m := tables.Value(list(t, files, o, "/index.html"))(t)
		if f := m.Findings(); len(f) != map[bool]int{true: 0, false: 1}[answered] {
			t.Errorf("answered %v: %v", answered, f)
		}
	}
}

// M8j: also if the site's folder is the publish folder, and the other manifest lies around it.
func TestHouse_StaleManifestInTheSitesFolderDoesNotCount(t *testing.T) {
	files := map[string]string{"metarobots.json": `[{"url": "/a/", "robots": "noindex"}]`,
		"../metarobots.json": "[]"}
	m := tables.Value(list(t, files, site.Options{Destination: "."}, "/a/index.html"))(t)
	if got := describe(m.File("a/index.html")); got != "a/index.html <" {
		t.Errorf("the published one counts: %s", got)
	}
	if f := m.Findings(); len(f) != 1 || !strings.Contains(f[0].Text(), "this one does not count") {
		t.Errorf("%v", f)
	}
}

// M8j: a manifest in the publish folder is a copy that an earlier build made, if there is another.
func TestHouse_StaleManifestDoesNotCount(t *testing.T) {
	old := `[{"url": "/a/", "robots": "noindex"}]`
	for _, c := range []struct{ fresh, states string }{{"", ": noindex (public/metarobots.json:1)"}, {"[]", ""}} {
		files := map[string]string{"public/metarobots.json": old}
		if c.fresh != "" {
			files["metarobots.json"] = c.fresh
		}
		m := laid(t, files, "public/a/index.html")
		if got := describe(m.File("a/index.html")); got != "a/index.html <"+c.states {
			t.Errorf("beside %q: %s", c.fresh, got)
		}
		if f := m.Findings(); len(f) != 1 || f[0].ID != "page-metadata-published" {
			t.Errorf("beside %q: %v", c.fresh, f)
		}
	}
}
