package accesslog

import (
	"net/netip"
	"strings"
	"time"
)

// An Entry is one request. What the log does not tell is empty.
type Entry struct {
	// Host is the host that was asked, as it was logged, perhaps with a port.
	Host string
	// Address is the client's, in the log's own words: an IP address, or a name where the server looked names up.
	Address string
	// Forwarded is the X-Forwarded-For header.
	Forwarded string
	// Time is when, to the second or finer.
	Time time.Time
	// Method and Target are those of the request line. Both are empty where the request was none.
	Method, Target string
	// Status is that of the answer, 0 where none was sent.
	Status int
	// UserAgent is the User-Agent header.
	UserAgent string
}

// Client returns the address of the client; the zero address where the log has none. With proxies > 0 it is taken from
// X-Forwarded-For, to which each proxy adds the address that it was asked from: the last is the one that a single
// trusted proxy saw, and whatever stands further left anybody can have written.
func (e *Entry) Client(proxies int) netip.Addr {
	if proxies == 0 {
		return parseAddr(e.Address)
	}
	list := strings.Split(e.Forwarded, ",")
	if proxies > len(list) {
		return netip.Addr{}
	}
	return parseAddr(strings.TrimSpace(list[len(list)-proxies]))
}

// parseAddr reads an address, with or without a port or brackets.
func parseAddr(text string) netip.Addr {
	if a, err := netip.ParseAddrPort(text); err == nil {
		return a.Addr().Unmap()
	}
	a, _ := netip.ParseAddr(strings.Trim(text, "[]")) // the zero address where it is none
	return a.Unmap()
}

// URL splits the target into the host that it names, which only an absolute one does, and the path with its query as
// they were sent; ok is false where the target is none of a page (*, or CONNECT's).
func (e *Entry) URL() (host, path, query string, ok bool) {
	t, _, _ := strings.Cut(e.Target, "#")
	if scheme, rest, found := strings.Cut(t, "://"); found && scheme != "" && !strings.ContainsAny(scheme, "/?") {
		i := strings.IndexAny(rest+"/", "/?")
		host = rest[strings.LastIndexByte(rest[:i], '@')+1 : i]
		if t = rest[i:]; !strings.HasPrefix(t, "/") { // the root, whose slash is not written
			t = "/" + t
		}
	}
	path, query, _ = strings.Cut(t, "?")
	return host, path, query, strings.HasPrefix(path, "/")
}
