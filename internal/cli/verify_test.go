package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/internal/seen"
	"metarobots/internal/tables"
	"metarobots/internal/verify"
)

// Two deployed sites are compared by canonical links and preferences of their headers too, each by
// its own addresses.
func TestHouse_DiffComparesHeadersOfDeployedSites(t *testing.T) {
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site, name, _ := strings.Cut(r.URL.Path[1:], "/")
		switch base := server.URL + "/" + site + "/"; name {
		case "sitemap.xml":
			fmt.Fprintf(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>%s</loc></url></urlset>`, base)
		case "":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Link", "<"+base+`>; rel="canonical"`)
			w.Header().Set("Content-Usage", map[string]string{"old": "train-ai=n", "same": "train-ai=n"}[site])
			fmt.Fprint(w, "<!doctype html><title>Home</title>")
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	for now, want := range map[string]string{"same": "", "new": "changed (1)\n  /\n    nothing; Content-Usage: train-ai=n → " +
		"nothing\n    other headers\n"} {
		got, stderr, _ := runCommand(t, "diff", server.URL+"/old/", server.URL+"/"+now+"/", "--allow-private")
		if got != want {
			t.Errorf("%s: got %q, want %q\n%s", now, got, want, stderr)
		}
	}
}

// verifyFolder publishes testdata/verified.txtar in the test's own folder, with the target's header
// rules, and goes there.
func verifyFolder(t *testing.T, scope string) (dir string) {
	t.Helper()
	site := map[string]string{"out/press/logo.png": "\x89PNG\r\n\x1a\n",
		// UTF-16, which is not edited: the header alone carries its policy
		"out/wide.html": "\xFF\xFE" + strings.Join(strings.Split("<!DOCTYPE html><title>Wide</title>", ""), "\x00") + "\x00"}
	for _, f := range tables.Value(txtar.ParseFile("internal/cli/testdata/verified.txtar"))(t).Files {
		site[f.Name] = strings.TrimSuffix(string(f.Data), "\n")
	}
	t.Chdir(t.TempDir())
	site["metarobots.toml"] += "\n[robots.headers]\ntargets = [\"cloudflare\"]\nscope = \"" + scope + "\"\n"
	for _, name := range []string{"index", "about", "later", "legal/index", "legal/terms", "news/index", "news/ä b/index",
		"404"} {
		site["out/"+name+".html"] = "<!DOCTYPE html><html><head><meta charset=utf-8><title>" + name + "</title></head></html>"
	}
	tables.Write(t, ".", site)
	succeed(t, "apply", "--quiet")
	succeed(t, "snapshot", "--quiet")
	return "out"
}

// verifyJSON runs verify against the folder's snapshot and returns the verdicts that are no match,
// "/url crawler verdict".
func verifyJSON(t *testing.T, base string) (odd []string, report verify.Report, code int) {
	t.Helper()
	stdout, stderr, code := runCommand(t, "verify", base, "--against", lockFile, "--allow-private", "--rate", "0",
		"--json")
	if err := json.NewDecoder(strings.NewReader(stdout)).Decode(&report); err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	for _, r := range report.Results {
		if r.Verdict != seen.Match {
			odd = append(odd, fmt.Sprintf("%s %s %s", r.URL, r.Crawler, r.Verdict))
		}
	}
	return odd, report, code
}

// A served site matches its own snapshot: by tags and headers, by tags and the headers that they
// cannot replace.
func TestHouse_ADeploymentMatchesItsSnapshot(t *testing.T) {
	for _, scope := range []string{"files", "all"} {
		t.Run(scope, func(t *testing.T) {
			server := httptest.NewServer(deployment{dir: verifyFolder(t, scope)})
			defer server.Close()
			odd, report, code := verifyJSON(t, server.URL)
			if len(odd) > 0 || code != 0 || report.Summary.Match < 12 {
				t.Errorf("exit code %d, %d match, not: %s", code, report.Summary.Match, strings.Join(odd, "; "))
			}
		})
	}
}

// Taking any one tag or header line away is told as looser at exactly the URL that loses something,
// and adding one as stricter, which is an error where it takes a page out of the index. What a page
// says is read by a few lines of their own here, for our tags have one form.
func TestHouse_EveryChangeOfATagOrHeaderIsTold(t *testing.T) {
	dir := verifyFolder(t, "files")
	s := tables.Value(readSnapshot(lockFile))(t)
	type mutation struct {
		name   string
		change func(header http.Header, body []byte) []byte
	}
	add := func(text string) mutation {
		return mutation{"header more: " + text, func(h http.Header, body []byte) []byte {
			h.Add(robotstag.Name, text)
			return body
		}}
	}
	drop := func(name, prefix string) mutation {
		return mutation{"no " + name, func(h http.Header, body []byte) []byte {
			h[robotstag.Name] = slices.DeleteFunc(h[robotstag.Name],
				func(v string) bool { return strings.HasPrefix(v, prefix) })
			return body
		}}
	}
	replace := func(name, old, now string) mutation {
		return mutation{name, func(_ http.Header, body []byte) []byte {
			return bytes.ReplaceAll(body, []byte(old), []byte(now))
		}}
	}
	all := []mutation{
		add("notranslate, noml"), add("noindex"), add("googlebot-news: noml"), add("BingBot: noimageai"),
		replace("a tag more", "<title>", `<META content=NoML name='robots'><title>`),
		replace("a tag more for googlebot", "<title>", `<meta name="googlebot" content="noml"><title>`),
		replace("no tags", "<meta name=", "<meta x="),
		replace("no robots tag", `<meta name="robots"`, `<meta name="ROBOT"`),
		replace("tags in a comment", "<meta name=", "<!-- <meta name="),
		replace("another date", "2999", "2998"),
		replace("a later date", "2999", "3001"),
		drop("header", ""),
	}
	for _, crawler := range []string{"bingbot", "googlebot", "yandex", "gptbot"} {
		all = append(all, replace("no tag for "+crawler, `<meta name="`+crawler+`"`, `<meta name="robot"`),
			drop("header for "+crawler, crawler+":"))
	}
	var change func(path string, h http.Header, body []byte) []byte
	rules := tables.Value(os.ReadFile(filepath.Join(dir, "_headers")))(t)
	server := httptest.NewServer(deployment{dir, headers.Cloudflare.Parse(rules, robotstag.Name),
		func(path string, h http.Header, body []byte) []byte { return change(path, h, body) }})
	defer server.Close()
	counts := map[seen.Verdict]int{}
	for _, e := range s.Entries {
		if e.Told.Role != "" {
			continue
		}
		for _, m := range all {
			var before, after map[string]map[string]bool
			change = func(path string, h http.Header, body []byte) []byte {
				if path != strings.TrimSuffix(e.URL, ".html") {
					return body
				}
				before = says(h, body)
				body = m.change(h, body)
				after = says(h, body)
				return body
			}
			odd, report, code := verifyJSON(t, server.URL)
			want := seen.Match
			switch {
			case !within(before, after):
				want = seen.Looser
			case !within(after, before):
				want = seen.Stricter
			}
			counts[want]++
			hidden := want == seen.Stricter && strings.HasSuffix(m.name, ": noindex") &&
				!strings.Contains(e.Told.Robots.Printed, "noindex") &&
				(strings.HasSuffix(e.URL, "/") || strings.HasSuffix(e.URL, ".html"))
			if (code != 0) != (want == seen.Looser || hidden) || (len(odd) == 0) != (want == seen.Match) {
				t.Errorf("%s: %s: exit code %d, want %s; odd: %s", e.URL, m.name, code, want, strings.Join(odd, "; "))
			}
			for _, r := range report.Results {
				if r.Verdict != seen.Match && (r.URL != e.URL || r.Verdict != want || r.Why == "") {
					t.Errorf("%s: %s: %s is %s for %s (%s), want %s at that page alone", e.URL, m.name, r.URL,
						r.Verdict, r.Crawler, r.Why, want)
				}
			}
		}
	}
	t.Logf("%v", counts)
	if counts[seen.Looser] < 20 || counts[seen.Stricter] < 50 {
		t.Errorf("too few changes: %v", counts)
	}
}

var (
	verifyTag     = regexp.MustCompile(`(?i)<meta (?:name="([^"]*)" content="([^"]*)"|content=(\S+) name='robots')`)
	verifyComment = regexp.MustCompile(`<!-- .*?(-->|$)`)
	verifyAddress = regexp.MustCompile(`^([A-Za-z][-A-Za-z]+): (.*)$`)
)

// says are the restricting words that header and tags say to each crawler, "" being everyone.
func says(header http.Header, body []byte) map[string]map[string]bool {
	said := map[string]map[string]bool{"": {}}
	add := func(name, text string) {
		if name = strings.ToLower(name); said[name] == nil {
			said[name] = map[string]bool{}
		}
		text = strings.ToLower(text)
		if strings.Contains(text, "indexifembedded") { // a noindex with an exception, which a plain one includes
			text = strings.ReplaceAll(strings.ReplaceAll(text, "indexifembedded", "index"), "noindex",
				"noindex but embedded")
		}
		for _, word := range strings.Split(text, ",") {
			switch word = strings.TrimSpace(word); {
			case word == "index", word == "follow", word == "max-snippet:-1", word == "max-image-preview:large",
				word == "max-video-preview:-1":
			case strings.HasPrefix(word, "unavailable_after"): // the earlier the stricter
				year, _ := strconv.Atoi(word[len("unavailable_after: ") : len("unavailable_after: ")+4])
				for y := year; y < 3100; y++ {
					said[name][fmt.Sprint("until ", y)] = true
				}
			default:
				said[name][word] = true
			}
		}
	}
	for _, line := range header[robotstag.Name] {
		if m := verifyAddress.FindStringSubmatch(line); m != nil {
			add(m[1], m[2])
		} else {
			add("", line)
		}
	}
	for _, m := range verifyTag.FindAllStringSubmatch(verifyComment.ReplaceAllString(string(body), ""), -1) {
		switch m[1] {
		case "robots":
			add("", m[2])
		case "":
			add("", m[3])
		case "bingbot", "googlebot", "yandex":
			add(m[1], m[2])
		}
	}
	return said
}

// within reports whether a says nothing to any crawler that b does not say to it too. Noindex says
// most of the rest.
func within(a, b map[string]map[string]bool) bool {
	for name := range a {
		for _, words := range []map[string]bool{a[""], a[name]} {
			for word := range words {
				for _, from := range []map[string]bool{b[""], b[name]} {
					if from[word] || from["noindex"] && (strings.HasPrefix(word, "until") ||
						slices.Contains([]string{"noindex but embedded", "notranslate", "nosnippet", "max-snippet:50",
							"nocache"}, word)) ||
						from["nosnippet"] && word == "max-snippet:50" {
						goto said
					}
				}
				return false
			said:
			}
		}
	}
	return true
}

// The example site, built by Hugo and served with the rules of its _headers, matches its snapshot.
func TestHouse_TheExampleMatchesItsSnapshot(t *testing.T) {
	siteExample(t)
	succeed(t, "snapshot", "--quiet", "-d", "../public")
	server := httptest.NewServer(deployment{dir: "public"})
	defer server.Close()
	odd, report, code := verifyJSON(t, server.URL)
	if len(odd) > 0 || code != 0 || report.Summary.Match < 50 {
		t.Errorf("exit code %d, %+v, not: %s", code, report.Summary, strings.Join(odd, "; "))
	}
}

// An interrupted run prints what it knows and ends with 3.
func TestHouse_VerifyIsInterrupted(t *testing.T) {
	server := httptest.NewServer(deployment{dir: verifyFolder(t, "files")})
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	stdout, stderr, code := runWith(ctx, "", "verify", server.URL, "--against", lockFile, "--allow-private", "--json")
	var report verify.Report
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || code != 3 || !report.Summary.Interrupted ||
		!strings.Contains(stderr, "interrupted") {
		t.Errorf("exit code %d, %v\n%s%s", code, err, stdout, stderr)
	}
}

// The user of the environment, of the URL and of the flag reaches the host, the flag before the
// others.
func TestHouse_VerifyUser(t *testing.T) {
	dir := verifyFolder(t, "files")
	var users sync.Map
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		users.Store(user+" "+password, true)
		if user == "" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		deployment{dir: dir}.ServeHTTP(w, r)
	}))
	defer server.Close()
	in := strings.Replace(server.URL, "//", "//url:qq1@", 1)
	for _, test := range []struct {
		base, env string
		flags     []string
		want      string
	}{
		{server.URL, "env:qq2", nil, "env qq2"},
		{in, "env:qq2", nil, "url qq1"},
		{in, "env:qq2", []string{"--user", "flag:qq:3"}, "flag qq:3"},
		{server.URL, "", nil, " "},
	} {
		users.Clear()
		stdout, stderr, code := runWith(t.Context(), verifyUser+"="+test.env, append([]string{"verify", test.base,
			"--against", lockFile, "--allow-private", "--rate", "0"}, test.flags...)...)
		var got []string
		users.Range(func(user, _ any) bool { got = append(got, user.(string)); return true })
		if !slices.Equal(got, []string{test.want}) || (code == 0) != (test.want != " ") ||
			strings.Contains(stdout+stderr, "qq") {
			t.Errorf("%v: users %q, want %q; exit code %d\n%s%s", test, got, test.want, code, stdout, stderr)
		}
	}
}

// A site of which every URL leads to another host is told as that in one line, and not page by page
// without end.
func TestHouse_VerifyTellsOfASiteThatRedirectsAway(t *testing.T) {
	t.Chdir(t.TempDir())
	pages := map[string]string{}
	for i := range 40 {
		pages[fmt.Sprintf("/%02d/", i)] = "indexable-1"
	}
	lock := tables.Value(json.Marshal(map[string]any{"version": 1,
		"decisions": map[string]any{"indexable-1": map[string]string{}}, "pages": pages}))(t)
	writeFile(t, lockFile, lock)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://login.example/?to="+r.URL.Path, http.StatusFound)
	}))
	defer server.Close()
	for _, test := range []struct {
		flag string
		want int // URLs
	}{{"--strict", most}, {"--quiet", 0}, {"--verbose", 40}} {
		stdout, stderr, code := runCommand(t, "verify", server.URL, "--against", lockFile, "--allow-private", "--rate",
			"0", test.flag)
		if n := strings.Count(stdout, "redirected  /"); n != test.want || strings.Contains(stdout,
			"… and 30 more (-v)") != (test.flag == "--strict") {
			t.Errorf("%s: %d URLs are listed\n%s", test.flag, n, stdout)
		}
		const want = "redirects away: all 40 URLs lead to another host, /00/ to https://login.example/?to=/00/ for " +
			"one: "
		if code != 1 || !strings.Contains(stderr, "error: the site at "+server.URL+"/ "+want) {
			t.Errorf("%s: exit code %d\n%s", test.flag, code, stderr)
		}
	}
}

// X25q: --crawler at an edge that refuses that name says what the run without it says, a warning.
func TestHouse_VerifyForACrawlerThatTheEdgeRefuses(t *testing.T) {
	dir := verifyFolder(t, "files")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.UserAgent(), "GPTBot") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		deployment{dir: dir}.ServeHTTP(w, r)
	}))
	defer server.Close()
	_, stderr, code := runCommand(t, "verify", server.URL, "--against", lockFile, "--allow-private", "--rate", "0",
		"--crawler", "gptbot")
	const want = ": the edge refuses a client that calls itself GPTBot (403), and robots.txt lets it in: "
	if code != 0 || strings.Contains(stderr, "error:") || !strings.Contains(stderr, want) {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}
