package links

import (
	"bytes"
	"fmt"
	"strings"

	"metarobots/emit/head"
)

// Rel is a set of the values of a link's rel that crawlers read. Zero is none.
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
	return 0, fmt.Errorf("%q is not a rel value that metarobots writes: nofollow, ugc or sponsored", text)
}

// String returns the values as a rel attribute has them: "nofollow ugc".
func (r Rel) String() string {
	var names []string
	for i, n := range relNames {
		if r>>i&1 != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, " ")
}

func named(token []byte) Rel {
	for i, n := range relNames {
		if head.Fold(token, n) {
			return 1 << i
		}
	}
	return 0
}

// parseRel returns what a rel value says already. Google reads a list with commas too; the standard would take
// "ugc,nofollow" for one unknown token.
func parseRel(v []byte) (r Rel) {
	for t := range bytes.FieldsFuncSeq(v, func(c rune) bool { return isSpace(c) || c == ',' }) {
		r |= named(t)
	}
	return r
}

// addRel notes the insertions that add r to the rel attribute a of the link e; it may have none. What stands there
// stays, in its quotes.
func (p *Page) addRel(src []byte, e *head.Element, a *head.Attr, r Rel) {
	tokens := r.String()
	switch v := src[a.Value:a.ValueEnd]; {
	case !a.Given():
		// Right after the name: whatever may follow there may follow a value in quotes.
		p.insert(e.Attrs, ` rel="`+tokens+`"`)
	case a.Value == a.NameEnd:
		p.insert(a.NameEnd, `="`+tokens+`"`)
	case src[a.Value-1] == '"' || src[a.Value-1] == '\'':
		if len(v) > 0 && !isSpace(rune(v[len(v)-1])) {
			tokens = " " + tokens
		}
		p.insert(a.ValueEnd, tokens)
	case len(v) == 0:
		p.insert(a.Value, `"`+tokens+`"`)
	case bytes.IndexByte(v, '"') >= 0:
		// Within quotes of its own it would end early: the blank is written as a reference.
		p.insert(a.ValueEnd, strings.ReplaceAll(" "+tokens, " ", "&#32;"))
	default:
		p.insert(a.Value, `"`)
		p.insert(a.ValueEnd, " "+tokens+`"`)
	}
}

// isSpace reports whether c is ASCII white space. https://infra.spec.whatwg.org/#ascii-whitespace
func isSpace(c rune) bool { return c == ' ' || '\t' <= c && c <= '\r' && c != '\v' }
