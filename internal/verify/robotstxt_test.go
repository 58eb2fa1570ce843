package verify

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"metarobots/emit/robotstxt"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
)

// cloudflareBlock is Cloudflare's managed block as it is served, with three of its ten groups.
const cloudflareBlock = "# BEGIN Cloudflare Managed content\n\nUser-agent: *\nContent-Signal: search=yes,ai-train=no\nAllow: /\n\n" +
	"User-agent: CCBot\nDisallow: /\n\nUser-agent: ClaudeBot\nDisallow: /\n\nUser-agent: GPTBot\nDisallow: /\n\n" +
	"# END Cloudflare Managed Content\n\n"

// built is a snapshot of three pages whose robots.txt is known.
func built(robots string) *snapshot.Snapshot {
	s := snapshotOf(map[string]string{"/": "", "/private/": "", "/docs/": ""})
	s.Robots = robotstxt.PerHost{"/": nil}
	if robots != "" {
		s.Robots["/"] = robotstxt.Parse([]byte(robots))
	}
	return s
}

// serving is a host with the pages of built.
func serving(robots file) host {
	return host{"/robots.txt": robots, "/": page(""), "/private/": page(""), "/docs/": page("")}
}

// X25: what robots.txt means as it is served, against what was built. Each situation is one that
// owners report.
func TestRFC9309_ServedRobotsTxtMeansWhatWasBuilt(t *testing.T) {
	const private = "User-agent: *\nDisallow: /private/\n"
	const open = "User-agent: GPTBot\nAllow: /\n\n" + private
	const blocking = "User-agent: GPTBot\nDisallow: /\n\n" + private
	withRules := file{header: []string{htmlType}, body: "<!doctype html><pre>\nUser-agent: *\nDisallow: /\n</pre>"}
	for _, c := range []struct {
		name, built           string
		served                file
		faults, warned, noted string // parts of them; none are expected if they are empty
	}{
		{"as built", private, text200(private), "", "", ""}, // X25a
		{"other bytes", private, text200("\ufeff# hello\r\nuser-AGENT: *\r\nDisallow:   /private/ # x\r\n"), "", "", ""},
		{"a group that says the same", private, text200(private + "\nUser-agent: GPTBot\nDisallow: /private/\n"), "", "", ""},
		{"nothing built, nothing served", "", file{status: 404}, "", "", ""},
		{"a block before the file", private, text200(cloudflareBlock + private), "", // X25b
			"CCBot, ClaudeBot and GPTBot may no longer fetch anything: line 8 and 2 more, Cloudflare's managed block (Disallow: /)", ""},
		{"a block before a file that lets GPTBot in", "User-agent: GPTBot\nDisallow:\n\n" + private,
			text200(cloudflareBlock + private), "GPTBot may no longer fetch", "CCBot and ClaudeBot may no longer", ""},
		{"a block that ties with what lets GPTBot in", open, text200(cloudflareBlock + open), "",
			"CCBot and ClaudeBot may no longer", ""},
		{"any other block", private, text200("User-agent: AhrefsBot\nDisallow: /\n" + private), "",
			"AhrefsBot may no longer fetch anything: line 2, which is not in the build (Disallow: /)", ""},
		{"a block instead of the file", private, text200(cloudflareBlock), // X25c
			"none of the built lines is served: ", "Cloudflare's managed block", ""},
		{"the file of staging", private, text200("User-agent: *\nDisallow: /\n"),
			"all crawlers may no longer fetch", "", ""},
		{"the file of staging, whose rule the build has for another crawler", blocking,
			text200("User-agent: *\nDisallow: /\n"), // X25o
			"none of the built lines is served: all crawlers except GPTBot " +
				"may no longer fetch anything: line 2, which is not in the build (Disallow: /)", "", ""},
		{"a block whose marks are gone", blocking, text200("User-agent: CCBot\nDisallow: /\n\n" + blocking), "",
			"CCBot may no longer fetch anything: line 2, which is not in the build (Disallow: /)", ""},
		{"a crawler that joins a built group", blocking, text200("User-agent: CCBot\n" + blocking), "",
			"CCBot may no longer fetch anything: line 3, which is not in the build (Disallow: /)", ""},
		{"a built group that is gone", open, text200("# none\n" + private), "GPTBot may no longer fetch /private/: " +
			"line 3 (Disallow: /private/)", "", ""},
		{"404", private, file{status: 404}, // X25d
			"status 404: crawlers may fetch everything, by RFC 9309 and by Google, which keeps the last file for up to 24 hours: " +
				"all crawlers", "", ""},
		{"403", private, file{status: 403}, "status 403: crawlers may fetch everything", "", ""},
		{"a challenge", private, file{status: 403, header: []string{"Cf-Mitigated: challenge"}}, // X25r
			"status 403, a challenge to this client (cf-mitigated), so nothing is known of what crawlers get: let verify in. " +
				"If they get the same: crawlers may fetch everything", "", ""},
		{"a challenge for now", private, file{status: 503, header: []string{"Cf-Mitigated: challenge"}},
			"answers 503, a challenge to this client (cf-mitigated): by RFC 9309", "", ""},
		{"401", private, file{status: 401}, "status 401: crawlers may fetch everything", "", ""},
		{"404 of what denies nothing", "User-agent: *\nAllow: /\n", file{status: 404}, "", "",
			"status 404: crawlers may fetch everything"},
		{"503", private, file{status: 503}, // X25e
			"answers 503: by RFC 9309 crawlers fetch nothing; Google stops for 12 hours, and then goes by its last copy for 30 days",
			"", ""},
		{"429", private, file{status: 429}, "answers 429: by RFC 9309 crawlers fetch nothing", "", ""},
		{"a loop", private, moved("/robots.txt"), "its redirects form a loop, through https://example.org/robots.txt: crawlers", "", ""},
		{"a loop in place of what denies nothing", "User-agent: *\nAllow: /\n", moved("/robots.txt"), "", "",
			"its redirects form a loop, through https://example.org/robots.txt: crawlers"},
		{"403 where nothing was built", "", file{status: 403}, "", "", "up to 24 hours. None was built"},
		{"no answer", private, file{fault: errors.New("connection reset")}, "https://example.org/robots.txt: connection reset: by RFC 9309 crawlers fetch nothing", "", ""},
		{"a page instead", private, page(""), // X25f
			"an HTML page, in which crawlers find no rules: crawlers may fetch everything", "", ""},
		{"a page without its type", private, text200("<!DOCTYPE html><title>x</title>"), "an HTML page, in which", "", ""},
		{"the built file in UTF-16", private, text200(utf16(private)), "a file in UTF-16, in which crawlers, which read UTF-8, find " +
			"no rules: crawlers may fetch everything, by RFC 9309 and by Google, which keeps the last file for up to 24 hours: all", "", ""},
		{"a page that holds rules", private, withRules, "an HTML page, in which crawlers look for rules and find some", "", ""},
		{"a page that holds the built rules", private, file{header: []string{htmlType}, body: "<pre>\n" + private}, "", "",
			"an HTML page, in which crawlers look for rules and find some, which mean the same as the built ones"},
		{"a page in place of what denies nothing", "User-agent: *\nAllow: /\n", page(""), "", "",
			"crawlers find no rules: crawlers may fetch everything, by RFC 9309 and by Google, which keeps the last file " +
				"for up to 24 hours. The built one disallows none of these URLs"},
		{"a login on another host", private, moved("https://login.example/"), // X25g
			"an HTML page behind a redirect to https://login.example/, in which crawlers find no rules", "", ""},
		{"the file of another host", private, moved("https://www.example.org/robots.txt"), "", "", ""},
		{"too long", private, text200(strings.Repeat("# 23456789abcdef\n", 31000) + private), // X25h
			"only its first 500 KiB are read: ", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, w := options(t, serving(c.served))
			o.Crawlers = nil
			w.hosts["https://login.example"] = host{"/": page("")}
			w.hosts["https://www.example.org"] = host{"/robots.txt": text200(private)}
			r := against(t, built(c.built), o)
			for _, of := range []struct{ what, got, want string }{{"errors", faults(r, "\n"), c.faults},
				{"warnings", strings.Join(r.Summary.Warnings, "\n"), c.warned}, {"notes", strings.Join(r.Summary.Notes, "\n"), c.noted}} {
				if !strings.Contains(of.got, of.want) || of.want == "" && of.got != "" {
					t.Errorf("%s %q, want %q", of.what, of.got, of.want)
				}
			}
			if r.Failed(false) != (c.faults != "") {
				t.Errorf("failed: %t; %s", r.Failed(false), outcome(r.Results))
			}
		})
	}
}

