package snapshot

import (
	"cmp"
	"iter"
	"maps"
	"net/url"
	"slices"
	"sort"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/seen"
	"metarobots/internal/site"
	"metarobots/policy"
)

// Which crawlers may fetch a URL depends on the host that serves it, in the old snapshot and in the
// new one, and that may be another host for each address of the URL. So addresses are gathered for
// each pair of hosts, and the robots.txt of the two are compared once for all of them:
//
//	/de/a/ was served by the host of "/de/", and is served by the host of "/" now
//	/de/b/ likewise                  → hostPair{"/de/", "/"}: /a/ and /b/ there, /de/a/ and /de/b/ here
//	/c/    by the host of "/" twice  → hostPair{"/", "/"}: /c/

// A hostPair is the old and the new host of some addresses, by their folders.
type hostPair struct{ was, is string }

// A fetchComparison is the addresses that one pair of hosts serves. pages and entries have one item
// for each.
type fetchComparison struct {
	was, is seen.Host
	pages   []seen.Asked
	entries []entryPair
}

// compareFetches returns what crawlers may no longer fetch, or may now, by the robots.txt of both
// snapshots: of pages and redirects that both have, on hosts whose robots.txt both know. The list
// is never nil.
func compareFetches(old, new *Snapshot) []seen.FetchChange {
	comparisons := fetchComparisons(old, new)
	pairs := slices.Collect(maps.Keys(comparisons))
	sort.Slice(pairs, func(i, j int) bool { // by the new host, then by the old one
		return cmp.Or(cmp.Compare(pairs[i].is, pairs[j].is), cmp.Compare(pairs[i].was, pairs[j].was)) < 0
	})
	all := []seen.FetchChange{}
	for _, hosts := range pairs {
		c := comparisons[hosts]
		isReportedElsewhere := func(page int, crawler string, allowed bool) bool {
			return !new.isFor(crawler) || c.entries[page].statesOtherwise(crawler, allowed)
		}
		all = append(all, seen.CompareFetches(c.was, c.is, c.pages, isReportedElsewhere)...)
	}
	return all
}

// fetchComparisons gathers what [compareFetches] asks about: each pair of addresses of a URL that
// both snapshots have, as crawlers fetch it for its own sake, under the hosts that serve the two.
// It leaves out URLs that are no paths, which are of another scheme than the site, and addresses at
// hosts whose robots.txt one of the snapshots does not know.
func fetchComparisons(old, new *Snapshot) map[hostPair]*fetchComparison {
	comparisons := map[hostPair]*fetchComparison{}
	oldFolders, newFolders := foldersOf(old.Robots), foldersOf(new.Robots)
	for entries := range fetchedPairs(old, new) {
		for _, at := range entries.old.addressPairs(entries.new) {
			// The host of an address is that of the deepest folder around it (itself: a folder is
			// all that is known of a host here).
			oldFolder, wasKnown := site.Serving(oldFolders, at.was, itself)
			newFolder, isKnown := site.Serving(newFolders, at.is, itself)
			if !wasKnown || !isKnown {
				continue
			}
			hosts := hostPair{oldFolder, newFolder}
			if comparisons[hosts] == nil {
				comparisons[hosts] = &fetchComparison{was: old.hostAsRead(oldFolder),
					is: new.hostAsRead(newFolder)}
			}
			comparisons[hosts].add(entries, at)
		}
	}
	return comparisons
}

// fetchedPairs yields the entries of each URL that both snapshots have, that is a path of the site,
// and that crawlers fetch for its own sake in both. It does not say whether they knowLeads.
func fetchedPairs(old, new *Snapshot) iter.Seq[entryPair] {
	return func(yield func(entryPair) bool) {
		was := old.byURL()
		for i := range new.Entries {
			n := &new.Entries[i]
			o := was[n.URL]
			isPath := strings.HasPrefix(n.URL, "/")
			isAsked := o != nil && o.isFetched() && n.isFetched() && isPath
			if isAsked && !yield(entryPair{old: o, new: n}) {
				return
			}
		}
	}
}

