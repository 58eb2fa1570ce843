//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"metarobots/internal/tables"
)

// logServer is a web server from Debian that writes a log in one format.
type logServer struct {
	name, program string
	// config writes a configuration and returns the arguments. The log is to be access.log in dir.
	config func(t *testing.T, dir, root, address string) []string
}

var logServers = []logServer{
	{"apache combined", "apache2", apacheLog(`%h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\"`)},
	{"apache vhost_combined", "apache2",
		apacheLog(`%v:%p %h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\"`)},
	{"nginx combined", "nginx",
		nginxLog(`'$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"'`)},
	{"nginx main", "nginx",
		nginxLog(`'$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" "$http_x_forwarded_for"'`)},
	{"nginx json", "nginx",
		nginxLog(`escape=json '{"time_iso8601":"$time_iso8601","remote_addr":"$remote_addr","host":"$host","request":"$request","status":$status,"http_user_agent":"$http_user_agent"}'`)},
	{"caddy", "caddy", func(t *testing.T, dir, root, address string) []string {
		return caddyConfig(t, dir, root, address, fmt.Sprintf("\tlog {\n\t\toutput file %s\n\t\tformat json\n\t}\n"+
			"\trespond /gone/ 403\n", filepath.Join(dir, "access.log")))
	}},
}

func apacheLog(format string) func(t *testing.T, dir, root, address string) []string {
	return func(t *testing.T, dir, root, address string) []string {
		return apacheConfig(t, dir, root, address, fmt.Sprintf("ServerName example.org\nRedirect 403 /gone/\n"+
			"LogFormat \"%s\" ours\nCustomLog %q ours\n", format, filepath.Join(dir, "access.log")))
	}
}

func nginxLog(format string) func(t *testing.T, dir, root, address string) []string {
	return func(t *testing.T, dir, root, address string) []string {
		return nginxConfig(t, dir, root, address,
			fmt.Sprintf("  log_format ours %s;\n  access_log %s/access.log ours;\n", format, dir),
			"    location /gone/ { return 403; }\n", "")
	}
}

// What real servers log of a few requests is read back: each crawler, each answer, what was
// escaped, and nothing that cannot be read.
func TestLogs_OfRealServers(t *testing.T) {
	t.Parallel()
	for _, s := range logServers {
		t.Run(s.name, func(t *testing.T) {
			server{program: s.program}.need(t)
			dir := servedFolder(t)
			root := filepath.Join(dir, "public")
			pages := map[string]string{}
			for _, name := range []string{"", "read/", "kept/", "gone/", "moved/", "head/", "query/", "caf%C3%A9/"} {
				pages["/"+name] = "noindex-1"
				write(t, filepath.Join(root, strings.ReplaceAll(name, "%C3%A9", "é"), "index.html"),
					"<!doctype html><title>x</title>")
			}
			lock := tables.Value(json.Marshal(map[string]any{"version": 1,
				"decisions": map[string]any{"noindex-1": map[string]string{"robots": "noindex"}}, "pages": pages}))(t)
			write(t, filepath.Join(dir, "lock.json"), string(lock))
			write(t, filepath.Join(dir, "robots.txt"), "User-agent: *\nDisallow: /search\n")
			requests := 0
			t.Run("requests", func(t *testing.T) { requests = crawl(t, s, dir, root) }) // and the server has stopped
			checkLogs(t, dir, requests)
		})
	}
}

// crawl asks a server as crawlers and others do, and returns the number of whole requests.
func crawl(t *testing.T, s logServer, dir, root string) (requests int) {
	address := freeAddress(t)
	start(t, server{target: s.name, program: s.program}, dir, address, s.config(t, dir, root, address))
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout: 10 * time.Second}
	for _, r := range tables.Read(t, "testdata/logged.txt") {
		status := r.Int(t, "status")
		req := tables.Value(http.NewRequest(r["method"], "http://"+address+"/", nil))(t)
		req.URL.Opaque = r["target"] // as it stands
		req.Header.Set("User-Agent", r["agent"])
		if r["header"] != "" {
			info := tables.Value(os.Stat(filepath.Join(root, r["target"], "index.html")))(t)
			req.Header.Set(r["header"], info.ModTime().UTC().Format(http.TimeFormat))
		}
		res := tables.Value(client.Do(req))(t)
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if res.StatusCode != status && !(status == 301 && res.StatusCode/100 == 3) && !(status == 404 &&
			res.StatusCode == 400) {
			t.Errorf("%s %s: status %d, want %d", r["method"], r["target"], res.StatusCode, status)
		}
		requests++
	}
	conn := tables.Value(net.Dial("tcp", address))(t) // TLS spoken to a server of HTTP
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprintf(conn, "\x16\x03\x01\x00\xa5\"\\\x01\r\n\r\n")
	io.Copy(io.Discard, conn)
	return requests
}

func checkLogs(t *testing.T, dir string, requests int) {
	log := filepath.Join(dir, "access.log")
	text := read(t, log)
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines { // as if it had come from the crawlers' addresses
		address := "66.249.66.1"
		if strings.Contains(line, "bingbot") {
			address = "157.55.39.1"
		}
		lines[i] = strings.ReplaceAll(line, "127.0.0.1", address)
	}
	write(t, log, strings.Join(lines, ""))
	out := run(t, 0, "logs", log, "--json", "--against", filepath.Join(dir, "lock.json"), "--robots",
		filepath.Join(dir, "robots.txt")).stdout
	var result struct {
		Results []struct {
			URL, Crawler, Verdict, Reason string
			Fetches, Status               int
		}
		Crawlers []struct {
			Crawler           string
			Verified, Claimed int
		}
		Summary struct{ Requests, WithoutUserAgent int }
		Files   []struct{ Lines, Unreadable int }
	}
	must(t, json.Unmarshal([]byte(out), &result))
	got := map[string]string{}
	for _, r := range result.Results {
		text := fmt.Sprintf("%s %d", r.Verdict, r.Fetches)
		if r.Reason != "" {
			text += ", " + r.Reason
		}
		got[r.Crawler+" "+r.URL] = text
	}
	for what, want := range map[string]string{
		"googlebot /read/":      "read 1",
		"googlebot /kept/":      "not read 1, got 304, so it still has the old page",
		"googlebot /gone/":      "not read 1, answered 403",
		"googlebot /moved/":     "not read 0, never fetched",
		"googlebot /head/":      "not read 1, only asked by HEAD",
		"googlebot /query/":     "not read 0, never fetched",
		"googlebot /caf%C3%A9/": "not read 0, never fetched",
		"bingbot /caf%C3%A9/":   "read 2",
		"bingbot /search":       "disobeyed 1",
		"bingbot /read/":        "not read 0, never fetched",
	} {
		equal(t, what, got[what], want)
	}
	// some servers log what was no request, some do not, or only when they have the time
	n := strings.Count(text, "\n")
	if f := result.Files[0]; n < requests || f.Unreadable != 0 || f.Lines != n || result.Summary.Requests != n ||
		result.Summary.WithoutUserAgent != 1+n-requests {
		t.Errorf("%+v, %+v; want %d lines of %d requests", f, result.Summary, n, requests)
	}
	for _, c := range result.Crawlers {
		if want := map[string]int{"googlebot": 7, "bingbot": 3}[c.Crawler]; c.Verified != want || c.Claimed != 0 {
			t.Errorf("%+v, want %d", c, want)
		}
	}
	if t.Failed() {
		t.Logf("%s", text)
	}
}
