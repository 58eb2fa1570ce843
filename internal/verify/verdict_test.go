package verify

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// X: what a crawler reads at a URL, against what was decided. Each row is one URL of its own site.
func TestHouse_Verdicts(t *testing.T) {
	gone := host{}
	for _, test := range []struct {
		name    string
		decided string
		answers host // more files; the URL is /x
		x       file
		want    Verdict
		got     string
		why     string // a part of it
		note    string
	}{
		// Tag and header.
		{name: "tag", decided: "noindex, follow", x: page("noindex, follow"), want: Match, got: "noindex, follow"},
		{name: "header", decided: "noindex, follow", x: page("", "X-Robots-Tag: noindex"), want: Match,
			got: "noindex, follow"},
		{name: "both together", decided: "noindex, nofollow", x: page("nofollow", "X-Robots-Tag: noindex"), want: Match,
			got: "noindex, nofollow"},
		{name: "no restriction and nothing said", decided: "index, follow, max-snippet:-1", x: page(""), want: Match,
			got: "all"},
		{name: "implied words do not count", decided: "noindex, follow", x: page("noindex, nosnippet, notranslate"),
			want: Match},
		{name: "nor do they when decided", decided: "noindex, nosnippet", x: page("noindex"), want: Match},
		{name: "noindex is more than nosnippet", decided: "nosnippet", x: page("noindex"), want: Stricter,
			why: `noindex by <meta name="robots" content="noindex" /> in line 1`},
		{name: "lost tag", decided: "noindex, follow", x: page(""), want: Looser, got: "all",
			why: "noindex missing; neither header nor tag says anything"},
		{name: "opened tag", decided: "noindex, nofollow", x: page("index, follow"), want: Looser,
			why: `noindex, nofollow missing; <meta name="robots" content="index, follow" /> in line 1`},
		{name: "longer snippet", decided: "max-snippet:20", x: page("max-snippet:50"), want: Looser,
			why: "max-snippet:20 missing"},
		{name: "shorter snippet", decided: "max-snippet:50", x: page("max-snippet:20"), want: Stricter,
			why: "max-snippet:20 by"},
		{name: "neither of two", decided: "noarchive", x: page("nosnippet"), want: Looser, why: "noarchive missing"},
		{name: "closed by header", decided: "index, follow", x: page("index, follow", "X-Robots-Tag: noindex"),
			want: Stricter, why: "noindex by X-Robots-Tag: noindex",
			note: "the header says noindex, the page index"},
		{name: "embeddable", decided: "noindex, indexifembedded", x: page("noindex, indexifembedded"), want: Match},
		{name: "embeddable in the page, not in the header", decided: "noindex, indexifembedded",
			x: page("noindex, indexifembedded", "X-Robots-Tag: noindex"), want: Stricter,
			note: "the header says noindex, the page noindex, indexifembedded"},
		{name: "no longer embeddable only", decided: "noindex", x: page("noindex, indexifembedded"), want: Looser},
		{name: "expired", decided: "noindex", x: page("unavailable_after: 2020-01-01"), want: Match, got: "noindex"},
		{name: "decided before it expired", decided: "index, follow, unavailable_after: 2026-06-01T00:00:00Z",
			x: page("unavailable_after: 2026-06-01"), want: Match},
		{name: "not yet expired", decided: "noindex", x: page("unavailable_after: 2030-01-01"), want: Looser},
		{name: "unknown words", decided: "noindex", x: page("noindex, nosuchword"), want: Stricter,
			why: "nosuchword by"},
		{name: "a tag in a comment", decided: "noindex", x: file{header: []string{htmlType},
			body: `<!-- <meta name="robots" content="noindex"> --><title>x</title>`}, want: Looser},
		{name: "a tag in the body", decided: "noindex", x: file{header: []string{htmlType},
			body: "<title>x</title><p>\n<meta name=ROBOTS content=NOINDEX>"}, want: Match},
		{name: "two tags", decided: "noindex, nofollow", x: file{header: []string{htmlType},
			body: `<meta name="robots" content="noindex"><meta name="robots" content="nofollow">`}, want: Match},

		// D4 reads words between blanks, semicolons and quotes; a crawler may not.
		{name: "blanks between words", decided: "noindex", x: page("noindex nofollow"), want: Looser,
			got: "noindex, nofollow", why: "not as documented"},
		{name: "semicolons", decided: "nofollow", x: pdf("X-Robots-Tag: noindex; nofollow"), want: Looser,
			why: "X-Robots-Tag: noindex; nofollow"},
		{name: "quotes", decided: "noindex", x: pdf(`X-Robots-Tag: "noindex"`), want: Looser},
		{name: "a blank that is none of HTML's", decided: "noindex", x: page("noindex&nbsp;"), want: Looser,
			why: `content="noindex\u00a0"`},
		{name: "no room between words", decided: "noindex", x: page("\u200bnoindex"), want: Looser},
		{name: "a crawler without a colon", decided: "noindex", x: pdf("X-Robots-Tag: googlebot noindex"),
			want: Looser},
		{name: "one word as documented, one not", decided: "noindex", x: page("noindex, nosnippet nofollow"),
			want: Stricter},
		{name: "what may be read is stricter", decided: "index, follow", x: page("noindex; nofollow"), want: Stricter},
		{name: "blanks around colons and commas", decided: "noindex, max-snippet:5",
			x: pdf("X-Robots-Tag: robots : noindex ,max-snippet : 5"), want: Match},

		// Headers.
		{name: "repeated header lines", decided: "noindex, nofollow", x: pdf("X-Robots-Tag: noindex",
			"X-Robots-Tag: nofollow"), want: Match},
		{name: "a line for another crawler", decided: "noindex", x: pdf("X-Robots-Tag: bingbot: noindex"),
			want: Looser},
		{name: "several crawlers in one line", decided: "nosnippet", x: pdf("X-Robots-Tag: nosnippet, bingbot: " +
			"noindex, googlebot: noarchive"), want: Match},
		{name: "a date with its commas", decided: "noindex", x: pdf("X-Robots-Tag: unavailable_after: Friday, " +
			"25-Jun-10 15:00:00 UTC"), want: Match},
		{name: "what a terminal would obey is kept as it came", decided: "noindex",
			x: pdf("X-Robots-Tag: \x1b[2Jindex"), want: Looser, why: "X-Robots-Tag: \x1b[2Jindex"},

		// Statuses.
		{name: "gone", decided: "index, follow", x: file{status: 410}, want: Unreachable, why: "status 410"},
		{name: "a noindex on an error page", decided: "noindex", x: file{status: 404,
			header: []string{"X-Robots-Tag: noindex"}}, want: Unreachable, why: "status 404"},
		{name: "a door", decided: "index, follow", x: file{status: 401}, want: Unreachable, why: "--user"},
		{name: "broken", decided: "index, follow", x: file{status: 500}, want: Unreachable, why: "status 500"},
		{name: "no content", decided: "index, follow", x: file{status: 204}, want: Unreachable, why: "no content"},
		{name: "several choices", decided: "index, follow", x: file{status: 300, header: []string{"Location: /y"}},
			want: Unreachable, why: "status 300"},
		{name: "not modified, header enough", decided: "noindex", x: file{status: 304,
			header: []string{"X-Robots-Tag: noindex"}}, want: Match, note: "answered 304"},
		{name: "not modified, tag not seen", decided: "noindex", x: file{status: 304}, want: Unreachable,
			why: "status 304", note: "answered 304"},
		{name: "a part", decided: "noindex", x: file{status: 206, header: []string{htmlType},
			body: page("noindex").body}, want: Match, note: "answered 206"},
		{name: "accepted", decided: "noindex", x: file{status: 202, header: []string{htmlType},
			body: page("noindex").body}, want: Match},

		// Redirects.
		{name: "to the same page", decided: "noindex", x: moved("/x/"), answers: host{"/x/": page("noindex")},
			want: Match},
		{name: "to the same page, loose", decided: "noindex", x: moved("/x/"), answers: host{"/x/": page("")},
			want: Looser},
		{name: "a header on the redirect alone", decided: "noindex", x: moved("/x/", "X-Robots-Tag: noindex"),
			answers: host{"/x/": page("")}, want: Looser},
		{name: "to another page", decided: "noindex", x: moved("/y"), answers: host{"/y": page("nosnippet")},
			want: Redirected, got: "nosnippet", why: "it leads to https://example.org/y"},
		{name: "to another page that is gone", decided: "noindex", x: moved("/y"), want: Unreachable,
			why: "status 404"},
		{name: "to another host", decided: "noindex", x: moved("https://other.example/x"), want: Redirected,
			got: "redirect", why: "another host: https://other.example/x"},
		{name: "to a user of another host", decided: "noindex", x: moved("https://me:secret@other.example/x"),
			want: Redirected, why: "another host: https://other.example/x"},
		{name: "to no page at all", decided: "noindex", x: moved("mailto:a@example.org"), want: Redirected,
			why: "mailto:"},
		{name: "to nowhere", decided: "noindex", x: file{status: 302}, want: Unreachable, why: "without a location"},
		{name: "to no URL", decided: "noindex", x: moved("http://[::1"), want: Unreachable, why: "what is not a URL"},
		{name: "in a circle", decided: "noindex", x: moved("/y"), answers: host{"/y": moved("/x")}, want: Unreachable,
			why: "circle"},
		{name: "to itself", decided: "noindex", x: moved("/x"), want: Unreachable, why: "circle"},
		{name: "by meta refresh", decided: "noindex", x: file{header: []string{htmlType},
			body: `<meta http-equiv="refresh" content="0; url=/y"><title>x</title>`}, want: Redirected,
			why: "a meta refresh leads to https://example.org/y"},
		{name: "by meta refresh to itself", decided: "noindex", x: file{header: []string{htmlType},
			body: `<meta http-equiv="refresh" content="0; url=/x/"><meta name="robots" content="noindex">`},
			want: Match},
		{name: "by a header", decided: "noindex", x: page("noindex", "Refresh: 0; url=/y"), want: Redirected,
			got: "redirect", why: "a Refresh header leads to https://example.org/y"},
		{name: "by a header to another host", decided: "index, follow", x: page("",
			"Refresh: 0;URL='https://other.example/'"), want: Redirected, why: "https://other.example/"},
		{name: "by a header, of a file", decided: "noindex", x: pdf("X-Robots-Tag: noindex", "Refresh: 0; url=/y"),
			want: Redirected, why: "a Refresh header"},
		{name: "by a header, later", decided: "noindex", x: page("noindex", "Refresh: 5; url=/y"), want: Match},
		{name: "by a header to itself", decided: "noindex", x: page("noindex", "Refresh: 0; url=/x/"), want: Match},
		{name: "by a header that says nothing", decided: "noindex", x: page("noindex", "Refresh: soon"), want: Match},
		{name: "by meta refresh, later", decided: "noindex", x: file{header: []string{htmlType},
			body: `<meta http-equiv="refresh" content="30; url=/y"><meta name="robots" content="noindex">`},
			want: Match},

		// Decided to be a redirect.
		{name: "redirect page", decided: "redirect", x: file{header: []string{htmlType},
			body: `<meta http-equiv="refresh" content="0; url=/y">`}, want: Match, got: "redirect"},
		{name: "redirect page with noindex", decided: "redirect", x: file{header: []string{htmlType},
			body: `<meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url=/y">`}, want: Match,
			note: "its target may be dropped"},
		{name: "redirect by a header", decided: "redirect", x: page("", "Refresh: 0; url=/y"), want: Match,
			got: "redirect"},
		{name: "redirect by the host", decided: "redirect", x: moved("/y"), answers: host{"/y": page("")}, want: Match,
			got: "redirect"},
		{name: "redirect to another host", decided: "redirect", x: moved("https://other.example/"), want: Match,
			got: "redirect"},
		{name: "no redirect any more", decided: "redirect", x: page(""), want: Looser, why: "it sends nobody on"},
		{name: "redirect that is gone", decided: "redirect", x: gone["/"], answers: nil, want: Looser},

		// Bodies.
		{name: "sniffed", decided: "noindex", x: file{body: page("noindex").body}, want: Match},
		{name: "plain text", decided: "noindex", x: file{header: []string{"Content-Type: text/plain"},
			body: page("noindex").body}, want: Looser},
		{name: "XHTML", decided: "noindex", x: file{header: []string{"Content-Type: application/xhtml+xml"},
			body: `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><meta name="robots" content="noindex"/></head></html>`}, want: Match},
		{name: "a broken type", decided: "noindex", x: file{header: []string{"Content-Type: TEXT/HTML; charset"},
			body: page("noindex").body}, want: Match},
		{name: "byte order mark", decided: "noindex", x: file{header: []string{htmlType}, body: "\ufeff" +
			page("noindex").body}, want: Match},
		{name: "UTF-16 by its mark", decided: "noindex", x: file{header: []string{htmlType}, body: "\xff\xfe" +
			wide(page("noindex").body)}, want: Match},
		{name: "UTF-16 by its type", decided: "noindex", x: file{header: []string{"Content-Type: text/html; " +
			"charset=UTF-16"}, body: wide(page("noindex").body)}, want: Match},
		{name: "ISO-2022-JP", decided: "noindex", x: file{header: []string{"Content-Type: text/html; " +
			"charset=iso-2022-jp"}, body: "<title>\x1b$B4A\x1b(B</title><meta name=robots content=noindex>"},
			want: Match},
		{name: "hidden by ISO-2022-JP", decided: "index, follow", x: file{header: []string{htmlType},
			body: "<meta charset=iso-2022-jp><title>\x1b$B</title><meta name=robots content=noindex>"}, want: Stricter},
		{name: "an encoding nobody asked for", decided: "noindex", x: page("noindex", "Content-Encoding: br"),
			want: Unreachable, why: `encoded as "br"`},
		{name: "no gzip", decided: "noindex", x: page("noindex", "Content-Encoding: gzip"), want: Unreachable,
			why: "is not gzip"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := host{"/x": test.x}
			for path, f := range test.answers {
				files[path] = f
			}
			o, w := options(t, files)
			r := against(t, snapshotOf(map[string]string{"/x": test.decided}), o)
			res := find(t, r, "/x", Everyone)
			if res.Verdict != test.want || test.got != "" && !strings.HasPrefix(res.Got, test.got) ||
				!strings.Contains(res.Why, test.why) {
				t.Errorf("%s, got %q, why %q\nwant %s, %q, %q", res.Verdict, res.Got, res.Why, test.want, test.got,
					test.why)
			}
			if (test.why == "") && (test.want == Looser || test.want == Stricter) && res.Why == "" {
				t.Errorf("%s says not why", res.Verdict)
			}
			if note := strings.Join(res.Notes, "; "); !strings.Contains(note, test.note) || test.note == "" &&
				note != "" && !strings.Contains(note, "HEAD") {
				t.Errorf("notes %q, want %q", note, test.note)
			}
			if strings.Contains(strings.Join(append(res.Header, res.Why, res.Location), ""), "secret") {
				t.Errorf("a password is shown: %+v", res)
			}
			for _, request := range w.requests {
				if request.URL.Host != "example.org" {
					t.Errorf("%s was asked", request.URL)
				}
			}
		})
	}
}