// add adds a pair of addresses of an entry. Robots.txt is asked about their paths from the roots of
// the hosts.
func (c *fetchComparison) add(entries entryPair, at addressPair) {
	c.entries = append(c.entries, entries)
	page := seen.Asked{URL: entries.new.URL,
		Was: c.was.PathAtHost(at.was), Is: c.is.PathAtHost(at.is)}
	c.pages = append(c.pages, page)
}

// KnowBothRobots reports whether both snapshots know a robots.txt, or that there is none.
func KnowBothRobots(a, b *Snapshot) bool { return len(a.Robots) > 0 && len(b.Robots) > 0 }

// IsBelowHosts reports whether the site is known to be below a path of each of its hosts, so that
// its robots.txt is none.
func (s *Snapshot) IsBelowHosts() bool {
	isRoot := func(base string) bool {
		u, err := url.Parse(base)
		return err != nil || strings.Trim(u.Path, "/") == ""
	}
	return len(s.Hosts) > 0 && !slices.ContainsFunc(slices.Collect(maps.Values(s.Hosts)), isRoot)
}

// foldersOf are the hosts whose robots.txt is known, in any order.
func foldersOf(hosts robotstxt.PerHost) []string { return slices.Collect(maps.Keys(hosts)) }

// hostAsRead is the host that serves a folder, with its robots.txt as crawlers read it: behind the
// block that the site's host puts before it. A snapshot file has the same for a robots.txt without
// rules as for none; the URL of the first is among its entries.
func (s *Snapshot) hostAsRead(folder string) seen.Host {
	host := s.Host(folder)
	if isPublished := s.byURL()[folder+"robots.txt"] != nil; host.Robots == nil && isPublished {
		host.Robots = robotstxt.Parse(nil)
	}
	host.Robots = host.Robots.Behind(s.Managed)
	return host
}

// RobotsUnknown reports whether s knows no robots.txt at all, and another snapshot knows one: then
// the two cannot be compared there.
func (s *Snapshot) RobotsUnknown(other *Snapshot) bool {
	return len(other.Robots) > 0 && len(s.Robots) == 0
}

// isFetched reports whether crawlers fetch what is at the URL for its own sake, if robots.txt lets
// them.
func (e *Entry) isFetched() bool {
	return slices.Contains([]string{"", string(seen.Redirect), seen.Disallowed, seen.NotReached},
		e.Told.Role)
}

// An addressPair is a path at which an entry was served, and one at which it is served now.
type addressPair struct{ was, is string }

// addressPairs pairs each address of an old entry with itself, if the new entry still has it, else
// with every address of the new one: what was true at the address has to be true at all of those
// that replace it. An entry without addresses of its own, Served, is served at its URL.
func (e *Entry) addressPairs(new *Entry) (pairs []addressPair) {
	now := new.Addresses()
	for _, at := range e.Addresses() {
		if slices.Contains(now, at) {
			pairs = append(pairs, addressPair{at, at})
			continue
		}
		for _, to := range now {
			pairs = append(pairs, addressPair{at, to})
		}
	}
	return pairs
}

// statesOtherwise reports whether the entries state something else of the use by AI that a crawler
// fetches for, such that what robots.txt now allows the crawler, or denies it, says no more than
// that. allowed tells which of the two it does.
func (p entryPair) statesOtherwise(crawler string, allowed bool) bool {
	c := policy.LookupCrawler(crawler)
	if c == nil || c.Purpose == "" {
		return false
	}
	use := policy.Use(slices.Index(policy.Purposes, c.Purpose)).String()
	denied := policy.Denied.String()
	wasDenied, isDenied := p.old.AI[use] == denied, p.new.AI[use] == denied
	return wasDenied != isDenied && wasDenied == allowed
}
