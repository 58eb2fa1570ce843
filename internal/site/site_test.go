package site

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"metarobots/frontmatter"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// L3: names of error templates that hosts document, at the root and at a language's; a page about a number is none.
func TestHosts_ErrorFilesByName(t *testing.T) {
	for name, want := range map[string]bool{
		"404.html": true, "404/index.html": true, "40x.html": true, "403.html": true, "50x.html": true,
		"500.html":    true,
		"de/404.html": true, "pt-br/404/index.html": true, "zh_Hans/500.html": true,
		"404": false, "4044.html": false, "a404.html": false, "300.html": false, "blog/404.html": false,
		"de/at/404.html":   false,
		"404/a/index.html": false, "404.htm": false,
		"500/index.html": true, "403/index.html": true, "de/410/index.html": true, "4xx.html": true, "5XX.html": true,
		"4xx/index.html": true, "5xx/index.html": true, "50x/index.html": true, "en/5xx/index.html": true,
		"error.html":             true,
		"numbers/500/index.html": false, "numbers/500.html": false, "499/index.html": false, "300/index.html": false,
		"600/index.html": false, "5xx/a.html": false, "50xx.html": false, "errors.html": false,
		"error/index.html": false,
		"blog/error.html":  false, "500/500/index.html": false,
	} {
		if got := IsErrorFile(name, nil, false); got != want {
			t.Errorf("IsErrorFile(%q) = %v", name, got)
		}
	}
	if IsErrorFile("api/404.html", nil, false) || IsErrorFile("de/404.html", []string{"en", "fr"}, false) ||
		!IsErrorFile("eng/404.html", []string{"eng"}, false) {
		t.Error("languages are the site's own where they are known")
	}
}

// L3: a content file makes an error page where its name says that nothing was found; /508/ may be a page about a number.
func TestHouse_ErrorFilesOfContent(t *testing.T) {
	for name, want := range map[string]bool{"404.html": true, "404/index.html": true, "de/404.html": true,
		"pt-br/404/index.html": true, "508/index.html": false, "500.html": false, "error.html": false,
		"blog/404.html": false} {
		if got := IsErrorFile(name, nil, true); got != want {
			t.Errorf("IsErrorFile(%q) = %v with a content file", name, got)
		}
	}
}

// L6: files that speak to crawlers or hosts.
func TestGoogle_ControlFilesByName(t *testing.T) {
	for name, want := range map[string]bool{
		"robots.txt": true, "de/robots.txt": true, "sitemap.xml": true, "sitemap-posts.xml": true,
		"sitemap_index.xml.gz": true,
		"en/sitemap.xml":       true, "_headers": true, "_redirects": true, ".well-known/security.txt": true,
		"ads.txt":     true,
		"app-ads.txt": true, "google0123456789abcdef.html": true, "yandex_0123456789abcdef.html": true,
		"pinterest-a1b2c3.html": true, "BingSiteAuth.xml": true,
		"google.html": false, "google0123456789ABCDEF.html": false, "de/google0123456789abcdef.html": false,
		"docs/_headers": false, "docs/ads.txt": false, "sitemap.html": false, "mysitemap.xml": false, "feed.xml": false,
	} {
		if got := IsControlFile(name); got != want {
			t.Errorf("IsControlFile(%q) = %v", name, got)
		}
	}
}

// X: url is the encoded path from the publish root.
func TestHouse_URLsAreServedAndEscapedPaths(t *testing.T) {
	for name, want := range map[string]string{
		"index.html": "/", "a/index.html": "/a/", "a.html": "/a.html", "menü/ö.pdf": "/men%C3%BC/%C3%B6.pdf",
		"a b/100%.txt": "/a%20b/100%25.txt", "what?.html": "/what%3F.html", "it's (wow)!.pdf": "/it's%20(wow)!.pdf",
		"a/notindex.html": "/a/notindex.html",
	} {
		if got := URL(name); got != want {
			t.Errorf("URL(%q) = %q, want %q", name, got, want)
		}
	}
}

// Hugo's own rules of where its configuration lies (https://gohugo.io/configuration/introduction/), with ours for a
// config.toml that is a policy.
func TestHugo_ASiteIsKnownByItsConfiguration(t *testing.T) {
	isPolicy := func(values map[string]any) bool { return values["robots"] != nil }
	for _, c := range tables.Read(t, "testdata/hugo.txt") {
		dir := tables.Folder(t, map[string]string{c["name"]: c["text"]})
		if got := fmt.Sprint(IsHugo(dir, nil, isPolicy)); got != c["want"] {
			t.Errorf("a folder with %s (%q): %s, want %s", c["name"], c["text"], got, c["want"])
		}
	}
	if !IsHugo(tables.Folder(t, map[string]string{"config.toml": "robots = 1"}), nil, nil) {
		t.Error("where nothing is a policy, config.toml is Hugo's")
	}
}

