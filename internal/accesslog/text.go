package accesslog

import (
	"errors"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Faults of a line. They carry nothing of it: a line may hold a visitor's address.
var (
	errNoTime    = errors.New("no time in brackets: neither Common, Combined nor JSON")
	errNoRequest = errors.New("no request in quotes behind the time")
	errNoStatus  = errors.New("no status behind the request")
)

// readText reads a line in Common or Combined form.
func readText(line string) (*Entry, error) {
	var e Entry
	rest, ok := e.readTime(line)
	if !ok {
		return nil, errNoTime
	}
	request, rest, ok := quoted(rest)
	if !ok {
		return nil, errNoRequest
	}
	e.setRequest(request)
	status, rest := word(rest)
	if e.Status, ok = parseStatus(status); !ok && status != "-" {
		return nil, errNoStatus
	}
	_, rest = word(rest)                                                       // bytes
	for _, field := range []*string{new(string), &e.UserAgent, &e.Forwarded} { // the first is the Referer
		value, after, ok := quoted(rest)
		if !ok {
			break
		}
		if rest = after; value != "-" {
			*field = value
		}
	}
	return &e, nil
}

// readTime finds the time, which may not be the first thing in brackets: the name of a user may have some too. It reads
// what stands before and returns what follows.
func (e *Entry) readTime(line string) (rest string, ok bool) {
	for from := 0; ; from++ {
		begin := strings.IndexByte(line[from:], '[')
		if begin < 0 {
			return "", false
		}
		from += begin
		text, rest, closed := strings.Cut(line[from+1:], "]")
		if !closed {
			return "", false
		}
		if e.Time, ok = parseTime(text); ok {
			e.readClient(strings.Fields(line[:from]))
			return rest, true
		}
	}
}

// readClient reads what stands before the time: the address, a name and a user, perhaps behind the virtual host.
func (e *Entry) readClient(words []string) {
	if len(words) == 0 {
		return
	}
	e.Address = words[0]
	if len(words) < 4 {
		return
	}
	// Four words, or a user with a space in his name. What looks like an address is the client's; of two, the second
	// only where the first has a port, as a virtual host. Behind a bare one it may be a header that somebody writes
	// into the log, and that anybody can send.
	_, err := netip.ParseAddr(words[0])
	if err != nil && (parseAddr(words[1]).IsValid() || strings.Contains(words[0], ":")) {
		e.Host, e.Address = words[0], words[1]
	}
}

// httpMethod is what a request line begins with; "-", an empty line and the first bytes of TLS are none.
var httpMethod = regexp.MustCompile(`^[A-Za-z_-]+$`)

// setRequest takes a request line apart. A target with spaces, which none may have, is kept whole.
func (e *Entry) setRequest(line string) {
	method, target, ok := strings.Cut(line, " ")
	if !ok || !httpMethod.MatchString(method) {
		return
	}
	if i := strings.LastIndexByte(target, ' '); i >= 0 && strings.HasPrefix(target[i+1:], "HTTP/") {
		target = target[:i]
	}
	e.Method, e.Target = method, target
}

// word cuts the first word off.
func word(s string) (word, rest string) {
	word, rest, _ = strings.Cut(strings.TrimLeft(s, " "), " ")
	return word, rest
}

func parseStatus(text string) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 30)
	return int(n), err == nil
}

// quoted reads the text in quotes with which s begins.
func quoted(s string) (value, rest string, ok bool) {
	s = strings.TrimLeft(s, " ")
	if !strings.HasPrefix(s, `"`) {
		return "", "", false
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return unescape(s[1:i]), s[i+1:], true
		}
	}
	return "", "", false
}

// escaped is an escape of Apache or nginx.
var escaped = regexp.MustCompile(`\\(x[0-9A-Fa-f]{2}|["\\'/bfnrtv])`)

// unescape replaces escapes. What is none stays.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return escaped.ReplaceAllStringFunc(s, func(escape string) string {
		c, _, _, err := strconv.UnquoteChar(escape, '"')
		if err != nil { // \' and \/
			return escape[1:]
		}
		return string([]byte{byte(c)})
	})
}

// timeLayouts are those of times: as Apache and nginx write them in brackets, and RFC 3339.
var timeLayouts = []string{"02/Jan/2006:15:04:05 -0700", time.RFC3339}

func parseTime(text string) (time.Time, bool) {
	if len(text) < len(time.DateOnly) || len(text) > 40 || text[0] < '0' || text[0] > '9' {
		return time.Time{}, false // what stands in brackets is mostly a time, but any text may
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}
