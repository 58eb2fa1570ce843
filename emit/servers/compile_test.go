package servers

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// formats are those by the targets that are called after them.
var (
	formats = map[string]*Format{"apache": Apache, "nginx": Nginx, "caddy": Caddy, "vercel": Vercel,
		"firebase": Firebase, "amplify": Amplify, "azure": Azure}
	targets = slices.Sorted(maps.Keys(formats))
)

// compile is [Format.Compile] for a target and X-Robots-Tag.
func compile(target string, user []byte, wants []robotstag.Want, o robotstag.Task) (robotstag.Result, error) {
	return compileAll(target, user, []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: wants}}, o)
}

// based are options of a target: most hosts serve a site at their root alone.
func based(target string, o robotstag.Task) robotstag.Task {
	if ruleLists[target] != nil {
		o.Base = ""
	}
	return o
}

// TestMain has the laws over random sites run a fifth of the usual cases.
func TestMain(m *testing.M) { tables.Laws(m, 20, 100) }

// readUser is [Format.ReadUser] for a target and X-Robots-Tag.
func readUser(target string, file []byte) (*User, error) {
	return formats[target].ReadUser(begun(target, file), robotstag.Name)
}

// users are files as people have them. None of these sets the header, and none is what we write
// where nobody has a file, which would be taken for ours.
var users = map[string][]string{
	"apache": {
		"", "Options -Indexes\n", "Options -Indexes", "RewriteEngine On\r\nRewriteRule ^a$ /b [L]\r\n", "\n\n",
		"# metarobots: begin\nOptions -Indexes\n",
	},
	"nginx": {"", "# mine\n", "# mine"},
	"caddy": {"", "encode gzip\n"},
	"vercel": {
		"", "{}", "{ }\n", "{\n}", `{"headers":[]}`, `{"headers": [ ], "version": 2}`,
		"{\n  \"cleanUrls\": false,\n  \"headers\": [\n    { \"source\": \"/(.*)\", \"headers\": [{ \"key\": " +
			"\"X-Frame-Options\", \"value\": \"DENY\" }] }\n  ]\n}\n",
		"{\r\n\t\"trailingSlash\": true\r\n}\r\n", `{"headers":[{"source":"/b","headers":[]}],"public":true}`,
		"{\"headers\": [\n]}",
		// N8t
		"\ufeff{\r\n  \"headers\": []\r\n}\r\n", "\ufeff{\"cleanUrls\": false}",
	},
	"firebase": {
		`{"hosting":{}}`, `{"hosting":{"public":"public","headers":[]},"emulators":{}}`,
		"{\n  \"hosting\": {\n    \"public\": \"dist\",\n    \"headers\": [\n" +
			"      {\"source\": \"**/*.js\", \"headers\": [{\"key\": \"A\", \"value\": \"<b>\"}]}\n    ],\n" +
			"    \"ignore\": []\n  }\n}\n",
		"{\r\n  \"hosting\": {\r\n    \"public\": \"public\"\r\n  }\r\n}",
		"\ufeff{\"hosting\": {\"public\": \"public\"}}",
	},
	"amplify": {
		"", "customHeaders:\n  - pattern: '**/*'\n    headers:\n      - key: A\n        value: b\n",
		"customHeaders:\n- pattern: '*.json'\n  headers: [{key: A, value: b}]\n", "other: 1\ncustomHeaders:\n",
		"# nothing\n",
		"customHeaders:\r\n  - pattern: '*.json'\r\n    headers:\r\n      - key: 'A'\r\n        value: 'b'",
		"other: 1",
		"\ufeffother: 1\n",
	},
	"azure": {
		"", "{}", `{"routes":[]}`,
		"{\n  \"routes\": [\n    {\n      \"route\": \"/admin/*\",\n      \"allowedRoles\": [\"admin\"]\n    }\n" +
			"  ],\n  \"globalHeaders\": {\"A\": \"b\"}\n}\n",
		`{"trailingSlash":"auto"}`,
		"\ufeff{\"routes\": []}\n",
	},
}

// owners are files of owners that set X-Robots-Tag ("robots") or other headers ("others").
func owners(t testing.TB, target, what string) (files []string) {
	t.Helper()
	for name, text := range archive(t, "testdata/owners.txtar") {
		if slices.Equal(name, []string{target, what}) {
			files = append(files, text)
		}
	}
	return files
}

// archive reads an archive: the cells of its files' names, and their texts.
func archive(t testing.TB, file string) iter.Seq2[[]string, string] {
	t.Helper()
	a := tables.Value(txtar.ParseFile(file))(t)
	return func(yield func([]string, string) bool) {
		for _, f := range a.Files {
			cells := strings.Split(f.Name, "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			if !yield(cells, string(f.Data)) {
				return
			}
		}
	}
}

