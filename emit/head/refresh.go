package head

import (
	"regexp"
	"strconv"
)

// refresh takes in a meta that sends the reader on. The first that says something readable counts.
func (s *Scanner) refresh(f *fields) {
	if s.page.facts.Refresh != nil || !f.content.Given() || !Fold(s.value(&f.equiv), "refresh") {
		return
	}
	if r, ok := ParseRefresh(s.value(&f.content)); ok {
		s.page.facts.Refresh = &r
	}
}

// A Refresh sends the reader on.
type Refresh struct {
	Delay float64 // in seconds
	URL   string  // "" is the page itself
}

// refreshForm is a delay, of which a fraction is read over, and a URL: with or without "url=", with or without quotes.
var refreshForm = regexp.MustCompile(`(?s)^\s*(\d*)(\.[\d.]*)?(?:(?:\s+[;,]?|[;,])\s*(?:[uU][rR][lL]\s*=\s*)?` +
	`(?:"([^"]*).*|'([^']*).*|(.*)))?$`)

// ParseRefresh reads what a meta refresh says, or an HTTP header of that name. As
// in the standard, a fraction of the delay is read over: "0.5" is at once.
//
// https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
func ParseRefresh(v []byte) (r Refresh, ok bool) {
	m := refreshForm.FindStringSubmatch(string(v))
	if m == nil || m[1]+m[2] == "" {
		return Refresh{}, false
	}
	r.Delay, _ = strconv.ParseFloat(m[1], 64)
	r.URL = m[3] + m[4] + m[5]
	return r, true
}
