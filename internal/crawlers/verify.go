package crawlers

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"path"
	"slices"
	"strings"

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

// FileNames returns the names of publishers' files that [Verifier.Load] knows, sorted.
func (v *Verifier) FileNames() (names []string) {
	for _, l := range v.lists {
		names = append(names, l.Files...)
	}
	slices.Sort(names)
	return names
}

// Load reads a publisher's file, whose ranges replace the built-in ones. The base of file says whose they are
// ([Verifier.FileNames]). Each of several files of one list adds its own.
func (v *Verifier) Load(file string, r io.Reader) error {
	var l *List
	for _, known := range v.lists {
		if slices.Contains(known.Files, strings.ToLower(path.Base(file))) {
			l = known
		}
	}
	if l == nil {
		return fmt.Errorf("%s: whose ranges these are is told by the file's name, which is to be that of its "+
			"publisher: %s",
			file, strings.Join(v.FileNames(), ", "))
	}
	given, err := parseFile(r)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if !l.given {
		l.given = true
		l.Source, l.Created, l.Checked, l.prefixes = file, given.Created, given.Created, nil
	} else if given.Created.Before(l.Checked) {
		l.Created, l.Checked = given.Created, given.Created // a list is as old as its oldest part
	}
	l.prefixes = append(l.prefixes, given.prefixes...)
	return nil
}

// List returns the ranges of a crawler; nil where none are known.
func (v *Verifier) List(c *policy.Crawler) *List {
	if l := v.lists[c.Addresses]; l != nil && len(l.prefixes) > 0 {
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
	if len(l.prefixes) > 0 {
		return Claimed
	}
	return Unknown
}

// Unanswered says why DNS was given up; empty if it was not.
func (v *Verifier) Unanswered() string { return v.dns.gaveUp }
