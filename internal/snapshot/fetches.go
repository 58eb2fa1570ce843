package snapshot

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/seen"
	"metarobots/internal/site"
	"metarobots/policy"
)

// reader is the host that serves a folder as crawlers read its robots.txt: with the block that is before it.
func (s *Snapshot) reader(folder string) seen.Host {
	host := s.Host(folder)
	host.Robots = host.Robots.Behind(s.Managed)
	return host
}

// RobotsUnknown reports whether s knows no robots.txt at all, and another snapshot knows one: then the two cannot be
// compared there.
func (s *Snapshot) RobotsUnknown(other *Snapshot) bool {
	return len(other.Robots) > 0 && len(s.Robots) == 0
}

// KnowBothRobots reports whether both snapshots know a robots.txt, or that there is none.
func KnowBothRobots(a, b *Snapshot) bool { return len(a.Robots) > 0 && len(b.Robots) > 0 }

// IsBelowHosts reports whether the site is known to be below a path of each of its hosts, so that its robots.txt is none.
func (s *Snapshot) IsBelowHosts() bool {
	isRoot := func(base string) bool {
		u, err := url.Parse(base)
		return err != nil || strings.Trim(u.Path, "/") == ""
	}
	return len(s.Hosts) > 0 && !slices.ContainsFunc(slices.Collect(maps.Values(s.Hosts)), isRoot)
}

// compareFetches says which crawlers may fetch which URLs otherwise than they might, by the robots.txt of both snapshots:
// of pages and redirects that both have, on hosts whose robots.txt both know.
func compareFetches(old, new *Snapshot) []seen.FetchChange {
	type hosts struct{ was, is string } // by their folders
	type asked struct {
		was, is  seen.Host
		pages    []seen.Asked
		old, new []*Entry
	}
	byHosts := map[hosts]*asked{}
	was := old.byURL()
	folderWas, folderIs := foldersOf(old.Robots), foldersOf(new.Robots)
	for i := range new.Entries {
		n := &new.Entries[i]
		o := was[n.URL]
		if o == nil || !o.isFetched() || !n.isFetched() || !strings.HasPrefix(n.URL, "/") {
			continue
		}
		for _, at := range o.Addresses() {
			for _, to := range n.addressesFor(at) {
				oldFolder, isKnown := site.Serving(folderWas, at, self)
				newFolder, isKnownNow := site.Serving(folderIs, to, self)
				if !isKnown || !isKnownNow {
					continue
				}
				of := byHosts[hosts{oldFolder, newFolder}]
				if of == nil {
					of = &asked{was: old.reader(oldFolder), is: new.reader(newFolder)}
					byHosts[hosts{oldFolder, newFolder}] = of
				}
				page := seen.Asked{URL: n.URL, Was: of.was.Below(at), Is: of.is.Below(to)}
				of.pages, of.old, of.new = append(of.pages, page), append(of.old, o), append(of.new, n)
			}
		}
	}
	all := []seen.FetchChange{}
	for _, at := range slices.SortedFunc(maps.Keys(byHosts), func(a, b hosts) int {
		return slices.Compare([]string{a.is, a.was}, []string{b.is, b.was})
	}) {
		of := byHosts[at]
		all = append(all, seen.CompareFetches(of.was, of.is, of.pages,
			func(page int, crawler string, allowed bool) bool {
				return statesOtherwise(of.old[page], of.new[page], crawler, allowed)
			})...)
	}
	return all
}

func foldersOf(hosts robotstxt.PerHost) []string { return slices.Collect(maps.Keys(hosts)) }

func self(folder string) string { return folder }

// isFetched reports whether crawlers fetch what is at the URL for its own sake, if robots.txt lets them.
func (e *Entry) isFetched() bool {
	return slices.Contains([]string{"", string(seen.Redirect), seen.Disallowed, seen.NotReached}, e.Told.Role)
}

// statesOtherwise reports whether two entries state something else of the use by AI that a crawler fetches for, so that
// what robots.txt now allows it, or denies, is that statement.
func statesOtherwise(old, new *Entry, crawler string, allowed bool) bool {
	c := policy.LookupCrawler(crawler)
	if c == nil || c.Purpose == "" {
		return false
	}
	use := policy.Use(slices.Index(policy.Purposes, c.Purpose)).String()
	denied := policy.Denied.String()
	wasDenied, isDenied := old.AI[use] == denied, new.AI[use] == denied
	return wasDenied != isDenied && wasDenied == allowed
}
