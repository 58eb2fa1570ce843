package address

import (
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"metarobots/policy"
)

// all are handlings of every host, with the settings that owners can give them.
func all() []*Handling {
	hosts := []*Handling{CloudflarePages, Netlify, Apache, Nginx, Caddy, CaddyTries, GitHubPages, GitLabPages, Amplify,
		Azure, Workers(""), Workers("force-trailing-slash"), Workers("drop-trailing-slash"), Workers("none")}
	for _, clean := range []bool{false, true} {
		for _, slash := range []Slash{SlashUnset, SlashAdded, SlashCut} {
			hosts = append(hosts, Vercel(clean, slash), Firebase(clean, slash))
		}
	}
	return hosts
}

// texts are addresses as "/p", or "/p.html > /p" where that redirects.
func texts(addresses []Address) (all []string) {
	for _, a := range addresses {
		text := a.Path
		if a.To != "" {
			text += " > " + a.To
		}
		all = append(all, text)
	}
	return all
}

// U1a, U1b, U1d: where hosts serve a file, and what they redirect there.
func TestHouse_AddressesOfAFile(t *testing.T) {
	l := func(s ...string) []string { return s }
	rows := []struct {
		on   *Handling
		file string
		want []string
	}{
		{CloudflarePages, "index.html", l("/", "/index.html > /", "/index > /", "/index/ > /")},
		{CloudflarePages, "q/index.html", l("/q/", "/q > /q/", "/q/index.html > /q/", "/q/index > /q/", "/q/index/ > /q/")},
		{CloudflarePages, "p.html", l("/p", "/p/ > /p", "/p.html > /p", "/p/index > /p/")},
		{CloudflarePages, "d/x.pdf", l("/d/x.pdf")},
		{CloudflarePages, "x.htm", l("/x.htm")},
		{CloudflarePages, ".html", l("/.html")},
		{CloudflarePages, "a^b\"#%<>?`{}.txt", l("/a%5Eb%22%23%25%3C%3E%3F%60%7B%7D.txt")},
		{CloudflarePages, "a(b)'~!*-_.txt", l("/a(b)'~!*-_.txt")},
		{CloudflarePages, "e+f, g.pdf", l("/e+f,%20g.pdf", "/e%2Bf%2C%20g.pdf")},
		{Workers(""), "e+f, g.pdf", l("/e%2Bf%2C%20g.pdf", "/e+f,%20g.pdf > /e%2Bf%2C%20g.pdf")},
		{Workers("force-trailing-slash"), "p.html", l("/p/", "/p > /p/", "/p.html > /p/", "/p/index > /p/", "/p/index.html > /p/")},
		{Workers("drop-trailing-slash"), "q/index.html", l("/q", "/q/ > /q", "/q/index.html > /q", "/q/index > /q", "/q/index/ > /q/index", "/q.html > /q")},
		{Workers("none"), "q/index.html", l("/q/index.html")},
		{Netlify, "q/index.html", l("/q/", "/q", "/q/index.html", "/q/index", "/q/index/")},
		{Netlify, "p.html", l("/p", "/p/", "/p.html")},
		{Netlify, "café/a b.pdf", l("/caf%C3%A9/a%20b.pdf")},
		{Apache, "q/index.html", l("/q/", "/q/index.html", "/q > /q/")},
		{Apache, "p.html", l("/p.html")},
		{Vercel(false, SlashUnset), "q/index.html", l("/q/", "/q", "/q/index.html")},
		{Vercel(true, SlashCut), "q/index.html", l("/q", "/q/ > /q", "/q/index.html > /q", "/q/index > /q", "/q/index/ > /q", "/q.html > /q")},
		{Vercel(true, SlashAdded), "p.html", l("/p/", "/p > /p/", "/p.html > /p/", "/p/index > /p/", "/p/index.html > /p/")},
		{Firebase(true, SlashUnset), "p.html", l("/p", "/p.html > /p")},
		{GitHubPages, "p.html", l("/p", "/p.html")},
	}
	for _, row := range rows {
		if got := texts(New(nil, nil, row.on).Of(row.file)); !slices.Equal(got, row.want) {
			t.Errorf("%s serves %s at %q, want %q", row.on.Name, row.file, got, row.want)
		}
	}
}

