package robotstxt

import (
	"fmt"
	"strings"
	"testing"

	"metarobots/policy"
)

// An ordinary robots.txt, and one with a line for each of 3,000 pages, as themes write them.
func benchFiles() map[string][]byte {
	small := "User-agent: *\nDisallow: /drafts/\nDisallow: /*?utm_\nDisallow: /search\nAllow: " +
		"/drafts/2026/\nDisallow: /*.pdf$\n\nUser-agent: bingbot\nCrawl-delay: 2\nDisallow: /tags/\n\n"
	var b strings.Builder
	b.WriteString(small + "User-agent: *\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "Disallow: /section-%d/page-%d/\n", i%40, i)
	}
	p := &Policy{Block: policy.Purposes}
	return map[string][]byte{"small": append([]byte(small), p.Text()...), "3000": append([]byte(b.String()),
		p.Text()...)}
}

// 100,000 URLs, four crawlers.
func BenchmarkAsk(b *testing.B) {
	var urls []string
	for i := range 100000 {
		urls = append(urls, fmt.Sprintf("/section-%d/page-%d/", i%40, i))
	}
	for name, data := range benchFiles() {
		b.Run(name, func(b *testing.B) {
			f := Parse(data)
			b.ReportAllocs()
			for b.Loop() {
				for _, u := range urls {
					for _, agent := range []string{"googlebot", "bingbot", "GPTBot", "otherbot"} {
						f.Ask(agent, u)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/400000, "ns/question")
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for name, data := range benchFiles() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				Parse(data)
			}
		})
	}
}

func BenchmarkMerge(b *testing.B) {
	p := &Policy{Groups: []Group{{Disallow: []string{"/drafts/", "/*.xml$"}, Allow: []string{"/drafts/x/"}}},
		Block: policy.Purposes}
	for name, data := range benchFiles() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Merge(data, p)
			}
		})
	}
}

// A pattern of many stars against a long path without a match: the time grows with the path, not with the ways to
// place the stars.
func BenchmarkStars(b *testing.B) {
	r := newRule(false, "/"+strings.Repeat("*a", 40)+"*b", 1, "")
	for _, n := range []int{1000, 2000, 4000} {
		path := "/" + strings.Repeat("a", n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.matches(path)
			}
		})
	}
}
