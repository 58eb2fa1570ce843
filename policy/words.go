package policy

import (
	"fmt"
	"strings"
)

// A PlacedWord is one directive as it stands in a page's metas or in its X-Robots-Tag.
type PlacedWord struct {
	// Name is the directive without its value, Word with it, in lower case.
	Name, Word string
	// Tag is the name of the meta, or what stands before the colon of the header value; "robots" for everyone.
	Tag    string
	Header bool
	// Source numbers the sources of indexifembedded (D3): each name's metas, each name in a header value.
	Source     int
	Directives Directives
	Embed      bool
}

// WordsIn takes metas and header values apart into words, each with its place.
func WordsIn(metas []Tag, header []string) (words []PlacedWord) {
	sources := map[string]int{}
	source := func(key string) int {
		if _, ok := sources[key]; !ok {
			sources[key] = len(sources)
		}
		return sources[key]
	}
	add := func(text, tag string, header bool, key string) {
		p := parser{whose: Found}
		p.words(text, func(word string, r Reading) {
			name, _, _ := strings.Cut(word, ":")
			words = append(words, PlacedWord{Name: name, Word: word, Tag: tag, Header: header,
				Source:     source(key + tag),
				Directives: r.Directives, Embed: r.Embed})
		})
	}
	for _, m := range metas {
		tag := strings.ToLower(m.Name)
		if Everyone(tag) {
			tag = "robots"
		}
		add(m.Content, tag, false, "meta ")
	}
	for i, line := range header {
		p := parser{whose: Found, header: true}
		for tag, text := range p.scopes(line) {
			if tag == "" {
				tag = "robots"
			}
			add(text, tag, true, fmt.Sprintf("header %d ", i))
		}
	}
	return words
}

// scopes yields the parts of a header value: to whom, "" for everyone, and the text that they are told (D0).
func (p *parser) scopes(line string) func(yield func(crawler, text string) bool) {
	return func(yield func(string, string) bool) {
		var text []string
		for item := range strings.SplitSeq(line, ",") {
			p.raw = fold(item)
			item = tidy(p.raw)
			for item != "" {
				name, value, colon := strings.Cut(item, ":")
				if !colon || isValued(name) || strings.ContainsAny(name, separators) {
					break
				}
				before := p.crawler
				rest := p.prefix(name, strings.TrimSpace(value))
				if p.crawler != before || rest != "" {
					if len(text) > 0 && !yield(before, strings.Join(text, ", ")) {
						return
					}
					text = nil
				}
				item = tidy(rest)
			}
			if item != "" {
				text = append(text, item)
			}
		}
		if len(text) > 0 {
			yield(p.crawler, strings.Join(text, ", "))
		}
	}
}

// words yields each directive of a text without prefixes, as it is printed, and what it states. A date keeps its commas
// and blanks (D5); words between other separators are taken one by one (D4).
func (p *parser) words(text string, yield func(word string, r Reading)) {
	items := strings.Split(text, ",")
	one := func(word string, read func()) {
		p.readings, p.unknown, p.of = nil, nil, nil
		read()
		p.settle()
		if r := p.reading(""); !r.Directives.IsZero() || r.Embed {
			yield(word, r)
		}
	}
	for i := 0; i < len(items); i++ {
		item := tidy(items[i])
		if name, value, ok := strings.Cut(item, ":"); ok && strings.EqualFold(name, "unavailable_after") {
			one("unavailable_after", func() { i += p.expiry(value, items[i+1:]) })
			continue
		}
		for _, word := range strings.FieldsFunc(item,
			func(r rune) bool { return strings.ContainsRune(p.separators(), r) }) {
			one(strings.ToLower(word), func() { p.item(word) })
		}
	}
}
