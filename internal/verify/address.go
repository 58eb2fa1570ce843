package verify

import "net/netip"

// special are networks within those of unicast that are not public.
// https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry, as of 2026-11-20
var special = func() (networks []netip.Prefix) {
	for _, text := range []string{
		"0.0.0.0/8",       // this network
		"10.0.0.0/8",      // private
		"100.64.0.0/10",   // shared, of carriers
		"127.0.0.0/8",     // loopback
		"169.254.0.0/16",  // link-local, the metadata of clouds among them
		"172.16.0.0/12",   // private
		"192.0.0.0/24",    // protocol assignments
		"192.0.2.0/24",    // documentation
		"192.88.99.0/24",  // 6to4 relays, given up
		"192.168.0.0/16",  // private
		"198.18.0.0/15",   // benchmarks
		"198.51.100.0/24", // documentation
		"203.0.113.0/24",  // documentation
		"224.0.0.0/4",     // multicast
		"240.0.0.0/4",     // reserved, broadcast
		"2001::/23",       // protocol assignments, Teredo
		"2001:db8::/32",   // documentation
		"3fff::/20",       // documentation
	} {
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
	if !a.IsValid() {
		return false
	}
	if a.Is6() {
		b := a.As16()
		switch {
		case nat64.Contains(a):
			return public(netip.AddrFrom4([4]byte(b[12:16])))
		case sixToFour.Contains(a):
			return public(netip.AddrFrom4([4]byte(b[2:6])))
		case !unicast6.Contains(a):
			return false
		}
	}
	for _, n := range special {
		if n.Contains(a) {
			return false
		}
	}
	return true
}
