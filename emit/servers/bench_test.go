package servers

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"metarobots/emit/robotstag"
)

// A site of 100,000 files, half of them HTML, of which one in ten wants a header
// and one in a hundred another.
func bigSite() (wants []robotstag.Want) {
	for i := range 100000 {
		w := robotstag.Want{Path: fmt.Sprintf("posts/%d/%02d/größe-%d/index.html", 2000+i%25, i%12, i), HTML: true}
		if i%2 == 1 {
			w = robotstag.Want{Path: fmt.Sprintf("files/%d/report (%d).pdf", i%100, i)}
		}
		switch {
		case i%100 == 0 || i%100 == 1:
			w.Values = []string{"noindex, nofollow", "googlebot: noarchive"}
		case i%10 < 2:
			w.Values = []string{"noindex, follow"}
		}
		wants = append(wants, w)
	}
	return wants
}

// allWant is the worst case: every file wants a rule of its own.
func allWant() []robotstag.Want {
	wants := bigSite()
	for i := range wants {
		wants[i].Values = []string{"noindex, follow"}
	}
	return wants
}

// fitting leaves out what a host cannot take at all.
func fitting(b *testing.B, target string, wants []robotstag.Want) []robotstag.Want {
	for {
		_, err := compile(target, nil, wants, robotstag.Options{})
		if err == nil {
			return wants
		}
		if !errors.Is(err, robotstag.ErrBudget) {
			b.Fatal(err)
		}
		n := 0
		for i := range wants {
			if wants[i].Values != nil {
				if n++; n%2 == 0 {
					wants[i].Values = nil
				}
			}
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	benchmark(b, func(target string, wants []robotstag.Want, file []byte) {
		compile(target, file, wants, robotstag.Options{})
	})
}

// What a compile knows of the files of a site: the wants are the caller's and do
// not count.
func BenchmarkMemory(b *testing.B) {
	wants := bigSite()
	user, err := readUser("apache", nil)
	if err != nil {
		b.Fatal(err)
	}
	live := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for b.Loop() {
		before := live()
		demand := robotstag.Demand{Header: robotstag.XRobotsTag, Wants: wants}
		c := newDraft(Apache, nil, user, demand, robotstag.Options{}, false)
		b.ReportMetric(float64(live()-before)/float64(len(wants)), "B/file")
		runtime.KeepAlive(c)
	}
}

func BenchmarkFound(b *testing.B) {
	for _, target := range targets {
		for i, text := range setters[target] {
			u, err := readUser(target, []byte(text))
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/%d", target, i), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					u.Found("posts/2026/a-post/index.html")
				}
			})
		}
	}
}

func benchmark(b *testing.B, run func(target string, wants []robotstag.Want, file []byte)) {
	for name, site := range map[string]func() []robotstag.Want{"some": bigSite, "all": allWant} {
		for _, target := range targets {
			b.Run(name+"/"+target, func(b *testing.B) {
				wants := fitting(b, target, site())
				for i := range wants {
					wants[i].HTML = false // nothing is to be given up here
				}
				wants = fitting(b, target, wants)
				res, err := compile(target, nil, wants, robotstag.Options{})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				b.ReportMetric(float64(res.Rules), "rules")
				for b.Loop() {
					run(target, wants, res.File)
				}
			})
		}
	}
}
