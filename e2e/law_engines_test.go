//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"metarobots/emit/robotstag"
	"metarobots/internal/tables"
)

// A lawEngine is an engine that serves one site after another.
type lawEngine struct {
	name string
	// host is that of the handlings that answer so.
	host string
	// start makes the engine ready.
	start func(t *testing.T) serveFolder
	// server is what it needs on the machine; nil where it is of package.json.
	server *server
	// fragile says that paths with an empty segment end its process.
	fragile bool
	// ownersLines says that it sends what its owner's lines state before metarobots has run.
	ownersLines bool
	// variants are the sites that it serves, by target and settings, and sites how many are tried.
	variants []lawVariant
	sites    int
}

// serveFolder makes an engine serve the files of a site's folder, and returns where it does.
type serveFolder func(t *testing.T, files map[string]string) (address string)

// A lawVariant is a kind of site: its targets as the policy has them, and its owner's settings by
// file.
type lawVariant struct {
	targets  string
	settings map[string]string
}

var lawEngines = []*lawEngine{
	{name: "pages", host: "cloudflare", start: standingEngine("pages", ""), ownersLines: true, sites: 4,
		variants: []lawVariant{{`"cloudflare"`, map[string]string{"wrangler.toml": "pages_build_output_dir = \"public\"\n"}},
			{`"portable"`, nil}, {`"cloudflare"`, nil}, {`"cloudflare", "firebase"`, firebase("")}}},
	{name: "workers", host: "cloudflare", start: standingEngine("workers", "wrangler.jsonc"), ownersLines: true, sites: 6,
		variants: []lawVariant{workers("auto-trailing-slash", "none"), workers("force-trailing-slash", "404-page"),
			workers("drop-trailing-slash", "single-page-application"), workers("none", "none"), {`"portable"`, nil},
			workers("auto-trailing-slash", "single-page-application"), workers("force-trailing-slash", "none"),
			workers("drop-trailing-slash", "none"), workers("none", "single-page-application"),
			workers("none", "404-page"), workers("drop-trailing-slash", "404-page"),
			workers("force-trailing-slash", "single-page-application"), workers("auto-trailing-slash", "404-page")}},
	{name: "netlify", host: "netlify", start: standingEngine("netlify", "netlify.toml"), ownersLines: true, fragile: true,
		sites: 5, variants: []lawVariant{{`"netlify"`, nil}, {`"portable"`, nil}, {`"netlify", "apache"`, nil}}},
	{name: "superstatic", host: "firebase", start: standingEngine("superstatic", "firebase.json"), ownersLines: true,
		fragile: true, sites: 10, variants: []lawVariant{{`"firebase"`, firebase("")},
			{`"firebase"`, firebase(`, "cleanUrls": true`)}, {`"firebase"`, firebase(`, "cleanUrls": true, "trailingSlash": true`)},
			{`"firebase"`, firebase(`, "cleanUrls": true, "trailingSlash": false`)},
			{`"firebase"`, firebase(`, "trailingSlash": true`)}, {`"firebase"`, firebase(`, "trailingSlash": false`)},
			{`"netlify", "firebase"`, firebase(`, "cleanUrls": true`)}}},
	webEngine(&webServers[0], "apache", "", true, lawVariant{`"apache"`, nil}, lawVariant{`"netlify", "apache"`, nil}),
	webEngine(&webServers[1], "nginx", "", false, lawVariant{`"nginx"`, nil}, lawVariant{`"nginx", "cloudflare"`, nil}),
	webEngine(&webServers[2], "caddy", "", false, lawVariant{`"caddy"`, nil}),
	webEngine(&webServers[2], "caddy with try_files", webServers[2].clean, false, lawVariant{`"caddy"`, nil}),
}

func firebase(settings string) map[string]string {
	return map[string]string{"firebase.json": `{"hosting": {"public": "public"` + settings + "}}\n"}
}

func workers(htmlHandling, notFound string) lawVariant {
	return lawVariant{`"cloudflare"`, map[string]string{"wrangler.jsonc": wrangler(htmlHandling, notFound)}}
}

// wrangler is a wrangler.jsonc.
func wrangler(htmlHandling, notFound string) string {
	return fmt.Sprintf(`{
  // as the documentation has it
  "name": "law",
  "compatibility_date": "2026-01-01",
  "assets": {"directory": "public", "html_handling": %q, "not_found_handling": %q},
}
`, htmlHandling, notFound)
}

// A standing is an engine of hosts/serve.mjs. It starts once, since that takes seconds, and then
// sees that the files of its folder change.
type standing struct {
	engine, owners string // owners is the owner's file for it, "" for none
	folder         string
	address        string
	stop           func()
	loads          int
}

