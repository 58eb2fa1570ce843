package snapshot

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"metarobots/emit/robotstxt"
	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/internal/tables"
	"metarobots/policy"
)

var update = flag.Bool("update", false, "rewrite what stands under testdata")

//go:embed testdata/garden.json
var gardenJSON []byte

// garden are pages of each sort.
func garden() (pages []result.Page) {
	if err := json.Unmarshal(gardenJSON, &pages); err != nil {
		panic(err)
	}
	return pages
}

// snap is a snapshot of pages, each with the decision that its tags and header make.
func snap(environment, policy string, pages []result.Page) *Snapshot {
	of := result.Settings{Environment: environment, Policy: policy}
	return New(&result.Summary{Settings: of}, slices.Values(pages))
}

// why is a statement of a layer, which decides unless it is the default.
func why(layer policy.Layer, file string, line int, key, states string) result.Why {
	return result.Why{Layer: layer, File: file, Line: line, Key: key, States: states, Decides: layer != policy.LayerDefault}
}

func written(t testing.TB, s *Snapshot) []byte {
	t.Helper()
	var b bytes.Buffer
	tables.Must(t, s.Write(&b))
	return b.Bytes()
}

// golden compares a text with a file, which -update writes.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		tables.Must(t, os.WriteFile(name, got, 0o644))
	}
	if want := tables.Value(os.ReadFile(name))(t); !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant (go test -update writes it)\n%s", name, got, want)
	}
}

func TestHouse_ASnapshotIsALineForEachURL(t *testing.T) {
	got := written(t, snap("production", "config.toml", garden()))
	golden(t, "testdata/metarobots.lock.json", got)
	again := tables.Value(Read(bytes.NewReader(got)))(t)
	if b := written(t, again); !bytes.Equal(b, got) {
		t.Errorf("read and written again it is\n%s", b)
	}
	for _, p := range garden() {
		if n := bytes.Count(got, []byte(fmt.Sprintf("\n    %q: ", p.URL))); n != 1 {
			t.Errorf("%s stands on %d lines", p.URL, n)
		}
	}
}

// Issue 18: two builds of which nothing has changed but a style sheet or a picture differ in no
// line; what somebody restricts, and files that keep their names, stay (X14c).
func TestHouse_AssetsThatPassAreLeftOut(t *testing.T) {
	passing := []string{"/assets/main.1a2b3c4d.css", "/main.min.css", "/_astro/hoisted.B3kd_9xZ.js", "/a.js.map",
		"/inter.woff2", "/photo_hu_5a7b13c2d4e6f801.webp", "/pine_hu5a7b13c2_300x200_resize.jpg", "/logo.3f9a1c77.svg"}
	kept := []string{"/favicon.svg", "/index.xml", "/press/kit.pdf", "/photo-20261120.jpg", "/deadbeef-1a2b3c4d/",
		"/report.1a2b3c4d.pdf", "/hidden/main.1a2b3c4d.css"}
	var pages []result.Page
	for _, url := range append(passing, kept...) {
		p := result.Page{URL: url, Role: "static"}
		if strings.HasPrefix(url, "/hidden/") {
			p.Header = []string{"noindex, follow"}
		}
		pages = append(pages, p)
	}
	s := snap("production", "", pages)
	var got []string
	for _, e := range s.Entries {
		got = append(got, e.URL)
	}
	slices.Sort(kept)
	if !slices.Equal(got, kept) {
		t.Errorf("got %q, want %q", got, kept)
	}
}

// The hosts that a site was made for stand above the decisions, each on a line; without any the
// file is what it always was.
func TestHouse_ASnapshotNamesItsHosts(t *testing.T) {
	plain := snap("production", "config.toml", garden())
	s := snap("production", "config.toml", garden())
	s.Hosts = map[string]string{"/en/": "https://example.org/", "/de/": "https://example.de/unten/"}
	const hosts = "  \"hosts\": {\n    \"/de/\": \"https://example.de/unten/\",\n    \"/en/\": " +
		"\"https://example.org/\"\n  },\n"
	got := string(written(t, s))
	if before, after, ok := strings.Cut(got, hosts); !ok || before+after != string(written(t, plain)) {
		t.Errorf("got\n%s", got)
	}
	if c := Diff(plain, s); !c.Empty() {
		t.Errorf("a host is no change: %v", c)
	}
}