// X25i: what the built robots.txt disallows is as built.
func TestHouse_WhatTheBuiltRobotsTxtDisallowsIsAsBuilt(t *testing.T) {
	const private = "User-agent: *\nDisallow: /private/\n"
	o, _ := options(t, serving(text200(private)))
	r := against(t, built(private), o)
	if res := find(t, r, "/private/", Everyone); r.Failed(true) || res.Got != seen.Disallowed || res.Verdict != seen.Match {
		t.Errorf("%+v", res)
	}
	o, _ = options(t, serving(text200(private)))
	if r = against(t, built(""), o); !r.Failed(false) || find(t, r, "/private/", Everyone).Verdict != seen.Stricter {
		t.Errorf("it is not in the build: %s", outcome(r.Results))
	}
	// A snapshot that does not know robots.txt says nothing about it.
	o, _ = options(t, serving(file{status: 404}))
	s := built("")
	s.Robots = nil
	if r = against(t, s, o); r.Failed(true) || len(r.Summary.Notes) > 0 {
		t.Errorf("%+v", r.Summary)
	}
}

// X25i: a noindex that the built robots.txt hides is as built too, and a note says that it is not
// read.
func TestHouse_ANoindexThatTheBuiltRobotsTxtHidesIsAsBuilt(t *testing.T) {
	const closed = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nAllow: /\n"
	const block = "User-agent: ClaudeBot\nDisallow: /\n\n"
	for _, c := range []struct {
		name, crawler  string
		built, managed string
		served         string
		verdict        seen.Verdict
	}{
		{"denied in the build", "gptbot", closed, "", closed, seen.Match},
		{"denied by the host's block, which the snapshot knows", "claudebot", closed, "cloudflare", cloudflareBlock + closed,
			seen.Match},
		{"denied by a block that it does not know", "claudebot", closed, "", block + closed, seen.Unreachable},
		{"denied by the host alone", "googlebot", closed, "", "User-agent: *\nDisallow: /\n", seen.Unreachable},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := serving(text200(c.served))
			files["/private/"] = page("noindex")
			o, _ := options(t, files)
			o.Crawlers = []string{c.crawler}
			s := snapshotOf(map[string]string{"/": "", "/private/": "noindex", "/docs/": ""})
			s.Robots, s.Managed = robotstxt.PerHost{"/": robotstxt.Parse([]byte(c.built))}, c.managed
			r := against(t, s, o)
			got := find(t, r, "/private/", c.crawler)
			if got.Verdict != c.verdict || got.Got != seen.Disallowed {
				t.Errorf("%+v", got)
			}
			isMatch := c.verdict == seen.Match
			if isNoted := strings.Contains(strings.Join(got.Notes, ""), "as built; so it never reads noindex"); isNoted != isMatch ||
				r.Summary.Unreachable == 0 != isMatch {
				t.Errorf("notes %q, %+v", got.Notes, r.Summary)
			}
		})
	}
}

