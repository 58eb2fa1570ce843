//go:build e2e

package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/headers"
	"metarobots/emit/redirects"
	"metarobots/emit/robotstag"
	"metarobots/internal/hosts"
)

// N11a, N11b, N11g: on real Apache, nginx and Caddy each file of a site with 2,000 odd names is
// noindex at every host but the site's own, with what is decided for its path, and so is what is
// not published. Nothing changes at the site's own hosts.
func TestWebServers_OtherHostsAreNoindex(t *testing.T) {
	t.Parallel()
	for _, s := range webServers {
		t.Run(s.target, func(t *testing.T) {
			s.need(t)
			dir := servedFolder(t)
			root := filepath.Join(dir, "public")
			must(t, os.MkdirAll(root, 0o755))
			wants := serverNasty(t, root)
			o := robotstag.Task{Target: s.target, Own: []string{"example.com", "www.example.com"}}
			made, err := compileHosts(nil, wants, o)
			must(t, err)
			for _, f := range hosts.Verify(made, []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: wants}}, o) {
				t.Error(f)
			}
			if s.target == "caddy" { // the site's block is for every host
				s.config = func(t *testing.T, dir, root, folder, address, clean string, made []byte) []string {
					write(t, filepath.Join(dir, "metarobots.caddy"), string(made))
					_, port, _ := strings.Cut(address, ":")
					return caddyConfig(t, dir, root, ":"+port, "\timport metarobots.caddy\n")
				}
			}
			ask := s.serve(t, dir, root, root, "", made.File)
			var wrong failures
			check := func(host, path string, want []string) {
				res, _ := ask("GET", host, path)
				got, want := res.Header.Values("X-Robots-Tag"), slices.Sorted(slices.Values(want))
				if slices.Sort(got); !slices.Equal(got, want) {
					wrong.errorf(t, "%s%s: %d with %q, want %q", host, path, res.StatusCode, got, want)
				}
			}
			own := []string{"example.com", "www.example.com", "EXAMPLE.com", "example.com:8080"}
			others := []string{"project.pages.example", "example.com.example", "xexample.com", "203.0.113.7:8080", "sub.example.com"}
			for i, w := range wants {
				path, here := "/"+escaped(w.Path), s.lines(w.Values)
				check(own[i%len(own)], path, here)
				check(others[i%len(others)], path, append(slices.Clip(here), "noindex"))
			}
			check(own[0], "/nothing-here", nil)
			check(others[0], "/nothing-here", []string{"noindex"})
			t.Logf("%s: %d files, each at a host of the site's own and at another", s.target, len(wants))

			dir = servedFolder(t)
			root = filepath.Join(dir, "public")
			must(t, os.MkdirAll(root, 0o755))
			wants = serverNasty(t, root)
			o.Home = "https://example.com"
			made, err = compileHosts(nil, wants, o)
			must(t, err)
			for _, f := range hosts.Verify(made, []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: wants}}, o) {
				t.Error(f)
			}
			if s.target == "apache" { // it writes these as they are, so that the location ends before them
				hasEnd := func(w robotstag.Want) bool { return strings.ContainsAny(w.Path, "?#") }
				wants = slices.DeleteFunc(wants, hasEnd)
			}
			redirectsHome(t, s.serve(t, dir, root, root, "", made.File), wants, own, others)
		})
	}
}

// redirectsHome checks that a server redirects every path of other hosts to the same path at
// https://example.com, with its query, and none of the site's own (N11l).
func redirectsHome(t *testing.T, ask func(method, host, path string) (*http.Response, []byte), wants []robotstag.Want,
	own, others []string) {
	var wrong failures
	redirected := 0
	for i, w := range wants {
		path := "/" + escaped(w.Path)
		if res, _ := ask("GET", own[i%len(own)], path); res.StatusCode != http.StatusOK {
			wrong.errorf(t, "%s%s: %d at the site's own host", own[i%len(own)], path, res.StatusCode)
		}
		res, _ := ask("GET", others[i%len(others)], path+"?a=%20b")
		location, err := res.Location()
		redirected++
		if err != nil || res.StatusCode != 301 || location.Scheme+"://"+location.Host != "https://example.com" ||
			!isSamePath(location.Path, "/"+w.Path) || location.RawQuery != "a=%20b" {
			wrong.errorf(t, "%s%s: %d to %v", others[i%len(others)], path, res.StatusCode, location)
		}
	}
	for _, path := range []string{"/nothing-here", "/", "/robots.txt"} {
		if res, _ := ask("GET", others[0], path); res.Header.Get("Location") != "https://example.com"+path {
			wrong.errorf(t, "%s%s: %d to %q", others[0], path, res.StatusCode, res.Header.Get("Location"))
		}
	}
	t.Logf("%d paths redirected", redirected)
}

// isSamePath reports whether servers find the same at two paths: they merge slashes.
func isSamePath(a, b string) bool {
	return strings.ReplaceAll(a, "//", "/") == strings.ReplaceAll(b, "//", "/")
}

