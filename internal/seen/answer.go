package seen

import (
	"strings"

	"metarobots/policy"
)

// A Verdict compares what a crawler reads at a URL with what was decided.
type Verdict string

// The verdicts.
const (
	Match       Verdict = "match"       // it reads what was decided
	Looser      Verdict = "looser"      // something that was decided is missing
	Unreachable Verdict = "unreachable" // it cannot read the URL
	Stricter    Verdict = "stricter"    // it reads more restrictions than were decided
	Redirected  Verdict = "redirected"  // the URL leads to another page, which is read instead
)

// Verdicts are all of them, the worst first.
func Verdicts() []Verdict { return []Verdict{Looser, Unreachable, Stricter, Redirected, Match} }

// Compare compares what a crawler got with what was decided: [Looser], [Stricter] or [Match]. What
// is looser on one axis and stricter on another is looser.
func Compare(got, want policy.Directives) Verdict {
	switch {
	case !got.Covers(want):
		return Looser
	case !want.Covers(got):
		return Stricter
	}
	return Match
}

// Bad reports whether a verdict is an error.
func (v Verdict) Bad() bool { return v == Looser || v == Unreachable }

// An Answer is one URL of a deployed site as one crawler reads it (X), a result of verify.
type Answer struct {
	// URL is the encoded path from the publish root, or the whole URL if it is not below the site's
	// base URL.
	URL     string  `json:"url"`
	Crawler string  `json:"crawler"` // "robots" for everyone
	Verdict Verdict `json:"verdict"`
	// Want is what was decided: directives, "indexable" for a URL of a sitemap, "redirect" for a
	// page that sends on.
	Want string `json:"want"`
	// Got is what is read: directives, "redirect", "disallowed"; empty if nothing can be read.
	Got string `json:"got"`
	// Why names the header line or tag that made it other than decided, or what else is in the way.
	Why    string `json:"why"`
	Status int    `json:"status"` // of the last answer; 0 if there was none
	// First is the status of the URL itself, if redirects led on from there; else 0.
	First int `json:"firstStatus,omitempty"`
	// Location is the URL at which it was read, or to which it leads; empty if that is the URL
	// itself.
	Location string `json:"location"`
	// Header are the X-Robots-Tag lines, Meta the robots metas of the page.
	Header []string `json:"header"`
	Meta   []Meta   `json:"meta"`
	// Others are lines of other headers by which deployed sites are compared,
	// [snapshot.DeployedHeaders].
	Others []Header `json:"others,omitempty"`
	// Canonical is the other page that a canonical link in the head of this one names: its path
	// from the publish root, or its URL if it is on no host of the site. It is empty for none.
	Canonical string `json:"canonical,omitempty"`
	// Notes are what else an owner may want to know.
	Notes   []string `json:"notes"`
	Remarks Remarks  `json:"-"`
}

// Remarks are what is known of an answer as long as the program runs.
type Remarks struct {
	// NamesLocation: Why says that the URL leads to Location.
	NamesLocation bool
	// ReadsLocation: header and tags are those of the page at Location, to which redirects lead.
	ReadsLocation bool
	// Hidden: what is read keeps the page out of the index of a search engine in which it was to
	// be.
	Hidden bool
	// Faults are what is wrong with the robots tags and X-Robots-Tag lines, without a URL.
	Faults []policy.Finding
}

// A Meta is a robots meta of a page.
type Meta struct {
	Name    string `json:"name"`
	Content string `json:"content"`
	Line    int    `json:"line"`
}

// Elsewhere is Location, unless Why says it already.
func (a Answer) Elsewhere() string {
	if a.Remarks.NamesLocation {
		return ""
	}
	return a.Location
}

// Text is an answer without its URL and its crawler. Reports show answers with the same text as
// one.
func (a *Answer) Text() string {
	return strings.Join([]string{string(a.Verdict), a.Want, a.Got, a.Why}, "\x00")
}