func TestHouse_LinesStayWhenSourcesMove(t *testing.T) {
	moved := garden()
	for i := range moved {
		moved[i].Why = slices.Clone(moved[i].Why)
		for j := range moved[i].Why {
			moved[i].Why[j].Line += 3
		}
	}
	slices.Reverse(moved)
	if got, want := written(t, snap("production", "config.toml", moved)), written(t, snap("production", "config.toml",
		garden())); !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestHouse_OnePageIsOneLine(t *testing.T) {
	pages := garden()
	pages[0].Meta, pages[0].Header = map[string]string{"robots": "noindex, follow"}, []string{"noindex, follow"}
	pages[0].Why = pages[1].Why
	old := strings.Split(string(written(t, snap("production", "", garden()))), "\n")
	now := strings.Split(string(written(t, snap("production", "", pages))), "\n")
	// The line of the page, and the one decision that nobody needs any more.
	var gone []string
	for _, line := range old {
		if !slices.Contains(now, line) {
			gone = append(gone, strings.TrimSpace(line))
		}
	}
	if len(gone) != 2 || !strings.HasPrefix(gone[0], `"indexable-`) || !strings.HasPrefix(gone[1], `"/": "indexable-`) {
		t.Errorf("these lines have changed: %q", gone)
	}
}

func TestHouse_AResultOfJSONIsRead(t *testing.T) {
	result := tables.Value(json.Marshal(map[string]any{"pages": garden(), "findings": []any{},
		"summary": map[string]any{"environment": "production", "policy": "config.toml", "pages": 6}}))(t)
	s := tables.Value(Read(bytes.NewReader(result)))(t)
	if got, want := written(t, s), written(t, snap("production", "config.toml", garden())); !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestHouse_WhatIsNoSnapshotIsAnError(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/no-snapshot.txt") {
		if _, err := Read(strings.NewReader(c["text"])); err == nil || !strings.Contains(err.Error(), c["want"]) {
			t.Errorf("%s: got %v, want %s", c["text"], err, c["want"])
		}
	}
}

func TestHouse_TheFirstDayIsKept(t *testing.T) {
	day := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	open := garden()
	open[1].Meta, open[1].Header, open[1].Why = open[0].Meta, nil, open[0].Why
	first := snap("production", "", open)
	second := snap("production", "", garden())
	second.Date(first, day)
	third := snap("production", "", garden())
	third.Date(second, day.AddDate(0, 1, 0))
	// /privacy/ was noindex in the first one already: nobody knows since when.
	if since, want := third.Since(), map[string]string{"/imprint/": "2026-03-01"}; !maps.Equal(since, want) {
		t.Errorf("got %v, want %v", since, want)
	}
	again := tables.Value(Read(bytes.NewReader(written(t, third))))(t)
	if !slices.EqualFunc(again.Entries, third.Entries, equal) {
		t.Errorf("got %v, want %v", again.Entries, third.Entries)
	}
	if c := Diff(second, third); !c.Empty() {
		t.Errorf("a date is no change: %v", c)
	}
}

func equal(a, b Entry) bool {
	return a.URL == b.URL && a.Reason == b.Reason && a.Since == b.Since && a.Told.Equal(b.Told) &&
		(a.Served == nil) == (b.Served == nil) && slices.Equal(a.Served, b.Served)
}

// With so many decisions the short hashes of some are the same; then all are longer.
func TestHouse_NamesOfDecisionsDiffer(t *testing.T) {
	s := &Snapshot{}
	for i := range 20_000 {
		s.Entries = append(s.Entries, Entry{URL: fmt.Sprintf("/%05d/", i),
			Told: seen.Told{Robots: seen.Read("noindex")}, Reason: seen.Reason{Text: fmt.Sprint(i)}})
	}
	again := tables.Value(Read(bytes.NewReader(written(t, s))))(t)
	if !slices.EqualFunc(again.Entries, s.Entries, equal) {
		t.Error("what is read differs from what was written")
	}
}

// Where a page is served stands beside its decision, in lines of its own: of a page that is served
// at its URL alone there is none. That it is served elsewhere is no change of what was decided.
func TestHouse_WherePagesAreServed(t *testing.T) {
	pages := []result.Page{{URL: "/"}, {URL: "/o.pdf", Served: []string{}}, {URL: "/p.html", Served: []string{"/p"}},
		{URL: "/s.pdf", Served: []string{"/s.pdf", "/o.pdf"}}}
	s := snap("production", "", pages)
	text := string(written(t, s))
	const lines = ",\n  \"served\": {\n    \"/o.pdf\": [],\n    \"/p.html\": [\"/p\"],\n    \"/s.pdf\": [\"/s.pdf\",\"/o.pdf\"]\n  }\n}\n"
	if !strings.HasSuffix(text, lines) {
		t.Errorf("got\n%s\nwant at its end\n%s", text, lines)
	}
	for i := range pages {
		pages[i].Served = nil
	}
	before := snap("production", "", pages)
	if old := string(written(t, before)); old != strings.Replace(text, lines, "\n}\n", 1) {
		t.Errorf("without addresses it is\n%s", old)
	}
	if c := Diff(before, s); !c.Empty() {
		t.Errorf("another address is no change: %+v", c)
	}
	again := tables.Value(Read(strings.NewReader(text)))(t)
	if !slices.EqualFunc(again.Entries, s.Entries, equal) {
		t.Errorf("got %+v, want %+v", again.Entries, s.Entries)
	}
	s.Hosts = map[string]string{"/": "https://example.org/", "/de/": "https://example.de/"}
	s.Entries = append(s.Entries, Entry{URL: "/de/p.html", Served: []string{"/de/p"}})
	if part := s.PartOfHost("/de/").Entries; len(part) != 1 || part[0].URL != "/p.html" || !slices.Equal(part[0].Served, []string{"/p"}) ||
		s.Entries[4].Served[0] != "/de/p" {
		t.Errorf("below /de/: %+v of %+v", part, s.Entries)
	}
}

// S7, X24g: a denial is lost where it no longer reaches an address of the page, whichever of the
// two has changed.
func TestHouse_DenialsAreComparedByAddress(t *testing.T) {
	with := func(rule string, served ...string) *Snapshot {
		s := snap("production", "", []result.Page{{URL: "/p.html", Served: served}})
		s.Robots = robotstxt.PerHost{"/": robotstxt.Parse([]byte("User-agent: GPTBot\n" + rule + "\n"))}
		return s
	}
	for _, c := range []struct {
		old, now *Snapshot
		lost     bool
	}{
		{with("Disallow: /p$", "/p"), with("Disallow: /p", "/p"), false},
		{with("Disallow: /p$", "/p"), with("Disallow: /p.html", "/p"), true},
		{with("Disallow: /p.html"), with("Disallow: /p$", "/p"), false},
		{with("Disallow: /p.html"), with("Disallow: /p.html", "/p"), true},
		{with("Disallow: /p", "/p"), with("Disallow: /p", "/p", "/print"), false},
		{with("Disallow: /print", "/p", "/print"), with("Disallow: /x", "/p", "/print"), true},
		{with("Disallow: /p$", "/p"), with("Disallow: /x", []string{}...), false}, // it is served no more
	} {
		changes := Diff(c.old, c.now)
		if lost := len(changes.Fetches) > 0 && changes.Fetches[0].Allowed; lost != c.lost {
			t.Errorf("%q at %q, then %q at %q: %+v", c.old.Robots["/"].Kept(), c.old.Entries[0].Served, c.now.Robots["/"].Kept(),
				c.now.Entries[0].Served, changes)
		}
	}
}

// X14f, X14h, X14i, X14j: lines of robots.txt are read with their places, none is a host without
// robots.txt, and a file of an earlier program tells of the hosts whose robots.txt speaks of AI
// alone.
func TestHouse_RobotsTxtIsReadFromASnapshot(t *testing.T) {
	read := func(members string) *Snapshot {
		return tables.Value(Read(strings.NewReader(`{"version": 1, ` + members + `, "decisions": {}, "pages": {}}`)))(t)
	}
	s := read(`"managed": "cloudflare", "robots": {"/": ["User-agent: * # 2 from layouts/robots.txt",
		"Disallow: /t # 3 from layouts/robots.txt", "Disallow: /own # 9", "Disallow: /p # 12 by m.toml"], "/de/": []}`)
	for path, want := range map[string]string{"/t": "robots.txt:3 from layouts/robots.txt", "/own": "robots.txt:9 from ",
		"/p": "m.toml from ", "/": " from "} {
		f, _ := s.Host("/").Fetch("GPTBot", path)
		if got := policy.Place(f.File, f.Line) + " from " + f.Source.From; got != want || f.Allowed != (path == "/") {
			t.Errorf("%s: %s, allowed %t, want %s", path, got, f.Allowed, want)
		}
	}
	if f, _ := s.Host("/de/").Fetch("GPTBot", "/t"); !f.Allowed || !s.KnowsRobots("/de/") || s.KnowsRobots("/fr/") ||
		s.Managed != "cloudflare" {
		t.Errorf("%+v of %+v", f, s)
	}
	old := read(`"robots": {"/": ["User-agent: GPTBot", "Disallow: /p"]}`)
	if f, _ := old.Host("/").Fetch("GPTBot", "/p"); f.Allowed || f.Line != 0 || f.Rule != "Disallow: /p" {
		t.Errorf("of an earlier program: %+v", f)
	}
}

// texts are decisions that generated pages draw from, with what the same text states in a trail.
var texts = []string{"", "index, follow", "noindex, follow", "noindex, nofollow", "none", "index, follow, noarchive",
	"max-snippet:50",
	"noindex, indexifembedded", "index, follow, unavailable_after: 2099-01-01T00:00:00Z"}

func pages() *rapid.Generator[[]result.Page] {
	return rapid.Custom(func(t *rapid.T) []result.Page {
		urls := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"/", "/a/", "/b/", "/b.pdf", "/c%20d/", "/\"e\"/",
			"/é", "/f g"}), 0, 8, rapid.ID[string]).Draw(t, "urls")
		list := make([]result.Page, len(urls))
		for i, u := range urls {
			p := result.Page{URL: u, Role: rapid.SampledFrom([]string{"", "page", "redirect", "error",
				"control"}).Draw(t, "role")}
			text := rapid.SampledFrom(texts).Draw(t, "text")
			if text != "" && rapid.Bool().Draw(t, "meta") {
				p.Meta = map[string]string{"robots": text}
			}
			if text != "" && rapid.Bool().Draw(t, "header") {
				p.Header = []string{text}
			}
			if rapid.Bool().Draw(t, "crawler") {
				own := rapid.SampledFrom(texts[1:]).Draw(t, "own")
				p.Header = append(p.Header, rapid.SampledFrom([]string{"googlebot", "yandex"}).Draw(t, "name")+": "+own)
			}
			p.Served = rapid.SampledFrom([][]string{nil, {}, {"/o"}, {u, "/é/\"x\""}}).Draw(t, "served")
			p.Why = []result.Why{why(policy.LayerRule, "config.toml", 3, rapid.SampledFrom([]string{"a", "b"}).Draw(t,
				"key"), text)}
			list[i] = p
		}
		return list
	})
}

