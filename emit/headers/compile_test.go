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
	return robotstag.Want{Path: path, URL: "/" + path, HTML: strings.HasSuffix(path, ".html"), Values: values}
}

const begun = marks.Begin + "\n"

// The marks of a line of ours in a block of the user's.
const (
	markLine = "# metarobots"
	markLast = "# metarobots (with the line end before it)"
)

// wanted reads files and their values: "a.pdf noindex + bingbot: nosnippet | b.txt".
func wanted(text string) (wants []robotstag.Want) {
	for one := range strings.SplitSeq(text, " | ") {
		path, values, ok := strings.Cut(one, " ")
		w := file(path)
		if ok {
			w = file(path, strings.Split(values, " + ")...)
		}
		if w.Free = path == "robots.txt"; path != "" {
			wants = append(wants, w)
		}
	}
	return wants
}

// set is a rule, and reset one that first takes away what others set.
func set(path string, values ...string) string {
	for _, v := range values {
		path += "\n  X-Robots-Tag: " + v
	}
	return path
}

func reset(path string, values ...string) string { return set(path+"\n  ! X-Robots-Tag", values...) }

// every3 are rules that together match every path, with an environment's value.
var every3 = []string{set("/:any", "noindex, nofollow"), set("/:any/*", "noindex, nofollow"), set("/", "noindex, nofollow")}

// preview is the rule for Cloudflare's preview hosts.
var preview = reset(previewPaths[0], "noindex")

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
	res, err := compile(given, wants, opt)
	if err != nil {
		t.Fatalf("Compile: %v (%v)", err, res.Findings)
	}
	checkSite(t, site{user: given, wants: wants, opt: opt})
	return res
}

