package verify

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstxt"
	"metarobots/internal/seen"
	"metarobots/internal/tables"
)

func text200(body string) file { return file{header: []string{"Content-Type: text/plain"}, body: body} }

// S2: what robots.txt keeps a crawler from, that crawler cannot read. A noindex there is lost on
// it; of a page that may be indexed it takes more than was decided.
func TestRFC9309_DisallowedIsNotRead(t *testing.T) {
	o, w := options(t, host{
		"/robots.txt": text200("User-agent: googlebot\nDisallow: /x\n\nUser-agent: *\nDisallow: /private/\n"),
		"/x":          page("noindex"), "/x2": page(""), "/private/": page("noindex"),
	})
	o.Crawlers = []string{"robots", "googlebot", "bingbot"}
	r := against(t, snapshotOf(map[string]string{"/x": "noindex", "/x2": "", "/private/": "noindex"}), o)
	want := "/private/ robots unreachable; /private/ bingbot unreachable; /private/ googlebot match; " +
		"/x robots match; /x bingbot match; /x googlebot unreachable; /x2 robots match; /x2 bingbot match; /x2 " +
		"googlebot stricter"
	if got := outcome(r.Results); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	res := find(t, r, "/x", "googlebot")
	if res.Got != "disallowed" || res.Why != "robots.txt:2: Disallow: /x; so it never reads noindex" ||
		len(res.Meta) != 0 {
		t.Errorf("%+v", res)
	}
	// With googlebot alone nothing of it is asked.
	w.requests = nil
	o.Crawlers = []string{"googlebot"}
	against(t, snapshotOf(map[string]string{"/x": "noindex", "/x2": ""}), o)
	if got := w.asked(); !slices.Equal(got, []string{"GET /robots.txt"}) {
		t.Errorf("asked %q", got)
	}
	// Nor is it asked under that name for others.
	w.requests = nil
	o.Crawlers, o.Sender.UserAgent = []string{"googlebot", "bingbot"}, "Mozilla/5.0 (compatible; Googlebot/2.1)"
	r = against(t, snapshotOf(map[string]string{"/x": "noindex"}), o)
	if got := outcome(r.Results); got != "/x bingbot unreachable; /x googlebot unreachable" || len(w.requests) != 1 {
		t.Errorf("%s; asked %q", got, w.asked())
	}
	if why := find(t, r, "/x", "bingbot").Why; !strings.Contains(why, "--user-agent") {
		t.Errorf("why %q", why)
	}
}

// A redirect to where robots.txt keeps a crawler away ends there.
func TestRFC9309_RedirectsToWhatIsDisallowed(t *testing.T) {
	o, w := options(t, host{"/robots.txt": text200("User-agent: *\nDisallow: /y\n"), "/x": moved("/y"), "/y": page("")})
	r := against(t, snapshotOf(map[string]string{"/x": ""}), o)
	if res := find(t, r, "/x", Everyone); res.Verdict != seen.Stricter || !strings.Contains(res.Why,
		"it leads to https://example.org/y, and robots.txt:2") {
		t.Errorf("%+v", res)
	}
	if got := w.asked(); slices.Contains(got, "GET /y") {
		t.Errorf("asked %q", got)
	}
}

// https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1: what becomes of answers to robots.txt.
func TestRFC9309_AnswersToRobotsTxt(t *testing.T) {
	ban := "User-agent: *\nDisallow: /\n"
	behind := func(hops int) host {
		files := chain(hops-1, text200(ban))
		files["/robots.txt"] = moved("/1")
		return files
	}
	for _, test := range []struct {
		name    string
		files   host
		want    seen.Verdict
		why     string
		warning string
	}{
		{"none", host{}, seen.Match, "", ""},
		{"forbidden", host{"/robots.txt": {status: 403, body: ban}}, seen.Match, "", ""},
		{"all disallowed", host{"/robots.txt": text200(ban)}, seen.Stricter, "robots.txt:2: Disallow: /", ""},
		{"a page instead", host{"/robots.txt": page("")}, seen.Match, "", // X25m
			"robots.txt: an HTML page, in which crawlers find no rules: crawlers may fetch everything"},
		{"rules sent as a page", host{"/robots.txt": {header: []string{"Content-Type: text/html"}, body: ban}},
			seen.Stricter, "robots.txt:2: Disallow: /", ""},
		{"an error of the server", host{"/robots.txt": {status: 503}}, seen.Unreachable,
			"robots.txt answers 503: crawlers stay away from the whole host", ""},
		{"no answer, where the host has others", host{"/robots.txt": {fault: errors.New("connection reset")}}, seen.Unreachable,
			"robots.txt: connection reset: crawlers stay away", ""},
		{"too many requests", host{"/robots.txt": {status: 429}}, seen.Unreachable, "robots.txt answers 429", ""},
		{"five redirects", behind(5), seen.Stricter, "Disallow: /", ""},
		{"six redirects", behind(6), seen.Match, "", "redirects more than 5 times"},
		{"another host", host{"/robots.txt": moved("https://other.example/robots.txt")}, seen.Match, "",
			"it leads to https://other.example/robots.txt, which cannot be read (connection refused): it is treated as missing"},
		{"nowhere", host{"/robots.txt": {status: 301}}, seen.Match, "", "without a Location header"},
		{"after 500 KiB", host{"/robots.txt": text200(strings.Repeat("# 23456789abcdef\n", 31000) + ban)}, seen.Match, "",
			"robots.txt: only its first 500 KiB are read"}, // X23m
		{"before 500 KiB", host{"/robots.txt": text200(strings.Repeat("# 23456789abcdef\n", 30000) + ban)}, seen.Stricter,
			"Disallow: /", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.files["/x"] = page("")
			o, w := options(t, test.files)
			r := against(t, snapshotOf(map[string]string{"/x": ""}), o)
			res := find(t, r, "/x", Everyone)
			if res.Verdict != test.want || !strings.Contains(res.Why, test.why) {
				t.Errorf("%s (%s), want %s (%s)", res.Verdict, res.Why, test.want, test.why)
			}
			if got := strings.Join(r.Summary.Warnings, "; "); !strings.Contains(got, test.warning) ||
				test.warning == "" && got != "" {
				t.Errorf("warnings %q, want %q", got, test.warning)
			}
			for _, request := range w.requests {
				if request.URL.Host != "example.org" && request.URL.Path != "/robots.txt" {
					t.Errorf("%s was asked", request.URL)
				}
			}
		})
	}
}

