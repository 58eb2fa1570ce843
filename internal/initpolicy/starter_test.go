package initpolicy_test

import (
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"metarobots/internal/initpolicy"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/result"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
	"metarobots/internal/write"
	"metarobots/policy"
)

// A fixture is a site on the disk whose pages lie in a folder.
type fixture struct {
	dir, publish string
	named        bool
	broken       bool // its content cannot be read, which is another test's
}

// faulty are expectations in which something cannot be read: guide.md:2: …
var faulty = regexp.MustCompile(`(?m)^[^ ]+:\d+: `)

// readFixture writes a site of an archive into a fresh folder. The section published lists pages;
// nothing but the name matters; the other sections of site/pages's tests are no files.
func readFixture(t testing.TB, file string) *fixture {
	t.Helper()
	a := tables.Value(txtar.ParseFile(file))(t)
	x := &fixture{dir: t.TempDir()}
	for _, f := range a.Files {
		switch f.Name {
		case "published":
			x.publish, x.named = "_published", true
			for _, name := range strings.FieldsFunc(string(f.Data), func(r rune) bool { return r == '\n' }) {
				x.write(t, "_published/"+name, "<html><head></head>")
			}
		case "want":
			x.broken = faulty.Match(f.Data)
		case "content":
		default:
			x.write(t, f.Name, string(f.Data))
		}
	}
	return x
}

func (x *fixture) write(t testing.TB, name, text string) {
	t.Helper()
	tables.Write(t, x.dir, map[string]string{name: text})
}

// look opens the site and plans it; the publish folder is named where the site has no policy that
// does.
func (x *fixture) look(t testing.TB, publish string) (*project.Project, *plan.Plan, error) {
	t.Helper()
	generators := pages.Generators()
	p, err := project.Open(context.Background(), project.Options{WorkDir: x.dir, Dir: publish, Now: "2026-01-01",
		Getenv: func(string) string { return "" }, Generator: project.GeneratorOptions{Log: io.Discard}}, generators...)
	if err != nil {
		return nil, nil, err
	}
	t.Cleanup(func() { p.Close() })
	plan, _, err := write.Look(context.Background(), p)
	return p, plan, err
}

// starter makes the first policy.
func (x *fixture) starter(t testing.TB) (*initpolicy.Starter, *plan.Plan) {
	t.Helper()
	_, plan, err := x.look(t, x.publish)
	tables.Must(t, err)
	s := tables.Value(initpolicy.New(context.Background(), plan, filepath.Join(x.dir, "metarobots.toml"), x.named))(t)
	return s, plan
}

// with plans the site with a policy file, whose publish folder nobody names but the policy.
func (x *fixture) with(t testing.TB, text []byte) *plan.Plan {
	t.Helper()
	file := filepath.Join(x.dir, "metarobots.toml")
	tables.Must(t, os.WriteFile(file, text, 0o644))
	defer os.Remove(file)
	_, plan, err := x.look(t, "")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return plan
}

// hidden are the files that are noindex.
func hidden(plan *plan.Plan) map[string]bool {
	names := map[string]bool{}
	for _, pg := range plan.Pages {
		if pg.Decision.NoIndex() {
			names[pg.File.Name] = true
		}
	}
	return names
}

// decided are all decisions, as they are printed.
func decided(plan *plan.Plan) map[string]string {
	all := map[string]string{}
	for _, pg := range plan.Pages {
		if !pg.File.Role.Policed() {
			continue
		}
		var text []string
		for _, tag := range pg.Decision.Texts(policy.Style{}) {
			text = append(text, tag.Name+": "+tag.Content)
		}
		all[pg.File.Name] = strings.Join(text, "; ")
	}
	return all
}

// A block is a suggestion as it is in the file: the lines behind # and how many files it says that
// it hides.
type block struct {
	first, last int // lines
	says        int
}

var saysHow = regexp.MustCompile(`^# (\d+) (?:page|file)s?: `)

// hidesNothing are suggestions that take no page out of an index.
var hidesNothing = regexp.MustCompile(`^#(?:targets|ai\.training|productionBranch|noindex = 0|allow = true)`)

