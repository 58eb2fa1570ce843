// Package patch says what is put in the place of what in a file's bytes, so that it can be done and
// be undone.
package patch

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// An Edit puts a text in the place of the bytes from Start to End.
type Edit struct {
	Start, End int
	Text       string
}

// A Patch is what some edits come to, with the bytes that they replace: short enough to be kept for
// each page of a site. The zero Patch changes nothing.
type Patch struct {
	// Texts are those that are taken out or put in, without the empty one; the first of them are
	// there once.
	Texts []string
	Steps []Step
}

// A Step is one edit: how many bytes stay between it and the one before, the text that stood there,
// and the text that is put there, each by its place in the patch's texts, from 1; 0 is the empty
// text. No file that is edited has 2 GB.
type Step struct{ Skip, Old, New int32 }

// New returns the patch of edits to src, which are in order and touch no byte twice: else nothing
// could be made of src by them, and it panics before a file is written.
func New(src []byte, edits []Edit) (p Patch) {
	from := 0
	p.Steps = make([]Step, len(edits))
	for i, e := range edits {
		if e.Start < from {
			panic(fmt.Sprintf("edit %d begins at %d, before the last one ends at %d", i, e.Start, from))
		}
		p.Steps[i] = Step{int32(e.Start - from), p.place(string(src[e.Start:e.End])), p.place(e.Text)}
		from = e.End
	}
	return p
}

// Is reports whether p is what New makes of edits to bytes that it is a patch of: then they come to
// the same.
func (p *Patch) Is(edits []Edit) bool {
	if len(edits) != len(p.Steps) {
		return false
	}
	from := 0
	for i, e := range edits {
		was, ok := p.text(p.Steps[i].Old)
		is, known := p.text(p.Steps[i].New)
		if !ok || !known || int(p.Steps[i].Skip) != e.Start-from || len(was) != e.End-e.Start || is != e.Text {
			return false
		}
		from = e.End
	}
	return true
}

// place returns the place of a text, which is added where it is new.
func (p *Patch) place(text string) int32 {
	if text == "" {
		return 0
	}
	i := slices.Index(p.Texts[:min(len(p.Texts), 16)], text) // a sitemap's entries all differ
	if i < 0 {
		i, p.Texts = len(p.Texts), append(p.Texts, text)
	}
	return int32(i + 1)
}

// Between returns the one edit that makes out of src; none where they are the same.
func Between(src, out []byte) []Edit {
	if bytes.Equal(src, out) {
		return nil
	}
	start, most := 0, min(len(src), len(out))
	for start < most && src[start] == out[start] {
		start++
	}
	end := 0
	for end < most-start && src[len(src)-1-end] == out[len(out)-1-end] {
		end++
	}
	return []Edit{{start, len(src) - end, string(out[start : len(out)-end])}}
}

// Puts reports whether a text is part of one that p puts in.
func (p *Patch) Puts(text string) bool {
	return slices.ContainsFunc(p.Steps, func(s Step) bool {
		is, ok := p.text(s.New)
		return ok && strings.Contains(is, text)
	})
}

// Equal reports whether two patches do the same in the same steps.
func (p *Patch) Equal(other *Patch) bool {
	return slices.Equal(p.Steps, other.Steps) && slices.Equal(p.Texts, other.Texts)
}

// Inverse returns the patch that takes out what p puts in.
func (p *Patch) Inverse() Patch {
	back := Patch{p.Texts, slices.Clone(p.Steps)}
	for i, s := range back.Steps {
		back.Steps[i].Old, back.Steps[i].New = s.New, s.Old
	}
	return back
}

// Apply appends src with the edits to dst. It returns false where src is not what the patch is for:
// not every text that is to be replaced is in its place, all else being as it may.
func (p *Patch) Apply(dst, src []byte) ([]byte, bool) {
	dst = slices.Grow(dst, len(src))
	if dst == nil {
		dst = []byte{}
	}
	for _, s := range p.Steps {
		was, ok := p.text(s.Old)
		is, known := p.text(s.New)
		if !ok || !known || s.Skip < 0 || int(s.Skip) > len(src) {
			return nil, false
		}
		dst, src = append(dst, src[:s.Skip]...), src[s.Skip:]
		if len(was) > len(src) || string(src[:len(was)]) != was {
			return nil, false
		}
		dst, src = append(dst, is...), src[len(was):]
	}
	return append(dst, src...), true
}

// Undo appends out without the edits to dst. It returns false if not every text that was put in is
// in its place.
func (p *Patch) Undo(dst, out []byte) ([]byte, bool) {
	back := p.Inverse()
	return back.Apply(dst, out)
}

// text returns the text of a place; a patch that is read from a file may name one that is not
// there.
func (p *Patch) text(place int32) (string, bool) {
	if place < 0 || int(place) > len(p.Texts) {
		return "", false
	} else if place == 0 {
		return "", true
	}
	return p.Texts[place-1], true
}
