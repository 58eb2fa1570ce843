package robotstag

import (
	"slices"
	"strings"
)

// LinkName is the name of the header that links a response to other resources.
const LinkName = "Link"

// A Link is one link of a Link header. https://www.rfc-editor.org/rfc/rfc8288#section-3
type Link struct {
	Target string
	// Rel are the relation types, separated by blanks.
	Rel string
	// Text is the link as it was written.
	Text string
}

// Is reports whether the link is of a relation type, which counts in any case of letters.
func (l Link) Is(rel string) bool {
	return slices.ContainsFunc(strings.Fields(l.Rel), func(word string) bool { return strings.EqualFold(word, rel) })
}

// ParseLinks reads the value of a Link header. ok is false if a part of it is not a link, which is
// left out.
func ParseLinks(value string) (links []Link, ok bool) {
	ok = true
	for _, text := range splitOutside(value, ',') {
		if text == "" {
			continue // a list may have empty elements
		}
		target, params, found := strings.Cut(strings.TrimPrefix(text, "<"), ">")
		if !found || text[0] != '<' || strings.ContainsAny(target, " \"<") {
			ok = false
			continue
		}
		l := Link{Target: target, Text: text}
		for i, param := range splitOutside(params, ';') {
			name, text, _ := strings.Cut(param, "=")
			if ok = ok && (i > 0 || param == ""); strings.EqualFold(strings.TrimSpace(name), "rel") && l.Rel == "" {
				l.Rel = strings.Trim(strings.TrimSpace(text), `"`) // of several the first counts
			}
		}
		links = append(links, l)
	}
	return links, ok
}

// Canonicals are the canonical links of a Link header.
func Canonicals(value string) []Link {
	links, _ := ParseLinks(value)
	return slices.DeleteFunc(links, func(l Link) bool { return !l.Is("canonical") })
}

// splitOutside splits a text at a separator that is neither in quotes nor between angle brackets.
func splitOutside(text string, separator byte) (parts []string) {
	quoted, target, from := false, false, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"' && !target:
			quoted = !quoted
		case c == '<' && !quoted:
			target = true
		case c == '>' && !quoted:
			target = false
		case c == separator && !quoted && !target:
			parts, from = append(parts, strings.TrimSpace(text[from:i])), i+1
		}
	}
	return append(parts, strings.TrimSpace(text[from:]))
}

// SameLinks reports whether two values of the Link header link to the same, in whatever order.
func SameLinks(a, b string) bool {
	x, known := linked(a)
	y, also := linked(b)
	return a == b || known && also && slices.Equal(x, y)
}

// linked are the links of a value in one spelling: sorted, with blanks and quotes left out where
// they say nothing.
func linked(value string) (all []string, ok bool) {
	links, ok := ParseLinks(value)
	for _, l := range links {
		_, rest, _ := strings.Cut(l.Text, ">")
		var params []string
		for _, param := range splitOutside(rest, ';') {
			name, text, _ := strings.Cut(param, "=")
			text = strings.Trim(strings.TrimSpace(text), `"`)
			if name = strings.ToLower(strings.TrimSpace(name)); name == "rel" {
				words := strings.Fields(strings.ToLower(text))
				slices.Sort(words)
				text = strings.Join(words, " ")
			}
			params = append(params, name+"="+text)
		}
		slices.Sort(params)
		all = append(all, l.Target+strings.Join(params, ";"))
	}
	slices.Sort(all)
	return slices.Compact(all), ok
}
