package head

import (
	"bytes"

	"golang.org/x/net/html"
)

// Decoded returns the value a parser gives the attribute value v as it is written, in *buf where it is not v itself: so
// it is valid until that is used again.
func Decoded(buf *[]byte, v []byte) []byte {
	if !bytes.ContainsAny(v, "&\r\x00") {
		return v
	}
	*buf = Decode((*buf)[:0], v)
	return *buf
}

// Decode appends to dst the value a parser gives the attribute value v as it is written: line ends normalized, U+0000
// replaced, character references read as they are in an attribute.
//
// https://html.spec.whatwg.org/multipage/parsing.html#character-reference-state
func Decode(dst, v []byte) []byte {
	v = bytes.ReplaceAll(bytes.ReplaceAll(v, []byte(`"`), []byte("&quot;")), []byte{0}, []byte("\uFFFD"))
	z := html.NewTokenizer(bytes.NewReader(append(append([]byte(`<a a="`), v...), `">`...)))
	z.Next()
	z.TagName()
	_, value, _ := z.TagAttr()
	return append(dst, value...)
}
