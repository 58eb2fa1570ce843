package snapshot

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"metarobots/internal/seen"
	"metarobots/policy"
)

// A preview of a site is noindex at every page, which says nothing of what its pages restrict for
// reasons of their own. To compare it with production, what its environment restricts everywhere is
// set aside. There are two cases, the first at deployed sites alone, whose single lines are known:
//
//	a header line of its own      X-Robots-Tag: noindex           at every URL, beside others.
//	                              X-Robots-Tag: nosnippet         Without that line the rest is known exactly.
//	words in the pages' own tags  <meta … "noindex, nosnippet">   Whether a page would be noindex by itself cannot be
//	                                                              seen: that word is not compared, and such pages that
//	                                                              the other side has as noindex are Hidden.
//
// In the second case, if "noindex" is in the tags of every page of the preview:
//
//	          preview             production           what is compared
//	/         noindex             index, follow        nothing: noindex is everywhere on the preview
//	/terms/   noindex             noindex, nofollow    nofollow, which the preview lacks; /terms/ is Hidden
//	/photos/  noindex             nosnippet            nothing: beside noindex a tag need not repeat nosnippet
//	/news/    noindex, nosnippet  index, follow        nosnippet, which production lacks

// A blanket is what the environment of a site restricts at every page, noindex among it; the zero
// value is that of a site that is no preview. It may have both: a host adds a header to pages whose
// tags say noindex too.
type blanket struct {
	line  seen.Text         // a header line, or a tag, that is at every URL, beside others
	words policy.Directives // what every page restricts
}

// isZero reports whether there is no blanket.
func (b blanket) isZero() bool { return b.line.IsZero() && b.words.IsZero() }

// blanket finds out what every page of s restricts. exception is a page that is not noindex, on a
// site where most are; then there is no blanket.
func (s *Snapshot) blanket() (all blanket, exception string) {
	decided := s.where(func(e *Entry) bool { return e.Told.Role == "" })
	if line, ok := decided.commonLine(); ok {
		words, _ := decided.withoutLine(line).commonWords()
		return blanket{line: line, words: words}, ""
	}
	words, exception := decided.commonWords()
	return blanket{words: words}, exception
}

// commonWords are what the tags of every page restrict, noindex among it; none if a page is not
// noindex. exception is that page, on a site where most are noindex.
func (s *Snapshot) commonWords() (words policy.Directives, exception string) {
	pages := s.where(func(e *Entry) bool { return IsPage(e.URL) }).Entries // what has no head has no tag
	indexable := slices.DeleteFunc(slices.Clone(pages), func(e Entry) bool { return e.Told.Robots.NoIndex() })
	switch {
	case 2*len(indexable) >= len(pages): // also if there are no pages
		return words, ""
	case len(indexable) > 0:
		return words, indexable[0].URL
	}
	words = pages[0].Told.Robots.Restrictions()
	for _, e := range pages {
		words = policy.LeastRestrictive(words, e.Told.Robots.Restrictions())
	}
	return words, ""
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
	all, _ := s.blanket()
	return !all.isZero()
}

// An Aside is what [WithoutPreview] leaves out.
type Aside struct {
	// Hidden are the URLs that are noindex on one side, while the other, a preview, does not
	// show whether they are so for a reason of their own: all of them if both are such previews.
	Hidden []string
	// Excepted is, for each of the two sides, a URL that is not noindex although almost every page
	// of the side is, so that the side is no preview; empty for none.
	Excepted [2]string
	// Nothing: neither side is a preview.
	Nothing bool
	// Closed is the folder of a host whose robots.txt disallows everything on one side alone, as
	// that of a preview may. It is not compared. Empty for none.
	Closed string
}

// WithoutPreview returns copies of two snapshots without what either restricts at every URL, such
// as a preview's noindex: see the top of this file. Of tags, what noindex makes redundant is not
// compared either, nor are words that allow something, nor what carries decisions to crawlers. If
// neither side is a preview, only such words are left out, and a robots.txt that disallows
// everything on one side. What one side alone has counts as added or removed, so it keeps the
// blanket; assets that the blanket alone brings into a snapshot go. a is the copy of old, and b
// that of now.
func WithoutPreview(old, now *Snapshot) (a, b *Snapshot, aside Aside) {
	was, exceptedOld := old.blanket()
	is, exceptedNow := now.blanket()
	aside = Aside{Excepted: [2]string{exceptedOld, exceptedNow}, Nothing: was.isZero() && is.isZero()}
	a, b = old.withoutLine(was.line), now.withoutLine(is.line)
	aside.Closed = a.dropClosed(b)
	newEntries := b.byURL()
	for i := range a.Entries {
		o := &a.Entries[i]
		n := newEntries[o.URL]
		haveDecisions := n != nil && o.Told.Role == "" && n.Told.Role == ""
		if !haveDecisions { // there is nothing to take the blanket out of
			continue
		}
		oldSide, newSide := side{o.Told, was.words}, side{n.Told, is.words}
		if oldSide.isHiddenBy(newSide) || newSide.isHiddenBy(oldSide) {
			aside.Hidden = append(aside.Hidden, o.URL)
		}
		o.Told, n.Told = oldSide.comparableWith(newSide), newSide.comparableWith(oldSide)
	}
	a.dropPassing(b, was.words)
	b.dropPassing(a, is.words)
	if !aside.Nothing {
		a.dropDelivery()
		b.dropDelivery()
	}
	return a, b, aside
}

