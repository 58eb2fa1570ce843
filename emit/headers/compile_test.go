package headers

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/policy"
)

func ids(ps []policy.Finding) string {
	var s []string
	for _, p := range ps {
		s = append(s, p.ID+"/"+string(p.Severity))
	}
	return strings.Join(s, " ")
}

func file(path string, values ...string) robotstag.Want {
	return robotstag.Want{Path: path, URL: "/" + path, HTML: strings.HasSuffix(path, ".html"), Values: values,
		Noindex: strings.Contains(strings.Join(values, " "), "noindex")}
}

const begun = marks.Begin + "\n"

// The marks of a line of ours in a block of the user's.
const (
	markLine = "# metarobots"
	markLast = "# metarobots (with the line end before it)"
)

func block1(lines ...string) string {
	return begun + strings.Join(lines, "\n") + "\n" + marks.End + "\n"
}

// compiled runs Compile and the laws that hold of every result.
func compiled(t *testing.T, user string, wants []robotstag.Want, opt robotstag.Options) robotstag.Result {
	t.Helper()
	var given []byte
	if user != "" {
		given = []byte(user)
	}
	res, err := XRobotsTag.Compile(given, wants, opt)
	if err != nil {
		t.Fatalf("Compile: %v (%v)", err, res.Findings)
	}
	checkSite(t, site{user: given, wants: wants, opt: opt})
	return res
}

