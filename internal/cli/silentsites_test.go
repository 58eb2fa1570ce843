package cli

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"metarobots/emit/robotstxt"
	"metarobots/internal/tables"
)

// X23l: of a site without a sitemap the real reason is named, whatever it answers, and the home
// page is judged all the same.
func TestHouse_ASiteWithoutASitemapIsNamedByItsAnswers(t *testing.T) {
	t.Parallel()
	const page = "<!doctype html><title>x</title>"
	for name, c := range map[string]struct {
		answer         func(w http.ResponseWriter, path string)
		reason, listed string
	}{
		"404": {func(w http.ResponseWriter, _ string) { w.WriteHeader(http.StatusNotFound) },
			"/sitemap.xml: status 404)", "/\tmissing\t"},
		"429": {func(w http.ResponseWriter, _ string) { w.WriteHeader(http.StatusTooManyRequests) },
			"(robots.txt answers 429, so crawlers read nothing; ", "/\tdisallowed\trobots.txt answers 429"},
		"503 for robots.txt": {func(w http.ResponseWriter, path string) {
			if path == "/robots.txt" {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			w.Write([]byte(page))
		}, "(robots.txt answers 503, so crawlers read nothing; ", "/\tdisallowed\trobots.txt answers 503"},
		"another host": {func(w http.ResponseWriter, path string) {
			w.Header().Set("Location", "https://elsewhere.example"+path)
			w.WriteHeader(http.StatusMovedPermanently)
		}, "it leads to https://elsewhere.example/sitemap.xml, which is another host and not requested)",
			"/\tredirect\tit leads to another host: https://elsewhere.example/"},
		"a page for everything": {func(w http.ResponseWriter, _ string) { w.Write([]byte(page)) },
			"/sitemap.xml: an HTML page, not a sitemap)", "/\tindexable\t"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.answer(w, r.URL.Path) }))
		flags := []string{"--allow-private", "--rate", "0", "--retries", "0", "--timeout", "5s"}
		ask := func(args ...string) (stdout, stderr string, code int) {
			return runCommand(t, append(append(args, server.URL), flags...)...)
		}
		stdout, stderr, code := ask("list", "--why")
		if code != exitDone || !strings.HasPrefix(stdout, c.listed) || !strings.Contains(stderr, c.reason) ||
			!strings.Contains(stderr, "the home page alone is requested. --urls FILE") {
			t.Errorf("%s: list: exit code %d: %s%s\nwant %s, by %s", name, code, stdout, stderr, c.listed, c.reason)
		}
		stdout, stderr, code = ask("report", "--format", "json")
		if code != exitDone || !strings.Contains(stdout, "the home page alone is requested") ||
			strings.Contains(stdout, `"sitemap-lists-`) {
			t.Errorf("%s: report: exit code %d: %s%s", name, code, stdout, stderr)
		}
		_, stderr, code = ask("verify")
		if code != exitInvalid || !strings.Contains(stderr, c.reason) || !strings.Contains(stderr, "--urls FILE") {
			t.Errorf("%s: verify: exit code %d: %s\nwant %s", name, code, stderr, c.reason)
		}
		server.Close()
	}
}

// X23m: what crawlers do not read of a long robots.txt is said wherever the file is read.
func TestHouse_ALongRobotsTxtIsToldOf(t *testing.T) {
	t.Chdir(t.TempDir()) // where there is no site to explain
	long := "User-agent: *\n" + strings.Repeat("# a comment\n", robotstxt.MaxSize/10) + "Disallow: /\n"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			w.Write([]byte(long))
			return
		}
		w.Write([]byte("<!doctype html><title>x</title>"))
	}))
	defer server.Close()
	for _, args := range [][]string{{"list"}, {"report", "--format", "markdown"}, {"explain"}, {"snapshot", "-o", "-"}} {
		args = append(args, server.URL+"/", "--allow-private", "--rate", "0")
		stdout, stderr, code := runCommand(t, args...)
		if code != exitDone || !strings.Contains(stdout+stderr, "only its first 500 KiB are read") {
			t.Errorf("%s: exit code %d: %s%s", args, code, stdout, stderr)
		}
	}
}

// X13d: a report says that links are not checked even if the finding about that is suppressed, and
// calls no check of links one that found nothing.
func TestHouse_SuppressedFindingsDoNotCheckLinks(t *testing.T) {
	t.Chdir(tables.Folder(t, map[string]string{"metarobots.toml": "[site]\ngenerator = \"html\"\ndestination = \"out\"\n" +
		"[[robots.suppress]]\nid = \"no-base-url\"\n",
		"out/index.html": `<!doctype html><head><link rel="canonical" href="https://example.org/a/"></head>`}))
	text, _, _ := runCommand(t, "report", "--format", "markdown")
	if !strings.Contains(text, "- **Canonical and hreflang links**: the address of the site is not known") ||
		strings.Contains(text, "Canonical links to noindex pages") {
		t.Errorf("the report says\n%s", text)
	}
}
