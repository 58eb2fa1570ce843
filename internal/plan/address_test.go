package plan

import (
	"maps"
	"testing"

	"metarobots/internal/site"
)

// What is read without parsing is what parsing gives, for every address of a few parts.
func TestHouse_PlainAddressesAreRead(t *testing.T) {
	origins := []string{"https://example.org", "http://example.org", "https://EXAMPLE.org", "https://example.org:443", "https://example.orgs", "//example.org", "https:", ""}
	parts := []string{"", "/", "/a", "/a/", "/sub", "/sub/", "/sub/a.html", "/sub/a..b/", "/sub/./a", "/sub/../a", "/sub//a", "/sub/a?b", "/sub/a#b", "/sub/%61", "/sub/ä", "/subway/", " /a", "/a b", "/de/x/", "a/b", "/sub/.hidden"}
	plain := 0
	for _, s := range []site.Settings{
		{}, {BaseURL: "https://example.org/"}, {BaseURL: "https://example.org/sub/"}, {BaseURL: "https://example.org:443/sub"}, {BaseURL: "/sub/"},
		{Hosts: []string{"en", "de"}, HostURLs: map[string]string{"en": "https://example.org/", "de": "https://example.org/sub/"}},
	} {
		p := &Project{settings: s}
		p.parseBases()
		for _, from := range []string{"index.html", "en/a/index.html", "de/x/index.html"} {
			for _, origin := range origins {
				for _, part := range parts {
					href := origin + part
					to, ok := p.leadsPlainly(from, href)
					if !ok {
						continue
					}
					plain++
					if want, ok := p.leadsParsed(from, href, false); !ok || to != want {
						t.Errorf("%+v: %s on %s leads to %q, parsed to %q, %v", s, href, from, to, want, ok)
					}
				}
			}
		}
	}
	if plain < 50 {
		t.Errorf("%d addresses were read without parsing", plain)
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
		{site.Settings{BaseURL: "https://example.org:8080/a%20b"}, map[string]string{"/": "https://example.org:8080/a%20b/"}},
		{site.Settings{BaseURL: "https://me:secret@example.org/docs/?x#y"}, map[string]string{"/": "https://example.org/docs/"}},
		{site.Settings{BaseURL: "https://example.net/", Hosts: []string{"en", "pt-br"}, HostURLs: map[string]string{"en": "https://example.org/", "pt-br": "https://example.br/sub"}},
			map[string]string{"/en/": "https://example.org/", "/pt-br/": "https://example.br/sub/"}},
		{site.Settings{Hosts: []string{"en", "de"}, HostURLs: map[string]string{"en": "https://example.org/", "de": "/"}}, map[string]string{"/en/": "https://example.org/"}},
	} {
		p := &Project{settings: test.settings}
		p.parseBases()
		if got := p.hosts(); !maps.Equal(got, test.want) || got == nil {
			t.Errorf("%+v: %v, want %v", test.settings, got, test.want)
		}
	}
}
