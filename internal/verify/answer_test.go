package verify

import (
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstag"
	"metarobots/internal/seen"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// D: a header line more never takes anything back, but where indexifembedded is in play (D3) or a
// crawler obeys the allowing one (A5). And a header is reported as it came.
func FuzzLaw_ALineMoreTakesNothingBack(f *testing.F) {
	f.Add("noindex", "googlebot: nosnippet, bingbot: noarchive", "<meta name=robots content=none>", "text/html")
	f.Add("unavailable_after: 25-Aug-2007 15:00:00 EST", "max-snippet:5", "\xff\xfe<\x00", "text/html; charset=utf-16")
	f.Add("\x1b[2J", "", "<meta charset=iso-2022-jp>\x1b$B", "")
	f.Add("", "all", "<meta http-equiv=refresh content='0; url=//x@y/'>", "application/xhtml+xml")
	f.Fuzz(func(t *testing.T, line, more, body, contentType string) {
		o, _ := options(t, host{})
		o.Crawlers = nil
		r := newRun(o, []root{{folder: "/", base: o.Base}})
		tables.Must(t, r.start(t.Context(), nil))
		tgt := target{name: "/x", page: "/x", address: "/x", root: root{folder: "/", server: r.servers[0]}, at: mustBase(t, origin),
			decision: &seen.Told{Robots: seen.Read("noindex, nofollow"),
				Crawlers: map[string]seen.Text{"bingbot": seen.Read("noindex, nofollow, noarchive")}}}
		answers := func(lines ...string) []seen.Answer {
			a := &answer{path: nil, status: 200}
			a.path = append(a.path, tgt.at)
			a.readResponse(&response{status: 200, header: map[string][]string{robotstag.Name: lines,
				"Content-Type": {contentType}}, body: []byte(body)}, r.known)
			if !slices.Equal(lines, a.robotsTags()) {
				t.Errorf("header %q, want %q", a.robotsTags(), lines)
			}
			return r.compareAnswer(&tgt, a)
		}
		one := answers(line)
		for _, res := range one {
			if want := []string{line}; !slices.Equal(res.Header, want) {
				t.Errorf("%s: header %q, want %q as it came", res.Crawler, res.Header, want)
			}
		}
		if strings.Contains(strings.ToLower(line+more+body), "embed") {
			return
		}
		two := answers(line, more)
		for _, a := range one {
			i := slices.IndexFunc(two, func(b seen.Answer) bool { return a.Crawler == b.Crawler })
			if i < 0 {
				t.Fatalf("%s is no longer answered for", a.Crawler)
			}
			b := two[i]
			c, _ := r.known.Lookup(a.Crawler)
			if a.Verdict != seen.Looser && b.Verdict == seen.Looser && !c.AllowWins {
				t.Errorf("%s: %q and %s, then with %q %s", a.Crawler, line, a.Verdict, more, b.Verdict)
			}
		}
	})
}

// compare is a partial order's: equal both ways is a match, and a join is as strict as its parts.
func FuzzLaw_ComparisonIsAPartialOrder(f *testing.F) {
	f.Add("noindex, nosnippet", "nosnippet")
	f.Add("none", "noindex, indexifembedded")
	f.Add("max-snippet:5, noimageindex", "max-image-preview:standard, noml")
	f.Fuzz(func(t *testing.T, x, y string) {
		read := func(text string) policy.Directives {
			r, _ := policy.Parse(text, policy.Found)
			return policy.At(policy.Origin{}, r)[0].Directives
		}
		a, b := read(x), read(y)
		join := policy.MostRestrictive(a, b)
		if v := seen.Compare(a, a); v != seen.Match {
			t.Errorf("%q is %s than itself", x, v)
		}
		if v := seen.Compare(join, a); v == seen.Looser {
			t.Errorf("%q and %q together are looser than the first", x, y)
		}
		if seen.Compare(a, b) == seen.Match != (seen.Compare(b, a) == seen.Match) || seen.Compare(a, b) == seen.Stricter && seen.Compare(b, a) != seen.Looser {
			t.Errorf("%q, %q: %s and %s", x, y, seen.Compare(a, b), seen.Compare(b, a))
		}
		if v := seen.Compare(a, b); v == seen.Looser != (len(missing(a, b)) > 0) {
			t.Errorf("%q is %s than %q and missing %q", x, v, y, missing(a, b))
		}
	})
}

// What is printed is written as documented: read so, nothing of it is missing.
func FuzzLaw_WhatIsPrintedIsDocumented(f *testing.F) {
	f.Add("noindex, unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, weird words")
	f.Add("none; max-snippet : 5, max-image-preview:none")
	f.Fuzz(func(t *testing.T, text string) {
		read := func(text string, as policy.Text) policy.Directives {
			r, _ := policy.Parse(text, as)
			return r.Directives
		}
		printed := read(text, policy.Found).String()
		if documented := read(printed, policy.Documented); !documented.Covers(read(printed, policy.Found)) {
			t.Errorf("%q of %q is not all documented: %q", printed, text, documented)
		}
		if documented := read(text, policy.Documented); !read(text, policy.Found).Covers(documented) {
			t.Errorf("%q says less than the part that is documented, %q", text, documented)
		}
	})
}

// Sitemaps of any bytes are read without harm, and an address is never empty.
func FuzzHouse_SitemapsOfAnyBytes(f *testing.F) {
	f.Add([]byte(sitemapOf("https://example.org/")))
	f.Add([]byte(packed(indexOf("https://example.org/a.xml"))))
	f.Add([]byte("https://example.org/\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		locs, _, err := locations(data)
		if err != nil && len(locs) > 0 {
			t.Errorf("%v with %q", err, locs)
		}
		if slices.Contains(locs, "") {
			t.Errorf("%q", locs)
		}
		o, _ := options(t, host{})
		r := newRun(o, []root{{folder: "/", base: o.Base}})
		tables.Must(t, r.start(t.Context(), nil))
		c := newCollector(r, root{base: o.Base})
		for _, loc := range locs {
			c.addURL(loc)
			c.addSitemap(loc, "here")
		}
		for _, tgt := range c.targets {
			if !sameHost(tgt.at, o.Base) || tgt.at.User != nil {
				t.Errorf("%s is asked", tgt.at)
			}
		}
		for _, l := range c.queue {
			if !sameHost(l.at, o.Base) || l.at.User != nil {
				t.Errorf("%s is read", l.at)
			}
		}
	})
}