// Golden files: user, wants, options, the new file and the findings.
func TestCompile(t *testing.T) {
	cf, nl := robotstag.Options{Target: TargetCloudflare}, robotstag.Options{Target: TargetNetlify}
	pt := robotstag.Options{}
	all := robotstag.Options{Scope: robotstag.ScopeAll}
	env := func(target string) robotstag.Options {
		return robotstag.Options{Target: target, Everywhere: []string{"noindex, nofollow"}}
	}
	rows := []struct {
		about    string
		user     string
		wants    []robotstag.Want
		opt      robotstag.Options
		want     string
		findings string
	}{
		{"nothing wanted, no file", "", []robotstag.Want{file("a.pdf")}, pt, "", ""},
		{
			"one file",
			"",
			[]robotstag.Want{file("a.pdf", "noindex, follow")},
			pt,
			block1("/a.pdf", "  X-Robots-Tag: noindex, follow"),
			"",
		},
		{
			"a page in portable has a path on each host",
			"",
			[]robotstag.Want{file("p.html", "noindex, follow"), file("a.txt")},
			pt,
			block1("/p*", "  X-Robots-Tag: noindex, follow"),
			"",
		},
		{
			"… and a neighbour that Netlify cannot tell from them: a rule for each",
			"",
			[]robotstag.Want{file("p.html", "noindex, follow"), file("p2.txt")},
			pt,
			block1("/p", "  X-Robots-Tag: noindex, follow", "/p.html", "  X-Robots-Tag: noindex, follow"),
			"",
		},
		{"a folder's page", "", []robotstag.Want{file("q/index.html", "noindex, follow"), file("a.txt")}, nl,
			block1("/q/*", "  X-Robots-Tag: noindex, follow"), ""},
		{
			"a folder's page and its picture",
			"",
			[]robotstag.Want{file("q/index.html", "noindex, follow"), file("q/a.jpg")},
			nl,
			block1("/q/", "  X-Robots-Tag: noindex, follow", "/q/index.html", "  X-Robots-Tag: noindex, follow"),
			"",
		},
		{
			"a section",
			"",
			[]robotstag.Want{
				file("q/index.html", "noindex"),
				file("q/a.pdf", "noindex"),
				file("q/d/b.pdf", "noindex"),
				file("a.txt"),
			},
			pt,
			block1("/q/*", "  X-Robots-Tag: noindex"),
			"",
		},
		{
			"a section and its page of the same name",
			"",
			[]robotstag.Want{
				file("q.html", "noindex"),
				file("q/a.pdf", "noindex"),
				file("q/d/b.pdf", "noindex"),
				file("a.txt"),
			},
			pt,
			block1("/q*", "  X-Robots-Tag: noindex"),
			"",
		},
		{
			"a section beside another whose name it begins: Cloudflare tells them apart",
			"",
			[]robotstag.Want{file("blog/a.pdf", "noindex"), file("blog/b.zip", "noindex"), file("blogx/a.txt")},
			cf,
			block1("/blog/*", "  X-Robots-Tag: noindex", previewPaths[0], "  ! X-Robots-Tag",
				"  X-Robots-Tag: noindex"),
			"",
		},
		{
			"… Netlify does not, but a suffix",
			"",
			[]robotstag.Want{file("blog/a.pdf", "noindex"), file("blog/b.pdf", "noindex"), file("blogx/a.txt")},
			pt,
			block1("/blog/*.pdf", "  X-Robots-Tag: noindex"),
			"",
		},
		{
			"a section within a section",
			"",
			[]robotstag.Want{
				file("q/a.pdf", "noindex"),
				file("q/b.zip", "noindex"),
				file("q/d/a.pdf", "nofollow"),
				file("q/d/b.txt", "nofollow"),
				file("a.txt"),
			},
			nl,
			block1("/q/*", "  X-Robots-Tag: noindex", "/q/d/*", "  X-Robots-Tag: nofollow"),
			"",
		},
		{
			"… for both hosts",
			"",
			[]robotstag.Want{
				file("q/a.pdf", "noindex"),
				file("q/b.zip", "noindex"),
				file("q/d/a.pdf", "noindex, nofollow"),
				file("q/d/b.txt", "noindex, nofollow"),
				file("a.txt"),
			},
			pt,
			block1("/q/*", "  X-Robots-Tag: noindex", "/q/d/*", "  ! X-Robots-Tag",
				"  X-Robots-Tag: noindex, nofollow"),
			"",
		},
		{
			"what wants nothing in a section: Cloudflare can take away",
			"",
			[]robotstag.Want{
				file("q/a.pdf", "noindex"),
				file("q/b.jpg", "noindex"),
				file("q/c.zip", "noindex"),
				file("q/d.css"),
				file("a.txt"),
			},
			cf,
			block1("/q/*", "  X-Robots-Tag: noindex", "/q/d.css", "  ! X-Robots-Tag", previewPaths[0],
				"  ! X-Robots-Tag", "  X-Robots-Tag: noindex"),
			"",
		},
		{
			"a suffix",
			"",
			[]robotstag.Want{file("a.pdf", "noindex"), file("d/b.pdf", "noindex"), file("e.html"), file("d/c.txt")},
			pt,
			block1("/*.pdf", "  X-Robots-Tag: noindex"),
			"",
		},
		{
			"a suffix, but in a section",
			"",
			[]robotstag.Want{
				file("a.pdf", "noindex"),
				file("b.pdf", "noindex"),
				file("d/b.pdf", "noindex, nofollow"),
				file("d/c.zip", "noindex, nofollow"),
				file("e.html"),
			},
			pt,
			block1("/*.pdf", "  X-Robots-Tag: noindex", "/d/*", "  ! X-Robots-Tag",
				"  X-Robots-Tag: noindex, nofollow"),
			"",
		},
		{
			"a suffix that Netlify also takes for another",
			"",
			[]robotstag.Want{file("a.js", "noindex"), file("b.js", "noindex"), file("c.mjs")},
			pt,
			block1("/a.js", "  X-Robots-Tag: noindex", "/b.js", "  X-Robots-Tag: noindex"),
			"",
		},
		{
			"… even where both are to have it",
			"",
			[]robotstag.Want{file("a.js", "noindex"), file("b.js", "noindex"), file("c.mjs", "noindex"), file("d.txt")},
			nl,
			block1("/a.js", "  X-Robots-Tag: noindex", "/b.js", "  X-Robots-Tag: noindex", "/c.mjs",
				"  X-Robots-Tag: noindex"),
			"",
		},
		{
			"files by scope: a page under their rule that wants the same gets it too",
			"",
			[]robotstag.Want{
				file("q/a.pdf", "noindex"),
				file("q/b.zip", "noindex"),
				file("q/p.html", "noindex"),
				file("p.html", "noindex"),
				file("a.txt"),
			},
			robotstag.Options{Scope: robotstag.ScopeFiles},
			block1("/q/*", "  X-Robots-Tag: noindex"),
			"",
		},
		{
			"a section with a block of the user's",
			"/q/*\n  X-Frame-Options: DENY\n",
			[]robotstag.Want{file("q/a.pdf", "noindex"), file("q/b.zip", "noindex"), file("a.txt")},
			pt,
			"/q/*\n  X-Frame-Options: DENY\n\n" + block1("/q*", "  X-Robots-Tag: noindex"),
			"",
		},
		{"101 files: one rule", "", append(many(101, "q/f%d.pdf", "noindex, follow"), file("a.pdf")), pt,
			block1("/q/*.pdf", "  X-Robots-Tag: noindex, follow"), ""},
		{
			"values with commas and colons, two crawlers",
			"",
			[]robotstag.Want{
				file("q/a.pdf", "noindex, unavailable_after: 2030-01-01T00:00:00Z", "bingbot: noindex, nofollow"),
				file("a.txt"),
				file("q/b.zip", "noindex, unavailable_after: 2030-01-01T00:00:00Z", "bingbot: noindex, nofollow"),
			},
			pt,
			block1("/q/*", "  X-Robots-Tag: noindex, unavailable_after: 2030-01-01T00:00:00Z",
				"  X-Robots-Tag: bingbot: noindex, nofollow"),
			"",
		},
		{
			"the user's X-Robots-Tag for a section, and more for some of it",
			"/q/*\n  X-Robots-Tag: noindex\n",
			[]robotstag.Want{
				file("q/a.pdf", "noindex"),
				file("q/r/b.zip", "noindex, nofollow"),
				file("q/r/c.txt", "noindex, nofollow"),
			},
			pt,
			"/q/*\n  X-Robots-Tag: noindex\n\n" + block1("/q/r/*", "  ! X-Robots-Tag",
				"  X-Robots-Tag: noindex, nofollow"),
			"",
		},
		{
			"a site with a block of the user's for all",
			"/*\n  Content-Security-Policy: default-src 'self'\n",
			[]robotstag.Want{file("q/a.pdf", "noindex"), file("b.zip", "noindex")},
			pt,
			"/*\n# metarobots\n  X-Robots-Tag: noindex\n  Content-Security-Policy: default-src 'self'\n",
			"",
		},
		{
			"sorted by path, a line a crawler",
			"",
			[]robotstag.Want{
				file("b.pdf", "noindex, follow", "bingbot: noindex, follow, noarchive"),
				file("a.pdf", "noindex, follow"),
			},
			nl,
			block1("/a.pdf", "  X-Robots-Tag: noindex, follow", "/b.pdf", "  X-Robots-Tag: noindex, follow",
				"  X-Robots-Tag: bingbot: noindex, follow, noarchive"),
			"",
		},
		{
			"cloudflare keeps previews out of the index",
			"",
			[]robotstag.Want{file("p.html", "index, follow, max-snippet:5")},
			cf,
			block1("/p", "  X-Robots-Tag: index, follow, max-snippet:5", previewPaths[0], "  ! X-Robots-Tag",
				"  X-Robots-Tag: noindex"),
			"",
		},
		{
			"portable leaves pages without noindex to their tags",
			"",
			[]robotstag.Want{file("p.html", "index, follow, max-snippet:5")},
			pt,
			"",
			"header-preview/note",
		},
		{"portable under scope all writes them", "", []robotstag.Want{file("p.html", "nofollow"), file("a.txt")}, all,
			block1("/p*", "  X-Robots-Tag: nofollow"), "header-preview/warning"},
		{
			"scope files",
			"",
			[]robotstag.Want{file("p.html", "noindex"), file("a.pdf", "noindex")},
			robotstag.Options{Scope: robotstag.ScopeFiles},
			block1("/a.pdf", "  X-Robots-Tag: noindex"),
			"",
		},
		{
			"free files get nothing",
			"",
			[]robotstag.Want{{Path: "robots.txt", Values: []string{"noindex"}, Free: true}},
			pt,
			"",
			"",
		},
		{"a name with a plus has two spellings", "", []robotstag.Want{file("a+b.pdf", "noindex"), file("z.pdf")}, pt,
			block1("/a%2Bb.pdf", "  X-Robots-Tag: noindex", "/a+b.pdf", "  X-Robots-Tag: noindex"), ""},
		{"the user's lines come first", "/a\n  X-Frame-Options: DENY\n", []robotstag.Want{file("a.pdf", "noindex")}, pt,
			"/a\n  X-Frame-Options: DENY\n\n" + block1("/a.pdf", "  X-Robots-Tag: noindex"), ""},
		{"a last line without an end", "/a\n  X-Frame-Options: DENY", []robotstag.Want{file("a.pdf", "noindex")}, pt,
			"/a\n  X-Frame-Options: DENY\n" + block1("/a.pdf", "  X-Robots-Tag: noindex"), ""},
		{"the user's line ends", "/a\r\n  X-Frame-Options: DENY\r\n", []robotstag.Want{file("a.pdf", "noindex")}, pt,
			"/a\r\n  X-Frame-Options: DENY\r\n\r\n" + strings.ReplaceAll(block1("/a.pdf", "  X-Robots-Tag: noindex"),
				"\n", "\r\n"), ""},
		{
			"found needs no rule",
			"/*.pdf\n  X-Robots-Tag: noindex\n",
			[]robotstag.Want{file("a.pdf", "noindex")},
			cf,
			"/*.pdf\n  X-Robots-Tag: noindex\n",
			"",
		},
		{
			"found in another spelling needs no rule",
			"/*.pdf\n  X-Robots-Tag: FOLLOW,noindex\n",
			[]robotstag.Want{file("a.pdf", "noindex, follow")},
			cf,
			"/*.pdf\n  X-Robots-Tag: FOLLOW,noindex\n",
			"",
		},
		{
			"found that is not enough is overridden",
			"/*.pdf\n  X-Robots-Tag: noindex\n",
			[]robotstag.Want{file("a.pdf", "noindex, nofollow")},
			pt,
			"/*.pdf\n  X-Robots-Tag: noindex\n\n" + block1("/a.pdf", "  ! X-Robots-Tag",
				"  X-Robots-Tag: noindex, nofollow"),
			"",
		},
		{
			"what one host serves, the other is told",
			"/blog/*\n  X-Robots-Tag: noindex\n",
			[]robotstag.Want{file("blogx.json", "noindex")},
			pt,
			"/blog/*\n  X-Robots-Tag: noindex\n\n" + block1("/blogx.json", "  X-Robots-Tag: noindex"),
			"",
		},
		{
			"the user's block of the same path",
			"/a.pdf\n  X-Frame-Options: DENY\n/b\n  X: y\n",
			[]robotstag.Want{file("a.pdf", "noindex")},
			pt,
			"/a.pdf\n# metarobots\n  X-Robots-Tag: noindex\n  X-Frame-Options: DENY\n/b\n  X: y\n",
			"",
		},
		{
			"netlify keeps both blocks",
			"/a.pdf\n  X-Frame-Options: DENY\n",
			[]robotstag.Want{file("a.pdf", "noindex")},
			nl,
			"/a.pdf\n  X-Frame-Options: DENY\n\n" + block1("/a.pdf", "  X-Robots-Tag: noindex"),
			"",
		},
		{
			"the same path after normalisation",
			"/./a.pdf\n  X-Frame-Options: DENY\n",
			[]robotstag.Want{file("a.pdf", "noindex")},
			cf,
			"/./a.pdf\n# metarobots\n  X-Robots-Tag: noindex\n  X-Frame-Options: DENY\n\n" + block1(previewPaths[0],
				"  ! X-Robots-Tag", "  X-Robots-Tag: noindex"),
			"",
		},
		{
			"the user's own value is a part of the wanted one",
			"/a.pdf\n  X-Robots-Tag: noindex\n",
			[]robotstag.Want{file("a.pdf", "noindex, nofollow")},
			pt,
			"/a.pdf\n  X-Robots-Tag: noindex\n# metarobots\n  X-Robots-Tag: nofollow\n",
			"",
		},
		{
			"… and the file's last line has no end",
			"/a.pdf\n  X-Robots-Tag: noindex",
			[]robotstag.Want{file("a.pdf", "noindex, nofollow")},
			pt,
			"/a.pdf\n  X-Robots-Tag: noindex\n" + markLast + "\n  X-Robots-Tag: nofollow",
			"",
		},
		{
			"a user's value that no line can take back: the folder's rule can",
			"/a.pdf\n  X-Robots-Tag: index\n",
			[]robotstag.Want{file("a.pdf", "noindex"), file("a.pdfx", "nofollow")},
			pt,
			"/a.pdf\n  X-Robots-Tag: index\n\n" + block1("/*", "  ! X-Robots-Tag", "  X-Robots-Tag: noindex",
				"/a.pdfx", "  ! X-Robots-Tag", "  X-Robots-Tag: nofollow"),
			"header-preview/warning",
		},
		{
			"a block merged under a general rule",
			"/*\n  X-Robots-Tag: nofollow\n/a.pdf\n  X: y\n",
			[]robotstag.Want{file("a.pdf", "noindex, nofollow")},
			pt,
			"/*\n  X-Robots-Tag: nofollow\n/a.pdf\n# metarobots\n  ! X-Robots-Tag\n" +
				"# metarobots\n  X-Robots-Tag: noindex, nofollow\n  X: y\n",
			"",
		},
		{
			"of two spellings of the name in one block the last wins on Netlify: ours is a third",
			"/*\n  X-Robots-Tag: a\n  x-robots-tag: nofollow\n",
			[]robotstag.Want{file("a.pdf", "noindex")},
			nl,
			"/*\n  X-Robots-Tag: a\n  x-robots-tag: nofollow\n\n" + block1("/a.pdf", "  X-ROBOTS-TAG: noindex"),
			"",
		},
		{
			"an environment: one rule",
			"",
			[]robotstag.Want{file("a.pdf", "noindex, nofollow"), file("p.html", "noindex, nofollow")},
			env(TargetCloudflare),
			block1("/*", "  X-Robots-Tag: noindex, nofollow"),
			"",
		},
		{
			"an environment: what differs is overridden",
			"",
			[]robotstag.Want{file("a.pdf", "noindex, nofollow, noarchive"), file("b.pdf", "noindex, nofollow")},
			env(""),
			block1("/*", "  X-Robots-Tag: noindex, nofollow", "/a.pdf", "  ! X-Robots-Tag",
				"  X-Robots-Tag: noindex, nofollow, noarchive"),
			"",
		},
		{
			"an environment in the user's own rule for all",
			"/*\n  X-Frame-Options: DENY\n",
			[]robotstag.Want{file("a.pdf", "noindex, nofollow")},
			env(""),
			"/*\n# metarobots\n  X-Robots-Tag: noindex, nofollow\n  X-Frame-Options: DENY\n",
			"",
		},
		{
			"an environment over the user's rules",
			"/*.pdf\n  X-Robots-Tag: noarchive\n",
			[]robotstag.Want{file("a.pdf", "noindex, nofollow, noarchive"), file("p.html", "noindex, nofollow")},
			env(TargetCloudflare),
			"/*.pdf\n  X-Robots-Tag: noarchive\n\n" + block1("/*", "  ! X-Robots-Tag",
				"  X-Robots-Tag: noindex, nofollow", "/a.pdf", "  ! X-Robots-Tag",
				"  X-Robots-Tag: noindex, nofollow, noarchive"),
			"",
		},
		{
			"a user's rule for all that says the environment already",
			"/*\n  X-Robots-Tag: noindex,nofollow\n",
			[]robotstag.Want{file("a.pdf", "noindex, nofollow")},
			env(""),
			"/*\n  X-Robots-Tag: noindex,nofollow\n",
			"",
		},
		{
			"a user's rule in the environment's way",
			"/*\n  X-Robots-Tag: all\n",
			[]robotstag.Want{file("a.pdf", "noindex, nofollow")},
			env(""),
			"/*\n  X-Robots-Tag: all\n\n" + block1("/a.pdf", "  ! X-Robots-Tag", "  X-Robots-Tag: noindex, nofollow"),
			"header-found/error",
		},
		{
			"a colon and a letter: Cloudflare cannot name it, but all the others",
			"",
			[]robotstag.Want{file("Cat:Foo.pdf", "noindex"), file("Catx.pdf")},
			cf,
			block1("/*.pdf", "  X-Robots-Tag: noindex", "/Catx.pdf", "  ! X-Robots-Tag", previewPaths[0],
				"  ! X-Robots-Tag", "  X-Robots-Tag: noindex"),
			"",
		},
		{
			"a folder of pages that no rule can name, below a block of the user's: the folder's other rule",
			"/wiki/*\n  X-Robots-Tag: follow\n",
			[]robotstag.Want{file("wiki/Cat:A.html", "noindex"), file("wiki/Cat:B.html", "noindex")},
			cf,
			"/wiki/*\n  X-Robots-Tag: follow\n\n" +
				block1("/wiki*", "  ! X-Robots-Tag", "  X-Robots-Tag: noindex", previewPaths[0], "  ! X-Robots-Tag",
					"  X-Robots-Tag: noindex"),
			"",
		},
		{
			"names that no rule spells: each has one for its encoded path",
			"",
			[]robotstag.Want{file("Cat:Foo.pdf", "noindex"), file("Cat:Foo.html", "noindex"), file("Cat:Bar.pdf")},
			cf,
			block1("/Cat%3AFoo", "  X-Robots-Tag: noindex", "/Cat%3AFoo.pdf", "  X-Robots-Tag: noindex", previewPaths[0], "  ! X-Robots-Tag",
				"  X-Robots-Tag: noindex"),
			"header-name/warning header-name/error",
		},
		{
			"a colon inside a segment: Netlify can",
			"",
			[]robotstag.Want{file("Cat:Foo.pdf", "noindex"), file("z.pdf")},
			nl,
			block1("/Cat%3AFoo.pdf", "  X-Robots-Tag: noindex", "/Cat:Foo.pdf", "  X-Robots-Tag: noindex"),
			"",
		},
		{
			"a star in the name",
			"",
			[]robotstag.Want{file("a*.pdf", "noindex"), file("az.pdf")},
			nl,
			"",
			"header-name/error",
		},
		{"… but a pattern for more can mean it", "", []robotstag.Want{file("d/a*.pdf", "noindex"), file("z.pdf"),
			file("d/ab.pdf", "noindex")}, nl, block1("/d/*.pdf", "  X-Robots-Tag: noindex"), ""},
		{
			"Netlify cannot tell case",
			"",
			[]robotstag.Want{file("a.pdf", "noindex"), file("A.pdf")},
			nl,
			"",
			"header-overlap/error",
		},
		{"Cloudflare can", "", []robotstag.Want{file("a.pdf", "noindex"), file("A.pdf")}, cf,
			block1("/a.pdf", "  X-Robots-Tag: noindex", previewPaths[0], "  ! X-Robots-Tag",
				"  X-Robots-Tag: noindex"), ""},
		{"a value that is no ASCII", "", []robotstag.Want{file("a.pdf", "no\u00efndex")}, pt, "", "header-value/error"},
		{"a value of two lines", "", []robotstag.Want{file("a.pdf", "noindex\r\nX: y")}, pt, "", "header-value/error"},
		{
			"a value too long, a page",
			"",
			[]robotstag.Want{file("p.html", "noindex, "+strings.Repeat("x", 2000))},
			pt,
			"",
			"header-value/warning",
		},
		{"a rest too long for one line beside the user's own value", "/a.pdf\n  X-Robots-Tag: noindex\n",
			[]robotstag.Want{
				file("a.pdf", "noindex", "a: "+strings.Repeat("x", 1500), "b: "+strings.Repeat("y", 1500)),
			}, robotstag.Options{Target: TargetNetlify},
			"/a.pdf\n  X-Robots-Tag: noindex\n\n" + block1("/a.pdf", "  X-Robots-Tag: noindex",
				"  X-Robots-Tag: a: "+strings.Repeat("x", 1500), "  X-Robots-Tag: b: "+strings.Repeat("y", 1500)), ""},
		{"… on Cloudflare", "/a.pdf\n  X-Robots-Tag: noindex\n",
			[]robotstag.Want{
				file("a.pdf", "noindex", "a: "+strings.Repeat("x", 1500), "b: "+strings.Repeat("y", 1500)),
			}, pt,
			"/a.pdf\n  X-Robots-Tag: noindex\n\n" + block1("/*", "  ! X-Robots-Tag", "  X-Robots-Tag: noindex",
				"  X-Robots-Tag: a: "+strings.Repeat("x", 1500), "  X-Robots-Tag: b: "+strings.Repeat("y", 1500)), ""},
		{
			"a user's rule for another host",
			"https://h.example/*\n  X-Robots-Tag: noindex\n",
			nil,
			cf,
			"https://h.example/*\n  X-Robots-Tag: noindex\n",
			"header-host/note",
		},
		{
			"a user's rule for the site's host",
			"https://h.example/*\n  X-Robots-Tag: noindex\n",
			[]robotstag.Want{file("a.pdf", "noindex")},
			robotstag.Options{Target: TargetCloudflare, Host: "h.example"},
			"https://h.example/*\n  X-Robots-Tag: noindex\n",
			"",
		},
		{
			"target none takes ours back",
			"/a\n  X: y\n\n" + block1("/a.pdf", "  X-Robots-Tag: noindex"),
			[]robotstag.Want{file("a.pdf", "noindex")},
			robotstag.Options{Target: TargetNone},
			"/a\n  X: y\n",
			"",
		},
		{
			"our block stays where it stood",
			"/a\n  X: y\n\n" + block1("/old", "  X-Robots-Tag: noindex") + "/b\n  X: y\n",
			[]robotstag.Want{file("a.pdf", "noindex")},
			pt,
			"/a\n  X: y\n\n" + block1("/a.pdf", "  X-Robots-Tag: noindex") + "/b\n  X: y\n",
			"",
		},
		{
			"our block moves behind rules that would change it",
			block1("/old", "  X-Robots-Tag: noindex") + "/*.pdf\n  X-Robots-Tag: nofollow\n",
			[]robotstag.Want{file("a.pdf", "noindex, nofollow")},
			pt,
			"/*.pdf\n  X-Robots-Tag: nofollow\n\n" + block1("/a.pdf", "  ! X-Robots-Tag",
				"  X-Robots-Tag: noindex, nofollow"),
			"",
		},
		{
			"our block moves behind a header that would fall to it",
			"/a\n  X: y\n\n" + block1("/old", "  X-Robots-Tag: noindex") + "  X-More: z\n",
			[]robotstag.Want{file("a.pdf", "noindex")},
			pt,
			"/a\n  X: y\n  X-More: z\n\n" + block1("/a.pdf", "  X-Robots-Tag: noindex"),
			"",
		},
		{
			"edits in our block are lost",
			"/a\n  X: y\n\n" + block1("/mine", "  X-Mine: kept?"),
			nil,
			pt,
			"/a\n  X: y\n",
			"",
		},
		{
			"a begin without an end is the user's comment",
			"/a\n  X: y\n" + begun + "/b\n  X: y\n",
			nil,
			pt,
			"/a\n  X: y\n" + begun + "/b\n  X: y\n",
			"",
		},
	}
	for _, row := range rows {
		t.Run(row.about, func(t *testing.T) {
			res := compiled(t, row.user, row.wants, row.opt)
			if got := string(res.File); got != row.want {
				t.Errorf("file:\n%s\nwant:\n%s\nfindings: %v", got, row.want, res.Findings)
			}
			if got := ids(res.Findings); got != row.findings {
				t.Errorf("findings: %v; want %q", res.Findings, row.findings)
			}
		})
	}
}

