package pages

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"metarobots/internal/site"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// A fixture is a site of one generator: its sources, what is published of it, and what is to be
// found.
type fixture struct {
	name            string
	files           map[string]string
	content         *site.Content
	published, want []string // want: of each page its content file and the statements there, and what is found
}

func readFixture(t testing.TB, file string) *fixture {
	t.Helper()
	a := tables.Value(txtar.ParseFile(file))(t)
	return fixtureOf(t, strings.TrimSuffix(filepath.Base(file), ".txtar"), a.Files)
}

// fixtureOf is a fixture of files. The sections published, content and want are none of its site.
func fixtureOf(t testing.TB, name string, files []txtar.File) *fixture {
	t.Helper()
	x := &fixture{name: name, files: map[string]string{}}
	sections := map[string]*[]string{"published": &x.published, "want": &x.want, "content": new([]string)}
	for _, f := range files {
		if lines := sections[f.Name]; lines != nil {
			*lines = strings.FieldsFunc(string(f.Data), func(r rune) bool { return r == '\n' })
		} else {
			x.files[f.Name] = string(f.Data)
		}
	}
	for _, line := range *sections["content"] {
		if x.content == nil {
			x.content = &site.Content{Permalinks: map[string]string{}}
		}
		switch key, value, _ := strings.Cut(line, " "); key {
		case "exclude":
			x.content.Exclude = append(x.content.Exclude, globs("", value)...)
		case "folders":
			x.content.Folders = append(x.content.Folders, value)
		case "fallback":
			x.content.Fallback = true
		case "pattern":
			x.content.Pattern = value
		case "permalinks":
			dir, url, _ := strings.Cut(value, " = ")
			x.content.Permalinks[dir] = url
		default:
			t.Fatalf("%s: %q", name, line)
		}
	}
	return x
}

// Small sites: what stands behind their pages, and what is found. Each file of testdata/cases says
// what its sites hold and by which document, has the files that all of them have, and one site in
// txtar below each line that begins with ===.
func TestGenerators_SmallSites(t *testing.T) {
	names, err := filepath.Glob("testdata/cases/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data := tables.Value(os.ReadFile(name))(t)
		sites := strings.Split(string(data), "\n=== ")
		for _, text := range sites[1:] {
			title, text, _ := strings.Cut(text, "\n")
			title = strings.TrimSuffix(filepath.Base(name), ".txt") + "/" + title
			t.Run(title, func(t *testing.T) {
				files := append(txtar.Parse([]byte(sites[0]+"\n")).Files, txtar.Parse([]byte(text)).Files...)
				fixtureOf(t, title, files).check(t)
			})
		}
	}
}

// check opens a site and compares what is found with what is wanted.
func (x *fixture) check(t *testing.T) *pageMap {
	t.Helper()
	m, err := x.open(t, x.published)
	if got, want := description(m, err), strings.Join(x.want, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	return m
}

// description says what stands behind every page, and other files with content, and what is found.
func description(m *pageMap, err error) string {
	var all, findings []string
	if err != nil {
		all = strings.Split(err.Error(), "\n")
	}
	for _, name := range m.published.names {
		if f := m.File(name); f.HTML || f.Source != "" || len(f.Page) > 0 {
			line := describe(f)
			if f.Pager > 1 {
				line += fmt.Sprintf(" (pager %d of %s)", f.Pager, f.Of.Path.File)
			}
			all = append(all, line)
		}
	}
	for _, f := range m.Findings() {
		line := brief(f)
		if f.ID == "config-computed" {
			set, _, _ := strings.Cut(f.Text(), ": set by code")
			line += ": " + strings.ReplaceAll(set, " in "+f.File, "")
		}
		findings = append(findings, line)
	}
	slices.Sort(findings)
	return strings.Join(append(all, findings...), "\n")
}

// open publishes pages, at the place where the generator puts them, and lists the site.
func (x *fixture) open(t testing.TB, published []string) (*pageMap, error) {
	t.Helper()
	return list(t, x.files, site.Options{Content: x.content, Now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)},
		slashed(published)...)
}

func fixtures(t testing.TB) (all []*fixture) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) != len(Generators()) {
		t.Fatalf("%d fixtures, %v", len(files), err)
	}
	for _, file := range files {
		all = append(all, readFixture(t, file))
	}
	return all
}

// Which content file stands behind each page, what it states and where, and which were not found:
// written by hand from the documentation that each fixture names.
func TestGenerators_ContentBehindPages(t *testing.T) {
	for _, x := range fixtures(t) {
		t.Run(x.name, func(t *testing.T) {
			m := x.check(t)
			if got := m.reader.site.generator.Name(); got != x.name {
				t.Errorf("taken for a site of %s", got)
			}
			if site.IsHugo(m.reader.site.options.Source, nil, nil) { // which is asked before all others
				t.Error("taken for a site of Hugo")
			}
		})
	}
}

