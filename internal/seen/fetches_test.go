package seen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/robotstxt"
	"metarobots/policy"
)

// compareTexts compares two robots.txt at some paths, and prints what has changed.
func compareTexts(was, is *robotstxt.File, paths ...string) (texts []string) {
	var pages []Asked
	for _, path := range paths {
		pages = append(pages, Asked{"/de" + path, path, path})
	}
	for _, c := range CompareFetches(Host{Folder: "/de/", Robots: was}, Host{Folder: "/de/", Robots: is}, pages, nil) {
		texts = append(texts, c.String())
	}
	return texts
}

func robotsTxt(text string) *robotstxt.File {
	return robotstxt.ParseFrom([]byte(text), robotstxt.Source{From: "layouts/robots.txt"}, nil, 0)
}

// X24b, X24c, X24i: each cause is one line, with all crawlers for which it is true.
func TestHouse_WhatCrawlersMayFetchIsToldByCause(t *testing.T) {
	const all = "User-agent: *\nDisallow: /none/\n"
	from := ", from layouts/robots.txt"
	for _, c := range []struct {
		was, is *robotstxt.File
		want    []string
	}{
		{robotsTxt(all), robotsTxt("# moved\n" + all + "Allow: /\nUser-agent: ccbot\nDisallow: /none/\n"), nil},
		{nil, robotsTxt("User-agent: *\nDisallow: /a\n"), []string{
			"all crawlers may no longer fetch /de/a and 1 more URL: de/robots.txt:2" + from + " (Disallow: /a)"}},
		{robotsTxt("User-agent: *\nDisallow: /a\n"), nil, []string{
			"all crawlers may now fetch /de/a and 1 more URL: de/robots.txt is no longer published: Disallow: /a no longer holds " +
				"(de/robots.txt:2" + from + ")"}},
		{robotsTxt("User-agent: *\nDisallow: /a\n"), robotsTxt("Sitemap: https://example.org/sitemap.xml\n"), []string{
			"all crawlers may now fetch /de/a and 1 more URL: Disallow: /a no longer holds (de/robots.txt:2" + from + ")"}},
		{robotsTxt("User-agent: *\nDisallow: /a\n"), robotsTxt("User-agent: *\nDisallow: /a\nAllow: /a/\n"), []string{
			"all crawlers may now fetch /de/a/b: de/robots.txt:3" + from + " (Allow: /a/)"}},
		// An Allow that was there before is not the cause: the group that went before it is gone.
		{robotsTxt("User-agent: *\nAllow: /a\nUser-agent: GPTBot\nDisallow: /\n"), robotsTxt("User-agent: *\nAllow: /a\n"),
			[]string{"GPTBot may now fetch /de/ and 2 more URLs: Disallow: / no longer holds (de/robots.txt:4" + from + ")"}},
		// Two groups that say the same are one line, as is a crawler that the table has not.
		{nil, robotsTxt("User-agent: GPTBot\nDisallow: /a/\nUser-agent: CCBot\nDisallow: /a/\nUser-agent: own\nDisallow: /a/\n"),
			[]string{"CCBot, GPTBot and own may no longer fetch /de/a/b: de/robots.txt:2 and 2 more lines" + from +
				" (Disallow: /a/)"}},
		// A group of its own frees a crawler from the rules of *; Googlebot's other crawlers obey
		// its group.
		{robotsTxt("User-agent: *\nDisallow: /\n"), robotsTxt("User-agent: *\nDisallow: /\nUser-agent: Googlebot\nDisallow: /a\n"),
			[]string{"Googlebot, Applebot and 5 more may now fetch /de/: Disallow: / no longer holds " +
				"(de/robots.txt:2" + from + ")"}},
		// Those that do not obey the group of * are no exception.
		{nil, robotsTxt("User-agent: *\nDisallow: /a\nUser-agent: bingbot\nAllow: /\n"), []string{
			"all crawlers except bingbot may no longer fetch /de/a and 1 more URL: de/robots.txt:2" + from + " (Disallow: /a)"}},
		// Crawlers that only a file names are exceptions too, as the file spells them.
		{robotsTxt("User-agent: *\nDisallow: /a\nUser-agent: MJ12bot\nDisallow: /a\n"), robotsTxt("User-agent: MJ12bot\nDisallow: /a\n"),
			[]string{"all crawlers except MJ12bot may now fetch /de/a and 1 more URL: Disallow: /a no longer holds (de/robots.txt:2" +
				from + ")"}},
		{nil, robotsTxt("User-agent: MJ12bot\nDisallow: /a\n"), []string{
			"MJ12bot may no longer fetch /de/a and 1 more URL: de/robots.txt:2" + from + " (Disallow: /a)"}},
		{nil, (*robotstxt.File)(nil).Behind("cloudflare"), []string{"Amazonbot, Applebot-Extended and 7 more may no longer fetch " +
			"/de/ and 2 more URLs: the block that the host puts before robots.txt (Disallow: /)"}},
	} {
		if got := compareTexts(c.was, c.is, "/", "/a", "/a/b"); !slices.Equal(got, c.want) {
			t.Errorf("%q, then %q:\n%s\nwant\n%s", c.was.Kept(), c.is.Kept(), strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// X24n: a host that does not answer lets crawlers fetch nothing, whatever they might before.
func TestRFC9309_AHostThatDoesNotAnswerIsClosed(t *testing.T) {
	open := Host{Folder: "/", Robots: robotsTxt("User-agent: *\nDisallow: /a\nUser-agent: GPTBot\nDisallow: /\n")}
	shut := Host{Folder: "/", Shut: "robots.txt answers 503"}
	pages := []Asked{{"/", open.PathAtHost("/"), shut.PathAtHost("/")}, {"/a", open.PathAtHost("/a"), shut.PathAtHost("/a")}}
	for _, c := range []struct {
		was, is Host
		want    string
	}{
		{open, shut, "all crawlers except GPTBot may no longer fetch /: robots.txt answers 503, by which crawlers fetch " +
			"nothing (RFC 9309)"},
		{shut, open, "all crawlers except GPTBot may now fetch /: none might before, because robots.txt answers 503"},
		{shut, shut, ""},
	} {
		changes := CompareFetches(c.was, c.is, pages, nil)
		if got := changes[0:min(1, len(changes))]; c.want == "" && len(changes) > 0 || c.want != "" && (len(got) == 0 ||
			!slices.ContainsFunc(changes, func(f FetchChange) bool { return f.String() == c.want })) {
			t.Errorf("%+v\nwant %s", changes, c.want)
		}
	}
}

// X24i: a theme that brings many lines is one line, and a few of them are named one by one.
func TestHouse_ManyCausesOfOneAuthorAreOne(t *testing.T) {
	for n, want := range map[int]int{20: 20, 21: 1, 300: 1} {
		text, paths := "User-agent: *\n", []string{"/"}
		for i := range n {
			text += fmt.Sprintf("Disallow: /p%d/\n", i)
			paths = append(paths, fmt.Sprintf("/p%d/", i), fmt.Sprintf("/p%d/x", i))
		}
		got := compareTexts(nil, robotsTxt(text), paths...)
		if len(got) != want {
			t.Errorf("%d causes: %d lines", n, len(got))
		}
		if n == 21 && got[0] != "all crawlers may no longer fetch /de/p0/ and 41 more URLs: de/robots.txt:2 and 20 more lines, "+
			"from layouts/robots.txt (Disallow: /p0/)" {
			t.Errorf("%s", got[0])
		}
	}
}

// X24b, X14f: a rule of the policy is named by the line there, also of a snapshot.
func TestHouse_RulesOfThePolicyAreNamedThere(t *testing.T) {
	p := &robotstxt.Policy{Groups: []robotstxt.Group{{Agents: []string{"GPTBot"}, Disallow: []robotstxt.Value{{Text: "/a",
		Source: robotstxt.Source{Origin: policy.Origin{File: "m.toml", Line: 7, Key: "robots.txt.groups"}}}}}}}
	text, block, _ := robotstxt.Merge([]byte("User-agent: *\nAllow: /\n"), p)
	before, _, _ := strings.Cut(string(text), "User-agent: GPTBot")
	first := 1 + strings.Count(before, "\n")
	f := robotstxt.ParseFrom(text, robotstxt.Source{From: "static/robots.txt"}, block, first)
	kept := robotstxt.ReadKept(f.Kept(), "robots.txt")
	for _, c := range []struct {
		was, is *robotstxt.File
		want    string
	}{
		{nil, f, "GPTBot may no longer fetch /de/a: m.toml:7 (Disallow: /a)"},
		{kept, nil, "GPTBot may now fetch /de/a: robots.txt is no longer published: Disallow: /a no longer holds (m.toml:7)"},
	} {
		if got := compareTexts(c.was, c.is, "/a"); len(got) != 1 || got[0] != c.want {
			t.Errorf("%q\nwant %s", got, c.want)
		}
	}
}
