package head

import (
	"bytes"
	"regexp"
	"slices"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode/utf32"
)

// prescanned is how much of a page may hold its encoding declaration
// (https://html.spec.whatwg.org/multipage/semantics.html#charset1024).
const prescanned = 1024

// Wide names an encoding of two or four bytes a character, as in [Facts], by the byte order mark, else by the null
// bytes between the ASCII characters a page begins with. It is empty for every other page.
//
// https://encoding.spec.whatwg.org/#bom-sniff
func Wide(src []byte) string {
	if len(src) < 2 || src[0] < 0xFE && src[0] != 0 && src[1] != 0 {
		return "" // nearly every page
	}
	for _, e := range wide {
		if bytes.HasPrefix(src, []byte(e.bom)) {
			return e.name
		}
	}
	for _, e := range wide {
		if len(src) >= 4 && e.nulls(src) {
			return e.name
		}
	}
	return ""
}

type wideEncoding struct {
	name, bom string
	ascii     [4]bool // which bytes of four are characters; the others are null
}

var wide = []wideEncoding{
	{"utf-32le", "\xFF\xFE\x00\x00", [4]bool{true, false, false, false}}, // before utf-16le, whose mark it begins with
	{"utf-32be", "\x00\x00\xFE\xFF", [4]bool{false, false, false, true}},
	{"utf-16le", "\xFF\xFE", [4]bool{true, false, true, false}},
	{"utf-16be", "\xFE\xFF", [4]bool{false, true, false, true}},
}

func (e *wideEncoding) nulls(src []byte) bool {
	for i, c := range src[:min(len(src)&^3, 8)] {
		if e.ascii[i%4] != (c != 0) || c >= 0x80 {
			return false
		}
	}
	return true
}

// declare takes in a character encoding declaration of the head.
func (s *Scanner) declare(f *fields, t *token) {
	var label []byte
	switch {
	case f.charset.Given():
		label = trim(s.value(&f.charset))
	case f.content.Given() && Fold(s.value(&f.equiv), "content-type"):
		if m := charsetForm.FindSubmatch(s.value(&f.content)); m != nil {
			label = slices.Concat(m[1:]...)
		}
	}
	if len(label) == 0 || t.to > prescanned {
		return
	}
	switch {
	case s.page.charset != "":
	case Fold(label, "utf-8"): // as nearly every page, which costs no allocation
		s.page.charset = "utf-8"
	default:
		s.page.charset = string(label)
	}
	if !s.page.settled {
		s.page.settled, s.page.facts.Insert = true, t.to
	}
}

// charsetForm extracts the label from the content of a content-type declaration: quoted, or up to white space or a
// semicolon. A quote that is not closed makes none.
//
// https://html.spec.whatwg.org/multipage/urls-and-fetching.html#extracting-character-encodings-from-meta-elements
var charsetForm = regexp.MustCompile(`[cC][hH][aA][rR][sS][eE][tT]\s*=\s*(?:"([^"]*)"|'([^']*)'|([^"'\s;][^\s;]*)|)`)

// stateful names an encoding whose bytes mean ASCII or not by what stands
// before: by its declaration, else by the escape sequences of ISO-2022-JP.
//
// https://encoding.spec.whatwg.org/#iso-2022-jp-decoder
func (s *Scanner) stateful(src []byte) string {
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		return "" // a mark outweighs any declaration
	}
	if s.page.charset == "" {
		return escapes(src)
	}
	e, err := htmlindex.Get(s.page.charset)
	if err != nil {
		return ""
	}
	if name, _ := htmlindex.Name(e); name == "iso-2022-jp" || name == "replacement" {
		return name
	}
	return ""
}

// escapes looks for the sequences that leave ASCII. "ESC ( B" is none: it returns to it, and terminals write it too.
func escapes(src []byte) string {
	for {
		i := bytes.IndexByte(src, 0x1B)
		if i < 0 || i+2 >= len(src) {
			return ""
		}
		switch string(src[i+1 : i+3]) {
		case "$@", "$B", "$(", "(I", "(J":
			return "iso-2022-jp"
		}
		src = src[i+1:]
	}
}

// readable returns src in UTF-8, for a page of that encoding. What stands for no character becomes U+FFFD.
func readable(src []byte, name string) []byte {
	var e encoding.Encoding
	switch name {
	case "replacement":
		return src // browsers show nothing of it, others what is ASCII in it
	case "utf-32le":
		e = utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)
	case "utf-32be":
		e = utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)
	default:
		e, _ = htmlindex.Get(name)
	}
	text, _ := e.NewDecoder().Bytes(src)
	return text
}
