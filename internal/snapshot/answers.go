package snapshot

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"metarobots/emit/robotstxt"
	"metarobots/internal/plan"
	"metarobots/internal/seen"
)

// OfAnswers makes a snapshot of what a deployed site answers: of its decisions, what they restrict.
// If no page could be read at a URL, the role says why: missing (status 404 or 410), unreachable,
// redirect, disallowed. Of the answers for one URL, the one for everyone is the first. If crawlers
// were named and everyone is none of them, the first crawler's counts as that. hosts are what is
// known of the files beside the pages: none of answers that were kept.
func OfAnswers(answers []seen.Answer, hosts ...seen.Host) *Snapshot {
	s, now := &Snapshot{Answered: true}, time.Now()
	for _, h := range hosts {
		s.addHost(h)
	}
	for _, ofURL := range Group(answers, func(a seen.Answer) string { return a.URL }) {
		s.Entries = append(s.Entries, entryOfAnswers(ofURL, now))
	}
	s.arrange()
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

// entryOfAnswers is one URL as several crawlers read it, first everyone. Headers and tags are those
// of that first answer; what a missing URL answers is an error page's, and nothing of it is kept.
// Its reason is the lines and tags or, without any, why nothing was read or what is not as decided.
// Where a redirect leads is not kept: its role says that it leads elsewhere. Served stays nil, and
// [ComparableAsDeployed] sets it.
func entryOfAnswers(answers []seen.Answer, now time.Time) Entry {
	everyone := &answers[0]
	e := Entry{URL: everyone.URL, Told: seen.ToldBy(answers, now), Headers: everyone.Others,
		answers: answers}
	if e.Told.Role == seen.Missing {
		return Entry{URL: e.URL, Told: e.Told}
	}
	if e.Told.Role == "" && everyone.Canonical != "" {
		e.Leads = &plan.Lead{By: plan.ByCanonicalLink, To: everyone.Canonical}
	}
	var served []string
	for _, line := range everyone.Header {
		served = append(served, "X-Robots-Tag: "+line)
		if text, ok := lineForEveryone(line); ok {
			e.lines = append(e.lines, text)
		}
	}
	for _, tag := range everyone.Meta {
		served = append(served, fmt.Sprintf("<meta name=%q content=%q>", tag.Name, tag.Content))
		if text, ok := tagForEveryone(tag); ok {
			e.lines = append(e.lines, text)
		}
	}
	e.Reason.Text = cmp.Or(strings.Join(served, "; "), everyone.Why)
	return e
}

// lineForEveryone reads an X-Robots-Tag line; ok is false if it is for one crawler.
func lineForEveryone(line string) (text seen.Text, ok bool) {
	crawler, printed := seen.Addressee(line)
	return seen.Read(printed), crawler == seen.Everyone
}

// tagForEveryone reads a robots meta; ok is false if it is for one crawler.
func tagForEveryone(tag seen.Meta) (text seen.Text, ok bool) {
	return seen.Read(tag.Content), strings.EqualFold(tag.Name, seen.Everyone)
}

// ComparableAsDeployed returns of two snapshots, at least one a deployed site's, what can be
// compared: of the URLs that both have and that are there, what decisions restrict, and some
// headers. If both are of deployed sites, it keeps the URLs that one of them was not asked for:
// they count as added, or as removed. Deployed sites and policies word what they allow in several
// ways, so that is left out. own are the base URLs of both sites. others are the names of the
// headers that are left out, sorted.
func ComparableAsDeployed(old, now *Snapshot, own []string) (a, b *Snapshot, others []string) {
	was, is := old.byURL(), now.byURL()
	isComparable := func(e *Entry) bool {
		isInBoth := was[e.URL] != nil && is[e.URL] != nil
		return e.Told.Role != seen.Missing && (isInBoth || old.Answered && now.Answered)
	}
	a, b = old.where(isComparable), now.where(isComparable) // copies, which may be changed
	places := placesOf(own, old.Hosts, now.Hosts)
	for _, s := range []*Snapshot{a, b} {
		for i := range s.Entries {
			e := &s.Entries[i]
			others = append(others, e.asDeployed(own, places)...)
			if e.Served == nil { // a deployed site was asked at the addresses that the other side has
				e.Served = servedIn(e.URL, was, is)
			}
		}
	}
	slices.Sort(others)
	return a, b, slices.Compact(others)
}

// asDeployed leaves in an entry what can be compared with a deployed site: what the decision
// restricts, the headers by which sites are compared, if somebody has read them, and where it leads
// (leadOnSite). It returns the names of the headers that it leaves out. own are the base URLs of
// both sites, places what is served below them.
func (e *Entry) asDeployed(own []string, places []place) (leftOut []string) {
	lines, leftOut := e.deployedHeaders(own)
	if isUnread := e.Told.Role != ""; isUnread {
		lines = nil
	}
	e.Headers, e.Told = lines, e.Told.Restrictions()
	e.AI = nil                     // answers do not say what was decided on the uses by AI
	e.Leads = e.leadOnSite(places) // on the site as a path; none to the page itself
	return leftOut
}

// servedIn are the addresses of a URL in the first of some snapshots, by URLs, that has any.
func servedIn(url string, snapshots ...map[string]*Entry) []string {
	for _, entries := range snapshots {
		if e := entries[url]; e != nil && e.Served != nil {
			return e.Served
		}
	}
	return nil
}

// where is s with those of its entries for which keep returns true.
func (s *Snapshot) where(keep func(*Entry) bool) *Snapshot {
	part := *s
	part.Entries = slices.DeleteFunc(slices.Clone(s.Entries),
		func(e Entry) bool { return !keep(&e) })
	return &part
}

// WithoutURLsOf is s without the URLs of another snapshot.
func (s *Snapshot) WithoutURLsOf(other *Snapshot) *Snapshot {
	theirs := other.byURL()
	return s.where(func(e *Entry) bool { return theirs[e.URL] == nil })
}

// ReadBy is s as some crawlers read it, by their names or [seen.Everyone]: a comparison of two such
// snapshots says nothing of other crawlers. Without names it is s.
func (s *Snapshot) ReadBy(crawlers []string) *Snapshot {
	if len(crawlers) == 0 {
		return s
	}
	part := s.where(func(*Entry) bool { return true })
	part.crawlers = crawlers
	for i := range part.Entries {
		e := &part.Entries[i]
		if e.Told.Role != "" {
			continue
		}
		told := seen.Told{}
		for _, name := range crawlers {
			text := e.Told.For(name)
			if len(crawlers) == 1 {
				name = seen.Everyone // there is nobody else to tell it from
			}
			told.Tell(name, text)
		}
		e.Told = told
	}
	return part
}

// isFor reports whether a comparison of s is for a crawler of robots.txt, "*" for everyone.
func (s *Snapshot) isFor(crawler string) bool {
	if crawler == "*" {
		crawler = seen.Everyone
	}
	isNamed := func(name string) bool { return strings.EqualFold(name, crawler) }
	return len(s.crawlers) == 0 || slices.ContainsFunc(s.crawlers, isNamed)
}

// withUnread is s as if nothing had been read at some URLs, so that robots.txt alone is compared
// there.
func (s *Snapshot) withUnread(urls []string) *Snapshot {
	rest := s.where(func(*Entry) bool { return true })
	for i := range rest.Entries {
		if e := &rest.Entries[i]; slices.Contains(urls, e.URL) {
			e.Told, e.Headers, e.Leads, e.lines = seen.Told{Role: seen.Disallowed}, nil, nil, nil
		}
	}
	return rest
}

// AsAnswered returns of two snapshots what can be compared, as [ComparableAsDeployed] and
// [WithoutDisallowed] leave it, if either is of a deployed site. Else it returns both.
func AsAnswered(old, now *Snapshot) (a, b *Snapshot) {
	if !old.Answered && !now.Answered {
		return old, now
	}
	var own []string
	for _, s := range []*Snapshot{old, now} {
		own = slices.AppendSeq(own, maps.Values(s.Hosts))
	}
	a, b, _ = ComparableAsDeployed(old, now, own)
	a, b, _ = WithoutDisallowed(a, b)
	return a, b
}

// WithoutDisallowed leaves out of two snapshots what they say of URLs that robots.txt disallows on
// either side, where it could not be read on that side: robots.txt alone is compared there. closed
// are these URLs, sorted.
func WithoutDisallowed(old, now *Snapshot) (a, b *Snapshot, closed []string) {
	closed = append(old.urlsOfRole(seen.Disallowed), now.urlsOfRole(seen.Disallowed)...)
	if len(closed) == 0 {
		return old, now, nil
	}
	slices.Sort(closed)
	closed = slices.Compact(closed)
	return old.withUnread(closed), now.withUnread(closed), closed
}

// urlsOfRole are the URLs of a role, such as [seen.Disallowed].
func (s *Snapshot) urlsOfRole(role string) (urls []string) {
	for _, e := range s.Entries {
		if e.Told.Role == role {
			urls = append(urls, e.URL)
		}
	}
	return urls
}

// WithURLsOf is s and those URLs of another snapshot that s does not have. If s knows nothing of
// deployed hosts, it takes what the other knows.
func (s *Snapshot) WithURLsOf(other *Snapshot) *Snapshot {
	sum := *s
	sum.Answered = s.Answered || other.Answered
	sum.leadsUnknown = s.leadsUnknown || other.leadsUnknown
	if len(s.Robots) == 0 && other.deployed != nil {
		sum.Robots, sum.TDMRep, sum.deployed = other.Robots, other.TDMRep, other.deployed
	}
	sum.Entries = slices.Concat(s.Entries, other.Entries)
	sum.arrange()
	return &sum
}
