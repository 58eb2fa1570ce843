package plan_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
	"metarobots/internal/write"
	"metarobots/policy"
)

// planned returns the plan of a folder of pages.
func planned(t *testing.T, dir string) *plan.Plan {
	t.Helper()
	return plannedWith(t, project.Options{WorkDir: dir})
}

func plannedWith(t *testing.T, o project.Options) *plan.Plan {
	t.Helper()
	o.Getenv = func(string) string { return "" }
	p := tables.Value(project.Open(t.Context(), o, pages.HTML))(t)
	t.Cleanup(func() { p.Close() })
	s := tables.Value(plan.New(t.Context(), p))(t)
	return s
}

// apply writes a plan.
func apply(t *testing.T, s *plan.Plan) {
	t.Helper()
	if err := write.Apply(t.Context(), s); err != nil || s.Overflow != nil {
		t.Fatal(err, s.Overflow)
	}
}

const htmlSite = "[site]\ngenerator = \"html\"\ndestination = \"out\"\n[robots]\nguard.noindex = 1.0\n" +
	"headers.targets = [\"none\"]\n"

// seen returns the page of a file, and the findings about it as "id:line".
func seen(s *plan.Plan, name string) (*plan.Page, []string) {
	pg := s.Page(name)
	var said []string
	for _, f := range s.Findings {
		if f.URL == pg.URL {
			said = append(said, fmt.Sprintf("%s:%d", f.ID, f.Line))
		}
	}
	return pg, said
}

// What a page says counts in whatever spelling and encoding its author meant it.
func TestHouse_RestrictionsOfPagesAreNotLost(t *testing.T) {
	utf16le := func(text string) string {
		var b []byte
		for _, u := range utf16.Encode([]rune("\uFEFF" + text)) {
			b = binary.LittleEndian.AppendUint16(b, u)
		}
		return string(b)
	}
	const start = "<!doctype html>\n<head>\n"
	for name, c := range map[string]struct {
		page, finding string
		edited        bool
	}{
		"robot":      {start + `<meta name="ROBOT" content="noindex">`, "mistaken-tag:3", true},
		"property":   {start + `<meta property="robots" content="noindex">`, "mistaken-tag:3", true},
		"equiv":      {start + `<meta http-equiv="X-Robots-Tag" content="noindex">`, "mistaken-tag:3", true},
		"curly":      {start + `<meta name=“robots” content=“noindex, follow”>`, "mistaken-tag:3", true},
		"curly-only": {start + `<meta name="robots" content=“noindex, follow”>`, "mistaken-tag:3", true},
		"value":      {start + `<meta name="robots" value="noindex">`, "value-for-content:3", true},
		"prefix":     {start + `<meta name="robots" content="robots: noindex">`, "prefix:3", true},
		"map":        {start + `<meta name="robots" content="map[index:false]">`, "mistaken-tag:3", true},
		"body":       {start + `<p><meta property="robots" content="noindex">`, "mistaken-tag:3", true},
		"long": {start + `<meta name="robots" content="noindex` + strings.Repeat(" ", 70_000) + `">`,
			"long-content:3", true},
		"utf-16": {utf16le(start + `<meta name="robots" content="noindex">`), "encoding:0", false},
		"iso-2022": {"<meta charset=iso-2022-jp>" + start + `<meta name="robots" content="noindex">`, "encoding:0",
			false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tables.Folder(t, map[string]string{"metarobots.toml": htmlSite, "out/index.html": "<!doctype html>home",
				"out/a.html": c.page})
			s := planned(t, dir)
			pg, said := seen(s, "a.html")
			if !pg.Decision.NoIndex() {
				t.Error("it is not noindex")
			}
			if !slices.Contains(said, c.finding) {
				t.Errorf("findings %q, want %s", said, c.finding)
			}
			if pg.Changes != c.edited {
				t.Errorf("edited: %v", pg.Changes)
			}
			apply(t, s)
			out := tables.Value(os.ReadFile(filepath.Join(dir, "out/a.html")))(t)
			if !c.edited {
				if string(out) != c.page {
					t.Errorf("damaged: %q", out)
				}
				return
			}
			if strings.Count(string(out), "noindex") != 1 || !strings.Contains(string(out),
				`<meta name="robots" content="noindex, follow`) {
				t.Errorf("written: %.300s", out)
			}
			if pg, _ := seen(planned(t, dir), "a.html"); pg.Changes || !pg.Decision.NoIndex() {
				t.Errorf("a second run changes it: %v", pg.Changes)
			}
		})
	}
}

// A mistake says nothing of a page itself: what is handed over is believed where it is said right.
func TestHouse_MistakenMetadataSaysNothing(t *testing.T) {
	dir := tables.Folder(t, map[string]string{"metarobots.toml": htmlSite, "out/index.html": "<!doctype html>home",
		"out/a.html": `<!doctype html><meta property="metarobots" content='{"robots": "noindex"}'>`})
	if pg, said := seen(planned(t, dir), "a.html"); pg.Decision.NoIndex() || !slices.Contains(said, "mistaken-tag:1") {
		t.Errorf("noindex %v, findings %q", pg.Decision.NoIndex(), said)
	}
}

// The file is sparse, and no byte of it is read.
func TestHouse_PagesOver64MBAreLeftAlone(t *testing.T) {
	dir := tables.Folder(t, map[string]string{"metarobots.toml": htmlSite + "[[robots.rules]]\nmatch = " +
		"[\"/a.html\"]\nrobots = \"noindex\"\n",
		"out/index.html": "<!doctype html>home", "out/a.html": "<!doctype html>x"})
	file := filepath.Join(dir, "out/a.html")
	tables.Must(t, os.Truncate(file, project.MaxPage+1))
	s := planned(t, dir)
	pg, said := seen(s, "a.html")
	if pg.Changes || !pg.Decision.NoIndex() || pg.File.Role != policy.RolePage || pg.TakesTags() ||
		!slices.Contains(said, "page-too-large:0") {
		t.Errorf("changes %v, noindex %v, findings %q", pg.Changes, pg.Decision.NoIndex(), said)
	}
	apply(t, s)
	if info, err := os.Stat(file); err != nil || info.Size() != project.MaxPage+1 {
		t.Errorf("the file was changed: %v", err)
	}
}
