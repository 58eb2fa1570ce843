package pages

import (
	"context"
	"testing"

	"metarobots/internal/site"
)

// Pelican reads lines between marks, and no YAML: a colon in a title is none of its business. What it would read to
// another end than the mark stays an error, where it is no YAML either.
// https://docs.getpelican.com/en/stable/content.html#file-metadata
func TestPelican_LinesBetweenMarks(t *testing.T) {
	m := laid(t, map[string]string{"pelicanconf.py": "PATH = 'content'",
		"content/a.md":   "---\nTitle: Oil: a guide\nSummary: of\n    several: lines\nRobots: \"noindex\"\n---\ntext\n",
		"content/b.html": "<html><head><title>Wick &amp; Oil</title>\n<meta name=robots content=noindex></head></html>",
		"content/c.md":   "Title: Glass – a “short” story\nRobots: noindex\n\ntext\n",
	}, "output/oil-a-guide.html", "output/wick-oil.html", "output/glass-a-short-story.html")
	holds(t, m, map[string]string{
		"oil-a-guide.html":         "content/a.md: noindex (content/a.md:5)",
		"wick-oil.html":            "content/b.html: noindex (content/b.html:2)",
		"glass-a-short-story.html": "content/c.md: noindex (content/c.md:2)",
	})
	for _, text := range []string{
		"---\ntitle: Oil: a guide\n\nrobots: noindex\n---\n",
		"---\ntitle: Oil: a guide\ntags:\n- a\nrobots: noindex\n---\n",
		"---\ntitle: Oil\nrobots: noindex\n",
	} {
		r := &reader{}
		if h, err := r.frontMatter("a.md", ".md", []byte(text), dialect{Closing: []string{"..."}, Lines: true, Marked: true}); err == nil {
			t.Errorf("%q: %s", text, &h)
		}
	}
}

// Pelican reads what lies below PATH. Where its configuration does not say it, the Makefile of its quickstart names the
// folder: what lies beside it is no content.
// https://docs.getpelican.com/en/stable/settings.html#basic-settings
func TestPelican_ReadsBelowItsPath(t *testing.T) {
	const article = "Title: A\nrobots: noindex\n\nText\n"
	for _, path := range []string{"PATH = 'content'\n", "", "PATH = find()\n"} {
		files := map[string]string{"pelicanconf.py": path, "content/a.md": article, "README.md": article}
		holds(t, laid(t, files, "output/a.html"), map[string]string{"a.html": "content/a.md: noindex (content/a.md:2)"})
	}
}

// What is put online has its address in another file, which imports the first and goes before it.
// https://docs.getpelican.com/en/stable/publish.html#deployment
func TestPelican_AddressOfWhatIsPublished(t *testing.T) {
	for _, local := range []string{"", "SITEURL = ''\n", "SITEURL = 'http://localhost:8000'\n"} {
		root := t.TempDir()
		write(t, root, "pelicanconf.py", local+"PATH = 'content'")
		write(t, root, "publishconf.py", "from pelicanconf import *\nSITEURL = 'https://a.example'")
		s, err := generatorOf(root).Open(context.Background(), site.Options{Source: root})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Settings().BaseURL; got != "https://a.example" {
			t.Errorf("%q: %q", local, got)
		}
	}
}
