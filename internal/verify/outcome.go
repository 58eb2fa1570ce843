package verify

// An Outcome is what several crawlers come to at one URL, all for the same reason.
type Outcome struct {
	Result            // of the first of them
	Crawlers []string // in the order of the results
}

// Outcomes are the results with crawlers put together, those of one URL beside each other.
func (r *Report) Outcomes() (list []Outcome) {
	first := 0 // of the outcomes at this URL
	for i := range r.Results {
		res := &r.Results[i]
		if i > 0 && res.URL != r.Results[i-1].URL {
			first = len(list)
		}
		at := first
		for at < len(list) && !list[at].alike(res) {
			at++
		}
		if at == len(list) {
			list = append(list, Outcome{Result: *res})
		}
		list[at].Crawlers = append(list[at].Crawlers, res.Crawler)
	}
	return list
}

func (o *Outcome) alike(r *Result) bool {
	return o.Verdict == r.Verdict && o.Want == r.Want && o.Got == r.Got && o.Why == r.Why
}

// A Note is something to be said of URLs that are as decided.
type Note struct {
	Text string
	URL  string // the first of them
	URLs int
}

// Notes are the notes of URLs that are as decided, each once.
func (r *Report) Notes() (list []Note) {
	index, last := map[string]int{}, map[string]string{}
	for i := range r.Results {
		res := &r.Results[i]
		if res.Verdict != Match {
			continue
		}
		for _, text := range res.Notes {
			at, ok := index[text]
			if !ok {
				at = len(list)
				index[text] = at
				list = append(list, Note{Text: text, URL: res.URL})
			}
			if !ok || last[text] != res.URL { // and not once for each crawler
				last[text] = res.URL
				list[at].URLs++
			}
		}
	}
	return list
}
