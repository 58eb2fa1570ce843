package verify

import (
	"strings"
	"testing"
)

// shut is a robots.txt that keeps everyone from everything.
var shut = text200("User-agent: *\nDisallow: /\n")

// X, S3: a page that was to be in the index and is kept out of it is an error, by whatever it is
// kept out. So are a home page and a whole site that the snapshot of production itself has as
// noindex.
func TestHouse_APageThatLeavesTheIndexIsAnError(t *testing.T) {
	indexed := map[string]string{"/": "", "/about.html": "nosnippet", "/legal/": "noindex", "/data.json": ""}
	fine := func(changed host) host {
		files := host{"/": page(""), "/about.html": page("nosnippet"), "/legal/": page("noindex"),
			"/data.json": text200("{}")}
		for path, f := range changed {
			files[path] = f
		}
		return files
	}
	for _, test := range []struct {
		name     string
		decided  map[string]string
		files    host
		crawlers []string
		env      string
		want     string // a part of the one error; empty for none
	}{
		{name: "as decided", decided: indexed, files: fine(nil)},
		{name: "noindex throughout", decided: indexed, files: fine(host{"/": page("noindex"),
			"/about.html": page("", "X-Robots-Tag: noindex")}),
			want: "https://example.org/: 2 of 4 URLs should be indexed, but robots.txt, a header or a tag forbids " +
				"it: the home page / and /about.html " +
				`(/ for robots: noindex by <meta name="robots" content="noindex" /> in line 1). If this is intended, use --allow-noindex`},
		{name: "disallowed throughout", decided: map[string]string{"/": "", "/a": ""},
			files: fine(host{"/robots.txt": shut}), want: "all 2 URLs should be indexed, but robots.txt, a header " +
				"or a tag forbids it: the home page / and /a (/ for robots: robots.txt:2: Disallow: /)"},
		{name: "one page by none", decided: indexed, files: fine(host{"/about.html": page("none")}),
			want: "/about.html"},
		{name: "one crawler of those asked for", decided: indexed, files: fine(host{"/about.html": page("nosnippet",
			"X-Robots-Tag: bingbot: noindex")}), crawlers: []string{Everyone, "bingbot"},
			want: "/about.html for bingbot"},
		{name: "moved to a noindex page", decided: indexed, files: fine(host{"/about.html": moved("/new"),
			"/new": page("noindex")}), want: "/about.html"},
		{name: "other restrictions", decided: indexed, files: fine(host{"/about.html": page("nosnippet, nofollow, " +
			"noarchive")})},
		{name: "data that robots.txt keeps crawlers from", decided: indexed,
			files: fine(host{"/robots.txt": text200("User-agent: *\nDisallow: /data.json\n")})},
		{name: "a home page that is noindex in production", decided: map[string]string{"/": "noindex", "/a": ""},
			files: host{"/": page("noindex"), "/a": page("")}, want: "and the home page in it is noindex"},
		{name: "a site that is noindex in production", decided: map[string]string{"/": "noindex"},
			files: host{"/": page("noindex")}, want: "everything in it is noindex"},
		{name: "a home page that is noindex on another host of one's own", env: "staging",
			decided: map[string]string{"/": "noindex", "/a": ""}, files: host{"/": page("noindex"), "/a": page("")},
			want: "the snapshot is of staging, and the home page in it is noindex"},
		{name: "a preview", env: "preview", decided: map[string]string{"/": "noindex"},
			files: host{"/": page("noindex")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			o, _ := options(t, test.files)
			if test.crawlers != nil {
				o.Crawlers = test.crawlers
			}
			s := snapshotOf(test.decided)
			if test.env != "" {
				s.Environment = test.env
			}
			r := against(t, s, o)
			errors := faults(r, "\n")
			if !strings.Contains(errors, test.want) || (errors == "") != (test.want == "") ||
				r.Failed(false) != (test.want != "") {
				t.Errorf("failed %v, errors %q\nwant %q", r.Failed(false), errors, test.want)
			}
			o.AllowNoindex = true
			if r := against(t, s, o); len(r.Summary.Errors) > 0 || r.Failed(false) {
				t.Errorf("with --allow-noindex: failed, errors %q", r.Summary.Errors)
			}
		})
	}
}

// A crawler that is in question only because a decision or an answer names it keeps no page out of
// the index.
func TestHouse_CrawlersThatAreNoSearchEnginesDoNotHide(t *testing.T) {
	o, _ := options(t, host{"/": page(""), "/a": page("", "X-Robots-Tag: gptbot: noindex"),
		"/robots.txt": text200("User-agent: ccbot\nDisallow: /\n")})
	o.Crawlers = nil
	r := against(t, snapshotOf(map[string]string{"/": "", "/a": "index | ccbot: noai"}), o)
	if got := outcome(r.Results); !strings.Contains(got, "gptbot stricter") || !strings.Contains(got,
		"ccbot stricter") ||
		r.Failed(false) {
		t.Errorf("%s; errors %q", got, r.Summary.Errors)
	}
}

// The home page is asked whether or not a sitemap lists it: one that was made after an accident
// does not.
func TestHouse_SitemapsKnowTheHomePage(t *testing.T) {
	files := host{"/": page("noindex"), "/a": page(""), "/sitemap.xml": text200(sitemapOf(origin + "/a"))}
	o, _ := options(t, files)
	r, err := Sitemaps(t.Context(), o)
	if got := outcome(r.Results); err != nil || got != "/ robots stricter; /a robots match" || !r.Failed(false) ||
		!strings.Contains(faults(r, ""), "the home page /") {
		t.Errorf("%v: %s; errors %q", err, got, r.Summary.Errors)
	}
	files["/"], files["/a"] = page(""), page("noindex")
	if r, err = Sitemaps(t.Context(), o); err != nil || !r.Failed(false) {
		t.Errorf("%v: %s", err, outcome(r.Results))
	}
	o.AllowNoindex = true
	if r, err = Sitemaps(t.Context(), o); err != nil || r.Failed(false) || !r.Failed(true) {
		t.Errorf("%v: %s; errors %q", err, outcome(r.Results), r.Summary.Errors)
	}
}
