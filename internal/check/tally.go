package check

import (
	"fmt"
	"maps"
	"slices"

	"metarobots/internal/plan"
	"metarobots/policy"
)

// A tally is what is to be said of many pages, and is said once: of the first, with how many more there are.
type tally struct {
	first *plan.Page
	count int
	at    policy.Origin // where it stands for the first page; zero for the page's file
}

func (t *tally) add(pg *plan.Page, at policy.Origin) {
	if t.count++; t.first == nil {
		t.first, t.at = pg, at
	}
}

// tallyOf counts the pages that which selects.
func tallyOf(site *plan.Plan, which func(*plan.Page) bool) *tally {
	t := &tally{}
	for _, pg := range site.Pages {
		if which(pg) {
			t.add(pg, policy.Origin{})
		}
	}
	return t
}

// pages names the first page and counts the others: "/a/ and 3 more".
func (t *tally) pages() string {
	switch t.count {
	case 0:
		return ""
	case 1:
		return t.first.URL
	case 2:
		return t.first.URL + " and one more"
	}
	return fmt.Sprintf("%s and %d more", t.first.URL, t.count-1)
}

// path is the first page's, as globs match it; empty where there are no pages.
func (t *tally) path() string {
	if t.first == nil {
		return ""
	}
	return "/" + t.first.File.Name
}

// findings are the one finding about the pages; none where there are none.
func (t *tally) findings(site *plan.Plan, id string, s policy.Severity, format string, args ...any) []policy.Finding {
	if t.count == 0 {
		return nil
	}
	f := site.About(t.first, id, s, t.at.Line, format, args...)
	if t.at.File != "" {
		f.File = t.at.File
	}
	return []policy.Finding{f}
}

// tallies are tallies by what is said.
type tallies map[string]*tally

func (all tallies) add(key string, pg *plan.Page, at policy.Origin) {
	if all[key] == nil {
		all[key] = &tally{}
	}
	all[key].add(pg, at)
}

// findings are one for each key, in their order; format gets the key and the pages.
func (all tallies) findings(site *plan.Plan, id string, s policy.Severity, format string) (findings []policy.Finding) {
	for _, key := range slices.Sorted(maps.Keys(all)) {
		findings = append(findings, all[key].findings(site, id, s, format, key, all[key].pages())...)
	}
	return findings
}
