package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/plan"
	"metarobots/policy"
)

// A tally is what is to be said of many pages, and is said once: of the first, with how many more
// there are.
type tally struct {
	key         string
	first, last *plan.Page
	count       int
	areFiles    bool            // some are no pages
	at          policy.Origin   // the place for the first page; without a file, the page's own
	about       *plan.Page      // whose finding it is, if that is not the first
	address     string          // at which the first is served, where that matters and is not its URL
	crawlers    []string        // that it is about
	states      []crawlerStates // what restricts them on the first
	common      string          // what those beside the first have in common: " of the language de"
}

// tallies are tallies by their key.
type tallies map[string]*tally

// oneTally is the key of the only tally of several pages.
const oneTally = ""

// placeShowing is a place for which {at} in the text of a finding becomes a text, in place of the
// place's own key ([tallies.findings]).
func placeShowing(at policy.Origin, text string) policy.Origin {
	at.Key = text
	return at
}

// linkAt is the place of a link in the page's own file, by its line; 0 is not known. target is what
// {at} becomes.
func linkAt(line int, target string) policy.Origin {
	return placeShowing(policy.Origin{Line: line}, target)
}

// add counts a page for the tally of a key, once if the same page comes several times in a row, and
// returns that tally, in which the caller may set more, such as its common. at is the place of the
// finding if the page is the first: without a File, it is about the page's own file. Its Key is
// what {at} becomes in the text ([tallies.findings]).
func (all tallies) add(key string, pg *plan.Page, at policy.Origin) *tally {
	t := all[key]
	if t == nil {
		t = &tally{key: key, first: pg, at: at}
		all[key] = t
	}
	if t.last != pg {
		t.last = pg
		t.count++
		t.areFiles = t.areFiles || pg.File.Role != policy.RolePage
	}
	return t
}

// tallied are the findings of what count adds of the pages, one after another.
func tallied(site *plan.Plan, id string, s policy.Severity, text string,
	count func(tallies, *plan.Page)) []policy.Finding {
	all := tallies{}
	for _, pg := range site.Pages {
		count(all, pg)
	}
	return all.findings(site, id, s, text)
}

// countIf counts the pages for which a condition is true, in one tally, for [tallied].
func countIf(isCounted func(*plan.Page) bool) func(tallies, *plan.Page) {
	return func(all tallies, pg *plan.Page) {
		if isCounted(pg) {
			all.add(oneTally, pg, policy.Origin{})
		}
	}
}

// pages names the first page and counts the others: "/a/ and 3 more".
func (t *tally) pages() string {
	name := t.first.URL
	if t.address != "" {
		name += " (served at " + t.address + ")"
	}
	switch t.count {
	case 1:
		return name
	case 2:
		return name + " and one more"
	}
	return fmt.Sprintf("%s and %d more", name, t.count-1)
}

// files counts the pages, or the files if some are none: "2 pages".
func (t *tally) files() string {
	noun := "page"
	if t.areFiles {
		noun = "file"
	}
	return robotstag.Count(t.count, noun, noun+"s")
}

// findings are one for each key, in their order. The text may have {key}, {pages}, {more} for how
// many there are beside the first, {files} for how many there are in all, {first} for the URL of
// the first, {path} for that one as globs match it, {at} for the key of where it is said of it, and
// {crawlers}. Its first line is the finding's Message, the second its Detail and the third its Fix.
func (all tallies) findings(site *plan.Plan, id string, s policy.Severity, text string) (findings []policy.Finding) {
	for _, key := range slices.Sorted(maps.Keys(all)) {
		t, more := all[key], ""
		if t.count > 1 {
			more = fmt.Sprintf(" (and %d more%s)", t.count-1, t.common)
		}
		fill := strings.NewReplacer("{key}", t.key, "{pages}", t.pages(), "{more}", more, "{files}", t.files(),
			"{first}", t.first.URL, "{path}", "/"+t.first.File.Name, "{at}", t.at.Key,
			"{crawlers}", strings.Join(t.crawlers, " and "))
		lines := append(strings.Split(text, "\n"), "", "")
		f := site.About(cmp.Or(t.about, t.first), id, s, t.at.Line, "%s", fill.Replace(lines[0]))
		f.Detail, f.Fix = fill.Replace(lines[1]), fill.Replace(lines[2])
		if t.at.File != "" {
			f.File = t.at.File
		}
		f.URLs = t.count
		findings = append(findings, f)
	}
	return findings
}
