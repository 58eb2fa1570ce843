package crawlers

import (
	"embed"
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// A List is what an operator publishes about the addresses of its crawlers.
type List struct {
	// Name is that of [policy.Crawler.Addresses].
	Name string
	// Hosts are the domains that the names of its addresses end in; nil where the operator documents none. Google names
	// three for all its clients; here each kind has those of its own, because anybody's program may run behind the
	// others (App Engine, proxies).
	Hosts []string
	// Source is the publisher's URL.
	Source string
	// Checked is the last day on which the ranges are known to have been the published ones; zero without ranges.
	Checked time.Time

	prefixes []netip.Prefix
}

// maxAge is how long ranges are taken for new without a word: half a year.
const maxAge = 183 * 24 * time.Hour

// Old reports whether the list is over half a year old.
func (l *List) Old(now time.Time) bool { return !l.Checked.IsZero() && now.Sub(l.Checked) > maxAge }

// Contains reports whether an address is in one of the ranges; an IPv4 address in an IPv6 one's clothes is that
// address.
func (l *List) Contains(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return slices.ContainsFunc(l.prefixes, func(p netip.Prefix) bool { return p.Contains(a) })
}

// data are publishers' files with neighbours merged, and what else is known: their names, domains, days.
//
//go:embed data/*.json
var data embed.FS

// builtIn reads the lists of data.
func builtIn() map[string]*List {
	lists := map[string]*List{}
	files, _ := data.ReadDir("data")
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".json")
		text, err := data.ReadFile("data/" + f.Name())
		if err == nil {
			lists[name], err = parseList(name, text)
		}
		if err != nil {
			panic(fmt.Sprintf("%s: the built-in ranges cannot be read: %v", f.Name(), err)) // a test reads them
		}
	}
	return lists
}

func parseList(name string, text []byte) (*List, error) {
	var file struct {
		Hosts           []string
		Source, Checked string
		Prefixes        []struct{ IPv4Prefix, IPv6Prefix netip.Prefix }
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	l := &List{Name: name, Hosts: file.Hosts, Source: file.Source}
	l.Checked, _ = time.Parse(time.DateOnly, file.Checked)
	for _, p := range file.Prefixes {
		for _, prefix := range []netip.Prefix{p.IPv4Prefix, p.IPv6Prefix} {
			if prefix.IsValid() {
				l.prefixes = append(l.prefixes, prefix)
			}
		}
	}
	return l, nil
}