// loadMark is what a site's files say in place of the number of the site, by which is known whether
// the engine has read them.
const loadMark = "@LOAD@"

// last are the files that the engine is to see when all others are there, in their order.
func (p *standing) last() []string {
	return slices.DeleteFunc([]string{p.owners, "public/_redirects", "public/_headers"},
		func(name string) bool { return name == "" })
}

// standingEngine starts such an engine; owners is the owner's file for it.
func standingEngine(engine, owners string) func(t *testing.T) serveFolder {
	return func(t *testing.T) serveFolder {
		t.Helper()
		return (&standing{engine: engine, owners: owners, folder: t.TempDir()}).serve
	}
}

func (p *standing) serve(t *testing.T, files map[string]string) string {
	t.Helper()
	p.loads++
	files = maps.Clone(files)
	if p.engine == "workers" && files[p.owners] == "" {
		files[p.owners] = wrangler("auto-trailing-slash", "none")
	}
	for _, name := range p.last() {
		files[name] = strings.ReplaceAll(files[name], loadMark, fmt.Sprint(p.loads))
	}
	must(t, os.MkdirAll(filepath.Join(p.folder, "public"), 0o755))
	for _, name := range regular(t, filepath.Join(p.folder, "public")) {
		if _, stays := files["public/"+name]; !stays {
			must(t, os.Remove(filepath.Join(p.folder, "public", name)))
		}
	}
	removeEmpty(filepath.Join(p.folder, "public"))
	for name, text := range files {
		if strings.HasPrefix(name, "public/") && !slices.Contains(p.last(), name) {
			write(t, filepath.Join(p.folder, name), text)
		}
	}
	p.say(t, files)
	if p.address == "" {
		p.start(t)
	}
	const again, lost, most = 1500 * time.Millisecond, 30 * time.Second, 5 // a busy machine needs them
	next, restart := time.Now().Add(again), time.Now().Add(lost)
	for starts := 1; !p.has(files); time.Sleep(30 * time.Millisecond) {
		switch now := time.Now(); {
		case now.After(restart) && starts == most:
			t.Fatalf("%s does not see the files of a new site, started %d times\n%s\n_redirects:\n%s\n_headers:\n%s", p.engine,
				starts, files[p.owners], files["public/_redirects"], files["public/_headers"])
		case now.After(restart): // it has lost its watchers
			p.stop()
			p.start(t)
			starts++
			restart = time.Now().Add(lost)
		case now.After(next): // a watcher may have missed it
			p.say(t, files)
			next = now.Add(again)
		}
	}
	return p.address
}

// say writes the files that decide, in place: the engines' watchers lose a file that is replaced.
func (p *standing) say(t *testing.T, files map[string]string) {
	t.Helper()
	for _, name := range p.last() {
		text := files[name]
		if name == "netlify.toml" {
			if was, err := os.ReadFile(filepath.Join(p.folder, name)); err == nil {
				ours, _, _ := strings.Cut(string(was), netlifyOwners)
				text = ours + text
			}
		}
		write(t, filepath.Join(p.folder, name), text)
	}
}

// netlifyOwners is the line behind which the owner's part of netlify.toml begins.
const netlifyOwners = "# the owner's\n"

// start runs the engine until the test ends.
func (p *standing) start(t *testing.T) {
	t.Helper()
	installed(t, "hosts/node_modules")
	args := []string{"hosts/serve.mjs", p.engine, filepath.Join(p.folder, "public"), "stay", ""}
	if p.owners != "" {
		args[4] = filepath.Join(p.folder, p.owners)
	}
	c := modernNode(t, args...)
	var errs bytes.Buffer
	c.Stderr = &errs
	in := tables.Value(c.StdinPipe())(t)
	out := tables.Value(c.StdoutPipe())(t)
	must(t, c.Start())
	p.stop = sync.OnceFunc(func() {
		in.Close()
		c.Wait()
	})
	t.Cleanup(p.stop)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%s: %v\n%s", p.engine, err, &errs)
	}
	p.address = strings.TrimPrefix(strings.TrimSpace(line), "http://")
}

// has reports whether the engine serves by the files that it was given last.
func (p *standing) has(files map[string]string) bool {
	if p.engine == "superstatic" { // it reads all at each request
		return true
	}
	c := &client{address: p.address}
	defer c.close()
	number := fmt.Sprint(p.loads)
	leads := func(path string) bool {
		return strings.HasSuffix(c.ask(path).header.Get("Location"), "/probe-"+number)
	}
	if c.ask("/probe.txt").header.Get("X-Probe") != number || !leads("/probe") {
		return false
	}
	switch p.engine {
	case "netlify":
		return leads("/probe-toml")
	case "workers":
		return workersServe(c, files)
	}
	return true
}

