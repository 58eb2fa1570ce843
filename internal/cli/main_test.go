package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/html"

	"metarobots/internal/result"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// siteExample copies site-example and its policy to a folder, goes there and returns what --json
// prints for a build.
func siteExample(t *testing.T) *result.Result {
	dir := t.TempDir()
	config := tables.Value(os.ReadFile("config.toml"))(t)
	tables.Must(t, os.WriteFile(filepath.Join(dir, "config.toml"), config, 0o644))
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
	tables.Must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	tables.Must(t, os.WriteFile(name, []byte(data), 0o644))
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
	tables.Must(t, err)
}

// runJSON runs the command with --json, which must succeed, and reads what it prints; no host and
// no variable of Hugo's is around.
func runJSON(t *testing.T, args ...string) *result.Result {
	t.Helper()
	r, code := resultOfRun(t, args...)
	if code != exitDone {
		t.Fatalf("metarobots %s: exit code %d: %v", strings.Join(args, " "), code, r.Findings)
	}
	return r
}

// resultOfRun is what a run prints with --json that succeeds or whose checks fail.
func resultOfRun(t *testing.T, args ...string) (*result.Result, int) {
	t.Helper()
	stdout, stderr, code := runCommand(t, append(args, "--json")...)
	var r result.Result
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || code > exitFailed {
		t.Fatalf("metarobots %s: exit code %d, %v\n%s", strings.Join(args, " "), code, err, stderr)
	}
	return &r, code
}

// succeed runs the command, which must succeed, and returns what it prints.
func succeed(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	stdout, stderr, code := runCommand(t, args...)
	if code != exitDone {
		t.Fatalf("metarobots %s: exit code %d\n%s%s", strings.Join(args, " "), code, stdout, stderr)
	}
	return stdout
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
		if name == "GOGC" { // the program leaves the tests' collector as it is
			return strconv.Itoa(tables.Lazy)
		}
		return ""
	})
	return out.String(), errs.String(), code
}

// exampleTable is testdata/site-example.txt, whose head explains it: the paragraph of each file,
// without its role, which is said for the reader.
func exampleTable(t *testing.T) map[string]string {
	t.Helper()
	data := tables.Value(os.ReadFile("internal/cli/testdata/site-example.txt"))(t)
	all, file := map[string]string{}, ""
	for line := range strings.Lines(string(data)) {
		if name, ok := strings.CutPrefix(line, "file "); ok {
			file = strings.TrimSpace(name)
		} else if strings.TrimSpace(line) != "" && line[0] != '#' && !strings.HasPrefix(line, "role ") {
			all[file] += line
		}
	}
	return all
}

// Every file of a build, what is told of it and what stands in it, is as the table has it that was
// written by hand. A second build changes nothing.
func TestSiteExample_EveryPublishedFile(t *testing.T) {
	table := exampleTable(t) // of the module's folder, which the build leaves
	b := siteExample(t)
	got := map[string]string{}
	for _, pg := range b.Pages {
		var told, stand []string
		for _, name := range slices.Sorted(maps.Keys(pg.Meta)) {
			told = append(told, name+": "+pg.Meta[name])
		}
		if strings.HasSuffix(pg.File, ".html") {
			stand = headMetas(t, filepath.Join("public", filepath.FromSlash(pg.File)))
		}
		if !slices.Equal(told, slices.Sorted(slices.Values(stand))) {
			t.Errorf("%s: %q is told of it, and %q stands in it", pg.File, told, stand)
		}
		got[pg.File] = "url " + pg.URL + "\nkind " + cmp.Or(pg.Kind, "-") + "\n"
		for _, meta := range stand {
			got[pg.File] += "meta " + meta + "\n"
		}
		for _, header := range pg.Header {
			got[pg.File] += "header " + header + "\n"
		}
	}
	published := tables.Tree(t, "public")
	for file, want := range table {
		if got[file] != want {
			t.Errorf("site-example.txt: %s:\n%s\nand the program says\n%s", file, want, got[file])
		}
		if _, ok := published[file]; !ok {
			t.Errorf("%s is not on the disk", file)
		}
	}
	if len(got) != len(table) || len(published) != len(table) || b.Summary.Files != len(table) {
		t.Errorf("%d files in the table; --json has %d and counts %d, on the disk are %d", len(table), len(got),
			b.Summary.Files, len(published))
	}
	if second := runJSON(t, "-d", "../public"); second.Summary.Changed != 0 || b.Summary.Changed == 0 ||
		!maps.Equal(tables.Tree(t, "public"), published) {
		t.Errorf("the first run changed %d pages, the second %d", b.Summary.Changed, second.Summary.Changed)
	}
	if stdout, stderr, code := runCommand(t, "check", "-d", "../public"); code != 0 || stdout != "" {
		t.Errorf("check: exit code %d\n%s%s", code, stdout, stderr)
	}
}

// headMetas returns the robots and crawler metas in the head of a file as the HTML standard reads
// it, as "name: content", in their order. One in the body fails the test.
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

