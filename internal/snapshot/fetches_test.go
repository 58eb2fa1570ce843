package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstxt"
	"metarobots/internal/result"
	"metarobots/internal/seen"
)

// withRobots is a snapshot of pages on hosts, by the folders that they serve.
func withRobots(hosts map[string]string, pages ...result.Page) *Snapshot {
	s := snap("production", "", pages)
	s.Robots = robotstxt.PerHost{}
	for folder, text := range hosts {
		if s.Robots[folder] = nil; text != "" {
			s.Robots[folder] = robotstxt.Parse([]byte(text))
		}
	}
	return s
}

// fetches are what differs between two snapshots by robots.txt.
func fetches(old, now *Snapshot) (texts []string) {
	for _, c := range Diff(old, now).Fetches {
		texts = append(texts, fmt.Sprintf("%s %t %s", c.Who(), c.Allowed, strings.Join(c.URLs, " ")))
	}
	return texts
}

// X24a: pages and redirects that both have are compared, each by the robots.txt of its host, and by
// the block before that.
func TestHouse_EachHostsRobotsTxtIsCompared(t *testing.T) {
	shut := "User-agent: *\nDisallow: /\n"
	pages := []result.Page{page("/a/", ""), page("/de/a/", ""), page("/de/404.html", "")}
	pages[2].Role = "error"
	moved := []result.Page{{URL: "/a/", Role: "redirect"}, page("/de/a/", ""), page("/de/new/", "")}
	managed := withRobots(map[string]string{"/": ""}, pages...)
	managed.Managed = "cloudflare"
	for _, c := range []struct {
		old, now *Snapshot
		want     []string
	}{
		{withRobots(map[string]string{"/": "", "/de/": ""}, pages...), withRobots(map[string]string{"/": "", "/de/": shut}, pages...),
			[]string{"all crawlers false /de/a/"}},
		{withRobots(map[string]string{"/": ""}, pages...), withRobots(map[string]string{"/": shut}, moved...),
			[]string{"all crawlers false /a/ /de/a/"}},
		// A site of one host becomes one of several: each URL is asked for where it is served.
		{withRobots(map[string]string{"/": "User-agent: *\nDisallow: /de/a\n"}, pages...),
			withRobots(map[string]string{"/": "", "/de/": "User-agent: *\nDisallow: /a\n"}, pages...), nil},
		{withRobots(nil, pages...), withRobots(map[string]string{"/": shut}, pages...), nil}, // nobody knows what was
		{withRobots(map[string]string{"/": ""}, pages...), managed,
			[]string{"Amazonbot, Applebot-Extended and 7 more false /a/ /de/a/"}},
	} {
		if got := fetches(c.old, c.now); !slices.Equal(got, c.want) {
			t.Errorf("%v, then %v:\n%q\nwant %q", c.old.Robots, c.now.Robots, got, c.want)
		}
	}
}

// X24h: what a statement about AI denies or allows is said once. What robots.txt says besides is
// said.
func TestHouse_StatementsAboutAIAreSaidOnce(t *testing.T) {
	denies := func(uses ...string) result.Page {
		ai := map[string]string{}
		for _, use := range uses {
			ai[use] = "deny"
		}
		return result.Page{URL: "/a/", Role: "page", AI: ai}
	}
	groups := func(names ...string) map[string]string {
		text := ""
		for _, name := range names {
			text += "User-agent: " + name + "\nDisallow: /\n"
		}
		return map[string]string{"/": text}
	}
	free, training := withRobots(groups(), denies()), withRobots(groups("GPTBot"), denies("training"))
	both := withRobots(groups("GPTBot", "OAI-SearchBot"), denies("training"))
	for _, c := range []struct {
		old, now *Snapshot
		want     []string
	}{
		{free, training, nil},
		{training, free, nil},
		{free, both, []string{"OAI-SearchBot false /a/"}},
		{both, free, []string{"OAI-SearchBot true /a/"}},
		{training, withRobots(groups(), denies("training")), []string{"GPTBot true /a/"}}, // it is stated, and said no more
		{free, withRobots(groups("GPTBot"), denies()), []string{"GPTBot false /a/"}},
	} {
		if got := fetches(c.old, c.now); !slices.Equal(got, c.want) {
			t.Errorf("%v %v, then %v %v: %q, want %q", c.old.Entries[0].AI, c.old.Robots["/"].Kept(), c.now.Entries[0].AI,
				c.now.Robots["/"].Kept(), got, c.want)
		}
	}
	if c := Diff(training, free); len(c.NewlyAllowed) != 1 || len(c.Lists()) != 1 {
		t.Errorf("%+v", c)
	}
}

// X24m: a preview whose robots.txt disallows everything is compared without it, if the environment
// is to be ignored.
func TestHouse_APreviewsClosedRobotsTxtIsLeftOut(t *testing.T) {
	shut, some := "User-agent: *\nDisallow: /\n", "User-agent: *\nDisallow: /a\n"
	for _, c := range []struct {
		was, is, closed string
		changes         int
	}{{"", shut, "/", 0}, {shut, some, "/", 0}, {shut, shut, "", 0}, {"", some, "", 1}, {some, "", "", 1}} {
		was, is := withRobots(map[string]string{"/": c.was}, page("/a/", "")), withRobots(map[string]string{"/": c.is}, page("/a/", ""))
		old, now, aside := WithoutPreview(was, is)
		if got := Diff(old, now).Fetches; aside.Closed != c.closed || len(got) != c.changes || !was.KnowsRobots("/") {
			t.Errorf("%q, then %q: %+v, left out %q", c.was, c.is, got, aside.Closed)
		}
	}
}

// X24d: a limit counts each URL once, whatever crawlers it is closed to, and acknowledged URLs do
// not count.
func TestHouse_ClosedURLsCountOnce(t *testing.T) {
	pages := []result.Page{page("/a/", ""), page("/b/", "")}
	was := withRobots(map[string]string{"/": ""}, pages...)
	is := withRobots(map[string]string{"/": "User-agent: GPTBot\nDisallow: /\nUser-agent: *\nDisallow: /a/\n"}, pages...)
	lists := func(c Changes) (all []string) {
		for _, l := range c.FetchLists() {
			all = append(all, fmt.Sprintf("%s %d of %d", l.Title, len(l.List), l.URLs))
		}
		return all
	}
	changes := Diff(was, is)
	if got := lists(*changes); !slices.Equal(got, []string{"newly disallowed 2 of 2"}) {
		t.Errorf("%q", got)
	}
	rest, unused := changes.Unacknowledged(globs(t, "/a/", "/c/"))
	if got := lists(rest); !slices.Equal(got, []string{"newly disallowed 1 of 1"}) || !slices.Equal(unused, []int{1}) {
		t.Errorf("%q, unused %v", got, unused)
	}
	if back := Diff(is, was); !slices.EqualFunc(back.Fetches, changes.Fetches, func(a, b seen.FetchChange) bool {
		return a.Allowed && a.Gone && !b.Allowed && a.Rule == b.Rule && slices.Equal(a.URLs, b.URLs)
	}) {
		t.Errorf("%+v\nback %+v", changes.Fetches, back.Fetches)
	}
}
