package project

import (
	"maps"
	"net/url"
	"strings"
	"testing"

	"metarobots/internal/site"
)

// An address leads where a browser finds it, for every address of a few parts: to a page of the site, or nowhere.
func TestHouse_AddressesLeadWhereBrowsersFindThem(t *testing.T) {
	origins := []string{"https://example.org", "http://example.org", "https://EXAMPLE.org", "https://example.org:443",
		"https://example.orgs", "//example.org", "https:", ""}
	parts := []string{"", "/", "/a", "/a/", "/sub", "/sub/", "/sub/a.html", "/sub/a..b/", "/sub/./a", "/sub/../a",
		"/sub//a", "/sub/a?b", "/sub/a#b", "/sub/%61", "/sub/ä", "/subway/", " /a", "/a b", "/de/x/", "a/b",
		"/sub/.hidden"}
	inside := 0
	for _, s := range []site.Settings{
		{BaseURL: "https://example.org/"}, {BaseURL: "https://example.org/sub/"},
		{BaseURL: "https://example.org:443/sub"},
		{Hosts: []string{"en", "de"}, HostURLs: map[string]string{"en": "https://example.org/",
			"de": "https://example.org/sub/"}},
	} {
		p := &Project{Settings: s}
		p.findHosts()
		for _, from := range []string{"index.html", "en/a/index.html", "de/x/index.html"} {
			if s.Hosts != nil && from == "index.html" {
				continue // no host serves it
			}
			for _, origin := range origins {
				for _, part := range parts {
					href := origin + part
					to, ok := p.Leads(from, href, false)
					ref, err := url.Parse(strings.TrimSpace(href))
					if err != nil || !ok {
						continue
					}
					inside++
					// The address of what it leads to is the one that the browser comes to.
					h := p.HostOf(strings.TrimPrefix(to, "/"))
					rest, _ := h.Serves(strings.TrimPrefix(to, "/"))
					got := h.Base + "/" + rest
					want := p.Address(from).ResolveReference(ref)
					if path := want.EscapedPath(); got != path && got != path+"/" || !strings.EqualFold(want.Host,
						h.URL.Host) {
						t.Errorf("%+v: %s on %s leads to %q, which is at %q: want %s", s, href, from, to, got, want)
					}
				}
			}
		}
	}
	if inside < 50 {
		t.Errorf("%d addresses lead to the site", inside)
	}
}

// A snapshot names the hosts of a site by the folders that they serve, and neither what is no host nor a secret.
func TestHouse_HostsOfASite(t *testing.T) {
	for _, test := range []struct {
		settings site.Settings
		want     map[string]string
	}{
		{site.Settings{}, nil},
		{site.Settings{BaseURL: "/"}, nil},
		{site.Settings{BaseURL: "/docs/"}, nil},
		{site.Settings{BaseURL: "//example.org/"}, nil},
		{site.Settings{BaseURL: "https:///docs/"}, nil},
		{site.Settings{BaseURL: "file:///srv/"}, nil},
		{site.Settings{BaseURL: "https://exa mple.org/"}, nil},
		{site.Settings{BaseURL: "https://example.org"}, map[string]string{"/": "https://example.org/"}},
		{site.Settings{BaseURL: "https://example.org:8080/a%20b"},
			map[string]string{"/": "https://example.org:8080/a%20b/"}},
		{site.Settings{BaseURL: "https://me:secret@example.org/docs/?x#y"},
			map[string]string{"/": "https://example.org/docs/"}},
		{site.Settings{BaseURL: "https://example.net/", Hosts: []string{"en", "pt-br"},
			HostURLs: map[string]string{"en": "https://example.org/", "pt-br": "https://example.br/sub"}},
			map[string]string{"/en/": "https://example.org/", "/pt-br/": "https://example.br/sub/"}},
		{site.Settings{Hosts: []string{"en", "de"}, HostURLs: map[string]string{"en": "https://example.org/",
			"de": "/"}}, map[string]string{"/en/": "https://example.org/"}},
	} {
		p := &Project{Settings: test.settings}
		p.findHosts()
		if got := p.HostURLs(); !maps.Equal(got, test.want) || got == nil {
			t.Errorf("%+v: %v, want %v", test.settings, got, test.want)
		}
	}
}