// blocks reads the suggestions out of the text of a policy, as a reader of the file would.
func blocks(t testing.TB, lines []string) (all []block) {
	t.Helper()
	says := -1
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if m := saysHow.FindStringSubmatch(line); m != nil {
			says, _ = strconv.Atoi(m[1])
		}
		if len(line) < 2 || line[0] != '#' || line[1] == ' ' {
			continue
		}
		b := block{first: i, last: i, says: says}
		if strings.HasPrefix(line, "#[[") {
			for b.last+1 < len(lines) && strings.HasPrefix(lines[b.last+1], "#") {
				b.last++
			}
		}
		if b.says < 0 && !hidesNothing.MatchString(line) {
			t.Errorf("%q does not say how many pages it hides", line)
		}
		all = append(all, b)
		i, says = b.last, -1
	}
	return all
}

// take frees suggestions of their #.
func take(lines []string, taken ...block) []byte {
	lines = slices.Clone(lines)
	for _, b := range taken {
		for i := b.first; i <= b.last; i++ {
			lines[i] = lines[i][1:]
		}
	}
	return []byte(strings.Join(lines, "\n"))
}

// The law of init: the policy as it is hides nothing and shows nothing; each suggestion hides as
// many files as the file says, and taken together they are valid.
func law(t *testing.T, x *fixture) {
	s, before := x.starter(t)
	text := s.Text(false)
	if again, _ := x.starter(t); !bytes.Equal(text, again.Text(false)) {
		t.Errorf("another run makes another policy:\n%s\n%s", text, again.Text(false))
	}
	after := x.with(t, text)
	want, got := decided(before), decided(after)
	for _, pg := range s.Served {
		delete(want, pg.File.Name)
		delete(got, pg.File.Name)
	}
	if !maps.Equal(want, got) {
		t.Errorf("the policy decides\n%v\nwithout it there was\n%v\n%s", got, want, text)
	}
	lines := strings.Split(string(text), "\n")
	all := blocks(t, lines)
	counted := 0
	for _, b := range all {
		hides := hidden(x.with(t, take(lines, b)))
		maps.DeleteFunc(hides, func(name string, _ bool) bool { return hidden(after)[name] })
		if b.says >= 0 {
			counted++
			if len(hides) != b.says {
				t.Errorf("%s hides %d files, not %d: %v", strings.Join(lines[b.first:b.last+1], "\n"), len(hides),
					b.says, slices.Sorted(maps.Keys(hides)))
			}
			if b.says == 0 {
				t.Errorf("%s hides nothing", lines[b.first])
			}
		} else if len(hides) > 0 {
			t.Errorf("%s hides %v and does not say so", lines[b.first], slices.Sorted(maps.Keys(hides)))
		}
	}
	if counted != len(s.Suggestions) {
		t.Errorf("%d suggestions in the file, not %d:\n%s", counted, len(s.Suggestions), text)
	}
	together := result.New(x.with(t, s.Text(true)), nil, 0, nil).Summary
	if got := (initpolicy.Tally{Indexable: together.Indexable, Noindex: together.Noindex}); got != s.All {
		t.Errorf("all together: %v, not %v", got, s.All)
	}
	if got := (initpolicy.Tally{Indexable: result.New(after, nil, 0, nil).Summary.Indexable,
		Noindex: result.New(after, nil, 0, nil).Summary.Noindex}); got != s.Applied {
		t.Errorf("as it stands: %v, not %v", got, s.Applied)
	}
}

// X20.
func TestHouse_FirstPolicyHidesNothing(t *testing.T) {
	var files []string
	for _, pattern := range []string{"testdata/*.txtar", "../site/pages/testdata/*.txtar"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		t.Run(filepath.ToSlash(file), func(t *testing.T) {
			x := readFixture(t, file)
			if x.broken {
				t.Skip("its content cannot be read")
			}
			law(t, x)
		})
	}
}

