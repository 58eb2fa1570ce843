package headers

import (
	"fmt"
	"strings"
	"testing"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
)

// Eight times as many lines, rules or paths take about eight times as much: what an
// owner's file holds costs no more than its length.
func TestHouse_NoFileCostsMoreThanItsLength(t *testing.T) {
	t.Parallel()
	page := []robotstag.Want{file("a.pdf", "noindex"), file("b.html", "noindex, follow")}
	compile := func(target, user string, wants []robotstag.Want) func() {
		return func() { compile([]byte(user), wants, robotstag.Task{Target: target}) }
	}
	for _, row := range []struct {
		about string
		run   func(n int) func()
	}{
		{"our blocks one after the other", func(n int) func() {
			return compile(TargetNetlify, strings.Repeat(marks.Begin+"\n/x\n  X-Robots-Tag: a\n"+marks.End+"\n", n), page)
		}},
		{"begin marks in begin marks", func(n int) func() {
			return compile(TargetNetlify, strings.Repeat(marks.Begin+"\n", n)+strings.Repeat(marks.End+"\n", n), page)
		}},
		{"marked lines", func(n int) func() {
			return compile(TargetNetlify, "/a\n"+strings.Repeat(markLine+"\n  X-Robots-Tag: a\n", n), page)
		}},
		{"one header many times", func(n int) func() {
			return compile(TargetNetlify, "/a.pdf\n"+strings.Repeat("  X-Robots-Tag: nofollow\n", n), page)
		}},
		{"rules of one path", func(n int) func() {
			return compile(TargetNetlify, numbered(n, "/a.pdf\n  X-Robots-Tag: max-snippet:%d\n"), page)
		}},
		{"rules with a star, each of its own folder", func(n int) func() {
			user := numbered(n, "/d%d/*\n  X-Robots-Tag: noindex\n")
			return compile(TargetNetlify, user, many(n, "d%d/a.pdf", "nofollow"))
		}},
		{"rules past the limit", func(n int) func() {
			return compile(TargetCloudflare, numbered(n, "/d%d/*\n  X-Robots-Tag: noindex\n"), page)
		}},
		{"lines that are none", func(n int) func() {
			return compile(TargetPortable, strings.Repeat("stray\n", n), page)
		}},
		{"names that differ in case alone", func(n int) func() {
			var wants []robotstag.Want
			for i := range n {
				name := []byte("aaaaaaaaaaaaaaaa.pdf")
				for b := range 16 {
					if i>>b&1 == 1 {
						name[b] = 'A'
					}
				}
				wants = append(wants, file(string(name), []string{"noindex", "nofollow"}[i%2]))
			}
			return compile(TargetNetlify, "", wants)
		}},
	} {
		t.Run(row.about, func(t *testing.T) { tables.Linear(t, row.run) })
	}
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// A request is compared with the rules whose text before the star it begins with,
// not with all. (Netlify's /d4/* takes /d4711 too.)
func TestHouse_ARequestIsComparedWithFewRules(t *testing.T) {
	t.Parallel()
	for _, d := range []*Dialect{Cloudflare, Netlify} {
		f := &Parsed{}
		for i := range 20_000 {
			r := tables.Value(d.ReadRule(fmt.Sprintf("/d%d/*", i)))(t)
			f.Rules = append(f.Rules, *r)
			f.heads.Add(r.head+r.exact, i)
		}
		compared := f.heads.Of(nil, "/d4711/a.pdf")
		if found := d.matching(f, "", "/d4711/a.pdf"); len(found) == 0 || len(compared) > 10 {
			t.Errorf("%s: %d rules found, %d compared", d.Name(), len(found), len(compared))
		}
	}
}

// Rules that every request has to be compared with are limited: beyond, the file is
// refused before any file of the site is looked at, and nothing is written (N5l).
func TestHouse_TooManyWildcardsAreAnError(t *testing.T) {
	t.Parallel()
	wants := []robotstag.Want{file("a.pdf", "noindex")}
	for about, user := range map[string]string{
		"many rules": numbered(5_000, "/*x%d\n  X-Robots-Tag: noindex\n"),
		"one long":   "/" + strings.Repeat("*a", 20_000) + "\n  X-Robots-Tag: noindex\n",
		"places":     strings.Repeat("/:a", 20_000) + "\n  X-Robots-Tag: noindex\n",
	} {
		for _, target := range []string{TargetNetlify, TargetPortable} {
			res, err := compile([]byte(user), wants, robotstag.Task{Target: target})
			if err == nil || res.File != nil || !strings.Contains(err.Error(), "line ") {
				t.Errorf("%s, %s: error %v", about, target, err)
			}
			if _, err := readRules([]byte(user), robotstag.Task{Target: target}); err == nil {
				t.Errorf("%s, %s: read without an error", about, target)
			}
		}
	}
}

// A placeholder's text may hold the names of others, and those again: the value does not grow with
// it.
func TestHouse_PlaceholdersDoNotMultiply(t *testing.T) {
	f := Cloudflare.Parse([]byte("/:a/:b/:c/:d/:e\n  X-Robots-Tag: "+strings.Repeat(":a", 500)+"\n"), robotstag.Name)
	path := ""
	for _, next := range []string{":b", ":c", ":d", ":e", "x"} {
		path += "/" + strings.Repeat(next, 500)
	}
	for _, v := range Cloudflare.Values(f, "", path) {
		if len(v.Text) > maxValue {
			t.Errorf("a value of %d bytes", len(v.Text))
		}
	}
}