// Each row is compiled, and the laws of [compiled] hold of it. "^" in the file that is wanted is the user's text.
func TestHouse_RulesAreExactAndFew(t *testing.T) {
	cf, nl := robotstag.Options{Target: TargetCloudflare}, robotstag.Options{Target: TargetNetlify}
	pt, all := robotstag.Options{}, robotstag.Options{Scope: robotstag.ScopeAll}
	env := func(target string) robotstag.Options {
		return robotstag.Options{Target: target, Everywhere: []string{"noindex, nofollow"}}
	}
	x1500, y1500 := strings.Repeat("x", 1500), strings.Repeat("y", 1500)
	for _, row := range []struct {
		about          string
		opt            robotstag.Options
		user           string
		wants          string // see [wanted]
		want, findings string
	}{
		{"nothing wanted, no file", pt, "", "a.pdf", "", ""},
		{"one file", pt, "", "a.pdf noindex, follow", block1(set("/a.pdf", "noindex, follow")), ""},
		{"a page in portable has a path on each host", pt, "", "p.html noindex, follow | a.txt",
			block1(set("/p*", "noindex, follow")), ""},
		{"… and a neighbour that Netlify cannot tell from them: a rule for each", pt, "",
			"p.html noindex, follow | p2.txt",
			block1(set("/p", "noindex, follow"), set("/p.html", "noindex, follow")), ""},
		{"a folder's page", nl, "", "q/index.html noindex, follow | a.txt", block1(set("/q/*", "noindex, follow")), ""},
		{"a folder's page and its picture", nl, "", "q/index.html noindex, follow | q/a.jpg",
			block1(set("/q/", "noindex, follow"), set("/q/index.html", "noindex, follow")), ""},
		{"a section", pt, "", "q/index.html noindex | q/a.pdf noindex | q/d/b.pdf noindex | a.txt",
			block1(set("/q/*", "noindex")), ""},
		{"a section and its page of the same name", pt, "",
			"q.html noindex | q/a.pdf noindex | q/d/b.pdf noindex | a.txt", block1(set("/q*", "noindex")), ""},
		{"a section beside another whose name it begins: Cloudflare tells them apart", cf, "",
			"blog/a.pdf noindex | blog/b.zip noindex | blogx/a.txt", block1(set("/blog/*", "noindex"), preview), ""},
		{"… Netlify does not, but a suffix", pt, "", "blog/a.pdf noindex | blog/b.pdf noindex | blogx/a.txt",
			block1(set("/blog/*.pdf", "noindex")), ""},
		{"a section within a section", nl, "",
			"q/a.pdf noindex | q/b.zip noindex | q/d/a.pdf nofollow | q/d/b.txt nofollow | a.txt",
			block1(set("/q/*", "noindex"), set("/q/d/*", "nofollow")), ""},
		{"… for both hosts", pt, "",
			"q/a.pdf noindex | q/b.zip noindex | q/d/a.pdf noindex, nofollow | q/d/b.txt noindex, nofollow | a.txt",
			block1(set("/q/*", "noindex"), reset("/q/d/*", "noindex, nofollow")), ""},
		{"what wants nothing in a section: Cloudflare can take away", cf, "",
			"q/a.pdf noindex | q/b.jpg noindex | q/c.zip noindex | q/d.css | a.txt",
			block1(set("/q/*", "noindex"), reset("/q/d.css"), preview), ""},
		{"a suffix", pt, "", "a.pdf noindex | d/b.pdf noindex | e.html | d/c.txt",
			block1(set("/*.pdf", "noindex")), ""},
		{"a suffix, but in a section", pt, "",
			"a.pdf noindex | b.pdf noindex | d/b.pdf noindex, nofollow | d/c.zip noindex, nofollow | e.html",
			block1(set("/*.pdf", "noindex"), reset("/d/*", "noindex, nofollow")), ""},
		{"a suffix that Netlify also takes for another", pt, "", "a.js noindex | b.js noindex | c.mjs",
			block1(set("/a.js", "noindex"), set("/b.js", "noindex")), ""},
		{"… even where both are to have it", nl, "", "a.js noindex | b.js noindex | c.mjs noindex | d.txt",
			block1(set("/a.js", "noindex"), set("/b.js", "noindex"), set("/c.mjs", "noindex")), ""},
		{"files by scope: a page under their rule that wants the same gets it too",
			robotstag.Options{Scope: robotstag.ScopeFiles}, "",
			"q/a.pdf noindex | q/b.zip noindex | q/p.html noindex | p.html noindex | a.txt",
			block1(set("/q/*", "noindex")), ""},
		{"a section with a block of the user's", pt, "/q/*\n  X-Frame-Options: DENY\n",
			"q/a.pdf noindex | q/b.zip noindex | a.txt", "^\n" + block1(set("/q*", "noindex")), ""},
		{"101 files: one rule", pt, "",
			numbered(101, "q/f%d.pdf noindex, follow | ") + "a.pdf",
			block1(set("/q/*.pdf", "noindex, follow")), ""},
		{"values with commas and colons, two crawlers", pt, "",
			"q/a.pdf noindex, unavailable_after: 2030-01-01T00:00:00Z + bingbot: noindex, nofollow | a.txt | " +
				"q/b.zip noindex, unavailable_after: 2030-01-01T00:00:00Z + bingbot: noindex, nofollow",
			block1(set("/q/*", "noindex, unavailable_after: 2030-01-01T00:00:00Z", "bingbot: noindex, nofollow")), ""},
		{"the user's X-Robots-Tag for a section, and more for some of it", pt, "/q/*\n  X-Robots-Tag: noindex\n",
			"q/a.pdf noindex | q/r/b.zip noindex, nofollow | q/r/c.txt noindex, nofollow",
			"^\n" + block1(reset("/q/r/*", "noindex, nofollow")), ""},
		{"a site with a block of the user's for all", pt, "/*\n  Content-Security-Policy: default-src 'self'\n",
			"q/a.pdf noindex | r/b.zip noindex | c.txt noindex | d.jpg noindex",
			"^\n" + block1(set("/:any", "noindex"), set("/:any/*", "noindex"), set("/", "noindex")), ""},
		{"… of which the home page is an exception: no rule for all", cf, "/*\n  X: y\n",
			"q/a.pdf noindex | r/b.zip noindex | c.txt noindex | d.jpg noindex | index.html nofollow",
			"^\n" + block1(set("/", "nofollow"), set("/c.txt", "noindex"), set("/d.jpg", "noindex"),
				set("/q/a.pdf", "noindex"), set("/r/b.zip", "noindex"), preview), ""},
		{"sorted by path, a line a crawler", nl, "",
			"b.pdf noindex, follow + bingbot: noindex, follow, noarchive | a.pdf noindex, follow",
			block1(set("/a.pdf", "noindex, follow"), set("/b.pdf", "noindex, follow",
				"bingbot: noindex, follow, noarchive")), ""},
		{"cloudflare keeps previews out of the index", cf, "", "p.html index, follow, max-snippet:5",
			block1(set("/p", "index, follow, max-snippet:5"), preview), ""},
		{"portable leaves pages without noindex to their tags", pt, "", "p.html index, follow, max-snippet:5", "",
			"header-preview/note"},
		{"portable under scope all writes them", all, "", "p.html nofollow | a.txt", block1(set("/p*", "nofollow")),
			"header-preview/warning"},
		{"scope files", robotstag.Options{Scope: robotstag.ScopeFiles}, "", "p.html noindex | a.pdf noindex",
			block1(set("/a.pdf", "noindex")), ""},
		{"free files get nothing", pt, "", "robots.txt noindex", "", ""},
		{"a name with a plus has two spellings", pt, "", "a+b.pdf noindex | z.pdf",
			block1(set("/a%2Bb.pdf", "noindex"), set("/a+b.pdf", "noindex")), ""},
		{"the user's lines come first", pt, "/a\n  X-Frame-Options: DENY\n", "a.pdf noindex",
			"^\n" + block1(set("/a.pdf", "noindex")), ""},
		{"a last line without an end", pt, "/a\n  X-Frame-Options: DENY", "a.pdf noindex",
			"^\n" + block1(set("/a.pdf", "noindex")), ""},
		{"the user's line ends", pt, "/a\r\n  X-Frame-Options: DENY\r\n", "a.pdf noindex",
			"^\r\n" + strings.ReplaceAll(block1(set("/a.pdf", "noindex")), "\n", "\r\n"), ""},
		{"found needs no rule", cf, "/*.pdf\n  X-Robots-Tag: noindex\n", "a.pdf noindex", "^", ""},
		{"found in another spelling needs no rule", cf, "/*.pdf\n  X-Robots-Tag: FOLLOW,noindex\n",
			"a.pdf noindex, follow", "^", ""},
		{"found that is not enough is overridden", pt, "/*.pdf\n  X-Robots-Tag: noindex\n", "a.pdf noindex, nofollow",
			"^\n" + block1(reset("/a.pdf", "noindex, nofollow")), ""},
		{"what one host serves, the other is told", pt, "/blog/*\n  X-Robots-Tag: noindex\n", "blogx.json noindex",
			"^\n" + block1(set("/blogx.json", "noindex")), ""},
		{"the user's block of the same path", pt, "/a.pdf\n  X-Frame-Options: DENY\n/b\n  X: y\n", "a.pdf noindex",
			"/a.pdf\n# metarobots\n  X-Robots-Tag: noindex\n  X-Frame-Options: DENY\n/b\n  X: y\n", ""},
		{"netlify keeps both blocks", nl, "/a.pdf\n  X-Frame-Options: DENY\n", "a.pdf noindex",
			"^\n" + block1(set("/a.pdf", "noindex")), ""},
		{"the same path after normalisation", cf, "/./a.pdf\n  X-Frame-Options: DENY\n", "a.pdf noindex",
			"/./a.pdf\n# metarobots\n  X-Robots-Tag: noindex\n  X-Frame-Options: DENY\n\n" + block1(preview), ""},
		{"the user's own value is a part of the wanted one", pt, "/a.pdf\n  X-Robots-Tag: noindex\n",
			"a.pdf noindex, nofollow", "/a.pdf\n# metarobots\n  X-Robots-Tag: noindex, nofollow\n  X-Robots-Tag: noindex\n", ""},
		{"… and the block has no end", pt, "/a.pdf\n  X-Robots-Tag: noindex", "a.pdf noindex, nofollow",
			"/a.pdf\n# metarobots\n  X-Robots-Tag: noindex, nofollow\n  X-Robots-Tag: noindex", ""},
		{"a user's value that no line can take back: the folder's rule can", pt, "/a.pdf\n  X-Robots-Tag: index\n",
			"a.pdf noindex | a.pdfx nofollow", "^\n" + block1(reset("/*", "noindex"), reset("/a.pdfx", "nofollow")),
			"header-preview/warning"},
		{"a block merged under a general rule", pt, "/*\n  X-Robots-Tag: nofollow\n/a.pdf\n  X: y\n",
			"a.pdf noindex, nofollow",
			"/*\n  X-Robots-Tag: nofollow\n/a.pdf\n# metarobots\n  ! X-Robots-Tag\n# metarobots\n" +
				"  X-Robots-Tag: noindex, nofollow\n  X: y\n", ""},
		{"of two spellings of the name in one block the last wins on Netlify: ours is a third", nl,
			"/*\n  X-Robots-Tag: a\n  x-robots-tag: nofollow\n", "a.pdf noindex",
			"^\n" + block1("/a.pdf\n  X-ROBOTS-TAG: noindex"), ""},
		{"an environment: one rule", env(TargetCloudflare), "", "a.pdf noindex, nofollow | p.html noindex, nofollow",
			block1(set("/*", "noindex, nofollow")), ""},
		{"an environment: what differs is overridden", env(""), "",
			"a.pdf noindex, nofollow, noarchive | b.pdf noindex, nofollow",
			block1(set("/*", "noindex, nofollow"), reset("/a.pdf", "noindex, nofollow, noarchive")), ""},
		{"an environment beside the user's own rule for all: rules that together match every path", env(""),
			"/*\n  X-Frame-Options: DENY\n", "a.pdf noindex, nofollow", "^\n" + block1(every3...), ""},
		{"… and before those of single files", env(TargetCloudflare), "/*\n  X-Frame-Options: DENY\n",
			"index.html noindex, nofollow, noarchive | a/b.json noindex, nofollow, noarchive | c.json noindex, nofollow",
			"^\n" + block1(set("/:any", "noindex, nofollow"), set("/:any/*", "noindex, nofollow"),
				set("/", "noindex, nofollow")+"\n  ! X-Robots-Tag\n  X-Robots-Tag: noindex, nofollow, noarchive",
				reset("/a/b.json", "noindex, nofollow, noarchive")), ""},
		{"… and a line in the user's block for one of them", env(""), "/*\n  X-Frame-Options: DENY\n/\n  X: y\n",
			"a.pdf noindex, nofollow",
			"/*\n  X-Frame-Options: DENY\n/\n# metarobots\n  X-Robots-Tag: noindex, nofollow\n  X: y\n\n" +
				block1(every3[:2]...), ""},
		{"… before another spelling of the name: what overrides it has a third", env(TargetNetlify),
			"/*\n  X-Robots-Tag: nosnippet\n  x-robots-tag: nosnippet\n", "w/a.txt noindex",
			"^\n" + block1("/*\n  X-ROBOTS-TAG: noindex, nofollow", "/w/a.txt\n  X-ROBOTS-TAG: noindex"), ""},
		{"an environment over the user's rules", env(TargetCloudflare), "/*.pdf\n  X-Robots-Tag: noarchive\n",
			"a.pdf noindex, nofollow, noarchive | p.html noindex, nofollow",
			"^\n" + block1(reset("/*", "noindex, nofollow"), reset("/a.pdf", "noindex, nofollow, noarchive")), ""},
		{"a user's rule for all that says the environment already", env(""), "/*\n  X-Robots-Tag: noindex,nofollow\n",
			"a.pdf noindex, nofollow", "^", ""},
		{"an environment over the user's rule for all", env(""), "/*\n  X-Robots-Tag: all\n", "a.pdf noindex, nofollow",
			"^\n" + block1(reset("/:any", "noindex, nofollow"), reset("/:any/*", "noindex, nofollow"),
				reset("/", "noindex, nofollow")), ""},
		{"a user's rule in the environment's way", env(""), "/*\n  X: y\n/\n  X-Robots-Tag: all\n", "a.pdf noindex, nofollow",
			"^\n" + block1(set("/a.pdf", "noindex, nofollow")), "header-found/error"},
		{"a colon and a letter: Cloudflare cannot name it, but all the others", cf, "",
			"Cat:Foo.pdf noindex | Catx.pdf", block1(set("/*.pdf", "noindex"), reset("/Catx.pdf"), preview), ""},
		{"a folder of pages that no rule can name, below a block of the user's: the folder's other rule", cf,
			"/wiki/*\n  X-Robots-Tag: follow\n", "wiki/Cat:A.html noindex | wiki/Cat:B.html noindex",
			"^\n" + block1(reset("/wiki*", "noindex"), preview), ""},
		{"names that no rule spells: each has one for its encoded path", cf, "",
			"Cat:Foo.pdf noindex | Cat:Foo.html noindex | Cat:Bar.pdf",
			block1(set("/Cat%3AFoo", "noindex"), set("/Cat%3AFoo.pdf", "noindex"), preview),
			"header-name/warning header-name/error"},
		{"a colon inside a segment: Netlify can", nl, "", "Cat:Foo.pdf noindex | z.pdf",
			block1(set("/Cat%3AFoo.pdf", "noindex"), set("/Cat:Foo.pdf", "noindex")), ""},
		{"a star in the name", nl, "", "a*.pdf noindex | az.pdf", "", "header-name/error"},
		{"… but a pattern for more can mean it", nl, "", "d/a*.pdf noindex | z.pdf | d/ab.pdf noindex",
			block1(set("/d/*.pdf", "noindex")), ""},
		{"Netlify cannot tell case", nl, "", "a.pdf noindex | A.pdf", "", "header-overlap/error"},
		{"Cloudflare can", cf, "", "a.pdf noindex | A.pdf", block1(set("/a.pdf", "noindex"), preview), ""},
		{"a value that is no ASCII", pt, "", "a.pdf noïndex", "", "header-value/error"},
		{"a value of two lines", pt, "", "a.pdf noindex\r\nX: y", "", "header-value/error"},
		{"a value too long, a page", pt, "", "p.html noindex, " + strings.Repeat("x", 2000), "",
			"header-value/warning"},
		{"a rest too long for one line beside the user's own value", nl, "/a.pdf\n  X-Robots-Tag: noindex\n",
			"a.pdf noindex + a: " + x1500 + " + b: " + y1500,
			"^\n" + block1(set("/a.pdf", "noindex", "a: "+x1500, "b: "+y1500)), ""},
		{"… on Cloudflare", pt, "/a.pdf\n  X-Robots-Tag: noindex\n",
			"a.pdf noindex + a: " + x1500 + " + b: " + y1500,
			"^\n" + block1(reset("/*", "noindex", "a: "+x1500, "b: "+y1500)), ""},
		{"a user's rule for another host", cf, "https://h.example/*\n  X-Robots-Tag: noindex\n", "", "^",
			"header-host/note"},
		{"a user's rule for the site's host", robotstag.Options{Target: TargetCloudflare, Host: "h.example"},
			"https://h.example/*\n  X-Robots-Tag: noindex\n", "a.pdf noindex", "^", ""},
		{"target none takes ours back", robotstag.Options{Target: TargetNone},
			"/a\n  X: y\n\n" + block1(set("/a.pdf", "noindex")), "a.pdf noindex", "/a\n  X: y\n", ""},
		{"our block moves behind rules that were added, which could change it", pt,
			block1(set("/old", "noindex")) + "/*.pdf\n  X-Robots-Tag: nofollow\n", "a.pdf noindex, nofollow",
			"/*.pdf\n  X-Robots-Tag: nofollow\n\n" + block1(reset("/a.pdf", "noindex, nofollow")), ""},
		{"our block moves behind a header that would fall to it", pt,
			"/a\n  X: y\n\n" + block1(set("/old", "noindex")) + "  X-More: z\n", "a.pdf noindex",
			"/a\n  X: y\n  X-More: z\n\n" + block1(set("/a.pdf", "noindex")), ""},
		{"edits in our block are lost", pt,
			"/a\n  X: y\n\n" + block1("/mine\n  X-Mine: kept?"), "", "/a\n  X: y\n", ""},
		{"a begin without an end is the user's comment", pt,
			"/a\n  X: y\n" + begun + "/b\n  X: y\n", "", "^", ""},
	} {
		t.Run(row.about, func(t *testing.T) {
			res := compiled(t, row.user, wanted(row.wants), row.opt)
			if got, want := string(res.File), strings.Replace(row.want, "^", row.user, 1); got != want {
				t.Errorf("file:\n%s\nwant:\n%s\nfindings: %v", got, want, res.Findings)
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
	if res, err := compile([]byte(user), more, opt); !errors.Is(err, robotstag.ErrBudget) || res.File != nil {
		t.Errorf("scope all: error %v, file %q; want robotstag.ErrBudget and nothing", err, res.File)
	}
	for _, scope := range []string{robotstag.ScopeAuto, robotstag.ScopeFiles, robotstag.ScopeAll} {
		opt.Scope = scope
		if res, err := compile([]byte(user), each(98, "f%d.pdf", "noindex"),
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
	if _, err := compile([]byte(user.String()), many(1, "f%d.pdf", "noindex"),
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
			res, err := compile([]byte(user), wants, robotstag.Options{Target: target})
			if err != nil {
				t.Fatal(err)
			}
			back, err := compile(res.File, nil, robotstag.Options{Target: target})
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
		if got := string(readUser([]byte(crlf(string(res.File)))).lines.Own()); got != crlf(user) {
			t.Errorf("%q came back as %q", crlf(user), got)
		}
	}
}

func TestHouse_NilOnlyWhereTheUserHasNoFile(t *testing.T) {
	if res, _ := compile(nil, nil, robotstag.Options{}); res.File != nil {
		t.Errorf("no file: %q, want nil", res.File)
	}
	if res, _ := compile([]byte{}, nil, robotstag.Options{}); res.File == nil || len(res.File) != 0 {
		t.Errorf("an empty file: %v, want it as it is", res.File)
	}
	if res, _ := compile([]byte(block1("/a", "  X-Robots-Tag: v")), nil, robotstag.Options{}); res.File != nil {
		t.Errorf("a file of ours alone: %q, want nil", res.File)
	}
}

func TestHouse_UnknownWordsAreErrors(t *testing.T) {
	if _, err := compile(nil, nil, robotstag.Options{Target: "nginx"}); err == nil {
		t.Error("an unknown target is no error")
	}
	if _, err := compile(nil, nil, robotstag.Options{Scope: "some"}); err == nil {
		t.Error("an unknown scope is no error")
	}
}

func TestHouse_SameInputSameBytes(t *testing.T) {
	wants := slices.Concat(many(30, "f%d.pdf", "noindex"), many(10, "p%d.html", "noindex"))
	first, _ := compile([]byte("/f3.pdf\n  X: y\n"), wants, robotstag.Options{})
	slices.Reverse(wants)
	second, _ := compile([]byte("/f3.pdf\n  X: y\n"), wants, robotstag.Options{})
	if !bytes.Equal(first.File, second.File) {
		t.Errorf("the order of the wants shows:\n%s\n%s", first.File, second.File)
	}
}

func TestHouse_FoundIsWhatTheUsersOwnRulesServe(t *testing.T) {
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
		u, err := readRules([]byte(user), robotstag.Options{Target: row.target, Host: row.host})
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
