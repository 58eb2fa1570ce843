// Package accesslog reads the access logs of web servers, line by line, in memory that does not
// grow with them.
//
// Each line is read by what it looks like:
//
//   - Combined Log Format, as Apache and nginx write it
//     (https://httpd.apache.org/docs/2.4/logs.html,
//     https://nginx.org/en/docs/http/ngx_http_log_module.html), with or without a virtual host in
//     front (vhost_combined). Fields behind the user agent are ignored.
//   - A JSON object: nginx with escape=json under the names of its variables, or Caddy
//     (https://caddyserver.com/docs/caddyfile/directives/log).
//
// Input that is compressed with gzip is recognized by its first bytes.
//
// # Words of this package
//
//   - An [Entry] is what one line says of one request. What other programs call a field is empty
//     there if the log writes "-" or nothing.
//   - A fault is why a line cannot be read. It does not end the reading: an error of the log's
//     reader does.
//   - The request of a line is the first line that the client sent: a method, a target, a version.
//     A target is a path with its query.
//   - Escapes are how servers write bytes of a client's text that would break a line: \x22, \".
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
	// Address is the client's; the zero address if the log has a name or nothing.
	Address netip.Addr
	Time    time.Time // in UTC
	// Method and Target are those of the request line. Both are empty if it was none.
	Method, Target string
	// Status is that of the answer, 0 if none was sent.
	Status    int
	UserAgent string
}

// Stats count what was read.
type Stats struct {
	File       string `json:"file"`       // the log's name, which is the caller's
	Lines      int    `json:"lines"`      // that are not blank
	Unreadable int    `json:"unreadable"` // of them
	// Fault says what is wrong with the first unreadable line, and where it is. It holds nothing of
	// the line, which may have a visitor's address.
	Fault error `json:"-"`
}

// maxLine is the longest line that is read, in bytes. Servers refuse requests of a tenth of it.
const maxLine = 1 << 20

var (
	errForm = errors.New("neither Combined Log Format nor JSON of nginx or Caddy")
	errTime = errors.New("the time is missing or cannot be read")
	errLong = fmt.Errorf("longer than %d MB", maxLine>>20)
)

// byteOrderMark is what some programs write before a text.
const byteOrderMark = "\ufeff"

// Read calls each for every request of a log, in its order, and returns what was counted. The log's
// name is not set. It stops at an error of each, or of r, and returns it with what was counted
// until then. An entry is each's to keep. A line that cannot be read, or is longer than [maxLine],
// is counted as unreadable and left out: it holds what a visitor has sent, so that a strange one is
// no reason to stop. Blank lines are not counted, but have a number. Of a log with the lines
//
//	203.0.113.7 - - [02/Jan/2026:15:04:05 +0000] "GET /a HTTP/1.1" 200 5 "-" "GPTBot"
//
//	hello
//
// each is called once, and there are 2 lines, 1 of them unreadable, with a fault in line 3.
func Read(r io.Reader, each func(*Entry) error) (stats Stats, err error) {
	in, err := uncompressed(r)
	if err != nil {
		return stats, err
	}
	lines := lineReader{in: in}
	for number := 1; ; number++ {
		line, err := lines.next()
		if err == io.EOF {
			return stats, nil
		} else if err != nil {
			return stats, err
		}
		if isFirst := number == 1; isFirst {
			line = bytes.TrimPrefix(line, []byte(byteOrderMark))
		}
		if len(line) <= maxLine { // else parse refuses it
			line = bytes.TrimSpace(line)
		}
		if len(line) == 0 {
			continue
		}
		stats.Lines++
		entry, fault := parse(line)
		if fault != nil {
			stats.addFault(number, fault)
		} else if err := each(entry); err != nil {
			return stats, err
		}
	}
}

// uncompressed reads r or, if it begins as gzip does, what is compressed there. It is an error if
// that has no whole header of gzip.
func uncompressed(r io.Reader) (*bufio.Reader, error) {
	const gzipMagic = "\x1f\x8b"
	in := bufio.NewReader(r)
	begin, _ := in.Peek(len(gzipMagic)) // fewer bytes of a shorter log
	if string(begin) != gzipMagic {
		return in, nil
	}
	unzipped, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	return bufio.NewReader(unzipped), nil
}

// addFault counts a line that cannot be read. The first one is named.
func (s *Stats) addFault(line int, fault error) {
	s.Unreadable++
	if s.Unreadable == 1 {
		s.Fault = fmt.Errorf("line %d: %w", line, fault)
	}
}

// A lineReader reads lines one after another, into the same memory.
type lineReader struct {
	in   *bufio.Reader
	line []byte
}

// next is the next line with its end, valid until the one after it. Of one that is longer than
// maxLine it returns the beginning, which is longer too. At the end of the log there is no line,
// and the error is io.EOF; any other error is the reader's.
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

