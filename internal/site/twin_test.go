package site

import (
	"slices"
	"testing"

	"metarobots/policy"
)

// H7: the page of a twin, as llmstxt.org and the plugins of generators name them.
func TestHouse_PagesOfTwins(t *testing.T) {
	published := []string{"index.html", "a.html", "b/index.html", "c.html", "c/index.html", "llms.html", "docs.html",
		"docs/index.html"}
	has := func(name string) bool { return slices.Contains(published, name) }
	for name, want := range map[string]string{
		"index.md": "index.html", "index.html.md": "index.html", "index.txt": "index.html",
		"a.md": "a.html", "a.html.md": "a.html", "a.txt": "a.html", "a.mdx": "a.html", "a.MD": "a.html",
		"a.markdown": "a.html", "a/index.md": "a.html", "a/index.html.md": "a.html",
		"b.md": "b/index.html", "b.html.md": "b/index.html", "b.txt": "b/index.html",
		"b/index.md": "b/index.html", "b/index.txt": "b/index.html", "b/index.html.md": "b/index.html",
		"c.md": "c.html", "c/index.md": "c/index.html", "docs.md": "docs.html",
		"llms.txt": "", "docs/llms.txt": "", "llms-full.txt": "", "other.md": "", "b/other.txt": "", "a.pdf": "",
		"a/__next._full.txt": "", "b/_payload.json": "", "a": "", ".md": "",
	} {
		f := File{Name: name}
		f.Role = policy.RoleStatic
		if got := Twin(&f, has); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	control := File{Name: "a.txt"}
	control.Role = policy.RoleControl
	page := File{Name: "a.md"}
	page.Role, page.HTML = policy.RolePage, true
	if Twin(&control, has) != "" || Twin(&page, has) != "" {
		t.Error("a control file or a page has a page")
	}
	for name, want := range map[string]string{"x/index.gmi": "a.html", "x/index.md": "a.html", "x/index.json": "",
		"x/__next._head.txt": ""} {
		f := File{Name: name, CopyOf: "a.html"}
		f.Role = policy.RoleOutput
		if got := Twin(&f, has); got != want {
			t.Errorf("%s, a copy of a.html: %q, want %q", name, got, want)
		}
	}
}

// H8: lists of pages for language models, in any folder.
func TestHouse_LLMsFiles(t *testing.T) {
	for name, want := range map[string]bool{"llms.txt": true, "llms-full.txt": true, "de/llms.txt": true,
		"llms-small.txt": true, "llms.md": true, "llms.html": false, "allms.txt": false, "llms/a.txt": false} {
		if got := IsLLMs(name); got != want {
			t.Errorf("IsLLMs(%q) = %v", name, got)
		}
	}
}