// dropPassing takes the assets out that another snapshot does not have, and about which the blanket
// alone decides. A snapshot has an asset whose name changes with each build only if something is
// decided about it ([Entry.isPassing]). On a preview that may be the blanket alone, so it goes.
func (s *Snapshot) dropPassing(other *Snapshot, blanket policy.Directives) {
	theirs := other.byURL()
	s.Entries = slices.DeleteFunc(s.Entries, func(e Entry) bool {
		if e.Told.Role == "" {
			e.Told = side{e.Told, blanket}.comparableWith(side{})
		}
		return theirs[e.URL] == nil && e.isPassing()
	})
}

// dropDelivery takes out what carries decisions to crawlers: of a preview, that is what carries its
// environment, and nothing to compare with.
func (s *Snapshot) dropDelivery() {
	s.Delivery = nil
	for i := range s.Entries {
		s.Entries[i].CarriedBy = nil
	}
}

// dropClosed takes a robots.txt out of both snapshots if one of the two disallows everything and
// the other does not. It returns the folder of its host, the first of several; empty for none.
func (s *Snapshot) dropClosed(other *Snapshot) (first string) {
	s.Robots, other.Robots = maps.Clone(s.Robots), maps.Clone(other.Robots) // others may have these maps
	for _, folder := range slices.Sorted(maps.Keys(s.Robots)) {
		if other.KnowsRobots(folder) && s.Robots[folder].ShutsAllOut() != other.Robots[folder].ShutsAllOut() {
			delete(s.Robots, folder)
			delete(other.Robots, folder)
			first = cmp.Or(first, folder)
		}
	}
	return first
}

// withoutLine is a copy of s in which no decision comes from a line that is at each of its URLs;
// the zero value is no line. Entries still have the line among their lines.
func (s *Snapshot) withoutLine(line seen.Text) *Snapshot {
	rest, now := s.where(func(*Entry) bool { return true }), time.Now()
	if line.IsZero() {
		return rest
	}
	for i := range rest.Entries {
		e := &rest.Entries[i]
		if e.Told.Role == "" && slices.Contains(e.lines, line) {
			e.Told = toldWithout(e.answers, line, now)
		}
	}
	return rest
}

// toldWithout is what answers for a URL, at least one, tell without a line for everyone: one header
// line, or if none has that text, one tag. now says which dates have passed.
func toldWithout(answers []seen.Answer, line seen.Text, now time.Time) seen.Told {
	answers = slices.Clone(answers)
	everyone := &answers[0]
	isLine := func(printed string) bool {
		text, ok := lineForEveryone(printed)
		return ok && text == line
	}
	isTag := func(tag seen.Meta) bool {
		text, ok := tagForEveryone(tag)
		return ok && text == line
	}
	if at := slices.IndexFunc(everyone.Header, isLine); at >= 0 {
		everyone.Header = slices.Delete(slices.Clone(everyone.Header), at, at+1)
	} else if at := slices.IndexFunc(everyone.Meta, isTag); at >= 0 {
		everyone.Meta = slices.Delete(slices.Clone(everyone.Meta), at, at+1)
	}
	if len(everyone.Header)+len(everyone.Meta) == 0 {
		return seen.Told{} // [seen.ToldBy] would take the line from what the answers say was read
	}
	return seen.ToldBy(answers, now)
}

// A side is what one snapshot tells at a URL, and the words of its blanket.
type side struct {
	told    seen.Told
	blanket policy.Directives
}

// isHiddenBy reports whether a side is noindex, while the other has a blanket in its tags and does
// not show whether it is noindex for a reason of its own.
func (s side) isHiddenBy(other side) bool {
	return !other.blanket.IsZero() && s.told.Robots.NoIndex()
}

var noindex = seen.Read("noindex").Directives

// comparableWith is what one side tells and can be compared with the other. It has nothing on an
// axis that the blanket of either side is on. If the other side's blanket is noindex, it has
// nothing that noindex makes redundant, unless the other side states it, since the other side's
// tags need not repeat that.
func (s side) comparableWith(other side) seen.Told {
	return s.told.Each(func(crawler string, told seen.Text) (kept policy.Directives) {
		otherTold := other.told.For(crawler)
		for _, w := range told.Words(policy.Style{KeepRedundant: true}) {
			on := told.On(w.Axis)
			isCovered := !s.blanket.On(w.Axis).IsZero() || !other.blanket.On(w.Axis).IsZero()
			isUnseen := other.blanket.NoIndex() && !otherTold.On(w.Axis).Restricts() &&
				policy.MostRestrictive(on, noindex).WithoutImplied().On(w.Axis).IsZero() // redundant beside noindex
			if !isCovered && !isUnseen {
				kept = policy.MostRestrictive(kept, on)
			}
		}
		return kept
	})
}
