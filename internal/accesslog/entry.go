package accesslog

import (
	"bytes"
	"net/netip"
	"strings"
	"time"
)

// An Entry is one request. Its bytes are the reader's: they are good until the function returns that was called with it.
// What the log does not tell is empty.
type Entry struct {
	// Host is the host that was asked, as it was logged, perhaps with a port.
	Host []byte
	// Address is the client's, in the log's own words: an IP address, or a name where the server looked names up.
	Address []byte
	// Forwarded is the X-Forwarded-For header.
	Forwarded []byte
	// Time is when, to the second or finer.
	Time time.Time
	// Method and Target are those of the request line. Both are empty where the request was none.
	Method, Target []byte
	// Status is that of the answer, 0 where none was sent.
	Status int
	// UserAgent is the User-Agent header.
	UserAgent []byte
}

// Client returns the address of the client; the zero address where the log has none. With proxies > 0 it is taken from
// X-Forwarded-For, to which each proxy adds the address that it was asked from: the last is the one that a single
// trusted proxy saw, and whatever stands further left anybody can have written.
func (e *Entry) Client(proxies int) netip.Addr {
	text := e.Address
	if proxies > 0 {
		text = e.Forwarded
		for ; proxies > 1; proxies-- {
			i := bytes.LastIndexByte(text, ',')
			text = text[:max(i, 0)]
		}
		text = text[bytes.LastIndexByte(text, ',')+1:]
	}
	return parseAddr(bytes.TrimSpace(text))
}

// parseAddr reads an address, with or without a port or brackets.
func parseAddr(b []byte) netip.Addr {
	if len(b) == 0 || len(b) > 64 {
		return netip.Addr{}
	}
	text := string(b)
	if a, err := netip.ParseAddr(text); err == nil {
		return a.Unmap()
	}
	if a, err := netip.ParseAddrPort(text); err == nil {
		return a.Addr().Unmap()
	}
	if a, err := netip.ParseAddr(strings.Trim(text, "[]")); err == nil {
		return a.Unmap()
	}
	return netip.Addr{}
}

// URL splits the target into the host that it names, which only an absolute one does, and the path with its query as
// they were sent; ok is false where the target is none of a page (*, or CONNECT's).
func (e *Entry) URL() (host, path, query []byte, ok bool) {
	t := e.Target
	if i := bytes.IndexByte(t, '#'); i >= 0 {
		t = t[:i]
	}
	if len(t) > 0 && t[0] != '/' {
		i := bytes.Index(t, []byte("://"))
		if i < 0 || bytes.ContainsAny(t[:i], "/?") {
			return nil, nil, nil, false
		}
		host = t[i+len("://"):]
		j := bytes.IndexAny(host, "/?")
		if j < 0 {
			j = len(host)
		}
		host, t = host[:j], host[j:]
		host = host[bytes.LastIndexByte(host, '@')+1:]
		if len(t) == 0 || t[0] == '?' { // the root, whose slash is not written
			return host, []byte("/"), bytes.TrimPrefix(t, []byte("?")), true
		}
	}
	path, query, _ = bytes.Cut(t, []byte("?"))
	return host, path, query, len(path) > 0
}
