package state

import (
	"bytes"
	"errors"

	"metarobots/emit/patch"
)

// A Change is what a run makes of a page. A site has many, so their bytes are not kept.
type Change struct {
	// Name is the file's from the publish root.
	Name string
	// Left is what the run leaves of ours in the file, Stands what is there of ours. Nil is nothing.
	Left, Stands *Left
	// Patched: the page is to be written: Stands is taken out of its bytes, Left is put in.
	Patched bool
}

// An Output is a file beside the pages, and what a run makes of it.
type Output struct {
	// Name is as that of a [Change]; empty for a file that is not published.
	Name         string
	Left, Stands *Left
	// File is its name for messages, Path its absolute path.
	File, Path string
	// Old are its bytes, New what they should be. Nil is no file.
	Old, New []byte
}

// Differs reports whether the file is not yet what it should be.
func (o *Output) Differs() bool {
	return !bytes.Equal(o.Old, o.New) || (o.Old == nil) != (o.New == nil)
}

// Removes reports whether the file goes.
func (o *Output) Removes() bool { return o.Old != nil && o.New == nil }

// Edit returns the bytes that a file gets, appended to dst if they are new, and what they hold of ours. own is what the
// file's generator wrote, src what is there, and the last what of ours is in src.
func Edit(dst, own, src []byte, edits []patch.Edit, stands *Left) (out []byte, left *Left) {
	switch {
	case len(edits) == 0:
		return own, nil
	case stands == nil:
		left = &Left{Sum: Sum(own)}
	case stands.Patch.Is(edits):
		return src, stands
	default:
		left = &Left{Sum: stands.Sum}
	}
	left.Patch, left.Made = patch.New(own, edits), own == nil
	out, _ = left.Patch.Apply(dst, own)
	return out, left
}

// A Patcher applies changes to pages in memory of its own.
type Patcher struct{ own, out []byte }

// ErrChanged is a file that is no longer the one that was planned.
var ErrChanged = errors.New("the file has changed since it was read: run metarobots again")

// Apply returns the new bytes of a page, valid until the next call; src that is not what was planned is [ErrChanged].
func (p *Patcher) Apply(src []byte, c *Change) (out []byte, err error) {
	out, ok := src, c.Left == nil || c.Left.Sum == Sum(src)
	if c.Stands != nil {
		if out, ok = c.Stands.Undo(p.own[:0], src); ok {
			p.own = out
		}
	}
	if ok && c.Left != nil {
		if out, ok = c.Left.Patch.Apply(p.out[:0], out); ok {
			p.out = out
		}
	}
	if !ok {
		return nil, ErrChanged
	}
	return out, nil
}
