package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/html"

	"metarobots/internal/tables"
)

// siteExample copies site-example and its policy to a folder, goes there and returns what --json prints for a build.
func siteExample(t *testing.T) jsonResult {
	dir := t.TempDir()
	config, err := os.ReadFile("config.toml")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "config.toml"), config, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	copyTree(t, "site-example", filepath.Join(dir, "site-example"))
	cleanHugo(t)
	t.Chdir(dir)
	return runJSON(t, "-d", "../public")
}

// cleanHugo takes away the variables that Hugo reads itself and gives it a cache of its own.
func cleanHugo(t *testing.T) {
	needsHugo(t)
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "HUGO") {
			t.Setenv(name, "") // so that it comes back
			os.Unsetenv(name)
		}
	}
	t.Setenv("HUGO_CACHEDIR", t.TempDir())
}

// writeFile writes a file and the folders above it.
func writeFile[T string | []byte](t *testing.T, name string, data T) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err == nil {
		err = os.WriteFile(name, []byte(data), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func noVariables(string) string { return "" }

// copyTree copies a site without what a build has made in it.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := os.CopyFS(to, os.DirFS(from))
	for _, name := range []string{"public", "resources", ".hugo_build.lock"} {
		if err == nil {
			err = os.RemoveAll(filepath.Join(to, name))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// jsonResult is what --json prints, as far as the tests read it.
type jsonResult struct {
	Pages []struct {
		URL, File, Kind string
		Meta            map[string]string
		Header          []string
		Why             []why
	}
	Findings []struct {
		ID, Severity, URL, File, Message string
		Line                             int
	}
	Summary struct{ Files, Changed, Tags int }
}

type why struct {
	Layer, File, Key, States string
	Line                     int
}

// runJSON runs the command with --json and reads what it prints; no host and no variable of Hugo's is around.
func runJSON(t *testing.T, args ...string) (b jsonResult) {
	t.Helper()
	stdout, stderr, code := runCommand(t, append(args, "--json")...)
	if code != 0 {
		t.Fatalf("metarobots %s: exit code %d\n%s", strings.Join(args, " "), code, stderr)
	}
	d := json.NewDecoder(strings.NewReader(stdout))
	if err := d.Decode(&b); err != nil {
		t.Fatal(err)
	}
	return b
}

func runCommand(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return runWith(context.Background(), "", args...)
}

// runWith runs the command with a variable, "NAME=value", or none.
func runWith(ctx context.Context, variable string, args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	code = run(ctx, args, &out, &errs, func(name string) string {
		if value, ok := strings.CutPrefix(variable, name+"="); ok {
			return value
		}
		return ""
	})
	return out.String(), errs.String(), code
}

// expected is a paragraph of testdata/site-example.txt, whose head explains it.
type expected struct {
	line            int
	file, url, kind string
	metas, header   []string
}

func readTable(t *testing.T) []expected {
	t.Helper()
	const name = "internal/cli/testdata/site-example.txt"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var table []expected
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, _ := strings.Cut(line, " ")
		if key == "file" {
			table = append(table, expected{line: i + 1, file: value})
			continue
		}
		if len(table) == 0 {
			t.Fatalf("%s:%d: %q before a file", name, i+1, line)
		}
		e := &table[len(table)-1]
		switch key {
		case "url":
			e.url = value
		case "kind":
			if value != "-" {
				e.kind = value
			}
		case "role": // said for the reader
		case "meta":
			e.metas = append(e.metas, value)
		case "header":
			e.header = append(e.header, value)
		default:
			t.Fatalf("%s:%d: unknown key %q", name, i+1, key)
		}
	}
	return table
}

// TestSiteExample_EveryPublishedFile compares every file of a build, what is told of it and what stands in it, with
// the table that was written by hand.
func TestSiteExample_EveryPublishedFile(t *testing.T) {
	table := readTable(t)
	b := siteExample(t)
	told := map[string]int{}
	for i, pg := range b.Pages {
		told[pg.File] = i
	}
	for _, want := range table {
		at := fmt.Sprintf("site-example.txt:%d: %s", want.line, want.file)
		i, ok := told[want.file]
		if !ok {
			t.Errorf("%s: --json does not tell of it", at)
			continue
		}
		delete(told, want.file)
		got := b.Pages[i]
		if got.URL != want.url {
			t.Errorf("%s: url %s, want %s", at, got.URL, want.url)
		}
		if got.Kind != want.kind {
			t.Errorf("%s: kind %q, want %q", at, got.Kind, want.kind)
		}
		var metas []string
		for _, name := range slices.Sorted(maps.Keys(got.Meta)) {
			metas = append(metas, name+": "+got.Meta[name])
		}
		wantMetas := slices.Sorted(slices.Values(want.metas))
		if !slices.Equal(metas, wantMetas) {
			t.Errorf("%s: meta\n\tgot  %q\n\twant %q", at, metas, wantMetas)
		}
		if !slices.Equal(got.Header, want.header) {
			t.Errorf("%s: header\n\tgot  %q\n\twant %q", at, got.Header, want.header)
		}
		if strings.HasSuffix(want.file, ".html") {
			if stand := headMetas(t, filepath.Join("public", filepath.FromSlash(want.file))); !slices.Equal(stand,
				want.metas) {
				t.Errorf("%s: in the file's head\n\tgot  %q\n\twant %q", at, stand, want.metas)
			}
		}
	}
	for file := range told {
		t.Errorf("%s: published, and not in the table", file)
	}
	if b.Summary.Files != len(table) {
		t.Errorf("summary: %d files, want %d", b.Summary.Files, len(table))
	}

	var published []string
	filepath.WalkDir("public", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			published = append(published, strings.TrimPrefix(filepath.ToSlash(file), "public/"))
		}
		return err
	})
	for _, file := range published {
		if !slices.ContainsFunc(table, func(e expected) bool { return e.file == file }) {
			t.Errorf("public/%s: on the disk, and not in the table", file)
		}
	}
	if len(published) != len(table) {
		t.Errorf("%d files on the disk, %d in the table", len(published), len(table))
	}
}

// headMetas returns the robots and crawler metas in the head of a file as the HTML standard reads it, as "name:
// content", in their order. One in the body fails the test.
func headMetas(t *testing.T, file string) (metas []string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer f.Close()
	doc, err := html.Parse(f)
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return nil
	}
	// The crawlers that site-example speaks of, and those that tags are commonly written for.
	crawlers := []string{"robots", "googlebot", "googlebot-news", "googlebot-image", "bingbot", "yandex", "florabot"}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "meta" {
			continue
		}
		name, content := "", ""
		for _, a := range n.Attr {
			switch a.Key {
			case "name":
				name = strings.ToLower(strings.TrimSpace(a.Val))
			case "content":
				content = a.Val
			}
		}
		if !slices.Contains(crawlers, name) {
			continue
		}
		if n.Parent.Data != "head" {
			t.Errorf("%s: <meta name=%q> stands in %s", file, name, n.Parent.Data)
		}
		metas = append(metas, name+": "+content)
	}
	return metas
}