func many(n int, format, value string) []robotstag.Want {
	var wants []robotstag.Want
	for i := range n {
		wants = append(wants, file(fmt.Sprintf(format, i), value))
	}
	return wants
}

// each is many, with a value of its own for each, so that none share a rule.
func each(n int, format, value string) []robotstag.Want {
	wants := many(n, format, value)
	for i := range wants {
		wants[i].Values = []string{fmt.Sprintf("%s, max-snippet:%d%03d", value, len(format), i)}
	}
	return wants
}

// N2, N6: a hundred rules in the whole file, the preview block one of them.
func TestCloudflare_BudgetGivesUpAllPagesAtOnce(t *testing.T) {
	user := "/a\n  X: y\n/a\n  X: z\n" // counts twice
	files, pages := each(57, "f%d.pdf", "noindex"), each(40, "p%d.html", "noindex")
	opt := robotstag.Options{Target: TargetCloudflare}

	res := compiled(t, user, slices.Concat(files, pages), opt)
	if res.Rules != 98 || res.Total != 100 || res.Limit != 100 || len(res.GivenUp) != 0 {
		t.Errorf("just fits: %d rules of %d, limit %d, given up %q", res.Rules, res.Total, res.Limit, res.GivenUp)
	}
	res = compiled(t, user, slices.Concat(files, pages, each(1, "one-more%d.html", "noindex")), opt)
	if res.Rules != 58 || res.Total != 60 || len(res.GivenUp) != 41 ||
		!strings.Contains(ids(res.Findings), "header-budget/warning") {
		t.Errorf("one too many: %d rules of %d, given up %d, %v", res.Rules, res.Total, len(res.GivenUp), res.Findings)
	}
	opt.Scope = robotstag.ScopeAll
	more := slices.Concat(files, pages, each(1, "one-more%d.html", "noindex"))
	if res, err := XRobotsTag.Compile([]byte(user), more, opt); !errors.Is(err, robotstag.ErrBudget) || res.File != nil {
		t.Errorf("scope all: error %v, file %q; want robotstag.ErrBudget and nothing", err, res.File)
	}
	for _, scope := range []string{robotstag.ScopeAuto, robotstag.ScopeFiles, robotstag.ScopeAll} {
		opt.Scope = scope
		if res, err := XRobotsTag.Compile([]byte(user), each(98, "f%d.pdf", "noindex"),
			opt); !errors.Is(err, robotstag.ErrBudget) ||
			res.File != nil {
			t.Errorf("scope %s, files alone: error %v, file %q; want ErrBudget and nothing", scope, err, res.File)
		}
	}
	if res := compiled(t, "", each(20000, "f%d.pdf", "noindex"),
		robotstag.Options{Target: TargetNetlify}); res.Limit != 0 ||
		ids(res.Findings) != "header-count/warning" {
		t.Errorf("netlify: limit %d, %v; want none and one warning", res.Limit, res.Findings)
	}
}

