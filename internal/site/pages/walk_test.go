package pages

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/policy"
)

// The sites of all eight generators, in which a file and a folder are links: each publishes what they lead to, in the
// site or out of it in its repository, as the real ones do (Docusaurus only what lies in its own folder, and VitePress
// what finds its modules).
func TestGenerators_FollowLinks(t *testing.T) {
	const noindex = "---\ntitle: T\ndate: 2026-02-02\nrobots: noindex\n---\n"
	for _, c := range []struct {
		config, text, content, publish, ending string
	}{
		{".eleventy.js", "", "", "_site", "/index.html"},
		{"astro.config.mjs", "", "src/pages", "dist", "/index.html"},
		{"docusaurus.config.js", "module.exports = { presets: [['classic', {}]] }", "docs", "build/docs",
			"/index.html"},
		{".vitepress/config.js", "export default {}", "", ".vitepress/dist", ".html"},
		{"_config.yml", "", "source", "public", ".html"}, // Hexo's, by its package.json
		{"_config.yml", "permalink: pretty", "", "_site", "/index.html"},
		{"mkdocs.yml", "", "docs", "site", "/index.html"},
		{"pelicanconf.py", "PATH = 'content'\nPAGE_SAVE_AS = '{slug}.html'\nSLUGIFY_SOURCE = 'basename'",
			"content/pages", "output", ".html"},
	} {
		t.Run(c.config+" "+c.publish, func(t *testing.T) {
			in := func(name string) string { return strings.TrimPrefix(c.content+"/"+name, "/") }
			up := strings.Repeat("../", len(strings.FieldsFunc(c.content, func(r rune) bool { return r == '/' })))
			files := map[string]string{
				c.config:            c.text,
				"../.git/HEAD":      "", // one repository
				"../shared/out.md":  noindex,
				"../shared/of/f.md": noindex,
				in("real.md"):       noindex,
				in("out.md") + " -> " + up + "../shared/out.md": "",
				in("dir") + " -> " + up + "../shared/of":        "",
				in("in.md") + " -> real.md":                     "",
				in("gone.md") + " -> nothing.md":                "",
				in("loop") + " -> loop":                         "",
			}
			switch c.publish {
			case "public":
				files["package.json"] = `{"dependencies":{"hexo":"8"}}`
			case "_site":
				files["Gemfile"] = ""
				if c.config == ".eleventy.js" {
					delete(files, "Gemfile")
				}
			}
			var published []string
			want := map[string]string{}
			for name, source := range map[string]string{"real": "real.md", "out": "out.md", "in": "in.md",
				"dir/f": "dir/f.md"} {
				if c.config == "pelicanconf.py" {
					name = filepath.Base(name)
				}
				published = append(published, c.publish+"/"+name+c.ending)
				_, below, _ := strings.Cut(c.publish+"/", "/")
				if c.config == ".vitepress/config.js" {
					below = ""
				}
				want[below+name+c.ending] = fmt.Sprintf("%s: noindex (%s:4)", in(source), in(source))
			}
			holds(t, laid(t, files, published...), want)
		})
	}
}

// The content folder itself may be a link.
func TestGenerators_ContentFolderIsALink(t *testing.T) {
	m := laid(t, map[string]string{"mkdocs.yml": "", "docs -> ../vault": "",
		"../vault/a.md": "---\nrobots: noindex\n---\n"}, "site/a/index.html")
	holds(t, m, map[string]string{"a/index.html": "docs/a.md: noindex (docs/a.md:2)"})
}

// Links that lead out of a site are not followed, and are findings that tell nothing of what lies there.
func TestHouse_LinksOutOfTheSiteAreFindings(t *testing.T) {
	m := laid(t, map[string]string{"mkdocs.yml": "", "../secret.md": "---\nrobots: noindex\n---\n",
		"../vault/b.md":                "---\nrobots: noindex\n---\n",
		"docs/a.md -> ../../secret.md": "", "docs/dir -> ../../vault": "", "docs/dev.md -> /dev/zero": ""},
		"site/a/index.html", "site/dir/b/index.html")
	holds(t, m, map[string]string{"a/index.html": "", "dir/b/index.html": ""},
		brief(policy.Finding{ID: "not-read", Severity: policy.Error, File: "docs/a.md",
			Message: notRead(disk.ErrOutside)}), brief(policy.Finding{ID: "not-read", Severity: policy.Error,
			File: "docs/dev.md", Message: notRead(disk.ErrNotRegular)}),
		brief(policy.Finding{ID: "not-read", Severity: policy.Error, File: "docs/dir",
			Message: notRead(disk.ErrOutside)}))
	if len(m.content) != 0 {
		t.Errorf("%d content files", len(m.content))
	}
}