// U1: of two files for one path, a host serves one, and the other only where it has a path of its
// own.
func TestHouse_AddressesThatTwoFilesWant(t *testing.T) {
	published := map[string]bool{"p.html": true, "p/index.html": true, "r": true, "r.html": true}
	rows := []struct {
		on   *Handling
		path string
		file string
	}{
		{CloudflarePages, "/p", "p.html"}, {CloudflarePages, "/p/", "p/index.html"},
		{CloudflarePages, "/r", "r"}, {CloudflarePages, "/r.html", "r.html"},
		{Workers("drop-trailing-slash"), "/p/index.html", "p/index.html"},
		{Workers("force-trailing-slash"), "/p.html", "p.html"},
		{Netlify, "/p", "p/index.html"}, {Netlify, "/p.html", "p.html"}, {Netlify, "/r/", "r.html"},
		{Firebase(true, SlashUnset), "/p.html", ""}, // it redirects to the index
	}
	for _, row := range rows {
		site := New(func(file string) bool { return published[file] }, nil, row.on)
		if got := site.At(row.path); got[0].File != row.file {
			t.Errorf("%s answers %+v at %s, want %q", row.on.Name, got, row.path, row.file)
		}
	}
	if got := New(func(file string) bool { return published[file] }, nil, Firebase(true, SlashUnset)).Of("p.html"); len(got) > 0 {
		t.Errorf("p.html has addresses at Firebase beside p/index.html: %q", texts(got))
	}
}

// randomSite publishes some files with names that hosts treat in their own ways.
func randomSite(r *rand.Rand) map[string]bool {
	names := []string{"index.html", "p.html", "p/index.html", "p", "p/x.html", "p/index/index.html", "q/index.html", "q.pdf",
		"p.html.html", "p.html/index.html", "e+f.html", "[1]/index.html", "a b.htm", "index/index.html", ".html", "404.html"}
	published := map[string]bool{}
	for _, name := range names {
		if r.IntN(2) == 0 {
			published[name] = true
		}
	}
	return published
}

// Law (U1): what a host serves at a path is the file's address, and a file's addresses are where it
// is served.
func TestLaw_AddressesOfAndAtAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for range 80 {
		published := randomSite(r)
		files := slices.Sorted(maps.Keys(published))
		for _, h := range all() {
			site := New(func(file string) bool { return published[file] }, nil, h)
			asked := map[string]bool{}
			for _, file := range files {
				for _, a := range site.Of(file) {
					asked[a.Path] = true
					at := site.At(a.Path)
					if !slices.ContainsFunc(at, func(o Address) bool { return o.File == a.File && o.To == a.To }) {
						t.Fatalf("%s, %q: %s is %+v among the addresses of %s, and %+v", h.Name, files, a.Path, a, file, at)
					}
					if got := slices.Collect(site.Leads(a.Path)); !slices.Contains(got, file) {
						t.Fatalf("%s, %q: %s leads to %q, not %s", h.Name, files, a.Path, got, file)
					}
					compared++
				}
				for _, end := range []string{"", "/", "/index", "/index/", "/index.html", ".html", ".htm"} {
					for _, stem := range []string{file, strings.TrimSuffix(file, ".html"), strings.TrimSuffix(file, "/index.html")} {
						asked[encode("/"+strings.TrimSuffix(stem, "/")+end, bareInURL)] = true
						asked[encode("/"+strings.TrimSuffix(stem, "/")+end, bareInComponent)] = true
					}
				}
			}
			for path := range asked {
				if strings.Contains(path, "//") { // which is the path of another one
					continue
				}
				for _, a := range site.At(path) {
					known := slices.ContainsFunc(site.Of(a.File), func(o Address) bool { return o.Path == path && o.Serves() })
					if a.Serves() && a.By != Fallback && !known {
						t.Fatalf("%s, %q: %s serves %s, which does not list it: %q", h.Name, files, path, a.File,
							texts(site.Of(a.File)))
					}
					compared++
				}
			}
		}
	}
	t.Logf("%d addresses compared", compared)
}