// A user's file over the limit is not ours to mend, but our rules would not be read.
func TestCloudflare_NothingAfterTheUsersHundred(t *testing.T) {
	var user strings.Builder
	for i := range 100 {
		fmt.Fprintf(&user, "/u%d\n  X: y\n", i)
	}
	opt := robotstag.Options{Target: TargetCloudflare}
	if _, err := XRobotsTag.Compile([]byte(user.String()), many(1, "f%d.pdf", "noindex"),
		opt); !errors.Is(err, robotstag.ErrBudget) {
		t.Errorf("a file: error %v, want robotstag.ErrBudget", err)
	}
	res := compiled(t, user.String(), many(1, "p%d.html", "noindex"), opt)
	if string(res.File) != user.String() || len(res.GivenUp) != 1 {
		t.Errorf("a page: given up %q, want it left to its tag", res.GivenUp)
	}
}

func TestHouse_UserLinesKeptByteForByte(t *testing.T) {
	wants := []robotstag.Want{
		file("a.pdf", "noindex"),
		file("b.pdf", "noindex, follow"),
		file("q/index.html", "noindex"),
	}
	users := []string{
		"", "\n", "\n\n", "# only a comment", "\ufeff/a.pdf\r\n  X: y\r\n\r\n", "/a.pdf\n  X: y",
		"/a.pdf\n\tX: y\n\n\n",
		"/a.pdf\r  X: y\r", "/a.pdf\n  X: y\n/a.pdf\r\n  X: z", "/b.pdf\n  X-Robots-Tag: noindex",
		"/b.pdf\r\n  X-Robots-Tag: noindex",
		"/b.pdf\n  X-Robots-Tag: noindex\n/a.pdf", "stray\n/q/\n  X: \xff\n", "/*/*\n  X: y\n",
	}
	for _, target := range []string{TargetPortable, TargetCloudflare, TargetNetlify} {
		for _, user := range users {
			res, err := XRobotsTag.Compile([]byte(user), wants, robotstag.Options{Target: target})
			if err != nil {
				t.Fatal(err)
			}
			back, err := XRobotsTag.Compile(res.File, nil, robotstag.Options{Target: target})
			if err != nil || string(back.File) != user {
				t.Errorf("%s: %q became %q, and came back as %q (%v)", target, user, res.File, back.File, err)
			}
			compiled(t, user, wants, robotstag.Options{Target: target})
		}
	}
}

