package verify

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
)

// titled is a page with a title, and a canonical link if one is given.
func titled(title, canonical string, header ...string) file {
	link := ""
	if canonical != "" {
		link = `<link rel="canonical" href="` + canonical + `">`
	}
	return file{header: append([]string{htmlType}, header...),
		body: "<!DOCTYPE html><html><head><title>" + title + "</title>" + link + "</head><body></body></html>"}
}

// secondHostsOf asks a site at example.org and then second hosts. Of those that are stated, the name begins with "also ".
func secondHostsOf(t *testing.T, own host, others map[string]http.Handler, names ...string) (*Report, *web) {
	t.Helper()
	o, w := options(t, own)
	o.Base = nil
	for origin, h := range others {
		w.hosts[origin] = h
	}
	var list []SecondHost
	for _, name := range names {
		text, isStated := strings.CutPrefix(name, "also ")
		by := map[bool]string{true: "--also", false: "wrangler.toml:1"}[isStated]
		list = append(list, SecondHost{mustBase(t, text), by, isStated})
	}
	s := madeFor(map[string]string{"/": origin + "/"}, map[string]string{"/": "", "/imprint/": "noindex", "/a.pdf": "",
		"/b.txt": ""})
	r := against(t, s, o)
	w.requests = nil
	synctest.Test(t, func(t *testing.T) { tables.Must(t, r.AskSecondHosts(t.Context(), list, o)) })
	return r, w
}

// garden is the site at home.
var garden = host{"/": titled("Garden", ""), "/imprint/": page("noindex"), "/a.pdf": pdf(), "/b.txt": text200("b")}

