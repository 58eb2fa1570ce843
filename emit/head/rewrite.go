package head

import (
	"strings"

	"metarobots/policy"
)

// Rewrite appends src to dst, with every meta of f.Robots removed, those of the
// body too, and the tags written where the first one of the head stood, else at
// f.Insert. Every other byte stays as it is; no white space is added or removed.
// Where the rest would read differently without a meta, as after one that ends an
// svg, "<meta>" stays in its place, which says nothing.
//
// A tag has one form, that of Yoast: <meta name="robots" content="noindex, follow" />
// (https://developer.yoast.com/features/seo-tags/meta-robots/functional-specification/).
//
// src is the very page that f is of, byte for byte: nothing is read again. One with
// an Encoding stays as it is; a Fragment is the caller's to leave alone.
func (f *Facts) Rewrite(dst, src []byte, tags []policy.Tag) []byte {
	if f.Encoding != "" {
		return append(dst, src...)
	}
	place := f.Insert
	if len(f.Robots) > 0 && !f.Robots[0].Body {
		place = f.Robots[0].Start
	}
	dst = append(dst, src[:place]...)
	dst = appendTags(dst, tags)
	from := place
	for _, m := range f.Robots {
		dst = append(dst, src[from:m.Start]...)
		if m.holds {
			dst = append(dst, "<meta>"...)
		}
		from = m.End
	}
	return append(dst, src[from:]...)
}

func appendTags(dst []byte, tags []policy.Tag) []byte {
	for _, t := range tags {
		dst = append(dst, `<meta name="`...)
		dst = appendValue(dst, t.Name)
		dst = append(dst, `" content="`...)
		dst = appendValue(dst, t.Content)
		dst = append(dst, `" />`...)
	}
	return dst
}

// appendValue escapes s for a double-quoted attribute, of HTML and of XML.
func appendValue(dst []byte, s string) []byte {
	if !strings.ContainsAny(s, `&"<>`) {
		return append(dst, s...)
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '&':
			dst = append(dst, "&amp;"...)
		case '"':
			dst = append(dst, "&quot;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
