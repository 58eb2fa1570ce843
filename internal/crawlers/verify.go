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
	Unknown  State = iota // no ranges are known, and DNS was not asked or gave no answer
	Claimed               // it came from elsewhere, so it was probably not the crawler
	Verified              // it came from the operator's addresses
)

// A Verifier knows the addresses of crawlers. It is for one goroutine at a time.
type Verifier struct {
	// Resolver looks up addresses that no list has. It may be nil.
	Resolver Resolver
	// Unanswered says why DNS was given up; empty if it was not.
	Unanswered string

	lists    map[string]*List
	known    map[question]State // what DNS was asked
	failures int                // without an answer, one after the other
}

// question is an address, and whose it should be.
type question struct {
	addr netip.Addr
	list *List
}

// NewVerifier returns a Verifier with the built-in ranges and no resolver.
func NewVerifier() *Verifier { return &Verifier{lists: builtIn(), known: map[question]State{}} }

// List returns what is known of a crawler's addresses; nil for nothing.
func (v *Verifier) List(c *policy.Crawler) *List { return v.lists[c.Addresses] }

// Verify finds whether an address is one of a crawler's. The zero address is [Unknown].
func (v *Verifier) Verify(ctx context.Context, c *policy.Crawler, a netip.Addr) State {
	l := v.List(c)
	switch {
	case l == nil || !a.IsValid():
		return Unknown
	case l.Contains(a):
		return Verified
	}
	state := Unknown
	if v.Resolver != nil && l.Hosts != nil {
		state = v.resolve(ctx, question{a.Unmap().WithZone(""), l})
	}
	if state == Unknown && len(l.Prefixes) > 0 {
		return Claimed
	}
	return state
}

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

// resolve asks DNS about each address once.
func (v *Verifier) resolve(ctx context.Context, q question) State {
	if s, ok := v.known[q]; ok || v.Unanswered != "" || ctx.Err() != nil {
		return s
	}
	if len(v.known) == dnsMost {
		v.Unanswered = fmt.Sprintf("DNS was asked about %d addresses and no more", dnsMost)
		return Unknown
	}
	s := v.ask(ctx, q)
	if v.known[q] = s; s != Unknown {
		v.failures = 0
	} else if v.failures++; v.failures == dnsFailures {
		v.Unanswered = fmt.Sprintf("DNS was given up after %d questions in a row without an answer", dnsFailures)
	}
	return s
}

// ask looks the address's names up, and of those in the operator's domains the addresses.
func (v *Verifier) ask(ctx context.Context, q question) State {
	ctx, cancel := context.WithTimeout(ctx, dnsTimeout)
	defer cancel()
	names, err := v.Resolver.LookupAddr(ctx, q.addr.String())
	if err != nil && !notFound(err) {
		return Unknown
	}
	state := Claimed
	for _, name := range names {
		host := strings.ToLower(strings.TrimSuffix(name, "."))
		if !slices.ContainsFunc(q.list.Hosts, func(d string) bool { return strings.HasSuffix(host, "."+d) }) {
			continue
		}
		addrs, err := v.Resolver.LookupNetIP(ctx, "ip", name)
		if err != nil && !notFound(err) {
			state = Unknown
		}
		if slices.ContainsFunc(addrs, func(b netip.Addr) bool { return b.Unmap() == q.addr }) {
			return Verified
		}
	}
	return state
}

func notFound(err error) bool {
	e, ok := errors.AsType[*net.DNSError](err)
	return ok && e.IsNotFound
}
