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
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"metarobots/internal/tables"
)

// got is an entry, but for X-Forwarded-For.
type got struct {
	host, address, method, target, agent string
	status                               int
	time                                 string
}

// entryOf is the entry that a row of lines.txt or objects.txt wants.
func entryOf(c tables.Row) got {
	status, _ := strconv.Atoi(c["status"])
	agent := strings.Replace(c["user agent"], "GOOGLEBOT", googlebot, 1)
	return got{c["host"], c["address"], c["method"], c["target"], agent, status, at}
}

func all(t *testing.T, text string) ([]got, Stats) {
	t.Helper()
	var entries []got
	s, err := Read(strings.NewReader(text), func(e *Entry) error {
		entries = append(entries, got{e.Host, e.Address, e.Method, e.Target, e.UserAgent, e.Status,
			e.Time.Format(time.RFC3339)})
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
func TestApacheNginxAndCaddy_Lines(t *testing.T) {
	for _, c := range append(tables.Read(t, "testdata/lines.txt"), tables.Read(t, "testdata/objects.txt")...) {
		t.Run(c["name"], func(t *testing.T) {
			for _, end := range []string{"", "\n", "\r\n"} {
				entries, s := all(t, strings.ReplaceAll(c["line"], "GOOGLEBOT", googlebot)+end)
				if len(entries) != 1 || s.Lines != 1 || s.Unreadable != 0 || entries[0] != entryOf(c) {
					t.Fatalf("%+v, %+v\nwant %+v", entries, s, entryOf(c))
				}
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
