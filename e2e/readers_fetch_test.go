//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"metarobots/internal/tables"
)

// fetchAll asks an engine for every file of a site at its URL, or where the host has it. An answer
// is a file's when it has the file's bytes.
func (all *readersTotals) fetch(t *testing.T, engine, base string, site *readersSite) (visits []visit) {
	t.Helper()
	folder := site.publish
	if engine == asWritten {
		folder = site.written
	}
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	got := make([]*visit, len(site.files))
	missing := make([]string, len(site.files))
	var group sync.WaitGroup
	slots := make(chan bool, 8)
	for i, f := range site.files {
		if engine == asWritten && f.Role == "error" {
			continue // loses its tags (L3)
		}
		group.Go(func() {
			slots <- true
			defer func() { <-slots }()
			body, err := os.ReadFile(filepath.Join(folder, f.File))
			if err != nil {
				if engine != asWritten { // there our own files are not yet
					missing[i] = err.Error()
				}
				return
			}
			var seen []string
			for _, path := range append([]string{f.URL}, paths(f.published)...) {
				v, status, err := fetch(client, base+path)
				if err != nil {
					seen = append(seen, err.Error())
				} else if status == http.StatusOK && v.body == string(body) {
					v.readersFile = f
					v.html = strings.HasSuffix(f.File, ".html") && strings.HasPrefix(v.kind, "text/html")
					got[i] = &v
					return
				} else {
					seen = append(seen, fmt.Sprintf("%s: %d", path, status))
				}
			}
			missing[i] = strings.Join(seen, ", ")
		})
	}
	group.Wait()
	for i, f := range site.files {
		if got[i] != nil {
			visits = append(visits, *got[i])
		} else if missing[i] != "" && !all.hidden(engine, folder, f.File) {
			t.Errorf("%s is served at none of its addresses: %s", f.File, missing[i])
		}
	}
	return visits
}

// hidden reports whether an engine is known not to serve a file, and notes that it shows.
func (all *readersTotals) hidden(engine, folder, file string) bool {
	if excused(engine, file) {
		return true
	}
	for name, d := range unservedPages {
		text, err := os.ReadFile(filepath.Join(folder, file))
		if err == nil && d.engine == engine && d.pages.Match(text) {
			all.shown[name] = true
			return true
		}
	}
	return false
}

func fetch(client *http.Client, address string) (v visit, status int, err error) {
	res, err := client.Get(address)
	if err != nil {
		return v, 0, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return v, 0, err
	}
	return visit{address: res.Request.URL.String(), kind: res.Header.Get("Content-Type"),
		header: res.Header.Values("X-Robots-Tag"), body: string(body)}, res.StatusCode, nil
}

// serve has an engine serve a site until the test ends.
func serve(t *testing.T, engine string, site *readersSite) (base string) {
	t.Helper()
	switch engine {
	case asWritten:
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			name := strings.TrimPrefix(r.URL.Path, "/")
			if name == "" || strings.HasSuffix(name, "/") {
				name += "index.html"
			}
			data, err := os.ReadFile(filepath.Join(site.written, name))
			if err != nil {
				http.NotFound(w, r)
				return
			}
			w.Header()["X-Robots-Tag"] = site.wanted(name)
			w.Header().Set("Content-Type", "application/octet-stream")
			if strings.HasSuffix(name, ".html") {
				w.Header().Set("Content-Type", "text/html") // a page's own encoding counts
			}
			w.Write(data)
		}))
		t.Cleanup(s.Close)
		return s.URL
	case "apache":
		dir := servedFolder(t)
		root := filepath.Join(dir, "public")
		must(t, os.CopyFS(root, os.DirFS(site.publish)))
		apache := webServers[slices.IndexFunc(webServers, func(s server) bool { return s.target == "apache" })]
		address := freeAddress(t)
		args := apache.config(t, dir, root, root, address, "", []byte(read(t, root, ".htaccess")))
		conf := filepath.Join(dir, "apache.conf")
		write(t, conf, strings.Replace(read(t, conf), "TypesConfig /dev/null", "TypesConfig /etc/mime.types", 1))
		start(t, apache, dir, address, args)
		return "http://" + address
	}
	return startHost(t, engine, site.publish)
}

// startHost has a host's engine serve a folder until the test ends.
func startHost(t *testing.T, engine, publish string) (base string) {
	t.Helper()
	c := node(t, "hosts/serve.mjs", engine, publish, "stay")
	var errs bytes.Buffer
	c.Stderr = &errs
	in := tables.Value(c.StdinPipe())(t)
	out := tables.Value(c.StdoutPipe())(t)
	must(t, c.Start())
	t.Cleanup(func() { in.Close(); c.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%s does not serve: %v\n%s", engine, err, &errs)
	}
	return strings.TrimSpace(line)
}
