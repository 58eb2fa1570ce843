package links

import "slices"

// A Record says what was put into a page, short enough to be kept for each page of a site: values that were added to a
// rel cannot be told from the author's own later, and without it a policy could never be loosened. The zero Record is
// of a page that was not edited.
type Record struct {
	// Texts are the different texts that were put in.
	Texts []string `json:"texts"`
	// At has two numbers for each text that was put in, in the order of the page: how
	// many bytes stand between it and the one before, and its index in Texts.
	At []int `json:"at"`
}

// Record returns what Rewrite puts in.
func (p *Page) Record() (r Record) {
	from := 0
	for _, n := range p.inserts {
		i := slices.Index(r.Texts, n.text)
		if i < 0 {
			i = len(r.Texts)
			r.Texts = append(r.Texts, n.text)
		}
		r.At = append(r.At, n.at-from, i)
		from = n.at
	}
	return r
}

// Redo appends page, the one that was edited as it was before, to dst with what was put in.
func (r Record) Redo(dst, page []byte) []byte {
	for at := r.At; len(at) > 1; at = at[2:] {
		dst = append(dst, page[:at[0]]...)
		dst = append(dst, r.Texts[at[1]]...)
		page = page[at[0]:]
	}
	return append(dst, page...)
}

// Undo returns page without what was put in. It returns false where not every text stands in its place, all else being
// as it may: the page was made anew, or the record is of no such page.
func (r Record) Undo(page []byte) (src []byte, ok bool) {
	if len(r.At) == 0 {
		return page, true
	}
	src = make([]byte, 0, len(page))
	rest := page
	for at := r.At; len(at) > 0; at = at[2:] {
		if len(at) == 1 || at[0] < 0 || at[1] < 0 || at[1] >= len(r.Texts) {
			return nil, false
		}
		gap, text := at[0], r.Texts[at[1]]
		if gap > len(rest) || len(text) > len(rest)-gap || string(rest[gap:gap+len(text)]) != text {
			return nil, false
		}
		src = append(src, rest[:gap]...)
		rest = rest[gap+len(text):]
	}
	return append(src, rest...), true
}
