package verify

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"metarobots/internal/seen"
	"metarobots/internal/tables"
)

// X: what a crawler reads at a URL, against what was decided. Each row is one URL of its own site.
func TestHouse_Verdicts(t *testing.T) {
	for _, test := range tables.Read(t, "testdata/verdicts.txt") {
		t.Run(test["name"], func(t *testing.T) {
			files := host{"/x": answerOf(test["answer"])}
			if path, more, ok := strings.Cut(test["more"], " + "); ok {
				files[path] = answerOf(more)
			}
			want := seen.Verdict(test["want"])
			o, w := options(t, files)
			r := against(t, snapshotOf(map[string]string{"/x": test["decided"]}), o)
			res := find(t, r, "/x", Everyone)
			if res.Verdict != want || test["got"] != "" && !strings.HasPrefix(res.Got, test["got"]) ||
				!strings.Contains(res.Why, test["why"]) {
				t.Errorf("%s, got %q, why %q\nwant %s, %q, %q", res.Verdict, res.Got, res.Why, want, test["got"],
					test["why"])
			}
			if (test["why"] == "") && (want == seen.Looser || want == seen.Stricter) && res.Why == "" {
				t.Errorf("%s says not why", res.Verdict)
			}
			if note := strings.Join(res.Notes, "; "); !strings.Contains(note, test["note"]) || test["note"] == "" && note != "" {
				t.Errorf("notes %q, want %q", note, test["note"])
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

// answerOf reads an answer of testdata/verdicts.txt, whose parts are separated by " + ": "page
// CONTENT" for a page with such a robots meta, "pdf", "to URL" for a redirect, "html" for its type,
// "status N", "body TEXT", and lines of the header. WIDE in a body is the page in UTF-16.
func answerOf(text string) (f file) {
	for part := range strings.SplitSeq(text, " + ") {
		switch kind, rest, _ := strings.Cut(part, " "); kind {
		case "page":
			f = page(rest)
		case "pdf":
			f = pdf()
		case "to":
			f = moved(rest)
		case "html":
			f.header = append(f.header, htmlType)
		case "status":
			f.status, _ = strconv.Atoi(rest)
		case "body":
			f.body = strings.Replace(rest, "WIDE", wide(page("noindex").body), 1)
		case "":
		default:
			f.header = append(f.header, part)
		}
	}
	return f
}

func wide(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteByte(text[i])
		b.WriteByte(0)
	}
	return b.String()
}

// https://developers.google.com/crawling/docs/troubleshooting/http-status-codes: up to ten hops.
func TestGoogle_TenHopsAreFollowed(t *testing.T) {
	for hops, want := range map[int]seen.Verdict{10: seen.Redirected, 11: seen.Unreachable} {
		o, _ := options(t, chain(hops, page("")))
		if res := find(t, against(t, snapshotOf(map[string]string{"/1": ""}), o), "/1", Everyone); res.Verdict != want {
			t.Errorf("%d hops: %s (%s), want %s", hops, res.Verdict, res.Why, want)
		}
	}
}

// What was decided of the page that a redirect leads to is what counts; the page itself tells where
// it is not so.
func TestHouse_RedirectsTakeTheTargetsDecision(t *testing.T) {
	o, _ := options(t, host{"/a": moved("/b"), "/b": page("noindex")})
	r := against(t, snapshotOf(map[string]string{"/a": "", "/b": "noindex"}), o)
	if a := find(t, r, "/a", Everyone); a.Verdict != seen.Redirected || a.Want != "noindex, follow" ||
		a.Location != origin+"/b" {
		t.Errorf("%+v", a)
	}
	if b := find(t, r, "/b", Everyone); b.Verdict != seen.Match {
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
	if res.Verdict != seen.Match || res.Location != "https://example.org/x" {
		t.Errorf("%+v", res)
	}
	o, _ = optionsAt(t, "http://example.org:8080", host{"/x": moved("http://example.org:9090/x")})
	if res := find(t, against(t, snapshotOf(map[string]string{"/x": ""}), o), "/x",
		Everyone); res.Verdict != seen.Redirected {
		t.Errorf("another port: %+v", res)
	}
}

// A2, A5: each crawler reads what is said to it, and the answer is for those that a decision or an
// answer names too.
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
	if x := find(t, r, "/x", "yandex"); x.Verdict != seen.Looser || x.Got != "index, follow" {
		t.Errorf("%+v", x)
	}
	if y := find(t, r, "/y", "yandex"); y.Verdict != seen.Looser || y.Got != "noindex, follow" {
		t.Errorf("%+v", y)
	}
}

// X, L7: a date that has passed is as good as noindex to Google, and nothing to those whose
// documentation does not have unavailable_after (X18f).
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

// Each URL is asked once, as crawlers ask: no HEAD, which servers answer carelessly, and no range,
// to which some answer with other headers. L3, L6: nothing was decided of control files and error
// pages, which are not asked for.
func TestHouse_OneGetForEachURL(t *testing.T) {
	o, w := options(t, host{"/a.pdf": pdf("X-Robots-Tag: noindex"), "/b.html": page("")})
	r := against(t, snapshotOf(map[string]string{"/a.pdf": "noindex", "/b.html": "", "/_headers": "control",
		"/404.html": "error"}), o)
	if s := r.Summary; s.URLs != 4 || s.Passed != 2 || s.Asked != 2 || s.Match != 2 || s.Left != 0 {
		t.Errorf("%+v", s)
	}
	if got, want := w.asked(), []string{"GET /robots.txt", "GET /a.pdf", "GET /b.html"}; !slices.Equal(got, want) {
		t.Errorf("asked %q, want %q", got, want)
	}
	for _, request := range w.requests {
		if request.Header.Get("Range") != "" {
			t.Errorf("%s asks for a part", request.URL)
		}
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
}

// Exit codes: looser and unreachable fail, the others where it is asked for.
func TestHouse_FailedByVerdict(t *testing.T) {
	for v, want := range map[seen.Verdict][2]bool{seen.Match: {false, false}, seen.Looser: {true, true}, seen.Unreachable: {true, true},
		seen.Stricter: {false, true}, seen.Redirected: {false, true}} {
		var r Report
		r.Summary.count([]seen.Answer{{Verdict: seen.Match}, {Verdict: v}})
		r.Summary.count([]seen.Answer{{Verdict: seen.Match}})
		if got := [2]bool{r.Failed(false), r.Failed(true)}; got != want {
			t.Errorf("%s: failed %v, want %v", v, got, want)
		}
		if v.Bad() != want[0] {
			t.Errorf("%s: bad %v", v, v.Bad())
		}
	}
}

// X18d: a line of another header that is missing, or has another value, is looser than decided.
// Preferences count by what they mean.
func TestHouse_OtherHeadersAreCompared(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/other-headers.txt") {
		o, _ := options(t, host{"/x": pdf(c.List("served")...)})
		s, want := snapshotOf(map[string]string{"/x": ""}), seen.Verdict(c["want"])
		s.Entries[0].Headers = []seen.Header{{Name: c["name"], Value: c["value"]}}
		res := find(t, against(t, s, o), "/x", Everyone)
		if res.Verdict != want || (want != seen.Match) != strings.Contains(res.Why, c["value"]+" missing; the answer has") {
			t.Errorf("%s served as %q: %s, %q", c["value"], c["served"], res.Verdict, res.Why)
		}
	}
}
