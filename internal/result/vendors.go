package result

import (
	"slices"

	"metarobots/internal/plan"
	"metarobots/internal/published"
	"metarobots/policy"
)

// A VendorTable counts, for one vendor of AI, the files that it uses.
type VendorTable struct {
	Vendor string `json:"vendor"`
	// Uses has no entry for a use if the vendor documents nothing about it.
	Uses map[policy.Use]*UseCount `json:"uses"`
}

// A UseCount counts files by what a vendor does with them for one use. A vendor with several
// crawlers for a use is denied it if all of them are.
type UseCount struct {
	Allowed int `json:"allowed"`
	Denied  int `json:"denied"`
	// Unknown are denied by robots.txt to a crawler whose vendor documents nothing about it
	// ([policy.Crawler.SecondHand]): nobody knows whether it obeys. None of them is in Denied.
	Unknown int `json:"unknown"`
	// MayIgnore are those of Denied that robots.txt denies to a crawler, one of perhaps several,
	// that does not always obey it.
	MayIgnore int `json:"mayIgnore"`
	// Partly are those of Allowed that some of the vendor's crawlers may not use, in the order of
	// the files.
	Partly []PartlyAllowed `json:"partly,omitempty"`
	// By are what decides, each once, with how many files, in the order of the files.
	By []VendorCause `json:"by"`
	// Source is the URL where the vendor documents the use.
	Source string `json:"source"`
}

// A PartlyAllowed counts files that some crawlers of a vendor may use and others may not. The names
// are those of robots.txt.
type PartlyAllowed struct {
	Allowed []string `json:"allowed"`
	Denied  []string `json:"denied"`
	Files   int      `json:"files"`
}

// A VendorCause is a line of robots.txt, a header or a tag that decides.
type VendorCause struct {
	By    string `json:"by"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Files int    `json:"files"`
}

// A SignalCount is a statement about AI that no vendor documents to obey, and how many files it is
// published for.
type SignalCount struct {
	Signal published.Signal `json:"signal"`
	Files  int              `json:"files"`
}

// CountSignals counts the signals of some URLs of a deployed site, in the order of the first ones.
func CountSignals(p *policy.Policy, urls []published.Deployed) (counts []SignalCount) {
	known := map[published.Signal]int{}
	for i := range urls {
		for _, signal := range urls[i].Signals(p) {
			at, isKnown := known[signal]
			if !isKnown {
				at, counts = len(counts), append(counts, SignalCount{Signal: signal})
				known[signal] = at
			}
			counts[at].Files++
		}
	}
	return counts
}

// VendorTables has a table for each vendor, by name. It is nil if neither the policy nor what is
// published says anything of AI.
func VendorTables(s *plan.Plan) (tables []VendorTable) {
	if !slices.ContainsFunc(s.Pages, func(pg *plan.Page) bool { return published.Addressed(s, pg) }) {
		return nil
	}
	var tallies []*published.Tally
	for _, g := range published.Groups(s) {
		tallies = append(tallies, &published.Tally{Answers: g.Answers, Files: len(g.Pages)})
	}
	return TablesOf(tallies)
}

// TablesOf has a table for each vendor, by name, of what vendors do with some files.
func TablesOf(tallies []*published.Tally) (tables []VendorTable) {
	for _, name := range published.VendorNames() {
		t := VendorTable{name, map[policy.Use]*UseCount{}}
		for _, of := range tallies {
			for _, u := range policy.Uses {
				t.count(u, of)
			}
		}
		tables = append(tables, t)
	}
	return tables
}

// count adds the files of a tally to a use, by the answers of the vendor's crawlers: if one of them
// may use the files, the vendor may. A vendor that documents nothing of the use has no answer, and
// nothing is counted.
func (t *VendorTable) count(use policy.Use, tally *published.Tally) {
	isOther := func(a published.Answer) bool { return a.Vendor != t.Vendor || a.Use != use }
	answers := slices.DeleteFunc(slices.Clone(tally.Answers), isOther)
	if len(answers) == 0 {
		return
	}
	c := t.Uses[use]
	if c == nil {
		c = &UseCount{Source: answers[0].Source, By: []VendorCause{}}
		t.Uses[use] = c
	}
	c.add(answers, tally.Files)
}

// add counts files by the answers of one vendor's crawlers for this use.
func (c *UseCount) add(answers []published.Answer, files int) {
	allows := func(a published.Answer) bool { return a.Allows() }
	isUnknown := func(a published.Answer) bool { return a.Answer == published.Unknown }
	mayIgnore := func(a published.Answer) bool { return a.MayIgnore }
	switch {
	case slices.ContainsFunc(answers, allows):
		c.Allowed += files
		c.addPartly(answers, files)
	case slices.ContainsFunc(answers, isUnknown):
		c.Unknown += files
	default:
		c.Denied += files
		if slices.ContainsFunc(answers, mayIgnore) {
			c.MayIgnore += files
		}
	}
	var counted []VendorCause // a line that decides for several crawlers counts once
	for _, a := range answers {
		cause := VendorCause{By: a.By, File: a.File, Line: a.Line}
		if a.By != "" && !slices.Contains(counted, cause) {
			counted = append(counted, cause)
			c.addCause(cause, files)
		}
	}
}

// addPartly adds files that one of the vendor's crawlers may use, if another may not.
func (c *UseCount) addPartly(answers []published.Answer, files int) {
	var p PartlyAllowed
	for _, a := range answers {
		if a.Allows() {
			p.Allowed = append(p.Allowed, a.Crawler)
		} else {
			p.Denied = append(p.Denied, a.Crawler)
		}
	}
	if len(p.Denied) == 0 {
		return
	}
	i := slices.IndexFunc(c.Partly, func(known PartlyAllowed) bool {
		return slices.Equal(known.Allowed, p.Allowed) && slices.Equal(known.Denied, p.Denied)
	})
	if i < 0 {
		i, c.Partly = len(c.Partly), append(c.Partly, p)
	}
	c.Partly[i].Files += files
}

// addCause adds files to what decides on them. The Files of cause are zero.
func (c *UseCount) addCause(cause VendorCause, files int) {
	i := slices.IndexFunc(c.By, func(known VendorCause) bool {
		known.Files = 0
		return known == cause
	})
	if i < 0 {
		i, c.By = len(c.By), append(c.By, cause)
	}
	c.By[i].Files += files
}