func wide(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteByte(text[i])
		b.WriteByte(0)
	}
	return b.String()
}

// Each URL is asked once, as crawlers ask: no HEAD, which servers answer carelessly, and no range, to which some answer
// with other headers.
func TestHouse_OneGetForEachURL(t *testing.T) {
	o, w := options(t, host{"/a.pdf": pdf("X-Robots-Tag: noindex"), "/b.html": page("")})
	against(t, snapshotOf(map[string]string{"/a.pdf": "noindex", "/b.html": ""}), o)
	if got, want := w.asked(), []string{"GET /robots.txt", "GET /a.pdf", "GET /b.html"}; !slices.Equal(got, want) {
		t.Errorf("asked %q, want %q", got, want)
	}
	for _, request := range w.requests {
		if request.Header.Get("Range") != "" {
			t.Errorf("%s asks for a part", request.URL)
		}
	}
}

// https://developers.google.com/crawling/docs/troubleshooting/http-status-codes: up to ten hops.
func TestGoogle_TenHopsAreFollowed(t *testing.T) {
	hop := func(n int) string { return "/hop" + string(rune('a'+n)) }
	for _, hops := range []int{10, 11} {
		files := host{hop(hops): page("")}
		for i := range hops {
			files[hop(i)] = moved(hop(i + 1))
		}
		o, _ := options(t, files)
		res := find(t, against(t, snapshotOf(map[string]string{hop(0): ""}), o), hop(0), Everyone)
		if want := map[int]Verdict{10: Redirected, 11: Unreachable}[hops]; res.Verdict != want {
			t.Errorf("%d hops: %s (%s), want %s", hops, res.Verdict, res.Why, want)
		}
	}
}

