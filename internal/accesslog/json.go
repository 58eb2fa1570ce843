package accesslog

import (
	"bytes"
	"errors"
	"unicode/utf16"
	"unicode/utf8"
)

var (
	errJSON       = errors.New("JSON that cannot be read")
	errNoFields   = errors.New("a JSON object without the fields of a request")
	errNoJSONTime = errors.New("a JSON object whose time is missing or cannot be read")
)

// noun is what a field of a JSON object says.
type noun int

const (
	address noun = iota
	agent
	forwarded
	host
	method
	request // the whole request line
	status
	target
	timestamp
	nouns
)

// field is a noun and, where several fields say it, which goes first: the lowest rank.
type field struct {
	noun noun
	rank int
}

// fields are the names of fields, dots between those of nested objects, as servers and hosts document them (see the
// package). In an array the first element speaks, but of X-Forwarded-For, whose lines are all one list.
var fields = map[string]field{
	// nginx, by its variables; Apache and others by the same habit
	"remote_addr": {address, 2}, "http_user_agent": {agent, 1}, "http_x_forwarded_for": {forwarded, 1}, "host": {host, 2}, "http_host": {host, 1},
	"server_name": {host, 3}, "request_method": {method, 1}, "request": {request, 1}, "status": {status, 1}, "request_uri": {target, 1}, "uri": {target, 3},
	"time_iso8601": {timestamp, 1}, "time_local": {timestamp, 2}, "msec": {timestamp, 3}, "time": {timestamp, 4}, "@timestamp": {timestamp, 5},
	"remote_ip": {address, 4}, "x_forwarded_for": {forwarded, 2}, "vhost": {host, 4},
	// Caddy: client_ip is what its trusted_proxies say
	"request.client_ip": {address, 0}, "request.remote_ip": {address, 1}, "request.remote_addr": {address, 2}, "request.headers.User-Agent": {agent, 0},
	"request.headers.X-Forwarded-For": {forwarded, 0}, "request.host": {host, 0}, "request.method": {method, 0}, "request.uri": {target, 0}, "ts": {timestamp, 0},
	// Cloudflare Logpush
	"ClientIP": {address, 0}, "ClientRequestUserAgent": {agent, 0}, "ClientRequestHost": {host, 0}, "ClientRequestMethod": {method, 0},
	"EdgeResponseStatus": {status, 0}, "ClientRequestURI": {target, 0}, "ClientRequestPath": {target, 5}, "EdgeStartTimestamp": {timestamp, 0},
	// Netlify
	"client_ip": {address, 3}, "user_agent": {agent, 2}, "method": {method, 3}, "status_code": {status, 2}, "url": {target, 2}, "path": {target, 4}, "timestamp": {timestamp, 6},
	// Vercel
	"proxy.clientIp": {address, 0}, "proxy.userAgent": {agent, 0}, "proxy.host": {host, 0}, "proxy.method": {method, 0}, "proxy.statusCode": {status, 0},
	"proxy.path": {target, 0}, "proxy.timestamp": {timestamp, 0},
}

const unset = 1 << 10

// json reads a line that is an object.
func (p *parser) json(line []byte) error {
	p.begin()
	rest, err := p.value(line, 0)
	if err != nil {
		return err
	}
	if len(space(rest)) > 0 {
		return errJSON
	}
	return p.object()
}

// begin forgets what the object before said.
func (p *parser) begin() {
	for i := range p.rank {
		p.rank[i] = unset
	}
	p.path, p.named = p.path[:0], false
}

// array reads a line that is an array of objects, and calls each for every one.
func (p *parser) array(line []byte, each func(error) error) error {
	rest := space(line[1:])
	for first := true; ; first = false {
		rest = space(rest)
		switch {
		case len(rest) == 0:
			return errJSON
		case rest[0] == ']' && len(space(rest[1:])) == 0:
			return nil
		case !first && rest[0] == ',':
			rest = space(rest[1:])
		case !first:
			return errJSON
		}
		if len(rest) == 0 || rest[0] != '{' {
			return errJSON
		}
		p.reset()
		p.begin()
		var err error
		if rest, err = p.value(rest, 0); err != nil {
			return err
		}
		if err := each(p.object()); err != nil {
			return err
		}
	}
}

// object checks what an object said.
func (p *parser) object() error {
	e := &p.entry
	if p.rank[request] != unset && (p.rank[target] == unset || p.rank[method] == unset) {
		split(p.request, e)
	}
	if len(e.Target) == 0 && !p.named || p.rank[status] == unset { // what spoke no HTTP has no target
		return errNoFields
	}
	if e.Time.IsZero() {
		return errNoJSONTime
	}
	return nil
}

const maxDepth = 64

// value reads one value at p.path and returns what follows it.
func (p *parser) value(b []byte, depth int) (rest []byte, err error) {
	b = space(b)
	if len(b) == 0 || depth > maxDepth {
		return nil, errJSON
	}
	switch b[0] {
	case '{', '[':
		return p.members(b, depth)
	case '"':
		value, rest, ok := p.string(b)
		if !ok {
			return nil, errJSON
		}
		p.leaf(value)
		return rest, nil
	}
	n := bytes.IndexAny(b, ",]} \t\r\n")
	if n < 0 {
		n = len(b)
	}
	if !literal(b[:n]) {
		return nil, errJSON
	}
	if b[0] != 'n' {
		p.leaf(b[:n])
	}
	return b[n:], nil
}