// parse reads a line that is not empty. The error is the fault: errLong, errForm or errTime.
func parse(line []byte) (*Entry, error) {
	if len(line) > maxLine {
		return nil, errLong
	}
	if line[0] == '{' {
		return parseJSON(line)
	}
	m := combined.FindStringSubmatch(string(line))
	if m == nil {
		return nil, errForm
	}
	host, client, at, request, status, userAgent := m[1], m[2], m[3], m[4], m[5], m[6]
	e := &Entry{UserAgent: unescape(userAgent)}
	e.Host, e.Address = hostAndAddress(host, client)
	return e, e.set(unescape(request), status, at)
}

// hostAndAddress reads the first two words of a line: a virtual host, which may be "", and the
// client. If the first word is a bare address, it may be the client's, or the host that the client
// asked for, and the second word may come from a header, which anybody can send: that address
// counts only if the second word does not contradict it.
func hostAndAddress(host, client string) (string, netip.Addr) {
	first, err := netip.ParseAddr(host)
	if err != nil {
		return host, parseAddress(client)
	}
	second := parseAddress(client)
	if second.IsValid() && second != first.Unmap() || strings.HasPrefix(client, "unix:") {
		return "", netip.Addr{}
	}
	return "", parseAddress(host)
}

// combined matches a line of Combined Log Format: virtual host, address, user, time, request,
// status, size, referrer and user agent. Common Log Format lacks the last two. The user, who may
// have brackets in his name, is whatever comes before the first time. The second word is "-",
// unless the server asks the client's own machine who he is (RFC 1413).
var combined = lazyregexp.New(`^(?:(\S+) )?(\S+) - .+? ` +
	`\[(\d\d/\w{3}/\d{4}:[\d:]{8} [+-]\d{4}|\d{4}-\d\d-\d\dT[^\]]+)\] ` +
	`"((?:[^"\\]|\\.)*)" (\d{3}|-) ` +
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

// fields are the members of a JSON object.
type fields map[string]any

// first is the value of the first of these members that holds a text, a number, or a list that
// begins with one; "" for none.
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
	var e *Entry
	var request string
	if asked, isCaddy := f["request"].(map[string]any); isCaddy {
		e, request = entryOfCaddy(asked)
	} else if f["request"] == nil && f.first("request_uri") == "" {
		return nil, errForm
	} else {
		e, request = entryOfNginx(f)
	}
	return e, e.set(request, f.first("status"),
		f.first("time_iso8601", "time_local", "msec", "ts", "time"))
}

// entryOfCaddy reads the request of an object of Caddy. It returns the request line, too.
func entryOfCaddy(asked fields) (e *Entry, request string) {
	headers, _ := asked["headers"].(map[string]any)
	return &Entry{Host: asked.first("host"), UserAgent: fields(headers).first("User-Agent"),
			// client_ip is what trusted_proxies make of remote_ip.
			Address: parseAddress(asked.first("client_ip", "remote_ip"))},
		asked.first("method") + " " + asked.first("uri")
}

// entryOfNginx reads an object whose members are variables of nginx. It returns the request line,
// too.
func entryOfNginx(f fields) (e *Entry, request string) {
	method := cmp.Or(f.first("request_method"), "-")
	return &Entry{Host: f.first("http_host", "host", "server_name"),
			UserAgent: f.first("http_user_agent"),
			Address:   parseAddress(f.first("remote_addr"))},
		cmp.Or(f.first("request"), strings.TrimSpace(method+" "+f.first("request_uri")))
}

// requestLine is the first line of a request. A target with spaces, which none may have, is kept
// whole; "-" and the first bytes of TLS are no request.
var requestLine = lazyregexp.New(`(?s)^([A-Za-z_-]+) (.*?)(?: HTTP/\S*)?$`)

// set reads what every log has as text: the request line, the status, and the time.
func (e *Entry) set(request, status, at string) (err error) {
	if m := requestLine.FindStringSubmatch(request); m != nil {
		e.Method, e.Target = m[1], m[2]
	}
	if n, err := strconv.ParseUint(status, 10, 10); err == nil {
		e.Status = int(n)
	} else if status != "-" {
		return errForm
	}
	e.Time, err = parseTime(at)
	return err
}

// parseTime reads a time as Apache and nginx write it, in RFC 3339, or in seconds since 1970.
func parseTime(text string) (time.Time, error) {
	for _, layout := range []string{"02/Jan/2006:15:04:05 -0700", time.RFC3339} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), nil
		}
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if isTime := err == nil && seconds >= 0 && seconds < 1e11; !isTime { // nor is NaN
		return time.Time{}, errTime
	}
	return time.UnixMilli(int64(seconds * 1000)).UTC(), nil
}

// parseAddress reads an address, with or without a port or brackets. It is the zero address if
// there is none.
func parseAddress(text string) netip.Addr {
	if a, err := netip.ParseAddrPort(text); err == nil {
		return a.Addr().Unmap()
	}
	a, _ := netip.ParseAddr(strings.Trim(text, "[]"))
	return a.Unmap()
}
