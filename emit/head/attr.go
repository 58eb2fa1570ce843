package head

import (
	"bytes"

	"golang.org/x/net/html"
)

// An Attr is one attribute of a tag, by offsets; the zero Attr is none. Where it has no value,
// Value is NameEnd; a value in quotes has one before it.
type Attr struct {
	Name, NameEnd   int
	Value, ValueEnd int // as written: see [Decoded]
}

// Given reports whether a is an attribute.
func (a *Attr) Given() bool { return a.NameEnd != 0 }

// Is reports whether the attribute's name is lower, in any case.
func (a *Attr) Is(src []byte, lower string) bool { return Fold(src[a.Name:a.NameEnd], lower) }

// Attrs reads the attributes of these names, in lower case, of a tag whose own name ends at
// src[i:]: that of names[k] into places[k], which is the zero Attr before, and stays that if the
// tag has no such attribute. It returns where the tag ends, -1 if the page ends before it. Of
// several attributes of one name the first counts
// (https://html.spec.whatwg.org/multipage/parsing.html#attribute-name-state).
func Attrs(src []byte, i int, names []string, places ...*Attr) (end int) {
	var a Attr
	for more := true; ; {
		if i, more = nextAttr(src, i, &a); !more {
			return i
		}
		for k, place := range places {
			if !place.Given() && a.Is(src, names[k]) {
				*place = a
			}
		}
	}
}

// nextAttr reads the next attribute of a tag into a, for [Attrs]. src[i:] is what follows the tag's
// name or the attribute before. It returns where the next call is to go on, and whether there was
// an attribute: if more is false, a is not to be read, and next is where the tag ends, behind its
// ">", or -1 if the page ends before that.
//
//	' a=1>'      a is {a, 1}, next is at ">", more
//	' a = "1">'  a is {a, 1}, next is behind the quote, more
//	' / a b>'    a is {a, no value}, next is at "b", more
//	' />'        next is behind ">", no more
//	' a = "1>'   next is -1, no more: the quote is never closed
//
// White space is skipped around "=". A "/" in a tag counts as white space, but in an unquoted value
// it is part of the value.
//
// https://html.spec.whatwg.org/multipage/parsing.html#before-attribute-name-state
func nextAttr(src []byte, i int, a *Attr) (next int, more bool) {
	for i < len(src) && (class[src[i]]&isSpace != 0 || src[i] == '/') {
		i++
	}
	if i == len(src) {
		return -1, false
	}
	if src[i] == '>' {
		return i + 1, false
	}
	a.Name = i
	i++                                                // any byte may be the first of a name, "=" too
	for i < len(src) && class[src[i]]&stopsAttr == 0 { // to white space, "/", ">" or "="
		i++
	}
	a.NameEnd, a.Value, a.ValueEnd = i, i, i // without a value until one is found
	i = skipSpace(src, i)
	if i == len(src) {
		return -1, false
	}
	if src[i] != '=' {
		return i, true
	}
	i = skipSpace(src, i+1)
	if i == len(src) {
		return -1, false
	}
	if quote := src[i]; quote == '"' || quote == '\'' {
		length := bytes.IndexByte(src[i+1:], quote)
		if length < 0 {
			return -1, false
		}
		a.Value, a.ValueEnd = i+1, i+1+length
		return a.ValueEnd + 1, true
	}
	a.Value = i
	for i < len(src) && class[src[i]]&stopsValue == 0 { // to white space or ">"
		i++
	}
	a.ValueEnd = i
	return i, true
}

// Decoded returns the value a parser gives the attribute value v as it is written, in *buf where it
// is not v itself: so it is valid until that is used again.
func Decoded(buf *[]byte, v []byte) []byte {
	isPlain := bytes.IndexByte(v, '&') < 0 && bytes.IndexByte(v, '\r') < 0 && bytes.IndexByte(v, 0) < 0
	if isPlain {
		return v
	}
	*buf = Decode((*buf)[:0], v)
	return *buf
}

// Decode appends to dst the value a parser gives the attribute value v as it is written: line ends
// normalized, U+0000 replaced, character references read as they are in an attribute.
//
// https://html.spec.whatwg.org/multipage/parsing.html#character-reference-state
func Decode(dst, v []byte) []byte {
	v = bytes.ReplaceAll(v, []byte(`"`), []byte("&quot;")) // v is put in quotes below
	v = bytes.ReplaceAll(v, []byte{0}, []byte("\uFFFD"))
	z := html.NewTokenizer(bytes.NewReader(append(append([]byte(`<a a="`), v...), `">`...)))
	z.Next()
	z.TagName()
	_, value, _ := z.TagAttr()
	return append(dst, value...)
}
