package crawlers

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
)

// A State says whether a request came from the crawler that its user agent names.
type State int

// The states.
const (
	// Unknown: nothing says whether it did, because no ranges are known and DNS was not asked, or gave no answer.
	Unknown State = iota
	// Claimed: it came from elsewhere, so it was probably somebody else.
	Claimed
	// Verified: it came from the operator's addresses.
	Verified
)

func (s State) String() string { return [...]string{"unknown", "claimed", "verified"}[s] }

// A Verifier knows the addresses of crawlers. It is for one goroutine at a time.
type Verifier struct {
	lists map[string]*List
	given map[string]bool
	dns   *dns
}

// NewVerifier returns a Verifier with the built-in ranges, which asks nobody.
func NewVerifier() *Verifier { return &Verifier{lists: builtIn(), given: map[string]bool{}} }

// Give reads a publisher's file and takes its ranges instead of the built-in ones. The base of file says whose they are
// ([FileNames]); of several files of one list, each adds its own.
func (v *Verifier) Give(file string, r io.Reader) error {
	name, ok := listOf(file)
	if !ok {
		return fmt.Errorf("%s: whose ranges these are is told by the file's name, which is to be that of its publisher: %s", file, strings.Join(FileNames(), ", "))
	}
	created, prefixes, err := parseJSON(r)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	l := v.lists[name]
	if l == nil || !v.given[name] {
		l = &List{Name: name, Source: file, Created: created, Checked: created}
		v.lists[name], v.given[name] = l, true
	} else if created.Before(l.Checked) {
		l.Created, l.Checked = created, created // a list is as old as its oldest part
	}
	l.add(prefixes)
	return nil
}

// UseDNS makes v ask DNS about addresses that no list has.
func (v *Verifier) UseDNS(r Resolver) { v.dns = newDNS(r) }

// AsksDNS reports whether DNS is asked.
func (v *Verifier) AsksDNS() bool { return v.dns != nil }

// Lists returns the lists, by name.
func (v *Verifier) Lists() []*List {
	lists := make([]*List, 0, len(v.lists))
	for _, l := range v.lists {
		lists = append(lists, l)
	}
	slices.SortFunc(lists, func(a, b *List) int { return strings.Compare(a.Name, b.Name) })
	return lists
}

// List returns the ranges of a crawler; nil where none are known.
func (v *Verifier) List(c *Crawler) *List { return v.lists[c.List] }

// Verify tells whether an address is one of a crawler's. The zero address is nobody's.
func (v *Verifier) Verify(ctx context.Context, c *Crawler, a netip.Addr) State {
	if !a.IsValid() {
		return Unknown
	}
	l := v.lists[c.List]
	if l != nil && l.Contains(a) {
		return Verified
	}
	if v.dns != nil && len(c.Hosts) > 0 {
		if s := v.dns.verify(ctx, c, a.Unmap().WithZone("")); s != Unknown {
			return s
		}
	}
	if l != nil {
		return Claimed
	}
	return Unknown
}

// Unanswered says why DNS was not asked to the end; empty where it was, or was not to be.
func (v *Verifier) Unanswered() string {
	if v.dns == nil {
		return ""
	}
	return v.dns.gaveUp
}
