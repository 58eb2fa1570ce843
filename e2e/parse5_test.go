//go:build e2e

package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/head"
)

// A meta is one named meta as a parser sees it.
type meta struct {
	Head    bool    `json:"head"`
	Name    string  `json:"name"`
	Content *string `json:"content"`
	Tag     string  `json:"tag"` // its source text
}

func (m meta) String() string {
	place, content := "body", "none"
	if m.Head {
		place = "head"
	}
	if m.Content != nil {
		content = fmt.Sprintf("%q", *m.Content)
	}
	return fmt.Sprintf("%s: %q, content %s, %q", place, m.Name, content, m.Tag)
}

// theirs asks parse5 for the named metas of each page, in source order.
func theirs(t *testing.T, pages []string) [][]meta {
	t.Helper()
	var encoded []string
	for _, p := range pages {
		encoded = append(encoded, base64.StdEncoding.EncodeToString([]byte(p)))
	}
	return converse[[]meta](t, node(t, "parse5.mjs"), encoded)
}

// ours asks the scanner for the same. Parsers unify line ends and replace null characters before
// they build attributes; the scanner gives values as written.
func ours(page string) (found []meta) {
	var s head.Scanner
	facts := s.Scan([]byte(page), func([]byte) head.Kind { return head.Robots })
	unify := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD")
	for _, m := range facts.Robots {
		if m.Mistake == head.InProperty || m.Mistake == head.InHTTPEquiv {
			continue // it has no name by the standard
		}
		f := meta{Head: !m.Body, Name: unify.Replace(m.Name), Tag: page[m.Start:m.End]}
		if m.HasContent {
			content := unify.Replace(m.Content)
			f.Content = &content
		}
		found = append(found, f)
	}
	return found
}

func same(a, b []meta) bool {
	return slices.EqualFunc(a, b, func(a, b meta) bool {
		return a.Head == b.Head && a.Name == b.Name && a.Tag == b.Tag &&
			(a.Content == nil) == (b.Content == nil) && (a.Content == nil || *a.Content == *b.Content)
	})
}

// defects are the reasons why parse5 8.1.1 may read a page otherwise than the standard, each with a
// pattern of the pages it can concern and a page that shows it. TestStandard_DefectsOfParse5AreOpen
// fails when one of them closes.
var defects = map[string]struct {
	concern *regexp.Regexp
	shown   string
}{
	// https://github.com/whatwg/html/pull/10557
	"drops what stands in a select, as the standard did until 2025": {regexp.MustCompile(`(?i)<select`),
		"<body><select><option><meta name=robots>"},
	// https://html.spec.whatwg.org/multipage/parsing.html#markup-declaration-open-state
	"takes CDATA in an integration point for a comment": {regexp.MustCompile(`(?is)<(svg|math).*<!\[CDATA\[`),
		"<math><mo><![CDATA[a><meta name=robots>"},
}

func explained(page string) bool {
	for _, d := range defects {
		if d.concern.MatchString(page) {
			return true
		}
	}
	return false
}

func TestStandard_DefectsOfParse5AreOpen(t *testing.T) {
	t.Parallel()
	for reason, d := range defects {
		if !d.concern.MatchString(d.shown) {
			t.Errorf("%s: the pattern does not fit the page", reason)
		}
		if same(theirs(t, []string{d.shown})[0], ours(d.shown)) {
			t.Errorf("parse5 no longer %s: %q", reason, d.shown)
		}
	}
}

// compare reports the pages that the two read differently and returns how many have a known reason.
func compare(t *testing.T, names, pages []string) (known int) {
	t.Helper()
	var failed failures
	for i, want := range theirs(t, pages) {
		got := ours(pages[i])
		if same(got, want) {
			continue
		}
		if explained(pages[i]) {
			known++
			continue
		}
		failed.errorf(t, "%s:\ngot     %v\nparse5  %v\nof      %q", names[i], got, want, pages[i])
	}
	failed.sum(t, "pages")
	return known
}

// A trap is a page of emit/head that readers can trip over, and how many robots tags it has where.
type trap struct {
	Name, Page string
	Head, Body int
}

func readTraps(t *testing.T) (traps []trap) {
	t.Helper()
	must(t, json.Unmarshal([]byte(read(t, "../emit/head/testdata/traps.json")), &traps))
	return traps
}

func TestStandard_TrapsSameAsParse5(t *testing.T) {
	t.Parallel()
	traps := readTraps(t)
	if len(traps) < 60 {
		t.Fatalf("%d traps", len(traps))
	}
	var names, pages []string
	for _, c := range traps {
		names, pages = append(names, c.Name), append(pages, c.Page)
		// The same rows hold in other surroundings.
		for _, n := range []struct{ name, before, after string }{{"after a doctype", "<!doctype html>\r\n", "\r\n"},
			{"before a page", "", "<title>x</title><p>x<meta name=x>"}} {
			names, pages = append(names, c.Name+", "+n.name), append(pages, n.before+c.Page+n.after)
		}
	}
	compare(t, names, pages)
	for i, found := range theirs(t, pages) {
		if i%3 != 0 {
			continue
		}
		c, in, out := traps[i/3], 0, 0
		for _, m := range found {
			switch {
			case m.Name != "robots":
			case m.Head:
				in++
			default:
				out++
			}
		}
		if (in != c.Head || out != c.Body) && !explained(c.Page) {
			t.Errorf("%s: parse5 has %d in the head and %d in the body, the table %d and %d\n%q", c.Name, in, out,
				c.Head, c.Body, c.Page)
		}
	}
}

