package project

import (
	"maps"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"metarobots/internal/site"
)

// An address leads where a browser finds it, for every address of a few parts: to a page of the
// site, or nowhere.
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
		p := &Project{Settings: s, Hosts: hostsOf(&s)}
		for _, from := range []string{"index.html", "en/a/index.html", "de/x/index.html"} {
			if s.Hosts != nil && from == "index.html" {
				continue // no host serves it
			}
			for _, origin := range origins {
				for _, part := range parts {
					href := origin + part
					to, ok := p.ResolveLink(from, href, UnknownIsForeign)
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

// A snapshot names the hosts of a site by the folders that they serve, and neither what is no host
// nor a secret.
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
		p.Hosts = hostsOf(&p.Settings)
		if got := p.HostURLs(); !maps.Equal(got, test.want) || got == nil {
			t.Errorf("%+v: %v, want %v", test.settings, got, test.want)
		}
	}
}

// leadsByURL is Leads by net/url alone, which parses every address.
func leadsByURL(p *Project, from, href string, trusting bool) (string, bool) {
	to, err := url.Parse(strings.TrimSpace(href))
	if err != nil || to.Opaque != "" {
		return "", false
	}
	if to.Scheme == "" || to.Host == "" || strings.Contains(to.Path, "/.") {
		to = p.Address(from).ResolveReference(to)
	}
	for _, h := range append([]Host{p.HostOf(from)}, p.Hosts.All...) {
		if !strings.EqualFold(to.Host, h.URL.Host) && !(h.URL.Host == "" && trusting) {
			continue
		}
		if rest, ok := strings.CutPrefix(to.EscapedPath(), h.Base); ok && (rest == "" || rest[0] == '/') {
			return "/" + h.Root + strings.TrimPrefix(rest, "/"), true
		}
	}
	return "", false
}

// An address that is not parsed leads where net/url says that it does, on sites of each kind.
func FuzzHouse_PlainAddressesLeadAsParsedOnesDo(f *testing.F) {
	for _, href := range []string{"", "/", "/a/", "/a/b.html", "//a/b", "/a//b", "/a/../b", "/.well-known/x", "a/b", "./a", "?x", "#y",
		"https://example.org", "https://example.org/", "https://EXAMPLE.org/docs/a", "http://example.org/docs",
		"https://example.org:443/docs/a", "https://u@example.org/docs/a", "https://example.org/docs/a?x", "https:///a",
		"https://example.org/docs/%61", "https://example.org/docs/ü", "https://example.org/docs/a.b/c", "HTTPS://example.org/docs/",
		"https://example.orgx/docs/", "https://de.example.org/x", " /a ", "mailto:a@b", "https:/a", "https://[::1]/a", "/a:b",
		"https://example.org/docs/a+b", "https://-/x", "https://./x", "/docs", "/docsx", "/docs/a_b-c.d"} {
		f.Add(href, "index.html", uint8(0))
		f.Add(href, "de/a/index.html", uint8(7))
	}
	sites := []*Project{{}, {}, {}, {}}
	sites[1].Settings.BaseURL = "https://example.org/docs/"
	sites[2].Settings.BaseURL = "/docs/"
	sites[3].Settings.BaseURL, sites[3].Settings.Hosts = "https://example.org/", []string{"de", "en"}
	sites[3].Settings.HostURLs = map[string]string{"de": "https://de.example.org/x/", "en": "https://example.org/"}
	for _, p := range sites {
		p.Hosts = hostsOf(&p.Settings)
	}
	f.Fuzz(func(t *testing.T, href, from string, choice uint8) {
		if !filepath.IsLocal(from) || strings.Contains(from, "//") {
			return // no published file
		}
		for _, p := range sites {
			trusting := choice&1 == 1
			at, ok := p.ResolveLink(from, href, UnknownHost(trusting))
			if wantAt, want := leadsByURL(p, from, href, trusting); at != wantAt || ok != want {
				t.Errorf("%q on %q of %v: %q, %t; net/url says %q, %t", href, from, p.HostURLs(), at, ok, wantAt, want)
			}
		}
	})
}
