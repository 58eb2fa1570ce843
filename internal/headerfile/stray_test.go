package headerfile_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/headerfile"
)

// strayRule is a rule of firebase.json or vercel.json for a pattern.
func strayRule(pattern, header, value string) string {
	return fmt.Sprintf(`{"source": %q, "headers": [{"key": %q, "value": %q}]},|`, pattern, header, value)
}

// strayFile is a firebase.json or vercel.json: its settings, then rules from line 2 on.
func strayFile(target, settings string, rules ...string) string {
	list := settings + `"headers": [|` + strings.TrimSuffix(strings.Join(rules, ""), ",|") + "]"
	if target == "firebase" {
		return `firebase.json: {"hosting": {"public": "out", ` + list + "}}"
	}
	return "vercel.json: {" + list + "}"
}

// Settings of firebase.json and vercel.json.
const (
	clean    = `"cleanUrls": true, `
	slashed  = `"cleanUrls": true, "trailingSlash": true, `
	cut      = `"cleanUrls": true, "trailingSlash": false, `
	redirect = `"redirects": [{"source": "/p", "destination": "/new", "type": 301}], `
)

func noindex(pattern string) string  { return strayRule(pattern, "X-Robots-Tag", "noindex") }
func reserved(pattern string) string { return strayRule(pattern, "tdm-reservation", "1") }

// strayCases are an owner's file for a target each, of a site with index.html, new.html, p.html,
// q/index.html and n.html, which is decided to be noindex.
var strayCases = []struct {
	about, target, file string
	want                []string // what the messages have, in the order of their lines
}{
	// Of X-Robots-Tag the file's own path counts by whatever setting, and ours say it at /p.
	{"X-Robots-Tag at the file's name", "firebase", strayFile("firebase", clean, noindex("/p.html")), nil},
	{"X-Robots-Tag at the file's name", "vercel", strayFile("vercel", clean, noindex("/p.html")), nil},
	{"AI at the file's name", "firebase", strayFile("firebase", clean, reserved("/p.html")),
		[]string{"2 /p.html, which the host only redirects to /p: ~. Write the rule for /p"}},
	{"AI at the file's name", "vercel", strayFile("vercel", clean, reserved("/p.html")),
		[]string{"2 /p.html, which the host only redirects to /p: ~. Write the rule for /p"}},
	{"AI at the name of an index", "vercel", strayFile("vercel", clean, reserved("/q/index.html")),
		[]string{"2 /q/index.html, which the host only redirects to /q: ~. Write the rule for /q"}},
	{"AI at the file's name, served there", "firebase", strayFile("firebase", "", reserved("/p.html")), nil},
	{"AI allowed", "firebase", strayFile("firebase", clean, strayRule("/p.html", "tdm-reservation", "0")), nil},
	{"AI at all names", "firebase", strayFile("firebase", clean, reserved("/**/p.html")),
		[]string{"2 /p.html, which the host only redirects to /p"}},
	{"AI at all paths", "firebase", strayFile("firebase", clean, reserved("/**")), nil},
	{"AI at what begins so", "vercel", strayFile("vercel", clean, reserved("/p(.*)")), nil},
	{"a slash that is cut", "firebase", strayFile("firebase", cut, noindex("/p/")),
		[]string{"2 /p/, which the host only redirects to /p"}},
	{"a slash that is cut", "vercel", strayFile("vercel", cut, noindex("/p/")),
		[]string{"2 /p/, which the host only redirects to /p"}},
	{"an expression for it", "firebase",
		strayFile("firebase", cut, strings.Replace(noindex("^/p/$"), "source", "regex", 1)),
		[]string{"2 /p/, which the host only redirects to /p"}},
	{"a slash that is added", "vercel", strayFile("vercel", slashed, noindex("/p")),
		[]string{"2 /p, which the host only redirects to /p/: ~. Write the rule for /p/"}},
	// A slash at the end is no difference to a glob of Firebase.
	{"a slash that is added", "firebase", strayFile("firebase", slashed, noindex("/p")), nil},
	{"a line for each", "vercel", strayFile("vercel", slashed, noindex("/p"), noindex("/p/")), nil},
	{"a line for each path of AI", "vercel", strayFile("vercel", clean+`"x": 1, `, reserved("/p.html"),
		reserved("/p"), reserved("/p/")), nil},
	{"another line for the file", "vercel",
		strayFile("vercel", slashed, noindex("/p"), strayRule("/p/", "X-Robots-Tag", "nosnippet")),
		[]string{"2 /p, which the host only redirects to /p/"}},
	{"a file that is decided so", "vercel", strayFile("vercel", slashed, noindex("/n")), nil},
	{"no clean URLs", "firebase", strayFile("firebase", "", noindex("/p")),
		[]string{"2 /p, where the host does not serve p.html: ~ /p.html. Write the rule for /p.html"}},
	{"no clean URLs", "vercel", strayFile("vercel", "", noindex("/p")),
		[]string{"2 /p, where the host does not serve p.html: ~ /p.html. Write the rule for /p.html"}},
	{"nothing there", "vercel", strayFile("vercel", "", noindex("/nothing")), nil},
	{"a condition", "vercel", strayFile("vercel", slashed, strings.Replace(noindex("/p"),
		`"headers"`, `"has": [{"type": "host", "value": "b"}], "headers"`, 1)), nil},
	{"the owner's redirect of one path", "vercel", strayFile("vercel", clean+redirect, noindex("/p")),
		[]string{"2 /p, which vercel.json:1 redirects to /new: ~ served at /p/. State it in the policy"}},
	{"the owner's redirect of the only path", "firebase", strayFile("firebase", clean+redirect, noindex("/p")), nil},
	{"Azure's redirect", "azure", `out/staticwebapp.config.json: {"routes": [|{"route": "/p", "redirect": "/new"},|` +
		`{"route": "/p", "headers": {"X-Robots-Tag": "noindex"}}]}`,
		[]string{"3 /p, which out/staticwebapp.config.json:2 redirects to /new: ~ served at /p.html. State"}},
	{"Azure serves both", "azure", `out/staticwebapp.config.json: {"routes": [|{"route": "/p.html", "headers": ` +
		`{"tdm-reservation": "1"}}]}`, nil},
	{"Amplify serves both", "amplify", "customHttp.yml: customHeaders:|- pattern: /p|  headers:|" +
		"  - {key: tdm-reservation, value: '1'}|", nil},
	{"vercel.toml", "vercel", "vercel.toml: cleanUrls = true|[[headers]]|source = \"/p.html\"|headers = [|" +
		"{ key = \"tdm-reservation\", value = \"1\" }]|",
		[]string{"5 /p.html, which the host only redirects to /p: ~. Write the rule for /p"}},
	{"netlify.toml", "netlify", "netlify.toml: [[headers]]|for = \"/p.html\"|values.X-Robots-Tag = \"noindex\"|" +
		"[[redirects]]|from = \"/p.html\"|to = \"/new\"|force = true|",
		[]string{"3 /p.html, which netlify.toml:4 redirects to /new: ~ served at /p"}},
	{"for all files", "apache", "out/.htaccess: Header set X-Robots-Tag \"noindex\"|", nil},
}

