package policy

import (
	"cmp"
	"fmt"
	"strings"
)

// A PlacedWord is one directive as it stands in a page's metas or in its X-Robots-Tag.
type PlacedWord struct {
	// Name is the directive without its value, Word with it but for a date, in lower case.
	Name, Word string
	// Tag is the name of the meta, or what stands before the colon of the header value; "robots" for everyone.
	Tag    string
	Header bool
	// Source tells the sources of indexifembedded apart (D3): each name's metas, each name in a header value.
	Source string
	Reading
}

// WordsIn takes metas and header values apart into words, each with its place.
func WordsIn(metas []Tag, header []string) (words []PlacedWord) {
	read := func(p parser, text, source string) {
		p.read(text)
		for _, w := range p.words {
			name, _, _ := strings.Cut(w.text, ":")
			if w.Directives.rank[expiry] != 0 {
				w.text = name
			}
			tag := cmp.Or(w.Crawler, "robots")
			words = append(words, PlacedWord{name, w.text, tag, p.header, source + tag, w.Reading})
		}
	}
	for _, m := range metas {
		p := parser{whose: Found}
		if !Everyone(m.Name) {
			p.crawler = strings.ToLower(m.Name)
		}
		read(p, m.Content, "meta ")
	}
	for i, line := range header {
		read(parser{whose: Found, header: true}, line, fmt.Sprintf("header %d ", i))
	}
	return words
}
