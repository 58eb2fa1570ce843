package verify

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/seen"
)

// X23e: a list of URLs is a text, a sitemap or a CSV file; of its columns the one with the most
// URLs counts.
func TestHouse_ListsOfURLsAreRead(t *testing.T) {
	const a, b, c = origin + "/", origin + "/a,b;c", origin + "/c/"
	for name, text := range map[string]string{
		"text":         a + "\n" + b + "\n\n" + c + "\n" + a + "\n",
		"Windows":      "\ufeff" + a + "\r\n" + b + "\r\n" + c + "\r\n",
		"comments":     "# mine\n" + a + "\n" + b + "\n" + c,
		"sitemap":      sitemapOf(a, b, c),
		"compressed":   packed(sitemapOf(a, b, c)),
		"Search":       "Top pages,Clicks,CTR\n" + a + ",10,1.5%\n\"" + b + "\",2,0%\n" + c + ",1,1%\n",
		"semicolons":   "\ufeff\"Address\";\"Status\";\"Canonical\"\n\"" + a + "\";\"200\";\"" + a + "\"\n\"" + b + "\";\"200\";\n" + c + ";200;\n",
		"tabs":         "Kind\tURL\nx\t" + a + "\ny\t" + b + "\n\t" + c + "\n",
		"named":        "sep=;\nURL;n\n" + a + ";1\n\"" + b + "\";2\n" + c + ";3\n",
		"no heading":   "\"" + a + "\",1\n\"" + b + "\",2\n\"" + c + "\",3\n",
		"a lone quote": "URL\tTitle\n" + a + "\t5\" disk\n" + b + "\t\n" + c + "\tx\n",
		"UTF-16":       utf16("URL\tn\n" + a + "\t1\n" + b + "\t2\n" + c + "\t3\n"),
	} {
		got, err := ReadURLs([]byte(text))
		if err != nil || !slices.Equal(got.URLs, []string{a, b, c}) || got.Column != "" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for _, text := range []string{"", "URL,n\n/a/,1\n", "<html></html>", "ftp://example.org/\n", "example.org\n"} {
		if got, err := ReadURLs([]byte(text)); !errors.Is(err, ErrNoURL) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	if _, err := ReadURLs([]byte(indexOf(a))); err == nil || !strings.Contains(err.Error(), "index of sitemaps") {
		t.Errorf("an index: %v", err)
	}
}

// utf16 is a text as spreadsheets write it.
func utf16(text string) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for _, c := range []byte(text) {
		b.Write([]byte{c, 0})
	}
	return b.String()
}

// X23e: whatever a file holds, what is read of it are URLs, each once, and none is an error.
func FuzzReadURLs(f *testing.F) {
	for _, text := range []string{"URL,n\nhttps://example.org/,1\n", "sep=;\nhttps://a.example/;\"", sitemapOf(origin),
		packed(origin), "\xff\xfeh\x00", "https://a.example/\t\thttps://b.example/"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ReadURLs(data)
		urls := list.URLs
		if (len(urls) == 0) != (err != nil) {
			t.Errorf("%q, %v", urls, err)
		}
		if len(distinct(urls)) != len(urls) {
			t.Errorf("twice: %q", urls)
		}
		for u := range list.NotIndexable {
			if list.Column == "" || u != strings.TrimSpace(u) {
				t.Errorf("column %q: %q", list.Column, u)
			}
		}
	})
}

// X23g: a column of a crawler's export says which URLs are not indexable. It may be at either side
// of the URLs.
func TestHouse_AnExportSaysWhichURLsAreNotIndexable(t *testing.T) {
	const a, b = origin + "/a", origin + "/b"
	for text, column := range map[string]string{
		"Address,Indexability,Indexability Status\n" + a + ",Indexable,\n" + b + ",Non-Indexable,noindex\n": "Indexability",
		"indexability;URL\n;" + a + "\nnon-indexable;" + b + "\n":                                           "Indexability",
		"Address\tIndexability Status\n" + a + "\t\n" + b + "\tCanonicalised\n":                             "Indexability Status",
		"Address,Status\n" + a + ",Non-Indexable\n" + b + ",x\n":                                            "",
		a + ",Non-Indexable\n" + b + ",Indexable\n":                                                         "",
	} {
		list, err := ReadURLs([]byte(text))
		if err != nil || !slices.Equal(list.URLs, []string{a, b}) || list.Column != column ||
			list.NotIndexable[a] || list.NotIndexable[b] != (column != "") {
			t.Errorf("%q: %+v, %v", text, list, err)
		}
	}
}