// Law (U1): the preferred address of a file is one at which it is served, on every host that may
// serve the site if there is such a one, and nothing redirects from it (U4a, U4b).
func TestLaw_PreferredAddressIsServed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	hosts, compared := all(), 0
	for range 2000 {
		published := randomSite(r)
		some := []*Handling{hosts[r.IntN(len(hosts))], hosts[r.IntN(len(hosts))]}
		site := New(func(file string) bool { return published[file] }, nil, some...)
		for _, file := range slices.Sorted(maps.Keys(published)) {
			linked := encode("/"+file, bareInURL)
			preferred := site.Preferred(file, linked)
			everywhere := func(path string) bool {
				return !slices.ContainsFunc(site.handlings, func(h *Handling) bool { return site.servedBy(h).At(path)[0].File != file })
			}
			all := site.Of(file)
			switch {
			case !slices.ContainsFunc(all, func(a Address) bool { return a.Serves() }):
				if preferred != linked {
					t.Fatalf("%s has no address and prefers %s", file, preferred)
				}
			case !slices.Contains(site.Served(preferred), file):
				t.Fatalf("%s, %s: %s is not served at %s but at %q", some[0].Name, some[1].Name, file, preferred, texts(all))
			case len(site.handlings) > 1 && !everywhere(preferred):
				if i := slices.IndexFunc(all, func(a Address) bool { return a.Serves() && everywhere(a.Path) }); i >= 0 &&
					slices.Contains(site.Representatives(file, linked), all[i].Path) {
					t.Fatalf("%s, %s: %s prefers %s, and all serve it at %s", some[0].Name, some[1].Name, file, preferred, all[i].Path)
				}
			}
			compared++
		}
	}
	t.Logf("%d files compared", compared)
}

// U2a: a rewrite makes its source an address of the file that it leads to, and takes it from the
// file that lies there.
func TestHouse_RewritesAreAddresses(t *testing.T) {
	published := map[string]bool{"o.pdf": true, "s.pdf": true, "p.html": true}
	exact := func(first bool, from, to string) *Route {
		return &Route{Host: "cloudflare", Rewrites: true, BeforeFiles: first, Source: from, Destination: to,
			Origin: policy.Origin{File: "_redirects", Line: 1},
			Takes:  func(path string) (string, bool) { return to, path == from },
			Sources: func(path string) ([]string, bool) {
				if path != to {
					return nil, true
				}
				return []string{from}, true
			}}
	}
	first := New(func(file string) bool { return published[file] }, []*Route{exact(true, "/o.pdf", "/s.pdf")}, CloudflarePages)
	if got := texts(first.Of("s.pdf")); !slices.Equal(got, []string{"/s.pdf", "/o.pdf"}) {
		t.Errorf("s.pdf is served at %q", got)
	}
	if got := texts(first.Of("o.pdf")); len(got) > 0 {
		t.Errorf("o.pdf is served at %q, which s.pdf takes", got)
	}
	later := New(func(file string) bool { return published[file] }, []*Route{exact(false, "/o.pdf", "/s.pdf")}, CloudflarePages)
	if got := texts(later.Of("o.pdf")); !slices.Equal(got, []string{"/o.pdf"}) {
		t.Errorf("o.pdf is served at %q", got)
	}
	// U2k: one that leads to its own path changes nothing. A line of the owner's for the path is the file's own.
	itself := New(func(file string) bool { return published[file] }, []*Route{exact(true, "/s.pdf", "/s.pdf")}, CloudflarePages)
	if got := itself.Of("s.pdf"); len(got) != 1 || got[0].By != Asset || got[0].Route != nil {
		t.Errorf("s.pdf is served at %+v", got)
	}
	// One that may not be carried out is beside what the host does by itself: Pages redirect /p.html.
	perhaps := exact(true, "/p.html", "/p")
	perhaps.IsUncertain = true
	both := New(func(file string) bool { return published[file] }, []*Route{perhaps}, CloudflarePages)
	if got := texts(slices.Collect(both.Serving("p.html"))); !slices.Equal(got, []string{"/p", "/p.html"}) {
		t.Errorf("p.html is served at %q", got)
	}
	// The host looks for the destination as if that had been asked for, and Pages redirect /p.html.
	page := New(func(file string) bool { return published[file] }, []*Route{exact(true, "/x", "/p.html")}, CloudflarePages)
	if got := page.At("/x"); len(got) != 1 || got[0].To != "/p" {
		t.Errorf("/x answers %+v", got)
	}
}

