// Package corpus makes pages like those of real Hugo sites, the same ones every time: a folder a
// page, sizes of 10, 25 and 66 KB at the tenth, fiftieth and ninetieth percentile, heads of 2 to 20
// KB with inline CSS, scripts and JSON-LD.
//
// Six of ten pages carry a robots meta of their theme, three of a hundred one in odd spelling that
// says noindex. All carry one within a comment.
package corpus

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Name is the path of page i from the publish folder, with slashes.
func Name(i int) string {
	return fmt.Sprintf("s%02d/%d/page-%d/index.html", i%40, 2010+i%17, i)
}

// Page returns the bytes of page i.
func Page(i int) []byte {
	c := cook{r: rand.New(rand.NewPCG(1, uint64(i)))}
	// Log-normal, cut: the median, then what the ninetieth percentile is more.
	size := int(min(200_000, 25_500*math.Exp(0.742*c.r.NormFloat64())))
	head := int(max(2_000, min(20_000, 4_500*math.Exp(0.541*c.r.NormFloat64()))))
	c.head(i, head)
	c.body(i, max(size, len(c.b)+1_500))
	return c.b
}

// Write makes n pages below dir.
func Write(dir string, n int) error {
	for i := range n {
		file := filepath.Join(dir, filepath.FromSlash(Name(i)))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, Page(i), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// cook writes one page.
type cook struct {
	r *rand.Rand
	b []byte
}

func (c *cook) printf(format string, args ...any) { c.b = fmt.Appendf(c.b, format, args...) }

// head writes the head, of about size bytes.
func (c *cook) head(i, size int) {
	c.printf("<!DOCTYPE html>\n<html lang=\"en-us\" dir=\"ltr\">\n<head>\n<meta charset=\"utf-8\">\n<meta " +
		"name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
	title := c.words(4 + c.r.IntN(5))
	c.printf("<title>%s | A Journal</title>\n<!-- <meta name=\"robots\" content=\"noindex\"> -->\n", title)
	switch n := i % 100; {
	case n < 60:
		c.printf("<meta name=\"robots\" content=\"index, follow\">\n")
	case n < 63:
		c.printf("<META content='noindex' NAME=robots />\n")
	}
	c.printf("<meta name=\"description\" content=\"%s &amp; %s.\">\n<meta name=\"generator\" content=\"Hugo "+
		"0.165.0\">\n", c.words(12), c.words(8))
	url := "https://example.org/" + Name(i)[:len(Name(i))-len("index.html")]
	c.printf("<link rel=\"canonical\" href=\"%s\">\n", url)
	for _, p := range []string{"title", "description", "url", "type", "site_name", "image", "locale", "updated_time"} {
		c.printf("<meta property=\"og:%s\" content=\"%s\">\n", p, c.words(3+c.r.IntN(6)))
	}
	c.printf("<link rel=\"preload\" as=\"font\" type=\"font/woff2\" href=\"/fonts/text.3f2a91.woff2\" crossorigin>\n")
	c.printf("<link rel=\"stylesheet\" href=\"/css/site.min.%08x.css\" integrity=\"sha256-%032x=\">\n", 0x3f2a91cc,
		0x77aa01)
	c.printf("<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"Article\",\"headline\":\"%s\",\"url\":\"%s\",\"body\":\"<p>%s</p>\"}</script>\n", title, url, c.words(20))
	// What is left: a script for some pages, else critical CSS.
	if i%4 == 0 {
		c.printf("<script>(function(w,d){\n")
		for len(c.b) < size/2 {
			c.printf("  for (var i=0;i<%d&&w.q;i++) { d.push('<b>'+w.q[i]+'</b>', i<<1) }\n", c.r.IntN(90))
		}
		c.printf("})(window,[]);</script>\n")
	}
	c.printf("<style>")
	for len(c.b) < size-40 {
		c.printf(".%s>%s{margin:%dpx 0 .4em;color:#%06x}\n", c.word(), c.word(), c.r.IntN(40), c.r.IntN(1<<24))
	}
	c.printf("</style>\n</head>\n")
}

// body writes the rest of the page, up to about size bytes.
func (c *cook) body(i, size int) {
	c.printf("<body class=\"post\">\n<header><nav><ul>")
	for n := range 8 {
		c.printf("<li><a href=\"/s%02d/\">%s</a></li>", n, c.word())
	}
	c.printf("</ul></nav></header>\n<main><article itemscope itemtype=\"https://schema.org/Article\">\n<h1>%s</h1>\n",
		c.words(6))
	for len(c.b) < size-120 {
		switch n := c.r.IntN(40); {
		case n == 0:
			c.printf("<h2 id=\"%s\">%s <a class=\"anchor\" href=\"#%s\">#</a></h2>\n", c.word(), c.words(5), c.word())
		case n == 1:
			c.printf("<figure><img src=\"/img/%d.jpg\" alt=\"%s\" "+
				"loading=\"lazy\"><figcaption>%s</figcaption></figure>\n", c.r.IntN(999), c.words(4), c.words(9))
		case n == 2:
			c.printf("<div class=\"highlight\"><pre tabindex=\"0\"><code class=\"language-go\">")
			for range 4 + c.r.IntN(8) {
				c.printf("<span class=\"line\"><span class=\"cl\"><span class=\"nx\">%s</span> <span "+
					"class=\"o\">:=</span> <span class=\"s\">&#34;%s&#34;</span>\n</span></span>", c.word(), c.word())
			}
			c.printf("</code></pre></div>\n")
		case n == 3:
			c.printf("<table><thead><tr><th>%s</th><th>%s</th></tr></thead><tbody>", c.word(), c.word())
			for range 3 + c.r.IntN(5) {
				c.printf("<tr><td>%s</td><td>%d</td></tr>", c.words(2), c.r.IntN(9999))
			}
			c.printf("</tbody></table>\n")
		case n == 4 && i%10 == 0:
			c.printf("<span itemprop=\"image\" itemscope><meta itemprop=\"url\" content=\"/img/%d.jpg\"></span>\n",
				c.r.IntN(999))
		case n < 8:
			c.printf("<ul>\n<li>%s</li>\n<li>%s</li>\n<li><a href=\"/s%02d/\">%s</a></li>\n</ul>\n", c.words(6),
				c.words(9), c.r.IntN(40), c.words(3))
		default:
			c.printf("<p>%s, <em>%s</em>. %s <a href=\"/s%02d/2019/\">%s</a> %s.</p>\n", c.words(12+c.r.IntN(30)),
				c.words(2), c.words(8), c.r.IntN(40), c.words(2), c.words(10+c.r.IntN(25)))
		}
	}
	c.printf("</article></main>\n<footer><p>%s</p></footer>\n</body>\n</html>\n", c.words(9))
}

func (c *cook) word() string { return vocabulary[c.r.IntN(len(vocabulary))] }

func (c *cook) words(n int) string {
	from := len(c.b)
	for range n {
		c.b = append(append(c.b, c.word()...), ' ')
	}
	s := string(c.b[from : len(c.b)-1])
	c.b = c.b[:from]
	return s
}

var vocabulary = []string{"clock", "a", "the", "winding", "of", "oil", "and", "spring", "that", "moss", "for", "garden",
	"is", "année", "to", "wheel", "in", "escapement", "it", "bench", "was", "brass", "on", "Größe", "with", "repair", "as", "minute", "at", "pendulum", "by", "weight"}
