package redirects

import (
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/emit/headers"
	"metarobots/internal/address"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// Rules take the paths that Netlify's own matcher takes, and lead where it leads. Of patterns that
// are not read, it is known that they may lead there.
// https://github.com/netlify/cli
func TestNetlify_RulesTakeWhatItsMatcherTakes(t *testing.T) {
	const paths = "/ /a /ab /a/b /A /b/x/c /b/c /b/x/y/c /c/x1 /c/x:y /d/1.html /e/1/2 /e/1/2/ /e/1 /f/1/2/3 /f/1 /f/1/ /f " +
		"/g/1/1 /g/1/2 /K/L /k/l /K/L/ /m/z /m/z/ /m/ /m/z/y /n /n/ /n/a/b /nn /o/1/2 /o/1/2/3 /p.q /pxq /q+ /q /s /t/u " +
		"/v /v/ /w /x/1.html /y/1-2 /2/9 /u/b/v/w /u/b/v /u/b/v/"
	compared := 0
	for line := range strings.Lines(string(tables.Value(os.ReadFile("testdata/netlify.tsv"))(t))) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		want := map[string]string{}
		for _, cell := range cells[2:] {
			path, to, _ := strings.Cut(cell, " -> ")
			want[path] = to
		}
		rule := Redirect{From: cells[0], To: cells[1], Status: 200}
		r := rule.Route("")
		asked := strings.Fields(paths)
		for path := range want {
			asked = append(asked, path)
		}
		for _, path := range asked {
			compared++
			got, takes := r.Takes((&url.URL{Path: path}).EscapedPath())
			wanted, taken := want[path]
			from, listed := r.Sources((&url.URL{Path: wanted}).EscapedPath())
			switch {
			case r.IsUncertain: // a source that is written encoded
			case takes && (!taken || policy.Decoded(got) != wanted):
				t.Errorf("%s %s: %s leads to %q, want %q", cells[0], cells[1], path, got, wanted)
			case !takes && taken && listed && path != "/": // "//s" takes "/"
				t.Errorf("%s %s: %s is not taken", cells[0], cells[1], path)
			case takes && listed && !slices.ContainsFunc(from, func(f string) bool { return policy.Decoded(f) == path }):
				t.Errorf("%s %s: %s leads to %s, from which it is not listed: %q", cells[0], cells[1], path, wanted, from)
			}
		}
	}
	t.Logf("%d paths compared", compared)
}

