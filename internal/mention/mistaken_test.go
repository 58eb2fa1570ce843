package mention

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// N9h, N9i: a header that no crawler reads is known as such in the files of every host, if its name
// or its value says that it is meant for crawlers. A | ends a line.
func TestHouse_MistakenHeadersAreKnown(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"_headers", "/c.pdf|  X-Robot-Tag: noindex|", "2 X-Robot-Tag noindex X-Robots-Tag"},
		{"_headers", "/c.pdf|  x-robots: noindex, nofollow|", "2 x-robots noindex, nofollow X-Robots-Tag"},
		{"_headers", "/c.pdf|  Robots: noindex|  X-Meta-Robots: none",
			"2 Robots noindex X-Robots-Tag; 3 X-Meta-Robots none X-Robots-Tag"},
		{"_headers", "/c.pdf|  X_Robots_Tag: nosnippet|", "2 X_Robots_Tag nosnippet X-Robots-Tag"},
		{"_headers", "/c.pdf|  X–Robots–Tag: noindex|", "2 X–Robots–Tag noindex X-Robots-Tag"},
		{"_headers", "/c.pdf|  Googlebot: noindex|", "2 Googlebot noindex X-Robots-Tag"},
		{"_headers", "/c.pdf|  X-Search: googlebot: noindex|", "2 X-Search googlebot: noindex X-Robots-Tag"},
		{"_headers", "/c.pdf|  Noindex: true|", "2 Noindex true X-Robots-Tag"},
		{"_headers", "/c.pdf|  Content-Usages: train-ai=n|", "2 Content-Usages train-ai=n Content-Usage"},
		{"_headers", "/c.pdf|  AI: search=yes, ai-train=no|", "2 AI search=yes, ai-train=no Content-Signal"},
		{"_headers", "/c.pdf|  X-TDM-Reservation: 1|", "2 X-TDM-Reservation 1 tdm-reservation"},
		{"netlify.toml", "[[headers]]|for = \"/c.pdf\"|[headers.values]|Robots = \"noindex\"|",
			"4 Robots noindex X-Robots-Tag"},
		{"netlify.toml", "[[headers]]|for = \"/c.pdf\"|[headers.values]|\"X-Robot-Tag\" = [\"noindex\"]|",
			"4 X-Robot-Tag noindex X-Robots-Tag"},
		{"vercel.json", `{"headers": [{"source": "/c.pdf", "headers": [|{"key": "X-Robots", "value": "noindex"}]}]}`,
			"2 X-Robots noindex X-Robots-Tag"},
		{"firebase.json", `{"key": "Content-Usages",|"value": "train-ai=n"}`,
			"1 Content-Usages train-ai=n Content-Usage"},
		{"staticwebapp.config.json", `{"globalHeaders": {|"A": "b", "Robots": "noindex"}}`,
			"2 Robots noindex X-Robots-Tag"},
		{"customHttp.yml", "    headers:|      - key: 'X-Robot-Tag'|        value: 'noindex'|",
			"2 X-Robot-Tag noindex X-Robots-Tag"},
		{"customHttp.yml", "      - key: X-Robot-Tag|        value: noindex, nofollow|",
			"1 X-Robot-Tag noindex, nofollow X-Robots-Tag"},
		{"app.yaml", "  http_headers:|    X-Robots: noindex|", "2 X-Robots noindex X-Robots-Tag"},
		{".htaccess", "<Files c.pdf>|Header always set X-Robots \"noindex\"|", "2 X-Robots noindex X-Robots-Tag"},
		{"x.conf", "add_header X-Robot-Tag $robots always;|add_header Robots noindex;",
			"1 X-Robot-Tag $robots X-Robots-Tag; 2 Robots noindex X-Robots-Tag"},
		{"x.conf", "more_set_headers \"X-Robots: noindex\";", "1 X-Robots noindex X-Robots-Tag"},
		{"Caddyfile", "header /c.pdf X-Robots noindex|header {|\tX-Robot-Tag \"noindex\"|}",
			"1 X-Robots noindex X-Robots-Tag; 3 X-Robot-Tag noindex X-Robots-Tag"},
		{"web.config", `<add name="X-Robots" value="noindex" />`, "1 X-Robots noindex X-Robots-Tag"},
		{"middleware.js", "r.headers.set('X-Robot-Tag', 'noindex')|x({ headers: { 'Robots': 'noindex' } })",
			"1 X-Robot-Tag noindex X-Robots-Tag; 2 Robots noindex X-Robots-Tag"},
		{"a.php", "header('X-Robots: noindex');|header(\"X-Robot-Tag: $robots\");",
			"1 X-Robots noindex X-Robots-Tag; 2 X-Robot-Tag $robots X-Robots-Tag"},
		{"k8s/ingress.yaml", "a: >|  add_header X-Robot-Tag noindex;|", "2 X-Robot-Tag noindex X-Robots-Tag"},
		{"nuxt.config.ts", "r: { '/a': { headers: { 'Robots': 'noindex' } } }", "1 Robots noindex X-Robots-Tag"},

		// One item of the value that is not read changes nothing about the others.
		{"_headers", "/c.pdf|  X-Robot-Tag: noindex, nofolow|", "2 X-Robot-Tag noindex, nofolow X-Robots-Tag"},
		{"_headers", "/c.pdf|  X-Robots: somebot: noindex|", "2 X-Robots somebot: noindex X-Robots-Tag"},
		// A name with quotation marks, a hyphen of a list or a blank is another one.
		{"_headers", "/c.pdf|  \"X-Robots-Tag\": noindex|", "2 \"X-Robots-Tag\" noindex X-Robots-Tag"},
		{"_headers", "/c.pdf|  - X-Robots-Tag: noindex|", "2 - X-Robots-Tag noindex X-Robots-Tag"},
		{"_headers", "/c.pdf|  X-Robots Tag: noindex|", "2 X-Robots Tag noindex X-Robots-Tag"},
		// The value comes first.
		{"vercel.json", `{"value": "noindex", "key": "X-Robots"}`, "1 X-Robots noindex X-Robots-Tag"},
		{"web.config", `<add value="noindex" name="X-Robots" />`, "1 X-Robots noindex X-Robots-Tag"},

		{"k8s/job.yaml", "env:|- name: ROBOTS|  value: noindex|", ""},
		{"data.yml", "- name: robots|  value: noindex, nofollow|- key: x|  value: noindex|robots: noindex|", ""},
		{"x.config.js", "meta: [{ name: 'robots', content: 'noindex' }], robots: 'noindex'", ""},
		{"_headers", "/c.pdf|  X-Robots-Tag: noindex|  x-robots-tag: none|  Content-Usage: train-ai=n|", ""},
		{"_headers", "/c.pdf|  Cache-Control: none|  Accept-Ranges: none|  Pragma: nocache|  Cache-Control: no-cache|",
			""},
		{"_headers", "/c.pdf|  X-Permitted-Cross-Domain-Policies: none|  Referrer-Policy: no-referrer|  Google: notranslate|",
			""},
		{"_headers", "/c.pdf|  Netlify-Cache-Tag: noindex|  Surrogate-Key: noindex|", ""},
		{"_headers", "/c.pdf|  Link: </x>; rel=\"nofollow\"|  Content-Type: text/plain|  Content-Language: n|", ""},
		{"_headers", "/c.pdf|  X-Robots: all|  X-Robot-Tag: index, follow|  Content-Usages: train-ai=y|" +
			"  X-Robot-Detected: none|",
			""},
		{"_headers", "/c.pdf|  X-TDM-Reservation: 0|  tdm-policy: https://a.example/|  # X-Robots: noindex|", ""},
		{"_headers", "# metarobots: begin|", ""},
		{"netlify.toml", "[build.environment]|ROBOTS = \"noindex\"|X_ROBOTS_TAG = \"noindex\"|", ""},
		{"vercel.json", `{"env": {"ROBOTS": "noindex"}, ` +
			`"headers": [{"source": "/x", "headers": [{"key": "A", "value": "b"}]}]}`,
			""},
		{"x.conf", "map $uri $x_robots_tag {|default \"noindex\";|}|set $robots \"noindex\";|" +
			"proxy_set_header X-Robots noindex;",
			""},
		{".htaccess", "SetEnvIf Request_URI x ROBOTS=noindex|Header unset X-Robot-Tag|RequestHeader set X-Robots noindex",
			""},
		{"middleware.js", "const robots = 'noindex'; const xRobotsTag = \"noindex\"|x = { robots: 'noindex' }|" +
			"params.set('robots', 'noindex')",
			""},
		{"middleware.js", "// headers.set('X-Robots', 'noindex')", ""},
		{"wrangler.toml", "[vars]|ROBOTS = \"noindex\"|", ""},
	} {
		var got []string
		for _, m := range Lookup(c.file).Mistakes([]byte(strings.ReplaceAll(c.text, "|", "\n"))) {
			got = append(got, fmt.Sprintf("%d %s %s %s", m.Number, m.Header, m.Value, m.Meant))
		}
		want := slices.DeleteFunc(strings.Split(c.want, "; "), func(s string) bool { return s == "" })
		if !slices.Equal(got, want) {
			t.Errorf("%s: %s\ngot  %q\nwant %q", c.file, c.text, got, want)
		}
	}
}
