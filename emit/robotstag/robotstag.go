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

// Stated reads the lines of one answer, with line ends between them, in the grammar of
// [policy.ParseHeader]: what they state for each crawler, and under "" for everyone. What that
// cannot read states nothing.
func Stated(lines string) map[string]policy.Directives {
	var readings []policy.Statement
	for line := range strings.SplitSeq(lines, "\n") {
		read, _ := policy.ParseHeader(line, policy.Found, policy.Crawlers{})
		readings = append(readings, read...)
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
// of these answers together do, which are read as [Stated] reads them.
func ForEveryone(answers iter.Seq[string]) (all policy.Directives) {
	for lines := range answers {
		for _, directives := range Stated(lines) {
			all = policy.MostRestrictive(all, directives)
		}
	}
	return all
}

// Same reports whether the lines of two answers, as [Stated] takes them, mean the same for every
// crawler, whatever their order, case and spacing. Words that P3 drops and P5 adds make no
// difference.
func Same(a, b string) bool {
	if a == b || a == "" || b == "" {
		return a == b
	}
	statedA, statedB := Stated(a), Stated(b)
	return len(statedA) > 0 && len(statedB) > 0 && maps.Equal(meaning(statedA), meaning(statedB))
}

// Covers reports whether the lines of an answer, as [Stated] takes them, restrict each crawler all
// that others do.
func Covers(lines, others string) bool {
	said, wanted := Stated(lines), Stated(others)
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
