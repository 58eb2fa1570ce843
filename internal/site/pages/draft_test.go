package pages

import (
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"metarobots/internal/site"
	"metarobots/policy"
)

// draft, published and status keep a file from being published where its generator knows the word. What it does not
// know it publishes, so that such a file whose page is not found is a warning: a draft is no error.
// https://jekyllrb.com/docs/front-matter/#predefined-global-variables https://hexo.io/docs/front-matter
// https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs#draft
func TestGenerators_DraftsByTheirOwnWordsAreNotes(t *testing.T) {
	const draft, published, status = "draft: true", "published: false", "status: draft"
	for _, c := range []struct{ files, file, known string }{
		{"-- docusaurus.config.js --\nmodule.exports = { presets: [['classic', {}]] }", "docs/a.md", draft},
		{"-- _config.yml --\n-- Gemfile --", "a.md", published},
		{"-- _config.yml --\ncollections: { k: { output: true } }\n-- Gemfile --", "_k/a.md", published},
		{"-- _config.yml --\n-- package.json --\n{\"hexo\":\"8\"}", "source/_posts/a.md", published},
		{"-- _config.yml --\n-- package.json --\n{\"hexo\":\"8\"}", "source/a.md", ""},
		{"-- mkdocs.yml --", "docs/a.md", ""},
		{"-- mkdocs.yml --\nplugins: [blog]", "docs/a.md", draft},
		{"-- .vitepress/config.js --", "a.md", ""},
		{"-- astro.config.mjs --", "src/pages/a.md", ""},
		{"-- astro.config.mjs --", "src/content/k/a.md", ""},
		{"-- astro.config.mjs --\n-- src/pages/[id].astro --\ngetCollection('k', ({ data }) => !data.draft)",
			"src/content/k/a.md", ""},
		{"-- .eleventy.js --", "a.md", ""},
		{"-- .eleventy.js --\nif (data.status == 'draft') return false", "a.md", ""},
	} {
		for _, says := range []string{draft, published, status} {
			files := map[string]string{c.file: "---\n" + says + "\nrobots: noindex\n---\n"}
			for _, f := range txtar.Parse([]byte(c.files + "\n")).Files {
				files[f.Name] = string(f.Data)
			}
			m := laid(t, files, "/where.html")
			want := policy.Severity(policy.Warning)
			if says == c.known {
				want = policy.Note
			}
			if f := m.Findings(); len(f) != 1 || f[0].ID != "no-page" || f[0].Severity != want {
				t.Errorf("%s, %s: %v, want no-page, %v", c.files, says, f, want)
			}
		}
	}
}

// Of pages that an unknown generator made it is not known which words it has for drafts: a warning says what may be
// lost.
func TestHouse_DraftsOfAnUnknownGenerator(t *testing.T) {
	m, err := owned(t, site.Content{Folders: []string{"content"}}, map[string]string{"public/index.html": "",
		"content/a.md": "---\ndraft: true\nrobots: noindex\n---\n"})
	if err != nil {
		t.Fatal(err)
	}
	if f := m.Findings(); len(f) != 1 || f[0].ID != "no-page" || f[0].Severity != policy.Warning {
		t.Errorf("%v", f)
	}
}
