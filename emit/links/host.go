package links

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// A Host is a pattern of host names. The zero Host fits none.
type Host struct {
	text  string // "*" fits every host
	below bool   // "*.": the names below, and not the name itself
	name  string // normalized
	port  int    // 0 for any
}

// ParseHost reads a pattern: "example.com" is that host; "*.example.com" every host below it, and
// not itself, as in a content security policy (https://www.w3.org/TR/CSP3/#match-hosts); "*" every
// host. Without a port it fits every port; "example.com:8080" fits one, and 80 and 443 are those of
// http and https.
//
// Names compare as browsers compare them: in any case, "münchen.example" as
// "xn--mnchen-3ya.example", and without regard to dots at the end.
func ParseHost(text string) (Host, error) {
	fault := func(why string) (Host, error) { return Host{}, fmt.Errorf("host %q: %s", text, why) }
	rest := strings.TrimSpace(text)
	h := Host{text: rest}
	if rest == "*" {
		return h, nil
	}
	if strings.ContainsAny(rest, `/\@?#`) {
		return fault("a host name is wanted, not a URL")
	}
	rest, h.below = strings.CutPrefix(rest, "*.")
	if strings.Contains(rest, "*") {
		return fault(`"*" must be alone, or be "*." at the start`)
	}
	name, port, err := split(rest)
	if err != nil {
		return fault(err.Error())
	}
	if port == 0 && len(name) < len(rest) {
		return fault("the port is missing")
	}
	if h.name, err = normalize(name); err != nil {
		return fault(err.Error())
	}
	h.port = port
	return h, nil
}

// String returns the pattern as it was written, trimmed.
func (h Host) String() string { return h.text }

// fit reports whether one of the patterns fits the host of a place.
func fit(patterns []Host, p place) bool {
	for _, h := range patterns {
		if h.text == "*" {
			return true
		}
		if h.name == "" || h.port != 0 && h.port != p.port {
			continue
		}
		above, ok := strings.CutSuffix(p.host, h.name)
		if ok && (!h.below && above == "" || h.below && strings.HasSuffix(above, ".")) {
			return true
		}
	}
	return false
}

// maxHost is more bytes than any host name has, percent-encoded ones included: DNS stops at 253
// characters (https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4). Mapping a long one to ASCII
// would take a square of time.
const maxHost = 2048

var errHost = errors.New("no host name")

// split divides a host from its port; 0 where there is none. The name may be wrong still.
//
// https://url.spec.whatwg.org/#host-state
func split(v string) (name string, port int, err error) {
	end := strings.LastIndexByte(v, ':')
	if end <= strings.LastIndexByte(v, ']') { // within an address of IPv6
		return v, 0, nil
	}
	if digits := v[end+1:]; len(digits) > 0 {
		n, err := strconv.ParseUint(digits, 10, 16)
		if port = int(n); err != nil {
			return "", 0, errors.New("the port is not a number up to 65535")
		}
	}
	return v[:end], port, nil
}

// profile maps a name to ASCII as URLs do
// (https://url.spec.whatwg.org/#concept-domain-to-ascii).
var profile = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.CheckHyphens(false),
	idna.StrictDomainName(false), idna.VerifyDNSLength(false), idna.BidiRule())

// normalize returns the one spelling of a host name or an address, without its port, or errHost if
// it is none. [ParseHost] calls it for a pattern and [resolve] for a link, so that the two compare
// byte by byte:
//
//	M%C3%BCnchen.example.   xn--mnchen-3ya.example (all dots at the end are left out)
//	[2001:DB8:0::1]         [2001:db8::1]
//	127.1                   127.1
//
// A browser reads 127.1 as 127.0.0.1. Here they are two hosts, so that a link from one to the other
// leads away.
//
// https://url.spec.whatwg.org/#concept-host-parser
func normalize(host string) (string, error) {
	if len(host) > maxHost {
		return "", errHost
	}
	if strings.HasPrefix(host, "[") {
		return normalizeIPv6(host)
	}
	name, err := toASCII(host)
	if err != nil {
		return "", errHost
	}
	name = strings.TrimRight(name, ".")
	if name == "" || strings.ContainsFunc(name, isForbidden) {
		return "", errHost
	}
	return strings.ToLower(name), nil
}

// toASCII is a name in the ASCII that DNS has, its percent-encoding decoded. A name that has
// neither an encoded nor another letter than ASCII's stays as it is, whatever is in it. One that
// cannot be read is an error.
func toASCII(name string) (string, error) {
	isOther := func(r rune) bool { return r == '%' || r >= 0x80 }
	if !strings.ContainsFunc(name, isOther) {
		return name, nil
	}
	// PathUnescape refuses a % without two digits. A browser keeps it, and refuses it as forbidden.
	decoded, err := url.PathUnescape(name)
	if err != nil {
		return "", err
	}
	return profile.ToASCII(decoded)
}

// normalizeIPv6 is normalize for an address of IPv6, in brackets.
func normalizeIPv6(host string) (string, error) {
	literal := strings.TrimSuffix(host[len("["):], "]")
	address, err := netip.ParseAddr(literal)
	if err != nil || !strings.HasSuffix(host, "]") || !address.Is6() || address.Zone() != "" {
		return "", errHost
	}
	return "[" + address.String() + "]", nil
}

// isForbidden reports whether no domain may hold a character: a control, a blank, what is not
// ASCII, and some signs (https://url.spec.whatwg.org/#forbidden-domain-code-point).
func isForbidden(r rune) bool {
	return r <= ' ' || r >= 0x7F || strings.ContainsRune(`#%/:<>?@[\]^|`, r)
}
