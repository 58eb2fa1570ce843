//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"metarobots/internal/tables"
)

// A sourceSite is a site of testdata/sources in the shape of a public one. Every content file
// states a max-snippet of its own, and what the generator calls while it builds writes into
// truth.txt which file made which page: nothing of ours has a part in that.
type sourceSite struct {
	generator
	announced string // content files with a page that is not found or an error page, which a finding says
	swept     string // what the sweep says, and is true
}

var sourceSites = []sourceSite{
	{generator{name: "eleventy", command: []string{"@11ty/eleventy/cmd.cjs"}, publish: "_site"},
		"content/404.md content/de/about.md content/de/tagebuch/archiv.11ty.js content/de/tagebuch/erstes.md " +
			"content/en/about.md " +
			"content/en/json.md", ""},
	{generator{name: "starlight", command: []string{"astro/bin/astro.mjs", "build"}, modern: true, publish: "dist"},
		"letters/anna.md src/content/docs/404.md", ""},
	{generator{name: "docusaurus", command: []string{"@docusaurus/core/bin/docusaurus.mjs", "build"},
		publish: "build"}, "", ""},
	{generator{name: "vitepress", command: []string{"vitepress/bin/vitepress.js", "build", "docs"},
		publish: "docs/.vitepress/dist"}, "", ""},
	{generator{name: "hexo", command: []string{"hexo/bin/hexo", "generate"}, publish: "public"}, "", ""},
	{generator{name: "jekyll", command: []string{"jekyll", "build"}, publish: "_site"}, "404.html", ""},
	{generator{name: "mkdocs", command: []string{"mkdocs", "build", "--quiet"}, publish: "site"}, "docs/404.md", ""},
	{generator{name: "pelican", command: []string{"pelican", "--quiet"}, publish: "output"}, "", ""},
	{generator{name: "next", command: []string{"next/dist/bin/next", "build", "--webpack"}, publish: "out"},
		"content/parts/teaser.md content/posts/2026-01-02-second.md", ""},
	// by its manifest alone
	{generator{name: "manifest", command: []string{"@11ty/eleventy/cmd.cjs"}, publish: "_site"}, "", ""},
}

// Issue 17: what a content file states reaches every page that its generator made of it and no
// other, or a finding names the file.
func TestSources_ReachTheirPages(t *testing.T) {
	needEverything(t, "it builds ten sites")
	t.Parallel()
	table := make([]string, len(sourceSites))
	t.Cleanup(func() {
		t.Logf("%-12s %5s %9s %11s %6s\n%s", "site", "right", "announced", "unpublished", "silent",
			strings.Join(table, "\n"))
	})
	for i, site := range sourceSites {
		t.Run(site.name, func(t *testing.T) {
			t.Parallel()
			table[i] = site.count(t)
		})
	}
}

var snippet = regexp.MustCompile(`max-snippet: ?(\d+)`)

// count builds a site, applies the policy, and counts what each content file states at each of its
// pages.
func (s sourceSite) count(t *testing.T) string {
	t.Helper()
	s.dir = siteBesideModules(t)
	archive := tables.Value(txtar.ParseFile("testdata/sources/" + s.name + ".txtar"))(t)
	states := map[string]string{} // content file to number
	for _, f := range archive.Files {
		write(t, filepath.Join(s.dir, f.Name), string(f.Data))
		if m := snippet.FindSubmatch(f.Data); m != nil {
			states[f.Name] = string(m[1])
		}
	}
	s.linkModules(t)
	s.build(t)
	publish := s.published()
	made := madePages(t, s.dir, publish)

	applied := s.metarobots(t, "apply", "--json")
	s.checkSweep(t, applied)
	carried := map[string]string{} // published file to number
	for name, pg := range byFile(planned(t, applied)) {
		told := strings.Join(pg.Header, "; ")
		if path.Ext(name) == ".html" {
			told = carriedBy(t, name, read(t, publish, name)) + told
		}
		if m := snippet.FindStringSubmatch(told); m != nil {
			carried[name] = m[1]
		}
	}
	for _, name := range sortedKeys(carried) { // of what is no page, copies of pages carry it too
		if path.Ext(name) == ".html" && !slices.ContainsFunc(sortedKeys(states), func(source string) bool {
			return states[source] == carried[name] && slices.Contains(made[source], name)
		}) {
			t.Errorf("%s carries %s, which is another file's", name, carried[name])
		}
	}
	return s.hold(t, states, made, carried, isNamed(t, applied))
}

