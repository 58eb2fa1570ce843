package verify

import "slices"

// An Outcome is what several crawlers come to at one URL, all for the same reason.
type Outcome struct {
	Comparison          // of the first of them
	Crawlers   []string // in the order of the results
}

// Outcomes are the results with crawlers put together, those of one URL beside each other.
func (r *Report) Outcomes() (list []Outcome) {
	first := 0 // of the outcomes at this URL
	for i, res := range r.Results {
		if i > 0 && res.URL != r.Results[i-1].URL {
			first = len(list)
		}
		at := first + slices.IndexFunc(list[first:], func(o Outcome) bool {
			return o.Verdict == res.Verdict && o.Want == res.Want && o.Got == res.Got && o.Why == res.Why
		})
		if at < first {
			at, list = len(list), append(list, Outcome{Comparison: res})
		}
		list[at].Crawlers = append(list[at].Crawlers, res.Crawler)
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
	index, last := map[string]int{}, map[string]string{}
	for _, res := range r.Results {
		for _, text := range res.Notes {
			if res.Verdict != Match || last[text] == res.URL { // once, and not for each crawler
				continue
			}
			last[text] = res.URL
			if _, ok := index[text]; !ok {
				index[text] = len(list)
				list = append(list, Note{Text: text, URL: res.URL})
			}
			list[index[text]].URLs++
		}
	}
	return list
}
