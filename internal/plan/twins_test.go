package plan_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/internal/plan"
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

// H7d, H7f, H7g: unset, twins are what they were: Markdown beside a page is restricted as the page
// is, and text is not. "as page" is for all twins; "noindex" holds whatever the page is, at the
// line of the key. The rest of the site stays (H7b).
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

// L: what a page states reaches its twin whatever twins get, and nothing that twins = "…" says
// loosens a file.
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

// copiesOf are files that publish a page of copySite again, by their pages: L5's, and those that
// are twins by their names alone (H7).
var copiesOf = map[string][]string{
	"index.html": {"index.md", "_payload.json", "page-data/index/page-data.json", "index.txt", "__data.json",
		"_sources/index.rst.txt"},
	"a/index.html": {"a.md", "a.html.md", "a/index.mdx", "a/_payload.json",
		"page-data/a/page-data.json", "a/index.txt", "a/__data.json", "_sources/a.ipynb.txt"},
	"a/c.html": {"a/c.markdown", "a/c.html.md", "a/c/index.txt", "_sources/a/c.rst", "a/c.html__data.json"},
	"b.html":   {"b.md", "b/index.md", "b.txt", "_sources/b.md.txt", "b/__data.json"},
}

// copySite draws a site whose owner states something in every layer: the policy, front matter, the
// pages' own tags and a header file. own is the same site without the pages that have copies.
func copySite(t *rapid.T) (site, own map[string]string, twins string) {
	one := func(label string, from ...string) string {
		return rapid.SampledFrom(append(from, "")).Draw(t, label)
	}
	directives := []string{"noindex", "nofollow", "noarchive, max-snippet:50", "index, follow",
		"nosnippet, index", "noai"}
	config := strings.Replace(htmlSite, "[\"none\"]", "[\"netlify\"]", 1)
	key := func(name string, values ...string) {
		if value := one(name, values...); value != "" {
			config += name + " = " + value + "\n"
		}
	}
	quoted := func(texts []string) (all []string) {
		for _, text := range texts {
			all = append(all, strconv.Quote(text))
		}
		return all
	}
	twins = one("twins", "as page", "canonical", "noindex")
	if twins != "" {
		config += "twins = " + strconv.Quote(twins) + "\n"
	}
	key("default", quoted(directives)...)
	key("agents", `{ googlebot = "nosnippet", gptbot = "noarchive" }`, `{ bingbot = "noindex" }`)
	key("page", `"overrides"`)
	key("found", `"replace"`)
	key("environments.production", quoted(directives)...)
	key("visibility.kinds", `{ page = false }`,
		`{ home = "noarchive", section = { ai = { training = "deny" } } }`)
	key("visibility.sections", `{ a = "noindex" }`)
	key("ai.training", `"deny"`, `"allow"`)
	key("ai.carriers", `["noai"]`)
	for i := range 2 {
		match := one(fmt.Sprint("rule ", i), "/**", "/a/", "/a/**", "/**/*.md", "/b", "/*.txt", "/index.md")
		if match != "" {
			config += "[[robots.rules]]\nallowEmpty = true\nmatch = [" + strconv.Quote(match) + "]\n"
			config += "robots = " + strconv.Quote(rapid.SampledFrom(directives).Draw(t, "robots")) + "\n"
			key("kinds", `["page"]`, `["home", "section"]`)
			key("ai", `{ training = "deny", search = "allow" }`, `{ input = "allow" }`)
		}
	}
	site = map[string]string{"metarobots.toml": config, "out/other/index.html": "<title>Other"}
	lines := one("headers", "/a*\n  X-Robots-Tag: noarchive\n",
		"/b.html\n  X-Robots-Tag: bingbot: noindex\n")
	if lines != "" {
		site["out/_headers"] = lines
	}
	if rapid.Bool().Draw(t, "Next") {
		site["out/_next/x.js"] = "x()"
	}
	for _, copies := range copiesOf {
		for _, name := range copies {
			site["out/"+name] = "{}"
		}
	}
	own = maps.Clone(site)
	var matter []string
	for _, page := range slices.Sorted(maps.Keys(copiesOf)) {
		site["out/"+page] = "<!doctype html><head>" + one("tag", `<meta name="robots" content="noindex">`,
			`<meta name="googlebot" content="noimageindex">`, `<meta name="robots" content="index">`) + "</head>"
		stated := one("front matter", `"robots": "noindex"`, `"robots": "index, follow"`,
			`"bingbot": "nosnippet"`, `"ai": {"training": "deny", "search": "allow"}`,
			`"ai": {"search": "allow"}`)
		if stated != "" {
			matter = append(matter, fmt.Sprintf(`{"file": %q, %s}`, page, stated))
		}
	}
	if matter != nil {
		site["metarobots.json"] = "[" + strings.Join(matter, ",") + "]"
	}
	return site, own, twins
}

// L5f, L5h, H7: whatever the owner states, and wherever, a copy of a page is restricted as the page
// is for every crawler, then by what is stated of the file itself, and by nothing else. So it is
// for what AI may do.
func TestLaw_CopiesAreRestrictedAsTheirPagesAre(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		site, own, twins := copySite(r)
		with, alone := planned(t, tables.Folder(t, site)), planned(t, tables.Folder(t, own))
		for _, page := range slices.Sorted(maps.Keys(copiesOf)) {
			for _, name := range copiesOf[page] {
				of := page
				made := site["out/_next/x.js"] != "" || strings.HasPrefix(name, "_sources/")
				if strings.HasSuffix(name, ".txt") && !made && twins == "" {
					of = "" // "auto" leaves texts to their owner, unless Next or Sphinx made them
				}
				expectRestrictions(r, with, alone, name, of, twins)
			}
		}
	})
}

// expectRestrictions compares what is decided on a copy with what is decided on its page, and on
// the same file in a site without that page. Without a page it is that of no page.
func expectRestrictions(t *rapid.T, with, alone *plan.Plan, name, page, twins string) {
	got, own, of := with.Page(name), alone.Page(name).Decision, &policy.Decision{}
	if page != "" {
		of = with.Page(page).Decision
	}
	stated := policy.Directives{}
	if twins == "noindex" && with.TwinOf(got) != nil {
		stated = policy.Stating("noindex")
	}
	for _, c := range policy.AllCrawlers() {
		want := policy.MostRestrictive(stated, policy.MostRestrictive(of.Obeyed(c), own.Obeyed(c))).Restrictions()
		if obeys := got.Decision.Obeyed(c).Restrictions(); obeys != want {
			t.Fatalf("%s of %q, twins %q: %s obeys %q, want %q", name, page, twins, c.Name, obeys, want)
		}
	}
	if want := policy.Strictest(of.AI, own.AI); got.Decision.AI != want {
		t.Fatalf("%s of %q: AI %q, want %q", name, page, got.Decision.AI, want)
	}
}
