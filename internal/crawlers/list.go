package crawlers

import (
	"embed"
	"encoding/json"
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

//go:embed data/*.txt
var data embed.FS

// builtIn reads the lists of data.
func builtIn() map[string]*List {
	lists := map[string]*List{}
	files, err := data.ReadDir("data")
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".txt")
		var text []byte
		if text, err = data.ReadFile("data/" + f.Name()); err == nil {
			lists[name], err = parseText(name, string(text))
		}
		if err != nil {
			break
		}
	}
	if err != nil {
		panic(fmt.Sprintf("the built-in ranges cannot be read: %v", err)) // a test reads them
	}
	return lists
}

// parseText reads a file of data: comments, "files NAME …", "hosts DOMAIN …", "source URL", "created DAY", "checked
// DAY", "published NUMBER" (of prefixes in the publisher's file, which is kept here with neighbours merged), and lines
// of prefixes.
func parseText(name, text string) (*List, error) {
	l := &List{Name: name}
	for i, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		var err error
		switch words[0] {
		case "files":
			l.Files = words[1:]
		case "hosts":
			l.Hosts = words[1:]
		case "source":
			l.Source = words[1]
		case "created":
			l.Created, err = time.Parse(time.DateOnly, words[1])
		case "checked":
			l.Checked, err = time.Parse(time.DateOnly, words[1])
		case "published":
		default:
			for _, w := range words {
				var p netip.Prefix
				if p, err = parsePrefix(w); err != nil {
					break
				}
				l.prefixes = append(l.prefixes, p)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s.txt:%d: %w", name, i+1, err)
		}
	}
	return l, nil
}

// parsePrefix reads a prefix, or an address alone. One that no crawler can need is refused: it would verify anybody.
func parsePrefix(text string) (netip.Prefix, error) {
	if !strings.Contains(text, "/") {
		a, err := netip.ParseAddr(text)
		if err != nil || a.Zone() != "" {
			return netip.Prefix{}, fmt.Errorf("%q is no address", text)
		}
		a = a.Unmap()
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	switch {
	case err != nil || p.Addr().Is4In6():
		return netip.Prefix{}, fmt.Errorf("%q is no range of addresses", text)
	case p.Addr().Is4() && p.Bits() < 8, p.Addr().Is6() && p.Bits() < 20:
		return netip.Prefix{}, fmt.Errorf("%q is too wide for the addresses of a crawler", text)
	}
	return p.Masked(), nil
}

// maxFile is how much of a publisher's file is read; the largest have 0.2 MB.
const maxFile = 16 << 20

// parseJSON reads a publisher's file, whose form is that of googlebot.json.
func parseJSON(r io.Reader) (created time.Time, prefixes []netip.Prefix, err error) {
	var file struct {
		CreationTime string `json:"creationTime"`
		Prefixes     []struct {
			IPv4 string `json:"ipv4Prefix"`
			IPv6 string `json:"ipv6Prefix"`
		} `json:"prefixes"`
	}
	if err := json.NewDecoder(io.LimitReader(r, maxFile)).Decode(&file); err != nil {
		return created, nil, fmt.Errorf("no file of address ranges: %w", err)
	}
	if len(file.CreationTime) >= len(time.DateOnly) { // publishers write what follows in several forms
		created, _ = time.Parse(time.DateOnly, file.CreationTime[:len(time.DateOnly)])
	}
	for i, p := range file.Prefixes {
		if p.IPv4 == "" && p.IPv6 == "" {
			return created, nil, fmt.Errorf("prefixes[%d]: neither ipv4Prefix nor ipv6Prefix", i)
		}
		for _, text := range []string{p.IPv4, p.IPv6} {
			if text == "" {
				continue
			}
			prefix, err := parsePrefix(text)
			if err != nil {
				return created, nil, fmt.Errorf("prefixes[%d]: %w", i, err)
			}
			prefixes = append(prefixes, prefix)
		}
	}
	if len(prefixes) == 0 {
		return created, nil, fmt.Errorf("no file of address ranges: prefixes is missing or empty")
	}
	return created, prefixes, nil
}
