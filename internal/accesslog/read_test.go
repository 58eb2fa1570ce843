package accesslog

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"metarobots/internal/tables"
)

// got is an entry without X-Forwarded-For.
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
		entries = append(entries, got{e.Host, e.Address.String(), e.Method, e.Target, e.UserAgent, e.Status,
			e.Time.Format(time.RFC3339)})
		return nil
	})
	tables.Must(t, err)
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
	if len(entries) != 2 || s.Lines != 12 || s.Unreadable != 10 || !strings.HasPrefix(s.Fault.Error(), "line 3: ") ||
		strings.Contains(s.Fault.Error(), "192") {
		t.Errorf("%d entries, %+v", len(entries), s)
	}
}

// An address may come with its port; a name that the server looked up is none.
func TestHouse_AddressesOfClients(t *testing.T) {
	for text, want := range map[string]string{"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1",
		"[2001:db8::1]:443": "2001:db8::1", "[2001:db8::1]": "2001:db8::1", "192.0.2.1:5555": "192.0.2.1",
		"crawl.googlebot.com": "invalid IP", "": "invalid IP"} {
		if got := parseAddress(text).String(); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func zipped(t *testing.T, texts ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, text := range texts { // logrotate and others append members
		z := gzip.NewWriter(&b)
		tables.Value(io.WriteString(z, text))(t)
		tables.Must(t, z.Close())
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

// A visitor can make a line of a megabyte: it is counted with its number, and the lines behind it
// are read (X19d).
func TestHouse_LongLinesAreCounted(t *testing.T) {
	line := func(n int) string {
		return `192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET /` + strings.Repeat("a", n) + ` HTTP/1.1" 200 1 "-" "x"`
	}
	if entries, s := all(t, line(maxLine/2)+"\n"+line(1)); len(entries) != 2 || s.Unreadable != 0 {
		t.Errorf("%d entries, %+v", len(entries), s)
	}
	withBlanks := line(1) + strings.Repeat(" ", 2*maxLine) + "a" // and it begins as a line that can be read
	for _, long := range []string{line(maxLine), strings.Repeat("a", 5*maxLine), line(3*maxLine) + "\r", withBlanks} {
		entries, s := all(t, line(1)+"\n\n"+long+"\n"+line(2)+"\n"+long)
		if len(entries) != 2 || s.Lines != 4 || s.Unreadable != 2 || s.Fault.Error() != "line 3: longer than 1 MB" {
			t.Errorf("%d entries, %+v", len(entries), s)
		}
	}
}

// A byte order mark before the first line is none of its address.
func TestHouse_AByteOrderMarkIsNoPartOfTheFirstLine(t *testing.T) {
	for _, line := range []string{`192.0.2.1 - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "x"`,
		`{"time":1,"remote_addr":"192.0.2.1","request":"GET / HTTP/1.1","status":200}`} {
		entries, s := all(t, "\ufeff"+line+"\n"+line)
		if len(entries) != 2 || s.Unreadable != 0 || entries[0] != entries[1] || entries[0].address != "192.0.2.1" {
			t.Errorf("%+v, %+v", entries, s)
		}
	}
}

// Of two addresses that differ one may be a header, such as Host, which anybody can send: the
// client is not known. X19c.
func TestHouse_AForgedHostIsNoClient(t *testing.T) {
	for begin, want := range map[string]string{
		"66.249.66.1 192.0.2.7":      "invalid IP", // $host $remote_addr
		"192.0.2.7 66.249.66.1":      "invalid IP", // $remote_addr $http_x_forwarded_for
		"66.249.66.1 unix:":          "invalid IP",
		"66.249.66.1 [2001:db8::1]":  "invalid IP",
		"66.249.66.1 192.0.2.7:5555": "invalid IP",
		"66.249.66.1:80 192.0.2.7":   "192.0.2.7",
		"192.0.2.7 192.0.2.7":        "192.0.2.7",
		"::ffff:192.0.2.7 192.0.2.7": "192.0.2.7",
		"192.0.2.7 example.org":      "192.0.2.7",
		"example.org 192.0.2.7":      "192.0.2.7",
		"192.0.2.7":                  "192.0.2.7",
	} {
		entries, _ := all(t, begin+` - - [10/Oct/2000:20:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "x"`)
		if len(entries) != 1 || entries[0].address != want {
			t.Errorf("%s: %+v, want %s", begin, entries, want)
		}
	}
}

// Reading stops if the caller says so, and tells what the input says.
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

// Law: a log that follows another gives the entries of both, and a log that is cut at any line the
// same.
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
