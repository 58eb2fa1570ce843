package verify

import (
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
)

// FromSitemaps is the source of a report about what sitemaps list.
const FromSitemaps = "sitemaps"

// FromURLs is the source of a report about a list of URLs.
const FromURLs = "a list of URLs"

// A Summary counts. Of a URL's verdicts the worst counts.
type Summary struct {
	// Base is the first of Bases, which are all that were asked: where the publish root is served,
	// or, of a site that has several hosts, each of those folders that are.
	Base        string   `json:"base"`
	Bases       []string `json:"bases"`
	Source      string   `json:"source"`      // what was held against: a snapshot's file, [FromSitemaps] or [FromURLs]
	Environment string   `json:"environment"` // the snapshot's; empty without one
	URLs        int      `json:"urls"`        // known
	Passed      int      `json:"passed"`      // of them, control files, error pages, and what none of several hosts serves
	Left        int      `json:"left"`        // of them, not in the sample, or not reached before an interrupt
	Asked       int      `json:"asked"`       // the others
	Match       int      `json:"match"`
	Looser      int      `json:"looser"`
	Stricter    int      `json:"stricter"`
	Unreachable int      `json:"unreachable"`
	Redirected  int      `json:"redirected"`
	Sample      int      `json:"sample"` // as in the options, where only some were to be asked
	Seed        uint64   `json:"seed"`
	Requests    int      `json:"requests"` // sent
	Interrupted bool     `json:"interrupted"`
	Errors      []Fault  `json:"errors"`   // what is wrong with the site as a whole
	Warnings    []string `json:"warnings"` // what may be
	Notes       []string `json:"notes"`    // what is to be known of the run
}

// Expected is what a list says of its URLs. All others, and those of sitemaps, should be indexed.
type Expected struct {
	NotIndexable int    `json:"notIndexable"` // how many it calls so
	Column       string `json:"column"`       // which of its columns says that
}

// IsOfURLs reports whether no decisions were known: of URLs that sitemaps or somebody else lists.
func (s *Summary) IsOfURLs() bool { return s.Source == FromSitemaps || s.Source == FromURLs }

func (s *Summary) warn(format string, args ...any) {
	s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...))
}

func (s *Summary) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

func (s *Summary) fail(message, fix string) { s.Errors = append(s.Errors, Fault{message, fix}) }

// A Fault is something that is wrong with a site as a whole.
type Fault struct {
	Message string // a summary shows it alone
	Fix     string // what to do; empty, or with the mark in front that joins it to the message
}

// String is the whole text.
func (f Fault) String() string { return f.Message + f.Fix }

// MarshalText makes the whole text its form in JSON.
func (f Fault) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads that form, in which a fix is part of the message.
func (f *Fault) UnmarshalText(text []byte) error {
	f.Message = string(text)
	return nil
}

// A Report is what [Against], [Sitemaps] and [URLs] find.
type Report struct {
	// Results are in the order of the URLs, and of crawlers: everyone first, then by name.
	Results []seen.Answer `json:"results"`
	Summary Summary       `json:"summary"`
	// Refused counts the URLs that the edge refuses to the crawler whose name was sent. They are
	// neither asked nor left.
	Refused int `json:"refused,omitempty"`
	// Expected is what a list says of its URLs.
	Expected Expected `json:"expected,omitzero"`
	// SecondHosts are other hosts that were asked whether they serve the site too, in the order in
	// which they were asked.
	SecondHosts []SecondAnswer `json:"secondHosts,omitempty"`
	// MadeFor are the base URLs of the hosts that the snapshot was made for, in the order of their
	// folders.
	MadeFor []*url.URL `json:"-"`
	// Own are the roots of the hosts that the owner names as the site's own, by the snapshot; none
	// if he names none.
	Own []*url.URL `json:"-"`
	// roots are where the snapshot's folders are served; none without a snapshot.
	roots []root
	// IsHomeAlone: no sitemap lists a URL, so the home page alone was asked for.
	IsHomeAlone bool `json:"-"`
	// Host is what the files beside the pages say, of a site that has one host; Shut is why its
	// robots.txt cannot be read, so that crawlers read nothing there.
	Host seen.Host `json:"-"`
	Shut string    `json:"-"`
	// Hosts are what the files beside the pages say of each host that answered, by the folder that
	// it serves.
	Hosts []seen.Host `json:"-"`
	// IsRobotsPage: a page is in the place of robots.txt, which a warning says.
	IsRobotsPage bool `json:"-"`
	// RobotsTxt are the warnings about a robots.txt that is none.
	RobotsTxt []string `json:"-"`
}

