package pages_test

import (
	"fmt"
	"html"
	"math/rand/v2"
	"strings"
	"testing"

	"metarobots/internal/check"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// words of a random site: sections, types, languages and taxonomies share them, so that facts and
// policies meet.
var words = []string{"blog", "drafts", "de", "tags", "page", "section", "print"}

// randomPolicy hides parts of a site by what metadata may speak of.
func randomPolicy(r *rand.Rand) string {
	directives := func() string {
		return []string{"noindex", "nofollow, nosnippet", "max-snippet:20", "noarchive",
			"unavailable_after: 2090-01-01"}[r.IntN(5)]
	}
	var b strings.Builder
	fmt.Fprintf(&b, "[robots]\ndefault = \"\"\npage = %q\nheaders.targets = [\"none\"]\nguard.noindex = "+
		"1\n[robots.visibility]\n",
		[]string{"restricts", "overrides"}[r.IntN(2)])
	for _, group := range []string{"types", "sections", "languages", "kinds", "formats"} {
		from := words
		if group == "kinds" {
			from = []string{"home", "page", "section", "taxonomy", "term"}
		}
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "%s = { %s = %q }\n", group, from[r.IntN(len(from))], directives())
		}
	}
	for range r.IntN(3) {
		fmt.Fprintf(&b, "[[robots.rules]]\nmatch = [%q]\nallowEmpty = true\nrobots = %q\nagents = { googlebot = %q }\n",
			[]string{"/**", "/blog/**", "/de/**", "/drafts/*.html"}[r.IntN(4)], directives(), directives())
		for _, group := range []string{"kinds", "types", "sections", "languages"} {
			if r.IntN(3) == 0 {
				fmt.Fprintf(&b, "%s = [%q]\n", group, map[bool]string{true: "page",
					false: words[r.IntN(len(words))]}[group == "kinds"])
			}
		}
	}
	return b.String()
}

// randomSite writes a site of one of several generators; metadata, unless empty, stands in the head
// of one page or in the body of it. It returns the name of that page.
func (dir folder) randomSite(t testing.TB, seed uint64, metadata string, body bool) string {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	dir.write(t, "metarobots.toml", randomPolicy(r))
	config := []string{"eleventy.config.js", "_config.yml", "mkdocs.yml", ""}[r.IntN(4)]
	content := map[string]string{"mkdocs.yml": "docs/"}[config]
	if config != "" {
		dir.write(t, config, "")
	}
	names := []string{"index.html", "blog/index.html", "blog/a/index.html", "drafts/b.html", "de/index.html",
		"de/blog/c/index.html",
		"tags/x/index.html", "blog/page/2/index.html"}
	at := names[r.IntN(len(names))]
	for _, name := range names {
		if config != "" && r.IntN(2) == 0 {
			source := strings.TrimSuffix(strings.TrimSuffix(name, ".html"), "/index") + ".md"
			dir.write(t, content+source, []string{"---\nrobots: noindex\n---\n",
				"---\ntype: blog\nrobots: index\n---\n", "---\ntitle: x\n---\n"}[r.IntN(3)])
		}
		head, text := "", ""
		if tag := `<meta name="metarobots" content="` + html.EscapeString(metadata) + `">`; metadata != "" &&
			name == at {
			head, text = tag, ""
			if body {
				head, text = "", "<p>"+tag
			}
		}
		dir.write(t, "out/"+name, `<html lang="`+[]string{"en",
			"de"}[r.IntN(2)]+`"><head>`+head+"</head><body>"+text+"</body></html>")
	}
	return at
}

