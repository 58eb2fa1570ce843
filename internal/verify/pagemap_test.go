package verify

import (
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstxt"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/internal/tables"
)

// servedAt is a snapshot of decisions by URL, of which some pages are served at other paths,
// separated by blanks; "none" for a page that is served nowhere.
func servedAt(decisions, served map[string]string) *snapshot.Snapshot {
	s := snapshotOf(decisions)
	for i := range s.Entries {
		e := &s.Entries[i]
		if text, ok := served[e.URL]; ok {
			e.Served = strings.Fields(strings.ReplaceAll(text, "none", ""))
		}
	}
	return s
}

// X, U1: a page is asked for where its hosts serve it, and what was decided has to hold at each of
// these addresses.
func TestHouse_APageIsAskedForWhereItIsServed(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/served.txt") {
		t.Run(c["name"], func(t *testing.T) {
			files, decided := host{}, map[string]string{}
			for path, text := range c.Files("answers") {
				files[path] = answerOf(strings.ReplaceAll(text, ";", " + "))
			}
			for url, text := range c.Files("decided") {
				decided[url] = text
			}
			o, w := options(t, files)
			r := against(t, servedAt(decided, c.Files("served")), o)
			var got []string
			for _, res := range r.Results {
				text := res.URL + " " + string(res.Verdict)
				if res.Why != "" {
					text += ": " + res.Why
				}
				got = append(got, text)
			}
			if text := strings.Join(got, " + "); text != c["want"] {
				t.Errorf("%s\nwant %s", text, c["want"])
			}
			asked := slices.DeleteFunc(w.asked(), func(line string) bool { return line == "GET /robots.txt" })
			if text := strings.ReplaceAll(strings.Join(asked, " "), "GET ", ""); text != c["asked"] {
				t.Errorf("asked %s, want %s", text, c["asked"])
			}
			if r.Summary.URLs != len(got)+r.Summary.Passed {
				t.Errorf("%+v", r.Summary)
			}
		})
	}
}

// Law: where a snapshot says nothing of addresses, every page is asked for at its URL, and the
// forms of a path are one page, as they are for the sitemaps of a site without a snapshot (X18n).
func TestLaw_WithoutAddressesThereAreForms(t *testing.T) {
	forms := []string{"/x", "/x/", "/x.html", "/x/index.html"}
	for _, url := range forms {
		for _, to := range forms {
			if to == url {
				continue
			}
			o, w := options(t, host{url: moved(to), to: page("noindex")})
			r := against(t, snapshotOf(map[string]string{url: "noindex"}), o)
			if res := find(t, r, url, Everyone); res.Verdict != seen.Match || w.asked()[1] != "GET "+url {
				t.Errorf("%s to %s: %+v; asked %q", url, to, res, w.asked())
			}
		}
	}
}

// What a file of a snapshot names is asked below the base, and nothing else: a path, whatever it
// says.
func TestHouse_NoAddressOfASnapshotNamesAHost(t *testing.T) {
	for _, at := range []string{"https://evil.example/x", "//evil.example/x", "x", "/x?y", "/x#y", ""} {
		o, w := options(t, host{"/a": page("")})
		s := snapshotOf(map[string]string{"/a": ""})
		s.Entries[0].Served = []string{at}
		if _, err := Against(t.Context(), s, o); err == nil || !strings.Contains(err.Error(), "not a path from the publish root") {
			t.Errorf("%q: error %v; asked %q", at, err, w.whole())
		}
	}
}

// The source of a rewrite need not be in the index: the page has a URL for that (X18m).
func TestHouse_ARewriteMayBeKeptFromTheIndex(t *testing.T) {
	for _, other := range []file{page("noindex"), page("")} {
		o, _ := options(t, host{"/p/": page(""), "/print": other,
			"/robots.txt": text200("User-agent: *\nDisallow: /print\n")})
		r := against(t, servedAt(map[string]string{"/p/": ""}, map[string]string{"/p/": "/p/ /print"}), o)
		if got := outcome(r.Results); got != "/p/ robots match; /print robots stricter" || r.Failed(false) {
			t.Errorf("%s; errors %q", got, r.Summary.Errors)
		}
	}
}

// S7: what robots.txt denied at the address where a page was served has to be denied where it is
// asked for.
func TestHouse_DenialsHoldAtTheAddress(t *testing.T) {
	said := robotstxt.Parse([]byte("User-agent: GPTBot\nDisallow: /p$\n"))
	for robots, want := range map[string]string{
		"User-agent: GPTBot\nDisallow: /p$\n":     "",
		"User-agent: GPTBot\nDisallow: /p.html\n": "https://example.org/robots.txt: none of the built lines is served: GPTBot may now fetch /p.html: Disallow: /p$ no longer holds (robots.txt)",
	} {
		o, _ := options(t, host{"/robots.txt": text200(robots), "/p": page("")})
		s := servedAt(map[string]string{"/p.html": ""}, map[string]string{"/p.html": "/p"})
		s.Robots = robotstxt.PerHost{"/": said}
		if got := faults(against(t, s, o), "; "); got != want {
			t.Errorf("%q: %q, want %q", robots, got, want)
		}
	}
}
