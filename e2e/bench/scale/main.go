//go:build unix

// Command scale makes a site of many small pages and runs a metarobots program over it, one command
// after the other: time, processor time and peak memory of each. Figures stand in docs/bench.md.
//
//	go build -tags nohugo -o /tmp/metarobots . && go run ./e2e/bench/scale -pages 100000 /tmp/metarobots
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	inSection = 1000   // pages
	inSitemap = 50_000 // addresses: all that a sitemap may have, https://www.sitemaps.org/protocol.html#index
	pageSize  = 4 << 10
)

func main() {
	pages := flag.Int("pages", 100_000, "how many `pages`")
	folder := flag.String("dir", "",
		"the `folder` to work in, which is kept; a site that is there is taken as it is (default: a temporary one)")
	target := flag.String("target", "none", "the `host` whose headers are written")
	flag.Parse()
	log.SetFlags(0)
	if flag.NArg() != 1 {
		log.Fatal("name the program to measure: metarobots")
	}
	dir := *folder
	if dir == "" {
		var err error
		dir, err = os.MkdirTemp("", "scale")
		check(err)
		defer os.RemoveAll(dir)
	}
	start := time.Now()
	if _, err := os.Stat(filepath.Join(dir, "public")); err != nil {
		generate(dir, *pages)
		fmt.Printf("%d pages made in %.0f s\n", *pages, time.Since(start).Seconds())
	}
	check(os.WriteFile(filepath.Join(dir, "metarobots.toml"), fmt.Appendf(nil, policy, *target), 0o644))
	fmt.Printf("%-16s %8s %8s %8s\n", "", "wall s", "CPU s", "peak MB")
	for _, r := range []struct {
		name string
		args []string
	}{
		{"walk and read", nil},
		{"apply", []string{"apply"}},
		{"apply again", []string{"apply"}},
		{"check", []string{"check"}},
		{"check --json", []string{"check", "--json"}},
		{"snapshot", []string{"snapshot"}},
		{"report json", []string{"report", "--format", "json", "-o", "report.json"}},
		{"report csv", []string{"report", "--format", "csv", "-o", "report.csv"}},
		{"explain", []string{"explain", "/section-0000/page-0000001/"}},
	} {
		c := exec.Command(flag.Arg(0), append(r.args, "--quiet", "-b", "https://example.org/")...)
		if r.args == nil {
			c = exec.Command("sh", "-c", "find . -name '*.html' -print0 | xargs -0 cat >/dev/null")
		}
		c.Dir = dir
		start := time.Now()
		if err := c.Run(); err != nil && r.name != "check --json" { // prints
			log.Printf("%s: %v", r.name, err)
		}
		peak := int64(0)
		if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
			peak = usage.Maxrss / 1024
		}
		fmt.Printf("%-16s %8.1f %8.1f %8d\n", r.name, time.Since(start).Seconds(),
			(c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), peak)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// generate writes the published site: sections of a thousand pages, a PDF for a hundred pages,
// sitemaps and their index. Every second page carries a tag of its theme; one section in a hundred
// is to be noindex, and so are the PDFs.
func generate(dir string, n int) {
	write := func(name string, parts ...string) {
		file := filepath.Join(dir, "public", name)
		check(os.MkdirAll(filepath.Dir(file), 0o755))
		check(os.WriteFile(file, []byte(strings.Join(parts, "")), 0o644))
	}
	page := func(address, title string, i int) string {
		theme := ""
		if i%2 == 0 {
			theme = "<meta name=\"robots\" content=\"index, follow\">\n"
		}
		text := fmt.Sprintf("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta "+
			"charset=\"utf-8\">\n<title>%s</title>\n%s<link rel=\"canonical\" href=\"https://example.org%s\">\n"+
			"<link rel=\"stylesheet\" href=\"/site.css\">\n</head>\n<body>\n<h1>%[1]s</h1>\n", title, theme, address)
		const line = "<p>Lamps give light where there is none, and oil gives lamps their light.</p>\n"
		return text + strings.Repeat(line, max(0, pageSize-len(text))/len(line)) + "</body>\n</html>\n"
	}
	write("index.html", page("/", "Home", 1))
	write("robots.txt", "User-agent: *\nAllow: /\n")
	var addresses []string
	for i := range n {
		address := fmt.Sprintf("/section-%04d/page-%07d/", i/inSection, i)
		write(address[1:]+"index.html", page(address, fmt.Sprintf("Page %d", i), i))
		if i%100 == 0 {
			write(fmt.Sprintf("files/%04d/paper-%07d.pdf", i/inSection, i), "%PDF-1.4\n")
		}
		addresses = append(addresses, address)
	}
	var index strings.Builder
	for i := 0; len(addresses) > 0; i++ {
		some := addresses[:min(inSitemap, len(addresses))]
		addresses = addresses[len(some):]
		var b strings.Builder
		b.WriteString("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<urlset " +
			"xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n")
		for _, address := range some {
			fmt.Fprintf(&b, "<url><loc>https://example.org%s</loc></url>\n", address)
		}
		b.WriteString("</urlset>\n")
		write(fmt.Sprintf("sitemap-%d.xml", i), b.String())
		fmt.Fprintf(&index, "<sitemap><loc>https://example.org/sitemap-%d.xml</loc></sitemap>\n", i)
	}
	write("sitemap.xml", "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<sitemapindex "+
		"xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n", index.String(), "</sitemapindex>\n")
}

const policy = `[site]
generator = "html"
destination = "public"

[robots.headers]
targets = [%q]

[[robots.rules]]
match = ["/section-*00/**"]
robots = "noindex"

[[robots.rules]]
match = ["/files/**/*.pdf"]
robots = "noindex"
`
