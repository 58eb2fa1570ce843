package pages

import "testing"

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
