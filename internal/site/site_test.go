package site

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"metarobots/frontmatter"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// names asks a question of the names of testdata/names.txt that are for it.
func names(t *testing.T, question string, answer func(name string) any) {
	t.Helper()
	asked := 0
	for _, c := range tables.Read(t, "testdata/names.txt") {
		if c["question"] != question {
			continue
		}
		if asked++; fmt.Sprint(answer(c["name"])) != c["answer"] {
			t.Errorf("%s of %s: %v, want %s", question, c["name"], answer(c["name"]), c["answer"])
		}
	}
	if asked == 0 {
		t.Errorf("no name for %s", question)
	}
}

// L3b, L3d: names of error templates that hosts document, at the root and at a language's; a page
// about a number is none.
func TestHosts_ErrorFilesByName(t *testing.T) {
	names(t, "error page", func(name string) any { return IsErrorFile(name, nil, false) })
	if IsErrorFile("api/404.html", nil, false) || IsErrorFile("de/404.html", []string{"en", "fr"}, false) ||
		!IsErrorFile("eng/404.html", []string{"eng"}, false) {
		t.Error("languages are the site's own where they are known")
	}
}

// L3c: a content file makes an error page where its name says that nothing was found; /508/ may be
// a page about a number.
func TestHouse_ErrorFilesOfContent(t *testing.T) {
	names(t, "error page of content", func(name string) any { return IsErrorFile(name, nil, true) })
}

// L6a, L6b: files that speak to crawlers or hosts.
func TestGoogle_ControlFilesByName(t *testing.T) {
	names(t, "control file", func(name string) any { return IsControlFile(name) })
}

// Every character that is never encoded is one that net/url and browsers leave as it is, so that a
// path of them alone is its own URL.
func TestHouse_NeverEncodedIsAsTheStandardHasIt(t *testing.T) {
	bareOnes := 0
	for c := range 256 {
		path := string([]byte{'/', byte(c)})
		if !isNeverEncoded(path) {
			continue
		}
		bareOnes++
		if got := (&url.URL{Path: path}).EscapedPath(); got != path {
			t.Errorf("%q is encoded as %q", path, got)
		}
	}
	if bareOnes != 26+26+10+len("/-._") {
		t.Errorf("%d characters are never encoded", bareOnes)
	}
}

// X: url is the encoded path from the publish root (X9e).
func TestHouse_URLsAreServedAndEscapedPaths(t *testing.T) {
	names(t, "URL", func(name string) any { return URL(name) })
}

// Hugo's own rules of where its configuration lies (https://gohugo.io/configuration/introduction/),
// with ours for a config.toml that is a policy.
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
	names(t, "mistaken file", func(name string) any { return MistakenFile(name) })
	names(t, "mistaken key", func(key string) any { return MistakenKey(strings.Split(key, ".")) })
}

var metaOptions = frontmatter.Config{Crawlers: policy.KnownCrawlers()}

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
	h := tables.Value(ParsePageMeta(`{"robots": "noindex", "kind": "section", "source": "a.md"}`, metaOptions))(t)
	h.AddTo(&f)
	if len(f.Page) != 2 || f.Facts.Kind != "section" || f.Facts.Section != "kept" || f.Source != "a.md" {
		t.Errorf("%+v", f)
	}
	if shared[:2][1] != (policy.Statement{}) {
		t.Error("what others share was written to")
	}
	h.AddTo(&f)
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

// H7a: the page of a twin, as llmstxt.org and the plugins of generators name them.
func TestHouse_PagesOfTwins(t *testing.T) {
	published := []string{"index.html", "a.html", "b/index.html", "c.html", "c/index.html", "llms.html", "docs.html",
		"docs/index.html"}
	has := func(name string) bool { return slices.Contains(published, name) }
	names(t, "twin", func(name string) any {
		f := File{Name: name}
		f.Role = policy.RoleStatic
		return Twin(&f, has)
	})
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

// H8a: lists of pages for language models, in any folder.
func TestHouse_LLMsFiles(t *testing.T) {
	names(t, "llms", func(name string) any { return IsLLMs(name) })
}

// L5e: copies of single pages, by the names that generators document.
func TestGenerators_NamesOfCopies(t *testing.T) {
	published := []string{"index.html", "a/index.html", "b.html", "docs/index.html", "docs/x/y.html", "docs/v1.2.html"}
	has := func(name string) bool { return slices.Contains(published, name) }
	for name, want := range map[string]string{
		"_sources/index.rst.txt": "index.html", "_sources/a.md.txt": "a/index.html", "_sources/b.ipynb": "b.html",
		"docs/_sources/index.rst.txt": "docs/index.html", "docs/_sources/x/y.txt": "docs/x/y.html",
		"docs/_sources/v1.2.rst.txt": "docs/v1.2.html", "docs/_sources/v1.2.txt": "docs/v1.2.html",
		"_sources/gone.rst.txt": "", "_sources/b.pdf": "", "x_sources/b.rst.txt": "", "_sources": "",
		"__data.json": "index.html", "a/__data.json": "a/index.html", "b/__data.json": "b.html",
		"b.html__data.json": "b.html", "c/__data.json": "", "a/data.json": "", "a/x__data.json": "",
	} {
		if got := CopyOf(name, has, func(string) bool { return false }); got != want {
			t.Errorf("%s is a copy of %q, want %q", name, got, want)
		}
	}
}
