//go:build e2e

package e2e

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"metarobots/internal/tables"
)

// unlike are files whose preview is not what a build publishes, and why.
var unlike = map[string]string{
	"404.html":    "carries what its template says; a build takes that away (L3)",
	"de/404.html": "the same",
	"embed.html":  "static files go through no template",
}

// Issue 5: hugo server shows, by the partial of the folder hugo, the tags that a production build
// writes.
func TestPreview_ShowsWhatProductionSays(t *testing.T) {
	t.Parallel()
	t.Run("hugo 0.165, from npm", func(t *testing.T) {
		preview(t, programFile(t, plainHugo), "node_modules/metarobots/hugo", `
[module]
replacements = "metarobots -> ../node_modules/metarobots/hugo"
[[module.imports]]
path = "metarobots"
`, nil)
	})
	t.Run("hugo 0.111", func(t *testing.T) {
		hugo, err := exec.LookPath("hugo")
		if err != nil {
			t.Skip("hugo is missing: run e2e/install-debian.sh as root on Debian")
		}
		if out, err := exec.Command(hugo, "version").Output(); err != nil ||
			!strings.HasPrefix(string(out), "hugo v0.111.") {
			t.Skipf("%s is not Debian's, which is version 0.111: %s%v", hugo, out, err)
		}
		preview(t, hugo, "themes/metarobots/hugo", `theme = "metarobots/hugo"`, moved)
	})
}

// preview compares the server's pages with explain. The partial is in a folder of the site, which
// the lines of configuration name; others are files that this Hugo has under another name than
// ours, of which data tells nothing.
func preview(t *testing.T, hugo, folder, lines string, others map[string]string) {
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS("hugo111")))
	must(t, os.CopyFS(filepath.Join(dir, folder), os.DirFS("../hugo")))
	config := filepath.Join(dir, "hugo.toml")
	if text := read(t, config); strings.HasPrefix(lines, "theme") {
		write(t, config, lines+"\n"+text)
	} else {
		write(t, config, text+lines)
	}
	base := filepath.Join(dir, "layouts", "_default", "baseof.html")
	own := `{{ with .Params.robots }}<meta name="robots" content="{{ . }}">{{ end }}`
	text := read(t, base)
	has(t, text, own)
	write(t, base, strings.Replace(text, own,
		`{{ $pager := false }}{{ if not .IsPage }}{{ $pager = .Paginator }}{{ end }}{{ partial "metarobots.html" (dict "page" . "pager" $pager) }}`, 1))
	write(t, filepath.Join(filepath.Dir(base), "baseof.print.html"),
		strings.Replace(text, own, `{{ partial "metarobots.html" (dict "page" . "format" "print") }}`, 1))

	in := func(args ...string) result {
		t.Helper()
		return inFolder(t, dir, program, filepath.Join(dir, "cache"), step{}, args...).is(t, 0)
	}
	// decided is what explain says of every page of a build, by the page's address in the preview.
	decided := func(environment string) map[string][]string {
		publish := filepath.Join(dir, "published for "+environment)
		in("build", "--quiet", "-e", environment, "-d", publish)
		args := []string{"explain", "--json", "-e", environment, "-d", publish}
		for _, name := range regular(t, publish) {
			if strings.HasSuffix(name, ".html") && unlike[name] == "" &&
				!redirecting.MatchString(read(t, publish, name)) {
				args = append(args, "/"+name)
			}
		}
		tags := map[string][]string{}
		for _, pg := range planned(t, in(args...)).Pages {
			url := pg.URL
			var want []string
			for name, now := range others {
				if now == pg.File {
					url = "/" + strings.TrimSuffix(name, "index.html")
				}
			}
			for _, name := range robotsNames {
				if content, ok := pg.Meta[name]; ok && url == pg.URL {
					want = append(want, fmt.Sprintf(`<meta name="%s" content="%s" />`, name, content))
				}
			}
			tags[url] = want
		}
		return tags
	}
	address := freeAddress(t)
	// differing asks for every page and says which show other tags.
	differing := func(want map[string][]string) (differing []string) {
		for url, want := range want {
			status, page := get(t, "http://"+address+"/shop"+url)
			var tags []string
			for _, m := range ours(page) {
				if slices.Contains(robotsNames, m.Name) {
					tags = append(tags, m.Tag)
				}
			}
			if status != http.StatusOK || !slices.Equal(tags, want) {
				differing = append(differing, fmt.Sprintf("%s: status %d, the preview shows %q, explain %q", url,
					status, tags, want))
			}
		}
		slices.Sort(differing)
		return differing
	}

	in("data")
	production, staging := decided("production"), decided("staging")
	start(t, server{program: hugo}, dir, address, []string{"server", "--disableFastRender", "--disableLiveReload",
		"--bind", "127.0.0.1", "--port", address[strings.LastIndex(address, ":")+1:]})
	for _, line := range differing(production) {
		t.Error(line)
	}
	if n := len(differing(staging)); len(production) < 25 || n < len(production)-len(others) {
		t.Errorf("%d pages, %d of which staging changes: where are the others?", len(production), n)
	}
	t.Logf("%d pages", len(production))

	// The server takes new data as it takes any file.
	in("data", "-e", "staging")
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		lines := differing(staging)
		if len(lines) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("after data -e staging:\n%s", strings.Join(lines, "\n"))
		}
	}
}

// get fetches a page.
func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	r := tables.Value(http.Get(url))(t)
	defer r.Body.Close()
	data := tables.Value(io.ReadAll(r.Body))(t)
	return r.StatusCode, string(data)
}
