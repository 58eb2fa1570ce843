package plan_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site/pages"
)

// benchPage is a page of ordinary size: a head as themes write it, and some text.
const benchPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Page %d</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="description" content="A page">
<link rel="stylesheet" href="/style.css"><script>let robots = '<meta name="robots">'</script></head>
<body><h1>Page %d</h1>%s</body></html>
`

// BenchmarkPlan plans a folder of 1,000 pages and 100 files that are none.
func BenchmarkPlan(b *testing.B) {
	var text string
	for range 60 {
		text += "<p>Some <b>text</b> of a page that is neither short nor long, with a <a href=\"/a/\">link</a>.</p>\n"
	}
	dir := b.TempDir()
	write := func(name, text string) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for i := range 1000 {
		write(fmt.Sprintf("public/section-%d/page-%d/index.html", i%20, i), fmt.Sprintf(benchPage, i, i, text))
	}
	for i := range 100 {
		write(fmt.Sprintf("public/section-%d/file-%d.pdf", i%20, i), "%PDF")
	}
	write("metarobots.toml", `[site]
generator = "html"
destination = "public"
[[robots.rules]]
match = ["/section-3/**"]
robots = "noindex"
[[robots.rules]]
match = ["/**/*.pdf"]
robots = "noindex"
[[robots.rules]]
match = ["/section-{4,5}/page-*/"]
agents = { bingbot = "nocache" }
`)
	ctx := context.Background()
	p, err := project.Open(ctx, project.Options{WorkDir: dir, Getenv: func(string) string { return "" }}, pages.HTML)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	b.ReportAllocs()
	for b.Loop() {
		s, err := plan.New(ctx, p)
		if err != nil {
			b.Fatal(err)
		}
		if len(s.Pages) < 1100 {
			b.Fatalf("%d files", len(s.Pages))
		}
	}
}
