package headers

import (
	"testing"

	"metarobots/emit/robotstag"
)

// A rule that spells out a request path matches it and its like, and nothing else.
func TestHouse_RulesNameThemExactly(t *testing.T) {
	files := []string{"index.html", "q/index.html", "p.html", "a.b(c)+d$.pdf", "café.pdf", "a^b.txt", "12:30.txt",
		"x|y[1].json"}
	for _, d := range []*Dialect{Cloudflare, Netlify} {
		for _, a := range files {
			for form := range d.Requests(nil, a, "") {
				if !d.canName(form) {
					t.Errorf("%s: %s cannot be named", d.Name(), form)
					continue
				}
				f := d.Parse([]byte(rules(form, "v")), robotstag.Name)
				for _, b := range files {
					for other := range d.Requests(nil, b, "") {
						if got, want := d.Match(&f.Rules[0], "", other), d.key(other) == d.key(form); got != want {
							t.Errorf("%s: rule %s on %s: %v, want %v", d.Name(), form, other, got, want)
						}
					}
				}
			}
		}
	}
}
