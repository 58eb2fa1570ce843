package headers

import (
	"fmt"
	"slices"
	"testing"

	"metarobots/emit/robotstag"
)

// realSites are about 20,000 files each, of kinds that people publish, and how many rules they take: on Cloudflare,
// with the one for previews, and for both hosts.
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
