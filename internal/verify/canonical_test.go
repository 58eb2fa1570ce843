package verify

import (
	"strings"
	"testing"
)

// X18b: a page and its header that name two URLs as canonical are a note, and two spellings of one
// URL are none.
// https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
func TestGoogle_CanonicalLinksAgree(t *testing.T) {
	const body = `<!doctype html><title>x</title><link rel=canonical href="/a">`
	for link, isNoted := range map[string]bool{`</a>; rel="canonical"`: false, `<a>; rel=canonical`: false,
		`</b>; rel="canonical"`: true, `</b>; rel="next"`: false} {
		o, _ := options(t, host{"/a": {header: []string{htmlType, "Link: " + link}, body: body}})
		r := against(t, snapshotOf(map[string]string{"/a": ""}), o)
		notes := strings.Join(find(t, r, "/a", Everyone).Notes, "\n")
		if isNoted != strings.Contains(notes, "the header names /b as canonical, the page in line 1 /a: ") {
			t.Errorf("Link: %s: notes %q", link, notes)
		}
	}
}

// X16g: the page that a canonical link names is in the result, if that is another one: as a path if
// it is of the site's own hosts, also of those that are not asked.
func TestHouse_CanonicalLinksToOtherPages(t *testing.T) {
	const preview = "https://preview.example/"
	for link, want := range map[string]string{
		"/a": "", "/a/": "", "/b": "/b", origin + "/a": "", origin + "/b": "/b", preview + "b": "/b", preview + "a": "",
		"https://other.example/b": "https://other.example/b", "//other.example/": "https://other.example/",
		"/a?page=2": "/a?page=2",
	} {
		o, w := options(t, nil)
		o.Base = mustBase(t, preview)
		w.hosts[strings.TrimSuffix(preview, "/")] = host{"/a": {header: []string{htmlType},
			body: `<!doctype html><title>x</title><link rel=canonical href="` + link + `">`}}
		r := against(t, madeFor(map[string]string{"/": origin + "/"}, map[string]string{"/a": "", "/b": ""}), o)
		if got := find(t, r, "/a", Everyone).Canonical; got != want {
			t.Errorf("%s: canonical %q, want %q", link, got, want)
		}
	}
}

// X16g: of a site whose languages have hosts of their own, a link to one of them is a path of the
// publish root.
func TestHouse_CanonicalLinksBetweenHostsOfASite(t *testing.T) {
	o, w := options(t, nil)
	o.Base = nil
	linked := file{header: []string{htmlType},
		body: `<!doctype html><title>x</title><link rel=canonical href="https://en.example/b">`}
	for _, name := range []string{"https://en.example", "https://de.example"} {
		w.hosts[name] = host{"/a": linked, "/b": page("")}
	}
	hosts := map[string]string{"/en/": "https://en.example/", "/de/": "https://de.example/"}
	r := against(t, madeFor(hosts, map[string]string{"/en/a": "", "/de/a": "", "/en/b": ""}), o)
	for _, url := range []string{"/en/a", "/de/a"} {
		if got := find(t, r, url, Everyone).Canonical; got != "/en/b" {
			t.Errorf("%s: canonical %q", url, got)
		}
	}
}

// X18q: addresses in a page are read against its base element, as browsers and crawlers read them;
// those of headers are not. https://html.spec.whatwg.org/multipage/semantics.html#the-base-element
func TestStandard_TheBaseElementCounts(t *testing.T) {
	const canonical = `<link rel=canonical href="%">`
	refresh := func(url string) string { return `<meta http-equiv=refresh content="0; url=` + url + `">` }
	link := func(href string) string { return strings.Replace(canonical, "%", href, 1) }
	base := func(href string) string { return `<base href="` + href + `">` }
	for _, c := range []struct{ name, head, header, canonical, location string }{
		{"another site", base("https://other.example/") + link("b"), "", "https://other.example/b", ""},
		{"another site, and a link from the root", base("https://other.example/x/") + link("/b"), "",
			"https://other.example/b", ""},
		{"a whole link", base("https://other.example/") + link(origin+"/docs/a"), "", "", ""},
		{"a folder", base("/en/") + link("b"), "", "/en/b", ""},
		{"relative to the page", base("../") + link("docs/a"), "", "", ""},
		{"behind the link", link("b") + base("/en/"), "", "/en/b", ""},
		{"the first of two", base("/en/") + base("/de/") + link("b"), "", "/en/b", ""},
		{"one without href before it", "<base target=_top>" + base("/en/") + link("b"), "", "/en/b", ""},
		{"an address that is none", base("https://[/") + link("b"), "", "/docs/b", ""},
		{"data:", base("data:text/html,x") + link("b"), "", "/docs/b", ""},
		{"mailto:, and a relative link", base("mailto:me@example.org") + link("b"), "", "", ""},
		{"mailto:, and a whole link", base("mailto:me@example.org") + link(origin+"/b"), "", "/b", ""},
		{"a refresh behind it", base("https://other.example/") + refresh("b"), "", "", "https://other.example/b"},
		{"a refresh before it", refresh("b") + base("https://other.example/"), "", "", origin + "/docs/b"},
		{"a Refresh header", base("https://other.example/"), "Refresh: 0; url=b", "", origin + "/docs/b"},
	} {
		header := []string{htmlType}
		if c.header != "" {
			header = append(header, c.header)
		}
		o, _ := options(t, host{"/docs/a": {header: header, body: "<!doctype html><title>x</title>" + c.head}})
		got := find(t, against(t, snapshotOf(map[string]string{"/docs/a": ""}), o), "/docs/a", Everyone)
		if got.Canonical != c.canonical || got.Location != c.location {
			t.Errorf("%s: canonical %q, leads to %q; want %q, %q", c.name, got.Canonical, got.Location, c.canonical, c.location)
		}
	}
}