// Our marks are known again after an editor rewrote the line ends.
func TestHouse_MarksSurviveOtherLineEnds(t *testing.T) {
	for _, user := range []string{"/a\n  X: y\n", "/b.pdf\n  X: y\n/a\n  X: z\n"} {
		res := compiled(t, user, []robotstag.Want{file("a.pdf", "noindex"), file("b.pdf", "noindex")},
			robotstag.Options{})
		crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
		if got := string(XRobotsTag.readUser([]byte(crlf(string(res.File)))).text); got != crlf(user) {
			t.Errorf("%q came back as %q", crlf(user), got)
		}
	}
}

func TestCompile_NilOnlyWhereTheUserHasNoFile(t *testing.T) {
	if res, _ := XRobotsTag.Compile(nil, nil, robotstag.Options{}); res.File != nil {
		t.Errorf("no file: %q, want nil", res.File)
	}
	if res, _ := XRobotsTag.Compile([]byte{}, nil, robotstag.Options{}); res.File == nil || len(res.File) != 0 {
		t.Errorf("an empty file: %v, want it as it is", res.File)
	}
	if res, _ := XRobotsTag.Compile([]byte(block1("/a", "  X-Robots-Tag: v")), nil, robotstag.Options{}); res.File != nil {
		t.Errorf("a file of ours alone: %q, want nil", res.File)
	}
}