// Each situation of a second host: what it is found to be, and what its owner reads.
// X26c, X26d, X26e, X26f, X26g, X26h.
func TestHouse_ASecondHostIsJudgedByWhatItAnswers(t *testing.T) {
	const twin = "https://garden.pages.dev/"
	away := "Location: https://example.org/"
	type situation struct {
		name   string
		by     string // the host as secondHostsOf takes it
		serves http.Handler
		want   SecondState
		told   string // error, warning or note, and a part of its text; empty for none
	}
	home := func(status int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://example.org"+r.URL.Path, status)
		})
	}
	same := func(more host) host {
		files := host{}
		for path, f := range garden {
			files[path] = f
		}
		for path, f := range more {
			files[path] = f
		}
		return files
	}
	noindex := func(header string) host {
		return host{"/": titled("Garden", "", header), "/imprint/": page("noindex"), "/a.pdf": pdf(header)}
	}
	const kept = "X-Robots-Tag: noindex"
	for _, c := range []situation{
		{"open", twin, same(nil), Open, "error: https://garden.pages.dev/ (wrangler.toml:1) is an indexable twin of example.org: " +
			"neither noindex nor a canonical link to example.org at / (200) and /a.pdf (200). Redirect it to example.org, which is " +
			`best; or have each page name its address at example.org as canonical, and each file by a Link header; or set ` +
			`[robots.hosts] others = "noindex", which metarobots writes for Cloudflare. A Disallow in robots.txt is no help`},
		{"the noindex page alone is open", twin, same(host{"/": titled("Garden", "https://example.org/"),
			"/imprint/": titled("Imprint", ""), "/a.pdf": pdf(`Link: <https://example.org/a.pdf>; rel="canonical"`)}), Open,
			"error: at /imprint/ (200). "},
		{"a host whose rules know no host", "https://garden.netlify.app/", same(nil), Open, "error: . Netlify's headers know no " +
			`host, so NAME.netlify.app, BRANCH--NAME.netlify.app, permalinks and other domains stay open: send the first home by ` +
			`a line of _redirects, "https://NAME.netlify.app/* https://example.org/:splat 301!"`},
		{"a second domain", "also https://garden.example/", same(nil), Open, "error: https://garden.example/ (--also) is an " +
			"indexable twin"},
		{"noindex for one crawler", twin, noindex("X-Robots-Tag: googlebot: noindex"), Open, "error: at / (200)"},
		{"noindex that is not read for sure", twin, noindex("X-Robots-Tag: noindex; nofollow"), Open, "error: at / (200)"},
		{"noindex", twin, noindex(kept), KeptOut, ""},
		{"308 home", "https://garden.vercel.app/", home(308), LeadsHome, ""},
		{"302 home", twin, home(302), LeadsHome, ""},
		{"home by a refresh", "also " + twin, host{"/": {header: []string{htmlType},
			body: `<html><head><meta http-equiv=refresh content="0; url=https://example.org/">`}}, LeadsHome, ""},
		{"home after a hop", "also " + twin, host{"/": moved("/en/"), "/en/": moved("https://example.org/en/")}, LeadsHome, ""},
		{"to www. of the site", "also " + twin, host{"/": moved("https://www.example.org/")}, LeadsHome, ""},
		{"the home page alone leads home", twin, same(host{"/": {status: 301, header: []string{away}}}), Open,
			"error: at /a.pdf (200)"},
		{"elsewhere", "also " + twin, host{"/": moved("https://login.example/")}, LeadsAway,
			"note: leads to another host: https://login.example/; --also asks that host too"},
		{"elsewhere, a name of a file's", twin, host{"/": moved("https://login.example/")}, LeadsAway, ""},
		{"canonical", twin, host{"/": titled("Garden", "https://example.org/"), "/imprint/": page("noindex"),
			"/a.pdf": pdf(`Link: <https://example.org/a.pdf>; rel="canonical"`)}, NamesHome, "warning: may be indexed at / (200) " +
			"and /a.pdf (200); the canonical link to example.org is a hint to search engines and no rule: a redirect to example.org " +
			`is surer, and so is [robots.hosts] others = "noindex"`},
		{"canonical where nothing else is possible", "https://garden.web.app/", host{"/": titled("x", "https://example.org/")},
			NamesHome, "warning: is surer, if the host can have one"},
		{"canonical links that contradict", twin, host{"/": titled("Garden", twin, "Link: <https://example.org/>; rel=canonical")},
			Open, "error: at / (200)"},
		{"canonical to itself", twin, host{"/": titled("Garden", "/")}, Open, "error: at / (200)"},
		{"robots.txt hides it", twin, same(host{"/robots.txt": text200("User-agent: *\nDisallow: /\n")}), OtherSite, "note: if it is " +
			"yours, add --also https://garden.pages.dev/"},
		{"robots.txt hides its noindex", "also " + twin, host{"/": page("noindex"), "/imprint/": page("noindex"), "/a.pdf": pdf(kept),
			"/robots.txt": text200("User-agent: *\nDisallow: /imprint/\n")}, KeptUnread, "warning: https://garden.pages.dev/ " +
			"(--also): robots.txt:2: Disallow: /imprint/ keeps crawlers from reading a redirect, a noindex or a canonical link at " +
			"/imprint/, so that address may be in search results: let crawlers in there"},
		{"somebody else's", twin, host{"/": titled("Shop", "")}, OtherSite, "note: https://garden.pages.dev/ (wrangler.toml:1) " +
			"answers, and nothing there shows that it is example.org: it may be somebody else's; if it is yours, add --also"},
		{"another title, and it is stated", "also " + twin, host{"/": titled("Shop", "")}, Open, "error: "},
		{"404", twin, host{}, Absent, ""},
		{"404, and it is stated", "also " + twin, host{}, Absent, "note: nothing to index: /: status 404"},
		{"a login", twin, host{"/": {status: 401}}, Absent, ""},
		{"an error of the server", twin, host{"/": {status: 500}}, Unclear, "note: what crawlers may do at / is not known: status 500"},
		{"no robots.txt for now", twin, same(host{"/robots.txt": {status: 503}}), Unclear, "note: robots.txt answers 503"},
		{"no such name", "https://gone.pages.dev/", nil, Absent, ""},
		{"no such name, and it is stated", "also https://gone.pages.dev/", nil, Absent, "note: nothing to index: connection refused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			origin := strings.TrimSuffix(strings.TrimPrefix(c.by, "also "), "/")
			others := map[string]http.Handler{}
			if c.serves != nil {
				others[origin] = c.serves
			}
			r, w := secondHostsOf(t, garden, others, c.by)
			if len(r.SecondHosts) != 1 || r.SecondHosts[0].State != c.want {
				t.Fatalf("%+v, want %s", r.SecondHosts, c.want)
			}
			kind, text, _ := strings.Cut(c.told, ": ")
			told := map[string][]string{"error": {faults(r, "\n")}, "warning": r.Summary.Warnings, "note": r.Summary.Notes}
			for name, texts := range told {
				got := strings.Join(texts, "\n")
				if kind == name && !strings.Contains(got, text) || kind != name && got != "" {
					t.Errorf("%ss %q\nwant %q", name, got, c.told)
				}
			}
			if r.Failed(false) != (kind == "error") {
				t.Errorf("failed: %v", r.Failed(false))
			}
			for _, request := range w.requests {
				if at := request.URL.Scheme + "://" + request.URL.Host; at != origin && at != "https://example.org" {
					t.Errorf("%s was asked", request.URL)
				}
			}
		})
	}
}

