// Package accesslog reads the access logs of web servers, line by line, in memory that does not grow with them.
//
// Each line is read by what it looks like:
//
//   - Combined Log Format, as Apache and nginx write it (https://httpd.apache.org/docs/2.4/logs.html,
//     https://nginx.org/en/docs/http/ngx_http_log_module.html), with or without a virtual host in front
//     (vhost_combined). Fields behind the user agent are ignored.
//   - A JSON object: nginx with escape=json under the names of its variables, or Caddy
//     (https://caddyserver.com/docs/caddyfile/directives/log).
//
// Input that is compressed with gzip is recognized by its first bytes.
package accesslog

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"metarobots/internal/lazyregexp"
)

// An Entry is one request. What the log does not have is empty.
type Entry struct {
	// Host is the host that was asked, as it was logged, perhaps with a port.
	Host string
	// Address is the client's as it was logged, perhaps with a port; the zero address where the log has a name or
	// nothing.
	Address netip.Addr
	Time    time.Time
	// Method and Target are those of the request line. Both are empty where the request was none.
	Method, Target string
	// Status is that of the answer, 0 where none was sent.
	Status    int
	UserAgent string
}

// Stats count what was read.
type Stats struct {
	File       string `json:"file"`       // the log's name, which is the caller's
	Lines      int    `json:"lines"`      // that are not blank
	Unreadable int    `json:"unreadable"` // of them
	// Fault says what is wrong with the first unreadable line, and where it is. It holds nothing of the line, which
	// may have a visitor's address.
	Fault error `json:"-"`
}

// maxLine is the longest line that is read, in bytes. Servers refuse requests of a tenth of it.
const maxLine = 1 << 20

var (
	errForm = errors.New("neither Combined Log Format nor JSON of nginx or Caddy")
	errTime = errors.New("the time is missing or cannot be read")
	errLong = fmt.Errorf("longer than %d MB", maxLine>>20)
)

// mark is the byte order mark that some programs write before a text.
const mark = "\ufeff"

// Read calls each for every request of a log, in its order. It stops at an error of each, or of r, and returns it.
// Lines that cannot be read are counted, and so is one longer than a megabyte: whoever asks for a page can make one.
func Read(r io.Reader, each func(*Entry) error) (Stats, error) {
	var s Stats
	in := bufio.NewReader(r)
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return s, err
		}
		in = bufio.NewReader(z)
	}
	lines := lineReader{in: in}
	for n := 1; ; n++ {
		line, err := lines.next()
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return s, err
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte(mark))
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		s.Lines++
		e, fault := &Entry{}, errLong
		if len(line) <= maxLine {
			e, fault = parse(line)
		}
		if fault == nil {
			if err := each(e); err != nil {
				return s, err
			}
		} else if s.Unreadable++; s.Unreadable == 1 {
			s.Fault = fmt.Errorf("line %d: %w", n, fault)
		}
	}
}

// A lineReader reads lines one after another, into the same memory.
type lineReader struct {
	in   *bufio.Reader
	line []byte
}

