package crawlers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"metarobots/internal/tables"
)

func addr(text string) netip.Addr { return netip.MustParseAddr(text) }

// prefixes are the ranges of a list.
func prefixes(l *List) (all []netip.Prefix) {
	for _, p := range l.Prefixes {
		for _, of := range []netip.Prefix{p.IPv4Prefix, p.IPv6Prefix} {
			if of != (netip.Prefix{}) {
				all = append(all, of)
			}
		}
	}
	return all
}

// The built-in ranges hold as many prefixes as their publishers' files, and addresses at their
// edges.
func TestHouse_BuiltInRangesAreThePublishers(t *testing.T) {
	v := NewVerifier()
	for _, l := range v.lists {
		if len(l.Prefixes) == 0 && l.Source == "" {
			continue // known by what is given alone, or by DNS
		}
		if !strings.HasPrefix(l.Source, "https://") || l.Checked == "" || len(l.Prefixes) == 0 {
			t.Errorf("%+v", l)
		}
		for _, p := range prefixes(l) {
			if !l.Contains(p.Addr()) || p != p.Masked() || p.Addr().IsPrivate() || p.Addr().Is4() && p.Bits() < 8 ||
				p.Addr().Is6() && p.Bits() < 20 { // one that wide would verify anybody
				t.Errorf("%s: %v", l.Name, p)
			}
		}
	}
	// 317 prefixes: 147 of /64, 23 of Google Cloud with one /27, and 147 of /27.
	google := v.lists["google-common"]
	var networks, addresses int64
	for _, p := range prefixes(google) {
		if p.Addr().Is6() {
			networks += 1 << (64 - p.Bits())
		} else {
			addresses += 1 << (32 - p.Bits())
		}
	}
	if networks != 147 || addresses != 22*16+32+147*32 {
		t.Errorf("%d networks, %d addresses", networks, addresses)
	}
	for text, want := range map[string]bool{
		"66.249.66.1": true, "66.249.79.95": true, "66.249.79.96": false, "66.249.79.128": true, "66.249.63.255": false,
		"::ffff:66.249.66.1":   true,
		"2001:4860:4801:10::1": true, "2001:4860:4801:4f::1": false, "0.0.0.0": false, "::": false,
		"255.255.255.255": false, "ffff::": false,
	} {
		if got := google.Contains(addr(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestHouse_RangesAreOldAfterHalfAYear(t *testing.T) {
	l := NewVerifier().lists["google-special"]
	for day, want := range map[string]bool{"2026-03-17": false, "2026-09-15": false, "2026-09-17": true,
		"2020-01-01": false} {
		now := tables.Value(time.Parse(time.DateOnly, day))(t)
		if got := l.Old(now); got != want {
			t.Errorf("%s: %v", day, got)
		}
	}
}

// zone is a Resolver.
type zone struct {
	names map[string][]string
	addrs map[string][]string
	err   error
	asked int
}

func (z *zone) LookupAddr(_ context.Context, a string) ([]string, error) {
	z.asked++
	if z.err != nil {
		return nil, z.err
	}
	if z.names[a] == nil {
		return nil, &net.DNSError{IsNotFound: true}
	}
	return z.names[a], nil
}

func (z *zone) LookupNetIP(_ context.Context, _, host string) (addrs []netip.Addr, err error) {
	for _, a := range z.addrs[host] {
		addrs = append(addrs, addr(a))
	}
	if addrs == nil {
		err = &net.DNSError{IsNotFound: true}
	}
	return addrs, err
}

// https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests: the name of the address, its
// domain, and back.
func TestGoogle_DNS(t *testing.T) {
	z := &zone{names: map[string][]string{}, addrs: map[string][]string{}}
	v := NewVerifier()
	ctx := context.Background()
	if got := v.Verify(ctx, Lookup("yandexbot"), addr("203.0.113.8")); got != Unknown {
		t.Errorf("Yandex publishes no ranges: %v", got)
	}
	v.Resolver = z
	for _, tt := range []struct {
		crawler, addr, names, back string // the names of the address, and the addresses of the last
		want                       State
	}{
		{"googlebot", "203.0.113.1", "crawl-203-0-113-1.googlebot.com.", "203.0.113.99 ::ffff:203.0.113.1", Verified},
		{"googlebot", "::ffff:203.0.113.1", "", "", Verified},
		{"yandexbot", "203.0.113.1", "crawl-203-0-113-1.googlebot.com.", "203.0.113.1", Claimed},
		{"yeti", "203.0.113.1", "", "", Unknown},
		{"googlebot", "203.0.113.2", "crawl-203-0-113-2.googlebot.com.", "203.0.113.1", Claimed}, // leads elsewhere
		{"googlebot", "203.0.113.3", "googlebot.com.example.org.", "203.0.113.3", Claimed},
		{"googlebot", "203.0.113.4", "evilgooglebot.com.", "203.0.113.4", Claimed},
		{"googlebot", "203.0.113.5", "host.example.org. CRAWL.Googlebot.COM.", "203.0.113.5", Verified},
		// Anybody's machine.
		{"googlebot", "203.0.113.6", "6.113.0.203.bc.googleusercontent.com.", "203.0.113.6", Claimed},
		{"googlebot", "203.0.113.7", "googlebot.com.", "203.0.113.7", Claimed},
		{"googlebot", "2001:db8::1", "crawl.googlebot.com.", "2001:db8::1", Verified},
		{"googlebot", "203.0.113.77", "", "", Claimed},
		{"googlebot", "203.0.113.8", "spider-203-0-113-8.yandex.com.", "203.0.113.8", Claimed},
		{"yandexbot", "203.0.113.8", "spider-203-0-113-8.yandex.com.", "203.0.113.8", Verified},
	} {
		if names := strings.Fields(tt.names); len(names) > 0 {
			z.names[tt.addr], z.addrs[names[len(names)-1]] = names, strings.Fields(tt.back)
		}
		if got := v.Verify(ctx, Lookup(tt.crawler), addr(tt.addr)); got != tt.want {
			t.Errorf("%s, %s: %v, want %v", tt.crawler, tt.addr, got, tt.want)
		}
	}
	asked := z.asked
	v.Verify(ctx, Lookup("googlebot"), addr("203.0.113.1"))
	v.Verify(ctx, Lookup("googlebot"), addr("66.249.66.1"))
	if z.asked != asked {
		t.Error("DNS is asked again, or about a published address")
	}
	if v.Verify(ctx, Lookup("googlebot"), netip.Addr{}) != Unknown {
		t.Error("no address is somebody's")
	}
}

// A resolver that does not answer is asked a few times, and says nothing about anybody.
func TestHouse_DNSIsGivenUp(t *testing.T) {
	z := &zone{err: errors.New("timeout")}
	v := NewVerifier()
	v.Resolver = z
	for i := range 100 {
		a := addr(fmt.Sprintf("203.0.113.%d", i))
		if got := v.Verify(context.Background(), Lookup("yandexbot"), a); got != Unknown {
			t.Fatal(got)
		}
		if got := v.Verify(context.Background(), Lookup("googlebot"), a); got != Claimed {
			t.Fatal(got)
		}
	}
	if z.asked != dnsFailures || v.Unanswered == "" {
		t.Errorf("asked %d times, %q", z.asked, v.Unanswered)
	}
	z, v = &zone{}, NewVerifier()
	v.Resolver = z
	for i := range dnsMost + 10 {
		v.Verify(context.Background(), Lookup("yandexbot"),
			netip.AddrFrom4([4]byte{203, byte(i >> 16), byte(i >> 8), byte(i)}))
	}
	if z.asked != dnsMost || v.Unanswered == "" {
		t.Errorf("asked %d times, %q", z.asked, v.Unanswered)
	}
}
