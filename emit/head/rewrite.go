package head

import (
	"slices"
	"strings"

	"metarobots/emit/patch"
	"metarobots/policy"
)

// Edits exchange the robots metas of a page for tags, as [Tags] prints them: every meta of f.Robots
// goes, those of the body too, and the tags take the place of the first one of the head, else at
// f.Insert. Every other byte stays as it is; no white space is added or removed. Where the rest
// would read differently without a meta, as after one that ends an svg, "<meta>" stays in its
// place, which says nothing.
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

// Tags prints tags for a page, in their one form, that of Yoast: <meta name="robots"
// content="noindex, follow" />
// (https://developer.yoast.com/features/seo-tags/meta-robots/functional-specification/).
func Tags(tags []policy.Tag) (text string) {
	for _, t := range tags {
		text += `<meta name="` + escape.Replace(t.Name) + `" content="` + escape.Replace(t.Content) + `" />`
	}
	return text
}

// escape is for a double-quoted attribute, of HTML and of XML.
var escape = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")

// Hold reports whether the head holds exactly the wanted metas, once each, with the wanted
// directives in any order, case and spacing, and none is in the body (M4).
func (f *Facts) Hold(want []policy.Tag) bool {
	missing := func(t policy.Tag) bool {
		return !slices.ContainsFunc(f.Robots, func(m Meta) bool {
			return m.Name == t.Name && !m.Body && m.Mistake == "" && m.HasContent && sameWords(m.Content, t.Content)
		})
	}
	return len(f.Robots) == len(want) && !slices.ContainsFunc(want, missing) // no two are wanted of one name
}

func sameWords(a, b string) bool {
	if a == b {
		return true
	}
	words := func(s string) (words []string) {
		for item := range strings.SplitSeq(strings.ToLower(s), ",") {
			item = strings.ReplaceAll(strings.Join(strings.Fields(item), " "), ": ", ":")
			d, takesValue, known := policy.Lookup(item)
			switch {
			case item == "all":
				words = append(words, "index", "follow")
			case known && !takesValue && d.IsZero() && item != "indexifembedded": // snippet and its like
			default:
				words = append(words, item)
			}
		}
		slices.Sort(words)
		return slices.Compact(words)
	}
	return slices.Equal(words(a), words(b))
}
