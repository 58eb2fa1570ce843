package visits

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"metarobots/emit/robotstxt"
	"metarobots/internal/crawlers"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// Addresses of the built-in ranges, and one of nobody's.
const (
	google   = "66.249.66.1"
	bing     = "157.55.39.1"
	openAI   = "132.196.86.1"
	chatGPT  = "104.208.184.193"
	special  = "66.249.90.1"
	somebody = "203.0.113.7"
)

// addresses are their names in testdata/effects.txt.
var addresses = map[string]string{"google": google, "bing": bing, "openAI": openAI, "chatGPT": chatGPT,
	"special": special, "somebody": somebody}

var site = &snapshot.Snapshot{Environment: "production", Entries: []snapshot.Entry{
	{URL: "/", Told: seen.Told{Robots: seen.Read("index, follow")}},
	{URL: "/404.html", Told: seen.Told{Role: "error"}},
	{URL: "/about/", Told: seen.Told{Robots: seen.Read("index, follow")}},
	{URL: "/caf%C3%A9/", Told: seen.Told{Robots: seen.Read("noindex, follow")}},
	{URL: "/frost/", Told: seen.Told{Robots: seen.Read("index, follow"),
		Crawlers: map[string]seen.Text{"bingbot": seen.Read("index, follow, nocache")}}},
	{URL: "/hidden/", Told: seen.Told{Robots: seen.Read("noindex, follow")}},
	{URL: "/imprint/", Told: seen.Told{Robots: seen.Read("noindex, follow")}, Since: "2026-11-10"},
	{URL: "/kit.pdf", Told: seen.Told{Robots: seen.Read("noindex, follow"), HeaderOnly: true}},
	{URL: "/plain.html", Told: seen.Told{Robots: seen.Read("noindex, follow")}},
	{URL: "/private/a/", Told: seen.Told{Robots: seen.Read("index, follow")}},
}}

const robots = "User-agent: *\nDisallow: /private/\nDisallow: /hidden/\nDisallow: /*?\n\nUser-agent: " +
	"GPTBot\nDisallow: /\n"

// log makes a Combined log of "ADDRESS TOKEN METHOD TARGET STATUS DAY" lines; the day is of
// November 2026.
func log(requests ...string) string {
	var b strings.Builder
	for _, r := range requests {
		w := strings.Fields(r)
		w[0] = cmp.Or(addresses[w[0]], w[0])
		fmt.Fprintf(&b, "%s - - [%s/Nov/2026:12:00:00 +0000] \"%s %s HTTP/1.1\" %s 1 \"-\" \"Mozilla/5.0 (compatible; "+
			"%s/1.0)\"\n", w[0], w[5], w[2], w[3], w[4], w[1])
	}
	return b.String()
}

func tally(t *testing.T, o TallyOptions, logs ...string) *Report {
	t.Helper()
	if o.Snapshot == nil {
		o.Snapshot = site
	}
	o.Verifier = crawlers.NewVerifier()
	tally := New(o)
	for _, text := range logs {
		s, err := tally.Read(t.Context(), "", strings.NewReader(text), func(int) {})
		if err != nil || s.Unreadable > 0 {
			t.Fatal(s, err)
		}
	}
	return tally.Report()
}

// told is what a result says of a URL and a crawler, in a line.
func told(r *Report, url, crawler string) string {
	for _, row := range r.Rows {
		if row.URL == url && row.Crawler == crawler {
			text := fmt.Sprintf("%s, %d", row.Effect, row.Fetches)
			if row.Reason != "" {
				text += ", " + row.Reason
			}
			return text
		}
	}
	return ""
}

func TestHouse_EffectOfADecision(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/effects.txt") {
		o := TallyOptions{Base: c["base"], Host: c["host"]}
		if day, err := strconv.Atoi(c["since"]); err == nil {
			o.Since = time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC)
		}
		if c["robots.txt"] != "" {
			o.Robots = robotstxt.Parse([]byte(robots))
		}
		t.Run(c["name"], func(t *testing.T) {
			if got := told(tally(t, o, log(c.List("requests")...)), c["URL"], c["crawler"]); got != c["effect"] {
				t.Errorf("%q, want %q", got, c["effect"])
			}
		})
	}
}