// What was decided of the page that a redirect leads to is what counts; the page itself tells where it is not so.
func TestHouse_RedirectsTakeTheTargetsDecision(t *testing.T) {
	o, _ := options(t, host{"/a": moved("/b"), "/b": page("noindex")})
	r := against(t, snapshotOf(map[string]string{"/a": "", "/b": "noindex"}), o)
	if a := find(t, r, "/a", Everyone); a.Verdict != Redirected || a.Want != "noindex, follow" ||
		a.Location != origin+"/b" {
		t.Errorf("%+v", a)
	}
	if b := find(t, r, "/b", Everyone); b.Verdict != Match {
		t.Errorf("%+v", b)
	}
}

// http and https at their usual ports are one host; a host's own way to https is no other page.
func TestHouse_SchemesOfOneHost(t *testing.T) {
	o, w := optionsAt(t, "http://Example.org", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "https://example.org"+r.URL.RequestURI())
		w.WriteHeader(http.StatusMovedPermanently)
	}))
	w.hosts["https://example.org"] = host{"/x": page("noindex")}
	res := find(t, against(t, snapshotOf(map[string]string{"/x": "noindex"}), o), "/x", Everyone)
	if res.Verdict != Match || res.Location != "https://example.org/x" {
		t.Errorf("%+v", res)
	}
	o, _ = optionsAt(t, "http://example.org:8080", host{"/x": moved("http://example.org:9090/x")})
	if res := find(t, against(t, snapshotOf(map[string]string{"/x": ""}), o), "/x",
		Everyone); res.Verdict != Redirected {
		t.Errorf("another port: %+v", res)
	}
}