// pagesOf are the names and texts of the pages below a folder.
func pagesOf(t *testing.T, folder string) (names, pages []string) {
	t.Helper()
	for _, name := range regular(t, folder) {
		if filepath.Ext(name) == ".html" {
			names, pages = append(names, name), append(pages, read(t, folder, name))
		}
	}
	return names, pages
}

func TestStandard_SiteExampleSameAsParse5(t *testing.T) {
	t.Parallel()
	dir, _ := siteExample(t, "")
	os.RemoveAll(filepath.Join(dir, "site-example", "public"))
	c := command("--quiet", "-d", filepath.Join(dir, "public"))
	c.Dir = dir
	finish(t, c).is(t, 0)
	names, pages := pagesOf(t, filepath.Join(dir, "public"))
	if len(pages) < 50 {
		t.Fatalf("%d pages", len(pages))
	}
	if known := compare(t, names, pages); known > 0 {
		t.Errorf("%d pages of a real site fall under a defect of parse5", known)
	}
	t.Logf("%d pages", len(pages))
}

// The soup is cooked like that of emit/head, with metas of several spellings, and every second
// portion is broken by a byte taken out, doubled or exchanged.
func TestStandard_SoupSameAsParse5(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	var names, pages []string
	for i := range 10_000 {
		page := soup(r)
		if i%2 == 1 {
			page = broken(r, page)
		}
		names, pages = append(names, fmt.Sprintf("soup %d", i)), append(pages, page)
	}
	known, metas := 0, 0
	for from := 0; from < len(pages); from += 2_500 {
		known += compare(t, names[from:from+2_500], pages[from:from+2_500])
	}
	for _, page := range pages {
		metas += len(ours(page))
	}
	if known > 100 {
		t.Errorf("%d pages differ: the reasons explain too much", known)
	}
	if metas < 5_000 {
		t.Errorf("%d metas are too few to prove anything", metas)
	}
	t.Logf("%d metas; %d pages differ for a known reason", metas, known)
}

// vocabulary is what the soup is cooked from: every tag the standard treats in a way of its own,
// but for select (see defects), and the tokens that end and hide others.
var vocabulary = func() (v []string) {
	for _, n := range strings.Fields(`a address annotation-xml applet area article b base basefont bgsound body br button caption center code
		col colgroup dd desc details dir div dl dt em embed fieldset font foreignobject form frame frameset h1 h6 head header hr html i iframe
		image img input keygen li link listing main malignmark marquee math menu meta mglyph mi mn mo ms mtext nobr noembed noframes noscript
		object ol optgroup option p param plaintext pre rb rp rt rtc ruby s script search section small source span strike strong style
		sub summary sup svg table tbody td template textarea tfoot th thead title tr track tt u ul var wbr xmp`) {
		v = append(v, "<"+n+">", "</"+n+">")
	}
	for range 3 {
		v = append(v, "<meta name=robots content=x>", `<META NAME='Robots' CONTENT='a&amp;b'/>`,
			`<meta/content="a>b"name=" robots ">`, "<meta name=bingbot>",
			"<meta name=robots name=x content=1 content=2>", "<svg>", "</svg>", "<math>", "<template>", "</template>",
			"<table>", "<tr>", "<td>", "<desc>", "<style>", "</style>", "<p>")
	}
	return append(v, "x", " ", "\n", "\r\n", "<", "<x-y>", "</x-y>", "<!---->", "<!--", "-->", "--!>", "<![CDATA[",
		"]]>", "<svg/>", "<path/>",
		"<!doctype html>", "<?xml?>", "<font color=x>", "<input type=hidden>", "<annotation-xml encoding=text/html>",
		"</>", "</ x>",
		"<script><!--", "<script><!--<script>", "'", `"`, "<a b='", "<br/>", "&amp;", "&#114;", "\x00", "é", "\uFEFF",
		"\x1b")
}()

func soup(r *rand.Rand) string {
	var b strings.Builder
	for range 2 + r.IntN(14) {
		b.WriteString(vocabulary[r.IntN(len(vocabulary))])
	}
	b.WriteString("<meta name=robots content=x>")
	return b.String()
}

func broken(r *rand.Rand, page string) string {
	b := []byte(page)
	i := r.IntN(len(b))
	switch r.IntN(3) {
	case 0:
		b = slices.Delete(b, i, i+1)
	case 1:
		b = slices.Insert(b, i, b[i])
	default:
		b[i] = `<>/!-="'& amb`[r.IntN(13)]
	}
	return strings.ToValidUTF8(string(b), "")
}
