//go:build e2e

package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"metarobots/internal/tables"
)

// pageMetaTag is one that a template printed.
var pageMetaTag = regexp.MustCompile(`<meta (?:data-rh="true" )?name="?metarobots"?[^>]*>`)

// The snippets of docs/generators.md are those with which the sites are built.
func TestGenerators_DocumentedSnippets(t *testing.T) {
	t.Parallel()
	sections := strings.Split(read(t, "../docs/generators.md"), "\n## ")
	for _, g := range generatorSites {
		i := slices.IndexFunc(sections, func(s string) bool {
			title, _, _ := strings.Cut(s, "\n")
			return strings.EqualFold(title, g.name)
		})
		if i < 0 {
			t.Errorf("no section for %s", g.name)
			continue
		}
		var templates []string
		for _, text := range tables.Tree(t, "generators/pagemeta/"+g.name) {
			templates = append(templates, unindented(text))
		}
		snippets := 0
		manifest, _ := os.ReadFile("../internal/site/pages/manifests/" + g.name + ".txt") // it has a test of its own
		for _, block := range fenced.FindAllStringSubmatch(sections[i], -1) {
			if strings.TrimSpace(block[1]) == strings.TrimSpace(string(manifest)) {
				continue
			}
			if !strings.Contains(block[1], "source") && !strings.Contains(block[1], `name="metarobots"`) {
				continue
			}
			snippets++
			if !slices.ContainsFunc(templates,
				func(s string) bool { return strings.Contains(s, unindented(block[1])) }) {
				t.Errorf("%s: no site is built with\n%s", g.name, block[1])
			}
		}
		if snippets == 0 {
			t.Errorf("%s: no snippet with page metadata", g.name)
		}
		has(t, sections[i], "metarobots apply")
	}
}

var fenced = regexp.MustCompile("(?s)```\\w*\n(.*?)```")

// unindented is a text without the white space at the beginnings and ends of its lines.
func unindented(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

// explain asks for every row by its URL, and where a content file states something by that file:
// the answer is what apply decided, and names the statement's line (L8).
func (g generator) explain(t *testing.T, deciding map[string]published) {
	t.Helper()
	var urls, contents []string
	want := map[string]string{}
	for _, row := range g.table {
		urls = append(urls, deciding[row.name].URL)
		if row.states != "" {
			want[row.name] = row.states
			file, _, _ := strings.Cut(row.states, ":")
			if slices.Contains([]string{".md", ".markdown", ".rst", ".html"}, path.Ext(file)) {
				contents = append(contents, file)
			}
		}
	}
	r := g.run(t, append([]string{"explain", "--json"}, urls...)...)
	rows := map[string]published{}
	for _, row := range g.table {
		rows[row.name] = deciding[row.name]
	}
	sameDecisions(t, [2]string{"apply", "explain"}, rows, byFile(planned(t, r)))

	stated := func(r result) map[string][]string {
		var all struct {
			Pages []struct {
				File string
				Why  []struct {
					Layer, File string
					Line        int
				}
			}
		}
		must(t, json.Unmarshal([]byte(r.stdout), &all))
		found := map[string][]string{}
		for _, pg := range all.Pages {
			found[pg.File] = nil
			for _, w := range pg.Why {
				if w.Layer == "page" {
					found[pg.File] = append(found[pg.File], fmt.Sprintf("%s:%d", w.File, w.Line))
				}
			}
		}
		return found
	}
	for name, at := range stated(r) {
		if want[name] == "" && len(at) > 0 || want[name] != "" && !slices.Contains(at, want[name]) {
			t.Errorf("%s: stated at %q, want %q", name, at, want[name])
		}
	}
	asked := stated(g.run(t, append([]string{"explain", "--json"}, contents...)...))
	for name, at := range want {
		if file, _, _ := strings.Cut(at, ":"); slices.Contains(contents, file) && !slices.Contains(asked[name], at) {
			t.Errorf("explain %s does not lead to %s", file, name)
		}
	}
}

// carriedBy describes the tags of a page as golang.org/x/net/html reads it, a reader that shares
// nothing with ours. In the body no robots tag may stand.
func carriedBy(t *testing.T, name, page string) string {
	t.Helper()
	root := tables.Value(html.Parse(strings.NewReader(page)))(t)
	var tags []meta
	for n := range root.Descendants() {
		if n.DataAtom != atom.Meta || n.Namespace != "" {
			continue
		}
		var m meta
		for _, a := range n.Attr {
			switch a.Key {
			case "name":
				m.Name = a.Val
			case "content":
				m.Content = &a.Val
			}
		}
		tags = append(tags, m)
		if slices.Contains(robotsNames, strings.ToLower(m.Name)) && n.Parent.DataAtom != atom.Head {
			t.Errorf("%s: a tag outside the head: %v", name, m)
		}
	}
	return described(tags)
}

// cutTags is a page without its robots tags, byte for byte.
func cutTags(page string) string {
	var rest strings.Builder
	z := html.NewTokenizer(strings.NewReader(page))
	for z.Next() != html.ErrorToken {
		raw := string(z.Raw())
		token := z.Token()
		ours := func(a html.Attribute) bool {
			return a.Key == "name" && slices.Contains(robotsNames, strings.ToLower(a.Val))
		}
		if token.DataAtom != atom.Meta || !slices.ContainsFunc(token.Attr, ours) {
			rest.WriteString(raw)
		}
	}
	return rest.String()
}

// unzipped is the text of a file that may be compressed.
func unzipped(t *testing.T, name, data string) string {
	t.Helper()
	if path.Ext(name) != ".gz" {
		return data
	}
	r := tables.Value(gzip.NewReader(bytes.NewReader([]byte(data))))(t)
	text := tables.Value(io.ReadAll(r))(t)
	return string(text)
}

// fileAt is the published file that hosts serve at an address of a sitemap.
func fileAt(t *testing.T, files map[string]string, url string) string {
	t.Helper()
	name, ok := strings.CutPrefix(url, lampsOrigin+"/")
	for _, form := range []string{name, name + "index.html", name + "/index.html", name + ".html"} {
		if _, found := files[form]; found && ok {
			return form
		}
	}
	t.Errorf("a sitemap lists %s, which is no file", url)
	return ""
}
