// Package robotstag holds what all files of header rules have in common: what a published file
// wants, what their compilers are asked and answer, what one line of X-Robots-Tag states, and the
// findings.
package robotstag

import (
	"iter"
	"maps"
	"strings"
	"unicode/utf8"

	"metarobots/policy"
)

// Name is the header.
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag
const Name = "X-Robots-Tag"

// An answer is read in two ways, and which of them is safe depends on what is asked. A crawler
// learns only what it is documented to read ([Told]); what an owner wrote is kept as it was meant
// ([Meant]). "no-index" means noindex, and tells nobody so.

// Told reads the lines of one answer, with line ends between them, in the grammar of
// [policy.ParseHeader]: what crawlers are documented to read there ([policy.Documented]), each for
// itself, and under "" everyone. What that cannot read states nothing.
func Told(lines string) map[string]policy.Directives { return read(lines, policy.Documented) }

// Meant is [Told] by what the author of the lines meant ([policy.Found]).
func Meant(lines string) map[string]policy.Directives { return read(lines, policy.Found) }

// read reads the lines of one answer, as whose words it says.
func read(lines string, as policy.Text) map[string]policy.Directives {
	var readings []policy.Statement
	for line := range strings.SplitSeq(lines, "\n") {
		ofLine, _ := policy.ParseHeader(line, as, policy.Crawlers{})
		readings = append(readings, ofLine...)
	}
	stated := make(map[string]policy.Directives)
	for _, s := range policy.At(policy.Origin{}, readings...) {
		if !s.Directives.IsZero() {
			stated[s.Crawler] = policy.MostRestrictive(stated[s.Crawler], s.Directives)
		}
	}
	return stated
}

// ForEveryone is what one answer has to state to everyone so that it restricts each crawler as all
// of these answers together is meant to.
func ForEveryone(answers iter.Seq[string]) (all policy.Directives) {
	for lines := range answers {
		for _, directives := range Meant(lines) {
			all = policy.MostRestrictive(all, directives)
		}
	}
	return all
}

// Same reports whether the lines of two answers, as [Told] takes them, tell every crawler the same,
// whatever their order, case and spacing. Words that P3 drops and P5 adds make no
// difference.
func Same(a, b string) bool {
	if a == b || a == "" || b == "" {
		return a == b
	}
	toldA, toldB := Told(a), Told(b)
	return len(toldA) > 0 && len(toldB) > 0 && maps.Equal(meaning(toldA), meaning(toldB))
}

// Covers reports whether the lines of an answer tell each crawler all that others are meant to
// restrict.
func Covers(lines, others string) bool {
	if lines == others {
		return true // nothing is lost by it
	}
	return covers(Told(lines), Meant(others))
}

// IsMisread reports whether the lines of an answer are meant to restrict more than they tell
// crawlers.
func IsMisread(lines string) bool { return !covers(Told(lines), Meant(lines)) }

// covers reports whether one restricts each crawler as much as the other.
func covers(said, wanted map[string]policy.Directives) bool {
	for name, own := range wanted {
		obeyed := policy.MostRestrictive(said[""], said[name])
		if !obeyed.Covers(policy.MostRestrictive(wanted[""], own)) {
			return false
		}
	}
	return true
}

// meaning is what everyone is forbidden, under "", and each crawler that is forbidden more. An
// allowing word counts where the opposite is stated by name for a crawler that lets it win (A5).
func meaning(stated map[string]policy.Directives) map[string]policy.Directives {
	generic := stated[""]
	everyone := generic.Effect()
	all := map[string]policy.Directives{"": everyone}
	for name, own := range stated {
		obeyed := policy.MostRestrictive(generic, own)
		if forbidden := obeyed.Effect(); forbidden != everyone {
			all[name] = forbidden
		}
		if c, ok := (policy.Crawlers{}).Lookup(name); !ok || !c.AllowWins {
			continue
		}
		if obeyed.NoIndex() && !generic.NoIndex() {
			all[""] = policy.MostRestrictive(all[""], generic.On(policy.AxisIndex))
		}
		if obeyed.NoFollow() && !generic.NoFollow() {
			all[""] = policy.MostRestrictive(all[""], generic.On(policy.AxisFollow))
		}
	}
	return all
}

// The digits of percent-encoded bytes.
const (
	Upper = "0123456789ABCDEF"
	Lower = "0123456789abcdef"
)

// IsBare reports whether a byte is an ASCII letter, a digit or one of some characters.
func IsBare(c byte, bare string) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(bare, c) >= 0
}

// Encode percent-encodes the bytes of a path that are not bare.
func Encode(path, bare, digits string) string {
	escaped := func(r rune) bool { return r >= utf8.RuneSelf || !IsBare(byte(r), bare) }
	if strings.IndexFunc(path, escaped) < 0 { // as nearly always: no copy is made
		return path
	}
	var b strings.Builder
	b.Grow(len(path))
	for i := range len(path) {
		if c := path[i]; IsBare(c, bare) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}
