//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstag"
	"metarobots/internal/hosts"
)

// On real Apache, nginx and Caddy every file of a site is served with what its
// decision says, line by line, at every path at which it is served, and nothing
// else with any (N1b, N3c).
func TestWebServers_ServeWhatWasDecided(t *testing.T) {
	t.Parallel()
	environment := []string{"noindex, nofollow", "googlebot: noarchive"}
	sites := []serverSite{
		{"site-example", serverExample, false, robotstag.Task{}},
		{"nasty names", serverNasty, false, robotstag.Task{}},
		{"URLs without .html", serverExample, true, robotstag.Task{}},
		{"nothing wanted", serverNothing, false, robotstag.Task{}},
		{"HTML left to its tags", serverExample, false, robotstag.Task{Scope: robotstag.ScopeFiles}},
		{"an environment", serverNasty, false, robotstag.Task{Everywhere: environment}},
		{"below a path", serverNasty, false, robotstag.Task{Base: "/docs"}},
		{"an environment below a path", serverExample, true, robotstag.Task{Everywhere: environment, Base: "/docs"}},
	}
	for _, s := range webServers {
		t.Run(s.target, func(t *testing.T) {
			s.need(t)
			for _, site := range sites {
				t.Run(site.name, func(t *testing.T) { checkServer(t, s, servedFolder(t), site) })
			}
		})
	}
}

// serverSite is a site and how it is served.
type serverSite struct {
	name    string
	make    func(t *testing.T, root string) []robotstag.Want
	clean   bool
	options robotstag.Task
}

// serverExample is site-example as metarobots builds it.
func serverExample(t *testing.T, root string) []robotstag.Want {
	t.Helper()
	_, policy := siteExample(t, "\n[robots.headers]\ntargets = [\"none\"]\n")
	built := planned(t, run(t, 0, "build", "--quiet", "--json", "--policy", policy, "-d", root))
	var wants []robotstag.Want
	for _, p := range built.Pages {
		wants = append(wants, robotstag.Want{Path: p.File, HTML: strings.HasSuffix(p.File, ".html"), Values: p.Header})
	}
	return wants
}

