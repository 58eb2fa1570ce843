package verify

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	maxHeader      = 256 << 10        // bytes of an answer's headers
	connectTimeout = 15 * time.Second // and again for the handshake of TLS
)

// Transport returns what sends requests over the network. Without private it connects to public addresses alone.
// That is checked when the connection is made, on the address that the name resolved to, so that a name which resolves
// otherwise the second time gains nothing.
//
// The environment's proxy is used with private alone, because a proxy hides which address is connected to.
func Transport(private bool, concurrency int) *http.Transport {
	dialer := &net.Dialer{Timeout: connectTimeout}
	t := &http.Transport{
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    concurrency,
		IdleConnTimeout:        30 * time.Second,
		TLSHandshakeTimeout:    connectTimeout,
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
	if err != nil || !public(a.Addr()) {
		return fmt.Errorf("%w (%s)", ErrPrivate, a.Addr())
	}
	return nil
}

// special are networks within those of unicast that are not public and that package netip does not know: this network,
// carriers' shared addresses, protocol assignments, documentation, 6to4 relays, benchmarks, reserved ones, Teredo.
// https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry, as of 2026-11-20
var special = func() (networks []netip.Prefix) {
	for text := range strings.FieldsSeq(`0.0.0.0/8 100.64.0.0/10 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15
		198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 2001::/23 2001:db8::/32 3fff::/20`) {
		networks = append(networks, netip.MustParsePrefix(text))
	}
	return networks
}()

var (
	unicast6  = netip.MustParsePrefix("2000::/3")     // all that is given out of IPv6
	sixToFour = netip.MustParsePrefix("2002::/16")    // holds an address of IPv4 after 16 bits
	nat64     = netip.MustParsePrefix("64:ff9b::/96") // holds one in its last 32 bits
)

// public reports whether an address is one of the public network. One that holds an address of IPv4 is as public as
// that.
func public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	switch {
	case nat64.Contains(a):
		return public(netip.AddrFrom4([4]byte(a.AsSlice()[12:16])))
	case sixToFour.Contains(a):
		return public(netip.AddrFrom4([4]byte(a.AsSlice()[2:6])))
	case !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !unicast6.Contains(a):
		return false
	}
	return !slices.ContainsFunc(special, func(n netip.Prefix) bool { return n.Contains(a) })
}
