package robotstxt

import (
	"fmt"
	"strings"
	"testing"

	"metarobots/emit/marks"
	"metarobots/policy"
)

// A blocked purpose shuts its crawlers out and nobody else.
func TestHouse_BlockedPurposes(t *testing.T) {
	for _, purpose := range policy.Purposes {
		p := &Policy{Block: []policy.Purpose{purpose}}
		merged, _, _ := Merge([]byte("User-agent: *\nAllow: /\n"), p)
		f := Parse(merged)
		for _, c := range policy.AllCrawlers() {
			if c.Purpose == "" {
				continue
			}
			if got := f.Ask(c.Token, "/x"); got.Allowed == (c.Purpose == purpose) {
				t.Errorf("%s blocked: %s %+v", purpose, c.Token, got)
			}
		}
		if !f.Ask("Googlebot", "/x").Allowed {
			t.Errorf("%s blocked: Googlebot too", purpose)
		}
		if got := listed(f.Check(Place{})); got != "" {
			t.Errorf("%s blocked: %s", purpose, got)
		}
	}
}

// Text is what the policy says, the same each time, and reads without a finding.
func TestHouse_PolicyText(t *testing.T) {
	p := &Policy{
		Groups: []Group{
			{Disallow: Values("/drafts/"), Allow: Values("/drafts/é$"), CrawlDelay: 1.5},
			{Agents: []string{"Yandex"}, CleanParam: []string{"ref /x"}},
		},
		Block:    []policy.Purpose{policy.AIUser, policy.AISearch},
		Sitemaps: Values("https://example.org/sitemap.xml"),
	}
	want := "User-agent: *\nAllow: /drafts/%C3%A9$\nDisallow: /drafts/\nCrawl-delay: 1.5\n\nUser-agent: " +
		"Yandex\nAllow: /drafts/%C3%A9$\nDisallow: /drafts/\nCrawl-delay: 1.5\nClean-param: ref /x\n\n"
	got := string(p.Text())
	if !strings.HasPrefix(got, want+"User-agent: Amzn-SearchBot\nUser-agent: Amzn-User\n") || !strings.HasSuffix(got,
		"\nDisallow: /\n\nSitemap: https://example.org/sitemap.xml\n") {
		t.Errorf("%s", got)
	}
	if string(p.Text()) != got {
		t.Error("another text the second time")
	}
	if found := listed(Parse([]byte(got)).Check(Place{})); found != "" {
		t.Error(found)
	}
	if got := (&Policy{}).Text(); len(got) != 0 {
		t.Errorf("nothing stated: %q", got)
	}
}

// A rule of a finished file has the place of what states it: in the group of the crawler that obeys
// it, whatever other groups have its pattern, or in the owner's text, also where our block repeats
// that for a crawler.
func TestHouse_ARuleHasItsSource(t *testing.T) {
	at := func(text string, line int) Value {
		return Value{text, Source{Origin: policy.Origin{File: "p.toml", Line: line}}}
	}
	p := &Policy{
		Groups: []Group{
			{Agents: []string{"Googlebot"}, Disallow: []Value{at("/a/", 1), at("/über/", 2)}},
			{Disallow: []Value{at("/x/", 3), at("/a/", 4)}}, {Disallow: []Value{at("/x/", 9)}},
			{Agents: []string{"Bingbot", "GPTBot"}, Allow: []Value{at("/x/y", 5)}, Disallow: []Value{at("/a/", 6)}},
		},
		Block:    []policy.Purpose{policy.AIUser},
		BlockAt:  Source{Origin: policy.Origin{File: "p.toml", Line: 7}},
		Sitemaps: []Value{at("https://example.org/s.xml", 8)},
	}
	p, _ = p.WithPreferences(Preferences{Carriers: []string{CrawlerGroups}, URLs: []URL{
		{"/", policy.Preferences{}}, {"/d/1", policy.Preferences{policy.UseTraining: policy.Denied}},
		{"/d/2", policy.Preferences{policy.UseTraining: policy.Denied}}}})
	merged, block, findings := Merge([]byte("User-agent: *\nDisallow: /own\nAllow: /p/open/\n"), p)
	if hasError(findings) {
		t.Fatal(findings)
	}
	f := ParseAt(merged, "robots.txt", block, marks.Read(merged).Block[0].Number)
	for _, c := range []struct {
		agent, path, want string
	}{
		{"googlebot", "/a/", "p.toml:1"},
		{"googlebot-image", "/%C3%BCber/", "p.toml:2"},
		{"googlebot", "/x/", "p.toml:3"},
		{"bingbot", "/a/", "p.toml:6"},
		{"gptbot", "/x/", "p.toml:3"},
		{"yandex", "/a/", "p.toml:4"},
		{"yandex", "/own", "robots.txt:2"},
		{"googlebot", "/own", "robots.txt:2"}, // the owner's line, which our block repeats for Googlebot
		{"chatgpt-user", "/", "p.toml:7"},
		{"ccbot", "/d/1", "robots.txt:38 ai-training"},
		{"ccbot", "/x/", "p.toml:3"},
		{"ccbot", "/a/", "p.toml:4"},
	} {
		v := f.Ask(c.agent, c.path)
		got := strings.TrimSpace(fmt.Sprintf("%s:%d %s", v.Source.Origin.File, v.Source.Origin.Line, v.Source.Purpose))
		if got != c.want || v.Allowed {
			t.Errorf("%s %s: %s, want %s\n%s", c.agent, c.path, got, c.want, merged)
		}
	}
	if l := f.Sitemaps(); len(l) != 1 || l[0].Source.Origin.Line != 8 {
		t.Errorf("sitemaps: %+v", l)
	}
}