// Whatever of a site is published: every statement that was read is that of a published file, or
// stands in a file that is named in a finding; the files without any are counted in one note (M8i).
func TestHouse_NoStatementIsLost(t *testing.T) {
	for _, x := range fixtures(t) {
		read, _ := x.open(t, x.published)
		rapid.Check(t, func(rt *rapid.T) {
			var published []string
			for _, name := range x.published {
				if rapid.IntRange(0, 3).Draw(rt, name) > 0 {
					published = append(published, name)
				}
			}
			of := *read.reader.site
			of.translations.fallback = rapid.Bool().Draw(rt, "fallback")
			m := newPageMap(newReader(&of, testOptions), published)
			m.reader.sources = read.reader.sources
			for _, c := range read.content {
				again := *c
				again.made.names = nil
				m.content = append(m.content, &again)
			}
			m.matchContent()
			findings := m.Findings()
			notes, silent := 0, 0
			for _, f := range findings {
				if f.ID == "no-page" && f.Severity == policy.Note {
					notes++
				}
			}
			for _, c := range m.content {
				taken := 0
				for _, name := range published {
					f := m.File(name)
					has := !slices.ContainsFunc(c.statements,
						func(s policy.Statement) bool { return !slices.Contains(f.Page, s) })
					if slices.Contains(m.behind[name], c) && (has || !f.HTML) {
						taken++
					}
				}
				named := slices.ContainsFunc(findings, func(f policy.Finding) bool {
					return f.ID == "no-page" && (f.File == c.file && strings.HasPrefix(f.Text(), "this file says") ||
						strings.Contains(f.Text(), c.file))
				})
				switch {
				case taken > 0:
				case len(c.statements) == 0:
					silent++
				case !named:
					rt.Errorf("%s: %s with %v published: its statements are lost", x.name, c.file, published)
				case c.unpublished:
					silent++
				}
			}
			if notes != min(1, silent) {
				rt.Errorf("%s: %d notes for %d files", x.name, notes, silent)
			}
		})
	}
}

// Of a folder that no generator's own files tell, nothing is guessed; Hexo and Jekyll have one
// configuration's name.
func TestGenerators_AreRecognizedByTheirFiles(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/recognized.txt") {
		root := t.TempDir()
		for name := range strings.FieldsSeq(c["files"]) {
			name, text, ok := strings.Cut(name, ":")
			switch {
			case name == "hexo":
				name, text = "package.json", `{"dependencies":{"hexo":"8"}}`
			case !ok:
				text = "{}"
			}
			text = strings.ReplaceAll(text, "_", " ")
			write(t, root, name, text)
		}
		if got := generatorOf(root).Name(); got != c["generator"] {
			t.Errorf("%s: %q, want %q", c["files"], got, c["generator"])
		}
	}
}

// A configuration that cannot be read is the user's to mend.
func TestHouse_FaultyConfigurationIsAnError(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"mkdocs.yml", "a: [", "mkdocs.yml:1: "},
		{"_config.toml", "a = ", "_config.toml:1: "},
	} {
		files := map[string]string{c.file: c.text, "_posts/2026-01-01-x.md": ""}
		if _, err := list(t, files, site.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.file, err, c.want)
		}
	}
}

// The configuration's address, as far as it is literal.
func TestGenerators_AddressIsThatOfTheConfiguration(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/addresses.txt") {
		root := t.TempDir()
		write(t, root, c["file"], c["text"])
		write(t, root, path.Join(c["publish"], "index.html"), "")
		for _, g := range Generators() {
			if g.Detect(root, nil) {
				s, err := g.Open(context.Background(), site.Options{Source: root, Short: strings.Clone})
				if err != nil {
					t.Fatalf("%s: %v", c["file"], err)
				}
				settings := s.Settings()
				if settings.BaseURL != c["address"] || settings.Publish != filepath.Join(root,
					filepath.FromSlash(c["publish"])) || settings.State == "" {
					t.Errorf("%s: %s: %+v", c["file"], c["text"], settings)
				}
				want := policy.Severity(policy.Note)
				if strings.Contains(c["text"], "where()") {
					want = policy.Warning // content may lie elsewhere
				}
				m := tables.Value(s.List(t.Context(), testOptions, []string{"a.html"}))(t)
				found := m.Findings()
				if computed := len(found) == 1; computed != strings.Contains(c["text"], "()") || computed &&
					found[0].Severity != want {
					t.Errorf("%s: %s: %v", c["file"], c["text"], found)
				}
			}
		}
	}
}
