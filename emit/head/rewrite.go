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
func Tags(tags []policy.Tag) (text string) {
	for _, t := range tags {
		text += `<meta name="` + escape.Replace(t.Name) + `" content="` + escape.Replace(t.Content) + `" />`
	}
	return text
}

// escape is for a double-quoted attribute, of HTML and of XML.
var escape = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")