// TestSiteExample_ExplainNamesPlaces reads the place of every statement and looks for its key there (L8).
func TestSiteExample_ExplainNamesPlaces(t *testing.T) {
	b := siteExample(t)
	layers := map[string]int{}
	for _, pg := range b.Pages {
		for _, w := range pg.Why {
			layers[w.Layer]++
			if w.Layer == "default" && w.Key == "robots.default" && w.File == "" {
				continue // built in: the policy file leaves it as it is
			}
			if w.File == "" || w.Line <= 0 {
				t.Errorf("%s: %s %s (%s): no place: file %q, line %d", pg.File, w.Layer, w.Key, w.States, w.File,
					w.Line)
				continue
			}
			data, err := os.ReadFile(w.File)
			if err != nil {
				t.Errorf("%s: %s %s: %v", pg.File, w.Layer, w.Key, err)
				continue
			}
			lines := strings.Split(string(data), "\n")
			if w.Line > len(lines) {
				t.Errorf("%s: %s %s: %s has no line %d", pg.File, w.Layer, w.Key, w.File, w.Line)
				continue
			}
			if line := lines[w.Line-1]; !holdsKey(line, w) {
				t.Errorf("%s: %s %s: %s:%d does not hold it: %s", pg.File, w.Layer, w.Key, w.File, w.Line, line)
			}
		}
	}
	for _, layer := range []string{"default", "visibility", "rule", "page", "found"} {
		if layers[layer] == 0 {
			t.Errorf("no statement of layer %s: the example shows every layer", layer)
		}
	}
}

