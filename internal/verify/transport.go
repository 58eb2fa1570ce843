package verify

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// maxHeader is how many bytes the headers of an answer may have.
const maxHeader = 256 << 10

// Transport returns what sends requests over the network. Without private it connects to public addresses alone.
// That is checked when the connection is made, on the address that the name resolved to, so that a name which resolves
// otherwise the second time gains nothing.
//
// The environment's proxy is used with private alone, because a proxy hides which address is connected to.
func Transport(private bool, concurrency int) *http.Transport {
	dialer := &net.Dialer{Timeout: 15 * time.Second}
	t := &http.Transport{
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    concurrency,
		IdleConnTimeout:        30 * time.Second,
		TLSHandshakeTimeout:    15 * time.Second,
		MaxResponseHeaderBytes: maxHeader,
	}
	if private {
		t.Proxy = http.ProxyFromEnvironment
	} else {
		dialer.Control = func(_, address string, _ syscall.RawConn) error { return checkAddress(address) }
	}
	t.DialContext = dialer.DialContext
	return t
}

// checkAddress returns ErrPrivate for an address, with its port, that is not public.
func checkAddress(address string) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w (%s)", ErrPrivate, address)
	}
	if !public(a.Addr()) {
		return fmt.Errorf("%w (%s)", ErrPrivate, a.Addr())
	}
	return nil
}
