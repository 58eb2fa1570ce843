package state

import (
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"math"
	"slices"

	"metarobots/emit/patch"
)

// The form of a state, behind the line with its version:
//
//	whether its run finished (0 or 1), how many files it knows
//	for each file, sorted by name:   its name, what was left, what is there
//
// What was left, a [Left], is a number of flags and, unless that is 0 for nothing:
//
//	the sum (8 bytes), the time, how many texts its patch has and each, how many steps and each
//
// Numbers are varints. A text is its length and its bytes. Of patches, texts that many files share
// are written once: 0 and the text, and from then on its number, from 1.

// The flags of a [Left].
const (
	isThere   = 1 << iota // without it nothing follows
	isMade                // Left.Made
	isNoIndex             // Left.NoIndex
	allFlags  = isThere | isMade | isNoIndex
)

// encode writes the form of the state. A w that fails has to report that when it is flushed.
func (s *State) encode(w io.Writer) {
	e := encoder{numbers: map[string]uint64{}}
	e.number(boolNumber(s.finished))
	e.number(uint64(len(s.files)))
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		e.text(name)
		e.left(s.files[name].Left)
		e.left(s.files[name].Stands)
		if len(e.out) > mostBuffered {
			w.Write(e.out)
			e.out = e.out[:0]
		}
	}
	w.Write(e.out)
}

// mostBuffered is about how many bytes are gathered before they are written.
const mostBuffered = 32 << 10

// An encoder appends values to its output.
type encoder struct {
	out     []byte
	numbers map[string]uint64 // of the texts of patches that are written already
}

// boolNumber is 1 for true and 0 for false.
func boolNumber(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

// number, signed and text append one value.
func (e *encoder) number(n uint64) { e.out = binary.AppendUvarint(e.out, n) }
func (e *encoder) signed(n int64)  { e.out = binary.AppendVarint(e.out, n) }

func (e *encoder) text(text string) {
	e.number(uint64(len(text)))
	e.out = append(e.out, text...)
}

// left appends what was left, or 0 for nothing.
func (e *encoder) left(l *Left) {
	if l == nil {
		e.number(0)
		return
	}
	e.number(isThere | boolNumber(l.Made)*isMade | boolNumber(l.NoIndex)*isNoIndex)
	e.out = binary.LittleEndian.AppendUint64(e.out, l.Sum)
	e.signed(l.Written)
	e.number(uint64(len(l.Patch.Texts)))
	for _, text := range l.Patch.Texts {
		e.shared(text)
	}
	e.number(uint64(len(l.Patch.Steps)))
	for _, step := range l.Patch.Steps {
		e.signed(int64(step.Skip))
		e.signed(int64(step.Old))
		e.signed(int64(step.New))
	}
}

// shared appends a text of a patch: its number, or 0 and the text if it has none yet.
func (e *encoder) shared(text string) {
	number, isKnown := e.numbers[text]
	e.number(number)
	if !isKnown {
		e.numbers[text] = uint64(len(e.numbers) + 1)
		e.text(text)
	}
}

var errDamaged = errors.New("it is damaged: its bytes are not those that were written")

// decodeForm reads what encode has written.
func (s *State) decodeForm(data []byte) error {
	d := decoder{data: data}
	s.finished = d.number() != 0
	for range d.count() {
		name := d.text()
		left, stands := d.left(), d.left()
		if d.isDamaged {
			break
		}
		s.files[name] = Versions{left, stands}
	}
	if d.isDamaged || len(d.data) > 0 {
		return errDamaged
	}
	return nil
}

// A decoder takes values from the beginning of its data. Once isDamaged is true, what it returns
// means nothing: a caller may ask once, at the end.
type decoder struct {
	data      []byte
	texts     []string // of patches, in the order of their numbers
	isDamaged bool
}

// number takes a number, signed one that may be negative.
func (d *decoder) number() uint64 {
	n, size := binary.Uvarint(d.data)
	d.skip(size)
	return n
}

func (d *decoder) signed() int64 {
	n, size := binary.Varint(d.data)
	d.skip(size)
	return n
}

// skip goes on behind a varint of that size. encoding/binary gives one that is damaged a size of 0
// or less.
func (d *decoder) skip(size int) {
	if size <= 0 {
		d.isDamaged, d.data = true, nil
		return
	}
	d.data = d.data[size:]
}

// count is how many things follow. Each has at least a byte: damaged data must not make room for
// more than there can be.
func (d *decoder) count() int {
	n := d.number()
	if n > uint64(len(d.data)) {
		d.isDamaged = true
		return 0
	}
	return int(n)
}

// text is a text of any length.
func (d *decoder) text() string {
	size := d.count()
	text := string(d.data[:size])
	d.data = d.data[size:]
	return text
}

// left is what was left; nil for nothing.
func (d *decoder) left() *Left {
	flags := d.number()
	if flags == 0 || d.isDamaged {
		return nil
	}
	const sumSize = 8
	if flags > allFlags || flags&isThere == 0 || len(d.data) < sumSize {
		d.isDamaged = true
		return nil
	}
	l := &Left{Sum: binary.LittleEndian.Uint64(d.data), Made: flags&isMade != 0, NoIndex: flags&isNoIndex != 0}
	d.data = d.data[sumSize:]
	l.Written = d.signed()
	for range d.count() {
		l.Patch.Texts = append(l.Patch.Texts, d.shared())
	}
	for range d.count() {
		l.Patch.Steps = append(l.Patch.Steps, patch.Step{Skip: d.small(), Old: d.small(), New: d.small()})
	}
	return l
}

// shared is a text of a patch: a new one, or one that was read before.
func (d *decoder) shared() string {
	n := d.number()
	switch {
	case n > uint64(len(d.texts)):
		d.isDamaged = true
		return ""
	case n > 0:
		return d.texts[n-1]
	}
	text := d.text()
	d.texts = append(d.texts, text)
	return text
}

// small is a number of a step.
func (d *decoder) small() int32 {
	n := d.signed()
	if n < math.MinInt32 || n > math.MaxInt32 {
		d.isDamaged = true
	}
	return int32(n)
}
