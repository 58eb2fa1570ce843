package policy

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"text/template"
	"time"

	"metarobots/internal/tables"
)

// A1b, A1c, A1d, A2b, A5a: the list of those that a statement may name is closed and dated.
func TestHouse_CrawlersAreAClosedDatedList(t *testing.T) {
	metaAndHeader := strings.Fields("googlebot googlebot-news adsbot-google bingbot msnbot yandex applebot " +
		"baiduspider seznambot amazonbot slurp yeti duckduckbot teoma mojeekbot archive.org_bot otherbot")
	headerOnly := strings.Fields("googlebot-image googlebot-video gptbot oai-searchbot claudebot perplexitybot " +
		"ccbot bytespider")
	var c Crawlers
	want := slices.Sorted(slices.Values(append(slices.Clone(metaAndHeader), headerOnly...)))
	if got := c.Names(); !slices.Equal(got, want) {
		t.Errorf("names\n got %v\nwant %v", got, want)
	}
	for _, name := range want {
		k, ok := c.Lookup(strings.ToUpper(name))
		if !ok || k.Name != name || k.HeaderOnly() != slices.Contains(headerOnly, name) || Inert(name) != "" {
			t.Errorf("%s: %+v %v", name, k, ok)
		}
		obeys := map[string]string{"googlebot-news": "googlebot", "bingbot": "msnbot"}
		if k.AllowWins != (name == "yandex") || k.AlsoObeys != obeys[name] { // A5, A2
			t.Errorf("%s: allow wins is %v, it obeys %q too", name, k.AllowWins, k.AlsoObeys)
		}
	}
	// Other things, and never ours.
	for _, name := range []string{"robots", "*", "google", "pinterest", "author", "generator", "googlebot2", ""} {
		if _, ok := c.Lookup(name); ok {
			t.Errorf("%q is a crawler", name)
		}
	}
	if _, err := time.Parse(time.DateOnly, CrawlersAsOf()); err != nil {
		t.Error(err)
	}
}

// The table is sorted, each crawler in it has a source, no directive's name, and what it refers to
// is there.
func TestHouse_TableOfCrawlers(t *testing.T) {
	var strict crawlerTable
	d := json.NewDecoder(bytes.NewReader(crawlersFile))
	d.DisallowUnknownFields()
	tables.Must(t, d.Decode(&strict))
	if !slices.IsSortedFunc(AllCrawlers(), func(a, b *Crawler) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the table is not sorted")
	}
	for _, c := range AllCrawlers() {
		if len(c.Sources) == 0 || !strings.HasPrefix(c.Sources[0], "http") || !IsToken(c.Token) || c.Operator == "" &&
			!c.TokenOnly || !slices.Contains([]string{"", "meta", "header", "none"}, c.Tags) || isDirective(c.Name) {
			t.Errorf("%+v", c)
		}
		if got := LookupCrawler(strings.ToUpper(c.Token)); got != c {
			t.Errorf("%s is not found, or twice", c.Token)
		}
		for _, other := range append(slices.Clone(c.Reads), c.AlsoObeys) {
			if other != "" && LookupCrawler(other) == nil {
				t.Errorf("%s refers to %s, which is not there", c.Name, other)
			}
		}
		var seen []string
		for g := c; g != nil && g.RobotsTxt.Group != "" && g.RobotsTxt.Group != "none"; g = LookupCrawler(g.RobotsTxt.Group) {
			if slices.Contains(seen, g.Name) {
				t.Fatalf("%v comes around", seen)
			}
			seen = append(seen, g.Name)
		}
	}
}

// A vendor of AI says what its crawlers are for, and they can be named in robots.txt.
func TestHouse_PurposesOfAICrawlers(t *testing.T) {
	sum := 0
	for _, p := range Purposes {
		of := slices.DeleteFunc(slices.Clone(AllCrawlers()), func(c *Crawler) bool { return c.Purpose != p })
		if sum += len(of); len(of) == 0 {
			t.Errorf("nobody crawls for %s", p)
		}
		for _, c := range of {
			if strings.ContainsAny(c.Token, ".0123456789") || !strings.HasPrefix(c.Sources[0], "https://") {
				t.Errorf("%+v", c)
			}
		}
	}
	if sum != 28 || LookupCrawler("googlebot").Purpose != "" {
		t.Errorf("%d crawlers have a purpose", sum)
	}
}

// A4a: the metas of Google. Its other crawlers that a statement may name read headers alone.
func TestGoogle_ReadsFourMetas(t *testing.T) {
	var got []string
	for _, name := range KnownCrawlers().Names() {
		if c := LookupCrawler(name); c.Operator == "Google" && !c.HeaderOnly() {
			got = append(got, name)
		}
	}
	if want := []string{"adsbot-google", "googlebot", "googlebot-news"}; !slices.Equal(got, want) {
		t.Errorf("beside robots, Google reads %q, want %q", got, want)
	}
	for _, name := range append(got, "robots") {
		readings, problems := ParseMeta(name, "noindex", Found, KnownCrawlers())
		if len(readings) != 1 || readings[0].Directives.Restrictions() == (Directives{}) || len(problems) > 0 {
			t.Errorf("%s reads %v, with %v", name, readings, problems)
		}
	}
}

// A4b: tokens of robots.txt alone.
func TestGoogle_ExtendedIsInert(t *testing.T) {
	for _, name := range []string{"google-extended", "Google-Extended", "applebot-extended", "Googlebot-Mobile"} {
		if !strings.Contains(Inert(name), "robots.txt") {
			t.Errorf("%s: %q", name, Inert(name))
		}
	}
}

