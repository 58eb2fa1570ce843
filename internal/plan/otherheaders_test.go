package plan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// pagesAndFiles are pages, with what belongs to them and what does not.
var pagesAndFiles = map[string]string{
	"out/index.html":            "<!doctype html>home",
	"out/a/index.html":          "<!doctype html>a",
	"out/a/index.md":            "# a",
	"out/a.pdf":                 "pdf",
	"out/b c.html":              `<!doctype html><link rel="canonical" href="https://a.example/docs/b%20c">`,
	"out/b c.pdf":               "pdf",
	"out/b c.html.md":           "# b",
	"out/deep/lone.pdf":         "pdf",
	"out/hidden/index.html":     `<!doctype html><meta name="robots" content="noindex">`,
	"out/hidden.pdf":            "pdf",
	"out/old/index.html":        `<!doctype html><head><meta http-equiv="refresh" content="0; url=/docs/a/"></head>`,
	"out/old.pdf":               "pdf",
	"out/404.html":              "<!doctype html>404",
	"out/robots.txt":            "User-agent: *\nAllow: /\n",
	"out/deep/x.y.pdf":          "pdf",
	"out/deep/x.y/index.html":   "<!doctype html>x.y",
	"out/two/page/index.html":   "<!doctype html>two",
	"out/two/page/appendix.pdf": "pdf",
}

// headersOf plans a site with rules for headers: by URL its lines, and the findings with an ID.
func headersOf(t *testing.T, rules string, ids ...string) (lines map[string][]string, found []policy.Finding) {
	t.Helper()
	files := map[string]string{"metarobots.toml": "[site]\ngenerator = \"html\"\ndestination = \"out\"\n" +
		"baseURL = \"https://a.example/docs/\"\n" + rules}
	for name, text := range pagesAndFiles {
		files[name] = text
	}
	s := planned(t, tables.Folder(t, files))
	lines = map[string][]string{}
	for _, pg := range s.Pages {
		for _, l := range pg.Others {
			lines[pg.URL] = append(lines[pg.URL], fmt.Sprintf("%s: %s (%d)", l.Name, l.Value, l.Origin.Line))
		}
	}
	for _, f := range s.Findings {
		if slices.Contains(ids, f.ID) {
			found = append(found, f)
		}
	}
	return lines, found
}

// H2a, H2b, H2c, H2d, H2i, H2j: what each placeholder stands for, encoded and absolute.
func TestHouse_TargetsOfLinks(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/targets.txt") {
		lines, found := headersOf(t, fmt.Sprintf("[[robots.headers.rules]]\nmatch = %q\n"+
			"link = [{ rel = \"canonical\", to = %q }]\n", strings.ReplaceAll(c["file"], "%20", " "), c["to"]), "canonical-target")
		var want []string
		if c["want"] != "" {
			want = []string{fmt.Sprintf("Link: <%s>; rel=\"canonical\" (7)", c["want"])}
		}
		if got := lines[c["file"]]; !slices.Equal(got, want) || len(lines) > len(want) {
			t.Errorf("%s of %s: got %q, want %q", c["to"], c["file"], lines, want)
		}
		policed := c["file"] != "/404.html" && c["file"] != "/robots.txt" && c["file"] != "/old/"
		if reported := len(found) == 1 && found[0].Line == 7 && found[0].URL == c["file"]; reported != (c["want"] == "" && policed) {
			t.Errorf("%s of %s: findings %v", c["to"], c["file"], found)
		}
	}
}

// H2k: old versions name the same page of the newest one.
func TestHouse_TheRestOfAGlobIsInTheTarget(t *testing.T) {
	lines, found := headersOf(t, "[[robots.headers.rules]]\nmatch = [\"/deep/**\"]\n"+
		"link = [{ rel = \"canonical\", to = \"https://b.example/new/{rest}\" }]\n", "canonical-target")
	want := []string{`Link: <https://b.example/new/x.y.pdf>; rel="canonical" (7)`}
	if got := lines["/deep/x.y.pdf"]; !slices.Equal(got, want) || len(found) > 0 {
		t.Errorf("%q, %v; want %q", lines, found, want)
	}
}