// X18s: a crawler that nobody knows is a note, unless the site names it.
func TestHouse_ACrawlerThatNobodyKnowsIsNoted(t *testing.T) {
	for name, isNoted := range map[string]bool{"nonsense": true, "GPTBot": false, "robots": false, "Garten-Sucher": false, "zeppelin": false} {
		o, _ := options(t, serving(text200("")))
		o.Crawlers = []string{name}
		s := built("User-agent: garten-sucher\nDisallow: /x\n")
		s.Entries = append(s.Entries, snapshotOf(map[string]string{"/mine/": "zeppelin: noindex"}).Entries...)
		r := against(t, s, o)
		if got := strings.Contains(strings.Join(r.Summary.Notes, "\n"), "--crawler "+name+": no crawler of that name"); got != isNoted {
			t.Errorf("%s: %q", name, r.Summary.Notes)
		}
	}
}

// X25j: what the host serves with a query tells an old copy of a cache.
func TestHouse_AnOldCopyOfRobotsTxt(t *testing.T) {
	const private = "User-agent: *\nDisallow: /private/\n"
	stale := file{header: []string{"Content-Type: text/plain", "Age: 86000", "CF-Cache-Status: HIT"}, body: "User-agent: *\nDisallow:\n"}
	const isCopy = "it is a copy of a cache (Age: 86000, Cf-Cache-Status: HIT)"
	for _, c := range []struct {
		fresh file
		want  string
	}{
		{text200(private), isCopy + ", and an old one: with a query the host serves what was built. Purge the cache"},
		{text200("User-agent: *\nDisallow:\n"), isCopy + ", and no old one: with a query the host serves the same"},
		{stale, isCopy + ", and so is the answer with a query, which is the same: purge the cache to see"},
		{text200("User-agent: *\nDisallow: /docs/\n"), isCopy + ", and an old one: with a query the host serves other rules"},
		{file{status: 404}, isCopy + ", and no old one: with a query the host serves the same"},
	} {
		files := serving(stale)
		files["/robots.txt?metarobots=fresh"] = c.fresh
		o, _ := options(t, files)
		if r := against(t, built(private), o); !strings.Contains(faults(r, "; "), c.want) || !r.Failed(false) {
			t.Errorf("%q, want %q", faults(r, "; "), c.want)
		}
	}
}

