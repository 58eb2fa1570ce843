package policy

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"
)

// Directives is what one crawler is told: a comparable value, a product of chains. The zero value states nothing.
// Every axis holds a rank: zero where nothing is stated, greater where it is more restrictive, so that the order of
// the lattice is the order of the numbers.
type Directives struct {
	index   uint8
	follow  uint8
	cache   uint8
	image   uint8
	flags   flagSet
	snippet uint32 // limitRank
	video   uint32 // limitRank
	expiry  int64  // expiryRank
	unknown string // lower case, sorted, joined by commas
}

// Ranks of the four short axes.
const (
	indexStated     = 1 // index
	indexEmbeddable = 2 // noindex with indexifembedded
	indexNone       = 3 // noindex

	followStated = 1
	followNone   = 2

	cacheArchive   = 1 // archive
	cacheNocache   = 2
	cacheNoarchive = 3

	imageLarge    = 1
	imageStandard = 2
	imageNone     = 3
)

// limitRank of max-snippet and max-video-preview: 0 nothing stated, 1 no limit (-1), then the greater the fewer
// characters or seconds are allowed.
func limitRank(n int32) uint32 {
	if n < 0 {
		return 1
	}
	return math.MaxUint32 - uint32(n)
}

const limitNone = math.MaxUint32 // max-snippet:0 is nosnippet

func limitOf(rank uint32) int32 {
	if rank <= 1 {
		return -1
	}
	return int32(math.MaxUint32 - rank)
}

// expiryRank of unavailable_after: 0 nothing stated, then the greater the earlier. Seconds since 1970 of the years
// 1 to 9999 stay far from either end.
func expiryRank(t time.Time) int64 { return math.MaxInt64/2 - t.Unix() }

func expiryOf(rank int64) time.Time { return time.Unix(math.MaxInt64/2-rank, 0).UTC() }

// flagSet holds the directives that are either stated or not.
type flagSet uint16

const (
	flagNotranslate flagSet = 1 << iota
	flagNoimageindex
	flagNoai
	flagNoimageai
	flagNoml
	flagNoodp
	flagNopreview
	flagNositelinkssearchbox
	flagNoyaca
	flagNoydir
)

// flagNames in the order of the bits.
var flagNames = [...]string{"notranslate", "noimageindex", "noai", "noimageai", "noml", "noodp", "nopreview",
	"nositelinkssearchbox", "noyaca", "noydir"}

// IsZero reports whether d states nothing.
func (d Directives) IsZero() bool { return d == Directives{} }

// MostRestrictive returns the least restrictive Directives that is at least as restrictive as both a and b: the
// maximum of each axis ("the more restrictive rule applies",
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#combined-rules). Opposed directives
// resolve to the restrictive one.
func MostRestrictive(a, b Directives) Directives {
	return Directives{
		index:   max(a.index, b.index),
		follow:  max(a.follow, b.follow),
		cache:   max(a.cache, b.cache),
		image:   max(a.image, b.image),
		flags:   a.flags | b.flags,
		snippet: max(a.snippet, b.snippet),
		video:   max(a.video, b.video),
		expiry:  max(a.expiry, b.expiry),
		unknown: union(a.unknown, b.unknown),
	}
}

// LeastRestrictive returns the most restrictive Directives that is at most as restrictive as both a and b: the
// minimum of each axis. A file that several pages share takes it (L5).
func LeastRestrictive(a, b Directives) Directives {
	return Directives{
		index:   min(a.index, b.index),
		follow:  min(a.follow, b.follow),
		cache:   min(a.cache, b.cache),
		image:   min(a.image, b.image),
		flags:   a.flags & b.flags,
		snippet: min(a.snippet, b.snippet),
		video:   min(a.video, b.video),
		expiry:  min(a.expiry, b.expiry),
		unknown: intersection(a.unknown, b.unknown),
	}
}

// AtLeast reports whether d is at least as restrictive as o on every axis.
func (d Directives) AtLeast(o Directives) bool {
	return d.index >= o.index && d.follow >= o.follow && d.cache >= o.cache && d.image >= o.image &&
		d.flags&o.flags == o.flags && d.snippet >= o.snippet && d.video >= o.video && d.expiry >= o.expiry &&
		(o.unknown == "" || union(d.unknown, o.unknown) == d.unknown)
}

// NoIndex reports whether d keeps the page itself out of the index: noindex, with or without indexifembedded.
func (d Directives) NoIndex() bool { return d.index >= indexEmbeddable }

// NoFollow reports whether d keeps crawlers from following the page's links.
func (d Directives) NoFollow() bool { return d.follow >= followNone }

// StatesIndex reports whether d says anything of the index, be it index.
func (d Directives) StatesIndex() bool { return d.index != 0 }

// deprecated are the flags that no crawler reads any more: the catalogues they speak of are closed, the search box is
// gone, and nopreview was nosnippet's forerunner.
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
const deprecated = flagNoodp | flagNoydir | flagNoyaca | flagNopreview | flagNositelinkssearchbox

// Deprecated returns the names of the directives that no crawler reads any more, alphabetically.
func (d Directives) Deprecated() (names []string) {
	for set := d.flags & deprecated; set != 0; set &= set - 1 {
		names = append(names, flagNames[bits.TrailingZeros16(uint16(set))])
	}
	slices.Sort(names)
	return names
}

// Restricts reports whether d forbids or limits anything; index, follow, archive, large previews and -1 do not.
func (d Directives) Restricts() bool {
	return d.index >= indexEmbeddable || d.follow >= followNone || d.cache >= cacheNocache ||
		d.image >= imageStandard ||
		d.flags != 0 || d.snippet > 1 || d.video > 1 || d.expiry != 0 || d.unknown != ""
}

// Expiry returns the date of unavailable_after in UTC, and whether one is stated.
func (d Directives) Expiry() (time.Time, bool) {
	if d.expiry == 0 {
		return time.Time{}, false
	}
	return expiryOf(d.expiry), true
}

// flagWords calls yield for the names of the flags that are set and of the unknown directives, alphabetically.
func (d Directives) flagWords(yield func(name string)) {
	unknown := split(d.unknown)
	for set := d.flags &^ (flagNotranslate | flagNoimageindex); set != 0; set &= set - 1 {
		name := flagNames[bits.TrailingZeros16(uint16(set))]
		for len(unknown) > 0 && unknown[0] < name {
			yield(unknown[0])
			unknown = unknown[1:]
		}
		yield(name)
	}
	for _, name := range unknown {
		yield(name)
	}
}

func split(set string) []string {
	if set == "" {
		return nil
	}
	return strings.Split(set, ",")
}

func union(a, b string) string {
	if a == b || b == "" {
		return a
	}
	if a == "" {
		return b
	}
	names := append(split(a), split(b)...)
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ",")
}

func intersection(a, b string) string {
	if a == b {
		return a
	}
	if a == "" || b == "" {
		return ""
	}
	bs := split(b)
	names := slices.DeleteFunc(split(a), func(name string) bool { return !slices.Contains(bs, name) })
	return strings.Join(names, ",")
}

// Embeddable returns d with its noindex, if it has one, loosened by indexifembedded (D3).
func (d Directives) Embeddable() Directives {
	if d.index == indexNone {
		d.index = indexEmbeddable
	}
	return d
}

// SnippetLimit returns how many characters of the page may be shown: -1 for any number, 0 for none.
func (d Directives) SnippetLimit() int { return int(limitOf(d.snippet)) }
