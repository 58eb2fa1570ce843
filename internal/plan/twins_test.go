package plan_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// twinSite has a page of each form beside its twins. /hidden/ is noindex.
func twinSite(twins string) map[string]string {
	const page, hidden = "<!doctype html><head></head>", `<!doctype html><head><meta name="robots" content="noindex"></head>`
	return map[string]string{"metarobots.toml": strings.Replace(htmlSite, "[\"none\"]\n", "[\"netlify\"]\n"+twins, 1),
		"out/index.html": page, "out/index.md": "", "out/a.html": page, "out/a.txt": "", "out/a/index.md": "",
		"out/hidden/index.html": hidden, "out/hidden.md": "", "out/hidden/index.txt": "",
		"out/llms.txt": "", "out/other.md": "", "out/_payload.json": ""}
}

// H7: unset, twins are what they were: Markdown beside a page is restricted as the page is, and text is not. "as page"
// is for all twins; "noindex" holds whatever the page is, at the line of the key. The rest of the site stays.
func TestHouse_TwinsGetWhatTheirOwnerSays(t *testing.T) {
	for twins, want := range map[string]string{
		"":                      "hidden.md",
		"twins = \"as page\"\n": "hidden.md hidden/index.txt",
		"twins = \"noindex\"\n": "a.txt a/index.md hidden.md hidden/index.txt index.md",
	} {
		s, got := planned(t, tables.Folder(t, twinSite(twins))), []string(nil)
		for _, pg := range s.Pages {
			if !pg.File.HTML && pg.Decision.NoIndex() {
				got = append(got, pg.File.Name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: noindex are %s, want %s", twins, got, want)
		}
		if strings.Contains(twins, "noindex") {
			why := s.Page("a.txt").Decision.Statements
			at := slices.IndexFunc(why, func(s policy.Statement) bool { return s.Directives.NoIndex() })
			if o := fmt.Sprint(why[at].Origin); o != "{rule metarobots.toml 7 robots.twins}" {
				t.Errorf("why: %s", o)
			}
		}
	}
}

// L: what a page states reaches its twin whatever twins get, and nothing that twins = "…" says loosens a file.
func TestLaw_TwinsAreNeverLooserForAWord(t *testing.T) {
	without := planned(t, tables.Folder(t, twinSite("")))
	for _, twins := range []string{"as page", "noindex"} {
		site := twinSite("twins = \"" + twins + "\"\n")
		with := planned(t, tables.Folder(t, site))
		for _, name := range slices.Sorted(maps.Keys(site)) {
			name, ok := strings.CutPrefix(name, "out/")
			if ok && !with.Page(name).Decision.AtLeast(without.Page(name).Decision) {
				t.Errorf("%s is looser with twins = %q", name, twins)
			}
		}
	}
}
