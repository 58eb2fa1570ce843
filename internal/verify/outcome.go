package verify

import (
	"slices"
	"strings"

	"metarobots/internal/snapshot"
)

// An Outcome is what several crawlers come to at one URL, all for the same reason.
type Outcome struct {
	First    Comparison // of the first crawler
	Crawlers []string   // in the order of the results
}

// Outcomes are the results with crawlers put together, those of one URL beside each other.
func (r *Report) Outcomes() (list []Outcome) {
	for _, same := range snapshot.Group(r.Results, func(c Comparison) string { return c.URL + "\x00" + c.text() }) {
		o := Outcome{First: same[0]}
		for _, c := range same {
			o.Crawlers = append(o.Crawlers, c.Crawler)
		}
		list = append(list, o)
	}
	return list
}

// text is what a comparison says but for its URL and its crawler.
func (c *Comparison) text() string {
	return strings.Join([]string{string(c.Verdict), c.Want, c.Got, c.Why}, "\x00")
}

// Alike are the outcomes with URLs put together of which the same crawlers make the same.
func Alike(outcomes []Outcome) [][]Outcome {
	return snapshot.Group(outcomes, func(o Outcome) string {
		return strings.Join(slices.Concat([]string{o.First.text()}, o.Crawlers, o.First.Notes), "\x00")
	})
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
		if c.Verdict == Match {
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