// X25r: without a snapshot, a host without robots.txt is noted; a challenge in its place is a
// warning that says so.
func TestHouse_AMissingRobotsTxtWithoutASnapshotIsTold(t *testing.T) {
	challenge := file{status: 403, header: []string{htmlType, "Cf-Mitigated: challenge"}, body: "<html>"}
	for _, c := range []struct {
		name         string
		robots       file
		warned, told string
	}{
		{"none", file{status: 404}, "", "https://example.org/robots.txt: status 404: crawlers may fetch everything"},
		{"forbidden", file{status: 403}, "", "status 403: crawlers may fetch everything"},
		{"a challenge", challenge, "robots.txt: status 403, a challenge to this client (cf-mitigated), so nothing is known", ""},
		{"a challenge as a page", file{header: challenge.header, body: "<html>"}, "robots.txt: status 200, a challenge", ""},
		{"a file", text200("User-agent: *\nDisallow: /y\n"), "", ""},
		{"a file in UTF-16", text200(utf16("User-agent: *\nDisallow: /y\n")), "robots.txt: a file in UTF-16", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, _ := options(t, host{"/robots.txt": c.robots, "/x": page("")})
			r, err := URLs(t.Context(), List{URLs: []string{origin + "/x"}}, o)
			warned, told := strings.Join(r.Summary.Warnings, "; "), strings.Join(r.Summary.Notes, "; ")
			if err != nil || !strings.Contains(warned, c.warned) || !strings.Contains(told, c.told) ||
				c.warned == "" && warned != "" || c.told == "" && told != "" {
				t.Errorf("%v, warnings %q, notes %q", err, warned, told)
			}
		})
	}
}

// S7: what the snapshot's robots.txt denies to AI and the host's does not is looser, at each URL,
// and nothing else is.
func TestHouse_WhatRobotsTxtNoLongerDeniesToAIIsLooser(t *testing.T) {
	const said = "User-agent: *\nContent-Signal: ai-train=no, search=yes\nContent-Usage: /a train-ai=n\nAllow: /\n" +
		"User-agent: GPTBot\nUser-agent: ClaudeBot\nDisallow: /a\nContent-Signal: ai-train=no\nUser-agent: Own\nDisallow: /\n" +
		"User-agent: __usage_ai-training\nDisallow: /"
	for _, c := range tables.Read(t, "testdata/denied.txt") {
		files := host{"/": page(""), "/a": page("")}
		if c["replaced"] != "everything" {
			files["/robots.txt"] = text200(strings.Replace(said, c["replaced"], c["with"], 1))
		}
		o, _ := options(t, files)
		s := snapshotOf(map[string]string{"/": "", "/a": ""})
		s.Robots = robotstxt.PerHost{"/": robotstxt.Parse([]byte(said))}
		r, got, want := against(t, s, o), "", c["looser"]
		for _, res := range r.Results {
			if res.Verdict != seen.Match {
				got += res.URL + " " + string(res.Verdict) + ": " + res.Why + "; "
			}
		}
		if text := faults(r, "; "); text != "" {
			got += text
		}
		if !strings.HasPrefix(got, want) || want == "" && got != "" || r.Failed(false) != (want != "") {
			t.Errorf("%q in place of %q:\n%s\nwant %s", c["with"], c["replaced"], got, want)
		}
	}
}
