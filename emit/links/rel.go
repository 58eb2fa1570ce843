package links

import (
	"fmt"
	"strings"

	"metarobots/emit/head"
)

// Rel is a set of the values of a link's rel that speak to crawlers. Zero is none.
//
// https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links
type Rel uint8

// The values of a [Rel], in the order they are written.
const (
	Nofollow  Rel = 1 << iota // not to be associated with this site
	UGC                       // user-generated content
	Sponsored                 // an advertisement, a paid link
)

var relNames = [...]string{"nofollow", "ugc", "sponsored"}

// ParseRel reads one value, in any case.
func ParseRel(text string) (Rel, error) {
	if r := named([]byte(strings.TrimSpace(text))); r != 0 {
		return r, nil
	}
	return 0, fmt.Errorf("%q is no rel value that is written here: nofollow, ugc or sponsored", text)
}

// String returns the values as a rel attribute has them: "nofollow ugc".
func (r Rel) String() string { return relTexts[r&(1<<len(relNames)-1)].tokens }

// named returns the Rel of one token, zero for any other.
func named(token []byte) Rel {
	for i, n := range relNames {
		if fold(token, n) {
			return 1 << i
		}
	}
	return 0
}

// parseRel returns what a rel value says already. Google reads a list with commas
// too; the standard would take "ugc,nofollow" for one unknown token.
func parseRel(v []byte) (r Rel) {
	for t, rest := token(v, true); t != nil; t, rest = token(rest, true) {
		r |= named(t)
	}
	return r
}

// relTexts holds what is inserted for each set, so that no edit allocates.
var relTexts = func() (all [1 << len(relNames)]struct {
	tokens, spaced, closing, reference, quoted, value,
	attribute string
}) {
	for r := range all {
		var names []string
		for i, n := range relNames {
			if r>>i&1 != 0 {
				names = append(names, n)
			}
		}
		t := &all[r]
		t.tokens = strings.Join(names, " ")
		t.spaced = " " + t.tokens
		t.closing = t.spaced + `"`
		t.reference = strings.ReplaceAll(t.spaced, " ", "&#32;")
		t.quoted = `"` + t.tokens + `"`
		t.value = "=" + t.quoted
		t.attribute = " rel" + t.value
	}
	return all
}()

// addRel notes the insertions that add r to the rel attribute a of the link e;
// there is none where a.NameEnd is 0. What stands there stays, in its quotes.
func (p *Page) addRel(src []byte, e *head.Element, a *head.Attr, r Rel) {
	t := &relTexts[r]
	switch v := src[a.Value:a.ValueEnd]; {
	case a.NameEnd == 0:
		// Right after the name: whatever may follow there may follow a value in quotes.
		p.insert(e.Attrs, t.attribute)
	case a.Value == a.NameEnd:
		p.insert(a.NameEnd, t.value)
	case src[a.Value-1] == '"' || src[a.Value-1] == '\'':
		if len(v) == 0 || space(v[len(v)-1]) {
			p.insert(a.ValueEnd, t.tokens)
		} else {
			p.insert(a.ValueEnd, t.spaced)
		}
	case len(v) == 0:
		p.insert(a.Value, t.quoted)
	case has(v, '"'):
		// Within quotes of its own it would end early: the blank is written as a reference.
		p.insert(a.ValueEnd, t.reference)
	default:
		p.insert(a.Value, `"`)
		p.insert(a.ValueEnd, t.closing)
	}
}

func has(v []byte, b byte) bool {
	for _, c := range v {
		if c == b {
			return true
		}
	}
	return false
}

// token returns the first token of a list and what follows it, nil at its end.
// Tokens are separated by ASCII white space, and by commas where they are asked for.
//
// https://infra.spec.whatwg.org/#split-on-ascii-whitespace
func token(v []byte, commas bool) (t, rest []byte) {
	stop := func(c byte) bool { return space(c) || commas && c == ',' }
	i := 0
	for i < len(v) && stop(v[i]) {
		i++
	}
	j := i
	for j < len(v) && !stop(v[j]) {
		j++
	}
	if i == j {
		return nil, nil
	}
	return v[i:j], v[j:]
}

func space(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' && c != '\v' }

// fold reports whether b is lower, its ASCII letters in any case.
func fold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i, c := range b {
		if toLower(c) != lower[i] {
			return false
		}
	}
	return true
}

func toLower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