// H2e, U4c: a page is named by the address that stands for it on its host, whichever way its
// generator writes it. H2f, H2g.
func TestHouse_TargetsAreThePreferredAddresses(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/preferred.txt") {
		rules := fmt.Sprintf("[robots.headers]\ntargets = [%q]\n[[robots.headers.rules]]\nmatch = %q\n"+
			"link = [{ rel = \"canonical\", to = %q }]\n", c["host"], c["file"], c["to"])
		s := planned(t, tables.Folder(t, map[string]string{
			"metarobots.toml": "[site]\ngenerator = \"html\"\ndestination = \"out\"\nbaseURL = \"https://a.example/docs/\"\n" + rules,
			"out/p.html":      "<!doctype html><head>" + c["head"] + "</head>", "out/p.pdf": "pdf",
			"out/q/index.html": "<!doctype html>", "out/q/x.pdf": "pdf", "out/q.pdf": "pdf",
			"out/c++.pdf": "pdf", "out/c++/index.html": "<!doctype html>"}))
		got := ""
		for _, pg := range s.Pages {
			for _, l := range pg.Others {
				got = l.Value
			}
		}
		want := fmt.Sprintf("<%s>; rel=\"canonical\"", c["want"])
		if got != want {
			t.Errorf("%s of %s on %s, %s: got %s, want %s", c["to"], c["file"], c["host"], c["head"], got, want)
		}
	}
}

// H2h: one finding for each rule and fault, with a count.
func TestHouse_LinksWithoutTargetAreCounted(t *testing.T) {
	_, found := headersOf(t, `[[robots.headers.rules]]
match = "/**/*.pdf"
link = [{ rel = "canonical", to = "{page}" }]
`, "canonical-target")
	var got []string
	for _, f := range found {
		got = append(got, f.Text())
	}
	const key = `robots.headers.rules.link (rule 1): `
	want := []string{
		key + `/deep/lone.pdf gets no link "canonical": it belongs to no page of the site; the same for 1 more`,
		key + `/hidden.pdf gets no link "canonical": /hidden/ is noindex`,
		key + `/old.pdf gets no link "canonical": /old/ is no page (redirect)`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// H1b, H1c, H1d, H3a, H3b: rules are for files of every role, links add up, and the later value
// counts.
func TestHouse_SeveralRulesForOneFile(t *testing.T) {
	lines, found := headersOf(t, `[[robots.headers.rules]]
match = "/**"
except = "/deep/**"
set = { content-usage = "train-ai=n", Link = "</a.css>; rel=preload, </b>; rel=help" }
[[robots.headers.rules]]
match = "/a.pdf"
set = { Content-Usage = "train-ai=y" }
link = [{ rel = "canonical", to = "/" }, { rel = "help", to = "https://a.example/b" }, { rel = "canonical", to = "/" }]
[[robots.headers.rules]]
match = "/a.pdf"
link = [{ rel = "canonical", to = "{page}" }]
`, "header-conflict")
	for url, want := range map[string][]string{
		"/a.pdf": {`Link: </a.css>; rel=preload (8)`, `Link: </b>; rel=help (8)`,
			`Link: <https://a.example/b>; rel="help" (12)`, `Content-Usage: train-ai=y (11)`,
			`Link: <https://a.example/docs/a/>; rel="canonical" (15)`},
		"/robots.txt": {`Content-Usage: train-ai=n (8)`, `Link: </a.css>; rel=preload (8)`,
			`Link: </b>; rel=help (8)`},
		"/404.html":      {`Content-Usage: train-ai=n (8)`, `Link: </a.css>; rel=preload (8)`, `Link: </b>; rel=help (8)`},
		"/deep/lone.pdf": nil,
	} {
		if got := lines[url]; len(got) != len(want) || slices.ContainsFunc(want, func(l string) bool {
			return !slices.Contains(got, l)
		}) {
			t.Errorf("%s: got %q\nwant %q", url, got, want)
		}
	}
	if len(found) != 1 || found[0].Line != 12 || !strings.Contains(found[0].Text(), "metarobots.toml:15") {
		t.Errorf("findings %v", found)
	}
}
