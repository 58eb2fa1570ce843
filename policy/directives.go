package policy

import (
	"slices"
	"strings"
	"time"
)

// Directives are those for one crawler: a comparable value, a product of chains. The zero value
// states nothing.
//
// A place on a chain is a rank. On every chain 0 is nothing stated, 1 is stated and restricts
// nothing (index, follow, archive, max-snippet:-1, …), and each greater rank is more restrictive
// than the one below. So the order of the lattice is the order of the numbers.
type Directives struct {
	rank [chains]int64
	// flags are the directives that are either stated or not, those of no known name among them:
	// lower case, sorted, joined by commas.
	flags string
}

// The chains.
const (
	index   = iota // 1 index, 2 noindex with indexifembedded, 3 noindex
	follow         // 1 follow, 2 nofollow
	cache          // 1 archive, 2 nocache, 3 noarchive
	snippet        // limitRank
	image          // 1 large, 2 standard, 3 none
	video          // limitRank
	expiry         // expiryRank
	chains
)

// Ranks that have a meaning of their own.
const (
	permissive = 1 // on every chain
	embeddable = 2 // on index: noindex with indexifembedded
	noindex    = 3
	nofollow   = 2
	nocache    = 2
	noarchive  = 3
)

// An Axis names one chain of the lattice, or is a flag's own name.
type Axis string

// The axes of index and follow.
const (
	AxisIndex  Axis = "index"
	AxisFollow Axis = "follow"
)

var axisOf = [chains]Axis{AxisIndex, AxisFollow, "cache", "snippet", "image", "video", "expiry"}

// IsKnown reports whether a known directive has the axis. An unknown one is an axis of its own.
func (a Axis) IsKnown() bool { return slices.Contains(axisOf[:], a) || byName[string(a)] != nil }

// IsZero reports whether d states nothing.
func (d Directives) IsZero() bool { return d == Directives{} }

// MostRestrictive returns the least restrictive Directives that is at least as restrictive as both
// a and b: the maximum of each axis ("the more restrictive rule applies",
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#combined-rules). Opposed directives
// resolve to the restrictive one.
func MostRestrictive(a, b Directives) Directives {
	for i := range a.rank {
		a.rank[i] = max(a.rank[i], b.rank[i])
	}
	a.flags = union(a.flags, b.flags)
	return a
}

// LeastRestrictive returns the most restrictive Directives that is at most as restrictive as both a
// and b: the minimum of each axis. A file that several pages share takes it (L5).
func LeastRestrictive(a, b Directives) Directives {
	for i := range a.rank {
		a.rank[i] = min(a.rank[i], b.rank[i])
	}
	a.flags = only(a.flags, func(name string) bool { return has(b.flags, name) })
	return a
}

// AtLeast reports whether d is at least as restrictive as o on every axis.
func (d Directives) AtLeast(o Directives) bool {
	for i := range d.rank {
		if d.rank[i] < o.rank[i] {
			return false
		}
	}
	return union(d.flags, o.flags) == d.flags
}

// Restricts reports whether d forbids or limits anything; index, follow, archive, large previews
// and -1 do not.
func (d Directives) Restricts() bool { return slices.Max(d.rank[:]) > permissive || d.flags != "" }

// Restrictions returns d without what only permits.
func (d Directives) Restrictions() Directives {
	for i, rank := range d.rank {
		if rank <= permissive {
			d.rank[i] = 0
		}
	}
	return d
}

// NoIndex reports whether d keeps the page itself out of the index: noindex, with or without
// indexifembedded.
func (d Directives) NoIndex() bool { return d.rank[index] > permissive }

// NoFollow reports whether d keeps crawlers from following the page's links.
func (d Directives) NoFollow() bool { return d.rank[follow] > permissive }

// StatesIndex reports whether d says anything of the index, be it index.
func (d Directives) StatesIndex() bool { return d.rank[index] != 0 }

// Expiry returns the date of unavailable_after in UTC, and whether one is stated.
func (d Directives) Expiry() (time.Time, bool) {
	if d.rank[expiry] == 0 {
		return time.Time{}, false
	}
	return expiryOf(d.rank[expiry]), true
}