// holdsKey reports whether a line of a source is the one where a statement stands.
func holdsKey(line string, w why) bool {
	line = strings.ToLower(line)
	key := strings.ToLower(w.Key)
	if name, ok := strings.CutPrefix(key, "meta "); ok {
		return strings.Contains(line, "<meta") && strings.Contains(line, name)
	}
	key, _, _ = strings.Cut(key, " (") // of a rule, its number
	last := key[strings.LastIndex(key, ".")+1:]
	return strings.Contains(line, last) || strings.Contains(line, w.States) // an item of a list
}

// Issue 6: a second configuration of site-example goes wrong on purpose, and says so in its own comments.
func TestSiteExample_FindingsOnPurpose(t *testing.T) {
	siteExample(t)
	stdout, _, code := runCommand(t, "-n", "--json", "--policy", "site-example/findings.toml", "-d", "../other")
	if code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	var r jsonResult
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, f := range r.Findings {
		got[f.ID] = true
	}
	want := []string{"deprecated", "hreflang-to-noindex", "no-header", "nofollow-for-noindex",
		"robotstxt-hides-noindex", "selects-nothing", "sitemap-lists-noindex", "theme-adds"}
	if ids := slices.Sorted(maps.Keys(got)); !slices.Equal(ids, want) {
		t.Errorf("findings %q, want %q", ids, want)
	}
}

