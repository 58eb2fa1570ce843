package accesslog

import (
	"bytes"
	"errors"
	"net/netip"
)

// Faults of a line. They carry nothing of it: a line may hold a visitor's address.
var (
	errNoTime    = errors.New("no time in brackets: neither Common, Combined nor JSON")
	errNoRequest = errors.New("no request in quotes behind the time")
	errNoStatus  = errors.New("no status behind the request")
)

// text reads a line in Common or Combined form.
func (p *parser) text(line []byte) error {
	e := &p.entry
	head, rest, ok := p.timed(line)
	if !ok {
		return errNoTime
	}
	p.client(head)
	if rest = bytes.TrimLeft(rest, " "); len(rest) == 0 || rest[0] != '"' {
		return errNoRequest
	}
	request, rest, ok := p.quoted(rest)
	if !ok {
		return errNoRequest
	}
	split(request, e)
	status, rest := word(rest)
	if e.Status, ok = number(status); !ok && string(status) != "-" {
		return errNoStatus
	}
	_, rest = word(rest) // bytes
	for i := range 3 {
		var value []byte
		if rest = bytes.TrimLeft(rest, " "); len(rest) == 0 || rest[0] != '"' {
			break
		}
		if value, rest, ok = p.quoted(rest); !ok || len(value) == 1 && value[0] == '-' {
			value = nil
		}
		switch i {
		case 1:
			e.UserAgent = value
		case 2:
			e.Forwarded = value
		}
	}
	return nil
}

// timed finds the time, which may not be the first thing in brackets: the name of a user may have some too.
func (p *parser) timed(line []byte) (head, rest []byte, ok bool) {
	for from := 0; ; {
		i := bytes.IndexByte(line[from:], '[')
		if i < 0 {
			return nil, nil, false
		}
		i += from
		end := bytes.IndexByte(line[i:], ']')
		if end < 0 {
			return nil, nil, false
		}
		if p.entry.Time, ok = p.time(line[i+1 : i+end]); ok {
			return line[:i], line[i+end+1:], true
		}
		from = i + 1
	}
}

// client reads what stands before the time: the address, a name and a user, perhaps behind the virtual host.
func (p *parser) client(head []byte) {
	e := &p.entry
	first, rest := word(head)
	second, rest := word(rest)
	third, rest := word(rest)
	if fourth, _ := word(rest); len(fourth) > 0 && len(third) > 0 { // four words, or a user with a space in his name
		// What looks like an address is the client's; of two, the second only where the first has a port, as a virtual host.
		// Behind a bare one it may be a header that somebody writes into the log, and that anybody can send.
		if _, err := netip.ParseAddr(string(first)); err != nil && (parseAddr(second).IsValid() || bytes.IndexByte(first, ':') > 0) {
			e.Host, e.Address = first, second
			return
		}
	}
	e.Address = first
}

// split takes a request line apart. A target with spaces, which none may have, is kept whole.
func split(request []byte, e *Entry) {
	method, rest, ok := bytes.Cut(request, []byte(" "))
	if !ok || !isToken(method) {
		return // "-", an empty line, the first bytes of TLS
	}
	if i := bytes.LastIndexByte(rest, ' '); i >= 0 && bytes.HasPrefix(rest[i+1:], []byte("HTTP/")) {
		rest = rest[:i]
	}
	e.Method, e.Target = method, rest
}

func isToken(b []byte) bool {
	for _, c := range b {
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '-' && c != '_' {
			return false
		}
	}
	return len(b) > 0
}

// word cuts the first word off.
func word(b []byte) (word, rest []byte) {
	b = bytes.TrimLeft(b, " ")
	if i := bytes.IndexByte(b, ' '); i >= 0 {
		return b[:i], b[i:]
	}
	return b, nil
}

// number reads a few digits.
func number(b []byte) (n int, ok bool) {
	if len(b) == 0 || len(b) > 9 {
		return 0, false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// quoted reads a text in quotes, with which b begins.
func (p *parser) quoted(b []byte) (value, rest []byte, ok bool) {
	escaped := false
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			escaped = true
			i++
		case '"':
			value = b[1:i]
			if escaped {
				value = p.unescaped(value)
			}
			return value, b[i+1:], true
		}
	}
	return nil, nil, false
}

// unescaped replaces the escapes of Apache and nginx. What is no escape stays.
func (p *parser) unescaped(b []byte) []byte {
	start := len(p.scratch)
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			p.scratch = append(p.scratch, b[i])
			continue
		}
		i++
		c := b[i]
		switch c {
		case '"', '\\', '\'', '/':
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
		case 'v':
			c = '\v'
		case 'x':
			if i+2 < len(b) {
				if high, low := hex(b[i+1]), hex(b[i+2]); high >= 0 && low >= 0 {
					c = byte(high<<4 | low)
					i += 2
					break
				}
			}
			p.scratch = append(p.scratch, '\\')
		default:
			p.scratch = append(p.scratch, '\\')
		}
		p.scratch = append(p.scratch, c)
	}
	return p.scratch[start:len(p.scratch):len(p.scratch)]
}

func hex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
