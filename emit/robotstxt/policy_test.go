package robotstxt

import (
	"strings"
	"testing"

	"metarobots/policy"
)

// A blocked purpose shuts its crawlers out and nobody else.
func TestHouse_BlockedPurposes(t *testing.T) {
	for _, purpose := range policy.Purposes {
		p := &Policy{Block: []policy.Purpose{purpose}}
		merged, _ := Merge([]byte("User-agent: *\nAllow: /\n"), p)
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
			{Disallow: []string{"/drafts/"}, Allow: []string{"/drafts/é$"}, CrawlDelay: 1.5},
			{Agents: []string{"Yandex"}, CleanParam: []string{"ref /x"}},
		},
		Block:    []policy.Purpose{policy.AIUser, policy.AISearch},
		Sitemaps: []string{"https://example.org/sitemap.xml"},
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

// A rule of a finished file comes from the group of the crawler that obeys it, whatever other groups have its pattern.
func TestHouse_ARuleIsFoundInItsOwnGroup(t *testing.T) {
	p := &Policy{Groups: []Group{
		{Agents: []string{"Googlebot"}, Disallow: []string{"/a/", "/über/"}},
		{Disallow: []string{"/x/", "/a/"}},
		{Agents: []string{"Bingbot", "GPTBot"}, Allow: []string{"/x/y"}, Disallow: []string{"/a/"}},
	}}
	f := Parse(p.Text())
	for _, c := range []struct {
		agent, path string
		want        PolicyRule
	}{
		{"googlebot", "/a/", PolicyRule{0, Disallow, 0}},
		{"googlebot-image", "/%C3%BCber/", PolicyRule{0, Disallow, 1}},
		{"googlebot", "/x/", PolicyRule{1, Disallow, 0}},
		{"bingbot", "/a/", PolicyRule{2, Disallow, 0}},
		{"gptbot", "/x/", PolicyRule{1, Disallow, 0}},
		{"yandex", "/a/", PolicyRule{1, Disallow, 1}},
	} {
		if got, ok := p.Find(f.Ask(c.agent, c.path)); !ok || got != c.want {
			t.Errorf("%s %s: %v %v, want %v\n%s", c.agent, c.path, got, ok, c.want, p.Text())
		}
	}
}