// A configuration that leads out of the site, or that is none, is an error, and nothing of it is printed.
func TestHouse_ConfigurationOutOfTheSiteIsAnError(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"link":    {"mkdocs.yml -> ../secret": "", "../secret": "root:x: [", "docs/a.md": ""},
		"device":  {"mkdocs.yml -> /dev/zero": "", "docs/a.md": ""},
		"sidecar": {"mkdocs.yml": "", "metarobots.json -> ../secret": "", "../secret": "root:x: [", "docs/a.md": ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := list(t, files, site.Options{}, "site/index.html")
			if err == nil || !strings.Contains(err.Error(), "the file is not read: ") || strings.Contains(err.Error(),
				"root:") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// Links that lead back end: gone round once, as the real Eleventy and VitePress go.
func TestHouse_LinksThatLeadBackEnd(t *testing.T) {
	m := laid(t, map[string]string{
		".eleventy.js": "export default () => ({ dir: { input: 'src' } })",
		"src/lp/in.md": "---\nrobots: noindex\n---\n", "src/lp/loop -> .": "", "src/lp/up -> ..": "",
	}, "_site/lp/in/index.html", "_site/lp/loop/in/index.html", "_site/lp/up/lp/in/index.html")
	holds(t, m, map[string]string{
		"lp/in/index.html":       "src/lp/in.md: noindex (src/lp/in.md:2)",
		"lp/loop/in/index.html":  "src/lp/loop/in.md: noindex (src/lp/loop/in.md:2)",
		"lp/up/lp/in/index.html": "src/lp/up/lp/in.md: noindex (src/lp/up/lp/in.md:2)",
	})
}

// The folder of the pages is none of the content, by whatever way it is reached.
func TestHouse_LinksToThePages(t *testing.T) {
	m := laid(t, map[string]string{".eleventy.js": "export default () => ({ dir: { input: 'src' } })", "src/a.md": "",
		"src/old -> ../_site": ""}, "_site/a/index.html", "_site/b/index.html")
	if len(m.content) != 1 {
		t.Errorf("%d content files", len(m.content))
	}
}

// Which names with a dot before them, and which node_modules, are content: as the real generators publish them.
func TestGenerators_NamesWithADot(t *testing.T) {
	const noindex = "---\ntitle: T\nrobots: noindex\n---\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  map[string]string
	}{
		{"Eleventy", map[string]string{".eleventy.js": "", ".hid/a.md": noindex, ".b.md": noindex,
			"x/node_modules/c.md": noindex}, map[string]string{
			".hid/a/index.html": ".hid/a.md: noindex (.hid/a.md:3)", ".b/index.html": ".b.md: noindex (.b.md:3)"}},
		{"MkDocs", map[string]string{"mkdocs.yml": "", "docs/.hid/a.md": noindex, "docs/templates/b.md": noindex,
			"docs/x/node_modules/c.md": noindex, "docs/x/templates/d.md": noindex}, map[string]string{
			"x/node_modules/c/index.html": "docs/x/node_modules/c.md: noindex (docs/x/node_modules/c.md:3)",
			"x/templates/d/index.html":    "docs/x/templates/d.md: noindex (docs/x/templates/d.md:3)"}},
		{"MkDocs that takes one back", map[string]string{"mkdocs.yml": "exclude_docs: |\n  !.hid/\n",
			"docs/.hid/a.md": noindex, "docs/.other/b.md": noindex}, map[string]string{
			".hid/a/index.html": "docs/.hid/a.md: noindex (docs/.hid/a.md:3)"}},
		{"Pelican", map[string]string{"pelicanconf.py": "PATH = 'content'\nSLUGIFY_SOURCE = 'basename'",
			"content/.hid/a.md": noindex, "content/.hid/b.md": noindex}, map[string]string{
			"a.html": "content/.hid/a.md: noindex (content/.hid/a.md:3)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			publish := map[string]string{"Eleventy": "_site/", "Pelican": "output/"}[c.name]
			if publish == "" {
				publish = "site/"
			}
			var published []string
			for name := range c.want {
				published = append(published, publish+name)
			}
			holds(t, laid(t, c.files, published...), c.want)
		})
	}
}
