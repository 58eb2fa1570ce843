package check_test

import (
	"context"
	"slices"
	"testing"

	"metarobots/internal/check"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
)

// found are the findings of some IDs about a folder of pages, each with its file and message. Files
// are named from the publish folder, and the policy lies beside that folder.
func found(t *testing.T, policy string, files map[string]string, ids ...string) (all []string) {
	t.Helper()
	folder := map[string]string{"metarobots.toml": "[site]\ngenerator = \"html\"\ndestination = \"out\"\n" +
		"baseURL = \"https://a.example/\"\n" + policy}
	for name, text := range files {
		folder["out/"+name] = text
	}
	ctx := context.Background()
	p := tables.Value(project.Open(ctx, project.Options{WorkDir: tables.Folder(t, folder),
		Getenv: func(string) string { return "" }}, pages.HTML()))(t)
	for _, f := range check.All(tables.Value(plan.New(ctx, p))(t)) {
		if slices.Contains(ids, f.ID) {
			all = append(all, f.File+": "+f.Text())
		}
	}
	return all
}

// html is a page with something in its head.
func html(head string) string {
	return "<!doctype html><html><head><title>x</title>" + head + "</head></html>"
}

// A page with two canonical links, one in its header and one in its head, is to name one URL.
// https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls#rel-canonical-header-method
func TestGoogle_CanonicalOfHeaderAndHeadAgree(t *testing.T) {
	const differs = "out/_headers: Link: its canonical link and the one in the head of the page differ, on /p/: search " +
		"engines may use neither"
	for _, c := range []struct {
		name, header, head, want string
	}{
		{"no link in the head", "</a/>", "", ""},
		{"the same", "https://a.example/a/", `<link rel="canonical" href="/a/">`, ""},
		{"the same in another form", "/a/index.html", `<link rel="canonical" href="https://a.example/a">`, ""},
		{"the page itself in both", "/p/", `<link rel="canonical" href="https://a.example/p/">`, ""},
		{"the page itself in its head", "/a/", `<link rel="canonical" href="https://a.example/p/">`, differs},
		{"another page in its head", "/p/", `<link rel="canonical" href="/a/">`, differs},
		{"another site in its head", "/a/", `<link rel="canonical" href="https://b.example/">`, differs},
		{"another site in its header", "https://b.example/", `<link rel="canonical" href="/a/">`, differs},
		{"other links of the header", "/a/>; rel=preload, </p/", `<link rel="canonical" href="/p/">`, ""},
	} {
		got := found(t, "", map[string]string{"_headers": "/p/\n  Link: <" + c.header + ">; rel=\"canonical\"\n",
			"a/index.html": html(""), "p/index.html": html(c.head)}, "canonical-differs")
		if want := c.want; (want == "") != (len(got) == 0) || want != "" && !slices.Equal(got, []string{want}) {
			t.Errorf("%s: got %q, want %q", c.name, got, want)
		}
	}
}

