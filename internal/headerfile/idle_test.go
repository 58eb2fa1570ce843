package headerfile_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/headerfile"
)

// noindexed is a _headers file with noindex for some paths.
func noindexed(paths ...string) string {
	file := "out/_headers: "
	for _, path := range paths {
		file += path + "|  X-Robots-Tag: noindex|"
	}
	return file
}

var typo = noindexed("/typo.pdf")

const meantTypos = `/typo.pdf, where nothing is published (did you mean "/typos.pdf"?)`

// idleCases are an owner's file for a target each, of a site with index.html, 404.html, typos.pdf,
// a/index.html, drafts/one.pdf, files/plan.pdf and app.css.
var idleCases = []struct {
	about, target, files string   // ; ends a file
	want                 []string // the line, the severity's first letter, and what the message has behind the value
}{
	{"a path", "vercel", strayFile("vercel", "", noindex("/typo.pdf"), reserved("/typo.pdf")),
		[]string{"2 w " + meantTypos,
			"3 w " + meantTypos}},
	{"a path", "firebase", strayFile("firebase", "", noindex("/typo.pdf")),
		[]string{"2 w " + meantTypos}},
	{"a path", "amplify",
		"customHttp.yml: customHeaders:|- pattern: /typo.pdf|" +
			"  headers:|  - {key: X-Robots-Tag, value: noindex}|",
		[]string{"4 w " + meantTypos}},
	{"a path", "azure", `out/staticwebapp.config.json: {"routes": [|{"route": "/typo.pdf", ` +
		`"headers": {"X-Robots-Tag": "noindex"}}]}`,
		[]string{"2 w " + meantTypos}},
	{"a name", "apache", "out/.htaccess: <Files typo.pdf>|Header set X-Robots-Tag noindex|</Files>|<Files none.doc>|" +
		"Header set X-Robots-Tag noindex|</Files>|<Files *.doc>|Header set X-Robots-Tag noindex|</Files>|",
		[]string{`2 w files called typo.pdf, and none is published (did you mean "typos.pdf"?)`,
			"5 n files called none.doc, and none is published"}},
	{"a path", "portable", typo,
		[]string{"2 w " + meantTypos}},
	{"another case", "cloudflare", noindexed("/Drafts/One.pdf"),
		[]string{`2 w /Drafts/One.pdf, where nothing is published (did you mean "/drafts/one.pdf"?)`}},
	{"another case, which Netlify ignores", "netlify", noindexed("/Drafts/One.pdf"), nil},
	{"a folder of the path", "netlify", noindexed("/draft/one.pdf"),
		[]string{`2 w /draft/one.pdf, where nothing is published (did you mean "/drafts/one.pdf"?)`}},
	{"a page", "netlify", noindexed("/b/", "/aa/"),
		[]string{"2 n /b/, where nothing is published (and 1 more line is for such paths)"}},
	{"the only file of that name", "netlify", noindexed("/plan.pdf"),
		[]string{`2 w /plan.pdf, where nothing is published (did you mean "/files/plan.pdf"?)`}},
	{"a file of another kind", "netlify", noindexed("/app.js", "/app.pdf"),
		[]string{"2 n /app.js, where nothing is published (and 1 more line is for such paths)"}},
	{"a folder", "cloudflare", noindexed("/draft/*", "/private/*"),
		[]string{`2 w /draft/*, where nothing is published (did you mean "/drafts/*"?)`}},
	{"a folder", "firebase", strayFile("firebase", "", noindex("/draft/**"), noindex("/private/**")),
		[]string{`2 w /draft/*, where nothing is published (did you mean "/drafts/*"?)`}},
	{"a folder", "vercel", strayFile("vercel", "", noindex("/draft/(.*)"), noindex("/(.*).doc")),
		[]string{`2 w /draft/*, where nothing is published (did you mean "/drafts/*"?)`}},
	{"two paths of two lines", "netlify", noindexed("/typo.pdf", "/typos.pdf"), nil},
	{"a value that allows", "netlify", "out/_headers: /typo.pdf|  X-Robots-Tag: all|  tdm-reservation: 0|", nil},
	{"paths of hosts and of code", "cloudflare", noindexed("/api/x", "/robots.txt") +
		"/cdn-cgi/x|  X-Robots-Tag: noindex|/.well-known/x|  X-Robots-Tag: noindex|/404|  X-Robots-Tag: noindex|", nil},
	{"paths of an error page", "netlify", noindexed("/404", "/404.html", "/404/a.pdf", "/robots.txt"), nil},
	{"paths that begin like those of hosts", "netlify", noindexed("/404x.pdf", "/404-internal/a.pdf", "/robots.txt.old"),
		[]string{"2 n /404x.pdf, where nothing is published (and 2 more lines are for such paths)"}},
	{"a path with more behind it, which is a finding", "cloudflare", noindexed("/typo.pdf # x", "/typo.pdf /b", "/none /b"),
		nil},
	{"a path with more behind it, which is a finding", "netlify", noindexed("/typo.pdf # x", "/none"),
		[]string{"4 n /none, where nothing is published"}},
	{"a host", "cloudflare", noindexed("https://x.pages.dev/typo.pdf"), nil},
	{"a redirect", "netlify", typo + ";out/_redirects: /typo.pdf /typos.pdf 301|", nil},
	{"a proxy", "netlify", typo + ";out/_redirects: /* https://x.example/:splat 200|", nil},
	{"a function", "netlify", typo + ";out/_redirects: /typo.pdf /.netlify/functions/x 200|", nil},
	{"a country", "netlify", typo + ";out/_redirects: /typo.pdf /typos.pdf 301 Country=de|", nil},
	{"a page of an application", "netlify", typo + ";out/_redirects: /* /index.html 200|", nil},
	{"gone", "netlify", typo + ";out/_redirects: /typo.pdf /404.html 410|", nil},
	{"not found", "netlify", typo + ";out/_redirects: /* /404.html 404|",
		[]string{"2 w " + meantTypos}},
	{"a rewrite", "vercel", strayFile("vercel", `"rewrites": [{"source": "/(.*)", "destination": "/api/x"}], `,
		noindex("/typo.pdf")), nil},
	{"an unread rewrite", "vercel", strayFile("vercel", `"rewrites": [{"source": "/:x(t|u)ypo.pdf",
		"destination": "/api/x"}], `,
		noindex("/typo.pdf")), nil},
	{"a function", "firebase", strayFile("firebase", `"rewrites": [{"source": "**", "function": "x"}], `,
		noindex("/typo.pdf")), nil},
	{"code at the edge", "cloudflare",
		"out/_headers: /x/y|  X-Robots-Tag: noindex|/typo.pdf|  X-Robots-Tag: noindex|;" +
			"functions/x.js: export", []string{"4 w " + meantTypos}},
	{"middleware", "netlify", noindexed("/x/y") + ";src/middleware.mts: export", nil},
	{"middleware", "netlify", noindexed("/x/y") + ";middleware.cjs: export", nil},
	{"middleware", "netlify", noindexed("/x/y") + ";proxy.ts: export", nil},
	{"what has a name like it", "netlify", noindexed("/x/y") + ";proxy.json: {};src/proxies.ts: export",
		[]string{"2 n /x/y, where nothing is published"}},
	{"another line in its place", "apache", "out/.htaccess: <Files typos.pdf>|Header set X-Robots-Tag noindex|" +
		"Header set X-Robots-Tag nosnippet|</Files>|", nil},
	{"another line in its place", "vercel", strayFile("vercel", "", noindex("/drafts/(.*)"),
		strayRule("/(.*)", "X-Robots-Tag", "nosnippet")), nil},
	{"a condition", "vercel", strayFile("vercel", "", strings.Replace(noindex("/typo.pdf"), `"headers"`,
		`"has": [{"type": "host", "value": "b"}], "headers"`, 1)), nil},
}

// U3g, U3h, U3i: what an owner states for a path at which nothing is published is a finding at its
// line, in the file of any host.
func TestHouse_LinesForPathsWithoutAnyFile(t *testing.T) {
	for _, c := range idleCases {
		published := []string{"index.html", "404.html", "typos.pdf", "a/index.html", "drafts/one.pdf",
			"files/plan.pdf", "app.css"}
		w, err := openPublished(t, c.target, published, strings.Split(c.files, ";")...)
		if err != nil {
			t.Errorf("%s, %s: %v", c.about, c.target, err)
			continue
		}
		var decided []headerfile.Decided
		for _, name := range published {
			decided = append(decided, headerfile.Decided{Name: name})
		}
		w.compile(decided)
		name, _, _ := strings.Cut(c.files, ": ")
		var got []string
		for _, f := range w.found {
			if f.ID != "selects-nothing" {
				continue
			}
			_, message, _ := strings.Cut(f.Message, " is for ")
			got = append(got, fmt.Sprintf("%d %c %s", f.Line, f.Severity[0], message))
			if filepath.ToSlash(f.File) != name {
				t.Errorf("%s, %s: at %s", c.about, c.target, f.File)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s, %s: got %q, want %q", c.about, c.target, got, c.want)
		}
	}
}
