package head

import (
	"bytes"
	"slices"

	"golang.org/x/net/html/atom"
)

// byTags is find for a page of which x/net makes no tree, or too large a one. It knows of
// templates and raw text, and takes each other tag for an element: rather one too many,
// for a restriction counts. head says that the head is not yet over.
func byTags(src []byte, i int, head bool, asked func(from, attrs int) bool) (all []Element) {
	templates, foreign := 0, false
	open := map[atom.Atom]bool{} // those that no end tag follows: their text is read as the page's
	t := token{kind: text}
	for ; t.kind != eof; i = t.to {
		t.next(src, i)
		if t.kind == text && templates == 0 {
			head = head && skipSpace(src[:t.to], t.from) == t.to
		}
		if t.kind == end && t.name == atom.Template {
			templates = max(0, templates-1)
		}
		if t.kind != start {
			continue
		}
		if templates == 0 {
			head = head && slices.Contains(inHead, t.name)
			foreign = foreign || t.name == atom.Svg || t.name == atom.Math
			if asked(t.from, t.n1) {
				all = append(all, Element{Name: string(bytes.ToLower(src[t.n0:t.n1])), Start: t.from, Attrs: t.n1,
					End: t.to, head: head, breaks: foreign})
			}
			if slices.Contains(rawText, t.name) && !open[t.name] {
				end := raw(src, t.to, t.name)
				if open[t.name] = end == len(src); !open[t.name] {
					t.to = end
				}
			}
		}
		if t.name == atom.Template {
			templates++
		}
	}
	return all
}

var (
	inHead = []atom.Atom{atom.Html, atom.Head, atom.Meta, atom.Link, atom.Base, atom.Basefont, atom.Bgsound, atom.Title,
		atom.Script, atom.Style, atom.Noframes, atom.Template}

	// rawText elements hold no markup.
	rawText = []atom.Atom{atom.Title, atom.Script, atom.Style, atom.Noframes, atom.Noscript, atom.Textarea, atom.Iframe,
		atom.Xmp, atom.Noembed, atom.Plaintext}
)
