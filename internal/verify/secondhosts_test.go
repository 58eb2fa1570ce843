package verify

import (
	"context"
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/emit/robotstxt"
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

// secondHostsOf asks a site at example.org and then second hosts. Of those that are stated, the
// name begins with "also ".
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

// sendsHome leads each URL to the same one of the site.
func sendsHome(status int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, origin+r.URL.Path, status)
	})
}

// with are the files of the site with others in their place.
func (h host) with(others host) host {
	files := maps.Clone(h)
	maps.Copy(files, others)
	return files
}

// Each situation of a second host: what it is found to be, and what its owner reads.
// X26c, X26d, X26e, X26f, X26g, X26h.
func TestHouse_ASecondHostIsJudgedByWhatItAnswers(t *testing.T) {
	const (
		pages   = "https://garden.pages.dev/"
		stated  = "also " + pages
		noindex = "X-Robots-Tag: noindex"
		linked  = "Link: <https://example.org/a.pdf>; rel=canonical"
		login   = "https://login.example/"
	)
	named := host{"/": titled("Garden", origin+"/"), "/imprint/": page("noindex"), "/a.pdf": pdf(linked)}
	tagged := func(line string) host {
		return host{"/": titled("Garden", "", line), "/imprint/": page("noindex"), "/a.pdf": pdf(line)}
	}
	refresh := file{header: []string{htmlType},
		body: `<html><head><meta http-equiv=refresh content="0; url=https://example.org/">`}
	contradiction := titled("Garden", pages, "Link: <https://example.org/>; rel=canonical")
	robots := func(rule string) host { return host{"/robots.txt": text200("User-agent: *\n" + rule + "\n")} }
	for _, c := range []struct {
		name   string
		by     string // the host as secondHostsOf takes it
		serves http.Handler
		want   SecondState
		kind   string // error, warning or note; empty for nothing
		text   string // a part of it
	}{
		{"open", pages, garden, Open, "error", "at / (200) and /a.pdf (200). Redirect it to example.org"},
		{"one page is open", pages, named.with(host{"/imprint/": titled("x", "")}), Open, "error", "at /imprint/ (200). "},
		{"a host without such rules", "https://garden.netlify.app/", garden, Open, "error", ". Netlify's headers know no host"},
		{"a second domain", "also https://garden.example/", garden, Open, "error", "https://garden.example/ (--also) is"},
		{"noindex for one crawler", pages, tagged("X-Robots-Tag: googlebot: noindex"), Open, "error", "at / (200)"},
		{"noindex not as documented", pages, tagged(noindex + "; nofollow"), Open, "error", "at / (200)"},
		{"noindex", pages, tagged(noindex), KeptOut, "", ""},

		{"308 home", "https://garden.vercel.app/", sendsHome(308), LeadsHome, "", ""},
		{"302 home", pages, sendsHome(302), LeadsHome, "", ""},
		{"home by a refresh", stated, host{"/": refresh}, LeadsHome, "", ""},
		{"home after a hop", stated, host{"/": moved("/en/"), "/en/": moved(origin + "/en/")}, LeadsHome, "", ""},
		{"to www. of the site", stated, host{"/": moved("https://www.example.org/")}, LeadsHome, "", ""},
		{"the home page alone leads home", pages, garden.with(host{"/": moved(origin)}), Open, "error", "at /a.pdf (200)"},
		{"elsewhere", stated, host{"/": moved(login)}, LeadsAway, "note", login + "; --also asks that host too"},
		{"elsewhere, by a file", pages, host{"/": moved(login)}, LeadsAway, "", ""},

		{"canonical", pages, named, NamesHome, "warning", "at / (200) and /a.pdf (200); the canonical link to example.org"},
		{"canonical on Firebase", "https://garden.web.app/", named, NamesHome, "warning", "surer, if the host can have one"},
		{"canonical links contradict", pages, garden.with(host{"/": contradiction}), Open, "error", "at / (200)"},
		{"canonical to itself", pages, garden.with(host{"/": titled("Garden", "/")}), Open, "error", "at / (200)"},

		{"robots.txt hides it", pages, garden.with(robots("Disallow: /")), OtherSite, "note", "if it is yours, add --also"},
		{"robots.txt hides its noindex", stated, tagged(noindex).with(robots("Disallow: /imprint/")), KeptUnread, "warning",
			"robots.txt:2: Disallow: /imprint/ keeps crawlers from reading a redirect, a noindex or a canonical link at /im"},

		{"another title", pages, garden.with(host{"/": titled("Shop", "")}), OtherSite, "note", "may be somebody else's"},
		{"the title alone", pages, host{"/": titled("Garden", "")}, OtherSite, "note", "may be somebody else's"},
		{"another title, stated", stated, host{"/": titled("Shop", "")}, Open, "error",
			`at / (200); its home page has the title "Shop", and that of example.org has "Garden": if it is another site, ` +
				"leave out --also https://garden.pages.dev/. Redirect it"},
		{"no title, stated", stated, host{"/": titled("", "")}, Open, "error",
			`its home page has no title, and that of example.org has "Garden": if`},
		{"the same title, stated", stated, host{"/": titled("Garden", "")}, Open, "error", "at / (200). Redirect it"},
		{"404", pages, host{}, Absent, "", ""},
		{"404, stated", stated, host{}, Absent, "note", "nothing to index: /: status 404"},
		{"a login", pages, host{"/": {status: 401}}, Absent, "", ""},
		{"a login, stated", stated, host{"/": {status: 401}}, Absent, "note", "which crawlers do not have; to see what is " +
			"behind it, verify it as BASE-URL, with --user"}, // X26i
		{"an error of the server", pages, host{"/": {status: 500}}, Unclear, "note", "at / is not known: status 500"},
		{"no robots.txt for now", pages, garden.with(host{"/robots.txt": {status: 503}}), Unclear, "note", "answers 503"},
		{"no such name", pages, nil, Absent, "", ""},
		{"no such name, stated", stated, nil, Absent, "note", "nothing to index: connection refused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := strings.TrimSuffix(strings.TrimPrefix(c.by, "also "), "/")
			others := map[string]http.Handler{}
			if c.serves != nil {
				others[at] = c.serves
			}
			r, w := secondHostsOf(t, garden, others, c.by)
			if len(r.SecondHosts) != 1 || r.SecondHosts[0].State != c.want {
				t.Fatalf("%+v, want %s", r.SecondHosts, c.want)
			}
			told := map[string]string{"error": faults(r, "\n"), "warning": strings.Join(r.Summary.Warnings, "\n"),
				"note": strings.Join(r.Summary.Notes, "\n")}
			for kind, got := range told {
				if kind == c.kind && !strings.Contains(got, c.text) || kind != c.kind && got != "" {
					t.Errorf("%s %q\nwant %s %q", kind, got, c.kind, c.text)
				}
			}
			if r.Failed(false) != (c.kind == "error") {
				t.Errorf("failed: %v", r.Failed(false))
			}
			for _, request := range w.requests {
				asked := request.URL.Scheme + "://" + request.URL.Host
				isThere := asked == at || asked == strings.Replace(at, "https:", "http:", 1)
				if !isThere && asked != origin {
					t.Errorf("%s was asked", request.URL)
				}
			}
		})
	}
}