var names = []string{
	"index.html", "p.html", "p/index.html", "p/a.pdf", "q/index.html", "x.html", "x/index.html", "a b.pdf", "a%20b.pdf",
	"100%.pdf", "100%25.pdf", "100%41.pdf", "100A.pdf", "a+b.pdf", "café.pdf", "cafe\u0301.pdf", "日本/🌿.txt",
	"Docs/A.pdf", "docs/a.pdf", "docs/A.PDF", "docs",
	"Cat:Foo.pdf", ":s", "st*r.pdf", "it's.pdf", "it'0.pdf", `say "x".pdf`, "`tick`.pdf", `back\slash.pdf`, `end\`,
	`\1.txt`, `\n.txt`, "$1.pdf", "${HOME}.pdf", "%{REQUEST_URI}.pdf", "{path}.pdf", "{$HOME}.pdf", "~x.pdf",
	"^a$.pdf", "a|b.pdf", "(c).txt", "[d].txt",
	"what?.txt", "no#tag.txt", "default", "volatile", "a;b.txt", "a=b,c&d.txt", "<b>.txt", "x/y/z.json", "X/index.html",
	strings.Repeat("long-", 40) + ".pdf", strings.Repeat("l", 46), strings.Repeat("l", 45), "caf\xe9.pdf",
	"new\nline.txt", "robots.txt", "404.html", "É.txt", "é.txt",
}

var policies = [][]string{
	nil, nil, {"noindex, follow"}, {"noindex, nofollow"},
	{"index, follow, max-snippet:50", "googlebot: noindex, nofollow, unavailable_after: 2026-09-21T00:00:00Z"},
	{"index, follow, max-snippet:50", "Googlebot: noindex, nofollow, unavailable_after: 2026-09-21t00:00:00z"},
	{"bingbot: nosnippet", "googlebot: noarchive"}, {"bingbot: nosnippet"},
	{"noindex, follow", "a.b_c: it's(50%), [x]*"}, {"noindex, follow", "a.b_c: it's(50%), [x]*", "b: [x]*"},
	{"noindex, follow", "a: noai", "b: noai", "c: noai"},
	{"noindex, follow", "a: noai", "b: noai", "c: noai", "d: noai", "e: noai"},
}

// someSite draws files with names that a configuration can trip over, and what
// each is to be served with, the user's own rules counted.
func someSite(t *rapid.T, user *User) (wants []robotstag.Want) {
	draw := func(name string) {
		w := robotstag.Want{
			Path:   name,
			URL:    name,
			HTML:   strings.HasSuffix(name, ".html"),
			Values: rapid.SampledFrom(policies).Draw(t, "values"),
			Free:   name == "robots.txt" || name == "404.html",
		}
		if found := user.Found(name); len(found) > 0 && !w.Free {
			w.Values, w.Found = sum(w.Values, found)
		}
		wants = append(wants, w)
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 24, rapid.ID).Draw(t, "names") {
		draw(name)
	}
	if rapid.IntRange(0, 20).Draw(t, "many") == 0 {
		for i := range 200 {
			draw(fmt.Sprintf("many/%s/%d.html", strings.Repeat("é", i%30), i))
		}
	}
	return wants
}

// sum adds what was found to a file's values, and says whether what was found is all of it. It puts
// the statements of all crawlers into lines of their own, as no policy would; for a header that
// makes no difference.
func sum(values []string, found []robotstag.Value) (lines []string, all bool) {
	set, own := robotstag.Told(strings.Join(values, ", ")), toldByCrawler(robotstag.Texts(found))
	all = true
	for crawler, d := range set {
		all = all && own[crawler].AtLeast(d)
		own[crawler] = policy.MostRestrictive(own[crawler], d)
	}
	for crawler, d := range own {
		for _, text := range apart(d) {
			if crawler != "" {
				text = crawler + ": " + text
			}
			lines = append(lines, text)
		}
	}
	slices.SortFunc(lines, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, ": "), strings.Count(b, ": ")), cmp.Compare(a, b))
	})
	return lines, all
}

// apart are the directives one by one. Only indexifembedded stays with the noindex that it loosens:
// in a line of its own it would loosen nothing (D3).
func apart(d policy.Directives) (texts []string) {
	for _, w := range d.Words(policy.Style{KeepRedundant: true}) {
		if !w.Implied {
			texts = append(texts, w.Text)
		}
	}
	noindex, embedded := slices.Index(texts, "noindex"), slices.Index(texts, "indexifembedded")
	if noindex >= 0 && embedded >= 0 {
		texts[noindex] += ", indexifembedded"
		texts = slices.Delete(texts, embedded, embedded+1)
	}
	return texts
}

func someOptions(t *rapid.T) robotstag.Task {
	return robotstag.Task{
		Scope: rapid.SampledFrom([]string{"", robotstag.ScopeAuto, robotstag.ScopeFiles,
			robotstag.ScopeAll}).Draw(t, "scope"),
		Everywhere: rapid.SampledFrom([][]string{nil, nil, {"noindex, nofollow"}, {"noindex", "googlebot: none"}}).
			Draw(t, "everywhere"),
		Base: rapid.SampledFrom([]string{"", "", "/docs", "/a/b/"}).Draw(t, "base"),
	}
}

// Whatever the site, the user's file and the options, the file as the host reads it gives every
// file what is wanted and nothing else anything (N3c); a second run changes nothing; with nothing
// wanted the user's bytes come back (N5), and in between the user's rules say what they said (N8).
func TestLaw_CompileGivesExactlyTheWants(t *testing.T) {
	for _, target := range targets {
		files := slices.Concat(users[target], owners(t, target, "robots"))
		t.Run(target, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text := rapid.SampledFrom(files).Draw(t, "user")
				user := []byte(text)
				if text == "" && rapid.Bool().Draw(t, "nil") {
					user = nil
				}
				own := tables.Value(readUser(target, user))(t)
				wants, o := someSite(t, own), someOptions(t)
				if slices.Contains(knowingHosts, target) && rapid.Bool().Draw(t, "own") {
					o.Own = homes
				}
				check(t, target, user, wants, o)
			})
		})
	}
}

func check(t *rapid.T, target string, user []byte, wants []robotstag.Want, o robotstag.Task) {
	res, err := compile(target, user, wants, o)
	if errors.Is(err, robotstag.ErrBudget) {
		return
	}
	tables.Must(t, err)
	// Files of which Compile says that they do not get what is wanted: a finding names the first of
	// them.
	short := make(map[string]bool)
	for _, p := range res.Missed {
		short[p] = true
	}
	for _, p := range res.Findings {
		if p.Severity == policy.Error && !short[p.URL] {
			t.Fatalf("%q are missed, and %+v", res.Missed, p)
		}
	}
	if isError := func(p policy.Finding) bool { return p.Severity == policy.Error }; len(short) > 0 &&
		!slices.ContainsFunc(res.Findings, isError) {
		t.Fatalf("%q are missed without an error", res.Missed)
	}
	if o.Scope == robotstag.ScopeAll && len(res.GivenUp) > 0 {
		t.Fatalf("scope all: given up %q", res.GivenUp)
	}
	for _, p := range verify(target, res.File, wants, o, res.GivenUp) {
		if !short[p.URL] {
			t.Fatalf("%+v\n%s", p, res.File)
		}
	}
	again, err := compile(target, res.File, wants, o)
	if err != nil || !bytes.Equal(again.File, res.File) || again.Rules != res.Rules {
		t.Fatalf("a second run: %v\n%s\nfirst\n%s", err, again.File, res.File)
	}
	before, _ := readUser(target, user)
	after := tables.Value(readUser(target, res.File))(t)
	for _, w := range wants {
		if a, b := robotstag.Texts(before.Found(w.Path)), robotstag.Texts(after.Found(w.Path)); !slices.Equal(a, b) {
			t.Fatalf("%s: found %q, with our rules in the file %q", w.Path, a, b)
		}
	}
	back, err := compile(target, res.File, nil, plain)
	if err != nil || !bytes.Equal(back.File, user) && !(res.Rules > 0 && (target == "nginx" || target == "caddy")) {
		t.Fatalf("nothing wanted: %v\n%q\nuser\n%q\nwith ours\n%s", err, back.File, user, res.File)
	}
}

// The user's configuration refers to nginx's variable and imports Caddy's file:
// both stay when nothing is wanted any more.
func TestHouse_WhatIsReferredToStays(t *testing.T) {
	for _, target := range []string{"nginx", "caddy"} {
		res, _ := compile(target, nil, []robotstag.Want{published("a.pdf", "noindex")}, plain)
		res, err := compile(target, res.File, nil, plain)
		if err != nil || res.Rules != 0 || !bytes.Contains(res.File, []byte("metarobots")) ||
			bytes.Contains(res.File, []byte("noindex")) {
			t.Errorf("%s: %v\n%s", target, err, res.File)
		}
	}
}

// Of a file that the host may not tell from another, the owner's route that goes before our rules
// is reported too.
func TestAzure_AllThatIsInTheWayIsReported(t *testing.T) {
	owner := `{"routes": [{"route": "/*", "headers": {"X-Robots-Tag": "noindex"}}]}`
	wants := []robotstag.Want{{Path: "A.pdf", URL: "/A.pdf", Values: []string{"noindex"}, Found: true},
		{Path: "a.pdf", URL: "/a.pdf", Values: []string{"noindex, noarchive"}}}
	res, err := Azure.Compile([]byte(owner), []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: wants}},
		robotstag.Task{})
	var ids []string
	for _, f := range res.Findings {
		ids = append(ids, f.ID)
	}
	if slices.Sort(ids); err != nil || !slices.Equal(ids, []string{"header-found", "header-overlap"}) {
		t.Errorf("%v, %v", res.Findings, err)
	}
}
