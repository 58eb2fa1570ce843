package headerfile_test

import (
	"slices"
	"strings"
	"testing"

	"metarobots/internal/headerfile"
	"metarobots/policy"
)

// answerCases are an owner's file for a target each, of a site with index.html and the error page
// 404.html.
var answerCases = []struct {
	about, target, file string
	want                string // the answers with the error page, with "-" for one without the header
	isStray             bool   // the line has header-redirected
}{
	{"no file", "netlify", "x: x", "-", false},
	{"Netlify, one of two", "netlify", "out/_headers: /404|  X-Robots-Tag: noindex|", "-, noindex", false},
	{"Netlify, both", "netlify", "out/_headers: /404*|  X-Robots-Tag: noindex|", "noindex", false},
	{"netlify.toml goes first", "netlify", "netlify.toml: [[headers]]|for = \"/404*\"|values.X-Robots-Tag = \"noindex\"|",
		"noindex", false},
	{"netlify.toml, one of two", "netlify", "netlify.toml: [[headers]]|for = \"/404\"|values.X-Robots-Tag = \"noindex\"|",
		"-, noindex", false},
	{"netlify.toml is Netlify's alone", "portable",
		"netlify.toml: [[headers]]|for = \"/404*\"|values.X-Robots-Tag = \"noindex\"|", "-, noindex", false},
	{"Cloudflare, where it is served", "cloudflare", "out/_headers: /404|  X-Robots-Tag: noindex|", "noindex", false},
	{"Cloudflare, where it is redirected", "cloudflare", "out/_headers: /404.html|  X-Robots-Tag: noindex|", "-", true},
	{"by the file's name", "firebase", strayFile("firebase", clean, noindex("/404.html")), "-", true},
	{"by the file's name", "vercel", strayFile("vercel", clean, noindex("/404.html")), "-", true},
	{"by the file's name, served there", "firebase", strayFile("firebase", "", noindex("/404.html")), "noindex", false},
	{"where it is served", "firebase", strayFile("firebase", cut, noindex("/404")), "noindex", false},
	{"where it is served", "vercel", strayFile("vercel", cut, noindex("/404")), "noindex", false},
	{"with and without a slash", "vercel", strayFile("vercel", clean, noindex("/404")), "-, noindex", false},
	{"a line for each", "vercel", strayFile("vercel", cut, noindex("/404.html"), noindex("/404")), "noindex", false},
	{"a program", "vercel", "vercel.ts: export const config = {}", "-", false},
	{"for all files", "apache", "out/.htaccess: Header set X-Robots-Tag \"noindex\"|", "noindex", false},
}

// L3i, U3f: of an error page, a line of the owner's counts where the host serves the page, and at no
// other path, since no rule of ours says it again.
func TestHouse_AnswersWithAnErrorPage(t *testing.T) {
	for _, c := range answerCases {
		w, err := openPublished(t, c.target, []string{"404.html", "index.html"}, c.file)
		if err != nil {
			t.Errorf("%s, %s: %v", c.about, c.target, err)
			continue
		}
		w.compile([]headerfile.Decided{{Name: "404.html", Role: policy.RoleError}, {Name: "index.html"}})
		var got []string
		for _, h := range w.files.All {
			for _, answer := range h.Answers("404.html") {
				if text := answer.String(); text == "" {
					got = append(got, "-")
				} else {
					got = append(got, text)
				}
			}
			if sent := h.Sent("404.html", policy.RoleError, false); c.want == "-" && len(sent.Owners) > 0 {
				t.Errorf("%s, %s: Sent has %v", c.about, c.target, sent.Owners)
			}
		}
		slices.Sort(got)
		if got := strings.Join(slices.Compact(got), ", "); got != c.want {
			t.Errorf("%s, %s: got %q, want %q", c.about, c.target, got, c.want)
		}
		isRedirected := func(f policy.Finding) bool { return f.ID == "header-redirected" }
		if got := slices.ContainsFunc(w.found, isRedirected); got != c.isStray {
			t.Errorf("%s, %s: header-redirected is %v, want %v", c.about, c.target, got, c.isStray)
		}
	}
}
