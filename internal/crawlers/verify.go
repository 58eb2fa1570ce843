package crawlers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"metarobots/policy"
)

// A State says whether a request came from the crawler that its user agent names.
type State int

// The states.
const (
	// Unknown: nothing says whether it did, because no ranges are known and DNS was not asked, or gave no answer.
	Unknown State = iota
	// Claimed: it came from elsewhere, so it was probably not the crawler.
	Claimed
	// Verified: it came from the operator's addresses.
	Verified
)

func (s State) String() string { return [...]string{"unknown", "claimed", "verified"}[s] }

// A Verifier knows the addresses of crawlers. It is for one goroutine at a time.
type Verifier struct {
	// Resolver looks up addresses that no list has. It may be nil.
	Resolver Resolver
	lists    map[string]*List
	dns      dns
}

// NewVerifier returns a Verifier with the built-in ranges and no resolver.
func NewVerifier() *Verifier {
	return &Verifier{lists: builtIn(), dns: dns{known: map[question]State{}}}
}

// List returns the ranges of a crawler; nil where none are known.
func (v *Verifier) List(c *policy.Crawler) *List {
	if l := v.lists[c.Addresses]; l != nil && len(l.Prefixes) > 0 {
		return l
	}
	return nil
}

// Hosts returns the domains that the names of a crawler's addresses end in; nil where its operator documents none.
func (v *Verifier) Hosts(c *policy.Crawler) []string {
	if l := v.lists[c.Addresses]; l != nil {
		return l.Hosts
	}
	return nil
}

// Verify finds whether an address is one of a crawler's. The zero address is [Unknown].
func (v *Verifier) Verify(ctx context.Context, c *policy.Crawler, a netip.Addr) State {
	l := v.lists[c.Addresses]
	switch {
	case l == nil || !a.IsValid():
		return Unknown
	case l.Contains(a):
		return Verified
	}
	if v.Resolver != nil && l.Hosts != nil {
		if s := v.dns.verify(ctx, v.Resolver, l, a.Unmap().WithZone("")); s != Unknown {
			return s
		}
	}
	if len(l.Prefixes) > 0 {
		return Claimed
	}
	return Unknown
}

// Unanswered says why DNS was given up; empty if it was not.
func (v *Verifier) Unanswered() string { return v.dns.gaveUp }

// A Resolver asks DNS; *[net.Resolver] is one.
type Resolver interface {
	LookupAddr(ctx context.Context, addr string) (names []string, err error)
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Bounds of what is asked, since anybody can write addresses into a log.
const (
	dnsTimeout  = 3 * time.Second // for one address
	dnsMost     = 5000            // addresses
	dnsFailures = 8               // without an answer, one after the other
)

// dns asks for each address once.
type dns struct {
	known    map[question]State
	failures int
	gaveUp   string
}

// question is an address, and whose it should be.
type question struct {
	addr netip.Addr
	list string
}

func (d *dns) verify(ctx context.Context, r Resolver, l *List, a netip.Addr) State {
	q := question{a, l.Name}
	if s, ok := d.known[q]; ok {
		return s
	}
	switch {
	case d.gaveUp != "" || ctx.Err() != nil:
		return Unknown
	case len(d.known) >= dnsMost:
		d.gaveUp = fmt.Sprintf("DNS was asked about %d addresses and no more", dnsMost)
		return Unknown
	}
	s := ask(ctx, r, l.Hosts, a)
	if d.known[q] = s; s != Unknown {
		d.failures = 0
	} else if d.failures++; d.failures == dnsFailures {
		d.gaveUp = fmt.Sprintf("DNS was not asked on after %d questions without an answer", dnsFailures)
	}
	return s
}

// ask looks the address's names up, and of those in the operator's domains the addresses.
func ask(ctx context.Context, r Resolver, domains []string, a netip.Addr) State {
	ctx, cancel := context.WithTimeout(ctx, dnsTimeout)
	defer cancel()
	names, err := r.LookupAddr(ctx, a.String())
	if err != nil && !notFound(err) {
		return Unknown
	}
	state := Claimed
	for _, name := range names {
		if !within(name, domains) {
			continue
		}
		addrs, err := r.LookupNetIP(ctx, "ip", name)
		if err != nil && !notFound(err) {
			state = Unknown
		}
		if slices.ContainsFunc(addrs, func(b netip.Addr) bool { return b.Unmap() == a }) {
			return Verified
		}
	}
	return state
}

func notFound(err error) bool {
	var e *net.DNSError
	return errors.As(err, &e) && e.IsNotFound
}

// within reports whether a host's name is in one of the domains.
func within(name string, domains []string) bool {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	return slices.ContainsFunc(domains, func(domain string) bool { return strings.HasSuffix(name, "."+domain) })
}
