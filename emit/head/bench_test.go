package head

import (
	"bytes"
	"strings"
	"testing"

	"metarobots/policy"

	"golang.org/x/net/html"
)

// The pages are built like those a Hugo theme writes: a head of about 4.5 KB
// with inline CSS, JSON-LD and a script, a body of 27 KB.
func pageOf(robots, body string) []byte {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en-us\" dir=\"ltr\">\n<head><meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<meta http-equiv=\"X-UA-Compatible\" content=\"IE=edge\">\n<title>On the care of old clocks | A Journal</title>\n" +
		"<!-- <meta name=\"robots\" content=\"noindex\"> -->\n" + robots +
		"<meta name=\"description\" content=\"How a clock is wound, oiled &amp; set, and why it stops.\">\n<meta name=\"generator\" content=\"Hugo 0.165.0\">\n")
	for _, p := range []string{"title", "description", "url", "type", "site_name", "image", "locale", "updated_time"} {
		b.WriteString("<meta property=\"og:" + p + "\" content=\"https://example.org/journal/old-clocks/cover.jpg\">\n")
	}
	for _, p := range []string{"card", "title", "description", "image"} {
		b.WriteString("<meta name=\"twitter:" + p + "\" content=\"summary_large_image of the care of old clocks\">\n")
	}
	for _, p := range []string{"canonical", "icon", "apple-touch-icon", "manifest", "alternate", "preload",
		"stylesheet", "prev", "next"} {
		b.WriteString("<link rel=\"" + p +
			"\" href=\"https://example.org/assets/site.min.3f2a.css\" integrity=\"sha256-47DEQpj8HBSa\" crossorigin=\"anonymous\">\n")
	}
	b.WriteString("<style>" + strings.Repeat(".post>h2{margin:1.2em 0 .4em;color:#234}", 25) + "</style>\n")
	b.WriteString("<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"headline\":\"On clocks\",\"html\":\"<p>a</p>\"}</script>\n")
	b.WriteString("<script>(function(d){for(var i=0;i<9;i++){d.push(i<<1)}})(window.q=[]);</script>\n</head>\n<body class=\"post\">\n")
	b.WriteString(body)
	for b.Len() < 31_500 {
		b.WriteString("<p>A clock that has <em>stood still</em> for a year wants oil, not force. See <a href=\"/journal/oil/\">the note on oil</a>.</p>\n")
	}
	b.WriteString("</body>\n</html>\n")
	return []byte(b.String())
}

var pages = []struct{ name, robots, body string }{
	{"NoRobots", "", ""},
	{"Robots", "<meta name=\"robots\" content=\"index, follow, max-image-preview:large\">\n", ""},
	{"Itemprop", "", strings.Repeat("<span itemprop=\"image\"><meta itemprop=\"url\" content=\"/a.jpg\"></span>", 12)},
	{"BodyRobots", "", strings.Repeat("<div class=a><p>Some text</div>", 300) + "<meta name=robots content=noindex>"},
}

func BenchmarkScan(b *testing.B) {
	for _, c := range pages {
		b.Run(c.name, func(b *testing.B) {
			src := pageOf(c.robots, c.body)
			var s Scanner
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				s.Scan(src, robots)
			}
		})
	}
}

func BenchmarkRewrite(b *testing.B) {
	for _, c := range pages[:2] {
		b.Run(c.name, func(b *testing.B) {
			src := pageOf(c.robots, c.body)
			tags := []policy.Tag{{Name: "robots", Content: "noindex, follow"}}
			var s Scanner
			var dst []byte
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				f := s.Scan(src, robots)
				dst = f.rewrite(dst[:0], src, tags)
			}
		})
	}
}

// The two yardsticks: copying the page, and the tokenizer of x/net over the head alone.
func BenchmarkCopy(b *testing.B) {
	src := pageOf("", "")
	dst := make([]byte, len(src))
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		copy(dst, src)
	}
}

func BenchmarkXNetHead(b *testing.B) {
	src := pageOf("", "")
	b.ReportAllocs()
	for b.Loop() {
		for z := html.NewTokenizer(bytes.NewReader(src)); ; {
			if z.Next() == html.EndTagToken && z.Token().Data == "head" {
				break
			}
		}
	}
}
