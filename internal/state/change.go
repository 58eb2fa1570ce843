package state

import (
	"bytes"
	"errors"

	"metarobots/emit/patch"
)

// A Change is what a run makes of a page. A site has many pages, so it has no bytes:
// [Patcher.Apply] makes them.
type Change struct {
	// Name is the file's from the publish root.
	Name string
	// Left is what the run leaves of ours in the file, Stands what is there of ours. Nil is
	// nothing.
	Left, Stands *Left
	// Patched: the page has to be written. Stands is taken out of its bytes, and Left is put in.
	Patched bool
}

// An Output is a file beside the pages, and what a run makes of it.
type Output struct {
	// Name, Left and Stands are as in a [Change]; Name is empty for a file that is not published.
	Name         string
	Left, Stands *Left
	// File is its name for messages, Path its absolute path.
	File, Path string
	// Old are its bytes, New what they should be. Nil is no file; an empty file is not nil.
	Old, New []byte
}

// Differs reports whether the file is not yet what it should be.
func (o *Output) Differs() bool {
	isThere, shouldBe := o.Old != nil, o.New != nil
	return isThere != shouldBe || !bytes.Equal(o.Old, o.New)
}

// Removes reports whether the file is to be removed.
func (o *Output) Removes() bool { return o.Old != nil && o.New == nil }

// Edit returns the bytes that a file gets, and what they hold of ours. own is what the file's
// generator wrote, src what is there, and inSrc what of ours is in src. out is own if there are no
// edits, src if that has them already; else it is appended to dst.
func Edit(dst, own, src []byte, edits []patch.Edit, inSrc *Left) (out []byte, left *Left) {
	if len(edits) == 0 {
		return own, nil
	}
	if inSrc != nil && inSrc.Patch.Is(edits) {
		return src, inSrc
	}
	left = &Left{Patch: patch.New(own, edits), Made: own == nil}
	if inSrc != nil {
		left.Sum = inSrc.Sum // which is that of own already
	} else {
		left.Sum = Sum(own)
	}
	out, _ = left.Patch.Apply(dst, own)
	return out, left
}

// A Patcher applies changes to pages in memory of its own, for one goroutine at a time.
type Patcher struct{ own, out []byte }

// ErrChanged is a file that is no longer the one that was planned.
var ErrChanged = errors.New("the file has changed since it was read: run metarobots again")

// Apply returns the new bytes of a page, valid until the next call. The error is [ErrChanged] if
// src is not what was planned.
func (p *Patcher) Apply(src []byte, c *Change) (out []byte, err error) {
	own, ok := p.ownBytes(src, c)
	if !ok {
		return nil, ErrChanged
	}
	if c.Left == nil {
		return own, nil
	}
	out, ok = c.Left.Patch.Apply(p.out[:0], own)
	if !ok {
		return nil, ErrChanged
	}
	p.out = out
	return out, nil
}

// ownBytes are the bytes of a page that its generator wrote; ok is false if src is not the page
// that was planned.
func (p *Patcher) ownBytes(src []byte, c *Change) (own []byte, ok bool) {
	if c.Stands == nil { // nothing in it is ours
		return src, c.Left == nil || c.Left.Sum == Sum(src)
	}
	own, ok = c.Stands.Undo(p.own[:0], src)
	if ok {
		p.own = own
	}
	return own, ok
}
