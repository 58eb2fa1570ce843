package plan_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/address"
	"metarobots/internal/hosts"
	"metarobots/internal/plan"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// served plans a folder of files for a host.
func served(t *testing.T, target string, files map[string]string) *plan.Plan {
	t.Helper()
	folder := map[string]string{"metarobots.toml": "[site]\ngenerator = \"html\"\ndestination = \"out\"\n" +
		"baseURL = \"https://a.example/\"\n[robots.headers]\ntargets = [\"" + target + "\"]\n"}
	for name, text := range files {
		folder["out/"+name] = text
	}
	return planned(t, tables.Folder(t, folder))
}

// X, U1: where a deployed page is asked for. That is its URL, unless every host redirects it or
// serves another file there, and the sources of rewrites at which every host serves the page
// (X14g).
func TestHouse_WhereAPageIsAskedFor(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/served.txt") {
		files := map[string]string{"_redirects": strings.ReplaceAll(c["redirects"], " + ", "\n")}
		for _, name := range c.List("files") {
			files[name] = "<!doctype html>"
		}
		s := served(t, c["host"], files)
		if got := strings.Join(s.Sites.ServedAt(s.Page(c["file"])), " "); got != c["want"] {
			t.Errorf("%s of %s on %s, %s: got %q, want %q", c["file"], c["files"], c["host"], c["redirects"], got, c["want"])
		}
	}
}

// Laws: every address of a file names it, and what is said to be served at a path is named by it.
// At each address where a page is asked for, but its URL, no host answers with anything else. The
// preferred address is one of a file's.
func TestLaw_AddressesNameTheirFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	names := []string{"index.html", "404.html", "x.html", "x/index.html", "z", "x/y.html", "x/index", "z.html", "a=b.html", "s.pdf",
		"o.pdf"}
	rules := []string{"/o.pdf /s.pdf 200", "/z /s.pdf 200", "/old/* /x/:splat 200", "/moved /x/ 301", "/any/* /s.pdf 200"}
	compared := 0
	for range 60 {
		files, redirects := map[string]string{}, []string(nil)
		for _, name := range names {
			if r.IntN(2) == 0 {
				files[name] = "<!doctype html>"
			}
		}
		for _, rule := range rules {
			if r.IntN(3) == 0 {
				redirects = append(redirects, rule)
			}
		}
		files["_redirects"] = strings.Join(redirects, "\n")
		target := hosts.Targets()[1:][r.IntN(len(hosts.Targets())-1)]
		s := served(t, target, files)
		what := func() string { return fmt.Sprintf("%s: %q, %q", target, redirects, slices.Sorted(maps.Keys(files))) }
		for _, pg := range s.Pages {
			for _, a := range s.Sites.Of(pg.File.Name) {
				if compared++; !s.Sites.Names(a.Path, pg.File.Name) {
					t.Fatalf("%s: %+v does not name %s", what(), a, pg.URL)
				}
			}
			asked := s.Sites.ServedAt(pg)
			for _, path := range asked {
				other := slices.ContainsFunc(s.Sites.At(path), func(a address.Address) bool { return a.File != pg.File.Name })
				if path != pg.URL && other || slices.Contains(asked[1:], pg.URL) {
					t.Fatalf("%s: %s is asked for at %q, and answered are %+v", what(), pg.URL, asked, s.Sites.At(path))
				}
			}
			addresses := s.Sites.Of(pg.File.Name)
			isServed := func(a address.Address) bool { return a.Serves() }
			if best := s.Sites.Preferred(pg); slices.ContainsFunc(addresses, isServed) && !slices.ContainsFunc(addresses, func(a address.Address) bool {
				return a.Serves() && policy.Decoded(a.Path) == policy.Decoded(best)
			}) {
				t.Fatalf("%s: %s prefers %s of %+v", what(), pg.URL, best, addresses)
			}
			if len(asked) == 0 && slices.ContainsFunc(addresses, isServed) {
				t.Fatalf("%s: %s is asked for nowhere, and has %+v", what(), pg.URL, addresses)
			}
		}
		for _, path := range []string{"/", "/x", "/x/", "/x.html", "/x/index.html", "/x/y", "/x/y/", "/z", "/z/", "/old/y", "/any/thing", "/moved"} {
			if pg := s.Served(path); pg != nil && !s.Sites.Names(path, pg.File.Name) {
				t.Fatalf("%s: %s is served at %s, which does not name it", what(), pg.URL, path)
			}
			if to, ok := s.Sites.Redirects(path); ok && strings.HasPrefix(to, "/") && s.Served(to) != s.Served(path) {
				t.Fatalf("%s: %s redirects to %s, which is another page", what(), path, to)
			}
		}
	}
	t.Logf("%d addresses compared", compared)
}

// L4f, L4g: a page that leads to itself reloads, and one that leads to another file sends readers
// on: whichever of two files of one name a host would serve at the path.
func TestHouse_AnAliasOfAPageIsARedirect(t *testing.T) {
	refresh := func(to string) string {
		return `<!doctype html><head><meta http-equiv="refresh" content="0; url=` + to + `"></head>`
	}
	for _, c := range []struct {
		files map[string]string
		alias string
		want  policy.Role
	}{
		{map[string]string{"x/index.html": refresh("/x"), "x.html": "<!doctype html>"}, "x/index.html", policy.RoleRedirect},
		{map[string]string{"x/index.html": refresh("https://a.example/x"), "x.html": "<!doctype html>"}, "x/index.html", policy.RoleRedirect},
		{map[string]string{"x.html": refresh("/x/"), "x/index.html": "<!doctype html>"}, "x.html", policy.RoleRedirect},
		{map[string]string{"x/index.html": refresh("/x"), "y.html": "<!doctype html>"}, "x/index.html", policy.RolePage},
		{map[string]string{"x/index.html": refresh("/x/"), "x.html": "<!doctype html>"}, "x/index.html", policy.RolePage},
		{map[string]string{"x.html": refresh("x.html")}, "x.html", policy.RolePage},
		{map[string]string{"x.html": refresh("/y"), "y.html": "<!doctype html>"}, "x.html", policy.RoleRedirect},
	} {
		for _, target := range []string{"portable", "cloudflare", "netlify", "apache", "firebase", "none"} {
			if got := served(t, target, c.files).Page(c.alias).File.Role; got != c.want {
				t.Errorf("%s: %s of %q is %s, want %s", target, c.alias, c.files, got, c.want)
			}
		}
	}
}
