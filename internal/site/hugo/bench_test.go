// The whole chain on a generated Hugo site. Figures stand in docs/bench.md.
//
//	go test -run '^$' -bench . -benchtime 5x -count 3 ./internal/site/hugo

package hugo_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metarobots/internal/project"
	generated "metarobots/internal/site/pages"
	"metarobots/internal/write"

	"metarobots/frontmatter"
	"metarobots/internal/config"
	"metarobots/internal/plan"
	"metarobots/internal/site"
	"metarobots/internal/site/hugo"
)

const pages = 1000

// generate writes a site of 1,000 pages in 20 sections, with tags and pagers; one page in ten says something.
func generate(b *testing.B) string {
	b.Helper()
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
	head := "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{{ .Title " +
		"}}</title>\n<meta name=\"robots\" content=\"index, follow\">\n" +
		"<style>" + strings.Repeat("p { margin: 0 }\n", 200) + "</style>\n</head>\n<body>\n<h1>{{ .Title }}</h1>\n"
	list := head + "{{ range (.Paginate .Pages 20).Pages }}<p><a href=\"{{ .RelPermalink }}\">{{ .Title " +
		"}}</a></p>\n{{ end }}</body>\n</html>\n"
	write("hugo.toml", "baseURL = \"https://example.org/\"\ntitle = \"Bench\"\n")
	for _, kind := range []string{"home", "section", "taxonomy", "term"} {
		write("layouts/"+kind+".html", list)
	}
	write("layouts/page.html", head+"{{ .Content }}</body>\n</html>\n")
	write("metarobots.toml", "[robots.visibility]\nkinds = { taxonomy = false }\narchives = { paginated = false "+
		"}\n[[robots.rules]]\nmatch = [\"/s1/**\"]\nrobots = \"noindex\"\n[[robots.rules]]\nmatch = "+
		"[\"/**/*.pdf\"]\nrobots = \"noindex\"\nallowEmpty = true\n[robots.headers]\nscope = \"files\"\n")
	paragraph := strings.Repeat("Some words of a page that somebody wrote and nobody reads here. ", 12) + "\n\n"
	for i := range pages {
		says := ""
		if i%10 == 0 {
			says = "robots: noarchive\n"
		}
		write(fmt.Sprintf("content/s%d/p%d.md", i%20, i),
			fmt.Sprintf("---\ntitle: Page %d\ntags: [t%d]\n%s---\n\n%s", i, i%50, says, strings.Repeat(paragraph, 10)))
	}
	return dir
}

func open(b *testing.B, dir string) *project.Project {
	b.Helper()
	p, err := project.Open(b.Context(),
		project.Options{WorkDir: dir, State: filepath.Join(dir, "state"), Getenv: func(string) string { return "" }},
		hugo.Generator{IsPolicy: config.IsPolicy}, generated.HTML)
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// BenchmarkHugo builds the site with Hugo alone, pages written as they come: what build is compared with.
func BenchmarkHugo(b *testing.B) {
	dir := generate(b)
	for b.Loop() {
		s, err := hugo.Generator{}.Open(b.Context(), site.Options{Source: dir})
		if err != nil {
			b.Fatal(err)
		}
		err = s.(site.Builder).Build(context.Background(), frontmatter.Options{}, site.Hooks{
			Listed: func(site.Map) error { return nil },
			Write: func(name string, data []byte) error {
				file := filepath.Join(dir, "public", filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					return err
				}
				return os.WriteFile(file, data, 0o644)
			},
		})
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

// BenchmarkBuild builds the site and writes the policy.
func BenchmarkBuild(b *testing.B) {
	dir := generate(b)
	for b.Loop() {
		p := open(b, dir)
		if _, err := write.Build(b.Context(), p, false); err != nil {
			b.Fatal(err)
		}
		p.Close()
	}
}

// BenchmarkCheck lists the pages and reads what is published; nothing changes.
func BenchmarkCheck(b *testing.B) {
	dir := generate(b)
	p := open(b, dir)
	if _, err := write.Build(b.Context(), p, false); err != nil {
		b.Fatal(err)
	}
	p.Close()
	for b.Loop() {
		p := open(b, dir)
		plan, err := plan.New(b.Context(), p)
		if err != nil {
			b.Fatal(err)
		}
		if pages, others := plan.Differing(); len(pages)+len(others) > 0 {
			b.Fatalf("%q and %q would change", pages, others)
		}
		p.Close()
	}
}
