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

// KnowsRobots reports whether it is known what the robots.txt says of the host that serves a folder, or that there is none.
func (s *Snapshot) KnowsRobots(folder string) bool {
	_, known := s.Robots[folder]
	return known
}

// AIFiles are the kinds of files about AI that the site has on any host.
func (s *Snapshot) AIFiles() []robotstxt.AIFile {
	isMissing := func(kind robotstxt.AIFile) bool { return len(s.rulesOf(kind)) == 0 }
	return slices.DeleteFunc(slices.Clone(robotstxt.AIFiles), isMissing)
}

// rulesOf are the rules of a kind of file about AI, by folders as in Hosts.
func (s *Snapshot) rulesOf(kind robotstxt.AIFile) map[string]robotstxt.Rules {
	if kind.Carrier() == robotstxt.TDMRepFile {
		return s.TDMRep
	}
	return nil
}

// folderOf is the folder of a host.
func folderOf(h seen.Host) string { return h.Folder }

// Disallow says of an entry that a rule of robots.txt keeps crawlers from it, so that they read nothing else there.
func (e *Entry) Disallow(by seen.Fetch) {
	e.Told, e.Reason = seen.Told{Role: seen.Disallowed}, seen.Reason{Text: by.Rule}
	e.File, e.Line = by.File, by.Line
}

// Close disallows the entries from which a robots.txt keeps a crawler, as far as the snapshot knows it.
func (s *Snapshot) Close(crawler string) {
	hosts := s.hosts()
	for i := range s.Entries {
		e := &s.Entries[i]
		if role := e.Told.Role; role != "" && role != string(seen.Redirect) {
			continue
		}
		for _, at := range e.Addresses() {
			host, _ := site.Serving(hosts, at, folderOf)
			if f, _ := host.Fetch(crawler, host.Below(at)); !f.Allowed {
				e.Disallow(f)
				break
			}
		}
	}
}

// compareDenials returns a function that says what the files of the old snapshot deny to AI at an
// address of a page, by signals and tdmrep.json, and those of the new one do not, there or where the
// page is served now; "" for nothing, and if the new one is of answers that were kept, which say nothing
// of such files.
func compareDenials(old, new *Snapshot) func(o, n *Entry) string {
	same := maps.EqualFunc(old.Robots, new.Robots, (*robotstxt.File).SameSignals) &&
		maps.EqualFunc(old.TDMRep, new.TDMRep, slices.Equal)
	was, is := old.hosts(), new.hosts()
	return func(o, n *Entry) string {
		if new.Environment == "" && new.deployed == nil || same && slices.Equal(o.Addresses(), n.Addresses()) {
			return ""
		}
		for _, at := range o.Addresses() {
			before, _ := site.Serving(was, at, folderOf)
			for _, to := range n.addressesFor(at) {
				now, _ := site.Serving(is, to, folderOf)
				if text := before.LostSignals(before.Below(at), now, before.Below(to)); text != "" {
					return text
				}
			}
		}
		return ""
	}
}

// addressesFor are the addresses that an entry has now for an earlier one: that itself, if it is still there.
func (e *Entry) addressesFor(at string) []string {
	if all := e.Addresses(); !slices.Contains(all, at) {
		return all
	}
	return []string{at}
}

// hosts are those that have such files.
func (s *Snapshot) hosts() (all []seen.Host) {
	folders := append(slices.Collect(maps.Keys(s.Robots)), slices.Collect(maps.Keys(s.TDMRep))...)
	slices.Sort(folders)
	for _, folder := range slices.Compact(folders) {
		all = append(all, s.Host(folder))
	}
	return all
}
