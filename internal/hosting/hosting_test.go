package hosting_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"metarobots/internal/address"
	"metarobots/internal/hosting"
	"metarobots/internal/project"
	"metarobots/internal/site/pages"
	"metarobots/internal/tables"
)

// read reads the files of a site that is published in out, for a target.
func read(t testing.TB, target string, files map[string]string) (*hosting.Hosting, error) {
	t.Helper()
	dir := tables.Folder(t, files)
	return readFolder(t, dir, target)
}

func readFolder(t testing.TB, dir, target string) (*hosting.Hosting, error) {
	t.Helper()
	return reader(t, dir, target)()
}

// reader opens the site of a folder, and returns what reads the files of its hosts.
func reader(t testing.TB, dir, target string) func() (*hosting.Hosting, error) {
	t.Helper()
	tables.Write(t, dir, map[string]string{"out/index.html": "<!doctype html>",
		"metarobots.toml": "[site]\ngenerator = \"html\"\ndestination = \"out\"\nbaseURL = \"https://a.example/\"\n" +
			"[robots]\nheaders.targets = [\"" + target + "\"]\n"})
	ctx := context.Background()
	p := tables.Value(project.Open(ctx,
		project.Options{WorkDir: dir, Getenv: func(string) string { return "" }}, pages.HTML()))(t)
	t.Cleanup(func() { p.Close() })
	from := project.Published{Project: p}
	names := tables.Value(p.Site.List(ctx, p.Config.Robots.FrontMatter, tables.Value(from.List())(t).Names))(t)
	return func() (*hosting.Hosting, error) { return hosting.Read(p, names, from) }
}

// lines are those of a text that are not empty.
func lines(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool {
		return line == "" || strings.HasPrefix(line, "#")
	})
}

// differences are where a site answers otherwise than the engine, by the name of the case, and why.
var differences = []struct{ name, path, why string }{
	{"netlify", "^/(e%2Bf|a[be])$", "the emulator decodes no destination, and reserved characters nowhere"},
	{"pages|workers_none", "^/dbl$", "slashes that follow each other count as one"},
	{"firebase.*", "^/(404|%61%20b).html$", "the emulator sends its error page with status 404, and decodes no redirect"},
	{"azure.*", "^/([pqt]|x2)$", "the emulator knows no clean URLs, which the host's documentation has"},
}

// Rules that lead elsewhere are carried out as engines do. Each case has the files of a site, and
// what an engine answered: the file that it served with status 200, behind > where it redirected
// to, or - for 404. The published files are those of internal/address/testdata/answers, and more.
func TestHouse_RulesAreCarriedOutAsEnginesDo(t *testing.T) {
	names := lines(string(tables.Value(os.ReadFile("../address/testdata/answers/files.txt"))(t)))
	compared, open, why := 0, 0, map[string]int{}
	for _, name := range tables.Value(filepath.Glob("testdata/engines/*.txtar"))(t) {
		a := tables.Value(txtar.ParseFile(name))(t)
		_, target, _ := strings.Cut(strings.TrimSpace(string(a.Comment)), "target: ")
		published, answers, files := slices.Clone(names), "", map[string]string{}
		for _, f := range a.Files {
			switch f.Name {
			case "published":
				published = append(published, lines(string(f.Data))...)
			case "answers":
				answers = string(f.Data)
			default:
				files[f.Name] = string(f.Data)
			}
		}
		h := tables.Value(read(t, target, files))(t)
		s := h.Sites(published)[""]
		for _, line := range lines(answers) {
			path, want, _ := strings.Cut(line, "\t")
			compared++
			var got []string
			for _, answer := range s.At(path) {
				got = append(got, cell(answer))
			}
			byRule := func(o address.Open) bool { return o.Route != nil }
			if got[0] == want || slices.Contains(got, want) && want[0] != '-' {
				continue
			} else if slices.Contains(published, want) && slices.ContainsFunc(s.Opens(want), byRule) {
				open++ // it is known that the paths of a rule are not
				continue
			}
			if i := slices.IndexFunc(differences, func(d struct{ name, path, why string }) bool {
				return regexp.MustCompile("^(?:"+d.name+")$").MatchString(strings.TrimSuffix(filepath.Base(name), ".txtar")) &&
					regexp.MustCompile(d.path).MatchString(path)
			}); i >= 0 {
				why[differences[i].why]++
			} else {
				t.Errorf("%s: %s: %q, want %s", filepath.Base(name), path, got, want)
			}
		}
	}
	t.Logf("%d answers compared, %d by rules whose paths cannot be listed", compared, open)
	for _, d := range differences {
		if t.Logf("%d differ: %s", why[d.why], d.why); why[d.why] == 0 {
			t.Errorf("no longer differs: %s", d.why)
		}
	}
}

func cell(a address.Address) string {
	switch {
	case a.Serves():
		return a.File
	case a.To != "":
		return ">" + a.To
	}
	return "-"
}