// X26o: a robots.txt that leads home shows that a host is the site, if it keeps crawlers from all
// other signs.
func TestHouse_ARobotsTxtThatLeadsHomeShowsTheSite(t *testing.T) {
	own := garden.with(host{"/robots.txt": text200("User-agent: *\nDisallow: /\n")})
	const www = "https://www.example.org"
	r, _ := secondHostsOf(t, own, map[string]http.Handler{www: sendsHome(http.StatusPermanentRedirect)}, www+"/")
	if r.SecondHosts[0].State != KeptUnread || len(r.Summary.Notes) > 0 {
		t.Errorf("%+v %q", r.SecondHosts, r.Summary.Notes)
	}
}

// X26p: what a second host disallows to a crawler that the built robots.txt keeps out at home is as
// built. For others it is not.
func TestHouse_ASecondHostMayDisallowWhatIsDisallowedAtHome(t *testing.T) {
	const closed = "User-agent: GPTBot\nDisallow: /\n"
	const all = "User-agent: *\nDisallow: /\n"
	const www = "https://www.example.org"
	for _, c := range []struct {
		name, built, there string
		crawlers           []string
		state              SecondState
		warned             bool
	}{
		{"closed in the build", closed, closed, []string{"gptbot"}, ShutAsHome, false},
		{"closed there alone", "", closed, []string{"gptbot"}, KeptUnread, true},
		{"closed to another one", closed, all, []string{"claudebot"}, KeptUnread, true},
		{"open to others", closed, closed, []string{"gptbot", "googlebot"}, Open, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, w := options(t, garden.with(host{"/robots.txt": text200(c.built)}))
			w.hosts[www] = garden.with(host{"/robots.txt": text200(c.there)})
			o.Base, o.Crawlers = nil, c.crawlers
			s := madeFor(map[string]string{"/": origin + "/"}, map[string]string{"/": ""})
			s.Robots = robotstxt.PerHost{"/": robotstxt.Parse([]byte(c.built))}
			r := against(t, s, o)
			host := SecondHost{mustBase(t, www), "the other name", true}
			synctest.Test(t, func(t *testing.T) { tables.Must(t, r.AskSecondHosts(t.Context(), []SecondHost{host}, o)) })
			if got := r.SecondHosts[0].State; got != c.state || len(r.Summary.Warnings) > 0 != c.warned {
				t.Errorf("%s, want %s; %q", got, c.state, r.Summary.Warnings)
			}
		})
	}
}