// N11l: Netlify's engine sends every path of the names in our block home, also where a file is
// published, and nothing of the site's own.
func TestNetlify_OtherNamesRedirectHome(t *testing.T) {
	t.Parallel()
	publish := t.TempDir()
	write(t, filepath.Join(publish, "index.html"), "home")
	write(t, filepath.Join(publish, "a b.pdf"), "pdf")
	write(t, filepath.Join(publish, "docs", "index.html"), "docs")
	owners := "/old /docs/ 301\n/app/* /index.html 200\n"
	file := redirects.SendHome([]byte(owners), []string{"p-1.netlify.app", "second.example"}, "https://example.com")
	write(t, filepath.Join(publish, "_redirects"), string(file))
	var questions []question
	paths := []string{"/", "/a%20b.pdf", "/docs/", "/docs", "/nothing", "/old", "/app/x"}
	for _, path := range paths {
		for _, host := range []string{"example.com", "branch--p-1.netlify.app", "p-1.netlify.app", "second.example"} {
			questions = append(questions, question{Path: path, Host: host, Header: "Location"})
		}
	}
	for i, a := range ask(t, "netlify", publish, questions) {
		q, isOther := questions[i], i%4 >= 2
		got := strings.Join(a.Lines, " ")
		if want := "https://example.com" + q.Path; isOther && (a.Status != 301 || got != want) {
			t.Errorf("%s%s: %d to %q, want %q", q.Host, q.Path, a.Status, got, want)
		} else if !isOther && strings.HasPrefix(got, "https://example.com") {
			t.Errorf("%s%s: %d to %q", q.Host, q.Path, a.Status, got)
		}
	}
	t.Logf("%d questions", len(questions))
}

// N11a, N11b, N11d: the engines of Cloudflare Pages and Workers serve random sites with noindex at
// every name of their own, also where nothing is published and what _redirects sends on, and as
// ever at the site's own hosts.
func TestCloudflare_OtherHostsAreNoindex(t *testing.T) {
	t.Parallel()
	for i, engine := range []string{"pages", "workers"} {
		for _, named := range []bool{false, true} { // a value for one crawler: the rules take away what is there
			t.Run(fmt.Sprintf("%s/%t", engine, named), func(t *testing.T) { checkOtherHosts(t, engine, uint64(i), named) })
		}
	}
}

func checkOtherHosts(t *testing.T, engine string, seed uint64, named bool) {
	publish := t.TempDir()
	r := rand.New(rand.NewPCG(seed, 11))
	values := [][]string{nil, nil, {"noindex, follow"}, {"nosnippet"}, {"nofollow, noarchive"}}
	if named {
		values = append(values, []string{"googlebot: noarchive"}, []string{"nosnippet", "bingbot: nofollow"})
	}
	var wants []robotstag.Want
	for i := range 300 {
		name := fmt.Sprintf("%s/%d%s", []string{"a", "b c", "d/e", "F"}[r.IntN(4)], i, []string{".html", ".pdf", ".txt"}[r.IntN(3)])
		if i == 0 {
			name = "index.html"
		}
		write(t, filepath.Join(publish, name), name)
		w := robotstag.Want{Path: name, URL: "/" + name, HTML: strings.HasSuffix(name, ".html")}
		if i%6 == 0 || r.IntN(3) == 0 && strings.HasPrefix(name, "d/") {
			w.Values = values[r.IntN(len(values))]
		}
		wants = append(wants, w)
	}
	write(t, filepath.Join(publish, "404.html"), "not found")
	write(t, filepath.Join(publish, "_redirects"), "/old /a/ 301\n")
	demands := []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: wants}}
	plain := robotstag.Task{Target: headers.TargetCloudflare, Host: "example.com"}
	o := plain
	o.Own = []string{"example.com", "www.example.com"}
	owners := []byte("/*\n  X-Frame-Options: DENY\n/d/*\n  X-Robots-Tag: noimageindex\n")
	made, err := hosts.Compile(owners, demands, o)
	must(t, err)
	for _, f := range hosts.Verify(made, demands, o) {
		t.Error(f)
	}
	without, err := hosts.Compile(owners, demands, plain)
	must(t, err)
	write(t, filepath.Join(publish, "_headers"), string(made.File))
	before := headers.Cloudflare.Parse(without.File, robotstag.Name)

	others := []string{"p-1.pages.dev", "1a2b3c4d.p-1.pages.dev", "w-2.acc.workers.dev", "v1-w-2.acc.workers.dev"}
	var questions []question
	var paths []string
	for _, w := range wants {
		paths = slices.AppendSeq(paths, headers.Cloudflare.Requests(nil, w.Path, ""))
	}
	paths = append(paths, "/nothing-here", "/old", "/robots.txt")
	for i, path := range paths {
		for _, host := range []string{o.Own[i%2], others[i%4], others[(i+1)%4]} {
			questions = append(questions, question{Path: path, Host: host})
		}
	}
	var wrong failures
	open, changed := 0, 0
	for i, a := range ask(t, engine, publish, questions) {
		q, got := questions[i], strings.Join(a.Lines, "\n")
		if i%3 > 0 {
			if open++; !robotstag.Told(got)[""].NoIndex() {
				wrong.errorf(t, "%s%s is open: %d with %q\n%s", q.Host, q.Path, a.Status, got, made.File)
			}
			continue
		}
		changed++
		want := robotstag.Join(headers.Cloudflare.Values(before, q.Host, q.Path))
		if a.Status == 200 && strings.ReplaceAll(got, "\n", ", ") != want {
			wrong.errorf(t, "%s%s has changed: %q, want %q", q.Host, q.Path, got, want)
		}
	}
	t.Logf("%s: %d rules, %d questions at other hosts, %d at the site's own", engine, made.Total, open, changed)
}