// serverNasty is a site of 2,000 files with names that a configuration can trip over.
func serverNasty(t *testing.T, root string) []robotstag.Want {
	names := []string{
		"index.html", "p.html", "p/index.html", "a b.pdf", "a%20b.pdf", "100%.pdf", "100%25.pdf", "a+b.pdf", "café.pdf",
		"cafe\u0301.pdf", "日本/🌿.txt",
		"Docs/A.pdf", "docs/a.pdf", "docs/A.PDF", "docs/a.PDF", "docs/a.pdf.txt", "docs", "Cat:Foo.pdf", ":s",
		"st*r.pdf", "star.pdf", "it's.pdf", `say "x".pdf`, "`tick`.pdf", `back\slash.pdf`, `end\`, `q\".txt`,
		"$1.pdf", "${HOME}.pdf", "%{REQUEST_URI}.pdf", "{path}.pdf", "{$HOME}.pdf", "{http.request.uri}.pdf", "{}",
		"~x.pdf", "^a$.pdf", "a|b.pdf", "<b>.txt", "a&b.txt", "a;b.txt", "a=b.txt",
		"a,b.txt", "a@b!.txt", "(c).txt", "[d].txt", "what?.txt", "no#tag.txt", "default", "include", "hostnames",
		"volatile", "-", "a.b-c_d.txt", " lead.txt", "trail ", "x/y/z.json",
		"x/y", "xy/index.html", "x.html", "x/index.html", "X/index.html", "caf\u00c9.pdf", "A+B.pdf",
		strings.Repeat("long-", 40) + ".pdf", strings.Repeat("l", 30) + "/" + strings.Repeat("ä", 90) + ".txt",
		`\x41.txt`, "A.txt", `\\two.txt`, `'`, `"`, "} noindex", "/* c *.txt", "# c", "import x", "a\u00a0b.txt",
	}
	r := rand.New(rand.NewPCG(4, 5))
	pieces := []string{"a", "A", "b", "é", "É", " ", "%", "+", ":", "*", "'", `"`, `\`, "$", "{", "}", "`", "~", "^", "(", ")", "|", ".", "-", "page", "Page", "%41", "$a", "日"}
	for range 4000 {
		var b strings.Builder
		for range r.IntN(3) {
			for range 1 + r.IntN(2) {
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
			b.WriteString("/")
		}
		for range 1 + r.IntN(3) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		name := b.String() + []string{"", ".html", ".pdf", "/index.html"}[r.IntN(4)]
		names = append(names, name)
	}
	values := [][]string{nil, nil, {"noindex, follow"}, {"noindex, nofollow"}, {"index, follow, max-snippet:50",
		"bingbot: noindex, nofollow, unavailable_after: 2026-09-21T00:00:00Z", "googlebot: nosnippet"},
		{"bingbot: nosnippet", "googlebot: noarchive"}, {"bingbot: nosnippet"},
		{"noindex, follow", "a.b_c: it's(50%), [x]*", "Googlebot: none"},
		{"noindex, follow", "a.b_c: it's(50%), [x]*", "googlebot: none"},
		{"noindex, follow", "a: noai", "b: noai", "c: noai", "d: noai", "e: noai"}}
	var wants []robotstag.Want
	for _, name := range names {
		if len(wants) == 2000 {
			break
		}
		file := filepath.Join(root, name)
		if strings.Contains(name, "//") || slices.ContainsFunc(strings.Split(name, "/"),
			func(s string) bool { return s == "." || s == ".." || strings.HasPrefix(s, ".ht") }) {
			continue
		}
		if os.MkdirAll(filepath.Dir(file), 0o755) != nil {
			continue // a file stands there
		}
		if _, err := os.Lstat(file); err == nil || os.WriteFile(file, []byte(name), 0o644) != nil {
			continue
		}
		wants = append(wants, robotstag.Want{Path: name, Values: values[r.IntN(len(values))]})
	}
	return wants
}

// serverNothing is site-example with a policy that asks for no header any more.
func serverNothing(t *testing.T, root string) []robotstag.Want {
	wants := serverExample(t, root)
	for i := range wants {
		wants[i].Values = nil
	}
	return wants
}

// checkServer runs a server and asks it for every file. Below a path of the host
// the site is a folder of what is served.
func checkServer(t *testing.T, s server, dir string, site serverSite) {
	root := filepath.Join(dir, "public")
	folder := filepath.Join(root, site.options.Base)
	wants, clean := site.make(t, folder), site.clean
	// An earlier run asked for something else; Apache's file has the user's lines.
	existing, lines := "", ""
	if clean && s.target == "apache" {
		existing = s.clean
	} else if clean {
		lines = s.clean
	}
	made, err := compileHosts([]byte(existing), []robotstag.Want{{Path: "index.html", Values: []string{"noarchive"}}},
		robotstag.Task{Target: s.target})
	must(t, err)
	site.options.Target = s.target
	made, err = compileHosts(made.File, wants, site.options)
	must(t, err)
	for _, p := range made.Findings {
		t.Errorf("%+v", p)
	}
	ask := s.serve(t, dir, root, folder, lines, made.File)

	get := func(host, path string) (int, []string, []byte) {
		t.Helper()
		res, body := ask("GET", host, path)
		return res.StatusCode, res.Header.Values("X-Robots-Tag"), body
	}
	asked, with, several := 0, 0, 0
	var wrong failures
	for _, w := range wants {
		data, err := os.ReadFile(filepath.Join(folder, w.Path))
		must(t, err)
		forms := []string{w.Path}
		if folder, ok := strings.CutSuffix("/"+w.Path, "/index.html"); ok {
			forms = append(forms, strings.TrimPrefix(folder+"/", "/"))
		}
		if page, ok := strings.CutSuffix(w.Path, ".html"); ok && clean && len(forms) == 1 {
			forms = append(forms, page)
		}
		want := w.Values
		if w.HTML && site.options.Scope == robotstag.ScopeFiles {
			want = nil
		}
		if len(want) == 0 {
			want = site.options.Everywhere
		}
		for _, f := range forms {
			path := site.options.Base + "/" + escaped(f)
			status, got, body := get("", path)
			asked++
			if len(want) > 0 {
				with++
			}
			if len(want) > 1 {
				several++
			}
			if status != 200 || !bytes.Equal(body, data) {
				wrong.errorf(t, "%s: status %d, %d bytes; want 200 and the file %q", path, status, len(body), w.Path)
			} else if !slices.Equal(got, s.lines(want)) {
				wrong.errorf(t, "%s: X-Robots-Tag %q, want %q", path, got, s.lines(want))
			}
			if s.joined == "" {
				continue
			}
			if _, got, _ := get(s.joined, path); strings.Join(got, "\n") != strings.Join(want, ", ") {
				wrong.errorf(t, "%s: X-Robots-Tag %q, want %q in one line", path, got, want)
			}
		}
	}
	// What no file is behind carries none.
	for _, path := range []string{"/no-such-file", "/no/such/", "/index.htm", "/x%2Fy"} {
		if status, got, _ := get("", path); status == 200 || len(got) > 0 && len(site.options.Everywhere) == 0 {
			wrong.errorf(t, "%s: status %d, X-Robots-Tag %q; want neither file nor header", path, status, got)
		}
	}
	if wrong > 0 {
		if logs, _ := filepath.Glob(filepath.Join(dir, "*.log")); len(logs) > 0 {
			text := read(t, logs[0])
			t.Logf("the end of its log: %s", text[max(0, len(text)-2000):])
		}
	}
	t.Logf("%s: %d files, %d requests, %d of them with a header, %d of several lines, %d mismatches; %d rules, %d bytes", s.target, len(wants), asked, with, several, wrong, made.Rules, len(made.File))
}

// Real Apache, nginx and Caddy serve a canonical link and a preference of each file's own beside
// what the owner's configuration says, whatever characters stand in them, and what cannot be
// written is named and not served (H4h, H4i, H5).
func TestWebServers_ServeOtherHeaders(t *testing.T) {
	t.Parallel()
	own := map[string]string{"apache": "Header set X-Any own env=nothing\n"}
	configured := map[string]string{"caddy": "header /* Link \"</a.css>; rel=preload\"\n"} // around what we made
	links := []string{`<https://a.test/p/>; rel="canonical"`, `<https://a.test/?a=1&b=%20;'~^*%{HTTP_HOST}e%%>; rel="canonical"`,
		`<https://a.test/>; rel=canonical; title="a \"b\" \\ c"`, "<https://a.test/`>; rel=\"x\"", `<a>; title="\\\\"`,
		`<https://a.test/$1>; rel="canonical"`, `<https://a.test/{path}>`, `<${HOME}>`, `expr=%{REQUEST_URI}`, `a\`, `'`,
		`"`, `} X-Evil "a`, `x";`, `\n`, `\\t`, `"# a`, `"" "env=b`, "`\\", "{$HOME}", "a, b", "<:path*>"}
	usages := []string{"train-ai=n", "search=y, train-ai=n", "-", "01", "1e3", "true", "T", "~a", "default", `a="\\"`, "volatile"}
	for _, s := range webServers {
		t.Run(s.target, func(t *testing.T) {
			s.need(t)
			dir := servedFolder(t)
			root := filepath.Join(dir, "public")
			files := slices.DeleteFunc(serverNasty(t, root), func(w robotstag.Want) bool { return w.Path[0] == '/' })
			demands := []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: files[:600]},
				{Header: robotstag.Header{Name: "Link", Join: true}}, {Header: robotstag.Header{Name: "Content-Usage"}},
				{Header: robotstag.Header{Name: "X-Any"}}}
			for i, w := range files[:600] {
				wants := func(d int, values []string, share int) {
					if w.Values = nil; i%share > 0 {
						w.Values = []string{values[i%len(values)]}
					}
					demands[d].Wants = append(demands[d].Wants, w)
				}
				wants(1, links, 3)
				wants(2, usages, 2)
				wants(3, usages, 5)
			}
			made, err := hosts.Compile([]byte(own[s.target]), demands, robotstag.Task{Target: s.target})
			must(t, err)
			ask := s.serve(t, dir, root, root, configured[s.target], made.File)
			served := 0
			var wrong failures
			for i, w := range files[:600] {
				res, _ := ask("GET", "", "/"+escaped(w.Path))
				for _, d := range demands {
					want := d.Wants[i].Values
					if slices.Contains(made.Lost[d.Header.Name], w.Path) {
						want = nil
					}
					served += len(want)
					if d.Header.Name == robotstag.Name {
						want = s.lines(want)
					} else if d.Header.Join && configured[s.target] != "" {
						want = append([]string{"</a.css>; rel=preload"}, want...)
					}
					got := res.Header.Values(d.Header.Name)
					if strings.Join(got, ", ") != strings.Join(want, ", ") || res.Header.Get("X-Evil") != "" {
						wrong.errorf(t, "%s: %s %q, want %q", w.Path, d.Header.Name, got, want)
					}
				}
			}
			t.Logf("%s: %d files, %d values served, %d differ; %d, %d, %d files lost; %d rules, %d bytes", s.target,
				600, served, wrong, len(made.Lost["Link"]), len(made.Lost["Content-Usage"]),
				len(made.Lost["X-Any"]), made.Rules, len(made.File))
		})
	}
}