// M8d: whatever a page says of itself, each decision is at least as strict as without it; in the
// body it says nothing.
func FuzzHouse_PageMetadataNeverLoosens(f *testing.F) {
	for i, seed := range []string{`{"section":"blog"}`, `{"type":"blog","kind":"page"}`, `{"language":"de"}`,
		`{"source":"blog/a.md"}`, `{}`,
		`{"robots":"index, follow","section":"x"}`, `{"source":"docs/blog/a.md","robots":"all"}`, `{"kind":"404"}`,
		`{"format":"print"}`,
		`{"robots":"noindex, indexifembedded"}`, `{"googlebot":"all","noindex":false}`, `null`, `[]`,
		`{"source":"../out"}`, `{"section":""}`} {
		for n := range uint64(3) {
			f.Add(uint64(i)*3+n, seed)
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, metadata string) {
		if len(metadata) > 1<<12 || strings.ContainsAny(metadata, "\x00\r") {
			return
		}
		without := folder(t.TempDir())
		without.randomSite(t, seed, "", false)
		known := map[string]policy.Decision{}
		for _, pg := range without.decide(t, "out").Pages {
			known[pg.File.Name] = *pg.Decision
		}
		for _, body := range []bool{false, true} {
			with := folder(t.TempDir())
			at := with.randomSite(t, seed, metadata, body)
			for _, pg := range with.decide(t, "out").Pages {
				before := known[pg.File.Name]
				if !pg.Decision.AtLeast(&before) {
					t.Errorf("%s, metadata in %s: %q, and without it %q", pg.File.Name, at,
						pg.Decision.Texts(policy.Style{}), before.Texts(policy.Style{}))
				}
				if body && !before.AtLeast(pg.Decision) {
					t.Errorf("%s: metadata in the body of %s counts", pg.File.Name, at)
				}
			}
		}
	})
}

// M8c, M8d, M8e: metadata answers what nothing else tells, and where it contradicts what is known
// the stricter of both counts, unless the owner trusts the template.
func TestHouse_MetadataIsBelievedAsFarAsItIsStricter(t *testing.T) {
	const hidden = "[robots.visibility]\nsections = { drafts = false }\ntypes = { legal = \"nosnippet\" }\n"
	for _, c := range tables.Read(t, "testdata/trust.txt") {
		dir := folder(t.TempDir())
		trust := ""
		if c["trust"] != "" {
			trust = "[site.content]\ntrust = \"" + c["trust"] + "\"\n"
		}
		dir.write(t, "metarobots.toml", trust+quiet+"guard.noindex = 1\n"+hidden)
		dir.write(t, "out/index.html", "<html><head></head></html>")
		dir.write(t, "out/drafts/a/index.html",
			"<html><head><meta name=metarobots content='"+c["metadata"]+"'></head></html>")
		plan := dir.decide(t, "out")
		got := ""
		if tags := plan.Page("drafts/a/index.html").Decision.Metas(policy.Style{}); len(tags) > 0 {
			got = tags[0].Content
		}
		if got != c["want"] {
			t.Errorf("%s, trust %q: %q, want %q", c["metadata"], c["trust"], got, c["want"])
		}
		section := plan.Page("drafts/a/index.html").File.Facts.Section
		if section != "drafts" && c["trust"] != "template" {
			t.Errorf("%s: the section is said to be %q", c["metadata"], section)
		}
	}
}

// M8b: in the body metadata states nothing, is a finding at its line, and is taken out.
func TestHouse_MetadataInTheBodyIsIgnored(t *testing.T) {
	dir := folder(tables.Folder(t, map[string]string{
		"metarobots.toml": quiet + "guard.noindex = 1\n[robots.visibility]\nsections = { drafts = false }\n",
		"out/index.html":  "<html><head></head></html>",
		"out/drafts/a/index.html": "<html><head></head><body>\n<p>text <meta name=metarobots " +
			"content='{\"section\":\"blog\",\"robots\":\"nofollow\"}'></body></html>"}))
	for run := range 2 {
		plan := dir.apply(t, "out")
		if got := ids(plan, policy.Warning); got != "page-metadata-in-body" { // every run begins with the page as it was made
			t.Errorf("run %d: %q", run, got)
		}
		for _, f := range check.Run(plan).Findings {
			if f.ID == "page-metadata-in-body" && (f.Line != 2 || f.File != "out/drafts/a/index.html") {
				t.Errorf("%+v", f)
			}
		}
		want := "<html><head><meta name=\"robots\" content=\"noindex, follow\" /></head><body>\n<p>text </body></html>"
		if got := dir.read(t, "out/drafts/a/index.html"); got != want {
			t.Errorf("run %d: %s", run, got)
		}
	}
}