// X25j: an error in place of the file with a query says nothing of the copy.
func TestHouse_AnErrorTellsNothingOfACopyOfRobotsTxt(t *testing.T) {
	copied := file{header: []string{"Content-Type: text/plain", "Age: 86000"},
		body: "User-agent: *\nDisallow: /docs/\n"}
	for _, status := range []int{403, 429, 500} {
		files := serving(copied)
		files["/robots.txt?metarobots=fresh"] = file{status: status}
		o, _ := options(t, files)
		o.Retries = 0
		r := against(t, built("User-agent: *\nDisallow: /private/\n"), o)
		if got := faults(r, "; "); strings.Contains(got, "copy of a cache") || !r.Failed(false) {
			t.Errorf("%d: %q", status, got)
		}
	}
}

// X25s: what is true of the whole file is said once.
func TestHouse_WhatIsServedInPlaceOfRobotsTxtIsSaidOnce(t *testing.T) {
	const denies = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n"
	o, _ := options(t, serving(file{status: 404, header: []string{"Age: 300"}}))
	r := against(t, built(denies), o)
	all := faults(r, "\n")
	for _, text := range []string{"crawlers may fetch everything", "a copy of a cache"} {
		if len(r.Summary.Errors) < 2 || strings.Count(all, text) != 1 || !strings.Contains(r.Summary.Errors[0].String(), text) {
			t.Errorf("%q is not in the first of several errors alone: %s", text, all)
		}
	}
	if got := strings.Count(all, "https://example.org/robots.txt: "); got != len(r.Summary.Errors) {
		t.Errorf("not each error names the file: %s", all)
	}
}

