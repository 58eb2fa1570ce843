package report

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"metarobots/internal/findings"
	"metarobots/internal/printable"
	"metarobots/internal/result"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// dom parses a page as a browser does that has scripting or not.
func dom(t testing.TB, page string, scripting bool) *html.Node {
	t.Helper()
	doc := tables.Value(html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(scripting)))(t)
	return doc
}

func elements(doc *html.Node, tag string) (list []*html.Node) {
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == tag {
			list = append(list, n)
		}
	}
	return list
}

func attribute(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func content(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// Whatever a page shows, it loads nothing and runs nothing but what its own policy names by its
// hash, its links lead somewhere, and markup in the data is text.
// https://www.w3.org/TR/CSP3/#match-element-to-source-list: the hash is of the element's text.
func TestCSP_PagesLoadNothing(t *testing.T) {
	site := deployed()
	site.Results[3].Why = `<script>alert(1)</script> <img src=x>`
	site.Summary.Notes = append(site.Summary.Notes, "![x](https://elsewhere.example/x.png) <b>bold</b>")
	for name, page := range map[string]string{"garden": written(t, HTML, garden(), made2026),
		"attacked": written(t, HTML, attacked(hostile), made2026), "deployed": deployedText(t, HTML, site, made2026)} {
		doc := dom(t, page, false)
		ids, policy := map[string]bool{}, ""
		for n := range doc.Descendants() {
			if id, ok := attribute(n, "id"); ok {
				if ids[id] {
					t.Errorf("%s: two elements are #%s", name, id)
				}
				ids[id] = true
			}
			if v, _ := attribute(n, "http-equiv"); v == "Content-Security-Policy" {
				policy, _ = attribute(n, "content")
			}
		}
		for n := range doc.Descendants() {
			for _, a := range n.Attr {
				known := n.Data == "a" && (documents(a.Val) || slices.ContainsFunc(findings.Kinds(),
					func(k findings.Kind) bool { return k.Source == a.Val }))
				id, fragment := strings.CutPrefix(a.Val, "#")
				switch {
				case a.Key == "style" || strings.HasPrefix(a.Key, "on"):
					t.Errorf("%s: <%s %s=%q>: the page's own policy forbids it", name, n.Data, a.Key, a.Val)
				case slices.Contains([]string{"src", "srcset", "data", "action"}, a.Key):
					t.Errorf("%s: <%s %s=%q> loads something", name, n.Data, a.Key, a.Val)
				case a.Key == "href" && fragment && !ids[id], a.Key == "aria-labelledby" && !ids[a.Val]:
					t.Errorf("%s: #%s leads nowhere", name, a.Val)
				case a.Key == "href" && !fragment && a.Val != "data:," && !known:
					t.Errorf("%s: <%s href=%q>", name, n.Data, a.Val)
				}
			}
		}
		for _, tag := range []string{"img", "iframe", "object", "embed", "base", "b"} {
			if found := elements(doc, tag); len(found) > 0 {
				t.Errorf("%s: text has become a <%s>", name, tag)
			}
		}
		want := "default-src 'none'; style-src '" + hash(content(elements(doc, "style")[0])) + "';"
		scripts := elements(doc, "script")
		if name != "deployed" {
			want += " script-src '" + hash(content(scripts[1])) + "';"
			if kind, _ := attribute(scripts[0], "type"); kind != "application/json" || len(scripts) != 2 {
				t.Errorf("%s: %d scripts; the data has type %q, so a browser would run it", name, len(scripts), kind)
			}
		} else if len(scripts) > 0 {
			t.Errorf("%s: %d scripts", name, len(scripts))
		}
		if !strings.HasPrefix(policy, want+" img-src data:;") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q, want %q", name, policy, want)
		}
	}
}

// A URL leads to its page if the site's address is known, and nothing else becomes a link (X13i).
func TestHouse_URLsLeadToTheirPages(t *testing.T) {
	for _, c := range []struct{ folder, base, url, want string }{
		{"/", "https://example.org/docs/", "/imprint/", "https://example.org/docs/imprint/"},
		{"/de/", "https://example.de/", "/de/impressum/", "https://example.de/impressum/"},
		{"/de/", "https://example.de/", "/imprint/", ""},
		{"/", "javascript:alert(1)//", "/imprint/", ""},
		{"/", "https://example.org/", "/a|b>c/", ""},
		{"/", "https://example.org/" + hostile, "/imprint/", ""},
	} {
		d := &Data{}
		d.Summary.Hosts = map[string]string{c.folder: c.base}
		d.Pages = []result.Page{{URL: c.url, Role: "page"}}
		doc := dom(t, written(t, HTML, d, time.Time{}), false)
		var links []string
		for _, a := range elements(doc, "a") {
			if href, _ := attribute(a, "href"); !strings.HasPrefix(href, "#") {
				links = append(links, href)
			}
		}
		if strings.Join(links, " ") != c.want {
			t.Errorf("%s at %s: links %q, want %q", c.url, c.base, links, c.want)
		}
	}
}

// On a phone a row is a card: each cell names its column, and a line's number is one word (X13i).
func TestHouse_EveryCellNamesItsColumn(t *testing.T) {
	page := render(head("Where", ">Files") + line(cell("content/a.md:68"), "2"))
	for _, want := range []string{`<td role="cell" data-label="Where"><code>content/a.md<span class="line">:68</span></code></td>`,
		`<td role="cell" data-label="Files" class="right">2</td>`, `<tr role="row">`, `<th scope="col" role="columnheader">Where</th>`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
}

// rows are the texts of a page's rows.
func rows(doc *html.Node) (list []string) {
	for _, tr := range elements(doc, "tr") {
		list = append(list, strings.Join(strings.Fields(content(tr)), " "))
	}
	return list
}

func TestHouse_PagesAreReadWithoutScripting(t *testing.T) {
	d := garden()
	page := written(t, HTML, d, made2026)
	with, without := rows(dom(t, page, true)), rows(dom(t, page, false))
	if len(without)-len(with) != len(d.Pages)+1 {
		t.Errorf("%d rows with scripting and %d without, for %d files", len(with), len(without), len(d.Pages))
	}
	for _, want := range []string{
		"/imprint/ Imprint noindex Visibility robots.visibility.types.legal, config.toml:115 page en",
		"/drafts/pond/ A *new* pond | <b>plan</b> noindex, nofollow Rule robots.rules.robots (rule 2), " +
			"config.toml:173 page drafts en",
		"/journal/frost/ Frost damage noarchive; googlebot: nosnippet Front matter robots.archive, " +
			"content/journal/frost.md:8 and 1 more page journal en",
		"/opening-times/ redirect",
	} {
		if !slices.Contains(without, want) {
			t.Errorf("no row is %q, but\n%s", want, strings.Join(without, "\n"))
		}
	}
}

// The same text shows in Markdown's tables, in the page and in what its script reads, whatever it
// is made of.
func TestHouse_PagesShowMarkupAsText(t *testing.T) {
	d := attacked(hostile)
	page := written(t, HTML, d, time.Time{})
	doc := dom(t, page, false)
	var cells strings.Builder
	for _, table := range elements(doc, "table") {
		cells.WriteString(content(table))
	}
	var data struct {
		Files    [][]any
		Findings [][]any
	}
	tables.Must(t, json.Unmarshal([]byte(content(elements(doc, "script")[0])), &data))
	for _, p := range d.Pages {
		for _, want := range []string{p.URL, p.Title} {
			if !strings.Contains(cells.String(), strings.TrimSpace(printable.Line(want))) {
				t.Errorf("the tables lack %q", want)
			}
		}
		if !slices.ContainsFunc(data.Files,
			func(f []any) bool { return f[0] == printable.Line(p.URL) && f[2] == printable.Line(p.Title) }) {
			t.Errorf("the data lacks %q", p.URL)
		}
	}
	for _, tag := range []string{"h1", "title"} {
		if got := content(elements(doc, tag)[0]); got != printable.Line(d.Title) {
			t.Errorf("the %s is %q", tag, got)
		}
	}
}

// A page of nothing is a page.
func TestHouse_APageOfAnEmptySite(t *testing.T) {
	page := written(t, HTML, &Data{}, time.Time{})
	if !strings.Contains(page, "The site has no pages.") || !strings.Contains(page, "Nothing to fix.") {
		t.Errorf("got %s", regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAllString(page, ""))
	}
}

// The table of files is written as HTML without the way through Markdown: that makes no difference,
// whatever the files are called.
func TestLaw_RowsAreTheirMarkdownRendered(t *testing.T) {
	words := rapid.OneOf(rapid.String(),
		rapid.StringMatching("[-|`*_<>&!#~$@:/w.\\\\ a\\[\\](){}+=;%\"'0-9\n]{0,12}"),
		rapid.SampledFrom([]string{"", hostile, "see https://example.org:80/?a=b&c, www.example.org", "a|b`c",
			" a ", "&amp;", "/a:80", ":12", "%41%zz", "\u00a0x\u3000", "x\u202ey", strings.Repeat("long ", 1000)}))
	rapid.Check(t, func(t *rapid.T) {
		text := func() string { return words.Draw(t, "text") }
		d := &Data{Client: rapid.Bool().Draw(t, "client")}
		base := rapid.SampledFrom([]string{"", "https://example.org/", "http://a&lt;b/"}).Draw(t, "base")
		d.Summary.Hosts = map[string]string{"/": base}
		for range rapid.IntRange(1, 3).Draw(t, "files") {
			facts := result.Facts{Kind: text(), Section: text(), Language: text()}
			p := result.Page{URL: "/" + text(), Title: text(), Role: "page", Facts: facts}
			if rapid.Bool().Draw(t, "restricted") {
				p.Meta = map[string]string{"robots": "noindex", "bingbot": text()}
				line := rapid.IntRange(0, 99).Draw(t, "line")
				p.Why = []result.Why{why(policy.LayerPage, text(), line, text(), "noindex")}
				p.Why[0].Decides = true
			}
			d.Pages = append(d.Pages, p)
		}
		v := newView(d)
		got, want := htmlTable(v.Rows), render(filesTable(v.Rows))
		if got != want {
			t.Fatalf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// What the script reads is what encoding/json writes.
func TestLaw_ListsAreJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, n := rapid.String().Draw(t, "text"), rapid.Int().Draw(t, "number")
		line := printable.Line(s)
		want := marshalled([]any{line, n, n > 0, []string{line}, []int{n, 1}, nil, []any{line, n}, []any{}})
		got := appendList(nil, list{s, n, n > 0, fit([]string{s}), []int{n, 1}, []int(nil), list{s, n}, list(nil)})
		if string(got) != string(want) {
			t.Fatalf("got %s, want %s", got, want)
		}
	})
}

// https://spec.commonmark.org/0.31.2/#backslash-escapes, https://spec.commonmark.org/0.31.2/#code-spans: whatever is
// written as text or code is shown as it was, in a table's cell.
func TestLaw_TextStaysText(t *testing.T) {
	words := rapid.OneOf(rapid.String(), rapid.StringMatching("[-|`*_<>&!#~$@:/w.\\\\ a\\[\\](){}+=\n]{0,12}"),
		rapid.SampledFrom([]string{hostile, "https://example.org/", "www.example.org", "a|b`c", "`", "``a", " a ",
			"&amp;", `\|`, "<!--", "x\u202ey"}))
	rapid.Check(t, func(t *rapid.T) {
		s := words.Draw(t, "text")
		table := head("A", "B", "C") + line(cell(s), text(s), "end")
		page := render(table)
		doc := tables.Value(html.Parse(strings.NewReader(page)))(t)
		cells := elements(doc, "td")
		if len(cells) != 3 || content(cells[2]) != "end" {
			t.Fatalf("%q breaks the table: %s", s, page)
		}
		want := strings.TrimSpace(printable.Line(s))
		for i := range 2 {
			if got := strings.TrimSpace(content(cells[i])); got != want {
				t.Fatalf("cell %d shows %q, want %q: %s", i, got, want, table)
			}
			for n := range cells[i].Descendants() {
				isLine := n.Data == "span" && strings.HasPrefix(content(n), ":") // of a place
				if n.Type == html.ElementNode && !isLine && !(n.Data == "code" && (i == 0 || strings.Contains(content(n), "://"))) {
					t.Fatalf("%q has become a <%s>", s, n.Data)
				}
			}
		}
	})
}
