package headers

import (
	"fmt"
	"strings"
	"testing"

	"metarobots/emit/robotstag"
)

// mixed are the suffixes of ten files: seven are pages.
var mixed = []string{"html", "html", "jpg", "html", "html", "css", "html", "html", "pdf", "html"}

// folders is how many folders each of the 40 sections of a big site has: with 125 it is one of
// 100,000 files.
var folders = 125

// bigSite makes a site of 20 files in each folder. values says what the file number i wants.
func bigSite(suffixes []string, values func(section, folder, i int, suffix string) string) []robotstag.Want {
	var wants []robotstag.Want
	for s := range 40 {
		for f := range folders {
			for i := range 20 {
				suffix := suffixes[i%len(suffixes)]
				path := fmt.Sprintf("section-%d/folder-%d/file-%d.%s", s, f, i, suffix)
				if suffix == "html" {
					path = fmt.Sprintf("section-%d/folder-%d/page-%d/index.html", s, f, i)
				}
				if v := values(s, f, len(wants), suffix); v != "" {
					wants = append(wants, file(path, v))
				} else {
					wants = append(wants, file(path))
				}
			}
		}
	}
	return wants
}

var bigSites = []struct {
	name  string
	wants func() []robotstag.Want
}{
	{"sections", func() []robotstag.Want {
		return bigSite(mixed, func(s, f, i int, _ string) string {
			switch {
			case s%10 == 3 && f == 7:
				return "noindex, nofollow"
			case s%10 == 3:
				return "noindex, follow"
			case s == 9 && f < 20:
				return "noindex, follow, noarchive"
			}
			return ""
		})
	}},
	{"scattered", func() []robotstag.Want {
		return bigSite(mixed, func(s, f, i int, _ string) string {
			switch {
			case i*7919%100 == 0:
				return []string{"noindex, follow", "noindex, nofollow", "noindex, follow, noarchive"}[i%3]
			case s%10 == 3:
				return "noindex, follow"
			}
			return ""
		})
	}},
	{"suffixes", func() []robotstag.Want {
		return bigSite(mixed, func(s, f, i int, suffix string) string {
			switch {
			case suffix == "pdf" && s == 5:
				return "noindex, nofollow"
			case suffix == "pdf" || suffix == "jpg" && s%10 == 3:
				return "noindex, follow"
			case s == 5 && f%25 == 0:
				return "noindex, follow"
			}
			return ""
		})
	}},
	// Each of four suffixes has a value in most folders, and another one in some.
	{"four suffixes", func() []robotstag.Want {
		return bigSite([]string{"pdf", "jpg", "csv", "txt"}, func(s, f, _ int, suffix string) string {
			values := []string{"noindex, follow", "noindex, nofollow", "noarchive", "nosnippet", ""}
			at := strings.Index("pdfjpgcsvtxt", suffix) / 3
			if (7*s+13*f+at)%11 == 0 {
				at += 1 + f%4
			}
			return values[at%5]
		})
	}},
}

func eachBigSite(b *testing.B, run func(b *testing.B, target string, wants []robotstag.Want)) {
	for _, site := range bigSites {
		wants := site.wants()
		for _, target := range []string{TargetNetlify, TargetCloudflare, TargetPortable} {
			b.Run(site.name+"/"+target, func(b *testing.B) { run(b, target, wants) })
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	eachBigSite(b, func(b *testing.B, target string, wants []robotstag.Want) {
		b.ReportAllocs()
		rules := 0
		for b.Loop() {
			res, _ := compile(nil, wants, robotstag.Task{Target: target, Scope: robotstag.ScopeAll})
			rules = res.Rules
		}
		b.ReportMetric(float64(rules), "rules")
	})
}

func BenchmarkVerify(b *testing.B) {
	eachBigSite(b, func(b *testing.B, target string, wants []robotstag.Want) {
		// Netlify's file is for both, so that it can be longer than a hundred rules.
		res, err := compile(nil, wants, robotstag.Task{Target: TargetNetlify, Scope: robotstag.ScopeAll})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			verify(res, wants, robotstag.Task{Target: target})
		}
	})
}