// X26e: the error names the host, what names it, each URL, and what to do, the best first.
func TestHouse_WhatClosesAnIndexableTwin(t *testing.T) {
	names := []string{"https://garden.pages.dev/", "https://garden.netlify.app/", "also https://garden.example/"}
	others := map[string]http.Handler{}
	for _, name := range names {
		others[strings.TrimSuffix(strings.TrimPrefix(name, "also "), "/")] = garden
	}
	r, _ := secondHostsOf(t, garden, others, names...)
	const is = " is an indexable twin of example.org: neither noindex nor a canonical link to example.org at / (200) and " +
		"/a.pdf (200). "
	const advice = "Redirect it to example.org, which is best; or have each page name its address at example.org as " +
		"canonical, and each file by a Link header; or set [robots.hosts] others = \"noindex\", or \"redirect\", which metarobots writes "
	const noDisallow = ". A Disallow in robots.txt is no help: crawlers would not read that noindex"
	want := []string{
		"https://garden.pages.dev/ (wrangler.toml:1)" + is + advice + "for Cloudflare" + noDisallow,
		"https://garden.netlify.app/ (wrangler.toml:1)" + is + "Netlify's headers know no host, so NAME.netlify.app, " +
			"BRANCH--NAME.netlify.app, permalinks and other domains stay open: send the first home by a line of _redirects, " +
			`"https://NAME.netlify.app/* https://example.org/:splat 301!", which [robots.hosts] others = "redirect" writes; ` +
			"have each page name its address at example.org as " +
			"canonical; builds of branches are noindex by their environment (CONTEXT)" + noDisallow,
		"https://garden.example/ (--also)" + is + advice + "on hosts whose rules can be for one host (Cloudflare, Vercel, " +
			"Apache, nginx, Caddy)" + noDisallow,
	}
	if got := faults(r, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// X26a: of a second host robots.txt, the home page, one noindex page and one document are
// requested, a PDF before others, and of the site itself nothing more than its home page.
func TestHouse_ASecondHostIsAskedForAFewURLs(t *testing.T) {
	_, w := secondHostsOf(t, garden, map[string]http.Handler{"https://garden.pages.dev": garden},
		"https://garden.pages.dev/")
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
	if got := []SecondState{r.SecondHosts[0].State, r.SecondHosts[1].State}; !slices.Equal(got, []SecondState{KeptOut,
		Open}) {
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
		tables.Must(t, r.AskSecondHosts(t.Context(), []SecondHost{{mustBase(t, "https://garden.example"), "--also", true}},
			o))
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
	r, _ := secondHostsOf(t, garden, map[string]http.Handler{"https://garden.pages.dev": garden},
		"https://garden.pages.dev/")
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

// X26n: a host that has no page over https is asked over http, and an open page there is a twin
// too. One that answers over https, and one whose name has no address, is not.
func TestHouse_ASecondHostIsAskedOverHTTPToo(t *testing.T) {
	const secure, plain = "https://garden.example", "http://garden.example"
	toHTTPS := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, secure+r.URL.Path, http.StatusMovedPermanently)
	})
	unknown := host{"/robots.txt": {fault: &net.DNSError{Err: "no such host", IsNotFound: true}},
		"/": {fault: &net.DNSError{Err: "no such host", IsNotFound: true}}}
	tagged := titled("Garden", "", "X-Robots-Tag: noindex")
	hidden := host{"/": tagged, "/imprint/": tagged, "/a.pdf": pdf("X-Robots-Tag: noindex")}
	for _, c := range []struct {
		name        string
		https, http http.Handler
		url         string
		want        SecondState
		most        int // requests over http
	}{
		{"https cannot be reached", nil, garden, plain + "/", Open, 4},
		{"https has no page", host{}, garden, plain + "/", Open, 4},
		{"https fails", host{"/": {status: 500}, "/imprint/": {status: 500}, "/a.pdf": {status: 500}}, garden, plain + "/",
			Open, 4},
		{"http is noindex", nil, hidden, plain + "/", KeptOut, 4},
		{"http leads home", nil, sendsHome(301), plain + "/", LeadsHome, 4},
		{"http leads to https, which cannot be reached", nil, toHTTPS, secure + "/", Absent, 6},
		{"neither answers", nil, nil, secure + "/", Absent, 2},
		{"https leads home", sendsHome(301), garden, secure + "/", LeadsHome, 0},
		{"https is noindex", hidden, garden, secure + "/", KeptOut, 0},
		{"https is open", garden, garden, secure + "/", Open, 0},
		{"the name has no address", unknown, garden, secure + "/", Absent, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			others := map[string]http.Handler{}
			if c.https != nil {
				others[secure] = c.https
			}
			if c.http != nil {
				others[plain] = c.http
			}
			r, w := secondHostsOf(t, garden, others, "also "+secure+"/")
			if a := r.SecondHosts[0]; a.State != c.want || a.URL != c.url {
				t.Errorf("%s is %s, want %s %s: %s", a.URL, a.State, c.url, c.want, faults(r, "\n"))
			}
			isOverHTTP := func(request string) bool { return strings.HasPrefix(request, "GET "+plain) }
			if n := len(w.whole()) - len(slices.DeleteFunc(w.whole(), isOverHTTP)); n > c.most {
				t.Errorf("%d requests over http: %q", n, w.whole())
			}
		})
	}
}

