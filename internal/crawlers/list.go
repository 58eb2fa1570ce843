package crawlers

import (
	"embed"
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"time"
)

// A List is what an operator publishes about the addresses of its crawlers.
type List struct {
	// Name is that of [policy.Crawler.Addresses].
	Name string
	// Hosts are the domains that the names of its addresses end in; nil if the operator documents
	// none. Google names three for all its clients; here each kind has those of its own, because
	// anybody's program may run behind the others (App Engine, proxies).
	Hosts []string
	// Source is the publisher's URL.
	Source string
	// Checked is the last day, as 2006-01-02, on which the ranges are known to have been the
	// published ones; empty without ranges.
	Checked string
	// Prefixes are the ranges, each of one kind.
	Prefixes []struct{ IPv4Prefix, IPv6Prefix netip.Prefix }
}

// Old reports whether the ranges are over half a year old. A list without ranges is never old.
func (l *List) Old(now time.Time) bool {
	day, err := time.Parse(time.DateOnly, l.Checked)
	return err == nil && now.Sub(day) > 183*24*time.Hour
}

// Contains reports whether an address is in one of the ranges.
func (l *List) Contains(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	for _, p := range l.Prefixes {
		if p.IPv4Prefix.Contains(a) || p.IPv6Prefix.Contains(a) {
			return true
		}
	}
	return false
}

// data are the files of publishers with neighbouring ranges merged, and what else is known:
// domains, sources, days.
//
//go:embed data/*.json
var data embed.FS

// builtIn reads the lists of data, by name.
func builtIn() map[string]*List {
	lists := map[string]*List{}
	files, _ := data.ReadDir("data")
	for _, f := range files {
		l := &List{Name: strings.TrimSuffix(f.Name(), ".json")}
		text, _ := data.ReadFile("data/" + f.Name())
		if err := json.Unmarshal(text, l); err != nil {
			panic(fmt.Sprintf("%s: the built-in ranges cannot be read: %v", f.Name(), err)) // a test reads them
		}
		lists[l.Name] = l
	}
	return lists
}
