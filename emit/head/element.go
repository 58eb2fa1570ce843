package head

// An Element is the start tag of an element, by offsets.
type Element struct {
	Name  string // in lower case
	Start int    // the tag is src[Start:End]
	Attrs int    // where its name ends, and its attributes begin
	End   int

	head   bool // it stands in the head
	breaks bool // it may have ended an svg or math
}

// An Attr is one attribute of a tag, by offsets. Where it has no value, Value is
// NameEnd; a value in quotes has one before it.
type Attr struct {
	Name, NameEnd   int
	Value, ValueEnd int // as written: see [Decode]
}

// Is reports whether the attribute's name is lower, in any case.
func (a *Attr) Is(src []byte, lower string) bool { return fold(src[a.Name:a.NameEnd], lower) }

// Elements returns the start tags of src that make elements of HTML outside of
// templates, in their order. asked tells, by where a tag begins and its attributes do,
// which are wanted. What the standard reads as raw text, a textarea for one, holds none.
//
// A page that has an encoding, as in [Facts], is not read.
func (s *Scanner) Elements(src []byte, asked func(from, attrs int) bool) (elements []Element, encoding string) {
	s.reset(func([]byte) Kind { return None })
	if s.begin(src); s.facts.Encoding != "" {
		return nil, s.facts.Encoding
	}
	return find(src, 0, true, asked), ""
}

// NextAttr reads the attribute at or after src[i:] into a, where a start tag begins
// before i, and returns where the next one may begin. Where there is none, more is
// false and next the end of the tag, -1 where the page ends before it. Of several of
// one name the first counts
// (https://html.spec.whatwg.org/multipage/parsing.html#attribute-name-state).
func NextAttr(src []byte, i int, a *Attr) (next int, more bool) {
	var b attr
	next, more = attribute(src, i, &b)
	*a = Attr{b.n0, b.n1, b.v0, b.v1}
	return next, more
}

// Decode appends to dst the value a parser gives the attribute value v as it is
// written.
//
// https://html.spec.whatwg.org/multipage/parsing.html#character-reference-state
func Decode(dst, v []byte) []byte { return decode(dst, v) }
