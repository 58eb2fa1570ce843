package servers

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// item is a member of a JSON object or an element of a list: where its name, if it has one, and its value stand.
type item struct {
	name           string
	at, start, end int
}

// items reads one level of a text that is known to be JSON, so no token is an error.
func items(text []byte, start int) (all []item) {
	d := json.NewDecoder(bytes.NewReader(text[start:]))
	next := func() int {
		at := start + int(d.InputOffset())
		return at + len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t\r\n,:"))
	}
	open, _ := d.Token()
	for d.More() {
		i := item{at: next()}
		if open == json.Delim('{') {
			name, _ := d.Token()
			i.name, _ = name.(string)
		}
		i.start = next()
		d.Decode(new(json.RawMessage))
		i.end = start + int(d.InputOffset())
		all = append(all, i)
	}
	return all
}

// listPlace is where a list stands, or would.
type listPlace struct {
	text     []byte
	start    int    // of the object that holds it
	members  []item // of that
	at       int    // the place of the list among them; -1 without one
	elements []item
}

// findList follows the names to a list. Of several members of a name the last counts.
func findList(text []byte, path []string) *listPlace {
	p := &listPlace{text: text, start: bytes.IndexByte(text, '{')}
	for i, name := range path {
		p.members = items(text, p.start)
		p.at = len(p.members) - 1
		for p.at >= 0 && p.members[p.at].name != name {
			p.at--
		}
		if p.at >= 0 && i < len(path)-1 {
			p.start = p.members[p.at].start
		}
	}
	if p.at >= 0 {
		p.elements = items(text, p.members[p.at].start)
	}
	return p
}

// cut returns the text without the elements first to last. A list that we made goes with its last element: ours starts
// with a line end, while in an empty list of the user's our first element follows the bracket at once.
func (p *listPlace) cut(first, last int) []byte {
	list := p.members[p.at]
	switch {
	case first > 0:
		return p.splice(p.elements[first-1].end, p.elements[last].end, "")
	case last < len(p.elements)-1:
		return p.splice(p.elements[0].start, p.elements[last+1].start, "")
	case p.elements[0].start == list.start+1:
		return p.splice(list.start+1, p.elements[last].end, "")
	case p.at > 0:
		return p.splice(p.members[p.at-1].end, list.end, "")
	case len(p.members) > 1:
		return p.splice(list.at, p.members[1].at, "")
	}
	return p.splice(p.start+1, list.end, "")
}

// add returns the text with elements at the end of the list, or in a new one.
func (p *listPlace) add(name string, elements []string) []byte {
	eol, n := eolOf(p.text), len(p.elements)
	switch {
	case n > 0:
		space := " "
		if in, ok := p.indent(p.elements[n-1].start); ok {
			space = eol + in
		}
		return p.splice(p.elements[n-1].end, p.elements[n-1].end, ","+space+strings.Join(elements, ","+space))
	case p.at >= 0:
		at := p.members[p.at].start + 1
		return p.splice(at, at, strings.Join(elements, ","+eol))
	}
	at, in, comma := p.start+1, "", ""
	if n := len(p.members); n > 0 {
		at, comma = p.members[n-1].end, ","
		in, _ = p.indent(p.members[n-1].at)
	}
	if in == "" {
		in = "  "
	}
	space := eol + in + "  "
	return p.splice(at, at, comma+eol+in+quoteJSON(name)+": ["+space+strings.Join(elements, ","+space)+eol+in+"]")
}

// indent returns the blanks before a place, if it is the first of its line, and not of the text.
func (p *listPlace) indent(at int) (blanks string, ok bool) {
	line := p.text[bytes.LastIndexByte(p.text[:at], '\n')+1 : at]
	if len(line) == at || len(bytes.Trim(line, " \t")) > 0 {
		return "", false
	}
	return string(line), true
}

func (p *listPlace) splice(from, to int, with string) []byte {
	return slices.Concat(p.text[:from], []byte(with), p.text[to:])
}

// quoteJSON writes a string as JSON, < > and & as they are.
func quoteJSON(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("a string that JSON cannot hold: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}
