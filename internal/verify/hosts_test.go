package verify

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/project"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/internal/tables"
)

// madeFor is a snapshot made for hosts, by folder.
func madeFor(hosts map[string]string, decisions map[string]string) *snapshot.Snapshot {
	s := snapshotOf(decisions)
	s.Hosts = hosts
	return s
}

// hostsOptions ask several hosts, without a base.
func hostsOptions(hosts map[string]http.Handler) (AskOptions, *web) {
	w := &web{hosts: hosts}
	return AskOptions{Transport: w, Crawlers: []string{Everyone}}, w
}

var twoHosts = map[string]string{"/en/": "https://example.org/", "/de/": "https://example.de/unten/"}

// Without a base each host that the snapshot names is asked for what is below its folder, by its
// own robots.txt, and no other.
func TestHouse_TheHostsOfASnapshotAreAsked(t *testing.T) {
	o, w := hostsOptions(map[string]http.Handler{
		"https://example.org": host{"/robots.txt": text200("User-agent: *\nDisallow: /private/\n"), "/": page(""),
			"/a/":    page("noindex"),
			"/over/": moved("https://example.de/unten/"), "/out/": moved("https://www.example.org/out/"),
			"/private/": page("noindex")},
		"https://example.de": host{"/unten/": page(""), "/unten/a/": page(""), "/unten/private/": page("noindex")},
	})
	r := against(t, madeFor(twoHosts, map[string]string{"/en/": "", "/en/a/": "noindex", "/en/over/": "",
		"/en/out/": "", "/en/private/": "noindex",
		"/de/": "", "/de/a/": "noindex", "/de/private/": "noindex", "/index.html": "redirect"}), o)
	want := "/de/ robots match; /de/a/ robots looser; /de/private/ robots match; /en/ robots match; /en/a/ robots " +
		"match; " +
		"/en/out/ robots redirected; /en/over/ robots redirected; /en/private/ robots unreachable"
	if got := outcome(r.Results); got != want {
		t.Errorf("%s\nwant %s\nasked %q", got, want, w.whole())
	}
	if at := find(t, r, "/de/a/", Everyone).Location; at != "https://example.de/unten/a/" {
		t.Errorf("the name does not tell where it was asked, nor does %q", at)
	}
	if s := r.Summary; !slices.Equal(s.Bases, []string{"https://example.de/unten/", "https://example.org/"}) ||
		s.Base != s.Bases[0] || s.URLs != 9 || s.Passed != 1 || len(s.Notes)+len(s.Warnings)+len(s.Errors) > 0 {
		t.Errorf("%+v", s)
	}
	for _, line := range []string{"GET https://example.de/robots.txt", "GET https://example.org/robots.txt"} {
		if !slices.Contains(w.whole(), line) {
			t.Errorf("%s is missing in %q", line, w.whole())
		}
	}
	for _, request := range w.requests {
		if h := request.URL.Host; h != "example.org" && h != "example.de" {
			t.Errorf("%s was asked", request.URL)
		}
	}
}

// pages are what a web was asked for, but for robots.txt, in order.
func (w *web) pages() (urls []string) {
	for _, line := range w.whole() {
		if !strings.HasSuffix(line, "/robots.txt") {
			urls = append(urls, strings.TrimPrefix(line, "GET "))
		}
	}
	return urls
}

// plain serves every path but robots.txt.
var plain = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	w.WriteHeader(map[bool]int{true: http.StatusNotFound, false: http.StatusOK}[r.URL.Path == "/robots.txt"])
})

// A base chooses among the hosts of a snapshot; one that is none of them is a preview, and no
// error.
func TestHouse_ABaseAndTheHostsOfASnapshot(t *testing.T) {
	hosts := map[string]map[string]string{"none": nil, "two": twoHosts,
		"one":    {"/": "https://example.org/"},
		"docs":   {"/": "https://example.org/docs/"},
		"shared": {"/en/": "https://example.org/", "/de/": "https://example.org/de/"}}
	for _, test := range tables.Read(t, "testdata/base-and-hosts.txt") {
		t.Run(test["name"], func(t *testing.T) {
			o, w := optionsAt(t, test["base"], plain)
			r := against(t, madeFor(hosts[test["hosts"]], map[string]string{"/en/x": "", "/de/x": ""}), o)
			want := []string{test["below"]}
			if strings.HasSuffix(want[0], "/") {
				want = []string{want[0] + "de/x", want[0] + "en/x"}
			}
			if got := w.pages(); !slices.Equal(got, want) {
				t.Errorf("asked %q\nwant  %q", got, want)
			}
			if got := strings.Join(r.Summary.Notes, "; "); got != test["note"] || r.Failed(true) ||
				r.Summary.Left != 0 || r.Summary.URLs != len(want) {
				t.Errorf("notes %q, want %q; %+v", got, test["note"], r.Summary)
			}
		})
	}
}

