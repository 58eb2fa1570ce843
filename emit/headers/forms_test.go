package headers

import (
	"slices"
	"testing"

	"metarobots/emit/robotstag"
)

// Section 4: the paths with status 200, and those that are redirected there.
func TestHouse_FormsAreServedOrRedirected(t *testing.T) {
	l := func(s ...string) []string { return s }
	rows := []struct {
		d                  *Dialect
		file               string
		served, redirected []string
	}{
		{Cloudflare, "index.html", l("/"), l("/index", "/index.html")},
		{Cloudflare, "q/index.html", l("/q/"), l("/q", "/q/index", "/q/index.html")},
		{Cloudflare, "p.html", l("/p"), l("/p/", "/p.html")},
		{Cloudflare, "d/p.html", l("/d/p"), l("/d/p/", "/d/p.html")},
		{Cloudflare, "d/x.pdf", l("/d/x.pdf"), nil},
		{Cloudflare, "x.htm", l("/x.htm"), nil},
		{Cloudflare, ".html", l("/.html"), nil},
		{Netlify, "index.html", l("/", "/index.html"), nil},
		{Netlify, "q/index.html", l("/q/", "/q", "/q/index.html"), nil},
		{Netlify, "p.html", l("/p", "/p/", "/p.html"), nil},
		{Netlify, "d/x.pdf", l("/d/x.pdf"), nil},
		// Section 3: the encoding.
		{Netlify, "café/a b.pdf", l("/caf%C3%A9/a%20b.pdf"), nil},
		{Cloudflare, "a^b\"#%<>?`{}.txt", l("/a%5Eb%22%23%25%3C%3E%3F%60%7B%7D.txt"), nil},
		{Cloudflare, "a(b)'~!*-_.txt", l("/a(b)'~!*-_.txt"), nil},
		// Workers redirect the raw spelling to the encoded one, the others serve both.
		{Cloudflare, "e+f, g.pdf", l("/e+f,%20g.pdf", "/e%2Bf%2C%20g.pdf"), nil},
		{Cloudflare, "a@b/index.html", l("/a@b/", "/a%40b/"),
			l("/a@b", "/a@b/index", "/a@b/index.html", "/a%40b", "/a%40b/index", "/a%40b/index.html")},
	}
	for _, row := range rows {
		served, redirected := Forms(row.d, row.file)
		if !slices.Equal(served, row.served) || !slices.Equal(redirected, row.redirected) {
			t.Errorf("Forms(%s, %q) = %q, %q; want %q, %q", row.d.Name(), row.file, served, redirected, row.served,
				row.redirected)
		}
	}
}

// A rule that spells out a request path matches it and its like, and nothing else.
func TestHouse_RulesNameThemExactly(t *testing.T) {
	files := []string{"index.html", "q/index.html", "p.html", "a.b(c)+d$.pdf", "café.pdf", "a^b.txt", "12:30.txt",
		"x|y[1].json"}
	for _, d := range []*Dialect{Cloudflare, Netlify} {
		for _, a := range files {
			served, _ := Forms(d, a)
			for _, form := range served {
				if !d.canName(form) {
					t.Errorf("%s: %s cannot be named", d.Name(), form)
					continue
				}
				f := d.Parse([]byte(rules(form, "v")), robotstag.Name)
				for _, b := range files {
					others, _ := Forms(d, b)
					for _, other := range others {
						if got, want := d.Match(&f.Rules[0], "", other), d.key(other) == d.key(form); got != want {
							t.Errorf("%s: rule %s on %s: %v, want %v", d.Name(), form, other, got, want)
						}
					}
				}
			}
		}
	}
}
