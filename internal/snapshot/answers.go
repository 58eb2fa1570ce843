package snapshot

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/seen"
)

// OfAnswers makes a snapshot of what a deployed site answers: of its decisions, what they restrict. Where no page could
// be read, the role says why: missing (status 404 or 410), unreachable, redirect, disallowed. hosts are what is known of
// the files beside the pages: none of answers that were kept.
func OfAnswers(answers []seen.Answer, hosts ...seen.Host) *Snapshot {
	s := &Snapshot{}
	for _, h := range hosts {
		s.addHost(h)
	}
	for _, of := range Group(answers, func(a seen.Answer) string { return a.URL }) {
		s.Entries = append(s.Entries, entryOfAnswers(of))
	}
	s.sort()
	return s
}

// addHost takes in what the files of a deployed host say.
func (s *Snapshot) addHost(h seen.Host) {
	if s.deployed == nil {
		s.Robots, s.TDMRep = robotstxt.PerHost{}, map[string]robotstxt.Rules{}
		s.deployed = map[string]seen.Host{}
	}
	s.Robots[h.Folder], s.deployed[h.Folder] = h.Robots, h
	for kind, rules := range h.AIFiles {
		if kind.Carrier() == robotstxt.TDMRepFile {
			s.TDMRep[h.Folder] = rules
		}
	}
}

// entryOfAnswers is one URL as several crawlers read it, of whom everyone comes first. What an answer
// Got is directives, or says why there are none: see [seen.Answer].
func entryOfAnswers(of []seen.Answer) Entry {
	main := of[0]
	e := Entry{URL: main.URL}
	if main.Status == http.StatusNotFound || main.Status == http.StatusGone {
		e.Told.Role = seen.Missing
		return e
	}
	switch main.Got {
	case "":
		e.Told.Role = seen.NotReached
	case string(seen.Redirect), seen.Disallowed:
		e.Told.Role = main.Got
	default:
		for _, a := range of {
			e.Told.Tell(a.Crawler, seen.Read(a.Got))
		}
		e.Told.Robots = seen.Read(main.Got)
		e.Told = e.Told.Restrictions()
	}
	e.Headers = main.Others
	var from []string
	for _, line := range main.Header {
		from = append(from, "X-Robots-Tag: "+line)
		if crawler, text := seen.Addressee(line); crawler == seen.Everyone {
			e.lines = append(e.lines, seen.Read(text))
		}
	}
	for _, m := range main.Meta {
		from = append(from, fmt.Sprintf("<meta name=%q content=%q>", m.Name, m.Content))
		if strings.EqualFold(m.Name, seen.Everyone) {
			e.lines = append(e.lines, seen.Read(m.Content))
		}
	}
	e.Reason.Text = cmp.Or(strings.Join(from, "; "), main.Why)
	return e
}

// Deployed are two snapshots, one of a deployed site, with what can be compared: of the URLs that both know, without
// those that are not there, what decisions restrict, and some headers. They word differently what they allow. A deployed
// site was asked at the addresses that a file has of a page. own are the base URLs of both. others are the names of the headers that are left out.
func Deployed(old, now *Snapshot, own []string) (a, b *Snapshot, others []string) {
	was, is := old.byURL(), now.byURL()
	known := func(e *Entry) bool {
		return was[e.URL] != nil && is[e.URL] != nil && e.Told.Role != seen.Missing
	}
	a, b = old.where(known), now.where(known)
	for _, s := range []*Snapshot{a, b} {
		for i := range s.Entries {
			e := &s.Entries[i]
			var more []string
			if e.Headers, more = headersOf(e, own); e.Told.Role != "" { // nothing was read there
				e.Headers = nil
			}
			if e.Told, e.AI = e.Told.Restrictions(), nil; e.Served == nil {
				e.Served = cmp.Or(was[e.URL], is[e.URL]).Served
			}
			others = append(others, more...)
		}
	}
	slices.Sort(others)
	return a, b, slices.Compact(others)
}

// where is s with some of its entries.
func (s *Snapshot) where(is func(*Entry) bool) *Snapshot {
	part := *s
	part.Entries = slices.DeleteFunc(slices.Clone(s.Entries), func(e Entry) bool { return !is(&e) })
	return &part
}

// Without is s without the URLs of another.
func (s *Snapshot) Without(of *Snapshot) *Snapshot {
	known := of.byURL()
	return s.where(func(e *Entry) bool { return known[e.URL] == nil })
}

// Unread is s with some URLs of which nothing was read, so that nothing but robots.txt is compared there.
func (s *Snapshot) Unread(urls []string) *Snapshot {
	rest := s.where(func(*Entry) bool { return true })
	for i := range rest.Entries {
		if e := &rest.Entries[i]; slices.Contains(urls, e.URL) {
			e.Told, e.Headers, e.lines = seen.Told{Role: seen.Disallowed}, nil, nil
		}
	}
	return rest
}

// Role are the URLs of a role, such as [Disallowed].
func (s *Snapshot) Role(role string) (urls []string) {
	for _, e := range s.Entries {
		if e.Told.Role == role {
			urls = append(urls, e.URL)
		}
	}
	return urls
}

// With is s with the URLs of another that it has not, and if s knows nothing of deployed hosts, with what the other knows.
func (s *Snapshot) With(of *Snapshot) *Snapshot {
	sum := *s
	if len(s.Robots) == 0 && of.deployed != nil {
		sum.Robots, sum.TDMRep, sum.deployed = of.Robots, of.TDMRep, of.deployed
	}
	sum.Entries = slices.Concat(s.Entries, of.Entries)
	sum.sort()
	return &sum
}