// X26a: of a second host robots.txt, the home page, one noindex page and one document are requested, a PDF before others,
// and of the site itself nothing more than its home page.
func TestHouse_ASecondHostIsAskedForAFewURLs(t *testing.T) {
	_, w := secondHostsOf(t, garden, map[string]http.Handler{"https://garden.pages.dev": garden}, "https://garden.pages.dev/")
	want := []string{"GET https://garden.pages.dev/robots.txt", "GET https://garden.pages.dev/",
		"GET https://garden.pages.dev/imprint/", "GET https://garden.pages.dev/a.pdf", "GET https://example.org/"}
	if got := w.whole(); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// X26c: what the rules of [robots.hosts] others = "noindex" make of a twin on Cloudflare is right.
func TestHouse_ATwinWithOurRulesForOtherHostsIsRight(t *testing.T) {
	rules := headers.Cloudflare.Parse([]byte("https://:project.pages.dev/*\n  X-Robots-Tag: noindex\n"), robotstag.Name)
	serve := func(name string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for _, v := range headers.Cloudflare.Values(rules, name, r.URL.EscapedPath()) {
				w.Header().Add(robotstag.Name, v.Text)
			}
			garden.ServeHTTP(w, r)
		})
	}
	r, _ := secondHostsOf(t, garden, map[string]http.Handler{"https://garden.pages.dev": serve("garden.pages.dev"),
		"https://garden.example": serve("garden.example")}, "https://garden.pages.dev/", "https://garden.example/")
	if got := []SecondState{r.SecondHosts[0].State, r.SecondHosts[1].State}; !slices.Equal(got, []SecondState{KeptOut, Open}) {
		t.Errorf("%q, %s", got, faults(r, "\n"))
	}
}

// X26d: a host that leads to another one which is asked is right if that one is.
func TestHouse_ASecondHostThatLeadsToAnother(t *testing.T) {
	r, _ := secondHostsOf(t, garden, map[string]http.Handler{
		"https://a.example":     host{"/": moved("https://www.a.example/")},
		"https://www.a.example": host{"/": moved("https://example.org/")},
	}, "also https://a.example/", "also https://www.a.example/")
	for _, a := range r.SecondHosts {
		if a.State != LeadsHome || len(r.Summary.Notes) > 0 {
			t.Errorf("%+v, %q", a, r.Summary.Notes)
		}
	}
}

// X26i: a secret for the site does not go to a second host.
func TestHouse_NoSecretForASecondHost(t *testing.T) {
	o, w := options(t, garden)
	o.Header, o.User = http.Header{"X-Token": {"secret"}}, url.UserPassword("me", "secret")
	w.hosts["https://garden.example"] = garden
	r := against(t, snapshotOf(map[string]string{"/": ""}), o)
	synctest.Test(t, func(t *testing.T) {
		tables.Must(t, r.AskSecondHosts(t.Context(), []SecondHost{{mustBase(t, "https://garden.example"), "--also", true}}, o))
	})
	asked := 0
	for _, request := range w.requests {
		_, _, hasUser := request.BasicAuth()
		isHome := request.URL.Host == "example.org"
		if hasUser != isHome || (request.Header.Get("X-Token") != "") != isHome {
			t.Errorf("%s: user %v, header %q", request.URL, hasUser, request.Header.Get("X-Token"))
		}
		if !isHome {
			asked++
		}
	}
	if asked == 0 {
		t.Error("it was not asked")
	}
}

// X26c: a name that is not known to DNS is no error, and why is in the result.
func TestHouse_ASecondHostWithoutAnAddress(t *testing.T) {
	unknown := host{}
	for _, path := range []string{"/robots.txt", "/"} {
		unknown[path] = file{fault: &net.DNSError{Err: "no such host", Name: "gone.pages.dev", IsNotFound: true}}
	}
	r, w := secondHostsOf(t, garden, map[string]http.Handler{"https://gone.pages.dev": unknown}, "https://gone.pages.dev/")
	a := r.SecondHosts[0]
	if a.State != Absent || !strings.Contains(a.Why, "cannot be resolved") || r.Failed(true) || len(r.Summary.Notes) > 0 ||
		len(w.requests) > 2 {
		t.Errorf("%+v, asked %q", a, w.whole())
	}
}

// X26k: the result has each second host with what it answered.
func TestHouse_TheResultHasSecondHosts(t *testing.T) {
	r, _ := secondHostsOf(t, garden, map[string]http.Handler{"https://garden.pages.dev": garden}, "https://garden.pages.dev/")
	var text strings.Builder
	tables.Must(t, r.WriteJSON(&text))
	var got struct {
		SecondHosts []SecondAnswer `json:"secondHosts"`
	}
	tables.Must(t, json.Unmarshal([]byte(text.String()), &got))
	if len(got.SecondHosts) != 1 {
		t.Fatalf("%s", text.String())
	}
	answer := got.SecondHosts[0]
	want := []SecondPage{{"/", 200, Everyone, Open, ""}, {"/imprint/", 200, Everyone, KeptOut, ""},
		{"/a.pdf", 200, Everyone, Open, ""}}
	if answer.URL != "https://garden.pages.dev/" || answer.By != "wrangler.toml:1" || answer.State != Open ||
		!slices.Equal(answer.Pages, want) {
		t.Errorf("%+v", answer)
	}
}

// An interrupt ends the asking, and what was known by then stays.
func TestHouse_AskingSecondHostsIsInterrupted(t *testing.T) {
	o, _ := options(t, garden)
	r := against(t, snapshotOf(map[string]string{"/": ""}), o)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := r.AskSecondHosts(ctx, []SecondHost{{mustBase(t, "https://garden.example"), "--also", true}}, o)
	if err == nil || !r.Summary.Interrupted || len(r.SecondHosts) > 0 {
		t.Errorf("%v, %+v", err, r.SecondHosts)
	}
}