// robotsTxt are files of a host, or none.
var robotsTxt = rapid.Custom(func(t *rapid.T) *robotstxt.File {
	if rapid.Bool().Draw(t, "none") {
		return nil
	}
	text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"User-agent: *", "User-agent: GPTBot # 7", "", "# 4 by x",
		"Disallow: /\"ä", "Allow: /a", "Content-Signal: ai-train=no", "Sitemap: /s.xml", "nothing"}), 0, 6).Draw(t, "lines"), "\n")
	from := rapid.SampledFrom([]string{"", "static/robots.txt", "themes/x y/# 1/robots.txt"}).Draw(t, "from")
	return robotstxt.ParseFrom([]byte(text), robotstxt.Source{From: from}, nil, 0)
})

// sameRobots reports whether two files answer each question alike, by the same lines of the same
// authors.
func sameRobots(a, b *robotstxt.File) bool {
	if len(a.Kept()) == 0 || len(b.Kept()) == 0 {
		return len(a.Kept()) == len(b.Kept())
	}
	return slices.Equal(a.Kept(), b.Kept()) && !slices.ContainsFunc([]string{"*", "GPTBot", "Googlebot"}, func(name string) bool {
		return slices.ContainsFunc([]string{"/", "/a", "/%22%C3%A4"}, func(path string) bool {
			x, y := a.Ask(name, path), b.Ask(name, path)
			return x.Allowed != y.Allowed || x.Rule != y.Rule || x.Line != y.Line || x.Source.From != y.Source.From
		})
	})
}