// A2, A5: each crawler reads what is said to it, and the answer is for those that a decision or an answer names too.
func TestGoogle_EachCrawlerReadsItsOwn(t *testing.T) {
	files := host{"/x": {header: []string{htmlType, "X-Robots-Tag: gptbot: noai"},
		body: `<meta name="robots" content="max-snippet:50"><meta name="googlebot" content="noindex"><meta name="yandex" content="noindex"><meta name="gptbot" content="noindex"><meta name="author" content="noindex">`}}
	o, _ := options(t, files)
	o.Crawlers = nil
	r := against(t, snapshotOf(map[string]string{"/x": "index, follow, max-snippet:50 | googlebot: noindex, follow | " +
		"seznambot: index, follow, noarchive"}), o)
	want := "/x robots match; /x bingbot match; /x googlebot match; /x gptbot stricter; /x seznambot looser; /x " +
		"yandex stricter"
	if got := outcome(r.Results); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	o.Crawlers = []string{"Googlebot-News", "*"}
	r = against(t, snapshotOf(map[string]string{"/x": "index, follow, max-snippet:50 | googlebot: noindex, follow"}), o)
	if got, want := outcome(r.Results), "/x robots match; /x googlebot-news match"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if news := find(t, r, "/x", "googlebot-news"); news.Got != "noindex, follow" {
		t.Errorf("googlebot-news reads %q, want what googlebot is told", news.Got)
	}
}

