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
	known    map[question]State // the answers of DNS so far
	failures int                // questions without an answer, one after the other, up to now
}

// A question is an address, and the list that it should be one of.
type question struct {
	addr netip.Addr
	list *List
}

// NewVerifier returns a Verifier with the built-in ranges and no resolver.
func NewVerifier() *Verifier { return &Verifier{lists: builtIn(), known: map[question]State{}} }

// List returns what is known of a crawler's addresses; nil for nothing.
func (v *Verifier) List(c *policy.Crawler) *List { return v.lists[c.Addresses] }

// Verify finds whether an address is one of a crawler's. The zero address is [Unknown]. Without an
// answer of DNS, an address outside of known ranges is [Claimed].
func (v *Verifier) Verify(ctx context.Context, c *policy.Crawler, addr netip.Addr) State {
	l := v.List(c)
	switch {
	case l == nil || !addr.IsValid():
		return Unknown
	case l.Contains(addr):
		return Verified
	}
	state := Unknown
	if v.Resolver != nil && l.Hosts != nil {
		state = v.resolve(ctx, question{addr.Unmap().WithZone(""), l})
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

// resolve asks DNS each question once. It gives DNS up, and returns [Unknown] from then on, after
// dnsMost questions or after dnsFailures without an answer.
func (v *Verifier) resolve(ctx context.Context, q question) State {
	if state, isKnown := v.known[q]; isKnown {
		return state
	}
	if v.Unanswered != "" || ctx.Err() != nil {
		return Unknown
	}
	if len(v.known) == dnsMost {
		v.Unanswered = fmt.Sprintf("DNS was asked about %d addresses and no more", dnsMost)
		return Unknown
	}
	state := v.ask(ctx, q)
	v.known[q] = state
	if state != Unknown {
		v.failures = 0
		return state
	}
	v.failures++
	if v.failures == dnsFailures {
		v.Unanswered = fmt.Sprintf("DNS was given up after %d questions in a row without an answer", dnsFailures)
	}
	return Unknown
}

// ask asks DNS for the names of the address, and for the addresses of those names that are in the
// operator's domains: one of them must be the address. It is [Unknown] if a question has no answer,
// and no other one verifies the address.
func (v *Verifier) ask(ctx context.Context, q question) State {
	ctx, cancel := context.WithTimeout(ctx, dnsTimeout)
	defer cancel()
	names, err := v.Resolver.LookupAddr(ctx, q.addr.String())
	if isUnanswered(err) {
		return Unknown
	}
	state := Claimed
	for _, name := range names {
		if !q.list.hasHost(name) {
			continue
		}
		addrs, err := v.Resolver.LookupNetIP(ctx, "ip", name)
		if isUnanswered(err) {
			state = Unknown
		}
		if slices.ContainsFunc(addrs, func(addr netip.Addr) bool { return addr.Unmap() == q.addr }) {
			return Verified
		}
	}
	return state
}

// hasHost reports whether a name, as DNS has it, is in one of the operator's domains.
func (l *List) hasHost(name string) bool {
	host := strings.ToLower(strings.TrimSuffix(name, "."))
	return slices.ContainsFunc(l.Hosts, func(domain string) bool { return strings.HasSuffix(host, "."+domain) })
}

// isUnanswered reports whether an error of DNS is that there was no answer. That a name does not
// exist is an answer.
func isUnanswered(err error) bool {
	if err == nil {
		return false
	}
	dnsError, ok := errors.AsType[*net.DNSError](err)
	return !ok || !dnsError.IsNotFound
}