func TestCompile_UnknownWordsAreErrors(t *testing.T) {
	if _, err := XRobotsTag.Compile(nil, nil, robotstag.Options{Target: "nginx"}); err == nil {
		t.Error("an unknown target is no error")
	}
	if _, err := XRobotsTag.Compile(nil, nil, robotstag.Options{Scope: "some"}); err == nil {
		t.Error("an unknown scope is no error")
	}
}

func TestCompile_SameInputSameBytes(t *testing.T) {
	wants := slices.Concat(many(30, "f%d.pdf", "noindex"), many(10, "p%d.html", "noindex"))
	first, _ := XRobotsTag.Compile([]byte("/f3.pdf\n  X: y\n"), wants, robotstag.Options{})
	slices.Reverse(wants)
	second, _ := XRobotsTag.Compile([]byte("/f3.pdf\n  X: y\n"), wants, robotstag.Options{})
	if !bytes.Equal(first.File, second.File) {
		t.Errorf("the order of the wants shows:\n%s\n%s", first.File, second.File)
	}
}

func TestFound(t *testing.T) {
	user := "/blog/*\n  X-Robots-Tag: noindex\n" +
		"/blogx\n  X-Robots-Tag: nofollow\n  X-Robots-Tag: googlebot: none\n\n" +
		block1("/blogx", "  X-Robots-Tag: ours") + "https://h.example/*\n  X-Robots-Tag: noarchive\n"
	rows := []struct {
		target, path, host string
		want               string
	}{
		{TargetCloudflare, "blogx.html", "", "4 nofollow, 5 googlebot: none"},
		{TargetCloudflare, "blog/a.pdf", "", "2 noindex"},
		{TargetCloudflare, "blog/a.pdf", "h.example", "2 noindex, 12 noarchive"},
		{TargetCloudflare, "blog/a.pdf", "g.example", "2 noindex"},
		// The block above the full URL is the one of /blogx once ours is gone.
		{TargetNetlify, "blogx.html", "", "2 noindex, 4 nofollow, 5 googlebot: none, 12 noarchive"},
		{TargetPortable, "blogy.json", "", "2 noindex"},
		{TargetPortable, "other.json", "", ""},
		{TargetNone, "blogx.html", "", ""},
	}
	for _, row := range rows {
		u, err := XRobotsTag.ReadUser([]byte(user), robotstag.Options{Target: row.target, Host: row.host})
		if err != nil && row.target != TargetNone { // none has no file to read
			t.Fatal(err)
		}
		var got []string
		for _, v := range u.Found(row.path) {
			got = append(got, fmt.Sprint(v.Line, " ", v.Text))
		}
		if strings.Join(got, ", ") != row.want {
			t.Errorf("Found(%s, %s, host %q) = %q, want %q", row.target, row.path, row.host, got, row.want)
		}
	}
}