// A5: with Yandex the allowing one of two statements wins.
// https://yandex.com/support/webmaster/controlling-robot/meta-robots.html
func TestYandex_AllowingWins(t *testing.T) {
	o, _ := options(t, host{"/x": page("index, follow", "X-Robots-Tag: yandex: noindex, nofollow"), "/y": page("follow",
		"X-Robots-Tag: yandex: noindex, nofollow")})
	o.Crawlers = []string{"yandex"}
	s := snapshotOf(map[string]string{"/x": "index, follow | yandex: noindex, nofollow",
		"/y": "index, follow | yandex: noindex, nofollow"})
	r := against(t, s, o)
	if x := find(t, r, "/x", "yandex"); x.Verdict != Looser || x.Got != "index, follow" {
		t.Errorf("%+v", x)
	}
	if y := find(t, r, "/y", "yandex"); y.Verdict != Looser || y.Got != "noindex, follow" {
		t.Errorf("%+v", y)
	}
}

// X, L7: a date that has passed is as good as noindex to Google, and nothing to those whose documentation does not have
// unavailable_after.
func TestHouse_PastDatesCountWhereTheyAreDocumented(t *testing.T) {
	for decided, content := range map[string]string{"noindex": "unavailable_after: 2020-01-01",
		"index, follow, unavailable_after: 2026-06-01T00:00:00Z": "unavailable_after: 2026-06-01"} {
		for _, x := range []file{page(content), pdf("X-Robots-Tag: " + content)} {
			o, _ := options(t, host{"/x": x})
			o.Crawlers = []string{Everyone, "googlebot", "googlebot-news", "bingbot", "yandex"}
			r := against(t, snapshotOf(map[string]string{"/x": decided}), o)
			want := "/x robots match; /x bingbot looser; /x googlebot match; /x googlebot-news match; /x yandex looser"
			if got := outcome(r.Results); got != want || !r.Failed(false) {
				t.Errorf("%s: %s\nwant %s", decided, got, want)
			}
			if bing := find(t, r, "/x", "bingbot"); !strings.Contains(bing.Why, "noindex missing; ") ||
				!strings.HasSuffix(bing.Why, "bingbot does not document unavailable_after: a new build says noindex") {
				t.Errorf("%q", bing.Why)
			}
		}
	}
	// A date to come says the same to all, and one that nobody decided hides from Google alone.
	for content, want := range map[string]string{
		"unavailable_after: 2030-01-01": "/x robots stricter; /x bingbot stricter; /x googlebot stricter",
		"unavailable_after: 2020-01-01": "/x robots stricter; /x bingbot stricter; /x googlebot stricter",
	} {
		o, _ := options(t, host{"/x": page(content)})
		o.Crawlers = nil
		r := against(t, snapshotOf(map[string]string{"/x": ""}), o)
		if got := outcome(r.Results); got != want || r.Failed(false) != strings.Contains(content, "2020") {
			t.Errorf("%s: %s\nwant %s; errors %q", content, got, want, r.Summary.Errors)
		}
	}
}

