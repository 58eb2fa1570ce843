//go:build e2e && law

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

	"metarobots/internal/tables"
)

// A lawEngine is a host's engine that serves one site after another.
type lawEngine struct {
	name string
	// host is that of the handlings that answer so.
	host string
	// serve makes the engine serve the files of a site's folder, and returns where.
	serve func(t *testing.T, files map[string]string) (address string)
	// fragile says that paths with an empty segment end the engine's process.
	fragile bool
	// before says that it also serves the site as it was before the run.
	before bool
}

// A standing is an engine of hosts/law.mjs. It starts once, since that takes seconds, and then sees that the files of
// its folder change.
type standing struct {
	engine, owners string // owners is the owner's file for it, "" for none
	folder         string
	address        string
	loads          int
}

// loadMark is what a site's files say in place of the number of the site, by which is known whether the engine has read them.
const loadMark = "@LOAD@"

// last are the files that the engine is to see when all others are there, in their order.
func (p *standing) last() []string {
	return slices.DeleteFunc([]string{p.owners, "public/_redirects", "public/_headers"},
		func(name string) bool { return name == "" })
}

func (p *standing) serve(t *testing.T, files map[string]string) string {
	t.Helper()
	p.loads++
	files = maps.Clone(files)
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
	again := 1500 * time.Millisecond
	for end, next := time.Now().Add(time.Minute), time.Now().Add(again); !p.has(files); time.Sleep(30 * time.Millisecond) {
		switch now := time.Now(); {
		case now.After(end):
			t.Fatalf("%s does not see the files of a new site", p.engine)
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
	args := []string{"hosts/law.mjs", p.engine, filepath.Join(p.folder, "public"), "stay", ""}
	if p.owners != "" {
		args[4] = filepath.Join(p.folder, p.owners)
	}
	c := modernNode(t, args...)
	var errs bytes.Buffer
	c.Stderr = &errs
	in := tables.Value(c.StdinPipe())(t)
	out := tables.Value(c.StdoutPipe())(t)
	must(t, c.Start())
	t.Cleanup(func() {
		in.Close()
		c.Wait()
	})
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
		return workersServe(c, files["wrangler.jsonc"])
	}
	return true
}

// workersServe reports whether Workers serve by the settings of wrangler.jsonc.
func workersServe(c *client, settings string) bool {
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
	falls := strings.Contains(settings, "single-page-application")
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

// webEngine is a web server of Debian's, with more lines of its configuration. It starts for each site.
func webEngine(s server, name, lines string) *lawEngine {
	return &lawEngine{name: name, host: s.target, serve: func(t *testing.T, files map[string]string) string {
		t.Helper()
		dir := servedFolder(t)
		root := filepath.Join(dir, "public")
		made := map[string]string{"apache": "public/.htaccess", "nginx": "metarobots.nginx.conf",
			"caddy": "metarobots.caddy"}[s.target]
		for name, text := range files {
			if strings.HasPrefix(name, "public/") {
				write(t, filepath.Join(dir, name), text)
			}
		}
		address := freeAddress(t)
		start(t, s, dir, address, s.config(t, dir, root, root, address, lines, []byte(files[made])))
		return address
	}}
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
		println("RETRY", path, tries)
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
