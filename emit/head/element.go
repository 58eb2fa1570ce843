package head

// An Element is the start tag of an element, by offsets.
type Element struct {
	Name  string // in lower case
	Start int    // the tag is src[Start:End]
	Attrs int    // where its name ends, and its attributes begin
	End   int

	// Within is the place, from 1, of the nearest asked element around it; 0 for none, and where the page makes no tree.
	Within int

	head   bool // it stands in the head
	breaks bool // it may have ended an svg or math
}

// Elements returns the start tags of src that make elements of HTML outside of
// templates, in their order. asked says, by where a tag begins and its attributes do,
// which are wanted. What the standard reads as raw text, a textarea for one, holds none.
//
// A page that has an encoding, as in [Facts], is not read.
func (s *Scanner) Elements(src []byte, asked func(from, attrs int) bool) (elements []Element, encoding string) {
	s.reset(func([]byte) Kind { return None })
	if s.begin(src); s.page.facts.Encoding != "" {
		return nil, s.page.facts.Encoding
	}
	return find(src, 0, true, asked), ""
}
