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
	return tables.Value(plan.New(t.Context(), opened(t, o)))(t)
}

// opened opens a folder of pages.
func opened(t *testing.T, o project.Options) *project.Project {
	t.Helper()
	o.Getenv = func(string) string { return "" }
	p := tables.Value(project.Open(t.Context(), o, pages.HTML()))(t)
	t.Cleanup(func() { p.Close() })
	return p
}

// apply writes a plan.
func apply(t *testing.T, s *plan.Plan) {
	t.Helper()
	if err := write.Apply(t.Context(), s, nil); err != nil || s.Overflow() != nil {
		t.Fatal(err, s.Overflow())
	}
}

const htmlSite = "[site]\ngenerator = \"html\"\ndestination = \"out\"\n[robots]\nguard.noindex = 1.0\n" +
	"headers.targets = [\"none\"]\n"

// link makes a symlink.
func link(t *testing.T, target, file string) {
	t.Helper()
	if err := os.Symlink(target, file); err != nil {
		t.Skip("no symlinks here:", err)
	}
}

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
	for _, c := range tables.Read(t, "testdata/restrictions.txt") {
		tag, edited := strings.Replace(c["tag"], "BLANKS", strings.Repeat(" ", 70_000), 1), false
		page := "<!doctype html>\n<head>\n" + tag
		switch c["name"] {
		case "utf-16":
			page = utf16le(page)
		case "iso-2022":
			page = "<meta charset=iso-2022-jp>" + page
		default:
			edited = true
		}
		t.Run(c["name"], func(t *testing.T) {
			dir := tables.Folder(t, map[string]string{"metarobots.toml": htmlSite, "out/index.html": "<!doctype html>home",
				"out/a.html": page})
			s := planned(t, dir)
			pg, said := seen(s, "a.html")
			if !pg.Decision.NoIndex() {
				t.Error("it is not noindex")
			}
			if !slices.Contains(said, c["finding"]) {
				t.Errorf("findings %q, want %s", said, c["finding"])
			}
			if pg.Bytes.Change != edited {
				t.Errorf("edited: %v", pg.Bytes.Change)
			}
			apply(t, s)
			out := tables.Value(os.ReadFile(filepath.Join(dir, "out/a.html")))(t)
			if !edited {
				if string(out) != page {
					t.Errorf("damaged: %q", out)
				}
				return
			}
			if strings.Count(string(out), "noindex") != 1 || !strings.Contains(string(out),
				`<meta name="robots" content="noindex, follow`) {
				t.Errorf("written: %.300s", out)
			}
			if pg, _ := seen(planned(t, dir), "a.html"); pg.Bytes.Change || !pg.Decision.NoIndex() {
				t.Errorf("a second run changes it: %v", pg.Bytes.Change)
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

// The file is sparse, and no byte of it is read (M5d).
func TestHouse_PagesOver64MBAreLeftAlone(t *testing.T) {
	dir := tables.Folder(t, map[string]string{"metarobots.toml": htmlSite + "[[robots.rules]]\nmatch = " +
		"[\"/a.html\"]\nrobots = \"noindex\"\n",
		"out/index.html": "<!doctype html>home", "out/a.html": "<!doctype html>x"})
	file := filepath.Join(dir, "out/a.html")
	tables.Must(t, os.Truncate(file, project.MaxPage+1))
	s := planned(t, dir)
	pg, said := seen(s, "a.html")
	if pg.Bytes.Change || !pg.Decision.NoIndex() || pg.File.Role != policy.RolePage || pg.TakesTags() ||
		!slices.Contains(said, "page-too-large:0") {
		t.Errorf("changes %v, noindex %v, findings %q", pg.Bytes.Change, pg.Decision.NoIndex(), said)
	}
	apply(t, s)
	if info, err := os.Stat(file); err != nil || info.Size() != project.MaxPage+1 {
		t.Errorf("the file was changed: %v", err)
	}
}

// X14m: tags that tell one crawler of two carry a restriction too, beside the header for the other.
func TestHouse_TagsForOneCrawlerCarryARestriction(t *testing.T) {
	for agents, want := range map[string]string{
		`gptbot = "noindex", bingbot = "noindex"`: "[cloudflare tag]", // only Bing reads tags
		`gptbot = "noindex"`:                      "[cloudflare]",
		`bingbot = "noindex"`:                     "[tag]",
	} {
		s := planned(t, tables.Folder(t, map[string]string{"out/index.html": html(""),
			"metarobots.toml": "[site]\ngenerator = \"html\"\ndestination = \"out\"\n[robots]\n" +
				"headers.targets = [\"cloudflare\"]\nagents = {" + agents + "}\n"}))
		if got := fmt.Sprint(plan.CarriedBy(s, s.Page("index.html"))); got != want {
			t.Errorf("%s: carried by %s, want %s", agents, got, want)
		}
	}
}
