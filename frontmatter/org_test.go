package frontmatter_test

import (
	"errors"
	"strings"
	"testing"

	"metarobots/frontmatter"
	"metarobots/internal/tables"
)

// F1e: a keyword of Org that Hugo takes for text is an error at its line.
func TestHouse_KeywordsOfOrgCountOrAreErrors(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/org.txt") {
		for _, content := range []string{c["content"], "\ufeff" + c["content"],
			strings.ReplaceAll(c["content"], "\n", "\r\n")} {
			doc, err := frontmatter.ParseOrg([]byte(content))
			line := 0
			if e, ok := errors.AsType[*frontmatter.Error](err); ok {
				line = e.Line
			}
			got, _ := states(doc.Params, options)
			if line != c.Int(t, "line") || err == nil && got != c["states"] {
				t.Errorf("%q: %q, line %d (%v), want %q, line %s", content, got, line, err, c["states"], c["line"])
			}
		}
	}
}

// F: the fields of Lektor's contents.lr, each with its line (F2c).
func TestLektor_FieldsAreFrontMatter(t *testing.T) {
	const content = "title: A\n---\nrobots: noindex\n---\nbody:\n\ngooglebot: none\n---\nbingbot:\n\nnoarchive\n"
	doc := frontmatter.ParseFields([]byte(content))
	if got, _ := states(doc.Params, options); got != "robots: noindex, follow; bingbot: noindex, follow, noarchive" ||
		doc.Index.Line("robots") != 3 || doc.Index.Line("bingbot") != 9 || doc.Params["googlebot"] != nil {
		t.Errorf("%q, %v", got, doc.Params)
	}
	if doc := frontmatter.ParseFields([]byte("text\n---\nmore\n")); doc.Index != nil {
		t.Errorf("%v", doc)
	}
}

// F1e: a later block of fields is text to every other generator, and so are fields that no line
// opens to most.
func TestHouse_FieldsWithoutAnOpeningLineAreErrors(t *testing.T) {
	for _, c := range []struct {
		content        string
		line, unopened int // of the error, where such fields count too
	}{
		{"title: A\n---\nrobots: noindex\n---\nbody\n", 3, 3},
		{"title: A\r\n---\r\nnoindex: yes\r\n", 3, 3},
		{"title: A\ntags:\n\n---\n\nx: y\nrobots: noindex\n---\n", 7, 7},
		{"robots: noindex\n---\n# A\n", 1, 0},
		{"title: A\nrobots: noindex\n---\n\ntext\n", 2, 0},
		{"robots: noindex\n\ntext\n", 0, 0},
		{"title: A\n---\ntext about\nrobots: noindex\n---\n", 0, 0},
		{"title: A\n---\nbody: robots\n---\n", 0, 0},
		{"# A\n\nrobots: noindex\n---\n", 0, 0},
		{"Note: this is a heading\n---\n", 0, 0},
	} {
		for _, d := range []frontmatter.Dialect{{}, {Unopened: true}} {
			_, err := d.Parse([]byte(c.content))
			line, want := 0, c.line
			if e, ok := errors.AsType[*frontmatter.Error](err); ok {
				line = e.Line
			}
			if d.Unopened {
				want = c.unopened
			}
			if line != want {
				t.Errorf("%q, %+v: line %d (%v), want %d", c.content, d, line, err, want)
			}
		}
	}
}

// F2b: of a key of YAML that stands twice the last counts where the generator takes it; both lines
// are known.
func TestYAML_TheLastOfTwoKeysCounts(t *testing.T) {
	const content = "---\ntitle: a\nx: {y: 1, z: 2, y: 3}\ntitle: b\nlist:\n- a: 1\n  a: 2\n---\n"
	if _, err := frontmatter.Parse([]byte(content)); err == nil {
		t.Error("no error where a generator refuses it")
	}
	doc := tables.Value(frontmatter.Dialect{LastCounts: true}.Parse([]byte(content)))(t)
	var said []string
	for _, r := range doc.Index.Repeats {
		said = append(said, strings.Join(r.Path, "."))
		if r.First == 0 || r.Line < r.First {
			t.Errorf("%+v", r)
		}
	}
	if got := strings.Join(said, " "); got != "title x.y list.0.a" || doc.Params["title"] != "b" ||
		doc.Index.Line("title") != 4 {
		t.Errorf("%q %v", got, doc.Params)
	}
	for path, want := range map[string]bool{"title": false, "robots": true, "seo": true, "seo.title": false, "params": true,
		"params.seo.noindex": true, "Robots.0.x": true, "garden": true, "garden.a": true, "garden.b": false, "x.y": false,
		"quiet": true, "googlebot": true, "list.0.a": false} {
		if got := frontmatter.Concerns(strings.Split(path, "."), options); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