// A policy under a name that is nearly right is read by nobody: its owner has to be told (#18).
func TestHouse_MisspelledPolicyNamesAreRecognized(t *testing.T) {
	for name, want := range map[string]bool{"metarobots.toml": false, "metarobot.toml": true, "metarobots.yaml": true,
		"Metarobots.toml": true, "meta-robots.toml": true, "metarobtos.yml": true, ".metarobots.toml": true,
		"metarobots.lock.json": false, "metarobots.json": false, "metarobots-preview.toml": false,
		"metarobots.preview.toml": false, "hugo.toml": false, "robots.txt": false, "metarobots.toml.bak": false} {
		if MistakenFile(name) != want {
			t.Errorf("%s: want %v", name, want)
		}
	}
	for key, want := range map[string]bool{"params.metarobots": false, "params.metarobot": true, "params.metaRobot": true,
		"params.robots": false, "params.meta": false, "robots": true, "metarobots": true, "metarobot": true,
		"params.seo.metarobot": false, "params": false, "sitemap": false, "enableRobotsTXT": false} {
		if got := MistakenKey(strings.Split(key, ".")); (got != "") != want {
			t.Errorf("%s: got %q", key, got)
		}
	}
}

var metaOptions = frontmatter.Options{Crawlers: policy.KnownCrawlers()}

// Of page metadata every key is known, so that a misspelt one is no silence.
func TestHouse_PageMetaKeys(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/page-metadata.txt") {
		h, err := ParsePageMeta(c["text"], metaOptions)
		if c["fault"] != "" {
			if err == nil || !strings.Contains(err.Error(), c["fault"]) {
				t.Errorf("%s: %v, want %q", c["text"], err, c["fault"])
			}
			continue
		}
		var said []string
		for _, s := range h.FrontMatter.Statements {
			said = append(said, s.States())
			if s.Origin.Layer != policy.LayerPage || s.Origin.File != h.Source || s.Origin.Line != h.Line {
				t.Errorf("%s: %+v", c["text"], s.Origin)
			}
		}
		if got := strings.Join(said, "; "); err != nil || len(h.FrontMatter.Findings) > 0 || !sameWords(got, c["states"]) {
			t.Errorf("%s: %q %v %v, want %q", c["text"], got, h.FrontMatter.Findings, err, c["states"])
		}
	}
}

func sameWords(a, b string) bool {
	count := map[string]int{}
	for _, s := range strings.Split(a, "; ") {
		count[s]++
	}
	for _, s := range strings.Split(b, "; ") {
		count[s]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// Page metadata is added to what is known, and changes nothing that other files share.
func TestHouse_AddedMetadataSharesNothing(t *testing.T) {
	shared := make([]policy.Statement, 1, 2)
	f := File{}
	f.Page, f.Facts.Kind, f.Facts.Section = shared, "page", "kept"
	h, err := ParsePageMeta(`{"robots": "noindex", "kind": "section", "source": "a.md"}`, metaOptions)
	if err != nil {
		t.Fatal(err)
	}
	h.Take(&f)
	if len(f.Page) != 2 || f.Facts.Kind != "section" || f.Facts.Section != "kept" || f.Source != "a.md" {
		t.Errorf("%+v", f)
	}
	if shared[:2][1] != (policy.Statement{}) {
		t.Error("what others share was written to")
	}
	h.Take(&f)
	if len(f.Page) != 2 {
		t.Errorf("said twice: %v", f.Page)
	}
}

// Page metadata is an error or it is read whole; it never fails otherwise.
func FuzzHouse_PageMetaIsReadOrAnError(f *testing.F) {
	for _, seed := range []string{`{"robots": "noindex", "source": "a", "line": 3}`, `{"robots": {"googlebot": ["x"]}}`,
		`{}`, `[`, `{"line": 1e99}`, `{"params": {"seo": {}}}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, err := ParsePageMeta(text, metaOptions)
		if err == nil && !json.Valid([]byte(text)) {
			t.Fatalf("%q is no JSON and was read: %+v", text, h)
		}
		if h.Line < 0 {
			t.Fatalf("line %d", h.Line)
		}
	})
}

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