// next is the next line, valid until the one after it. Of one that is longer than maxLine it returns the beginning, which
// is longer too. At the end, the error is io.EOF.
func (l *lineReader) next() ([]byte, error) {
	l.line = l.line[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		if len(l.line) <= maxLine {
			l.line = append(l.line, part...)
		}
		switch {
		case err == nil, err == io.EOF && len(l.line) > 0:
			return l.line, nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

func parse(line []byte) (*Entry, error) {
	if line[0] == '{' {
		return parseJSON(line)
	}
	m := combined.FindStringSubmatch(string(line))
	if m == nil {
		return nil, errForm
	}
	host, address := m[1], m[2]
	if first, err := netip.ParseAddr(host); err == nil {
		// A bare address is the client's, or the host that the client asked for, and the other word may be a header:
		// anybody can send either.
		host, address = "", host
		if second := parseAddress(m[2]); second.IsValid() && second != first.Unmap() || strings.HasPrefix(m[2], "unix:") {
			address = ""
		}
	}
	e := &Entry{Host: host, Address: parseAddress(address), UserAgent: unescape(m[6])}
	return e, e.set(unescape(m[4]), m[5], m[3])
}

// combined is a line of Combined Log Format; Common lacks its last two fields: virtual host, address, user,
// time, request, status, size, referrer and user agent. The user, who may have brackets in his name, is whatever comes
// before the first time. The second word is "-", unless the server asks the client's own machine who he is (RFC 1413).
var combined = lazyregexp.New(`^(?:(\S+) )?(\S+) - .+? ` +
	`\[(\d\d/\w{3}/\d{4}:[\d:]{8} [+-]\d{4}|\d{4}-\d\d-\d\dT[^\]]+)\] ` + `"((?:[^"\\]|\\.)*)" (\d{3}|-) ` +
	`\S+(?: "(?:[^"\\]|\\.)*" "(?:-|((?:[^"\\]|\\.)*))")?`)

// escaped is an escape of Apache or nginx.
var escaped = lazyregexp.New(`\\(x[0-9A-Fa-f]{2}|["\\'/bfnrtv])`)

// unescape replaces escapes. What is none stays.
func unescape(field string) string {
	return escaped.ReplaceAllStringFunc(field, func(escape string) string {
		c, _, _, err := strconv.UnquoteChar(escape, '"')
		if err != nil { // \' and \/
			return escape[1:]
		}
		return string([]byte{byte(c)})
	})
}

// fields are those of a JSON object.
type fields map[string]any

// first is the first of these fields that holds a text, a number, or a list that begins with a text.
func (f fields) first(names ...string) string {
	for _, name := range names {
		value := f[name]
		if list, ok := value.([]any); ok && len(list) > 0 {
			value = list[0]
		}
		switch value := value.(type) {
		case float64:
			return strconv.FormatFloat(value, 'f', -1, 64)
		case string:
			if value != "" && value != "-" {
				return value
			}
		}
	}
	return ""
}

// parseJSON reads an object of Caddy, whose request is an object of its own, or of nginx.
func parseJSON(line []byte) (*Entry, error) {
	var f fields
	if json.Unmarshal(line, &f) != nil {
		return nil, errForm
	}
	e, asked := &Entry{}, ""
	if request, ok := f["request"].(map[string]any); ok {
		r := fields(request)
		headers, _ := r["headers"].(map[string]any)
		e.Host, e.UserAgent = r.first("host"), fields(headers).first("User-Agent")
		e.Address = parseAddress(r.first("client_ip", "remote_ip")) // the first is what trusted_proxies make of it
		asked = r.first("method") + " " + r.first("uri")
	} else {
		e.Host, e.UserAgent = f.first("http_host", "host", "server_name"), f.first("http_user_agent")
		e.Address = parseAddress(f.first("remote_addr"))
		method, uri := cmp.Or(f.first("request_method"), "-"), f.first("request_uri")
		if f["request"] == nil && uri == "" {
			return nil, errForm
		}
		asked = cmp.Or(f.first("request"), strings.TrimSpace(method+" "+uri))
	}
	return e, e.set(asked, f.first("status"), f.first("time_iso8601", "time_local", "msec", "ts", "time"))
}

// requestLine is the first line of a request. A target with spaces, which none may have, is kept whole; "-" and the
// first bytes of TLS are no request.
var requestLine = lazyregexp.New(`(?s)^([A-Za-z_-]+) (.*?)(?: HTTP/\S*)?$`)

// set reads what every log has as text: the request line, the status, and the time as Apache and nginx write it,
// in RFC 3339, or in seconds since 1970.
func (e *Entry) set(request, status, at string) (err error) {
	if m := requestLine.FindStringSubmatch(request); m != nil {
		e.Method, e.Target = m[1], m[2]
	}
	if n, err := strconv.ParseUint(status, 10, 10); err == nil {
		e.Status = int(n)
	} else if status != "-" {
		return errForm
	}
	for _, layout := range []string{"02/Jan/2006:15:04:05 -0700", time.RFC3339} {
		if e.Time, err = time.Parse(layout, at); err == nil {
			e.Time = e.Time.UTC()
			return nil
		}
	}
	seconds, err := strconv.ParseFloat(at, 64)
	if err != nil || !(seconds >= 0 && seconds < 1e11) {
		return errTime
	}
	e.Time = time.UnixMilli(int64(seconds * 1000)).UTC()
	return nil
}

// parseAddress reads an address, with or without a port or brackets. It is the zero address where there is none.
func parseAddress(text string) netip.Addr {
	if a, err := netip.ParseAddrPort(text); err == nil {
		return a.Addr().Unmap()
	}
	a, _ := netip.ParseAddr(strings.Trim(text, "[]"))
	return a.Unmap()
}