func TestLaw_WhatIsWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := snap(rapid.SampledFrom([]string{"production", "pre\"view"}).Draw(t, "environment"), "", pages().Draw(t,
			"pages"))
		s.Hosts = rapid.MapOfN(rapid.SampledFrom([]string{"/", "/de/", "/\"en\"/"}),
			rapid.SampledFrom([]string{"https://example.org/", "https://example.org/ä/", ""}), 0, 3).Draw(t, "hosts")
		s.Robots = rapid.MapOfN(rapid.SampledFrom([]string{"/", "/de/"}), robotsTxt, 0, 2).Draw(t, "robots")
		s.Managed = rapid.SampledFrom([]string{"", "cloudflare"}).Draw(t, "managed")
		s.TDMRep = rapid.MapOfN(rapid.SampledFrom([]string{"/", "/de/"}), rapid.Just(robotstxt.Rules{"0 /a", "1 /"}),
			0, 2).Draw(t, "tdmrep")
		var b bytes.Buffer
		tables.Must(t, s.Write(&b))
		again, err := Read(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatalf("%v\n%s", err, &b)
		}
		if again.Environment != s.Environment || !maps.Equal(again.Hosts, s.Hosts) || !slices.EqualFunc(again.Entries,
			s.Entries, equal) || !maps.EqualFunc(again.Robots, s.Robots, sameRobots) || again.Managed != s.Managed ||
			!maps.EqualFunc(again.TDMRep, s.TDMRep, slices.Equal) {
			t.Fatalf("got %+v, want %+v", again, s)
		}
	})
}

