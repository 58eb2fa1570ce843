package head

import "metarobots/policy"

// fields holds the attributes of a meta that matter here.
type fields struct{ name, content, value, equiv, charset, property, itemprop, id Attr }

var metaAttrs = []string{"name", "content", "value", "http-equiv", "charset", "property", "itemprop", "id"}

// read reads those of a tag whose name ends at src[i:].
func read(src []byte, i int) (f fields) {
	Attrs(src, i, metaAttrs, &f.name, &f.content, &f.value, &f.equiv, &f.charset, &f.property, &f.itemprop, &f.id)
	return f
}

func (s *Scanner) meta(src []byte, e *Element) {
	f := read(src, e.Attrs)
	if e.head {
		s.declare(&f, e.End)
		s.refresh(&f)
	}
	found := s.identify(&f)
	facts := &s.page.facts
	for kind, metas := range [...]*[]Meta{Robots: &facts.Robots, Inert: &facts.Inert} {
		a, size := found[kind], &s.page.metaBytes[kind]
		if !a.is {
			continue
		}
		if *size += e.End - e.Start; *size <= maxMetas || len(*metas) == 0 {
			*metas = append(*metas, s.read(src, e, &f, a.name, a.mistake))
		} else if Kind(kind) == Robots {
			if facts.Unread++; facts.Unread == 1 {
				facts.UnreadAt = s.lineOf(e.Start)
			}
		}
	}
}

// read returns what a meta of that name says.
func (s *Scanner) read(src []byte, e *Element, f *fields, name string, mistake Mistake) Meta {
	m := Meta{Name: name, Start: e.Start, End: e.End, Line: s.lineOf(e.Start), Body: !e.head}
	if len(trim(src[f.content.Value:f.content.ValueEnd])) == 0 && f.value.ValueEnd > f.value.Value {
		if f.content = f.value; mistake != CurlyQuotes {
			mistake = InValue
		}
	}
	m.HasContent, m.Mistake = f.content.Given(), mistake
	content := src[f.content.Value:f.content.ValueEnd]
	if v, ok := curly(src[:e.End-1], f); ok {
		content, m.Mistake = v, CurlyQuotes
	}
	m.Content, m.Cut = string(s.decode(content)), len(content) > maxValue
	m.Ours = e.head && m.HasContent && Tags([]policy.Tag{{Name: m.Name, Content: m.Content}}) == string(src[e.Start:e.End])
	// It ends an svg, or a "<" before it would meet what follows.
	m.Holds = m.Body && (e.breaks || e.Start > 0 && src[e.Start-1] == '<')
	return m
}

// maxValue is how much of an attribute's value is read, in bytes.
const maxValue = 64 << 10

// maxMetas is how many bytes of metas of one kind are read: a long one, and as much beside it.
const maxMetas = 2 * maxValue

// value returns the value of an attribute, decode that of a raw one, both valid until the next
// call.
func (s *Scanner) value(a *Attr) []byte { return s.decode(s.Text[a.Value:a.ValueEnd]) }

func (s *Scanner) decode(v []byte) []byte { return Decoded(&s.buf, v[:min(len(v), maxValue)]) }

// name returns a meta's name as it is compared: decoded, trimmed, lower case.
//
// https://html.spec.whatwg.org/multipage/semantics.html#meta-name
func (s *Scanner) name(a *Attr) []byte {
	v := trim(s.value(a))
	for _, c := range v {
		if c != toLower(c) {
			s.buf = append(s.buf[:0], v...)
			for i, c := range s.buf {
				s.buf[i] = toLower(c)
			}
			return s.buf
		}
	}
	return v
}

// trim takes off ASCII white space.
func trim(v []byte) []byte {
	for len(v) > 0 && space(v[0]) {
		v = v[1:]
	}
	for len(v) > 0 && space(v[len(v)-1]) {
		v = v[:len(v)-1]
	}
	return v
}