// WriteJSON writes it as --json prints it, one result after the other: there may be many.
func (r *Report) WriteJSON(w io.Writer) error {
	whole := *r
	whole.Results = []seen.Answer{}
	return result.WriteList(w, whole, "results", slices.Values(r.Results))
}

// Snapshot is what crawlers read at the URLs that were asked.
func (r *Report) Snapshot() *snapshot.Snapshot { return snapshot.OfAnswers(r.Results, r.Hosts...) }

// Failed reports whether anything is wrong; strictly, whether anything is not as decided. Redirects
// alone are wrong where every URL leads elsewhere, so that nothing was compared, or most of them
// off the host or to one page, and restrictions where they keep a page out of the index.
func (r *Report) Failed(strictly bool) bool {
	s := &r.Summary
	return s.Looser+s.Unreachable+len(s.Errors) > 0 || s.comparedNothing() || strictly && s.Stricter+s.Redirected > 0
}

// comparedNothing reports whether URLs were asked and none was compared. It is false if none was
// asked.
func (s *Summary) comparedNothing() bool { return s.Asked > 0 && s.Redirected == s.Asked }

// Number is how many URLs came to a verdict.
func (s *Summary) Number(v seen.Verdict) int { return *s.number(v) }

// number is the member that counts a verdict.
func (s *Summary) number(v seen.Verdict) *int {
	return map[seen.Verdict]*int{seen.Match: &s.Match, seen.Looser: &s.Looser, seen.Unreachable: &s.Unreachable,
		seen.Stricter: &s.Stricter, seen.Redirected: &s.Redirected}[v]
}

// count adds a URL by the worst verdict of its results. There has to be one at least.
func (s *Summary) count(results []seen.Answer) {
	s.Asked++
	isAmongResults := func(v seen.Verdict) bool {
		return slices.ContainsFunc(results, func(r seen.Answer) bool { return r.Verdict == v })
	}
	verdicts := seen.Verdicts()
	worst := verdicts[slices.IndexFunc(verdicts, isAmongResults)]
	*s.number(worst)++
}

// An Outcome is what several crawlers come to at a URL, or at several that are alike, all for the
// same reason.
type Outcome struct {
	First    seen.Answer // of the first URL and crawler
	URLs     []string
	Crawlers []string // in the order of the results
}

// Outcomes are the results with crawlers put together, those of one URL beside each other.
func (r *Report) Outcomes() (list []Outcome) {
	for _, same := range snapshot.Group(r.Results, func(c seen.Answer) string { return c.URL + "\x00" + c.Text() }) {
		o := Outcome{First: same[0], URLs: []string{same[0].URL}}
		for _, c := range same {
			o.Crawlers = append(o.Crawlers, c.Crawler)
		}
		list = append(list, o)
	}
	return list
}

// Alike puts URLs together if the same crawlers make the same of them. Only the targets of
// canonical links may differ, which are left out if there are several URLs.
func Alike(outcomes []Outcome) (list []Outcome) {
	for _, same := range snapshot.Group(outcomes, func(o Outcome) string {
		text := snapshot.WithoutTargets(o.First.Text())
		return strings.Join(slices.Concat([]string{text}, o.Crawlers, o.First.Notes), "\x00")
	}) {
		o := same[0]
		for _, other := range same[1:] {
			o.URLs, o.First.Why = append(o.URLs, other.URLs...), snapshot.WithoutTargets(o.First.Why)
		}
		list = append(list, o)
	}
	return list
}

// A Note is something to be said of URLs that are as decided.
type Note struct {
	Text string
	URL  string // the first of them
	URLs int
}

// Others is how many URLs it is to be said of beside the first.
func (n Note) Others() int { return n.URLs - 1 }

// Notes are the notes of URLs that are as decided, each once.
func (r *Report) Notes() (list []Note) {
	var all []Note
	for _, c := range r.Results {
		if c.Verdict == seen.Match {
			for _, text := range c.Notes {
				all = append(all, Note{text, c.URL, 1})
			}
		}
	}
	for _, same := range snapshot.Group(all, func(n Note) string { return n.Text }) {
		same[0].URLs = len(slices.Compact(slices.Clone(same))) // once, and not for each crawler
		list = append(list, same[0])
	}
	return list
}