// members reads an object or an array.
func (p *parser) members(b []byte, depth int) (rest []byte, err error) {
	object, end := b[0] == '{', b[0]+2 // ] is two behind [, } two behind {
	length := len(p.path)
	b = b[1:]
	for first := true; ; first = false {
		if b = space(b); len(b) == 0 {
			return nil, errJSON
		}
		if b[0] == end {
			return b[1:], nil
		}
		if !first {
			if b[0] != ',' {
				return nil, errJSON
			}
			if b = space(b[1:]); len(b) > 0 && b[0] == end {
				return nil, errJSON
			}
		}
		if object {
			key, rest, ok := p.string(b)
			if rest = space(rest); !ok || len(rest) == 0 || rest[0] != ':' {
				return nil, errJSON
			}
			b = rest[1:]
			if length > 0 {
				p.path = append(p.path, '.')
			}
			p.path = append(p.path, key...)
		}
		b, err = p.value(b, depth+1)
		p.path = p.path[:length]
		if err != nil {
			return nil, err
		}
	}
}

// leaf takes a text, a number or a boolean in.
func (p *parser) leaf(value []byte) {
	f, ok := fields[string(p.path)]
	if p.options.AddressField != "" && string(p.path) == p.options.AddressField {
		f, ok = field{address, -1}, true
	}
	if ok && f.noun == forwarded && f.rank == p.rank[forwarded] {
		// The header came in several lines, which are one list (RFC 9110, section 5.3). The last is the nearest proxy's.
		if len(p.lines) == 0 {
			p.lines = append(p.lines, p.entry.Forwarded...)
		}
		p.lines = append(append(p.lines, ", "...), value...)
		p.entry.Forwarded = p.lines
		return
	}
	p.named = p.named || ok && (f.noun == request || f.noun == target)
	if !ok || f.rank >= p.rank[f.noun] || len(value) == 0 || len(value) == 1 && value[0] == '-' {
		return
	}
	e := &p.entry
	switch f.noun {
	case address:
		e.Address = value
	case agent:
		e.UserAgent = value
	case forwarded:
		e.Forwarded, p.lines = value, p.lines[:0]
	case host:
		e.Host = value
	case method:
		e.Method = value
	case request:
		p.request = value
	case status:
		if e.Status, ok = number(value); !ok {
			return
		}
	case target:
		e.Target = value
	case timestamp:
		t, ok := p.time(value)
		if !ok {
			if t, ok = epoch(value); !ok {
				return
			}
		}
		e.Time = t
	}
	p.rank[f.noun] = f.rank
}

func space(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t' || b[0] == '\r' || b[0] == '\n') {
		b = b[1:]
	}
	return b
}

// literal reports whether b is a number, true, false or null.
func literal(b []byte) bool {
	switch string(b) {
	case "true", "false", "null":
		return true
	}
	digits := func() bool {
		n := 0
		for n < len(b) && '0' <= b[n] && b[n] <= '9' {
			n++
		}
		b = b[n:]
		return n > 0
	}
	if len(b) > 0 && b[0] == '-' {
		b = b[1:]
	}
	if len(b) > 1 && b[0] == '0' && '0' <= b[1] && b[1] <= '9' || !digits() {
		return false
	}
	if len(b) > 0 && b[0] == '.' {
		if b = b[1:]; !digits() {
			return false
		}
	}
	if len(b) > 0 && b[0]|0x20 == 'e' {
		if b = b[1:]; len(b) > 0 && (b[0] == '+' || b[0] == '-') {
			b = b[1:]
		}
		if !digits() {
			return false
		}
	}
	return len(b) == 0
}

// string reads a text in quotes, with which b is to begin. Bytes that are no UTF-8 stay: servers write what was sent.
func (p *parser) string(b []byte) (value, rest []byte, ok bool) {
	if len(b) == 0 || b[0] != '"' {
		return nil, nil, false
	}
	escaped := false
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case c == '\\':
			escaped = true
			i++
		case c == '"':
			if value = b[1:i]; escaped {
				if value, ok = p.unescapedJSON(value); !ok {
					return nil, nil, false
				}
			}
			return value, b[i+1:], true
		case c < ' ':
			return nil, nil, false
		}
	}
	return nil, nil, false
}

func (p *parser) unescapedJSON(b []byte) ([]byte, bool) {
	start := len(p.scratch)
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' {
			p.scratch = append(p.scratch, b[i])
			continue
		}
		if i++; i == len(b) {
			return nil, false
		}
		c := b[i]
		switch c {
		case '"', '\\', '/':
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, ok := unicode(b[i+1:])
			if !ok {
				return nil, false
			}
			i += 4
			if utf16.IsSurrogate(r) {
				pair := rune(utf8.RuneError)
				if len(b) > i+2 && b[i+1] == '\\' && b[i+2] == 'u' {
					if second, ok := unicode(b[i+3:]); ok {
						pair = utf16.DecodeRune(r, second)
					}
				}
				if r = pair; r != utf8.RuneError {
					i += 6
				}
			}
			p.scratch = utf8.AppendRune(p.scratch, r)
			continue
		default:
			return nil, false
		}
		p.scratch = append(p.scratch, c)
	}
	return p.scratch[start:len(p.scratch):len(p.scratch)], true
}

// unicode reads four hexadecimal digits.
func unicode(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		digit := hex(c)
		if digit < 0 {
			return 0, false
		}
		r = r<<4 | rune(digit)
	}
	return r, true
}
