package cli

import (
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
)

// A deployment serves a publish folder as Cloudflare Pages do: without .html and index.html in
// URLs, and with the X-Robots-Tag lines that package emit/headers takes from _headers. The folder
// is read at each request.
type deployment struct {
	dir string
	// rules are those of _headers; nil for what the file says at each request.
	rules *headers.Parsed
	// change may change an answer, for a request path, before it is sent.
	change func(path string, header http.Header, body []byte) []byte
}

// types are those that the tests need, whatever the machine knows.
var types = map[string]string{".html": "text/html; charset=utf-8", ".pdf": "application/pdf", ".xml": "application/xml",
	".txt":  "text/plain; charset=utf-8",
	".json": "application/json", ".png": "image/png"}

func (d deployment) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Path
	redirect := func(to string) {
		w.Header().Set("Location", (&url.URL{Path: to}).EscapedPath())
		w.WriteHeader(http.StatusPermanentRedirect)
	}
	file := func(name string) bool {
		info, err := os.Stat(filepath.Join(d.dir, filepath.FromSlash(name)))
		return err == nil && info.Mode().IsRegular()
	}
	name, status := asked, http.StatusOK
	switch {
	case strings.HasSuffix(asked, "/index.html"):
		redirect(strings.TrimSuffix(asked, "index.html"))
		return
	case strings.HasSuffix(asked, ".html") && file(asked):
		redirect(strings.TrimSuffix(asked, ".html"))
		return
	case strings.HasSuffix(asked, "/"):
		name += "index.html"
	case file(asked + ".html"):
		name += ".html"
	case file(asked + "/index.html"):
		redirect(asked + "/")
		return
	}
	if asked == "/_headers" || !file(name) {
		name, status = "/404.html", http.StatusNotFound
	}
	body, err := os.ReadFile(filepath.Join(d.dir, filepath.FromSlash(name)))
	if err != nil {
		body = []byte("not found")
	}
	h := w.Header()
	if h.Set("Content-Type", types[path.Ext(name)]); types[path.Ext(name)] == "" {
		h.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	}
	rules := d.rules
	if rules == nil {
		text, _ := os.ReadFile(filepath.Join(d.dir, "_headers")) // there may be none
		rules = headers.Cloudflare.Parse(text, robotstag.Name)
	}
	for _, v := range headers.Cloudflare.Values(rules, "", r.URL.EscapedPath()) {
		h.Add(robotstag.Name, v.Text)
	}
	if d.change != nil {
		body = d.change(r.URL.EscapedPath(), h, body)
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

// serve serves a folder on this machine until the script ends, and sets BASE to its address:
//
//	serve FOLDER
func serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: serve FOLDER")
	}
	server := httptest.NewServer(deployment{dir: ts.MkAbs(args[0])})
	ts.Defer(server.Close)
	ts.Setenv("BASE", server.URL)
}

// expand copies a file with the variables in it, $BASE and others, replaced:
//
//	expand FROM TO
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: expand FROM TO")
	}
	text := os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o644))
}
