package crawlers

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// A List is what an operator publishes about the addresses of its crawlers.
type List struct {
	// Name is that of [policy.Crawler.Addresses].
	Name string
	// Files are the names of the publisher's files.
	Files []string
	// Hosts are the domains that the names of its addresses end in; nil where the operator documents none. Google names
	// three for all its clients; here each kind has those of its own, because anybody's program may run behind the
	// others (App Engine, proxies).
	Hosts []string
	// Source is the publisher's URL, or the file that was given instead.
	Source string
	// Created is the day that the publisher's file carries, zero where it carries none.
	Created time.Time
	// Checked is the last day on which that is known to have been the published file; of a file that was given,
	// Created.
	Checked time.Time

	prefixes []netip.Prefix
	given    bool // instead of the built-in one
}

// maxAge is how long ranges are taken for new without a word: half a year.
const maxAge = 183 * 24 * time.Hour

// Old reports whether the list is over half a year old. A list without any date is not known to be.
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
			panic(fmt.Sprintf("the built-in ranges cannot be read: %v", err)) // a test reads them
		}
	}
	return lists
}

// maxFile is how much of a publisher's file is read; the largest have 0.2 MB.
const maxFile = 16 << 20

// parseFile reads a publisher's file, whose form is that of googlebot.json.
func parseFile(r io.Reader) (*List, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxFile))
	if err != nil {
		return nil, err
	}
	l, err := parseList("", text)
	if err == nil && len(l.prefixes) == 0 {
		err = errors.New("no file of address ranges: prefixes is missing or empty")
	}
	return l, err
}

func parseList(name string, text []byte) (*List, error) {
	var file struct {
		Files, Hosts                  []string
		Source, CreationTime, Checked string
		Prefixes                      []struct {
			IPv4 string `json:"ipv4Prefix"`
			IPv6 string `json:"ipv6Prefix"`
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("no file of address ranges: %w", err)
	}
	l := &List{Name: name, Files: file.Files, Hosts: file.Hosts, Source: file.Source}
	l.Created, l.Checked = day(file.CreationTime), day(file.Checked)
	for i, p := range file.Prefixes {
		if p.IPv4 == "" && p.IPv6 == "" {
			return nil, fmt.Errorf("prefixes[%d]: neither ipv4Prefix nor ipv6Prefix", i)
		}
		for _, text := range []string{p.IPv4, p.IPv6} {
			if text == "" {
				continue
			}
			prefix, err := parsePrefix(text)
			if err != nil {
				return nil, fmt.Errorf("prefixes[%d]: %w", i, err)
			}
			l.prefixes = append(l.prefixes, prefix)
		}
	}
	return l, nil
}

// day reads the day with which a time begins: publishers write what follows in several forms.
func day(text string) time.Time {
	t, _ := time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))]) // zero where there is none
	return t
}

// parsePrefix reads a prefix, or an address alone. One that no crawler can need is refused: it would verify anybody.
func parsePrefix(text string) (netip.Prefix, error) {
	if !strings.Contains(text, "/") {
		a, err := netip.ParseAddr(text)
		if err != nil || a.Zone() != "" {
			return netip.Prefix{}, fmt.Errorf("%q is not an address", text)
		}
		a = a.Unmap()
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	switch {
	case err != nil || p.Addr().Is4In6():
		return netip.Prefix{}, fmt.Errorf("%q is not a range of addresses", text)
	case p.Addr().Is4() && p.Bits() < 8, p.Addr().Is6() && p.Bits() < 20:
		return netip.Prefix{}, fmt.Errorf("%q is too wide for the addresses of a crawler", text)
	}
	return p.Masked(), nil
}