// X23g: whatever keeps such a URL out of the index is as expected. One that nothing keeps out is
// looser.
func TestHouse_WhatAListCallsNotIndexable(t *testing.T) {
	canonical := file{header: []string{htmlType}, body: `<!doctype html><title>x</title><link rel=canonical href="/b/">`}
	own := file{header: []string{htmlType}, body: `<!doctype html><title>x</title><link rel=canonical href="/own/">`}
	files := host{"/robots.txt": text200("User-agent: *\nDisallow: /banned/\n"), "/banned/": page(""), "/noindex/": page("noindex"),
		"/moved/": moved("/b/"), "/canonical/": canonical, "/own/": own, "/open/": page(""), "/b/": page(""),
		"/broken/": {status: 500}, "/file.pdf": pdf(), "/led.pdf": pdf(`Link: </b/>; rel="canonical"`),
		"/own.pdf": pdf(`Link: </own.pdf>; rel="canonical"`)}
	o, _ := options(t, files)
	list := List{Column: "Indexability", NotIndexable: map[string]bool{}}
	for _, path := range strings.Fields("/banned/ /noindex/ /moved/ /canonical/ /own/ /open/ /gone/ " +
		"/broken/ /file.pdf /led.pdf /own.pdf") {
		list.URLs, list.NotIndexable[origin+path] = append(list.URLs, origin+path), true
	}
	list.URLs = append(list.URLs, origin+"/b/")
	r, err := URLs(t.Context(), list, o)
	want := "/b/ robots match; /banned/ robots match; /broken/ robots unreachable; /canonical/ robots match; " +
		"/file.pdf robots looser; /gone/ robots match; /led.pdf robots match; /moved/ robots match; " +
		"/noindex/ robots match; /open/ robots looser; " +
		"/own.pdf robots looser; /own/ robots looser"
	if got := outcome(r.Results); err != nil || got != want || r.Expected != (Expected{11, "Indexability"}) {
		t.Errorf("%v: %s\nwant %s", err, got, want)
	}
	if a := find(t, r, "/open/", Everyone); a.Want != "not indexable" || a.Got != "all" {
		t.Errorf("%+v", a)
	}
}

// X23g: if robots.txt cannot be read, that is why nothing is known of such a URL.
func TestHouse_NotIndexableAtAShutHost(t *testing.T) {
	o, _ := options(t, host{"/robots.txt": {status: 500}, "/a/": page("")})
	o.Retries = 0
	list := List{URLs: []string{origin + "/a/"}, Column: "Indexability",
		NotIndexable: map[string]bool{origin + "/a/": true}}
	r, _ := URLs(t.Context(), list, o)
	a := find(t, r, "/a/", Everyone)
	const want = "crawlers stay away from the whole host"
	if a.Verdict != seen.Unreachable || !strings.Contains(a.Why, want) {
		t.Errorf("%+v", a)
	}
}

// X23d: the URLs of a list are asked, also those that no sitemap lists; those of other hosts are
// counted in a note.
func TestHouse_AListOfURLsIsAsked(t *testing.T) {
	o, w := options(t, host{"/robots.txt": text200(""), "/a/": page("noindex"), "/b/": page("")})
	r, err := URLs(t.Context(), List{URLs: []string{origin + "/b/", origin + "/a/", "https://other.example/", "https://third.example/x"}}, o)
	if got := outcome(r.Results); err != nil || got != "/a/ robots stricter; /b/ robots match" {
		t.Errorf("%v: %s", err, got)
	}
	if notes := r.Summary.Notes; len(notes) != 1 || len(w.requests) != 3 ||
		notes[0] != "2 of the listed URLs are not below https://example.org/ and not requested, https://other.example/ for one" {
		t.Errorf("%d requests, notes %q", len(w.requests), notes)
	}
	if _, err := URLs(t.Context(), List{URLs: []string{"https://other.example/"}}, o); err == nil {
		t.Error("nothing is asked, and that is no error")
	}
}

// X23c: a preview whose sitemaps name production is asked for the same paths, with a note.
func TestHouse_SitemapsOfAPreviewNameProduction(t *testing.T) {
	o, w := options(t, host{
		"/robots.txt": text200("Sitemap: https://www.shop.example/index.xml\n"),
		"/index.xml":  text200(indexOf("https://www.shop.example/map.xml")),
		"/map.xml":    text200(sitemapOf("https://www.shop.example/a/", "https://www.shop.example/b?x=1")),
		"/":           page(""), "/a/": page("noindex"), "/b?x=1": page(""),
	})
	r, err := Sitemaps(t.Context(), o)
	if got := outcome(r.Results); err != nil || got != "/ robots match; /a/ robots stricter; /b?x=1 robots match" {
		t.Errorf("%v: %s", err, got)
	}
	want := "the sitemaps name URLs of https://www.shop.example/: the same paths are requested at https://example.org/"
	if !slices.Equal(r.Summary.Notes, []string{want}) || len(r.Summary.Warnings) > 0 {
		t.Errorf("%+v", r.Summary)
	}
	for _, asked := range w.requests {
		if asked.URL.Host != "example.org" {
			t.Errorf("asked %s", asked.URL)
		}
	}
}