// Where one host's folder lies inside another's, the deepest has a URL, also where one host alone
// is asked.
func TestHouse_AFolderInsideAnothersIsItsOwnHosts(t *testing.T) {
	hosts := map[string]string{"/": "https://example.org/", "/de/": "https://example.de/",
		"/de/at/": "https://example.at/"}
	for base, want := range map[string][]string{
		"": {"https://example.at/x", "https://example.de/ati/", "https://example.de/x",
			"https://example.org/x"},
		"https://example.org/": {"https://example.org/x"},
		"https://example.de/":  {"https://example.de/ati/", "https://example.de/x"},
		"https://example.at/":  {"https://example.at/x"},
	} {
		o, w := hostsOptions(map[string]http.Handler{"https://example.org": plain, "https://example.de": plain,
			"https://example.at": plain})
		if base != "" {
			o.Base = mustBase(t, base)
		}
		r := against(t, madeFor(hosts, map[string]string{"/x": "", "/de/x": "", "/de/at/x": "", "/de/ati/": ""}), o)
		got := slices.Sorted(slices.Values(w.pages()))
		if !slices.Equal(got, want) || r.Summary.URLs != len(want) || r.Summary.Passed != 0 {
			t.Errorf("%s: asked %q, want %q; %+v", base, got, want, r.Summary)
		}
	}
}

// Two folders of one host share its robots.txt, and a redirect from one to the other is judged by
// what was decided there.
func TestHouse_TwoFoldersOfOneHost(t *testing.T) {
	o, w := hostsOptions(map[string]http.Handler{"https://example.org": host{"/a": moved("/de/b"),
		"/de/b": page("noindex")}})
	r := against(t, madeFor(map[string]string{"/en/": "https://example.org/", "/de/": "https://example.org/de/"},
		map[string]string{"/en/a": "", "/de/b": "noindex"}), o)
	if a := find(t, r, "/en/a", Everyone); a.Verdict != seen.Redirected || a.Want != "noindex, follow" {
		t.Errorf("%+v", a)
	}
	if got := w.whole(); strings.Count(strings.Join(got, "\n"), "robots.txt") != 1 {
		t.Errorf("asked %q", got)
	}
}

// Whatever a snapshot calls a URL, the host is that of its folder, and the path goes there as it
// is.
func TestHouse_NoURLOfASnapshotNamesAHost(t *testing.T) {
	for _, name := range []string{"/en//evil.example/x", "/en/@evil.example/x", "/en/../x", "/en/%2F%2Fevil.example/x",
		"/en/:80/x"} {
		want := "/" + strings.TrimPrefix(name, "/en/")
		o, w := hostsOptions(map[string]http.Handler{"https://example.org": host{want: page("noindex")}})
		r := against(t, madeFor(map[string]string{"/en/": "https://example.org/"}, map[string]string{name: "noindex"}),
			o)
		if res := find(t, r, name, Everyone); res.Verdict != seen.Match || res.Location != origin+want {
			t.Errorf("%s: %+v; asked %q", name, res, w.whole())
		}
	}
}

// Of several hosts one that is down leaves the others to be judged, and is told.
func TestHouse_OneHostOfSeveralIsDown(t *testing.T) {
	o, w := hostsOptions(map[string]http.Handler{"https://example.org": host{"/a": page("noindex")}})
	r, err := Against(t.Context(), madeFor(twoHosts, map[string]string{"/en/a": "noindex", "/de/a": "noindex"}), o)
	if !errors.Is(err, ErrDown) || err.Error() != "the host cannot be reached: example.de: connection refused" {
		t.Errorf("error %v", err)
	}
	if got := outcome(r.Results); got != "/de/a robots unreachable; /en/a robots match" {
		t.Errorf("%s; asked %q", got, w.whole())
	}
	w.hosts = nil
	if r, err = Against(t.Context(), madeFor(twoHosts, map[string]string{"/en/a": "noindex", "/de/a": "noindex"}),
		o); err == nil || err.Error() != "the host cannot be reached: example.de: connection refused\n"+
		"the host cannot be reached: example.org: connection refused" ||
		r.Summary.Unreachable != 2 {
		t.Errorf("error %v, %+v", err, r.Summary)
	}
}

// A file does not say who gets a secret.
func TestHouse_SecretsGoToNoHostOfASnapshot(t *testing.T) {
	s := madeFor(map[string]string{"/": "https://example.org/"}, map[string]string{"/a": ""})
	for _, secret := range []func(*AskOptions){
		func(o *AskOptions) { o.User = url.UserPassword("me", "secret") },
		func(o *AskOptions) { o.Header = http.Header{"X-Token": {"secret"}} },
	} {
		o, w := hostsOptions(map[string]http.Handler{"https://example.org": host{"/a": page("")}})
		secret(&o)
		_, err := Against(t.Context(), s, o)
		var invalid *project.InvalidError
		if !errors.As(err, &invalid) || len(w.requests) > 0 || strings.Contains(err.Error(), "secret") {
			t.Errorf("error %v; asked %q", err, w.whole())
		}
	}
}

// What a snapshot names is refused where it is no host.
func TestHouse_HostsOfASnapshotAreRefusedToo(t *testing.T) {
	o := AskOptions{}
	if _, err := Against(t.Context(), snapshotOf(map[string]string{"/a": ""}), o); !errors.Is(err, ErrNoHost) {
		t.Errorf("error %v", err)
	}
	for folder, base := range map[string]string{"/": "ftp://example.org/", "/a/": "example.org", "/b/": "https:///",
		"de": "https://example.org/", "/de": "https://example.org/", "/q/": "https://example.org/?x"} {
		_, err := Against(t.Context(), madeFor(map[string]string{folder: base}, map[string]string{"/a": ""}), o)
		var invalid *project.InvalidError
		if !errors.As(err, &invalid) || !strings.Contains(err.Error(), "the snapshot's host") {
			t.Errorf("%s %s: error %v", folder, base, err)
		}
	}
	if _, err := Sitemaps(t.Context(), o); err == nil {
		t.Error("sitemaps of no base are asked")
	}
}