// L3, L6: nothing was decided of control files and error pages.
func TestHouse_FilesWithoutPolicyAreNotAsked(t *testing.T) {
	o, w := options(t, host{"/": page("")})
	r := against(t, snapshotOf(map[string]string{"/": "", "/_headers": "control", "/404.html": "error"}), o)
	if s := r.Summary; s.URLs != 3 || s.Passed != 2 || s.Asked != 1 || s.Match != 1 || s.Left != 0 {
		t.Errorf("%+v", s)
	}
	if got := w.asked(); slices.Contains(got, "HEAD /_headers") {
		t.Errorf("asked %q", got)
	}
}

// The publish root may lie below a path, and URLs are asked as they are encoded.
func TestHouse_BaseWithAPath(t *testing.T) {
	o, w := optionsAt(t, origin+"/sub%20dir", host{"/sub%20dir/%C3%A4/a%2Fb%3F.html": page("noindex")})
	r := against(t, snapshotOf(map[string]string{"/%C3%A4/a%2Fb%3F.html": "noindex"}), o)
	if got := outcome(r.Results); got != "/%C3%A4/a%2Fb%3F.html robots match" {
		t.Errorf("%s; asked %q", got, w.asked())
	}
	if got := w.asked(); got[0] != "GET /robots.txt" {
		t.Errorf("robots.txt is asked as %q", got[0])
	}
	o, _ = options(t, host{})
	for _, bad := range []string{"x", "//host/x", "https://other.example/", "/x?y", "/x#y", "/%zz"} {
		if _, err := Against(t.Context(), snapshotOf(map[string]string{bad: ""}), o); err == nil ||
			!strings.Contains(err.Error(), "is not a path from the publish root") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

// What is odd about the whole run is told.
func TestHouse_Warnings(t *testing.T) {
	o, _ := options(t, host{})
	s := snapshotOf(map[string]string{"/a": "noindex", "/b": "noindex, nofollow", "/r": "redirect"})
	s.Environment = "staging"
	r := against(t, s, o)
	if w := strings.Join(r.Summary.Warnings, "\n"); !strings.Contains(w, "environment staging") || !strings.Contains(w,
		"every URL answers 404") {
		t.Errorf("warnings %q", w)
	}
	o, _ = options(t, host{"/a": moved("https://www.example.org/a"), "/b": moved("https://www.example.org/b")})
	r = against(t, snapshotOf(map[string]string{"/a": "", "/b": ""}), o)
	const away = "the site at https://example.org/ redirects away: all 2 URLs lead to another host, /a to " +
		"https://www.example.org/a for one: verify that host, or let verify in (--user, --header)"
	if !slices.Equal(r.Summary.Errors, []string{away}) || !r.Failed(false) {
		t.Errorf("failed %v, errors %q", r.Failed(false), r.Summary.Errors)
	}
	o, _ = options(t, host{"/a": moved("https://www.example.org/a")})
	r = against(t, snapshotOf(map[string]string{"/a": ""}), o)
	if e := strings.Join(r.Summary.Errors, "\n"); !strings.Contains(e, "every URL leads elsewhere") ||
		!r.Failed(false) {
		t.Errorf("failed %v, errors %q", r.Failed(false), e)
	}
}

// Exit codes: looser and unreachable fail, the others where it is asked for.
func TestHouse_FailedByVerdict(t *testing.T) {
	for v, want := range map[Verdict][2]bool{Match: {false, false}, Looser: {true, true}, Unreachable: {true, true},
		Stricter: {false, true}, Redirected: {false, true}} {
		var r Report
		r.Summary.count([]Comparison{{Verdict: Match}, {Verdict: v}})
		r.Summary.count([]Comparison{{Verdict: Match}})
		if got := [2]bool{r.Failed(false), r.Failed(true)}; got != want {
			t.Errorf("%s: failed %v, want %v", v, got, want)
		}
		if v.Bad() != want[0] {
			t.Errorf("%s: bad %v", v, v.Bad())
		}
	}
}
