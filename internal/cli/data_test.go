package cli

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/result"
	"metarobots/internal/site"
	"metarobots/internal/site/hugo/family"
	"metarobots/internal/tables"
)

// silent is a policy that says nothing.
const silent = `[robots]
default = ""
guard.noindex = 1.0
[robots.frontmatter]
robots = "ignore"
`

// In every site of the family, templates print from the data what a build writes into the same
// pages, pagers and other outputs included. With PROOFS=all, else in every second one.
func TestData_TemplatesPrintWhatBuildWrites(t *testing.T) {
	cleanHugo(t)
	tags := tables.Value(os.ReadFile("hugo/layouts/partials/metarobots/tags.html"))(t)
	previewed := tables.Value(os.ReadFile("internal/cli/testdata/previewed.toml"))(t)
	var pages, untold int
	for i, s := range family.Sites(t) {
		if i%2 != 0 && !allProofs {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			work := t.TempDir()
			build := func(name string, s family.Site, policy string) (dir string, b *result.Result) {
				dir = filepath.Join(work, name)
				file := filepath.Join(work, name+".toml")
				tables.Write(t, dir, s.Files)
				writeFile(t, file, policy)
				return dir, runJSON(t, "-s", dir, "-d", "published", "--policy", file)
			}
			written, b := build("written", s, string(previewed))
			succeed(t, "data", "-s", written, "--policy", written+".toml", "-o", filepath.Join(work, "data.json"))
			data := tables.Value(os.ReadFile(filepath.Join(work, "data.json")))(t)
			speaking := family.Site{Files: maps.Clone(s.Files)}
			for name, text := range s.Files {
				i := strings.LastIndex(text, "<head>")
				if i >= 0 && strings.Contains(name, "layouts/") && !strings.Contains(name, "partials/") {
					i += len("<head>")
					speaking.Files[name] = text[:i] + call(name, text) + text[i:]
				}
			}
			speaking.Files["layouts/_partials/metarobots/tags.html"] = string(tags)
			speaking.Files["data/metarobots.json"] = string(data)
			printed, _ := build("printed", speaking, silent)
			for _, pg := range b.Pages {
				if pg.Kind == "" || len(pg.Meta) == 0 || !site.IsHTML(pg.File) {
					continue // no page, or one that is no whole document, whose tag nobody writes (M5)
				}
				stand := headMetas(t, filepath.Join(written, "published", filepath.FromSlash(pg.File)))
				got := headMetas(t, filepath.Join(printed, "published", filepath.FromSlash(pg.File)))
				if len(got) == 0 && strings.ContainsAny(pg.File, "%#?") {
					untold++ // from such a page's link nobody knows its file
					continue
				}
				if !slices.Equal(got, stand) {
					t.Errorf("%s: printed %q, written %q", pg.File, got, stand)
				}
				pages++
			}
		})
	}
	if pages < 500 || allProofs && pages < 1000 || untold > 20 {
		t.Errorf("%d pages compared, %d left out: where are the others?", pages, untold)
	}
	t.Logf("%d sites, %d pages, %d untold", len(family.Sites(t)), pages, untold)
}

// call is how a layout of the family calls the partial: its name has the output format, and a list
// is divided by whoever says Paginate.
func call(name, text string) string {
	format := ""
	if parts := strings.Split(path.Base(name), "."); len(parts) > 2 {
		format = parts[len(parts)-2]
	}
	pager := ""
	if strings.Contains(text, ".Paginate") {
		pager = "{{ if not .IsPage }}{{ $pager = .Paginator }}{{ end }}"
	}
	return fmt.Sprintf(`{{ $pager := false }}%s{{ partial "metarobots/tags.html" (dict "page" . "format" %q "pager" $pager) }}`, pager, format)
}