// L8: at the place of every statement stands its key.
func TestSiteExample_ExplainNamesPlaces(t *testing.T) {
	b := siteExample(t)
	layers := map[policy.Layer]int{}
	for _, pg := range b.Pages {
		for _, w := range pg.Why {
			layers[w.Layer]++
			if w.Layer == policy.LayerDefault && w.Key == "robots.default" && w.File == "" {
				continue // built in: the policy file leaves it as it is
			}
			data, err := os.ReadFile(w.File)
			lines := strings.Split(string(data), "\n")
			if err != nil || w.Line <= 0 || w.Line > len(lines) {
				t.Errorf("%s: %+v: no such place: %v", pg.File, w, err)
			} else if line := lines[w.Line-1]; !holdsKey(line, w) {
				t.Errorf("%s: %+v does not stand in: %s", pg.File, w, line)
			}
		}
	}
	for _, layer := range []policy.Layer{policy.LayerDefault, policy.LayerVisibility, policy.LayerRule, policy.LayerPage,
		policy.LayerFound} {
		if layers[layer] == 0 {
			t.Errorf("no statement of layer %s: the example shows every layer", layer)
		}
	}
}

// holdsKey reports whether a line of a source is the one where a statement stands.
func holdsKey(line string, w result.Why) bool {
	line, key := strings.ToLower(line), strings.ToLower(w.Key)
	if name, ok := strings.CutPrefix(key, "meta "); ok {
		return strings.Contains(line, "<meta") && strings.Contains(line, name)
	}
	key, _, _ = strings.Cut(key, " (") // of a rule, its number
	last := key[strings.LastIndex(key, ".")+1:]
	return strings.Contains(line, last) || strings.Contains(line, w.States) // an item of a list
}

// Issue 6: a second configuration of site-example goes wrong on purpose, and says so in its own
// comments.
func TestSiteExample_FindingsOnPurpose(t *testing.T) {
	siteExample(t)
	r, code := resultOfRun(t, "-n", "--policy", "site-example/findings.toml", "-d", "../other")
	if code != exitFailed {
		t.Errorf("exit code %d, want 1", code)
	}
	got := map[string]bool{}
	for _, f := range r.Findings {
		got[f.ID] = true
	}
	want := []string{"deprecated", "error-page-tag", "hreflang-to-noindex", "no-header", "nofollow-for-noindex",
		"robotstxt-hides-noindex", "selects-nothing", "sitemap-lists-noindex", "theme-adds"}
	if ids := slices.Sorted(maps.Keys(got)); !slices.Equal(ids, want) {
		t.Errorf("findings %q, want %q", ids, want)
	}
}

// Every case of the shared data comes out of the command, as text and as JSON.
func TestVectors_ResolvePrintsThem(t *testing.T) {
	data := tables.Value(os.ReadFile("policy/testdata/resolve.json"))(t)
	var vectors struct {
		Cases []struct {
			ID, Name string
			Sources  []string
			Want     map[string]string
		}
	}
	tables.Must(t, json.Unmarshal(data, &vectors))
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

// M6: of apply and build, interrupted at several moments, each page is the old one or the new one,
// and another run does the rest.
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
				files := map[string]string{"metarobots.toml": "[site]\ngenerator = \"html\"\ndestination = \"public\"\n"}
				if command == "build" {
					files = map[string]string{"layouts/page.html": before, "hugo.toml": "disableKinds = [\"home\", " +
						"\"section\", \"taxonomy\", \"term\", \"rss\", \"sitemap\"]\ndisableHugoGeneratorInject = true\n" +
						"[security]\nallowContent = [\".*\"]\n"}
				}
				for i := range pages {
					if command == "apply" {
						files[fmt.Sprintf("public/%d.html", i)] = before
					} else {
						files[fmt.Sprintf("content/%d.html", i)] = fmt.Sprintf("---\ntitle: A\nurl: /%d.html\n---\n", i)
					}
				}
				tables.Write(t, ".", files)
				ctx := &ends{Context: context.Background()}
				ctx.n.Store(after)
				if _, stderr, code := runWith(ctx, "", command); code != 3 || !strings.Contains(stderr, "interrupted") {
					t.Fatalf("exit code %d, want 3\n%s", code, stderr)
				}
				for name, data := range tables.Tree(t, ".") {
					whole := data == before || strings.HasSuffix(data, "text</body></html>\n") &&
						strings.HasPrefix(data, `<html><head><meta name="robots" content="index, follow, `)
					if strings.HasPrefix(name, "public/") && !whole {
						t.Errorf("%s is not whole: %q", name, data)
					}
				}
				for _, next := range []string{command, "check"} {
					succeed(t, next)
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

// Reading ends soon after an interrupt, and nothing is told of the half that was read: of a log, of
// a text without a line of one, and of a pipe through which nothing comes. The texts have no end.
func TestInterrupt_LogsTellNothing(t *testing.T) {
	const line = "66.249.66.1 - - [20/Nov/2026:09:00:00 +0000] \"GET /a/ HTTP/1.1\" 200 5 \"-\" \"Googlebot/2.1\"\n"
	dir := tables.Folder(t, map[string]string{
		"lock.json": `{"version":1,"environment":"production","decisions":{"n":{"robots":"noindex"}},"pages":{"/a/":"n"}}`})
	defer func(was *os.File) { os.Stdin = was }(os.Stdin)
	for _, text := range []string{line, "nonsense\n", ""} {
		log, in, err := os.Pipe()
		tables.Must(t, err)
		os.Stdin = log
		var writing sync.WaitGroup
		if text != "" {
			writing.Go(func() {
				for err == nil { // until the pipe is closed
					_, err = io.WriteString(in, strings.Repeat(text, 100))
				}
			})
		}
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(time.Millisecond, cancel)
		out, errs, code := runWith(ctx, "", "logs", "-", "--against", filepath.Join(dir, "lock.json"))
		cancel()
		log.Close()
		in.Close()
		writing.Wait()
		if code != exitBroken || out != "" || !strings.Contains(errs, "interrupted") {
			t.Errorf("of %.10q: %d, %q, %q", text, code, out, errs)
		}
	}
}