// Deprecated returns the names of the directives that no crawler reads any more, alphabetically.
func (d Directives) Deprecated() []string {
	return split(only(d.flags, func(name string) bool { return flagOf(name) == ofThePast }))
}

// WithoutImplied returns d without what another of its directives implies (P3). A plain noindex
// keeps the follow axis, noarchive (an opt-out of training at Bing and Amazon), the AI words and
// unknown ones.
func (d Directives) WithoutImplied() Directives {
	if d.rank[index] == noindex {
		d.rank[snippet], d.rank[image], d.rank[video], d.rank[expiry] = 0, 0, 0, 0
		if d.rank[cache] < noarchive {
			d.rank[cache] = 0
		}
		d.flags = only(d.flags, func(name string) bool {
			return flagOf(name) < ofResults
		})
	}
	if d.rank[snippet] == limitNone {
		d.rank[video] = 0
	}
	if d.rank[image] == permissive && has(d.flags, "noimageindex") {
		d.rank[image] = 0
	}
	return d
}

// Effect is what d does to a page: its restrictions, without those that another of them implies
// (P3). What only allows does nothing.
func (d Directives) Effect() Directives { return d.WithoutImplied().Restrictions() }

// Covers reports whether d restricts all that o restricts: o added to it would change nothing.
func (d Directives) Covers(o Directives) bool {
	sum := MostRestrictive(d, o)
	return sum == d || sum.Effect() == d.Effect()
}

// On returns what d states on one axis alone.
func (d Directives) On(a Axis) Directives {
	if i := chainOf(a); i >= 0 {
		return on(i, d.rank[i])
	}
	if has(d.flags, string(a)) {
		return Directives{flags: string(a)}
	}
	return Directives{}
}

// chainOf is the index of an axis among those with ranks; -1 for a flag.
func chainOf(a Axis) int { return slices.Index(axisOf[:], a) }

// fixes reports whether d states what set says on a chain.
func (d Directives) fixes(set Directives, chain int) bool {
	return d.rank[chain] != 0 && d.rank[chain] == set.rank[chain]
}

// With returns d with one axis that is no flag taken from o.
func (d Directives) With(o Directives, a Axis) Directives {
	if i := chainOf(a); i >= 0 {
		d.rank[i] = o.rank[i]
	}
	return d
}

// on is a rank on one chain, and nothing else.
func on(chain int, rank int64) (d Directives) {
	d.rank[chain] = rank
	return d
}

// flagOf is noFlag for a directive that is not known.
func flagOf(name string) flagKind {
	if row := byName[name]; row != nil {
		return row.flag
	}
	return noFlag
}

func split(set string) []string {
	if set == "" {
		return nil
	}
	return strings.Split(set, ",")
}

// join makes a set of names, which it sorts.
func join(names []string) string {
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ",")
}

func union(a, b string) string {
	if a == b || b == "" || has(a, b) {
		return a
	}
	if a == "" {
		return b
	}
	return join(append(split(a), split(b)...))
}

// has reports whether a set, which is sorted, holds a name. It takes no memory and halves the set
// with each step, since a set may have thousands and be asked for each of another.
func has(set, name string) bool {
	for low, high := 0, len(set); low < high; {
		middle := low + (high-low)/2
		start := low + strings.LastIndexByte(set[low:middle], ',') + 1
		end := strings.IndexByte(set[start:high], ',') + start
		if end < start {
			end = high
		}
		switch strings.Compare(set[start:end], name) {
		case 0:
			return name != ""
		case -1:
			low = end + 1
		default:
			high = start - 1
		}
	}
	return false
}

// only returns the names of a set that keep wants.
func only(set string, keep func(name string) bool) string {
	switch {
	case strings.Contains(set, ","):
		return strings.Join(slices.DeleteFunc(split(set), func(name string) bool { return !keep(name) }), ",")
	case set != "" && keep(set):
		return set
	}
	return ""
}
