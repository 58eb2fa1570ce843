package accesslog

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// got is an entry, copied.
type got struct {
	host, address, method, target, agent string
	status                               int
	time                                 string
}

func copied(e *Entry) got {
	return got{e.Host, e.Address, e.Method, e.Target, e.UserAgent, e.Status, e.Time.Format(time.RFC3339)}
}

func all(t *testing.T, text string) ([]got, Stats) {
	t.Helper()
	var entries []got
	s, err := Read(strings.NewReader(text), func(e *Entry) error {
		entries = append(entries, copied(e))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return entries, s
}

const (
	googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	at        = "2000-10-10T20:55:36Z"
)

// https://httpd.apache.org/docs/2.4/logs.html, https://nginx.org/en/docs/http/ngx_http_log_module.html
func TestApacheAndNginx_Lines(t *testing.T) {
	tests := []struct {
		name, line string
		want       got
	}{
		{"Common", `127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326`,
			got{"", "127.0.0.1", "GET", "/apache_pb.gif", "", 200, at}},
		{"Combined", `66.249.66.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a?b=c HTTP/1.1" 304 - "-" "` + googlebot + `"`,
			got{"", "66.249.66.1", "GET", "/a?b=c", googlebot, 304, at}},
		{"IPv6", `2001:db8::1 - - [10/Oct/2000:22:55:36 +0200] "HEAD / HTTP/2.0" 200 0 "-" "x"`,
			got{"", "2001:db8::1", "HEAD", "/", "x", 200, at}},
		{"virtual host in front",
			`example.org:443 192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "x"`,
			got{"example.org:443", "192.0.2.1", "GET", "/", "x", 200, at}},
		{"virtual host without a port",
			`example.org 192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "x"`,
			got{"example.org", "192.0.2.1", "GET", "/", "x", 200, at}},
		{"virtual host that is an address",
			`[::1]:80 192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "x"`,
			got{"[::1]:80", "192.0.2.1", "GET", "/", "x", 200, at}},
		{"a header behind the address",
			`192.0.2.1 66.249.66.1 - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "x"`,
			got{"", "192.0.2.1", "GET", "/", "x", 200, at}},
		{"a user who calls himself an address",
			`192.0.2.1 - 66.249.66.1 x [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "x"`,
			got{"", "192.0.2.1", "GET", "/", "x", 200, at}},
		{"virtual host, and names looked up",
			`example.org:80 crawl.example.net - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "x"`,
			got{"example.org:80", "crawl.example.net", "GET", "/", "x", 200, at}},
		{"names looked up",
			`crawl-66-249-66-1.googlebot.com - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "x"`,
			got{"", "crawl-66-249-66-1.googlebot.com", "GET", "/", "x", 200, at}},
		{"user with spaces and brackets",
			`192.0.2.1 - john [the] doe [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "x"`,
			got{"", "192.0.2.1", "GET", "/", "x", 200, at}},
		{"no user agent", `192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "-"`,
			got{"", "192.0.2.1", "GET", "/", "", 200, at}},
		{"Apache's escapes",
			`192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET /\"a\"\\ HTTP/1.1" 404 1 "-" "say \"x\"\t\x41\xc3\xa9"`,
			got{"", "192.0.2.1", "GET", `/"a"\`, "say \"x\"\tAé", 404, at}},
		{"nginx' escapes",
			`192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET /\x22a\x22\x5C HTTP/1.1" 404 1 "-" "\x22x\x22"`,
			got{"", "192.0.2.1", "GET", `/"a"\`, `"x"`, 404, at}},
		{"what is no escape", `192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET /\q\x4 HTTP/1.1" 404 1 "-" "\xzz"`,
			got{"", "192.0.2.1", "GET", `/\q\x4`, `\xzz`, 404, at}},
		{"bare UTF-8", `192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET /é HTTP/1.1" 404 1 "-" "日本"`,
			got{"", "192.0.2.1", "GET", "/é", "日本", 404, at}},
		{"absolute target",
			`192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET http://example.org/a HTTP/1.1" 200 1 "-" "x"`,
			got{"", "192.0.2.1", "GET", "http://example.org/a", "x", 200, at}},
		{"target with spaces", `192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET /a b HTTP/1.1" 400 1 "-" "x"`,
			got{"", "192.0.2.1", "GET", "/a b", "x", 400, at}},
		{"HTTP/0.9", `192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET /a" 200 1 "-" "x"`,
			got{"", "192.0.2.1", "GET", "/a", "x", 200, at}},
		{"no request", `192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "-" 408 - "-" "-"`,
			got{"", "192.0.2.1", "", "", "", 408, at}},
		{"an empty request", `192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "" 400 0 "-" "-"`,
			got{"", "192.0.2.1", "", "", "", 400, at}},
		{"TLS spoken to HTTP", `192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "\x16\x03\x01\x02 \x00" 400 150 "-" "-"`,
			got{"", "192.0.2.1", "", "", "", 400, at}},
		{"no status", `192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" - - "-" "x"`,
			got{"", "192.0.2.1", "GET", "/", "x", 0, at}},
		{"ISO 8601", `192.0.2.1 - - [2000-10-10T22:55:36+02:00] "GET / HTTP/1.1" 200 1 "-" "x"`,
			got{"", "192.0.2.1", "GET", "/", "x", 200, at}},
		{"more fields behind",
			`192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "x" "203.0.113.9" 0.004 "upstream"`,
			got{"", "192.0.2.1", "GET", "/", "x", 200, at}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, end := range []string{"", "\n", "\r\n"} {
				entries, s := all(t, tt.line+end)
				if len(entries) != 1 || s.Lines != 1 || s.Unreadable != 0 || entries[0] != tt.want {
					t.Fatalf("%+v, %+v\nwant %+v", entries, s, tt.want)
				}
			}
		})
	}
}

func TestNginxAndCaddy_Objects(t *testing.T) {
	want := got{"example.org", "66.249.66.1", "GET", "/a?b=c", googlebot, 200, at}
	tests := []struct {
		name, line string
		want       got
	}{
		{"nginx, escape=json",
			`{"time_iso8601":"2000-10-10T20:55:36+00:00","remote_addr":"66.249.66.1","host":"example.org","request":"GET /a?b=c HTTP/1.1","status":"200","http_user_agent":"` + googlebot + `"}`, want},
		{"nginx, other variables",
			`{ "msec": 971211336.123, "remote_addr": "66.249.66.1", "http_host": "example.org", "request_method":"GET","request_uri":"/a?b=c","uri":"/index.html","status": 200, "http_user_agent": "` + googlebot + `" }`, want},
		{"nginx, time_local",
			`{"time_local":"10/Oct/2000:13:55:36 -0700","remote_addr":"66.249.66.1","server_name":"example.org","request":"GET /a?b=c HTTP/2.0","status":200,"http_user_agent":"` + googlebot + `"}`, want},
		// https://caddyserver.com/docs/caddyfile/directives/log, https://caddyserver.com/docs/logging
		{"Caddy",
			`{"level":"info","ts":971211336.5,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"10.0.0.1","remote_port":"41342","client_ip":"66.249.66.1","proto":"HTTP/2.0","method":"GET","host":"example.org","uri":"/a?b=c","headers":{"User-Agent":["` + googlebot + `"],"Accept":["*/*"]},"tls":{"resumed":false}},"bytes_read":0,"user_id":"","duration":0.0009,"size":10900,"status":200,"resp_headers":{"User-Agent":["no"]}}`, want},
		{"Caddy before 2.7",
			`{"ts":971211336,"request":{"remote_ip":"66.249.66.1","method":"GET","host":"example.org","uri":"/a?b=c","headers":{"User-Agent":["` + googlebot + `"]}},"status":200}`, want},
		{"escapes",
			`{"time":"2000-10-10T20:55:36Z","remote_addr":"::1","host":"example.org","request":"GET \/\u0022\u00e9\ud83c\udf3f\ud83c HTTP\/1.1","status":"404","http_user_agent":"a\\b\n\t\"é"}`,
			got{"example.org", "::1", "GET", "/\"é🌿\uFFFD", "a\\b\n\t\"é", 404, at}},
		{"TLS spoken to HTTP",
			`{"time_iso8601":"2000-10-10T20:55:36Z","remote_addr":"192.0.2.1","host":"","request":"\u0016\u0003\u0001\u0000` + "\xa5" + `\"\\\u0001","status":400,"http_user_agent":""}`,
			got{"", "192.0.2.1", "", "", "", 400, at}},
		{"a connection that asked for nothing",
			`{"time_iso8601":"2000-10-10T20:55:36Z","remote_addr":"192.0.2.1","host":"","request":"","status":408,"http_user_agent":""}`,
			got{"", "192.0.2.1", "", "", "", 408, at}},
		{"dashes and nulls are nothing",
			`{"time_iso8601":"2000-10-10T20:55:36Z","remote_addr":"-","host":null,"request":"GET / HTTP/1.1","status":200,"http_user_agent":"-"}`,
			got{"", "", "GET", "/", "", 200, at}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			entries, s := all(t, tt.line)
			if len(entries) != 1 || s.Unreadable != 0 || entries[0] != tt.want {
				t.Fatalf("%+v, %+v\nwant %+v", entries, s, tt.want)
			}
		})
	}
}

// A proxy may add a line of X-Forwarded-For beside the client's instead of continuing that. Caddy logs both in their
// order, and the last is the proxy's: the client's own is no address of his.
func TestRFC9110_LinesOfForwardedAreOneList(t *testing.T) {
	for list, want := range map[string]string{
		`["66.249.66.1"]`:                                "66.249.66.1",
		`["66.249.66.1","192.0.2.1"]`:                    "192.0.2.1",
		`["66.249.66.1","66.249.66.2, 192.0.2.1"]`:       "192.0.2.1",
		`["66.249.66.1","66.249.66.2","\u003192.0.2.1"]`: "192.0.2.1",
		`["66.249.66.1",""]`:                             "invalid IP",
		`["","192.0.2.1"]`:                               "192.0.2.1",
	} {
		line := `{"ts":971211336,"request":{"remote_ip":"10.0.0.1","method":"GET","uri":"/","headers":{"X-Forwarded-For":` + list + `}},"status":200}`
		for range 2 {
			_, err := Read(strings.NewReader(line+"\n"+line), func(e *Entry) error {
				if got := e.Client(1); got.String() != want {
					t.Errorf("%s: %v, want %s", list, got, want)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		}
	}
}

// What cannot be read is counted, with its line and without a word of it.
func TestHouse_WhatCannotBeReadIsCounted(t *testing.T) {
	good := `192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "x"`
	text := strings.Join([]string{
		good,
		"",
		"192.0.2.77 hello",
		`192.0.2.77 - - [99/Foo/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1`,
		`192.0.2.77 - - [10/Oct/2000:20:55:36 +0000] GET / 200`,
		`192.0.2.77 - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1`,
		`192.0.2.77 - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" many`,
		`{"remote_addr":"192.0.2.77"`,
		`{"remote_addr":"192.0.2.77","msg":"server running"}`,
		`{"remote_addr":"192.0.2.77","request":"GET / HTTP/1.1","status":200}`,
		`{"status":200,"time":1}`,
		`[{"time":1,"request":"GET / HTTP/1.1","status":200}]`,
		"   ",
		good,
	}, "\n")
	entries, s := all(t, text)
	if len(entries) != 2 || s.Lines != 12 || s.Unreadable != 10 || len(s.Faults) != maxFaults {
		t.Errorf("%d entries, %+v", len(entries), s)
	}
	for i, f := range s.Faults {
		if f.Line != i+3 || strings.Contains(f.Err.Error(), "192") {
			t.Errorf("%+v", f)
		}
	}
}

func TestHouse_ClientBehindProxies(t *testing.T) {
	tests := []struct {
		address, forwarded string
		proxies            int
		want               string
	}{
		{"192.0.2.1", "203.0.113.9", 0, "192.0.2.1"},
		{"::ffff:192.0.2.1", "", 0, "192.0.2.1"},
		{"[2001:db8::1]:443", "", 0, "2001:db8::1"},
		{"[2001:db8::1]", "", 0, "2001:db8::1"},
		{"192.0.2.1:5555", "", 0, "192.0.2.1"},
		{"crawl.googlebot.com", "", 0, "invalid IP"},
		{"", "", 0, "invalid IP"},
		{"10.0.0.1", "203.0.113.9", 1, "203.0.113.9"},
		{"10.0.0.1", "66.249.66.1, 203.0.113.9", 1, "203.0.113.9"}, // the first is what the client said of itself
		{"10.0.0.1", "66.249.66.1, 203.0.113.9, 10.0.0.2", 2, "203.0.113.9"},
		{"10.0.0.1", "203.0.113.9", 2, "invalid IP"},
		{"10.0.0.1", "", 1, "invalid IP"},
		{"10.0.0.1", "unknown", 1, "invalid IP"},
	}
	for _, tt := range tests {
		e := Entry{Address: tt.address, Forwarded: tt.forwarded}
		if got := e.Client(tt.proxies); got.String() != tt.want || got != (netip.Addr{}) &&
			got.String() == "invalid IP" {
			t.Errorf("%q, %q, %d: %v, want %s", tt.address, tt.forwarded, tt.proxies, got, tt.want)
		}
	}
}

// RFC 9112, section 3.2
func TestRFC9112_Targets(t *testing.T) {
	for target, want := range map[string]string{
		"/":                            "|/|",
		"/a?b=c?d":                     "|/a|b=c?d",
		"/a#b?c":                       "|/a|",
		"//a":                          "|//a|",
		"/a://b":                       "|/a://b|",
		"http://example.org/a?b":       "example.org|/a|b",
		"HTTPS://u:p@Example.org:8443": "Example.org:8443|/|",
		"http://example.org?a=b/c":     "example.org|/|a=b/c",
	} {
		e := Entry{Target: target}
		host, path, query, ok := e.URL()
		if got := fmt.Sprintf("%s|%s|%s", host, path, query); !ok || got != want {
			t.Errorf("%s: %s, %v; want %s", target, got, ok, want)
		}
	}
	for _, target := range []string{"", "*", "example.org:443", "a?b://c", "#"} {
		e := Entry{Target: target}
		if _, path, _, ok := e.URL(); ok {
			t.Errorf("%q has the path %q", target, path)
		}
	}
}

func zipped(t *testing.T, texts ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, text := range texts { // logrotate and others append members
		z := gzip.NewWriter(&b)
		if _, err := io.WriteString(z, text); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestHouse_CompressedLogsAreRead(t *testing.T) {
	line := `192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "x"` + "\n"
	if entries, _ := all(t, zipped(t, line, line+line)); len(entries) != 3 {
		t.Errorf("%d entries", len(entries))
	}
	cut := zipped(t, strings.Repeat(line, 100))
	if _, err := Read(strings.NewReader(cut[:len(cut)-20]), func(*Entry) error { return nil }); err == nil {
		t.Error("a file that was cut off is read without an error")
	}
	if entries, s := all(t, ""); len(entries) != 0 || s.Lines != 0 {
		t.Error("an empty log has lines")
	}
}

// Lines longer than the buffer are read, beyond a bound they are counted; the ones after them are read all the same.
func TestHouse_LongLinesAreCounted(t *testing.T) {
	line := func(n int) string {
		return `192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET /` + strings.Repeat("a", n) +
			` HTTP/1.1" 200 1 "-" "x"` + "\n"
	}
	text := line(1) + line(bufferSize) + line(maxLine) + line(2) + strings.TrimSuffix(line(maxLine+bufferSize), "\n")
	entries, s := all(t, text)
	if len(entries) != 3 || len(entries[1].target) != bufferSize+1 || s.Unreadable != 2 || !errors.Is(s.Faults[0].Err,
		errTooLong) || s.Faults[1].Line != 5 {
		t.Errorf("%d entries, %+v", len(entries), s)
	}
}

// Reading stops where it is told to, and tells what the input says.
func TestHouse_ReadingStopsAtAnError(t *testing.T) {
	text := strings.Repeat(`192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "x"`+"\n", 3)
	n := 0
	if _, err := Read(strings.NewReader(text),
		func(*Entry) error { n++; return context.Canceled }); !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("%d, %v", n, err)
	}
	broken := errors.New("broken")
	if _, err := Read(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)),
		func(*Entry) error { return nil }); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// Law: a log that follows another gives the entries of both, and a log that is cut at any line the same.
func TestLaw_LogsFollowEachOther(t *testing.T) {
	lines := []string{
		`192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET /1 HTTP/1.1" 200 1 "-" "a\"b"`,
		`{"time":1,"remote_addr":"::1","request":"GET \u002f2 HTTP/1.1","status":200}`,
		`nonsense`,
		``,
		`example.org:80 192.0.2.2 - - [11/Oct/2000:20:55:36 +0200] "GET /3 HTTP/1.1" 301 1 "-" "-"`,
		`{"time":2,"request":"GET /4 HTTP/1.1","status":200}`,
	}
	whole, sum := all(t, strings.Join(lines, "\n"))
	for cut := range lines {
		a, sa := all(t, strings.Join(lines[:cut], "\n"))
		b, sb := all(t, strings.Join(lines[cut:], "\n"))
		if !slices.Equal(append(a, b...), whole) || sa.Lines+sb.Lines != sum.Lines ||
			sa.Unreadable+sb.Unreadable != sum.Unreadable {
			t.Errorf("cut at %d: %+v %+v", cut, sa, sb)
		}
	}
}