func TestSiteExample_SecondRunUnchanged(t *testing.T) {
	first := siteExample(t)
	if first.Summary.Changed == 0 {
		t.Error("the first run changed nothing")
	}
	before := tables.Tree(t, "public")
	for name := range before {
		if err := os.Chtimes(filepath.Join("public", name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	second := runJSON(t, "-d", "../public")
	if second.Summary.Changed != 0 {
		t.Errorf("the second run changed %d pages", second.Summary.Changed)
	}
	after := tables.Tree(t, "public")
	for name, data := range before {
		if after[name] != data {
			t.Errorf("%s: other bytes after the second run", name)
		}
		info, err := os.Stat(filepath.Join("public", name))
		if err != nil {
			t.Error(err)
		} else if ours := path.Ext(name) == ".html" || name == "_headers"; ours && !info.ModTime().Equal(old) {
			t.Errorf("%s: written again by the second run", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d files after the second run, %d before", len(after), len(before))
	}
	if stdout, stderr, code := runCommand(t, "check", "-d", "../public"); code != 0 || stdout != "" {
		t.Errorf("check: exit code %d\n%s%s", code, stdout, stderr)
	}
}

// TestResolve_Vectors runs every case of the shared data through the command, as text and as JSON.
func TestVectors_ResolvePrintsThem(t *testing.T) {
	data, err := os.ReadFile("policy/testdata/resolve.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Cases []struct {
			ID, Name string
			Sources  []string
			Want     map[string]string
		}
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range vectors.Cases {
		args := append([]string{"resolve", "--"}, c.Sources...)
		stdout, stderr, code := runCommand(t, args...)
		if word := c.Want["error"]; word != "" {
			if code != 2 || stdout != "" || !strings.Contains(stderr, word) {
				t.Errorf("%s %s: %q: exit code %d, %q, %q; want 2 and an error with %q", c.ID, c.Name, c.Sources, code,
					stdout, stderr, word)
			}
			continue
		}
		want := "robots: " + c.Want["robots"] + "\n"
		for _, name := range slices.Sorted(maps.Keys(c.Want)) {
			if name != "robots" {
				want += name + ": " + c.Want[name] + "\n"
			}
		}
		if code != 0 || stdout != want {
			t.Errorf("%s %s: %q: exit code %d\n\tgot  %q\n\twant %q\n\t%s", c.ID, c.Name, c.Sources, code, stdout, want,
				stderr)
		}
		stdout, _, code = runCommand(t, append([]string{"resolve", "--json", "--"}, c.Sources...)...)
		all, got := map[string]any{"version": 1.0}, map[string]any{}
		for name, text := range c.Want {
			all[name] = text
		}
		if err := json.Unmarshal([]byte(stdout), &got); code != 0 || err != nil || !maps.Equal(got, all) {
			t.Errorf("%s %s: --json: exit code %d, %v\n\tgot  %v\n\twant %v", c.ID, c.Name, code, err, got, all)
		}
	}
}

// ends is a context that is cancelled when it has been asked n times.
type ends struct {
	context.Context
	n atomic.Int64
}

func (c *ends) Err() error {
	if c.n.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestInterrupt_PagesStayWhole interrupts apply and build at several moments (M6): each page is the old one or the new
// one, and another run does the rest.
func TestInterrupt_PagesStayWhole(t *testing.T) {
	const pages = 40
	const before = "<html><head><title>A</title></head><body>text</body></html>\n"
	cleanHugo(t)
	for _, after := range []int64{0, 3, pages / 2, pages + 1, pages + pages/2} {
		for _, command := range []string{"apply", "build"} {
			if command == "build" && after > pages+1 {
				continue // it would be done
			}
			t.Run(fmt.Sprintf("%s %d", command, after), func(t *testing.T) {
				t.Chdir(t.TempDir())
				for i := range pages {
					if command == "apply" {
						writeFile(t, fmt.Sprintf("public/%d.html", i), before)
					} else {
						writeFile(t, fmt.Sprintf("content/%d.html", i), "---\ntitle: A\nurl: /"+strconv.Itoa(i)+".html\n---\n")
					}
				}
				if command == "apply" {
					writeFile(t, "metarobots.toml", "[site]\ngenerator = \"html\"\ndestination = \"public\"\n")
				} else {
					writeFile(t, "hugo.toml", "disableKinds = [\"home\", \"section\", \"taxonomy\", \"term\", \"rss\", "+
						"\"sitemap\"]\n"+
						"disableHugoGeneratorInject = true\n[security]\nallowContent = [\".*\"]\n")
					writeFile(t, "layouts/page.html", before)
				}
				ctx := &ends{Context: context.Background()}
				ctx.n.Store(after)
				var out, errs bytes.Buffer
				if code := run(ctx, []string{command}, &out, &errs, noVariables); code != 3 {
					t.Fatalf("exit code %d, want 3\n%s", code, &errs)
				}
				if !strings.Contains(errs.String(), "interrupted") {
					t.Errorf("stderr does not say so: %s", &errs)
				}
				for name, data := range tables.Tree(t, ".") {
					if !strings.HasPrefix(name, "public/") {
						continue
					}
					if data != before && !(strings.HasPrefix(data,
						`<html><head><meta name="robots" content="index, follow, `) && strings.HasSuffix(data,
						"text</body></html>\n")) {
						t.Errorf("%s is not whole: %q", name, data)
					}
				}
				if _, stderr, code := runCommand(t, command); code != 0 {
					t.Fatalf("the next run: exit code %d\n%s", code, stderr)
				}
				if stdout, stderr, code := runCommand(t, "check"); code != 0 {
					t.Errorf("check: exit code %d\n%s%s", code, stdout, stderr)
				}
				for name, data := range tables.Tree(t, "public") {
					if !strings.HasSuffix(name, ".html") || strings.Count(data, "robots") != 1 {
						t.Errorf("%s: %q", name, data)
					}
				}
			})
		}
	}
}
