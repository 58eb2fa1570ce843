package headers

import (
	"fmt"
	"slices"
	"testing"

	"metarobots/emit/robotstag"
)

// realSites are about 20,000 files each, of kinds that people publish, and how many rules they
// take: on Cloudflare, with the one for previews, and for both hosts.
var realSites = []struct {
	name                 string
	wants                []robotstag.Want
	cloudflare, portable int
}{
	{"a dated archive", dated(), 7, 6},
	{"tags without index", tagged(), 4, 12}, // Netlify reads /tags/* as /tags*, which takes /tagsoup
	{"PDFs in folders", pdfs(), 3, 2},
	{"languages", languages(), 10, 9},
	{"pagers", pagers(), 41, 40},
	{"print outputs", prints(), 3, 2},
}

// dated is a news site whose first six years are not to be indexed.
func dated() (wants []robotstag.Want) {
	for year := 2007; year < 2027; year++ {
		var values []string
		if year < 2013 {
			values = []string{"noindex, follow"}
		}
		for month := range 12 {
			wants = append(wants, many(80, fmt.Sprintf("%d/%02d/post-%%d/index.html", year, month+1), values...)...)
		}
	}
	return wants
}

func tagged() []robotstag.Want {
	return slices.Concat(many(9000, "posts/post-%d/index.html"), many(9000, "posts/post-%d/cover.jpg"),
		many(1000, "tags/tag-%d/index.html", "noindex, follow"), many(1000, "tags/tag-%d/index.xml", "noindex, follow"),
		many(40, "categories/c-%d/index.html", "noindex, follow"), many(40, "tagsoup/%d/index.html"),
		many(1, "search/index.html", "noindex, nofollow"))
}

func pdfs() (wants []robotstag.Want) {
	for d := range 200 {
		wants = slices.Concat(wants, many(60, fmt.Sprintf("docs/d-%d/page-%%d/index.html", d)),
			many(30, fmt.Sprintf("docs/d-%d/paper-%%d.pdf", d), "noindex"), many(9, fmt.Sprintf("docs/d-%d/%%d.png", d)))
	}
	return slices.Concat(wants, many(90, "internal/paper-%d.pdf", "noindex, nofollow"),
		many(90, "internal/table-%d.csv", "noindex, nofollow"), many(1, "handbook.pdf"))
}

func languages() (wants []robotstag.Want) {
	for _, l := range []string{"", "de/", "fr/", "it/", "pl/", "ja/", "pt-br/", "nl/", "sv/"} {
		wants = slices.Concat(wants, many(2000, l+"posts/post-%d/index.html"),
			many(200, l+"drafts/post-%d/index.html", "noindex, follow"))
	}
	return wants
}

func pagers() (wants []robotstag.Want) {
	for s := range 40 {
		wants = slices.Concat(wants, many(300, fmt.Sprintf("section-%d/post-%%d/index.html", s)),
			many(200, fmt.Sprintf("section-%d/page/%%d/index.html", s), "noindex, follow"))
	}
	return wants
}

func prints() []robotstag.Want {
	return slices.Concat(many(7000, "posts/post-%d/index.html"), many(7000, "posts/post-%d/index.json", "noindex"),
		many(6000, "posts/post-%d/print.txt", "noindex"))
}

// What people publish fits a hundred rules.
func TestHouse_RealSitesFit(t *testing.T) {
	t.Parallel()
	for _, site := range realSites {
		for _, target := range []string{TargetCloudflare, TargetPortable} {
			o := robotstag.Task{Target: target, Scope: robotstag.ScopeAll}
			res, err := compile(nil, site.wants, o)
			if err != nil || len(res.Missed)+len(res.GivenUp) > 0 {
				t.Errorf("%s, %s: %v, missed %d, given up %d", site.name, target, err, len(res.Missed), len(res.GivenUp))
			}
			for _, p := range verify(res, site.wants, o) {
				t.Errorf("%s, %s: %v", site.name, target, p)
			}
			want := map[string]int{TargetCloudflare: site.cloudflare, TargetPortable: site.portable}[target]
			if res.Rules != want {
				t.Errorf("%s, %s: %d rules, want %d\n%s", site.name, target, res.Rules, want, res.File)
			}
		}
	}
}

// oddSites have names that one host or the other reads differently, and how many rules they take
// for each target.
var oddSites = []struct {
	name                          string
	wants                         []robotstag.Want
	cloudflare, netlify, portable int
}{
	{"PDFs in 60 folders", sixty(), 2, 1, 1},
	// On Netlify no rule can take away what one for all of them gives the odd name.
	{"another case", append(sixty(), file("odd/x.PDF")), 2, 60, 60},
	{"another case, the same value", append(sixty(), file("odd/x.PDF", "noindex")), 3, 1, 2},
	{"another case, another value", append(sixty(), file("odd/x.PDF", "noindex, nofollow")), 3, 2, 2},
	{"no dot", append(sixty(), file("odd/xapdf")), 2, 60, 60},
	{"no dot, the same value", append(sixty(), file("odd/xapdf", "noindex")), 3, 2, 2},
	{"no dot, in one of the folders", append(sixty(), file("d-7/xapdf")), 2, 61, 61},
	{"a page of that name", append(sixty(), file("pdf/index.html")), 2, 1, 1},
	{"a folder of that name", append(sixty(), file("x.pdf/index.html")), 2, 60, 60},
	{"two spellings", append(sixty(), file("odd/[x].pdf")), 3, 60, 60},
	{"a folder of another case", append(sixty(), file("D-7/x.pdf", "noindex"), file("D-7/y.txt")), 2, 1, 1},
	{"a folder of hard names", hardNames(func(i int) bool { return i%3 == 0 }), 2, 3, 4},
	{"hard names but archives", hardNames(func(i int) bool { return i%11 != 10 }), 3, 2, 3},
	{"scattered hard names", hardNames(func(i int) bool { return i%20 == 0 }), 55, 62, 54},
}

func sixty() (wants []robotstag.Want) {
	for d := range 60 {
		wants = slices.Concat(wants, many(2, fmt.Sprintf("d-%d/paper-%%d.pdf", d), "noindex"),
			many(2, fmt.Sprintf("d-%d/page-%%d/index.html", d)))
	}
	return wants
}

// An odd name costs rules in its folder and in those around it, not in the others (N4e).
func TestHouse_OneOddNameDoesNotSpoilTheSite(t *testing.T) {
	t.Parallel()
	for _, site := range oddSites {
		for target, want := range map[string]int{
			TargetCloudflare: site.cloudflare, TargetNetlify: site.netlify, TargetPortable: site.portable,
		} {
			o := robotstag.Task{Target: target, Scope: robotstag.ScopeAll}
			res, err := compile(nil, site.wants, o)
			if err != nil || res.Rules != want {
				t.Errorf("%s, %s: %v, %d rules, want %d\n%s", site.name, target, err, res.Rules, want, res.File)
			}
			for _, p := range verify(res, site.wants, o) {
				t.Errorf("%s, %s: %v", site.name, target, p)
			}
		}
	}
}
