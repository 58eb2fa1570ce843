package plan_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metarobots/internal/check"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// versionedSite is the policy of a site whose old versions name the newest, for a host.
func versionedSite(target, more string) string {
	return "[site]\ngenerator = \"html\"\ndestination = \"out\"\nbaseURL = \"https://example.org/\"\n[robots]\ndefault = \"\"\n" +
		"guard.noindex = 1.0\nheaders.targets = [\"" + target + "\"]\n" + more +
		"[robots.visibility]\nversions = \"canonical\"\n[robots.versions]\nmatch = [\"/{version}/**\"]\n"
}

// html is a page with something in its head.
func html(head string) string { return "<!doctype html><head>" + head + "</head><body>x</body>" }

// canonical is a canonical link.
func canonical(to string) string { return `<link rel="canonical" href="` + to + `">` }

// tagOf is what the tag of a page names by the plan, and headerOf what its header names.
func tagOf(pg *plan.Page) string { return pg.TagsNewest() }

func headerOf(pg *plan.Page) string {
	if l := pg.CanonicalHeader(); l != nil {
		return l.Canonical()
	}
	return ""
}

// L10l, L10n: what has no tag says it by a header: documents, twins, and pages that are not edited.
// A rule goes before the key, and so does the owner's own line; such a page gets no tag.
func TestHouse_FilesWithoutATagNameTheNewestByAHeader(t *testing.T) {
	const utf16 = "\xff\xfe<\x00p\x00>\x00"
	site := map[string]string{"metarobots.toml": versionedSite("netlify",
		"[[robots.headers.rules]]\nmatch = [\"/1.9/rule*\"]\nlink = [{rel = \"canonical\", to = \"https://other.example/\"}]\n"),
		"out/_headers": "/1.9/owner*\n  Link: <https://other.example/x>; rel=\"canonical\"\n", "out/index.html": html("")}
	for name, text := range map[string]string{"a.html": html(""), "a.md": "x", "a.pdf": "x", "a.txt": "x", "a.png": "x",
		"a.js": "x", "rule.pdf": "x", "rule.html": html(""), "owner.pdf": "x", "owner.html": html(""), "fragment.html": "<p>x",
		"wide.html": utf16, "linked.html": "<p>x" + canonical("/1.9/linked.html"), "data.json": "{}"} {
		site["out/1.9/"+name], site["out/1.10/"+name] = text, text
	}
	const to = "https://example.org/1.10/"
	want := map[string]string{"a.html": "tag " + to + "a.html", "a.md": "header " + to + "a.md", "a.pdf": "header " + to + "a.pdf",
		"a.txt": "header " + to + "a.txt", "fragment.html": "header " + to + "fragment.html", "wide.html": "header " + to + "wide.html",
		"rule.pdf": "header https://other.example/", "rule.html": "header https://other.example/",
		"owner.pdf": "header https://other.example/x", "owner.html": "header https://other.example/x"}
	s := planned(t, tables.Folder(t, site))
	for _, f := range s.Findings {
		if f.ID != "encoding" && f.ID != "canonical-kept" {
			t.Errorf("nothing is wrong, and it says %s", f.Text())
		}
	}
	for _, pg := range s.Pages {
		name, isOld := strings.CutPrefix(pg.File.Name, "1.9/")
		got := ""
		if tag := tagOf(pg); tag != "" {
			got = "tag " + tag
		}
		if header := headerOf(pg); header != "" {
			got += "header " + header
		}
		switch {
		case isOld && got != want[name], !isOld && got != "":
			t.Errorf("%s: %q, want %q", pg.File.Name, got, want[name])
		}
	}
}