// Law (U1): the addresses of a file that are written as those of its shape are what the hosts
// answer.
func TestLaw_ShapesAreWhatHostsAnswer(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	hosts, alike, asked := all(), 0, 0
	stems := []string{"a", "b/c", "b/c/d", "index", "v1.2", "b/index", "x+y", ".well-known/w", "b/c.html"}
	ends := []string{".html", "/index.html", ".pdf", "", ".htm", "/index.htm", ".html.html", "/index", ".tar.gz"}
	route := func(from, to string, rewrites bool) *Route {
		route := &Route{Host: hosts[r.IntN(len(hosts))].Host, Source: from, Destination: to, Rewrites: rewrites, BeforeFiles: r.IntN(2) == 0}
		part := func(text string) []Part {
			if before, ok := strings.CutSuffix(text, "*"); ok {
				return []Part{{Text: before}, {Name: "splat", Matches: Rest}}
			}
			return []Part{{Text: text}}
		}
		route.SetMapping(Mapping{From: part(from), To: part(to), DecodesPath: r.IntN(2) == 0, IgnoresEndSlash: r.IntN(2) == 0})
		return route
	}
	for range 2000 {
		var names []string
		for _, stem := range stems {
			for _, end := range ends {
				if r.IntN(12) == 0 {
					names = append(names, stem+end)
				}
			}
		}
		var routes []*Route
		if r.IntN(2) == 0 {
			paths := []string{"/a", "/b/c/", "/b/*", "/new/*", "/a.pdf", "/x", "/b/c.html"}
			routes = append(routes, route(paths[r.IntN(len(paths))], paths[r.IntN(len(paths))], r.IntN(2) == 0))
		}
		site := NewPublished(names, routes, hosts[r.IntN(len(hosts))], hosts[r.IntN(len(hosts))])
		slow := New(site.published, routes, site.handlings...)
		once := func(files iter.Seq[string]) []string { return slices.Compact(slices.Sorted(files)) }
		for _, name := range names {
			for _, a := range slow.ask(name) {
				if got, want := once(site.Leads(a.Path)), once(slow.Leads(a.Path)); !slices.Equal(got, want) {
					t.Fatalf("%s, %s: of %q, %s leads to %q by its shape, to %q by the hosts", site.handlings[0].Name,
						site.handlings[1].Name, names, a.Path, got, want)
				}
				if got, want := site.Redirects(a.Path), slow.Redirects(a.Path); got != want {
					t.Fatalf("%s, %s: of %q, %s redirects to %q by its shape, to %q by the hosts", site.handlings[0].Name,
						site.handlings[1].Name, names, a.Path, got, want)
				}
			}
			if _, _, isKnown := site.knownShape(name); !isKnown {
				asked++
				continue
			}
			got := site.Of(name)
			alike++
			for _, a := range got {
				isServed := slices.Contains(slow.Served(a.Path), name)
				if site.ServesByShape(a.Path, name) != isServed || a.By == Rewritten {
					t.Fatalf("%q: %s at %s, by %s: the hosts serve it there: %v", names, name, a.Path, a.By, isServed)
				}
			}
			if served := slices.Collect(site.Serving(name)); !slices.Equal(served, slices.DeleteFunc(site.ask(name), func(a Address) bool { return !a.Serves() })) {
				t.Fatalf("%q: %s is served at %q", names, name, texts(served))
			}
			if want := site.ask(name); !slices.Equal(texts(got), texts(want)) || !slices.Equal(got, want) {
				t.Fatalf("%s, %s: of %q, %s is served at %q by its shape, at %q by the hosts", site.handlings[0].Name,
					site.handlings[1].Name, names, name, texts(got), texts(want))
			}
		}
	}
	if alike < 1000 || asked < 1000 {
		t.Errorf("%d files by their shape, %d by asking", alike, asked)
	}
	t.Logf("%d files compared, %d more have to be asked for", alike, asked)
}