// Lines are read as Netlify's parser reads them.
// https://github.com/netlify/build packages/redirect-parser/src/line_parser.ts
func TestNetlify_Lines(t *testing.T) {
	const file = "# /no /comment\n/a /b\n/a /b 200 # more\r\n/a /b 200!\n/a id=:id x=1 /b 302\n" +
		"/a /b 200 Country=de Language=en\n/a/* 200\n/a b\n/a /b two\nhttps://a.example/a /b 200\nhttps://other.example/a /b 200\n" +
		"/a https://b.example/:splat 200\n/a /.netlify/functions/x 200\n/a /b 404\n/.netlify/a /b 200\n/%61 /b 200\n/a b\n/a\n/a https://a.example/b 200\n"
	want := []string{
		"2 /a redirects to /b", "3 /a serves /b", "4 /a serves /b first", "5 /a may redirect to /b", "6 /a may serve /b",
		"7 /a/x serves /a/x", "10 /a serves /b", "11 /a may serve /b", "12 /a redirects to https://b.example/:splat",
		"13 /a redirects to /.netlify/functions/x", "14 /a redirects to ", "16 /a may serve /b",
		"19 /a serves /b",
	}
	var got []string
	for _, rule := range Netlify([]byte(file), "_redirects") {
		r := rule.Route("a.example")
		if r == nil {
			continue
		}
		path := "/a"
		if strings.HasSuffix(r.Source, "*") {
			path = "/a/x"
		}
		got = append(got, describe(r, path))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// U2h: a redirect to the same path at a host takes no address there, whether it is for another name
// of the site, for http or for every name, and only one from another name sends that home.
func TestNetlify_RedirectsHome(t *testing.T) {
	for line, want := range map[string]struct {
		isRoute bool
		home    string
	}{
		"https://www.a.example/* https://a.example/:splat 301!":     {false, "www.a.example"},
		"http://a.example/* https://a.example/:splat 301!":          {false, ""},
		"/* https://A.example/:splat 301!":                          {false, ""},
		"http://a.example/x https://a.example/x":                    {false, ""},
		"http://a.example/* https://a.example/:splat 200!":          {true, ""},
		"http://a.example/* https://a.example/new/:splat 301!":      {true, ""},
		"http://a.example/* https://www.a.example/:splat 301!":      {true, ""},
		"https://www.a.example/* https://a.example/x/:splat 301!":   {true, ""},
		"https://www.a.example/* https://a.example/:splat 301":      {false, ""},
		"https://www.a.example/* https://a.example/:splat 301! a=b": {false, ""},
	} {
		r := Netlify([]byte(line), "_redirects")[0]
		isRoute, home := r.Route("a.example") != nil, strings.Join(SentHome([]Redirect{r}, "a.example"), " ")
		if isRoute != want.isRoute || home != want.home {
			t.Errorf("%s: a route %v, home from %q; want %v, %q", line, isRoute, home, want.isRoute, want.home)
		}
	}
}

// describe says what a route does with a path.
func describe(r *address.Route, path string) string {
	to, ok := r.Takes(path)
	if !ok {
		return policy.Place("", r.Origin.Line)[1:] + " does not take " + path
	}
	verb := map[bool]string{true: " serves ", false: " redirects to "}[r.Rewrites]
	if r.IsUncertain {
		verb = map[bool]string{true: " may serve ", false: " may redirect to "}[r.Rewrites]
	}
	text := policy.Place("", r.Origin.Line)[1:] + " " + path + verb + to
	if r.BeforeFiles {
		text += " first"
	}
	return text
}

// Lines are read as Cloudflare's parser reads them, with what it ignores.
// https://github.com/cloudflare/workers-sdk packages/workers-shared/utils/configuration/parseRedirects.ts
func TestCloudflare_Lines(t *testing.T) {
	const file = "/a /b 200 # comment\n/a /c 200\n/b /c\n/c#x?y /b 200\nd /b 200\n/e /b 200 Country=de\n/f /b 200!\n" +
		"/g /b 404\n/h https://b.example/x 200\n/i https://b.example/x 301\n/j http://b.example/ 301\nhttps://a.example/k /b 200\n" +
		"/l/* /index.html 200\n/m/ /index 200\n/n /index.html 200\n/o/:a/:a /b 200\n/p/:a/:ab /b 200\n" +
		"/caf\u00e9 /\u00e9?x#y 200\n/*/* /b 200\n/q b 200\n/r\t/b\t 200\r\n"
	want := []string{"1 /a serves /b first", "3 /b redirects to /c first", "4 /c serves /b first", "5 /d serves /b first",
		"10 /i redirects to https://b.example/x first", "15 /n serves /index.html first", "18 /caf%C3%A9 serves /%C3%A9 first",
		"21 /r serves /b first"}
	var got []string
	for _, r := range Cloudflare([]byte(file), "_redirects", true) {
		path, _, _ := strings.Cut(r.Source, "#")
		got = append(got, describe(r, headers.Pathname("/"+strings.TrimPrefix(path, "/"))))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	kept := Cloudflare([]byte("/l/* /index.html 200\n/m/ /index 200\n"), "", false)
	if len(kept) != 1 || kept[0].Source != "/m/" {
		t.Errorf("with html_handling = none, of two rules to an index the second is kept; got %v", kept)
	}
}

// Of too many rules Cloudflare ignores the last, static ones and others.
// https://developers.cloudflare.com/pages/configuration/redirects/
func TestCloudflare_Limits(t *testing.T) {
	if n := len(Cloudflare([]byte(many("/s", 2100)+many("/d/*", 200)+"/last /b 200\n"), "", true)); n != 2100 {
		t.Errorf("%d rules kept of 2,100 static ones and 200 others, want 2,000 and 100", n)
	}
	if n := len(Cloudflare([]byte("/"+strings.Repeat("x", 2000)+" /b 200\n/y /b 200"), "", true)); n != 1 {
		t.Errorf("%d rules kept, want the one that is not too long", n)
	}
}

// many are lines of rules whose sources end alike.
func many(source string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "/%d%s /b 200\n", i, source)
	}
	return b.String()
}

// A rule takes what a rule of _headers with the same path matches, and its destination is filled as
// a value there: the engine has one matcher for both.
func TestCloudflare_RulesMatchAsHeaderRulesDo(t *testing.T) {
	piece := rapid.SampledFrom([]string{"/", "a", "b", ":x", ":xy", ":y", "*", "-", ".html", "/a/", "%20", "é"})
	text := rapid.Custom(func(t *rapid.T) string {
		return "/" + strings.Join(rapid.SliceOfN(piece, 0, 5).Draw(t, "pieces"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		source, destination := text.Draw(t, "source"), strings.ReplaceAll(text.Draw(t, "destination"), "*", ":splat")
		pieces := rapid.SampledFrom(strings.Fields("/ a b - .html %20 x"))
		path := "/" + strings.Join(rapid.SliceOfN(pieces, 0, 6).Draw(t, "path"), "")
		routes := Cloudflare([]byte(source+" "+destination+" 200"), "", false)
		rule, err := headers.Cloudflare.ReadRule(source)
		if err != nil || len(routes) == 0 {
			if len(routes) > 0 {
				if _, takes := routes[0].Takes(path); takes {
					t.Fatalf("%s is no rule, and takes %s", source, path)
				}
			}
			return
		}
		to, takes := routes[0].Takes(path)
		want := rule.Fill(headers.Pathname(destination), "", path)
		switch matches := headers.Cloudflare.Match(rule, "", path); {
		case takes != matches:
			t.Fatalf("%s: takes %s: %t, want %t", source, path, takes, matches)
		case takes && to != want:
			t.Fatalf("%s %s: %s leads to %s, want %s", source, destination, path, to, want)
		}
	})
}

// No text makes a reader fail, and what a rule serves at a path is known of the file.
func FuzzRoutesAreKnownInBothDirections(f *testing.F) {
	f.Add("/a/* /b/:splat 200\n/:x/:x /:x 200\n/** /* 200\n/o.pdf /s.pdf 200!", "a/x")
	f.Add("https://a.example/* /:splat 200 Country=de\n/x/:a-:b /:a%20:b 200", "x/1-2")
	f.Fuzz(func(t *testing.T, file, path string) {
		if len(file) > 2000 || len(path) > 100 {
			return
		}
		path = (&url.URL{Path: "/" + path}).EscapedPath()
		routes := Cloudflare([]byte(file), "", true)
		for _, rule := range Netlify([]byte(file), "") {
			if r := rule.Route("a.example"); r != nil {
				routes = append(routes, r)
			}
		}
		for _, r := range routes {
			to, takes := r.Takes(path)
			if !takes || !r.Rewrites || to == "" || to[0] != '/' {
				continue
			}
			from, listed := r.Sources(to)
			same := func(f string) bool { return policy.Decoded(f) == policy.Decoded(path) }
			if listed && !slices.ContainsFunc(from, same) {
				t.Errorf("%s %s: %s leads to %s, which lists %q", r.Source, r.Destination, path, to, from)
			}
		}
	})
}