// L10n: what a link of the page's owner names stays, and so do links that do not agree, with a
// finding; all that name the page itself, or the new address, name that.
func TestHouse_CanonicalLinksOfTheOwnerStay(t *testing.T) {
	const self, newest = "https://example.org/1.9/a.html", "https://example.org/1.10/a.html"
	for _, c := range []struct {
		head, want, finding string
		naming              plan.Naming
	}{
		{canonical(self), canonical(newest), "", plan.NamesNewest},
		{canonical(self) + canonical("a.html"), canonical(newest) + canonical(newest), "", plan.NamesNewest},
		{canonical(self) + canonical(newest), canonical(newest) + canonical(newest), "", plan.NamesNewest},
		{canonical("../1.10/a.html"), canonical("../1.10/a.html"), "", plan.NamesNewest},
		{canonical("/1.10/b.html"), canonical("/1.10/b.html"), "", plan.NamesOther},
		{`<base href="/other/">` + canonical("a.html"), `<base href="/other/">` + canonical("a.html"), "", plan.NamesOther},
		{`<base href="https://other.example/">` + canonical("/1.9/a.html"),
			`<base href="https://other.example/">` + canonical("/1.9/a.html"), "", plan.NamesOther},
		{`<base target="_top">` + canonical("1.9/a.html") + `<base href="../"><base href="/x/">`,
			`<base target="_top">` + canonical(newest) + `<base href="../"><base href="/x/">`, "", plan.NamesNewest},
		{`<base href="">` + canonical("a.html"), `<base href="">` + canonical(newest), "", plan.NamesNewest},
		{`<base href="https://[">` + canonical("a.html"), `<base href="https://[">` + canonical(newest), "", plan.NamesNewest},
		{`<template></template><base href="/other/">` + canonical("a.html"),
			`<template></template><base href="/other/">` + canonical("a.html"), "", plan.NamesOther},
		{`<template><base href="/other/"></template>` + canonical("a.html"),
			`<template><base href="/other/"></template>` + canonical(newest), "", plan.NamesNewest},
		{canonical("https://other.example/"), canonical("https://other.example/"), "", plan.NamesOther},
		{canonical(self) + canonical("/1.10/b.html"), canonical(self) + canonical("/1.10/b.html"), "canonical-kept", plan.NamesOther},
		{"<div>" + canonical(self), "<div>" + canonical(self), "canonical-kept", plan.NamesNone},
	} {
		dir := tables.Folder(t, map[string]string{"metarobots.toml": versionedSite("netlify", ""), "out/index.html": html(""),
			"out/1.9/a.html": html(c.head), "out/1.10/a.html": html(""), "out/1.10/b.html": html("")})
		s := planned(t, dir)
		_, said := seen(s, "1.9/a.html")
		naming := plan.NamingOf(s, s.Page("1.9/a.html"))
		apply(t, s)
		got := string(tables.Value(os.ReadFile(filepath.Join(dir, "out/1.9/a.html")))(t))
		if got != html(c.want) || naming != c.naming {
			t.Errorf("%s: %s, naming %d, want %s, %d", c.head, got, naming, html(c.want), c.naming)
		}
		if !strings.HasPrefix(strings.Join(said, " "), c.finding) || c.finding == "" && len(said) > 0 {
			t.Errorf("%s: %q, want %q", c.head, said, c.finding)
		}
	}
}

// L10n: a link to the page of its path in another old version is one that an earlier run wrote,
// when that version was the newest, if the state is lost. It names the newest now. One to another
// page of an old version stays, and is a finding.
func TestHouse_LinksToTheNewestOfLastYearAreExchanged(t *testing.T) {
	const newest = "https://example.org/1.10/a.html"
	files := map[string]string{"metarobots.toml": versionedSite("netlify", ""), "out/index.html": html("")}
	for _, version := range []string{"1.8", "1.9"} {
		for _, name := range []string{"a.html", "b.html", "gone.html"} {
			files["out/"+version+"/"+name] = html("")
		}
	}
	dir := tables.Folder(t, files)
	apply(t, planned(t, dir))
	read := func(name string) string { return string(tables.Value(os.ReadFile(filepath.Join(dir, name)))(t)) }
	if !strings.Contains(read("out/1.8/a.html"), "https://example.org/1.9/a.html") {
		t.Fatalf("%s", read("out/1.8/a.html"))
	}
	state := planned(t, dir).Project.Settings.State
	tables.Value(os.Stat(state))(t)
	tables.Must(t, os.RemoveAll(state))
	tables.Must(t, os.MkdirAll(filepath.Join(dir, "out/1.10"), 0o755))
	other := html(canonical("/1.9/a.html"))
	for name, text := range map[string]string{"1.10/a.html": html(""), "1.10/b.html": html(""), "1.8/b.html": other} {
		tables.Must(t, os.WriteFile(filepath.Join(dir, "out", name), []byte(text), 0o644))
	}
	s := planned(t, dir)
	_, said := seen(s, "1.8/b.html")
	if !slices.Equal(said, []string{"canonical-kept:1"}) {
		t.Errorf("%q", said)
	}
	apply(t, s)
	for _, name := range []string{"out/1.8/a.html", "out/1.9/a.html"} {
		text := read(name)
		if !strings.Contains(text, `href="`+newest+`"`) || strings.Count(text, "canonical") != 1 {
			t.Errorf("%s: %s", name, text)
		}
	}
	if got := read("out/1.8/b.html"); !strings.Contains(got, canonical("/1.9/a.html")) {
		t.Errorf("1.8/b.html: %s", got)
	}
	// What the newest version does not have is represented by the newest that has it.
	if got := read("out/1.8/gone.html"); !strings.Contains(got, "https://example.org/1.9/gone.html") {
		t.Errorf("1.8/gone.html: %s", got)
	}
	again := planned(t, dir)
	if pages, others := again.Differing(); len(pages)+len(others) > 0 {
		t.Errorf("a second run writes %q and %q", pages, others)
	}
}