func FuzzLaw_WhatIsReadIsWrittenAgain(f *testing.F) {
	f.Add([]byte(`{"version":1,"decisions":{"a":{"robots":"noindex"}},"pages":{"/":"a 2026-01-02"}}`))
	f.Add([]byte(`{"pages":[{"url":"/","meta":{"robots":"index"},"header":["googlebot: noindex"],` +
		`"why":[{"layer":"rule","states":"noindex"}]}]}`))
	f.Add([]byte(`{"version":1,"pages":{}}`))
	f.Add([]byte(`{"version":1,"hosts":{"/":"https://example.org/"},"pages":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		first := written(t, s)
		again, err := Read(bytes.NewReader(first))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, first)
		}
		if second := written(t, again); !bytes.Equal(first, second) {
			t.Errorf("written twice it differs:\n%s\n%s", first, second)
		}
		if c := Diff(s, again); !c.Empty() {
			t.Errorf("it differs from itself: %+v", c)
		}
	})
}

func globs(t *testing.T, texts ...string) (list []policy.Glob) {
	t.Helper()
	for _, text := range texts {
		g := tables.Value(policy.ParseGlob(text))(t)
		list = append(list, g)
	}
	return list
}

// S7, X24g: what a host denies is compared with what the host that serves the page now says of the
// path there.
func TestHouse_DenialsFollowAPageToAnotherHost(t *testing.T) {
	with := func(folder, denied string) *Snapshot {
		s := snap("production", "", []result.Page{{URL: "/de/a/", Role: "page"}})
		text := "User-agent: *\nContent-Usage: " + denied + " train-ai=n\n"
		s.Robots = robotstxt.PerHost{folder: robotstxt.Parse([]byte(text))}
		return s
	}
	for _, c := range []struct {
		denied string // by the robots.txt of "/", which serves what "/de/" did
		isLost bool
	}{{"/de/a/", false}, {"/a/", true}} {
		got := Diff(with("/de/", "/a/"), with("/", c.denied)).NewlyAllowed
		if (len(got) > 0) != c.isLost {
			t.Errorf("%s: %+v", c.denied, got)
		}
	}
}
