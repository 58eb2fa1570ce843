package pages

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"metarobots/frontmatter"
	"metarobots/internal/site"
	"metarobots/internal/tables"
	"metarobots/policy"
)

func (s section) String() string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(s.params)) {
		fmt.Fprintf(&b, "%s=%v:%d ", key, s.params[key], s.line(key))
	}
	return strings.TrimSpace(b.String())
}

// The forms of front matter beside YAML, TOML and JSON, each with the line of its keys.
func TestGenerators_FrontMatterBesideYAML(t *testing.T) {
	of := func(d dialect, file string) func([]byte) section {
		return func(data []byte) section {
			h, _ := readerOf(d).readFrontMatter(file, filepath.Ext(file), data)
			return h
		}
	}
	lines := dialect{UnmarkedLines: true}
	forms := map[string]func([]byte) section{"fields": of(lines, "x.rst"), "meta": of(lines, "x.md"),
		"hexo": of(dialect{HexoMarks: true}, "x.md"), "html": of(lines, "x.html")}
	for _, c := range tables.Read(t, "testdata/forms.txt") {
		h := forms[c["form"]]([]byte(c["text"]))
		if got := h.String(); got != c["keys"] {
			t.Errorf("%s: %q, want %q", c["name"], got, c["keys"])
		}
	}
}

// Front matter that is a program is read where it is nothing but an object of literal values; of
// the others it is said that they are not.
// https://www.11ty.dev/docs/data-frontmatter/#java-script-front-matter
func TestEleventy_FrontMatterThatIsAProgram(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/programs.txt") {
		r := readerOf(dialect{})
		h := tables.Value(r.readFrontMatter("x", ".md", []byte(c["text"])))(t)
		slices.Sort(r.computed["x"])
		if got := h.String(); got != c["keys"] || strings.Join(r.computed["x"], " ") != c["computed"] {
			t.Errorf("%q: %q %q, want %q %q", c["text"], got, r.computed["x"], c["keys"], c["computed"])
		}
	}
}

// F1: what was meant for front matter is read, or is an error on its line, whatever the generator
// makes of it.
func TestHouse_FrontMatterIsNeverNothing(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/meant.txt") {
		for _, g := range generators() {
			h, err := readerOf(g.Dialect).readFrontMatter("x", ".md", []byte(c["text"]))
			line := 0
			if e, ok := errors.AsType[*frontmatter.Error](err); ok {
				line = e.Line
			}
			if got, want := h.String(), c.Int(t, "line"); line != want || want == 0 && got != c["keys"] {
				t.Errorf("%q, %+v: %q (%v), want %q or line %d", c["text"], g.Dialect, got, err, c["keys"], want)
			}
		}
	}
}

// The same in a folder whose files are content by their front matter alone.
func TestHouse_FrontMatterBehindWhatHidesIt(t *testing.T) {
	for _, above := range []string{"\u200b", "<!-- a -->\n", "\n\u200b", "\ufeff\u200b"} {
		files := map[string]string{"_config.yml": "title: x\nbaseurl: /\n", "a.md": above + front}
		if _, err := list(t, files, site.Options{}, "/index.html"); err == nil || !strings.Contains(err.Error(), "a.md:") {
			t.Errorf("%q: %v", above, err)
		}
	}
}

// No text makes a reader fail, and a key's line is one of the text.
func FuzzHouse_KeysHaveALineOfTheText(f *testing.F) {
	for _, seed := range []string{"Title: A\n    B\n", "T\n=\n:a: b\n  c\n", "= T\n:a:\n", "a: b\n---\n",
		"\"a\": 1\n;;;\n", "<meta name=a content=b>", "---\n---\n---", "\ufeffA: b\r\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		lines, hexo := dialect{UnmarkedLines: true}, dialect{HexoMarks: true}
		for ext, d := range map[string]dialect{".rst": lines, ".html": lines, ".md": lines, ".mdx": hexo} {
			h, _ := readerOf(d).readFrontMatter("x"+ext, ext, []byte(s))
			for key := range h.params {
				if n := h.line(key); n < 0 || n > strings.Count(s, "\n")+1 {
					t.Fatalf("%q: line %d of %d", key, n, strings.Count(s, "\n")+1)
				}
			}
		}
	})
}

// draft, published and status keep a file from being published where its generator knows the word.
// What it does not know it publishes, so that such a file whose page is not found is a warning: a
// draft is no error.
// https://jekyllrb.com/docs/front-matter/#predefined-global-variables https://hexo.io/docs/front-matter
// https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs#draft
func TestGenerators_DraftsByTheirOwnWordsAreNotes(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/drafts.txt") {
		for _, says := range []string{"draft: true", "published: false", "status: draft"} {
			files := map[string]string{c["file"]: "---\n" + says + "\nrobots: noindex\n---\n"}
			for _, f := range txtar.Parse([]byte(c["site"] + "\n")).Files {
				files[f.Name] = string(f.Data)
			}
			m := laid(t, files, "/where.html")
			want := policy.Severity(policy.Warning)
			if says == c["known"] {
				want = policy.Note
			}
			if f := m.Findings(); len(f) != 1 || f[0].ID != "no-page" || f[0].Severity != want {
				t.Errorf("%s, %s: %v, want no-page, %v", c["site"], says, f, want)
			}
		}
	}
}

// What a configuration leaves out: without a slash in the middle in any folder, else from the top;
// a folder with all below it. Of patterns that take something back none is read.
// https://git-scm.com/docs/gitignore#_pattern_format
func TestGit_IgnorePatterns(t *testing.T) {
	const patterns = "# comment\n\nhidden.md\n/top.md\ndrafts/\r\na/b.md\n*.tmp.md\n*\n/**/*\n/sub/*\n"
	for file, want := range map[string]bool{
		"hidden.md": true, "x/hidden.md": true, "top.md": true, "x/top.md": false, "drafts/a.md": true,
		"x/drafts/y/a.md": true, "drafts.md": false, "a/b.md": true, "x/a/b.md": false, "x/y.tmp.md": true,
		"comment": false, "sub/a.md": true, "sub/a/b.md": true, "x/sub/a.md": false, "other.md": false,
	} {
		if got := matches(leftOut("", patterns), file); got != want {
			t.Errorf("%s: %v", file, got)
		}
		if matches(leftOut("", patterns+"!keep.tmp.md"), file) {
			t.Errorf("%s, where something is taken back", file)
		}
	}
}

// A configuration that leads out of the site, or that is none, is an error, and nothing of it is
// printed.
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