// C: [robots] crawlers (A1b).
func TestHouse_OwnersAddCrawlers(t *testing.T) {
	c := KnownCrawlers("FloraBot", "googlebot", "a.b_c-1")
	for _, name := range []string{"florabot", "FLORABOT", "a.b_c-1", "googlebot"} {
		if k, ok := c.Lookup(name); !ok || k.Name != strings.ToLower(name) || k.HeaderOnly() {
			t.Errorf("%s: %+v %v", name, k, ok)
		}
	}
	if k, _ := c.Lookup("googlebot"); k.Sources[0] == "[robots] crawlers" {
		t.Error("a further name hides a built-in one")
	}
	if names := c.Names(); !slices.IsSorted(names) || len(names) != len(Crawlers{}.Names())+2 {
		t.Errorf("%v", names)
	}
}

// A1f.
func TestHouse_CrawlersNamesAreTokens(t *testing.T) {
	for name, want := range map[string]bool{"googlebot": true, "GoogleBot": true, "archive.org_bot": true,
		"oai-searchbot": true, "1": true,
		"": false, "*": false, "a b": false, "a/b": false, "bot:": false, "böt": false, "a@b": false, "a[b": false,
		"a{b": false, "a`b": false} {
		if IsToken(name) != want {
			t.Errorf("%q: %v, want %v", name, !want, want)
		}
	}
}

// D0e: close is an edit distance with transpositions of at most 2, at most 1 below six letters.
func TestHouse_NearIsAShortEditDistance(t *testing.T) {
	for word, want := range map[string]string{
		"noindx": "noindex", "noidnex": "noindex", "nonidex": "noindex", "no-index": "noindex", "noindexx": "noindex",
		"nnoindexx": "noindex",
		"NOINDX":    "noindex", "nofolow": "nofollow", "no_follow": "nofollow", "nosnipet": "nosnippet",
		"max-snipet":       "max-snippet",
		"unavailble_after": "unavailable_after", "unavailable-after": "unavailable_after", "noarchiv": "noarchive",
		"noindex": "noindex",
		"alll":    "all", "al": "all", "nonne": "none", "indx": "index", "idnex": "index", "nofxllxw": "nofollow",
		"noindexxxx": "", "idxxn": "", "noidx": "", "foo": "", "": "", "a": "", "hidden": "", "nobodies": "",
		"googlebot": "", "maxsnippet50": "",
	} {
		if got := Near(word, directiveNames); got != want {
			t.Errorf("%q is near %q, want %q", word, got, want)
		}
	}
	long := strings.Repeat("a", 100)
	if got := Near(long, []string{long[:99], long}); got != "" && got != long {
		t.Errorf("%q", got)
	}
	// The distance is a metric on short words: symmetric, and zero for the word itself alone.
	words := append(slices.Clone(directiveNames), "noidnex", "indx", "al")
	for _, a := range words {
		for _, b := range words {
			if x, y := distance(a, b), distance(b, a); x != y || (x == 0) != (a == b) {
				t.Errorf("%s and %s: %d and %d", a, b, x, y)
			}
		}
	}
}

var update = flag.Bool("update", false, "write docs/crawlers.md")

// docs/crawlers.md lists what each word of [robots.txt] block covers, and which directives deny a
// use.
func TestHouse_CrawlersAreDocumented(t *testing.T) {
	const file = "../docs/crawlers.md"
	page := template.Must(template.New("crawlers.md.tmpl").Funcs(template.FuncMap{"asOf": CrawlersAsOf,
		"crawlers": AllCrawlers, "join": strings.Join}).ParseFiles("testdata/crawlers.md.tmpl"))
	var b strings.Builder
	tables.Must(t, page.Execute(&b, nil))
	if *update {
		tables.Must(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != b.String() {
		t.Errorf("%v; %s is not what policy/crawlers.json says; -update writes it", err, file)
	}
}

// X: a name that no crawler has leads to those that its vendor documents, and to no other vendor's
// (X15b).
func TestHouse_NamesOfVendorsLeadToTheirCrawlers(t *testing.T) {
	for word, want := range map[string]string{
		"chatgpt": `"ChatGPT-User", "GPTBot" or "OAI-SearchBot" of OpenAI`, "openai": `"ChatGPT-User", "GPTBot" or "OAI-SearchBot" of OpenAI`,
		"anthropic-ai": `"Claude-SearchBot", "Claude-User" or "ClaudeBot" of Anthropic`, "copilot": `"bingbot" of Microsoft`,
		"Claude-Web": `"Claude-SearchBot", "Claude-User" or "ClaudeBot" of Anthropic`,
		"cohere-ai":  `"cohere-training-data-crawler" of Cohere`, "gemini": `"Google-Agent", "Google-Extended", "Google-GeminiNotebook" or "Googlebot" of Google`,
		"FacebookBot": `"meta-externalagent", "meta-externalfetcher" or "meta-webindexer" of Meta`,
	} {
		if got := DidYouMeanCrawler(word, KnownCrawlers().Names()); got != " (did you mean "+want+"?)" {
			t.Errorf("%s: %q", word, got)
		}
	}
	for _, word := range []string{"florabot", "metafetch", "search-ai", "ai", "bot", "", "x-claude", "otherbots"} {
		if got := DidYouMeanCrawler(word, nil); got != "" {
			t.Errorf("%s: %q", word, got)
		}
	}
}
