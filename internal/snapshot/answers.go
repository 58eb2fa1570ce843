package snapshot

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"metarobots/internal/result"
)

// A Verdict says how what a crawler reads at a URL stands to what was decided: package verify lists them.
type Verdict string

// Bad reports whether a verdict is an error.
func (v Verdict) Bad() bool { return v == "looser" || v == "unreachable" }

// An Answer is one URL of a deployed site as one crawler reads it (X), a result of verify.
type Answer struct {
	// URL is the encoded path from the publish root, or the whole URL where it does not lie below that.
	URL     string  `json:"url"`
	Crawler string  `json:"crawler"` // "robots" for everyone
	Verdict Verdict `json:"verdict"`
	// Want is what was decided: directives, "indexable" for a URL of a sitemap, "redirect" for a page that sends on.
	Want string `json:"want"`
	// Got is what is read: directives, "redirect", "disallowed"; empty where nothing is.
	Got string `json:"got"`
	// Why names the header line or tag that made it other than decided, or what else is in the way.
	Why    string `json:"why"`
	Status int    `json:"status"` // of the last answer; 0 where there was none
	// Location is where it was read, or leads, where that is not the URL itself below the base.
	Location string `json:"location"`
	// Header are the X-Robots-Tag lines, Meta the robots metas of the page.
	Header []string `json:"header"`
	Meta   []Meta   `json:"meta"`
	// Others are lines of other headers by which deployed sites are compared, [DeployedHeaders].
	Others []string `json:"others,omitempty"`
	// Notes are what else an owner may want to know.
	Notes []string `json:"notes"`
	// Hidden: what is read keeps the page out of the index of a search engine in which it was to be.
	Hidden bool `json:"-"`
}

// A Meta is a robots meta of a page.
type Meta struct {
	Name    string `json:"name"`
	Content string `json:"content"`
	Line    int    `json:"line"`
}

// Elsewhere is where it was read, unless that is the URL itself, or why says it.
func (a Answer) Elsewhere() string {
	if strings.Contains(a.Why, a.Location) {
		return ""
	}
	return a.Location
}

// Text is what an answer says but for its URL and its crawler: answers that say the same are shown as one.
func (a *Answer) Text() string {
	return strings.Join([]string{string(a.Verdict), a.Want, a.Got, a.Why}, "\x00")
}

// Roles of URLs of a deployed site of which nothing is known: robots.txt keeps crawlers from it, or it is not there.
const (
	Disallowed = "disallowed"
	Missing    = "missing"
)

// OfAnswers makes a snapshot of what a deployed site answers: of its decisions, what they restrict. Where no page could
// be read, the role says why: missing (status 404 or 410), unreachable, redirect, disallowed.
func OfAnswers(answers []Answer) *Snapshot {
	s := &Snapshot{}
	for _, of := range Group(answers, func(a Answer) string { return a.URL }) {
		s.Entries = append(s.Entries, entryOfAnswers(of))
	}
	s.sort()
	return s
}

// entryOfAnswers is one URL as several crawlers read it, of whom everyone comes first.
func entryOfAnswers(of []Answer) Entry {
	main := of[0]
	e := Entry{URL: main.URL}
	if main.Status == http.StatusNotFound || main.Status == http.StatusGone {
		e.Decision.Role = Missing
		return e
	}
	switch main.Got {
	case "":
		e.Decision.Role = "unreachable"
	case string(result.Redirect), Disallowed:
		e.Decision.Role = main.Got
	default:
		for _, a := range of {
			e.Decision.Tell(a.Crawler, a.Got)
		}
		e.Decision.Robots = main.Got
		e.Decision = e.Decision.Restrictions()
	}
	e.Headers = headerLines(main.Others)
	var from []string
	for _, line := range main.Header {
		from = append(from, "X-Robots-Tag: "+line)
		if crawler, text := result.Addressee(line); crawler == result.Everyone {
			e.stated = append(e.stated, text)
		}
	}
	for _, m := range main.Meta {
		from = append(from, fmt.Sprintf("<meta name=%q content=%q>", m.Name, m.Content))
		if strings.EqualFold(m.Name, result.Everyone) {
			e.stated = append(e.stated, m.Content)
		}
	}
	if e.Reason = strings.Join(from, "; "); from == nil {
		e.Reason = main.Why
	}
	return e
}

// Deployed are two snapshots, one of a deployed site, with what can be compared: of the URLs that both know, without
// those that are not there, what decisions restrict, and some headers. They word differently what they allow. own are
// the base URLs of both. others are the names of the headers that are left out.
func Deployed(old, now *Snapshot, own []string) (a, b *Snapshot, others []string) {
	was, is := old.byURL(), now.byURL()
	known := func(e *Entry) bool {
		return was[e.URL] != nil && is[e.URL] != nil && e.Decision.Role != Missing
	}
	a, b = old.where(known), now.where(known)
	for _, s := range []*Snapshot{a, b} {
		for i := range s.Entries {
			e := &s.Entries[i]
			var more []string
			if e.Headers, more = headersOf(e, own); e.Decision.Role != "" { // nothing was read there
				e.Headers = nil
			}
			e.Decision, e.AI = e.Decision.Restrictions(), nil
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
		if e.Decision.Role == role {
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