// U4a: another spelling of the path that the generator links represents the page only if more hosts
// serve it there.
func TestHouse_TheLinkedSpellingIsPreferred(t *testing.T) {
	published := func(file string) bool { return file == "a=b.html" || file == "q=1/index.html" }
	for _, c := range []struct {
		on           []*Handling
		file, linked string
		want         string
	}{
		{[]*Handling{CloudflarePages, Netlify}, "q=1/index.html", "/q=1/", "/q=1/"},
		{[]*Handling{CloudflarePages, Workers("")}, "q=1/index.html", "/q=1/", "/q%3D1/"},
		{[]*Handling{Workers("")}, "q=1/index.html", "/q=1/", "/q%3D1/"},
		{[]*Handling{CloudflarePages}, "a=b.html", "/a=b.html", "/a=b"},
		{[]*Handling{CloudflarePages}, "a=b.html", "/a%3Db", "/a%3Db"},
		{[]*Handling{Workers("")}, "a=b.html", "/a=b", "/a%3Db"},
	} {
		if got := New(published, nil, c.on...).Preferred(c.file, c.linked); got != c.want {
			t.Errorf("%s, linked as %s: %s stands for %s, want %s", c.on[0].Name, c.linked, got, c.file, c.want)
		}
	}
}

// A path reaches a file where the host serves it or redirects there, also before anything is
// published; and not where it serves the file because nothing is published. Of a server that its
// owner configures other paths are a guess.
func TestHouse_WhatAPathReaches(t *testing.T) {
	files := []string{"index.html", "p.html", "q/index.html"}
	for _, built := range []bool{true, false} {
		var published func(string) bool
		if built {
			published = func(file string) bool { return slices.Contains(files, file) }
		}
		for _, c := range []struct {
			on         *Handling
			path, file string
			reaches    bool
			guess      bool
		}{
			{CloudflarePages, "/p", "p.html", true, false},
			{CloudflarePages, "/p.html", "p.html", true, false},
			{CloudflarePages, "/p/index", "p.html", true, false},
			{CloudflarePages, "/q", "q/index.html", true, false},
			{CloudflarePages, "/nothing", "index.html", false, false},
			{Apache, "/p.html", "p.html", true, true},
			{Apache, "/p", "p.html", false, true},
			{Apache, "/p/", "p.html", false, true},
			{Apache, "/q", "q/index.html", true, true},
			{Nginx, "/pp", "p.html", false, false},
			{Netlify, "/p/", "p.html", true, false},
		} {
			site := New(published, nil, c.on)
			if got := site.Reaches(c.path, c.file); got != c.reaches {
				t.Errorf("%s, built %v: %s reaches %s: %v", c.on.Name, built, c.path, c.file, got)
			}
			guess := site.Guess()
			if got := guess != nil && guess.Reaches(c.path, c.file); got != c.guess {
				t.Errorf("%s, built %v: %s reaches %s by guess: %v", c.on.Name, built, c.path, c.file, got)
			}
		}
	}
}

// Law: what one host or another serves as the same page is folded into one path, and folding twice
// is folding once.
func TestLaw_FoldedPathsAreOnePage(t *testing.T) {
	for _, stem := range []string{"", "/x", "/x/y", "/a.b"} {
		for _, end := range []string{"", "/", ".html", "/index.html"} {
			if stem == "" && end == ".html" {
				continue
			}
			if got := Folded(stem + end); got != strings.TrimSuffix(stem, "/") || Folded(got) != got {
				t.Errorf("%s is folded into %s", stem+end, got)
			}
		}
	}
}
