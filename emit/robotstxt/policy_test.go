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