// checkSweep compares what the sweep says of the site, a line for each finding, with what is known
// to be true (N9).
func (s sourceSite) checkSweep(t *testing.T, applied result) {
	t.Helper()
	var o struct {
		Findings []struct {
			ID, File, Message string
			Line              int
		}
	}
	must(t, json.Unmarshal([]byte(applied.stdout), &o))
	var said []string
	for _, f := range o.Findings {
		if f.ID == "unaccounted" {
			said = append(said, fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message))
		}
	}
	if got := strings.Join(said, "\n"); got != s.swept {
		t.Errorf("the sweep says\n%s\nwant\n%s", got, s.swept)
	}
}

// siteBesideModules is an empty folder in generators/: Astro builds components of node_modules
// where its site has a folder in common with them.
func siteBesideModules(t *testing.T) string {
	t.Helper()
	dir := tables.Value(os.MkdirTemp("generators", "site-"))(t)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return tables.Value(filepath.Abs(dir))(t)
}

// hold compares what pages carry with what their sources state.
func (s sourceSite) hold(t *testing.T, states map[string]string, made map[string][]string, carried map[string]string,
	isNamed func(source string) bool) string {
	t.Helper()
	right, announced, unpublished, silent := 0, 0, 0, 0
	var lost []string
	for _, source := range sortedKeys(states) {
		pages := made[source]
		if len(pages) == 0 {
			unpublished++
			if !isNamed(source) {
				silent++
				t.Errorf("%s makes no page, and no finding names it", source)
			}
		}
		for _, name := range pages {
			switch {
			case carried[name] == states[source]:
				right++
				continue
			case isNamed(source):
				announced++
			default:
				silent++
				t.Errorf("%s carries %q and not %s of %s, which no finding names", name, carried[name], states[source],
					source)
			}
			lost = append(lost, source)
		}
	}
	if got := strings.Join(slices.Compact(lost), " "); got != s.announced {
		t.Errorf("announced: %q, want %q", got, s.announced)
	}
	return fmt.Sprintf("%-12s %5d %9d %11d %6d", s.name, right, announced, unpublished, silent)
}

// madePages are the published files of each content file, as truth.txt names them: by their paths,
// or by their URLs.
func madePages(t *testing.T, dir, publish string) map[string][]string {
	t.Helper()
	files := map[string]string{}
	for _, name := range regular(t, publish) {
		files[name] = ""
	}
	made := map[string][]string{}
	for line := range strings.Lines(read(t, dir, "truth.txt")) {
		source, page, _ := strings.Cut(strings.TrimSpace(line), "\t")
		source = path.Clean(strings.TrimPrefix(source, dir+"/"))
		if rest, ok := strings.CutPrefix(page, publish+"/"); ok {
			page = rest
		}
		page = strings.TrimPrefix(path.Clean(page), filepath.Base(publish)+"/")
		if strings.HasPrefix(page, "/") {
			page = fileAt(t, files, lampsOrigin+page)
		}
		if _, ok := files[page]; !ok {
			t.Errorf("%s is said to make %s, which is no file", source, page)
		}
		if !slices.Contains(made[source], page) {
			made[source] = append(made[source], page)
		}
	}
	return made
}

// isNamed tells whether a finding names a file.
func isNamed(t *testing.T, r result) func(source string) bool {
	t.Helper()
	var o struct {
		Findings []struct{ File, Message string }
	}
	must(t, json.Unmarshal([]byte(r.stdout), &o))
	return func(source string) bool {
		for _, f := range o.Findings {
			if f.File == source || strings.Contains(f.Message, source) {
				return true
			}
		}
		return false
	}
}