// H2h, H4f: what contradicts a canonical link is one finding for each line, a rule's or the
// owner's, with a count.
func TestHouse_ContradictedCanonicalsAreSaidOnceALine(t *testing.T) {
	files := map[string]string{"_headers": "/h/*\n  Link: </a/>; rel=canonical\n", "a/index.html": html(""),
		"a.pdf": "", "h/1.pdf": "", "h/2.pdf": "", "h/3.pdf": "", "h/index.html": html(`<link rel="canonical" href="/">`),
		"index.html": html(""), "s/index.html": html("")}
	const policy = "[[robots.rules]]\nmatch = [\"/h/**\", \"/a.pdf\", \"/s/\"]\nrobots = \"noindex\"\n" +
		"[[robots.headers.rules]]\nmatch = [\"/a.pdf\", \"/s/\"]\nlink = [{ rel = \"canonical\", to = \"https://b.example/\" }]\n"
	const noindex = ", which is noindex: the link says that it is a copy of that URL, and noindex that it is to be forgotten"
	want := []string{"out/_headers: Link: it names another URL as canonical for /h/1.pdf and 3 more" + noindex,
		"metarobots.toml: robots.headers.rules.link (rule 1): it names another URL as canonical for /a.pdf and one more" + noindex}
	got := found(t, policy, files, "canonical-and-noindex")
	slices.Sort(got)
	slices.Sort(want)
	// The link in the head of /h/ contradicts noindex too, and is said as for any page.
	got = slices.DeleteFunc(got, func(f string) bool { return f[:len("out/h/")] == "out/h/" })
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// A sitemap and hreflang links list canonical URLs alone: no file whose header names another.
// https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap
func TestGoogle_CopiesAreListedNowhere(t *testing.T) {
	files := map[string]string{"_headers": "/a.pdf\n  Link: </a/>; rel=canonical\n/b.pdf\n  Link: </b.pdf>; rel=canonical\n" +
		"/c.pdf\n  Link: <https://b.example/c>; rel=canonical\n",
		"a/index.html": html(`<link rel=alternate hreflang=de href="/a.pdf"><link rel=alternate hreflang=fr href="/b.pdf">`),
		"hidden.html":  html(`<meta name=robots content=noindex><link rel=alternate hreflang=de href="/c.pdf">`),
		"a.pdf":        "", "b.pdf": "", "c.pdf": "",
		"sitemap.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://a.example/a.pdf</loc></url>` +
			`<url><loc>https://a.example/b.pdf</loc></url><url><loc>https://a.example/c.pdf</loc></url>` +
			`<url><loc>https://a.example/a/</loc></url></urlset>`}
	want := []string{"out/sitemap.xml: the sitemap names /a.pdf and one more, whose headers name another URL as canonical: list " +
		"that one", "out/a/index.html: an hreflang link names /a.pdf, whose headers name another URL as canonical: list that one"}
	if got := found(t, "", files, "copy-listed"); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// H4g: a canonical link of the owner's that leads nowhere is reported, and stays. One on a noindex
// page is not asked.
func TestHouse_TargetsOfTheOwnersCanonicals(t *testing.T) {
	files := map[string]string{"_headers": "/*.pdf\n  Link: </gone/>; rel=canonical\n/n/\n  Link: </gone/>; rel=canonical\n" +
		"/404.html\n  Link: </gone/>; rel=canonical\n", "1.pdf": "", "2.pdf": "", "404.html": html(""),
		"n/index.html": html("<meta name=robots content=noindex>")}
	want := []string{"out/_headers: Link: it names another URL as canonical for /1.pdf: /gone/ is not published; the same for 1 more"}
	if got := found(t, "", files, "canonical-target"); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// U6: a canonical link that leads to no page which search engines may read and show is reported.
func TestGoogle_CanonicalLinksLeadToPages(t *testing.T) {
	files := map[string]string{"robots.txt": "User-agent: *\nDisallow: /shut/\n", "a/index.html": html(""),
		"shut/index.html": html(""), "hidden/index.html": html("<meta name=robots content=noindex>"),
		"old/index.html": html(`<meta http-equiv="refresh" content="0; url=/a/">`)}
	for _, c := range []struct{ name, link, want string }{
		{"the page itself", "https://a.example/p/", ""},
		{"a page", "/a/", ""},
		{"a page by another address", "https://a.example/a", ""},
		{"a noindex page, which is another finding", "/hidden/", ""},
		{"a page that robots.txt disallows", "https://a.example/shut/", "its canonical link names /shut/, which robots.txt " +
			"keeps googlebot and bingbot from: they cannot read the page that is to be shown"},
		{"nothing", "/gone/", "its canonical link names /gone/, which is not published"},
		{"a redirect", "/old/", "its canonical link names /old/, which leads to another page: name that one"},
		{"another site", "https://b.example/", "its canonical link names another site, and search engines may show that one " +
			"instead: leave it only if the page is a copy"},
	} {
		files["p/index.html"] = html(`<link rel="canonical" href="` + c.link + `">`)
		var want []string
		if c.want != "" {
			want = []string{"out/p/index.html: " + c.want}
		}
		if got := found(t, "", files, "canonical-astray"); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", c.name, got, want)
		}
	}
}
