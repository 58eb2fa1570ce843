package snapshot

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"metarobots/internal/seen"
)

// OfAnswers makes a snapshot of what a deployed site answers: of its decisions, what they restrict. Where no page could
// be read, the role says why: missing (status 404 or 410), unreachable, redirect, disallowed.
func OfAnswers(answers []seen.Answer) *Snapshot {
	s := &Snapshot{}
	for _, of := range Group(answers, func(a seen.Answer) string { return a.URL }) {
		s.Entries = append(s.Entries, entryOfAnswers(of))
	}
	s.sort()
	return s
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
// those that are not there, what decisions restrict, and some headers. They word differently what they allow. own are
// the base URLs of both. others are the names of the headers that are left out.
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
			e.Told, e.AI = e.Told.Restrictions(), nil
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

// Except is s without some URLs.
func (s *Snapshot) Except(urls []string) *Snapshot {
	return s.where(func(e *Entry) bool { return !slices.Contains(urls, e.URL) })
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

// With is s with the URLs of another that it has not.
func (s *Snapshot) With(of *Snapshot) *Snapshot {
	sum := *s
	sum.Entries = slices.Concat(s.Entries, of.Entries)
	sum.sort()
	return &sum
}
