package head

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/encoding/unicode"

	"metarobots/internal/lazyregexp"
)

// prescanned is how much of a page may hold its encoding declaration
// (https://html.spec.whatwg.org/multipage/semantics.html#charset1024).
const prescanned = 1024

// Wide returns the name of an encoding of two bytes a character, "utf-16le" or "utf-16be", as
// [Facts].Encoding has it; "" for every other page. It goes by the byte order mark, or without one
// by the null bytes between the ASCII characters with which a page begins ("<\0h\0"). UTF-32 is
// UTF-16 with a null character for each character, as browsers read it. [Scanner.Scan] and
// emit/links ask it first: in such a page no byte is the ASCII character that it seems.
//
// https://encoding.spec.whatwg.org/#bom-sniff
func Wide(src []byte) string {
	if len(src) < 2 {
		return ""
	}
	mayBeMark, hasNull := src[0] >= 0xFE, src[0] == 0 || src[1] == 0
	if !mayBeMark && !hasNull { // nearly every page
		return ""
	}
	switch string(src[:2]) {
	case "\xFF\xFE": // that of UTF-32 begins with it too
		return "utf-16le"
	case "\xFE\xFF":
		return "utf-16be"
	}
	if len(src) < 4 {
		return ""
	}
	a, b, c, d := src[0], src[1], src[2], src[3]
	isLittleEndian := isASCIIUnit(a, b) && isASCIIUnit(c, d)
	isBigEndian := isASCIIUnit(b, a) && isASCIIUnit(d, c)
	switch {
	case isLittleEndian && a != 0: // "<\0h\0", or "<\0\0\0" of UTF-32
		return "utf-16le"
	case isBigEndian && d != 0: // "\0<\0h", or "\0\0\0<" of UTF-32
		return "utf-16be"
	case string(src[:4]) == "\x00\x00\xFE\xFF": // the mark of UTF-32, big endian
		return "utf-16be"
	}
	return ""
}

// isASCIIUnit reports whether two bytes of UTF-16 are an ASCII character, or the null character.
func isASCIIUnit(low, high byte) bool { return low < 0x80 && high == 0 }

// declare takes in a character encoding declaration of the head, whose tag ends at an offset.
func (s *Scanner) declare(f *fields, end int) {
	var label []byte
	switch {
	case f.charset.Given():
		label = trim(s.value(&f.charset))
	case f.content.Given() && Fold(s.value(&f.equiv), "content-type"):
		if m := charsetForm.FindSubmatch(s.value(&f.content)); m != nil {
			label = slices.Concat(m[1:]...)
		}
	}
	if len(label) == 0 || end > prescanned || s.page.charset != "" {
		return
	}
	s.page.charset, s.page.facts.Insert = "utf-8", end
	if !Fold(label, "utf-8") { // that of nearly every page costs no allocation
		s.page.charset = string(label)
	}
}

// charsetForm extracts the label from the content of a content-type declaration: quoted, or up to
// white space or a semicolon. A quote that is not closed makes none.
//
// https://html.spec.whatwg.org/multipage/urls-and-fetching.html#extracting-character-encodings-from-meta-elements
var charsetForm = lazyregexp.New(`[cC][hH][aA][rR][sS][eE][tT]\s*=\s*` +
	`(?:"([^"]*)"|'([^']*)'|([^"'\s;][^\s;]*)|)`)

// stateful names an encoding whose bytes mean ASCII or not by what comes
// before: by its declaration, else by the escape sequences of ISO-2022-JP.
//
// https://encoding.spec.whatwg.org/#iso-2022-jp-decoder
func (s *Scanner) stateful(src []byte) string {
	if bytes.HasPrefix(src, []byte(byteOrderMark)) {
		return "" // a mark outweighs any declaration
	}
	if s.page.charset == "" {
		if bytes.IndexByte(src, 0x1B) >= 0 && escapes.Match(src) { // nearly no page has one
			return "iso-2022-jp"
		}
		return ""
	}
	return statefulLabels[strings.ToLower(s.page.charset)]
}

// statefulLabels are the labels of such encodings, and what each names. Of "replacement" browsers
// read nothing, since its bytes mean what no browser decodes.
//
// https://encoding.spec.whatwg.org/#names-and-labels
var statefulLabels = map[string]string{
	"csiso2022jp":     "iso-2022-jp",
	"iso-2022-jp":     "iso-2022-jp",
	"csiso2022kr":     "replacement",
	"hz-gb-2312":      "replacement",
	"iso-2022-cn":     "replacement",
	"iso-2022-cn-ext": "replacement",
	"iso-2022-kr":     "replacement",
	"replacement":     "replacement",
}

// servedLabels are the labels of further encodings that a Content-Type may name; a declaration in
// the page cannot, since it would not be read.
//
// https://encoding.spec.whatwg.org/#names-and-labels
var servedLabels = map[string]string{
	"csunicode":       "utf-16le",
	"iso-10646-ucs-2": "utf-16le",
	"ucs-2":           "utf-16le",
	"unicode":         "utf-16le",
	"unicodefeff":     "utf-16le",
	"utf-16":          "utf-16le",
	"utf-16le":        "utf-16le",
	"unicodefffe":     "utf-16be",
	"utf-16be":        "utf-16be",
}

// InUTF8 returns a text in UTF-8 if it is in an encoding in which ASCII bytes may mean other
// characters: by its byte order mark, else by the label that a Content-Type gives it. Any other
// text is returned as it is, and not as decoded: no name and no directive has other characters than
// ASCII.
//
// https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
func InUTF8(text []byte, label string) (decoded []byte, isDecoded bool) {
	label = strings.ToLower(label)
	encoding := cmp.Or(servedLabels[label], statefulLabels[label])
	switch {
	case bytes.HasPrefix(text, []byte(byteOrderMark)):
		encoding = ""
	case bytes.HasPrefix(text, []byte("\xFF\xFE")):
		encoding = "utf-16le"
	case bytes.HasPrefix(text, []byte("\xFE\xFF")):
		encoding = "utf-16be"
	}
	if encoding == "" {
		return text, false
	}
	return readable(text, encoding), true
}

// decoders return pages of an encoding in UTF-8, before they are read. Each package of tables makes
// the program larger, so encodings in which ASCII is ASCII have none.
var decoders = map[string]func(src []byte) []byte{
	"utf-16le":    decoderOfUTF16(unicode.LittleEndian),
	"utf-16be":    decoderOfUTF16(unicode.BigEndian),
	"iso-2022-jp": asciiOfJIS,
}

// decoderOfUTF16 returns a decoder of UTF-16 in that order of bytes.
func decoderOfUTF16(order unicode.Endianness) func(src []byte) []byte {
	return func(src []byte) []byte {
		text, _ := unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder().Bytes(src)
		return text
	}
}

// escapes are the sequences that leave ASCII. "ESC ( B" is none: it returns to it, and terminals
// write it too.
var escapes = lazyregexp.New(`\x1B(?:\$[@B(]|\([IJ])`)

// readable returns src in UTF-8, for a page of that encoding. What encodes no character becomes
// U+FFFD.
func readable(src []byte, name string) []byte {
	if name == "replacement" {
		return src // browsers show nothing of it, others what is ASCII in it
	}
	return bytes.ReplaceAll(decoders[name](src), []byte{0}, nil)
}
