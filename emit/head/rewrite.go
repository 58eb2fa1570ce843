package head

import (
	"strings"

	"metarobots/emit/patch"
	"metarobots/policy"
)

// Edits exchange the robots metas of a page for tags, as [Tags] prints them: every meta of f.Robots goes, those of the
// body too, and the tags stand where the first one of the head stood, else at f.Insert. Every other byte stays as it
// is; no white space is added or removed. Where the rest would read differently without a meta, as after one that ends
// an svg, "<meta>" stays in its place, which says nothing.
//
// A page with an Encoding gets none; a Fragment is the caller's to leave alone.
func (f *Facts) Edits(tags string) (edits []patch.Edit) {
	if f.Encoding != "" {
		return nil
	}
	metas, inHead := f.Robots, len(f.Robots) > 0 && !f.Robots[0].Body
	if !inHead && tags != "" {
		edits = append(edits, patch.Edit{Start: f.Insert, End: f.Insert, Text: tags})
	}
	for i, m := range metas {
		e := patch.Edit{Start: m.Start, End: m.End}
		if i == 0 && inHead {
			e.Text = tags
		}
		if m.Holds {
			e.Text += "<meta>"
		}
		edits = append(edits, e)
	}
	return edits
}

// Tags prints tags for a page, in their one form, that of Yoast: <meta name="robots" content="noindex, follow" />
// (https://developer.yoast.com/features/seo-tags/meta-robots/functional-specification/).
func Tags(tags []policy.Tag) string { return string(appendTags(nil, tags)) }

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
