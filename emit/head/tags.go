package head

import "bytes"

// byTags is find for a page of which x/net makes no tree, or too large a one. It knows of
// templates and raw text, and takes each other tag for an element: rather one too many,
// for a restriction counts. head says that the head is not yet over.
func byTags(src []byte, i int, head bool, asked func(from, attrs int) bool) (all []Element) {
	templates, foreign := 0, false
	var open set // those that no end tag follows: their text is read as the page's
	t := token{kind: text}
	for ; t.kind != eof; i = t.to {
		t.next(src, i)
		if t.kind == text && templates == 0 {
			head = head && skipSpace(src[:t.to], t.from) == t.to
		}
		if t.kind == end && t.name == nTemplate {
			templates = max(0, templates-1)
		}
		if t.kind != start {
			continue
		}
		name := src[t.n0:t.n1]
		if templates == 0 {
			head = head && inHead[t.name]
			foreign = foreign || Fold(name, "svg") || Fold(name, "math")
			if asked(t.from, t.n1) {
				all = append(all, Element{string(bytes.ToLower(name)), t.from, t.n1, t.to, head, foreign})
			}
			if rawText[t.name] && !open[t.name] {
				end := raw(src, t.to, t.name)
				if open[t.name] = end == len(src); !open[t.name] {
					t.to = end
				}
			}
		}
		if t.name == nTemplate {
			templates++
		}
	}
	return all
}

var (
	inHead = setOf(nHTML, nHead, nMeta, nLink, nBase, nBasefont, nBgsound, nTitle, nScript, nStyle, nNoframes, nTemplate)

	// rawText elements hold no markup.
	rawText = setOf(nTitle, nScript, nStyle, nNoframes, nNoscript, nTextarea, nIframe, nXmp, nNoembed, nPlaintext)
)