// Of crawlers that are told nothing in tags or headers of their own, only what they fetched is
// told; of those that are named, everything.
func TestHouse_RowsOfReportedCrawlers(t *testing.T) {
	text := log(openAI+" GPTBot GET /imprint/ 200 12", special+" APIs-Google GET /imprint/ 200 12",
		somebody+" YandexBot GET /imprint/ 200 12")
	r := tally(t, TallyOptions{}, text)
	for crawler, want := range map[string]int{"googlebot": 5, "bingbot": 6, "gptbot": 5, "apis-google": 1,
		"yandexbot": 0} {
		n := 0
		for _, row := range r.Rows {
			if row.Crawler == crawler {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d rows, want %d", crawler, n, want)
		}
	}
	r = tally(t, TallyOptions{Crawlers: []*policy.Crawler{crawlers.Lookup("yandexbot")}}, text)
	if len(r.Rows) != 5 || len(r.Crawlers) != 1 || r.Crawlers[0].Unknown != 1 || r.Crawlers[0].Noindex != 5 ||
		r.Crawlers[0].Read != 0 {
		t.Errorf("%+v %+v", r.Rows, r.Crawlers[0])
	}
}

func TestHouse_RequestsAreCounted(t *testing.T) {
	text := log(google+" Googlebot GET /imprint/ 200 12", somebody+" Googlebot GET / 200 12",
		"10.0.0.1 Googlebot GET / 200 12", somebody+" Yeti GET / 200 12",
		google+" Googlebot GET /robots.txt 200 11", google+" Googlebot GET /robots.txt 404 13",
		google+" Googlebot GET /new 404 13", somebody+" Firefox GET / 200 15") +
		`203.0.113.9 - - [09/Nov/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 1` + "\n"
	r := tally(t, TallyOptions{}, text)
	c := r.Counts
	if c.Requests != 9 || c.NoAgent != 1 || c.First.Day() != 9 || c.Last.Day() != 15 {
		t.Errorf("%+v", c)
	}
	for _, s := range r.Crawlers {
		want := map[string]string{"googlebot": "4 2 0 1", "bingbot": "0 0 0 0", "yeti": "0 0 1 0"}[s.Crawler]
		if got := fmt.Sprint(s.Verified, s.Claimed, s.Unknown, s.Private); got != want {
			t.Errorf("%s: %s, want %s", s.Crawler, got, want)
		}
		if s.Crawler == "googlebot" && s.Robots.Day() != 11 {
			t.Errorf("robots.txt: %v", s.Robots)
		}
	}
}

// House: nothing of who is no verified crawler leaves a tally, and no address at all.
func TestHouse_Privacy(t *testing.T) {
	text := log(somebody+" Firefox GET /imprint/?secret=1 200 12", somebody+" Googlebot GET /secret 200 12", google+" Googlebot GET /imprint/ 200 12")
	data := tables.Value(json.Marshal(tally(t, TallyOptions{}, text)))(t)
	for _, word := range []string{"203.0.113", "66.249", "secret", "Firefox"} {
		if strings.Contains(string(data), word) {
			t.Errorf("%q in %s", word, data)
		}
	}
}

// Laws: the logs may come in any order and be cut anywhere; counts of two logs add up.
func TestLaw_OrderOfLogsIsNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	lines := make([]string, 400)
	for i := range lines {
		lines[i] = log(strings.Join([]string{pick(google, bing, openAI, somebody, special, chatGPT), pick("Googlebot",
			"bingbot", "GPTBot", "ChatGPT-User", "AdsBot-Google", "YandexBot"), pick("GET", "GET", "HEAD", "POST"),
			pick("/", "/imprint/", "/imprint", "/imprint/?a", "/kit.pdf", "/hidden/", "/private/a/", "/private/b",
				"/new", "/robots.txt", "*"), pick("200", "200", "304", "301", "404", "206"),
			pick("08", "09", "10", "11",
				"12", "13")}, " "))
	}
	o := TallyOptions{Robots: robotstxt.Parse([]byte(robots)), Since: time.Date(2026, 11, 10, 0, 0, 0, 0, time.UTC)}
	text := func(logs ...string) string {
		r := tally(t, o, logs...)
		r.Logs = nil
		return string(tables.Value(json.Marshal(r))(t))
	}
	whole := text(strings.Join(lines, ""))
	for range 30 {
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		cut := r.IntN(len(lines))
		a, b := strings.Join(lines[:cut], ""), strings.Join(lines[cut:], "")
		if got := text(a, b); got != whole {
			t.Fatalf("in another order:\n%s\n%s", got, whole)
		}
		if got := text(b + a); got != whole {
			t.Fatal("concatenated")
		}
		ra, rb, all := tally(t, o, a), tally(t, o, b), tally(t, o, a, b)
		for _, row := range all.Rows {
			n := 0
			for _, part := range []*Report{ra, rb} {
				for _, p := range part.Rows {
					if p.URL == row.URL && p.Crawler == row.Crawler && p.Line == row.Line &&
						p.Decision == row.Decision {
						n += p.Fetches
					}
				}
			}
			if row.Noindex && n != row.Fetches { // other rows are only of fetches since a day
				t.Fatalf("%+v: %d in the parts", row, n)
			}
		}
	}
}

// What a snapshot says of addresses goes before what paths look like: a rewrite has its page, also
// where a file of its name is published, and x.html has /x where a host serves x/index.html at /x/.
func TestHouse_TheAddressesOfASnapshotCount(t *testing.T) {
	x := newIndex(&snapshot.Snapshot{Entries: []snapshot.Entry{{URL: "/o.pdf", Served: []string{}},
		{URL: "/s.pdf", Served: []string{"/s.pdf", "/o.pdf", "/caf%C3%A9"}}, {URL: "/x.html", Served: []string{"/x"}},
		{URL: "/x/"}, {URL: "/y.html", Served: []string{}}}})
	for path, want := range map[string]int{"/o.pdf": 1, "/s.pdf": 1, "/café": 1, "/x": 2, "/x.html": 2, "/x/": 3,
		"/x/index.html": -1, "/y.html": -1, "/y": -1} {
		if got := x.find(path, 200); got != want {
			t.Errorf("%s is entry %d, want %d", path, got, want)
		}
	}
}

// What may be either of two pages has been read of neither: one host serves /both as both.html,
// another as both/index.html.
func TestHouse_OneOfTwoPagesIsNone(t *testing.T) {
	x := newIndex(&snapshot.Snapshot{Entries: []snapshot.Entry{{URL: "/both.html"}, {URL: "/both/"}, {URL: "/one.html"},
		{URL: "/two/"}}})
	for path, want := range map[string]int{"/both.html": 0, "/both/": 1, "/both/index.html": -1, "/one": 2, "/two": 3,
		"/two.html": 3, "/both": -1} {
		if got := x.find(path, 200); got != want {
			t.Errorf("%s is entry %d, want %d", path, got, want)
		}
	}
}