// A server that goes from one file to another, for a rewrite, an error page or an index, sends each
// line once, and those of one file alone; what the owner says of the header stands before ours, and
// ours replaces it.
func TestWebServers_NeverDoubleALine(t *testing.T) {
	t.Parallel()
	a, missing, gone := []string{"noindex, follow", "googlebot: noarchive", "bingbot: nosnippet"}, []string{"noarchive",
		"googlebot: noindex, follow"}, []string{"bingbot: noindex, follow", "googlebot: noarchive"}
	wants := []robotstag.Want{{Path: "a.pdf", Values: a}, {Path: "missing.html", Values: missing},
		{Path: "gone.pdf", Values: gone}, {Path: "d/index.html", Values: gone}, {Path: "own/a.pdf", Values: a},
		{Path: "own/one.pdf", Values: []string{"noindex, follow"}}}
	type answer struct {
		status int
		lines  []string
	}
	everywhere := map[string]answer{
		"/a.pdf": {200, a}, "/missing.html": {200, missing}, "/d/": {200, gone}, "/d/index.html": {200, gone},
		"/own/a.pdf": {200, a}, "/own/one.pdf": {200, []string{"noindex, follow"}},
	}
	for _, s := range webServers {
		t.Run(s.target, func(t *testing.T) {
			s.need(t)
			dir := servedFolder(t)
			root := filepath.Join(dir, "public")
			for _, w := range wants {
				if w.Path != "gone.pdf" {
					write(t, filepath.Join(root, w.Path), w.Path)
				}
			}
			var existing []byte
			lines := s.turns
			if s.target == "apache" {
				existing, lines = []byte(lines), ""
			}
			links := slices.Clone(wants)
			link := func(lines []string) []string {
				return []string{fmt.Sprintf(`<https://a.test/%s>; rel="canonical"`, url.PathEscape(lines[0]))}
			}
			for i, w := range wants {
				links[i].Values = link(w.Values)
			}
			made, err := hosts.Compile(existing, []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: wants},
				{Header: robotstag.Header{Name: "Link", Join: true}, Wants: links}}, robotstag.Task{Target: s.target})
			must(t, err)
			ask := s.serve(t, dir, root, root, lines, made.File)
			all := maps.Clone(everywhere)
			maps.Copy(all, map[string]map[string]answer{
				// An error page has the header of its own file.
				"apache": {"/moved": {200, a}, "/twice": {200, a}, "/nosuch": {404, missing},
					"/gone.pdf": {404, missing}, "/forbidden": {403, missing}},
				// Of errors none has a header; an add_header without always is for others.
				"nginx": {"/moved": {200, a}, "/twice": {200, a}, "/nosuch": {404, nil}, "/gone.pdf": {404, nil},
					"/forbidden": {403, nil}, "/found/x": {200, missing}},
				// The path is the one that was asked for. What no rule of ours is about keeps the
				// owner's header.
				"caddy": {"/moved": {200, nil}, "/nosuch": {404, nil}, "/gone.pdf": {404, gone},
					"/own/nosuch": {404, []string{"noarchive", "noai"}}},
			}[s.target])
			for path, want := range all {
				for _, method := range []string{"GET", "HEAD"} {
					res, _ := ask(method, "", path)
					if got := res.Header.Values("X-Robots-Tag"); res.StatusCode != want.status ||
						!slices.Equal(got, want.lines) {
						t.Errorf("%s %s: %d with %q, want %d with %q", method, path, res.StatusCode, got, want.status,
							want.lines)
					}
					ours := func(w robotstag.Want) bool { return slices.Equal(w.Values, want.lines) }
					var canonical []string
					if slices.ContainsFunc(wants, ours) {
						canonical = link(want.lines)
					}
					if got := res.Header.Values("Link"); !slices.Equal(got, canonical) {
						t.Errorf("%s %s: Link %q, want %q", method, path, got, canonical)
					}
				}
			}
		})
	}
}