// X25k: an edge that refuses a client by its name is a warning: it may know real crawlers by their
// addresses.
func TestHouse_TheEdgeRefusesACrawlerThatRobotsTxtLetsIn(t *testing.T) {
	const open = "User-agent: GPTBot\nAllow: /\n"
	files := serving(text200(open))
	o, w := options(t, http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		if strings.Contains(in.UserAgent(), "GPTBot") && in.URL.Path != "/robots.txt" {
			out.WriteHeader(http.StatusForbidden)
			return
		}
		files.ServeHTTP(out, in)
	}))
	r := against(t, built(open), o)
	want := []string{"https://example.org/: the edge refuses a client that calls itself GPTBot (403), and robots.txt lets it in"}
	if !slices.Equal(r.Summary.Warnings, want) || r.Failed(true) {
		t.Errorf("%+v", r.Summary)
	}
	if n := len(w.requests); n != 6 { // robots.txt, also over http, three pages, one of them again
		t.Errorf("%d requests: %q", n, w.asked())
	}
}

// X25p: neither is an edge that lets such a client wait, or sends it a challenge with a good
// status.
func TestHouse_TheEdgeKeepsACrawlerOutWithoutAStatusThatSaysSo(t *testing.T) {
	const open = "User-agent: GPTBot\nAllow: /\n"
	for _, c := range []struct {
		name     string
		serve    http.HandlerFunc // for a client that calls itself GPTBot
		want     string
		requests int // for it
	}{
		{"no answer", hang, "gives no answer within 30s to a client that calls itself GPTBot", 1},
		{"a broken connection", func(http.ResponseWriter, *http.Request) { panic(broken{io.ErrUnexpectedEOF}) },
			"gives no answer to a client that calls itself GPTBot (the answer breaks off)", 2},
		{"a challenge", file{header: []string{htmlType, "Cf-Mitigated: challenge"}, body: "<!doctype html>"}.ServeHTTP,
			"refuses a client that calls itself GPTBot (200, cf-mitigated: challenge)", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, w := options(t, refusing("GPTBot", c.serve, serving(text200(open))))
			o.Timeout = 30 * time.Second
			r := against(t, built(open), o)
			want := []string{"https://example.org/: the edge " + c.want + ", and robots.txt lets it in"}
			if !slices.Equal(r.Summary.Warnings, want) || r.Failed(true) || len(w.requests) != 5+c.requests {
				t.Errorf("%+v, %d requests", r.Summary, len(w.requests))
			}
		})
	}
}

// hang answers nothing until the client gives up.
func hang(_ http.ResponseWriter, in *http.Request) {
	<-in.Context().Done()
	panic(broken{in.Context().Err()})
}

// refusing is a host that serves clients otherwise that call themselves by a name.
func refusing(name string, serve, others http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		if strings.Contains(in.UserAgent(), name) {
			serve.ServeHTTP(out, in)
			return
		}
		others.ServeHTTP(out, in)
	})
}

// X25l: over http it is another file for crawlers, unless it leads to that of https.
func TestGoogle_RobotsTxtOverHTTPIsAnotherFile(t *testing.T) {
	const private = "User-agent: *\nDisallow: /private/\n"
	for _, c := range []struct {
		served file
		want   string
	}{
		{moved("https://example.org/robots.txt"), ""},
		{text200(private), ""},
		{file{status: 404}, ""},
		{page(""), ""},
		{text200("User-agent: *\nDisallow: /\n"), "http://example.org/robots.txt: none of the built lines is served: all crawlers " +
			"may no longer fetch anything: line 2, which is not in the build (Disallow: /)"},
	} {
		o, w := options(t, serving(text200(private)))
		w.hosts["http://example.org"] = host{"/robots.txt": c.served}
		if got := faults(against(t, built(private), o), "; "); got != c.want {
			t.Errorf("%+v: %q, want %q", c.served, got, c.want)
		}
	}
}