// #26: a name is one at the root of the site, and nothing that takes more than a third of the pages is suggested.
func TestHouse_SuggestionsNeedTheWholeNameAndLeaveMostPages(t *testing.T) {
	x := readFixture(t, "testdata/names.txtar")
	x.write(t, "_config.yml", "title: Boats\n") // Jekyll knows sections
	s, _ := x.starter(t)
	var names []string
	for _, g := range s.Suggestions {
		names = append(names, g.Name)
	}
	if want := []string{"rule /imprint/", "rule /search/"}; !slices.Equal(names, want) {
		t.Errorf("suggested %q, want %q", names, want)
	}
	for _, name := range []string{"e", "f", "g", "h"} { // with more pages drafts are a part of them
		x.write(t, "_published/"+name+"/index.html", "<html><head></head>")
	}
	s, _ = x.starter(t)
	if !slices.ContainsFunc(s.Suggestions, func(g *initpolicy.Suggestion) bool { return g.Name == "sections.drafts" }) {
		t.Errorf("drafts are not suggested: %s", s.Text(false))
	}
}

// Data of a search whose names have the time of the build are suggested by a glob, which holds for
// the next build.
func TestHouse_SearchDataOfTheNextBuildIsSuggested(t *testing.T) {
	x := &fixture{dir: t.TempDir(), publish: "public", named: true}
	x.write(t, "public/index.html", "<html><head></head>")
	for _, name := range []string{"lunr-index.json", "search-doc.json", "lunr-index-1795964932025.json",
		"search-doc-1795964932025.json", "de/lunr-index-1795964932025.json", "data-1795964932025.json"} {
		x.write(t, "public/"+name, "{}")
	}
	s, _ := x.starter(t)
	const want = `#  "/de/lunr-index-*.json",
#  "/lunr-index-*.json",
#  "/lunr-index.json",
#  "/search-doc-*.json",
#  "/search-doc.json",
#]`
	if text := string(s.Text(false)); !strings.Contains(text, want) {
		t.Errorf("want %s in\n%s", want, text)
	}
}

// #26: a publish folder outside the site is not named by the policy, which others build elsewhere.
func TestHouse_NoPathOutsideTheSite(t *testing.T) {
	x := readFixture(t, "testdata/names.txtar")
	elsewhere := t.TempDir()
	tables.Must(t, os.WriteFile(filepath.Join(elsewhere, "index.html"), []byte("<html><head></head>"), 0o644))
	x.publish = elsewhere
	if s, _ := x.starter(t); bytes.Contains(s.Text(false), []byte(filepath.Base(elsewhere))) {
		t.Errorf("%s", s.Text(false))
	}
}

// H7, H8d: twins of pages and lists of pages for language models are suggested where they are
// published.
func TestHouse_TwinsAndListsForLanguageModelsAreSuggested(t *testing.T) {
	s, _ := readFixture(t, "testdata/twins.txtar").starter(t)
	got := map[string]string{}
	for _, g := range s.Suggestions {
		got[g.Name] = g.Hides.Addresses(0)
	}
	if want := map[string]string{"rule /imprint/": "/imprint.md /imprint/", "twins": "/a.md /b/index.txt /c.txt /imprint.md " +
		"/index.md", "rule /llms-full.txt and 1 more": "/llms-full.txt /llms.txt"}; !maps.Equal(got, want) {
		t.Errorf("suggested %v, want %v\n%s", got, want, s.Text(false))
	}
}

// S3c: where so many pages are noindex already that the guard would end the next run, init says so,
// with the share.
func TestHouse_FirstPolicyNamesTheShareOfTheGuard(t *testing.T) {
	const noindex = "<html><head><meta name=robots content=noindex></head>"
	for hidden, want := range map[int]string{1: "", 3: "#noindex = 0.76\n", 4: "#allow = true\n"} {
		x := &fixture{dir: t.TempDir(), publish: "public", named: true}
		for i, name := range []string{"a", "b", "c", "index"} {
			text := "<html><head></head>"
			if i < hidden {
				text = noindex
			}
			x.write(t, "public/"+name+".html", text)
		}
		s, _ := x.starter(t)
		if text := string(s.Text(false)); (want != "") != strings.Contains(text, "[robots.guard]\n"+want) ||
			want == "" && strings.Contains(text, "guard") {
			t.Errorf("%d of 4:\n%s", hidden, text)
		}
	}
}
