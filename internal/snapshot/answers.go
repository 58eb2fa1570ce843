package snapshot

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"metarobots/internal/result"
)

// An Answer is what one crawler reads at one URL of a deployed site: a result of verify, as --json prints it.
type Answer struct {
	URL     string      `json:"url"`
	Crawler string      `json:"crawler"`
	Got     string      `json:"got"`
	Why     string      `json:"why"`
	Status  int         `json:"status"`
	Header  []string    `json:"header"`
	Meta    []AnswerTag `json:"meta"`
	// Others are lines of other headers, as [DeployedHeaders] has them.
	Others []string `json:"others"`
}

// An AnswerTag is a robots meta of a page.
type AnswerTag struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

// Disallowed is the role of a URL that robots.txt keeps crawlers from, so that nothing of it is known.
const Disallowed = "disallowed"

// Missing is the role of a URL that is not there.
const Missing = "missing"

// everyone is the name under which verify answers for all crawlers.
const everyone = "robots"

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

// entryOfAnswers is one URL as several crawlers read it.
func entryOfAnswers(of []Answer) Entry {
	e := Entry{URL: of[0].URL}
	if of[0].Status == http.StatusNotFound || of[0].Status == http.StatusGone {
		e.Decision.Role = Missing
		return e
	}
	main := max(0, slices.IndexFunc(of, func(a Answer) bool { return a.Crawler == everyone }))
	switch got := of[main].Got; got {
	case "":
		e.Decision.Role = "unreachable"
	case "redirect", Disallowed:
		e.Decision.Role = got
	default:
		e.Decision.Robots = got
	}
	e.Reason, e.stated = of[main].source(), of[main].stated()
	for _, line := range of[main].Others {
		name, value, _ := strings.Cut(line, ": ")
		e.Headers = append(e.Headers, result.HeaderLine{Name: name, Value: value})
	}
	for _, a := range of {
		if e.Decision.Role == "" && a.Got != e.Decision.Robots {
			if e.Decision.Crawlers == nil {
				e.Decision.Crawlers = map[string]string{}
			}
			e.Decision.Crawlers[a.Crawler] = a.Got
		}
	}
	e.Decision = e.Decision.Restrictions()
	return e
}

// stated are the texts for everyone that an answer carries, each as it stands in the header or in a tag.
func (a *Answer) stated() (texts []string) {
	for _, line := range a.Header {
		if crawler, text := result.Addressee(line); crawler == everyone {
			texts = append(texts, text)
		}
	}
	for _, m := range a.Meta {
		if strings.EqualFold(m.Name, everyone) {
			texts = append(texts, m.Content)
		}
	}
	return texts
}

// source is where an answer's directives stand.
func (a *Answer) source() string {
	var from []string
	for _, line := range a.Header {
		from = append(from, "X-Robots-Tag: "+line)
	}
	for _, m := range a.Meta {
		from = append(from, fmt.Sprintf("<meta name=%q content=%q>", m.Name, m.Content))
	}
	if len(from) == 0 {
		return a.Why
	}
	return strings.Join(from, "; ")
}

// Restrictions is s with what its decisions restrict and some headers alone: by that, a plan and a deployed site are
// compared, which word differently what they allow. own are the base URLs of both. others are the names of the headers
// that are left out.
func (s *Snapshot) Restrictions(own []string) (changed *Snapshot, others []string) {
	changed = s.where(func(*Entry) bool { return true })
	for i := range changed.Entries {
		e := &changed.Entries[i]
		var more []string
		if e.Headers, more = headersOf(e, own); e.Decision.Role != "" { // nothing was read there
			e.Headers = nil
		}
		e.Decision, e.AI = e.Decision.Restrictions(), nil
		others = append(others, more...)
	}
	slices.Sort(others)
	return changed, slices.Compact(others)
}

// where is s with some of its entries.
func (s *Snapshot) where(is func(*Entry) bool) *Snapshot {
	part := *s
	part.Entries = slices.DeleteFunc(slices.Clone(s.Entries), func(e Entry) bool { return !is(&e) })
	return &part
}

// Only is s with the URLs of another alone.
func (s *Snapshot) Only(of *Snapshot) *Snapshot {
	known := of.byURL()
	return s.where(func(e *Entry) bool { return known[e.URL] != nil })
}

// Without is s without the URLs of another.
func (s *Snapshot) Without(of *Snapshot) *Snapshot {
	known := of.byURL()
	return s.where(func(e *Entry) bool { return known[e.URL] == nil })
}

// Known is s without the URLs that are not there.
func (s *Snapshot) Known() *Snapshot {
	return s.where(func(e *Entry) bool { return e.Decision.Role != Missing })
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