// L10q, M3a: the link of a page without one goes before a robots tag that is exchanged where the
// head begins.
func TestHouse_ARobotsTagIsExchangedBesideANewLink(t *testing.T) {
	for _, c := range []struct{ head, want string }{
		{`<meta name="robots" content="index">`, `<meta name="robots" content="index, follow" />`},
		{`<meta name="robots" content="index"><meta name="robots" content="nosnippet">`,
			`<meta name="robots" content="index, follow, nosnippet" />`},
		{`<meta name="metarobots" content="{}">`, ""},
	} {
		dir := tables.Folder(t, map[string]string{"metarobots.toml": versionedSite("netlify", ""), "out/index.html": html(""),
			"out/1.9/a.html": html(c.head), "out/1.10/a.html": html("")})
		apply(t, planned(t, dir))
		got := string(tables.Value(os.ReadFile(filepath.Join(dir, "out/1.9/a.html")))(t))
		want := html(`<link rel="canonical" href="https://example.org/1.10/a.html" />` + c.want)
		if got != want {
			t.Errorf("%s: %s, want %s", c.head, got, want)
		}
		if pages, _ := planned(t, dir).Differing(); len(pages) > 0 {
			t.Errorf("%s: a second run changes %v", c.head, pages)
		}
	}
}

// L10l: a twin names what its page names, if twins name their pages.
func TestHouse_TwinsOfOldVersionsNameTheNewest(t *testing.T) {
	site := map[string]string{"metarobots.toml": versionedSite("netlify", "twins = \"canonical\"\n"), "out/index.html": html("")}
	for _, name := range []string{"1.9/a", "1.10/a", "1.9/gone", "1.9/b"} {
		site["out/"+name+".html"], site["out/"+name+".md"] = html(""), "x"
	}
	site["out/1.10/b.html"] = html("") // a page of the newest version need not have a twin
	s := planned(t, tables.Folder(t, site))
	for name, want := range map[string]string{"1.9/a.md": "1.10/a.html", "1.10/a.md": "1.10/a.html",
		"1.9/gone.md": "1.9/gone.html", "1.9/b.md": "1.10/b.html"} {
		if got := headerOf(s.Page(name)); got != "https://example.org/"+want {
			t.Errorf("%s names %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]plan.Naming{"1.9/a.md": plan.NamesNewest, "1.9/b.md": plan.NamesNewest,
		"1.9/gone.md": plan.OnlyOld} {
		if got := plan.NamingOf(s, s.Page(name)); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

// L10m, L10j: the address is absolute, and the one that hosts serve; what the page of the newest
// version names as canonical, or leads to, is named in its place. What is not fit to be named is
// not.
func TestHouse_OldVersionsNameTheAddressOfTheNewest(t *testing.T) {
	newest := map[string]string{"1.10/named.html": html(canonical("https://example.org/latest/named.html")),
		"latest/named.html": html(""), "1.10/elsewhere.html": html(canonical("https://other.example/")),
		"1.10/back.html": html(canonical("/1.9/back.html")), "1.10/moved.html": html(""), "latest/moved.html": html(""),
		"1.10/lost.html": html(""), "1.10/redirect.html": html(`<meta http-equiv="refresh" content="0; url=/1.10/">`),
		"1.10/index.html": html(""), "1.10/é & b.html": html(""), "1.10/own.html": html(canonical("https://example.org/1.10/own")),
		"1.10/hidden.html": html(`<meta name="robots" content="noindex">`), "1.10/bot.html": html(`<meta name="googlebot" content="noindex">`),
		"1.10/both.html": html(`<meta name="googlebot" content="noindex">`)}
	site := map[string]string{"metarobots.toml": versionedSite("cloudflare", ""), "out/index.html": html(""),
		"out/_redirects": "/1.10/moved /latest/moved 301\n/1.10/lost /nowhere 301\n", "out/1.9/gone.html": html("")}
	for name, text := range newest {
		site["out/"+name] = text
		site["out/1.9/"+strings.TrimPrefix(strings.TrimPrefix(name, "1.10/"), "latest/")] = html("")
	}
	site["out/1.9/both.html"] = newest["1.10/both.html"]
	s := planned(t, tables.Folder(t, site))
	want := map[string]string{"index.html": "1.10/", "named.html": "latest/named", "moved.html": "latest/moved", "own.html": "1.10/own",
		"é & b.html": "1.10/%C3%A9%20%26%20b", "both.html": "1.10/both"}
	for _, pg := range s.Pages {
		name, isOld := strings.CutPrefix(pg.File.Name, "1.9/")
		expected := ""
		if want[name] != "" && isOld {
			expected = "https://example.org/" + want[name]
		}
		if got := tagOf(pg); got != expected {
			t.Errorf("%s names %q, want %q", pg.File.Name, got, expected)
		}
	}
	for name, naming := range map[string]plan.Naming{"1.9/gone.html": plan.OnlyOld, "1.9/hidden.html": plan.Unfit,
		"1.9/named.html": plan.NamesNewest, "1.10/named.html": plan.NotAsked} {
		if got := plan.NamingOf(s, s.Page(name)); got != naming {
			t.Errorf("%s: %d, want %d", name, got, naming)
		}
	}
}

// L10m, H4f: a canonical header of the newest version counts as its link does, and what may name
// another page by a rule, or names several, is not named.
func TestHouse_HeadersOfTheNewestVersionCount(t *testing.T) {
	const lines = "/1.10/home\n  Link: </>; rel=\"canonical\"\n/1.10/other\n  Link: <https://other.example/>; rel=\"canonical\"\n" +
		"/1.10/a.pdf\n  Link: </1.10/self>; rel=\"canonical\"\n/1.10/self\n  Link: </1.10/self>; rel=\"canonical\"\n" +
		"/1.10/differs\n  Link: </1.10/home>; rel=\"canonical\"\n/1.10/both\n  Link: </1.10/both>; rel=\"canonical\"\n" +
		"  Link: </1.10/plain>; rel=\"canonical\"\n/1.10/ownlink\n  Link: </1.10/plain>; rel=\"canonical\"\n/old/*\n  Link: <https://other.example/>; rel=\"canonical\"\n"
	const rules = "[[robots.headers.rules]]\nmatch = [\"/1.10/rule*\"]\nlink = [{rel = \"canonical\", to = \"/\"}]\n" +
		"[[robots.headers.rules]]\nmatch = [\"/1.10/page*\"]\nlink = [{rel = \"canonical\", to = \"{page}\"}]\n" +
		"[[robots.headers.rules]]\nmatch = [\"/1.10/set*\"]\nset = {Link = \"</>; rel=canonical\"}\n"
	site := map[string]string{"metarobots.toml": versionedSite("cloudflare", rules), "out/index.html": html(""), "out/_headers": lines,
		"out/old/a.html": html("")}
	want := map[string]string{"home.html": "", "other.html": "-", "a.pdf": "1.10/self", "self.html": "1.10/self", "differs.html": "-",
		"rule.html": "-", "page.html": "1.10/page", "page.pdf": "-", "set.html": "-", "two.html": "-", "chain.html": "-",
		"loop.html": "-", "copy.html": "-", "both.html": "-", "ownlink.html": "-", "plain.html": "1.10/plain"}
	heads := map[string]string{"differs.html": canonical("/1.10/plain"), "two.html": canonical("/1.10/two") + canonical("/1.10/plain"),
		"chain.html": canonical("/1.10/loop"), "loop.html": canonical("/1.10/chain"), "copy.html": canonical("/old/a"),
		"ownlink.html": canonical("/1.10/ownlink")}
	for name := range want {
		site["out/1.9/"+name], site["out/1.10/"+name] = html(""), html(heads[name])
	}
	s := planned(t, tables.Folder(t, site))
	for name, to := range want {
		expected := "https://example.org/" + to
		if to == "-" {
			expected = ""
		}
		if got := tagOf(s.Page("1.9/"+name)) + headerOf(s.Page("1.9/"+name)); got != expected {
			t.Errorf("%s names %q, want %q", name, got, expected)
		}
	}
}

// L10m: a page whose newest version is not translated, and so names the original, keeps its link.
func TestHouse_OldVersionsNameNoPageOfAnotherLanguage(t *testing.T) {
	in := func(language, head string) string {
		return strings.Replace(html(head), "<head>", `<html lang="`+language+`"><head>`, 1)
	}
	site := map[string]string{"metarobots.toml": versionedSite("netlify", ""), "out/index.html": html("")}
	want := map[string]string{}
	for name, c := range map[string]struct{ old, newest, head, want string }{
		"a": {"fr", "fr", canonical("/1.10/en.html"), ""},
		"b": {"en-GB", "en", canonical("/1.10/en.html"), "en"},
		"c": {"EN", "en-gb", canonical("/1.10/en.html"), "en"},
		"d": {"", "fr", canonical("/1.10/en.html"), "en"},
		"e": {"fr", "en", "", ""},
		"f": {"fr", "fr", "", "f"},
		"g": {"pt-BR", "pt-PT", "", ""},
		"h": {"en", "eng", "", ""},
	} {
		site["out/1.9/"+name+".html"], site["out/1.10/"+name+".html"] = in(c.old, ""), in(c.newest, c.head)
		if want[name] = ""; c.want != "" {
			want[name] = "https://example.org/1.10/" + c.want + ".html"
		}
	}
	site["out/1.10/en.html"] = in("en", "")
	s := planned(t, tables.Folder(t, site))
	for name, to := range want {
		if got := tagOf(s.Page("1.9/" + name + ".html")); got != to {
			t.Errorf("%s names %q, want %q", name, got, to)
		}
	}
}

// L10m: each language has its host.
func TestHouse_OldVersionsNameTheNewestOfTheirHost(t *testing.T) {
	policyText := strings.Replace(versionedSite("netlify", ""), "baseURL = \"https://example.org/\"\n",
		"baseURL = \"https://example.org/x/\"\n", 1)
	site := map[string]string{"metarobots.toml": policyText, "out/index.html": html(""), "out/1.9/a.html": html(canonical("/x/1.9/a.html")),
		"out/1.10/a.html": html("")}
	s := planned(t, tables.Folder(t, site))
	if got := tagOf(s.Page("1.9/a.html")); got != "https://example.org/x/1.10/a.html" {
		t.Errorf("it names %s", got)
	}
}

// L10o: noindex pages keep what they have, and so does every page by a symlink to the newest
// version. A symlink to an old page shares the link of that.
func TestHouse_PagesThatKeepTheirCanonicalLinks(t *testing.T) {
	own := canonical("https://example.org/1.9/a.html")
	dir := tables.Folder(t, map[string]string{"metarobots.toml": versionedSite("netlify", ""), "out/index.html": html(""),
		"out/1.9/hidden.html": html(`<meta name="robots" content="noindex">`), "out/1.10/hidden.html": html(""),
		"out/1.9/a.html": html(own), "out/1.10/a.html": html(""), "out/1.10/b.html": html(""),
		"out/1.9/c.html": html(""), "out/latest/c.html": html(canonical("https://example.org/latest/c.html"))})
	link(t, "../1.10/b.html", filepath.Join(dir, "out/1.9/b.html"))
	link(t, "1.9", filepath.Join(dir, "out/lts"))
	// The newest version has the name of a symlink, and its pages name themselves by another.
	link(t, "../latest/c.html", filepath.Join(dir, "out/1.10/c.html"))
	s := planned(t, dir)
	for name, want := range map[string]string{"1.9/hidden.html": "", "1.9/b.html": "", "1.9/a.html": "https://example.org/1.10/a.html",
		"lts/a.html": "https://example.org/1.10/a.html", "1.10/b.html": "",
		"1.9/c.html": "https://example.org/latest/c.html"} {
		if got := tagOf(s.Page(name)) + headerOf(s.Page(name)); got != want {
			t.Errorf("%s names %q, want %q", name, got, want)
		}
	}
}

// L10o, L10l: a symlink outside of the old versions shares the link of a page, so that the page is
// left as it is, with a finding for the symlink. By a symlink to an old version, a page that is not
// edited has a header of its own.
func TestHouse_SymlinksOutsideOfOldVersionsNameNoOther(t *testing.T) {
	dir := tables.Folder(t, map[string]string{"metarobots.toml": versionedSite("netlify", ""), "out/index.html": html(""),
		"out/1.8/a.html": html(""), "out/1.9/a.html": html(""), "out/1.9/b.html": html(""), "out/1.9/p.html": "<p>x",
		"out/1.10/a.html": html(""), "out/1.10/b.html": html(""), "out/1.10/p.html": "<p>x", "out/1.8/p.html": "<p>x"})
	link(t, "1.9", filepath.Join(dir, "out/stable"))
	link(t, "1.9", filepath.Join(dir, "out/docs"))
	link(t, "1.8", filepath.Join(dir, "out/lts"))
	link(t, "1.8", filepath.Join(dir, "out/1.7"))
	s := planned(t, dir)
	for name, want := range map[string]string{"1.8/a.html": "a", "lts/a.html": "a", "1.7/a.html": "a", "1.7/p.html": "p", "1.9/a.html": "", "stable/a.html": "",
		"docs/b.html": "", "1.9/b.html": "", "1.8/p.html": "p", "1.9/p.html": "p", "docs/p.html": ""} {
		if want != "" {
			want = "https://example.org/1.10/" + want + ".html"
		}
		if got := tagOf(s.Page(name)) + headerOf(s.Page(name)); got != want {
			t.Errorf("%s names %q, want %q", name, got, want)
		}
	}
	if _, said := seen(s, "1.9/a.html"); !slices.Equal(said, []string{"canonical-kept:0"}) {
		t.Errorf("of the symlink it says %q", said)
	}
}

// L10l: a page that is a symlink to a file that is no page is not edited, so a header names the
// newest version.
func TestHouse_SymlinksToWhatIsNoPageNameTheNewestByAHeader(t *testing.T) {
	dir := tables.Folder(t, map[string]string{"metarobots.toml": versionedSite("netlify", ""), "out/index.html": html(""),
		"out/1.10/a.html": html(""), "out/1.9/index.html": html(""), "out/1.9/a.txt": html(""),
		"out/1.9/b.txt": html(canonical("/1.9/b.html")), "out/1.10/b.html": html("")})
	link(t, "a.txt", filepath.Join(dir, "out/1.9/a.html"))
	link(t, "b.txt", filepath.Join(dir, "out/1.9/b.html"))
	s := planned(t, dir)
	for name, want := range map[string]string{"1.9/a.html": "https://example.org/1.10/a.html", "1.9/b.html": ""} {
		if tag, header := tagOf(s.Page(name)), headerOf(s.Page(name)); tag != "" || header != want {
			t.Errorf("%s: tag %q, header %q, want %q in a header", name, tag, header, want)
		}
	}
}

// L10q: without state a link that a run has written is the site's own, whatever is asked.
func TestHouse_WithoutStateCanonicalLinksAreTheSitesOwn(t *testing.T) {
	const key = "versions = \"canonical\"\n"
	policyText := versionedSite("netlify", "")
	dir := tables.Folder(t, map[string]string{"metarobots.toml": policyText, "out/index.html": html(""),
		"out/1.9/a.html": html(""), "out/1.10/a.html": html("")})
	apply(t, planned(t, dir))
	left := string(tables.Value(os.ReadFile(filepath.Join(dir, "out/1.9/a.html")))(t))
	state := planned(t, dir).Project.Settings.State
	tables.Value(os.Stat(state))(t)
	tables.Must(t, os.RemoveAll(state))
	tables.Must(t, os.WriteFile(filepath.Join(dir, "metarobots.toml"), []byte(strings.Replace(policyText, key, "", 1)), 0o644))
	for _, isAssumed := range []bool{false, true} {
		apply(t, plannedWith(t, project.Options{WorkDir: dir, Earlier: project.EarlierRuns{AssumeOurs: isAssumed}}))
		if got := string(tables.Value(os.ReadFile(filepath.Join(dir, "out/1.9/a.html")))(t)); got != left {
			t.Errorf("--assume-ours %v: %s, want %s", isAssumed, got, left)
		}
	}
	if !strings.Contains(left, canonical("https://example.org/1.10/a.html")[:30]) {
		t.Errorf("nothing was written: %s", left)
	}
}

// L10r, L10n: checks of canonical links see what is written, and say nothing of what was asked for.
func TestHouse_ChecksSeeTheLinksOfOldVersions(t *testing.T) {
	site := map[string]string{"metarobots.toml": versionedSite("cloudflare", ""), "out/index.html": html(""),
		"out/sitemap.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/1.9/a</loc></url>` +
			`<url><loc>https://example.org/1.9/a.pdf</loc></url></urlset>`,
		// The theme names the page by an address that the host redirects: no longer.
		"out/1.9/a.html": html(canonical("https://example.org/1.9/a.html") +
			`<link rel="alternate" hreflang="de" href="https://example.org/1.9/a.pdf">`),
		"out/1.10/a.html": html(canonical("https://example.org/1.10/a")), "out/1.9/a.pdf": "x", "out/1.10/a.pdf": "x"}
	s := planned(t, tables.Folder(t, site))
	for _, f := range check.Run(s).Findings {
		if f.ID != "old-versions" {
			t.Errorf("%s", f.Text())
		}
	}
	if r := s.Page("1.9/a.html").Links.Related; r.Canonical != "/1.10/a" || r.Line != 1 {
		t.Errorf("the page names %+v", r)
	}
}

// randomVersions is a site with pages of three versions; each page may be there and say something.
func randomVersions(r *rapid.T) map[string]string {
	site := map[string]string{"out/index.html": html("")}
	heads := []string{"", "<title>x</title>", canonical("/1.9/a.html"), canonical("https://example.org/SELF"), canonical("/1.10/a.html"),
		canonical("https://other.example/"), canonical("") + canonical("SELF"), `<link rel=canonical href=SELF><meta name=robots content=nosnippet>`,
		`<meta name="robots" content="noindex">`, `<meta http-equiv="refresh" content="0; url=/">`, "<div>" + canonical("/SELF"),
		`<meta name="robots" content="none nosnippet">`, `<meta name="robots" content="index"><meta name="robots" content="nosnippet">`,
		canonical("/SELF") + canonical("/1.10/b.html")}
	files := []string{"a.html", "b.html", "c/index.html", "d.pdf", "c/index.md"}
	for _, version := range []string{"1.9", "1.10", "dev", "latest"} {
		for _, file := range files {
			name := version + "/" + file
			switch kind := rapid.IntRange(0, len(heads)+1).Draw(r, name); {
			case kind >= len(heads):
			case strings.HasSuffix(file, ".html"):
				site["out/"+name] = strings.ReplaceAll(html(heads[kind]), "SELF", name)
			default:
				site["out/"+name] = "x"
			}
		}
	}
	return site
}

// L10j, L10l, L10q: whatever the versions hold, each old page names at most one page, by its tag or
// by a header, and what we have it name is published and indexable, and of no old version. A second
// run changes nothing, and without the key every byte is given back.
func TestLaw_OldVersionsNameOnePageThatMayBeListed(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		site := randomVersions(r)
		target := rapid.SampledFrom([]string{"none", "netlify", "cloudflare"}).Draw(r, "target")
		more := rapid.SampledFrom([]string{"", "twins = \"canonical\"\n"}).Draw(r, "twins")
		site["metarobots.toml"] = versionedSite(target, more)
		dir := tables.Folder(t, site)
		s := planned(t, dir)
		for _, pg := range s.Pages {
			expectOneCanonical(r, s, pg)
		}
		apply(t, s)
		if pages, others := planned(t, dir).Differing(); len(pages)+len(others) > 0 {
			r.Fatalf("a second run changes %v %v", pages, others)
		}
		without := strings.Replace(site["metarobots.toml"], "versions = \"canonical\"\n", "", 1)
		tables.Must(t, os.WriteFile(filepath.Join(dir, "metarobots.toml"), []byte(without), 0o644))
		apply(t, planned(t, dir))
		fresh := maps.Clone(site)
		fresh["metarobots.toml"] = without
		expected := tables.Folder(t, fresh)
		apply(t, planned(t, expected))
		for name := range site {
			got, want := tables.Value(os.ReadFile(filepath.Join(dir, name)))(t), tables.Value(os.ReadFile(filepath.Join(expected, name)))(t)
			if string(got) != string(want) {
				r.Fatalf("%s is not given back: %s, want %s", name, got, want)
			}
		}
	})
}

// expectOneCanonical checks what a page names as canonical.
func expectOneCanonical(t *rapid.T, s *plan.Plan, pg *plan.Page) {
	key := *s.Project.Config.Robots.Versions.Canonical
	tag, header := tagOf(pg), ""
	if l := pg.CanonicalHeader(); l != nil && l.Origin == key {
		header = l.Canonical()
	}
	if tag == "" && header == "" {
		return
	}
	hasTag := pg.Links.Self != "" || pg.Links.Related != nil && pg.Links.Related.Line > 0
	if tag != "" && pg.CanonicalHeader() != nil || header != "" && hasTag {
		t.Fatalf("%s names %q by its tag and %q by a header", pg.URL, tag, headerOf(pg))
	}
	at, ok := s.Project.ResolveLink(pg.File.Name, tag+header, project.UnknownIsForeign)
	to := s.Served(at)
	isOld := func(pg *plan.Page) bool { return s.Versions.IsOld(pg.File.Name) }
	if !ok || to == nil || !to.File.Role.Policed() || to.Decision.NoIndex() || isOld(to) || !isOld(pg) {
		t.Fatalf("%s names %s", pg.URL, tag+header)
	}
	_, after, err := s.NewBytes(pg)
	if tag != "" && (err != nil || !strings.Contains(string(after), tag)) {
		t.Fatalf("%s is to name %s: %s, %v", pg.URL, tag, after, err)
	}
}

// L10p: robots.txt keeps crawlers from a page of the newest version, whose old ones they may read.
func TestHouse_OldVersionsNameAPageThatCrawlersMayNotRead(t *testing.T) {
	for rule, want := range map[string]int{"": 0, "Disallow: /1.10/b": 1, "Disallow: /1.9/\nDisallow: /1.10/b": 0,
		"Disallow: /1.10/a.pdf": 1, "Disallow: /1.10/c": 0} {
		site := map[string]string{"metarobots.toml": versionedSite("netlify", ""), "out/index.html": html(""),
			"out/robots.txt": "User-agent: *\n" + rule + "\n"}
		for _, name := range []string{"1.9/a.pdf", "1.10/a.pdf", "1.9/b.html", "1.10/b.html", "1.10/c.html"} {
			site["out/"+name] = html("")
		}
		warnings := 0
		for _, f := range check.Run(planned(t, tables.Folder(t, site))).Findings {
			if f.ID == "old-versions" && f.Severity == policy.Warning && f.File == "out/robots.txt" && f.Line > 1 {
				warnings++
			}
		}
		if warnings != want {
			t.Errorf("%q: %d warnings, want %d", rule, warnings, want)
		}
	}
}

// L10j: what pages of old versions may do stays as it is: the key restricts nothing.
func TestLaw_NamingTheNewestChangesNoDecision(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		site := randomVersions(r)
		site["metarobots.toml"] = versionedSite("netlify", "")
		with := planned(t, tables.Folder(t, site))
		site["metarobots.toml"] = strings.Replace(site["metarobots.toml"], "versions = \"canonical\"\n", "", 1)
		without := planned(t, tables.Folder(t, site))
		for _, pg := range without.Pages {
			got, want := with.Page(pg.File.Name).Decision, pg.Decision
			if !slices.Equal(got.Header(policy.Style{}), want.Header(policy.Style{})) || !slices.Equal(got.Statements, want.Statements) {
				r.Fatalf("%s: %v, want %v", pg.URL, got.Statements, want.Statements)
			}
		}
	})
}
