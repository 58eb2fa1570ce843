package robotstxt

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestHouse_AICrawlersAreSourcedAndSorted(t *testing.T) {
	if _, err := time.Parse(time.DateOnly, AICrawlersAsOf); err != nil {
		t.Error(err)
	}
	all := AICrawlers()
	for i, c := range all {
		if productToken(c.Token) != c.Token || c.Operator == "" || !slices.Contains(Purposes, c.Purpose) || !strings.HasPrefix(c.Source, "https://") {
			t.Errorf("%+v", c)
		}
		if i > 0 && strings.ToLower(all[i-1].Token) >= strings.ToLower(c.Token) {
			t.Errorf("%s after %s", c.Token, all[i-1].Token)
		}
		if (c.Source == thirdParty) != c.ThirdParty {
			t.Errorf("%s: whose source?", c.Token)
		}
		if got, ok := LookupAICrawler(strings.ToUpper(c.Token)); !ok || got != c {
			t.Errorf("%s is not found", c.Token)
		}
	}
	if _, ok := LookupAICrawler("googlebot"); ok {
		t.Error("googlebot is an AI crawler")
	}
	parts := 0
	for _, p := range Purposes {
		if len(AICrawlers(p)) == 0 {
			t.Errorf("nobody crawls for %s", p)
		}
		parts += len(AICrawlers(p))
	}
	if parts != len(all) {
		t.Errorf("%d of %d have a purpose", parts, len(all))
	}
}

func TestHouse_RelativesEndSomewhere(t *testing.T) {
	for i, r := range relatives {
		if i > 0 && relatives[i-1].Token >= r.Token || r.Source == "" || r.Next != "" && r.NoStar {
			t.Errorf("%+v", r)
		}
		seen := []string{}
		for token := r.Token; token != ""; {
			if slices.Contains(seen, token) {
				t.Fatalf("%v comes around", seen)
			}
			seen = append(seen, token)
			next := relativeOf[token]
			if next == nil {
				break
			}
			token = next.Next
		}
	}
}

// A blocked purpose shuts its crawlers out and nobody else.
func TestHouse_BlockedPurposes(t *testing.T) {
	for _, purpose := range Purposes {
		p := &Policy{Block: []Purpose{purpose}}
		merged, _ := Merge([]byte("User-agent: *\nAllow: /\n"), p)
		f := Parse(merged)
		for _, c := range AICrawlers() {
			if got := f.Ask(c.Token, "/x"); got.Allowed == (c.Purpose == purpose) {
				t.Errorf("%s blocked: %s %+v", purpose, c.Token, got)
			}
		}
		if !f.Ask("Googlebot", "/x").Allowed {
			t.Errorf("%s blocked: Googlebot too", purpose)
		}
		if got := told(f.Check(Site{})); got != "" {
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
		Block:    []Purpose{AIUser, AISearch},
		Sitemaps: []string{"https://example.org/sitemap.xml"},
	}
	want := "User-agent: *\nAllow: /drafts/%C3%A9$\nDisallow: /drafts/\nCrawl-delay: 1.5\n\nUser-agent: Yandex\nClean-param: ref /x\nDisallow:\n\n"
	got := string(p.Text())
	if !strings.HasPrefix(got, want+"User-agent: Amzn-SearchBot\nUser-agent: Amzn-User\n") || !strings.HasSuffix(got, "\nDisallow: /\n\nSitemap: https://example.org/sitemap.xml\n") {
		t.Errorf("%s", got)
	}
	if string(p.Text()) != got {
		t.Error("another text the second time")
	}
	if told := told(Parse([]byte(got)).Check(Site{})); told != "" {
		t.Error(told)
	}
	if got := (&Policy{}).Text(); len(got) != 0 {
		t.Errorf("nothing stated: %q", got)
	}
}
