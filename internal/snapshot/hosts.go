package snapshot

import (
	"maps"
	"slices"

	"metarobots/emit/robotstxt"
	"metarobots/internal/seen"
	"metarobots/internal/site"
)

// Host is what the files of the host say that serves a folder of the publish root.
func (s *Snapshot) Host(folder string) seen.Host {
	h := seen.Host{Folder: folder, Robots: s.Robots[folder], AIFiles: map[robotstxt.AIFile]robotstxt.Rules{}}
	h.Root, h.Shut = s.deployed[folder].Root, s.deployed[folder].Shut
	for _, kind := range s.AIFiles() {
		h.AIFiles[kind] = s.rulesOf(kind)[folder]
	}
	return h
}

// KnowsRobots reports whether it is known what the robots.txt says of the host that serves a
// folder, or that there is none.
func (s *Snapshot) KnowsRobots(folder string) bool {
	_, known := s.Robots[folder]
	return known
}

// AIFiles are the kinds of files about AI that the site has on any host.
func (s *Snapshot) AIFiles() []robotstxt.AIFile {
	isMissing := func(kind robotstxt.AIFile) bool { return len(s.rulesOf(kind)) == 0 }
	return slices.DeleteFunc(slices.Clone(robotstxt.AIFiles), isMissing)
}

// rulesOf are the rules of a kind of file about AI, by folders as in Hosts; nil of a kind that
// snapshots do not keep.
func (s *Snapshot) rulesOf(kind robotstxt.AIFile) map[string]robotstxt.Rules {
	if kind.Carrier() == robotstxt.TDMRepFile {
		return s.TDMRep
	}
	return nil
}

// folderOf is the folder of a host, for [site.Serving].
func folderOf(h seen.Host) string { return h.Folder }

// Disallow makes an entry one that crawlers may not fetch, so that they read nothing else there. by
// is the rule of robots.txt that keeps them out.
func (e *Entry) Disallow(by seen.Fetch) {
	e.Unread = e.Told
	e.Told, e.Reason = seen.Told{Role: seen.Disallowed}, seen.Reason{Text: by.Rule}
	e.File, e.Line = by.File, by.Line
}

// ApplyRobots disallows each page and redirect that a robots.txt keeps a crawler from, at any of
// its addresses. A host whose robots.txt the snapshot does not know keeps it from nothing.
func (s *Snapshot) ApplyRobots(crawler string) {
	hosts := s.hosts()
	for i := range s.Entries {
		e := &s.Entries[i]
		if !e.isFetched() {
			continue
		}
		for _, at := range e.Addresses() {
			host, _ := site.Serving(hosts, at, folderOf)
			if fetch, _ := host.Fetch(crawler, host.PathAtHost(at)); !fetch.Allowed {
				e.Disallow(fetch)
				break
			}
		}
	}
}

// compareDenials returns a function that says what the files of the old snapshot deny to AI at an
// address of a URL, by signals and tdmrep.json, and the files of the new one do not, there or where
// the URL is served now. It takes the URL's two entries, and returns "" if nothing is lost. A
// snapshot of answers that were kept, which has no environment and no hosts, knows no such files:
// nothing is compared with it.
func compareDenials(old, new *Snapshot) (liftedDenial func(entryPair) string) {
	haveSameFiles := maps.EqualFunc(old.Robots, new.Robots, (*robotstxt.File).SameSignals) &&
		maps.EqualFunc(old.TDMRep, new.TDMRep, slices.Equal)
	knowsFiles := new.Environment != "" || new.deployed != nil
	oldHosts, newHosts := old.hosts(), new.hosts()
	return func(entries entryPair) string {
		haveSameAddresses := slices.Equal(entries.old.Addresses(), entries.new.Addresses())
		if !knowsFiles || haveSameFiles && haveSameAddresses {
			return ""
		}
		for _, at := range entries.old.addressPairs(entries.new) {
			// A host that is not known is the zero host, which denies nothing.
			before, _ := site.Serving(oldHosts, at.was, folderOf)
			now, _ := site.Serving(newHosts, at.is, folderOf)
			oldPath, newPath := before.PathAtHost(at.was), now.PathAtHost(at.is)
			if lost := before.LostSignals(oldPath, now, newPath); lost != "" {
				return lost
			}
		}
		return ""
	}
}

// hosts are those whose robots.txt or tdmrep.json the snapshot knows, by folder.
func (s *Snapshot) hosts() (all []seen.Host) {
	folders := append(slices.Collect(maps.Keys(s.Robots)), slices.Collect(maps.Keys(s.TDMRep))...)
	slices.Sort(folders)
	for _, folder := range slices.Compact(folders) {
		all = append(all, s.Host(folder))
	}
	return all
}
