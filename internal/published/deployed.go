package published

import (
	"metarobots/emit/robotstxt"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// A Deployed is one URL of a deployed site: the path of its request with its query, what the files
// of its host say, and what its X-Robots-Tag lines, robots metas and other headers say.
type Deployed struct {
	Host   seen.Host
	Path   string
	Header []string
	Tags   []policy.Tag
	Others []seen.Header
}

// Signals are those that are published for the URL, as [Signals].
func (d *Deployed) Signals(p *policy.Policy) (list []Signal) {
	if d.Host.Robots != nil {
		for _, l := range d.Host.Robots.Signals(d.Path) {
			list = append(list, Signal{Text: l.String(), File: "robots.txt", Line: l.Number})
		}
	}
	for _, kind := range robotstxt.AIFiles {
		for _, rule := range robotstxt.Denying(kind, d.Host.AIFiles[kind])(d.Path) {
			list = append(list, Signal{Text: kind.Key() + ": " + rule, File: kind.Carrier()})
		}
	}
	for _, l := range d.Others {
		if isSignal(l.Name, l.Value) {
			list = append(list, Signal{Text: l.Name + ": " + l.Value})
		}
	}
	return append(list, directivesOnAI(p, d.Header, d.Tags)...)
}

// reading is what crawlers read at the URL.
func (d *Deployed) reading(p *policy.Policy) *reading {
	r := &reading{policy: p, robots: "robots.txt", header: d.Header, tags: d.Tags,
		fetches: make([]seen.Fetch, len(crawlers()))}
	for i, c := range crawlers() {
		r.fetches[i], _ = d.Host.Fetch(c.Name, d.Path)
	}
	return r
}

// Answers are what vendors of AI do with the URL.
func (d *Deployed) Answers(p *policy.Policy) []Answer { return d.reading(p).answers() }

// A Tally is a number of files with which all vendors do the same.
type Tally struct {
	Answers []Answer
	Files   int
}

// Tallies are those of the URLs of a deployed site, in the order of the first ones.
func Tallies(p *policy.Policy, all []Deployed) (tallies []*Tally) {
	known := map[string]*Tally{}
	for i := range all {
		r := all[i].reading(p)
		key := r.key()
		t := known[key]
		if t == nil {
			t = &Tally{Answers: r.answers()}
			known[key], tallies = t, append(tallies, t)
		}
		t.Files++
	}
	return tallies
}
