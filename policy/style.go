package policy

import (
	"strconv"
	"strings"
	"time"
)

// A Style says how [Directives] are printed. The zero value is the default of the configuration.
type Style struct {
	// KeepRedundant prints what another directive implies too (redundant = "keep").
	KeepRedundant bool
	// None prints noindex, nofollow as none (D1). Some crawlers do not know the word.
	None bool
}

// An Axis names one chain of the lattice: "index", "follow", "cache", "snippet", "image", "video", "expiry", or a
// flag's own name.
type Axis string

// The axes that are no flags.
const (
	AxisIndex   Axis = "index"
	AxisFollow  Axis = "follow"
	AxisCache   Axis = "cache"
	AxisSnippet Axis = "snippet"
	AxisImage   Axis = "image"
	AxisVideo   Axis = "video"
	AxisExpiry  Axis = "expiry"
)

// A Word is one printed directive and the axis whose value it prints. Implied is true for the permissive word of an
// axis on which nothing was stated, printed because its twin was (P5).
type Word struct {
	Axis    Axis
	Text    string
	Implied bool
}

// String prints d in canonical form (P1), without what another directive implies (P3); nothing for nothing stated.
// String of what [Parse] reads from it is the same text.
func (d Directives) String() string { return d.Format(Style{}) }

// Format prints d in canonical form: order and separator of P1, never both polarities of an axis, never a duplicate
// (P2).
func (d Directives) Format(s Style) string { return join(d.words(s, permissive{})) }

// Words returns the printed directives one by one.
func (d Directives) Words(s Style) []Word { return d.words(s, permissive{}) }

// Implied returns d without what another of its directives implies (P3). A plain noindex keeps the follow axis,
// noarchive (an opt-out of training at Bing and Amazon), the AI words and unknown ones.
func (d Directives) Implied() Directives {
	if d.index == indexNone {
		d.snippet, d.image, d.video, d.expiry = 0, 0, 0, 0
		d.flags &= flagNoai | flagNoimageai | flagNoml
		if d.cache < cacheNoarchive {
			d.cache = 0
		}
	}
	if d.snippet == limitNone {
		d.video = 0
	}
	if d.flags&flagNoimageindex != 0 && d.image == imageLarge {
		d.image = 0
	}
	return d
}

// permissive says which permissive words are left out (A5).
type permissive struct{ noIndex, noFollow bool }

func (d Directives) words(s Style, omit permissive) []Word {
	if !s.KeepRedundant {
		d = d.Implied()
	}
	words := make([]Word, 0, 8)
	add := func(a Axis, text string) { words = append(words, Word{Axis: a, Text: text}) }
	flag := func(f flagSet, name string) {
		if d.flags&f != 0 {
			add(Axis(name), name)
		}
	}

	either := d.index != 0 || d.follow != 0
	switch {
	case s.None && d.index >= indexEmbeddable && d.follow == followNone:
		add(AxisIndex, "none")
	default:
		switch {
		case d.index >= indexEmbeddable:
			add(AxisIndex, "noindex")
		case either && !omit.noIndex:
			words = append(words, Word{AxisIndex, "index", d.index == 0})
		}
		switch {
		case d.follow == followNone:
			add(AxisFollow, "nofollow")
		case either && !omit.noFollow:
			words = append(words, Word{AxisFollow, "follow", d.follow == 0})
		}
	}
	switch d.cache {
	case cacheNoarchive:
		add(AxisCache, "noarchive")
	case cacheNocache:
		add(AxisCache, "nocache")
	case cacheArchive:
		add(AxisCache, "archive")
	}
	if d.snippet == limitNone {
		add(AxisSnippet, "nosnippet")
	}
	flag(flagNotranslate, "notranslate")
	flag(flagNoimageindex, "noimageindex")
	if d.index == indexEmbeddable {
		add(AxisIndex, "indexifembedded")
	}
	if d.flags != 0 || d.unknown != "" {
		d.flagWords(func(name string) { add(Axis(name), name) })
	}
	if d.snippet != 0 && d.snippet != limitNone {
		add(AxisSnippet, limitText("max-snippet:", d.snippet))
	}
	switch d.image {
	case imageNone:
		add(AxisImage, "max-image-preview:none")
	case imageStandard:
		add(AxisImage, "max-image-preview:standard")
	case imageLarge:
		add(AxisImage, "max-image-preview:large")
	}
	if d.video != 0 {
		add(AxisVideo, limitText("max-video-preview:", d.video))
	}
	if d.expiry != 0 {
		// ISO 8601 in UTC holds no comma, so that no reader splits it (P4).
		add(AxisExpiry, "unavailable_after: "+expiryOf(d.expiry).Format(time.RFC3339))
	}
	return words
}

func limitText(name string, rank uint32) string {
	if rank == 1 {
		return name + "-1"
	}
	return name + strconv.Itoa(int(limitOf(rank)))
}

func join(words []Word) string {
	if len(words) == 1 {
		return words[0].Text
	}
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(w.Text)
	}
	return b.String()
}

// On returns what d states on one axis alone.
func (d Directives) On(a Axis) Directives {
	switch a {
	case AxisIndex:
		return Directives{index: d.index}
	case AxisFollow:
		return Directives{follow: d.follow}
	case AxisCache:
		return Directives{cache: d.cache}
	case AxisSnippet:
		return Directives{snippet: d.snippet}
	case AxisImage:
		return Directives{image: d.image}
	case AxisVideo:
		return Directives{video: d.video}
	case AxisExpiry:
		return Directives{expiry: d.expiry}
	}
	for i, name := range flagNames {
		if name == string(a) {
			return Directives{flags: d.flags & (1 << i)}
		}
	}
	return Directives{unknown: intersection(d.unknown, string(a))}
}

// With returns d with one axis taken from o: index, follow, cache, snippet, image or video.
func (d Directives) With(o Directives, a Axis) Directives {
	switch a {
	case AxisIndex:
		d.index = o.index
	case AxisFollow:
		d.follow = o.follow
	case AxisCache:
		d.cache = o.cache
	case AxisSnippet:
		d.snippet = o.snippet
	case AxisImage:
		d.image = o.image
	case AxisVideo:
		d.video = o.video
	}
	return d
}