// X26m: a host that the owner names as the site's own is home: what leads there or names it as
// canonical is right, and it is no second host.
func TestHouse_HostsOfTheOwnersAreNoTwins(t *testing.T) {
	const own = "https://garden.example/"
	s := madeFor(map[string]string{"/": origin + "/"}, map[string]string{"/": ""})
	s.Own = []string{"example.org", "garden.example"}
	o, w := options(t, garden)
	o.Base = nil
	r := against(t, s, o)
	if !r.IsOwn(mustBase(t, own)) || !r.IsOwn(mustBase(t, "http://garden.example/")) ||
		r.IsOwn(mustBase(t, "https://www.garden.example/")) {
		t.Errorf("own: %v", r.Own)
	}
	w.hosts["https://a.example"] = host{"/": moved(own)}
	w.hosts["https://b.example"] = host{"/": titled("Garden", own)}
	var list []SecondHost
	for _, name := range []string{"https://a.example/", "https://b.example/"} {
		list = append(list, SecondHost{mustBase(t, name), "--also", true})
	}
	synctest.Test(t, func(t *testing.T) { tables.Must(t, r.AskSecondHosts(t.Context(), list, o)) })
	if a, b := r.SecondHosts[0].State, r.SecondHosts[1].State; a != LeadsHome || b != NamesHome {
		t.Errorf("%s and %s: %s", a, b, faults(r, "\n"))
	}
}