// hardNames are 786 files whose names have characters that mean more to one host or the other, every twentieth of which
// is to have a header.
func hardNames() (wants []robotstag.Want) {
	names := []string{"n%02d-Bat:Foo.pdf", "n%02d-Cat:Foo.pdf", "n%02d-[draft].pdf", "n%02d-it's.pdf",
		"n%02d-100%%.pdf",
		"n%02d-Caps.PDF", "n%02d-say \"x\".pdf", "n%02d-a+b.pdf", "n%02d-a, b.txt", "n%02d-größe.pdf",
		"n%02d-x=y&z.zip"}
	for i := 0; len(wants) < 786; i++ {
		name := fmt.Sprintf([]string{"mixed/", "Mixed (old)/", ""}[i%3]+names[i%len(names)], i/len(names))
		w := file(name)
		if i%20 == 0 {
			w = file(name, "noindex")
		}
		wants = append(wants, w)
	}
	return wants
}

// A hard name has its rule, or an error where Cloudflare would take it for a wildcard: no file is left out in silence.
func TestHouse_HardNamesHaveRulesOrErrors(t *testing.T) {
	for _, target := range []string{TargetPortable, TargetCloudflare, TargetNetlify} {
		o := robotstag.Options{Target: target}
		res := compiled(t, "", hardNames(), o)
		for _, w := range hardNames() {
			wild := len(w.Values) > 0 && strings.Contains(w.Path, ":") && target != TargetNetlify
			if slices.Contains(res.Missed, w.Path) != wild {
				t.Errorf("%s: %s missed %t, want %t", target, w.Path, !wild, wild)
			}
		}
	}
}
