package pages

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/frontmatter"
	"metarobots/internal/site"
	"metarobots/internal/tables"
	"metarobots/policy"
)

var testOptions = frontmatter.Config{Crawlers: policy.KnownCrawlers()}

// front is front matter whose statement is on line 2.
const front = "---\nrobots: noindex\n---\n"

func write(t testing.TB, root, name, text string) {
	t.Helper()
	tables.Write(t, root, map[string]string{name: text})
}

// lay writes files into a fresh folder; "a -> b" is a link.
func lay(t testing.TB, files map[string]string) (root string) {
	t.Helper()
	root = filepath.Join(t.TempDir(), "site")
	for name, text := range files {
		name, target, link := strings.Cut(name, " -> ")
		if !link {
			write(t, root, name, text)
			continue
		}
		name = filepath.Join(root, filepath.FromSlash(name))
		tables.Must(t, os.MkdirAll(filepath.Dir(name), 0o755))
		if err := os.Symlink(filepath.FromSlash(target), name); err != nil {
			t.Skip(err)
		}
	}
	return root
}

// generatorOf is the generator that a folder is taken for.
func generatorOf(root string) site.Generator {
	all := Generators()
	i := slices.IndexFunc(all, func(g site.Generator) bool { return g.Detect(root, nil) })
	if i < 0 {
		return HTML()
	}
	return all[i]
}

// walked are the published files of a site, sorted.
func walked(s site.Site) (names []string) {
	fs.WalkDir(os.DirFS(s.Settings().Publish), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, name)
		}
		return nil
	})
	slices.Sort(names)
	return names
}

// list lists the site that files make, of which public is the publish folder where no generator is
// known. published are further files, of a page without text: their names are from the site's
// folder, or behind a slash from where the generator publishes.
func list(t testing.TB, files map[string]string, o site.Options, published ...string) (*pageMap, error) {
	t.Helper()
	root := lay(t, files)
	o.Source, o.Short = root, func(file string) string {
		if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
		return file
	}
	g := generatorOf(root)
	if g == HTML() {
		o.Destination = filepath.Join(root, cmp.Or(o.Destination, "public"))
	}
	s, err := g.Open(t.Context(), o)
	if err != nil {
		return nil, err
	}
	for _, name := range published {
		in := root
		if name[0] == '/' {
			in = s.Settings().Publish
		}
		write(t, in, name, "<html><head></head>")
	}
	m, err := s.List(t.Context(), testOptions, walked(s))
	return m.(*pageMap), err
}

// laid is list without options, of a site that can be read.
func laid(t testing.TB, files map[string]string, published ...string) *pageMap {
	t.Helper()
	m := tables.Value(list(t, files, site.Options{}, published...))(t)
	return m
}

// slashed are names in the publish folder.
func slashed(names []string) (all []string) {
	for _, name := range names {
		all = append(all, "/"+name)
	}
	return all
}

// holds compares what stands behind pages, and the findings that are more than a note.
func holds(t *testing.T, m *pageMap, want map[string]string, findings ...string) {
	t.Helper()
	for name, line := range want {
		if got := strings.TrimPrefix(strings.TrimPrefix(describe(m.File(name)), name+" <"), " "); got != line {
			t.Errorf("%s\n got %s\nwant %s", name, got, line)
		}
	}
	var got []string
	for _, f := range m.Findings() {
		if f.Severity != policy.Note {
			got = append(got, brief(f))
		}
	}
	if !slices.Equal(got, findings) {
		t.Errorf("findings %q, want %q", got, findings)
	}
}

// describe prints what stands behind a file.
func describe(f site.File) string {
	line := f.Name + " <"
	if f.Source != "" {
		line += " " + f.Source
	}
	var said []string
	for _, s := range f.Page {
		at := s.Origin.File
		if s.Origin.Line > 0 {
			at += fmt.Sprintf(":%d", s.Origin.Line)
		}
		said = append(said, s.States()+" ("+at+")")
	}
	if len(said) > 0 {
		line += ": " + strings.Join(said, ", ")
	}
	return line
}

func brief(f policy.Finding) string {
	line := fmt.Sprintf("%s %s %s", f.Severity, f.ID, f.File)
	if f.Line > 0 {
		line += fmt.Sprintf(":%d", f.Line)
	}
	return line
}

func briefs(m *pageMap) (all []string) {
	for _, f := range m.Findings() {
		all = append(all, brief(f))
	}
	return all
}

// readerOf reads front matter as a generator with a dialect does.
func readerOf(d dialect) *reader {
	s := openedSite{generator: &Generator{Dialect: d}, options: site.Options{Short: strings.Clone}}
	return newReader(&s, testOptions)
}
