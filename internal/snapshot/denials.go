package snapshot

import (
	"maps"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/seen"
	"metarobots/internal/site"
)

// Denials are what the files of one host, which serves a folder of the publish root, deny to AI.
type Denials struct {
	folder string
	Robots *robotstxt.File // nil for nothing
	TDMRep robotstxt.Reservations
}

// Denials are those of the host that serves a folder.
func (s *Snapshot) Denials(folder string) Denials {
	d := Denials{folder: folder, TDMRep: s.TDMRep[folder]}
	if lines, ok := s.Robots[folder]; ok {
		d.Robots = robotstxt.Parse([]byte(strings.Join(lines, "\n")))
	}
	return d
}

// Disallow says of an entry that a rule of robots.txt keeps crawlers from it, so that they read nothing else there.
func (e *Entry) Disallow(rule string) {
	e.Told, e.Reason, e.File, e.Line = seen.Told{Role: seen.Disallowed}, seen.Reason{Text: rule}, "", 0
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
			host, _ := site.Serving(hosts, at, func(d Denials) string { return d.folder })
			if host.Robots == nil {
				continue
			}
			if v := host.Robots.Ask(crawler, below(host.folder, at)); !v.Allowed {
				e.Disallow(v.Rule)
				break
			}
		}
	}
}

// Lost says what was denied at a path and is denied no more, now that it is served at another; "" for nothing.
func (d Denials) Lost(path string, now Denials, at string) string {
	var all []string
	if text := d.Robots.Lost(path, now.Robots, at); text != "" {
		all = append(all, "robots.txt: "+text)
	}
	if rule := d.TDMRep.Reserves(path); rule != "" && now.TDMRep.Reserves(at) == "" {
		all = append(all, "tdmrep.json: "+rule)
	}
	return strings.Join(all, "; ")
}

// compareDenials returns a function that says what the files of the old snapshot deny at an address
// of a page and those of the new one do not, there or where the page is served now; "" for nothing.
// Of a deployed site a snapshot knows no such files, and nothing is compared.
func compareDenials(old, new *Snapshot) func(o, n *Entry) string {
	same := maps.EqualFunc(old.Robots, new.Robots, slices.Equal) && maps.EqualFunc(old.TDMRep, new.TDMRep, slices.Equal)
	was, is := old.hosts(), new.hosts()
	folder := func(d Denials) string { return d.folder }
	return func(o, n *Entry) string {
		if new.Environment == "" || same && slices.Equal(o.Addresses(), n.Addresses()) {
			return ""
		}
		for _, at := range o.Addresses() {
			before, _ := site.Serving(was, at, folder)
			for _, to := range n.addressesFor(at) {
				now, _ := site.Serving(is, to, folder)
				if text := before.Lost(below(before.folder, at), now, below(before.folder, to)); text != "" {
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

// hosts are the denials of each host that has such files.
func (s *Snapshot) hosts() (all []Denials) {
	folders := append(slices.Collect(maps.Keys(s.Robots)), slices.Collect(maps.Keys(s.TDMRep))...)
	slices.Sort(folders)
	for _, folder := range slices.Compact(folders) {
		all = append(all, s.Denials(folder))
	}
	return all
}