// workersServe reports whether Workers serve by the settings of wrangler.jsonc. They fall back to
// the home page if there is one.
func workersServe(c *client, files map[string]string) bool {
	settings := files["wrangler.jsonc"]
	serves := func(path, file string) bool {
		r := c.ask(path)
		return r.status == 200 && marked(r.body) == file
	}
	ok := false
	switch m := regexp.MustCompile(`"html_handling": "(\w+)`).FindStringSubmatch(settings); {
	case m == nil || m[1] == "auto":
		ok = serves("/probe-page", "probe-page.html") && serves("/probe-folder/", "probe-folder/index.html")
	case m[1] == "force":
		ok = serves("/probe-page/", "probe-page.html")
	case m[1] == "drop":
		ok = serves("/probe-folder", "probe-folder/index.html")
	case m[1] == "none":
		ok = serves("/probe-page.html", "probe-page.html")
	}
	falls := strings.Contains(settings, "single-page-application") && files["public/index.html"] != ""
	return ok && (c.ask("/probe-absent").status == 200) == falls
}

// removeEmpty removes the empty folders below one.
func removeEmpty(folder string) {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if e.IsDir() {
			name := filepath.Join(folder, e.Name())
			removeEmpty(name)
			os.Remove(name) // fails where it is not empty
		}
	}
}

// webEngine is a web server of Debian's, with more lines of its configuration. It starts for each
// site.
func webEngine(s *server, name, lines string, ownersLines bool, variants ...lawVariant) *lawEngine {
	serve := func(t *testing.T, files map[string]string) string {
		t.Helper()
		dir := servedFolder(t)
		root := filepath.Join(dir, "public")
		for name, text := range files {
			if strings.HasPrefix(name, "public/") {
				write(t, filepath.Join(dir, name), text)
			}
		}
		made := map[string]string{"apache": "public/.htaccess", "nginx": "metarobots.nginx.conf",
			"caddy": "metarobots.caddy"}[s.target]
		rules := []byte(files[made])
		if s.target != "apache" && len(rules) == 0 { // its configuration has an earlier run's file, of which nothing is left
			task := robotstag.Task{Target: s.target}
			some := []robotstag.Want{{Path: "x", Values: []string{"noindex"}}}
			rules = tables.Value(compileHosts(nil, some, task))(t).File
			rules = tables.Value(compileHosts(rules, nil, task))(t).File
		}
		address := freeAddress(t)
		start(t, *s, dir, address, s.config(t, dir, root, root, address, lines, rules))
		return address
	}
	return &lawEngine{name: name, host: s.target, start: func(*testing.T) serveFolder { return serve }, server: s,
		ownersLines: ownersLines, variants: variants, sites: 4}
}

// A client asks one address, with paths as they are to go over the wire.
type client struct {
	address string
	conn    net.Conn
	reader  *bufio.Reader
}

// A reply is what an engine answered. A status of 0 says that it answered nothing.
type reply struct {
	path   string
	status int
	header http.Header
	body   string
}

func (c *client) close() {
	if c.conn != nil {
		c.conn.Close()
		c.conn = nil
	}
}

// ask puts one question, again where a connection broke.
func (c *client) ask(path string) reply {
	for tries := range 4 {
		time.Sleep(time.Duration(tries*100) * time.Millisecond)
		if r, err := c.try(path); err == nil {
			return r
		}
		c.close()
	}
	return reply{path: path, header: http.Header{}}
}

func (c *client) try(path string) (r reply, err error) {
	if c.conn == nil {
		if c.conn, err = net.Dial("tcp", c.address); err != nil {
			c.conn = nil
			return r, err
		}
		c.reader = bufio.NewReader(c.conn)
	}
	c.conn.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprintf(c.conn, "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: crawler\r\nAccept: */*\r\n\r\n", path, c.address)
	res, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return r, err
	}
	body, err := io.ReadAll(res.Body)
	if err == nil && res.Close {
		c.close()
	}
	return reply{path, res.StatusCode, res.Header, string(body)}, err
}

// askAll puts many questions, several at once.
func askAll(address string, paths []string) []reply {
	replies := make([]reply, len(paths))
	var all sync.WaitGroup
	const clients = 6
	for first := range clients {
		all.Go(func() {
			c := &client{address: address}
			defer c.close()
			for i := first; i < len(paths); i += clients {
				replies[i] = c.ask(paths[i])
			}
		})
	}
	all.Wait()
	return replies
}
