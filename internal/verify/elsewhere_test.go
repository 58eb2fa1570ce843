package verify

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A site of which more than half leads off its host, or to one page of it, is not what was decided
// on, and fails. X18i.
func TestHouse_ASiteThatRedirectsAway(t *testing.T) {
	const off, door = "https://login.example/?to=", "/login?to="
	for _, test := range []struct {
		name   string
		to     func(i int) string // of page i; empty for a page of its own
		pages  int
		decide string
		want   string
	}{
		{"half", func(i int) string { return []string{"", off + fmt.Sprint(i)}[i%2] }, 4, "", ""},
		{"more than half", func(i int) string { return []string{"", off + fmt.Sprint(i)}[min(i, 1)] }, 4, "",
			"the site at https://example.org/ redirects away: 3 of 4 URLs lead to another host, /p1 to " +
				"https://login.example/?to=1 for one: "},
		{"all", func(i int) string { return off + fmt.Sprint(i) }, 4, "",
			"redirects away: all 4 URLs lead to another " +
				"host"},
		{"several hosts", func(i int) string { return fmt.Sprintf("https://host%d.example/", i) }, 3, "",
			"redirects away: all 3 URLs"},
		{"to a login", func(i int) string { return []string{"", door + fmt.Sprint(i)}[min(i, 1)] }, 4, "",
			"the site at https://example.org/ redirects to one page: 3 of 4 URLs lead to https://example.org/login: " +
				"if that is a login, "},
		{"to pages of their own", func(i int) string { return fmt.Sprintf("/new%d", i) }, 4, "",
			"every URL leads elsewhere, so nothing is compared"},
		{"to https", func(i int) string { return fmt.Sprintf("/p%d/", i) }, 4, "", ""},
		{"as was decided", func(i int) string { return off + fmt.Sprint(i) }, 4, "redirect", ""},
		{"one page", func(int) string { return off }, 1, "", "every URL leads elsewhere"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files, decisions := host{}, map[string]string{}
			for i := range test.pages {
				name := fmt.Sprintf("/p%d", i)
				decisions[name] = test.decide
				files[fmt.Sprintf("/new%d", i)], files[fmt.Sprintf("/login?to=%d", i)], files[name+"/"] = page(""),
					page(""), page("")
				if files[name] = page(""); test.to(i) != "" {
					files[name] = moved(test.to(i))
				}
			}
			o, _ := options(t, files)
			r := against(t, snapshotOf(decisions), o)
			got := faults(r, "; ")
			if !strings.Contains(got, test.want) || (got == "") != (test.want == "") ||
				r.Failed(false) != (test.want != "") {
				t.Errorf("failed %v: %s\nwant %s", r.Failed(false), got, test.want)
			}
		})
	}
}

// bothHosts are those of twoHosts.
func bothHosts(en, de host) map[string]http.Handler {
	return map[string]http.Handler{"https://example.org": en, "https://example.de": de}
}

// Of several hosts each is told of alone.
func TestHouse_EachHostThatRedirectsAway(t *testing.T) {
	o, w := hostsOptions(nil)
	w.hosts = bothHosts(host{"/a": page(""), "/b": page(""), "/c": page("")},
		host{"/unten/a": moved("https://x.example/"), "/unten/b": moved("https://x.example/")})
	r := against(t, madeFor(twoHosts, map[string]string{"/en/a": "", "/en/b": "", "/en/c": "", "/de/a": "",
		"/de/b": ""}), o)
	if got := faults(r, "\n"); !strings.HasPrefix(got,
		"the site at https://example.de/unten/ redirects away: all 2 URLs") || strings.Contains(got, "\n") {
		t.Errorf("errors %q", got)
	}
	w.hosts = bothHosts(host{"/a": page(""), "/b": page(""), "/c": page("")},
		host{"/unten/a": moved("/a"), "/unten/b": moved("/b"), "/a": page(""), "/b": page("")})
	r = against(t, madeFor(twoHosts, map[string]string{"/en/a": "", "/en/b": "", "/en/c": "", "/de/a": "",
		"/de/b": ""}), o)
	if got := faults(r, "\n"); !strings.HasPrefix(got, "the site at https://example.de/unten/ redirects away: all 2 URLs lead "+
		"out of that folder, /de/a to https://example.de/a for one: is the site served below /unten/?") {
		t.Errorf("errors %q", got)
	}
	w.hosts = bothHosts(host{}, host{"/unten/a": page(""), "/unten/b": page("")})
	r = against(t, madeFor(twoHosts, map[string]string{"/en/a": "", "/en/b": "", "/de/a": "", "/de/b": ""}), o)
	if got := strings.Join(r.Summary.Warnings, "\n"); got != "every URL answers 404: is https://example.org/ where "+
		"the publish root is served?" {
		t.Errorf("warnings %q", got)
	}
}