// U3b, U3d, U3e, U3f: what an owner states in firebase.json, vercel.json and their like for a path at
// which the file is not served is a warning at its line, unless the file has it all the same.
// https://github.com/firebase/superstatic src/middleware/headers.js: by the path that is asked for
// https://github.com/vercel/vercel packages/routing-utils/src/index.ts: redirects go before headers
func TestHouse_LinesForPathsWithoutTheirFile(t *testing.T) {
	for _, c := range strayCases {
		published := []string{"index.html", "n.html", "new.html", "p.html", "q/index.html"}
		w, err := openPublished(t, c.target, published, c.file)
		if err != nil {
			t.Errorf("%s, %s: %v", c.about, c.target, err)
			continue
		}
		var decided []headerfile.Decided
		for _, name := range published {
			d := headerfile.Decided{Name: name}
			if name == "n.html" {
				d.Header = []string{"noindex"}
			}
			decided = append(decided, d)
		}
		w.compile(decided)
		name, _, _ := strings.Cut(c.file, ": ")
		var got []string
		for _, f := range w.found {
			if f.ID == "header-redirected" {
				_, message, _ := strings.Cut(f.Text(), " is for ")
				got = append(got, fmt.Sprintf("%d %s", f.Line, message))
				if filepath.ToSlash(f.File) != name {
					t.Errorf("%s, %s: at %s", c.about, c.target, f.File)
				}
			}
		}
		if !slices.EqualFunc(got, c.want, saysAll) {
			t.Errorf("%s, %s: got %q, want %q", c.about, c.target, got, c.want)
		}
	}
}

// saysAll reports whether a message begins with the first of some parts, with ~ between them, and has
// the others.
func saysAll(message, parts string) bool {
	begin, others, _ := strings.Cut(parts, "~")
	return strings.HasPrefix(message, begin) && strings.Contains(message, others)
}
