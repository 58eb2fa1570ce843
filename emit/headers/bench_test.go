package headers

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"metarobots/emit/robotstag"
)

// mixed are the suffixes of ten files: seven are pages.
var mixed = []string{"html", "html", "jpg", "html", "html", "css", "html", "html", "pdf", "html"}

// bigSite makes 100,000 published files in 40 sections of 125 folders. values says what the file number i wants.
func bigSite(suffixes []string, values func(section, folder, i int, suffix string) string) []robotstag.Want {
	wants := make([]robotstag.Want, 0, 100000)
	for s := range 40 {
		for f := range 125 {
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

// prepared is a compiler that has read everything, and chosen nothing yet.
func prepared(target string, wants []robotstag.Want, exact bool) *compiler {
	u, _ := readRules(nil, robotstag.Options{Target: target})
	c := newCompiler(u, wants, robotstag.Options{Target: target, Scope: robotstag.ScopeAll}, &robotstag.Result{})
	c.exact = exact
	c.gather()
	c.work = maxWork
	return c
}

// The tree and its dynamic programme (DP-ms is that alone), and how many rules they spend.
func BenchmarkChoose(b *testing.B) {
	eachBigSite(b, func(b *testing.B, target string, wants []robotstag.Want) {
		exact := prepared(target, wants, true)
		exact.choose()
		c := prepared(target, wants, false)
		b.ReportAllocs()
		var programme time.Duration
		for b.Loop() {
			root := c.tree(maxSuffixes)
			start := time.Now()
			c.walk(root, inForce{})
			programme += time.Since(start)
		}
		b.ReportMetric(float64(programme.Milliseconds())/float64(b.N), "DP-ms/op")
		c.choose()
		b.ReportMetric(float64(len(c.rules)), "rules")
		b.ReportMetric(float64(len(exact.rules)), "exact-rules")
	})
}

func BenchmarkCompile(b *testing.B) {
	eachBigSite(b, func(b *testing.B, target string, wants []robotstag.Want) {
		b.ReportAllocs()
		for b.Loop() {
			compile(nil, wants, robotstag.Options{Target: target, Scope: robotstag.ScopeAll})
		}
	})
}

// What a compile holds at its height, when the rules are chosen: the wants are the caller's and do not count.
func BenchmarkMemory(b *testing.B) {
	eachBigSite(b, func(b *testing.B, target string, wants []robotstag.Want) {
		for b.Loop() {
			before := live()
			c := prepared(target, wants, false)
			root := c.tree(maxSuffixes)
			c.walk(root, inForce{})
			b.ReportMetric(float64(live()-before)/float64(len(wants)), "B/file")
			runtime.KeepAlive(c)
			runtime.KeepAlive(root)
		}
	})
}

// live are the bytes that are in use.
func live() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func BenchmarkVerify(b *testing.B) {
	eachBigSite(b, func(b *testing.B, target string, wants []robotstag.Want) {
		// Netlify's file is for both, so that it can be longer than a hundred rules.
		res, err := compile(nil, wants, robotstag.Options{Target: TargetNetlify, Scope: robotstag.ScopeAll})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			verify(res, wants, robotstag.Options{Target: target})
		}
	})
}
