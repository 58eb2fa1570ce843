package snapshot

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"metarobots/internal/seen"
	"metarobots/policy"
)

// A preview of a site is noindex at every page, which says nothing of what its pages restrict for reasons of their own.
// To compare it with production, what its environment restricts everywhere is set aside. There are two cases:
//
//	a header line of its own      X-Robots-Tag: noindex           at every URL, beside what else is told there.
//	                              X-Robots-Tag: nosnippet         Without that line the rest is known exactly.
//	words in the pages' own tags  <meta … "noindex, nosnippet">   Whether a page would be noindex by itself cannot be
//	                                                              seen: that word is not compared, and such pages that
//	                                                              the other side has as noindex are Hidden.

// An everywhere is what the environment of a site restricts at every page, noindex among it; the zero value is that of a
// site that is no preview. It has a line or words, not both.
type everywhere struct {
	line  seen.Text         // a header line, or a tag, that stands at every URL beside what else is told there
	words policy.Directives // what every page restricts
}

func (e everywhere) isZero() bool { return e.line.IsZero() && e.words.IsZero() }

// everywhere finds out what every page of s restricts. except is a page that is not noindex, where most are.
func (s *Snapshot) everywhere() (all everywhere, except string) {
	policed := s.where(func(e *Entry) bool { return e.Told.Role == "" })
	if line, ok := policed.commonLine(); ok {
		return everywhere{line: line}, ""
	}
	pages := policed.where(func(e *Entry) bool { return IsPage(e.URL) }).Entries // what has no head has no tag
	indexable := slices.DeleteFunc(slices.Clone(pages), func(e Entry) bool { return e.Told.Robots.NoIndex() })
	switch {
	case 2*len(indexable) >= len(pages):
		return everywhere{}, ""
	case len(indexable) > 0:
		return everywhere{}, indexable[0].URL
	}
	all.words = pages[0].Told.Robots.Restrictions()
	for _, e := range pages {
		all.words = policy.LeastRestrictive(all.words, e.Told.Robots.Restrictions())
	}
	return all, ""
}

// commonLine is the first line with noindex that every entry has.
func (s *Snapshot) commonLine() (line seen.Text, ok bool) {
	if len(s.Entries) == 0 {
		return seen.Text{}, false
	}
	for _, line := range s.Entries[0].lines {
		lacksIt := func(e Entry) bool { return !slices.Contains(e.lines, line) }
		if line.NoIndex() && !slices.ContainsFunc(s.Entries, lacksIt) {
			return line, true
		}
	}
	return seen.Text{}, false
}

// IsPage reports whether a URL is that of a page, to judge by its ending.
func IsPage(url string) bool {
	return slices.Contains([]string{"", ".html", ".htm", ".xhtml"}, strings.ToLower(path.Ext(url)))
}

// IsPreview reports whether everything of s is noindex.
func (s *Snapshot) IsPreview() bool {
	all, _ := s.everywhere()
	return !all.isZero()
}

// An Aside is what [WithoutPreview] leaves out.
type Aside struct {
	// Hidden are the URLs that one side has as noindex, and of which the other, a preview, does not show whether they
	// are so for a reason of their own.
	Hidden []string
	// Except is a URL of a site that is noindex almost everywhere, and therefore no preview.
	Except string
	// Nothing: neither side is a preview.
	Nothing bool
	// Closed is the folder of a host whose robots.txt disallows everything on one side alone, as that of a preview may.
	// It is not compared. Empty for none.
	Closed string
}

// WithoutPreview returns two snapshots without what either restricts at every URL, such as a preview's noindex. Where
// that is a header line of its own, the rest is known. Where it stands in the pages' tags, its directives are not
// compared, nor what noindex makes redundant, which such a tag need not repeat.
func WithoutPreview(old, now *Snapshot) (a, b *Snapshot, aside Aside) {
	was, exceptOld := old.everywhere()
	is, exceptNow := now.everywhere()
	aside = Aside{Except: exceptOld + exceptNow, Nothing: was.isZero() && is.isZero()}
	a, b = old.withoutLine(was.line), now.withoutLine(is.line)
	aside.Closed = a.leaveClosed(b)
	others := b.byURL()
	for i := range a.Entries {
		e := &a.Entries[i]
		o := others[e.URL]
		if o == nil || e.Told.Role != "" || o.Told.Role != "" {
			continue
		}
		if !is.words.IsZero() && e.Told.Robots.NoIndex() || !was.words.IsZero() && o.Told.Robots.NoIndex() {
			aside.Hidden = append(aside.Hidden, e.URL)
		}
		before, after := e.Told, o.Told
		e.Told = side{before, was.words}.beside(side{after, is.words})
		o.Told = side{after, is.words}.beside(side{before, was.words})
	}
	return a, b, aside
}

// leaveClosed takes the robots.txt out of both snapshots that disallows everything in one of them alone, and names the
// folder of its host; the first of several, empty for none.
func (s *Snapshot) leaveClosed(other *Snapshot) (first string) {
	s.Robots, other.Robots = maps.Clone(s.Robots), maps.Clone(other.Robots)
	for _, folder := range slices.Sorted(maps.Keys(s.Robots)) {
		if other.KnowsRobots(folder) && s.Robots[folder].ShutsAllOut() != other.Robots[folder].ShutsAllOut() {
			delete(s.Robots, folder)
			delete(other.Robots, folder)
			first = cmp.Or(first, folder)
		}
	}
	return first
}

// withoutLine is s without a line that stands at each of its URLs; the zero value is no line.
func (s *Snapshot) withoutLine(line seen.Text) *Snapshot {
	rest := s.where(func(*Entry) bool { return true })
	for i := range rest.Entries {
		e := &rest.Entries[i]
		at := slices.Index(e.lines, line)
		if line.IsZero() || at < 0 || e.Told.Role != "" {
			continue
		}
		var sum policy.Directives
		for _, other := range slices.Delete(slices.Clone(e.lines), at, at+1) {
			sum = policy.MostRestrictive(sum, other.Directives)
		}
		e.Told = seen.Told{Robots: seen.Print(sum)}.Restrictions()
	}
	return rest
}

// A side is what one side tells at a URL, with what its environment restricts at every page.
type side struct {
	told       seen.Told
	everywhere policy.Directives
}

var noindex = seen.Read("noindex").Directives

// beside is what can be compared of one side: nothing on an axis that the environment of either side restricts
// everywhere, and, where the other side is noindex everywhere, nothing that noindex makes redundant and the other side
// does not state, since its tags need not repeat that.
func (s side) beside(other side) seen.Told {
	return s.told.Each(func(crawler string, told seen.Text) (kept policy.Directives) {
		others := other.told.For(crawler)
		for _, w := range told.Words(policy.Style{KeepRedundant: true}) {
			on := told.On(w.Axis)
			isRedundant := other.everywhere.NoIndex() &&
				policy.MostRestrictive(on, noindex).Implied().On(w.Axis).IsZero()
			isEverywhere := !other.everywhere.On(w.Axis).IsZero() || !s.everywhere.On(w.Axis).IsZero()
			if !isEverywhere && (!isRedundant || others.On(w.Axis).Restricts()) {
				kept = policy.MostRestrictive(kept, on)
			}
		}
		return kept
	})
}
