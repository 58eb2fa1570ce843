package head

import (
	"bytes"
	"unicode/utf8"
)

// A jisSet is a set of characters of ISO-2022-JP: that of the bytes after an escape sequence.
type jisSet int

// The sets. Roman differs from ASCII in two characters, which no name and no directive has.
const (
	asciiOrRoman jisSet = iota
	katakana            // a byte a character
	kanji               // two bytes a character
)

// jisEscapes are the escape sequences, each with the set that it begins.
//
// https://encoding.spec.whatwg.org/#iso-2022-jp-decoder, https://www.rfc-editor.org/rfc/rfc2237
var jisEscapes = []struct {
	sequence string
	begins   jisSet
}{
	{"\x1B(B", asciiOrRoman},
	{"\x1B(J", asciiOrRoman},
	{"\x1B(I", katakana},
	{"\x1B$@", kanji},
	{"\x1B$B", kanji},
	{"\x1B$(D", kanji},
}

// asciiOfJIS returns the ASCII characters of a text in ISO-2022-JP, with U+FFFD for each other
// character, and without the escape sequences:
//
//	"a" ESC $ B "0!" ESC ( B "b"   becomes   "a\uFFFDb"
//
// Pages in that encoding are scanned so, and get no tags of ours ([Facts].Encoding). Only which
// bytes are ASCII matters here: a library's decoder would tell the other characters too, by tables
// that make up a hundredth of the program. Broken texts are read as golang.org/x/text reads them,
// with which a test compares.
func asciiOfJIS(src []byte) []byte {
	text := make([]byte, 0, len(src))
	set := asciiOrRoman
	for len(src) > 0 {
		if begins, length := jisEscape(src); length > 0 {
			set, src = begins, src[length:]
			continue
		}
		b, size := src[0], 1
		// An escape character of no sequence, and a byte of 0x80 and more, encode nothing in any set.
		isOfSet := b != escapeCharacter && b < utf8.RuneSelf
		if set == kanji && b == '\n' {
			set = asciiOrRoman // a line ends its characters of two bytes
		}
		if isOfSet && set == asciiOrRoman {
			text = append(text, b)
		} else {
			text = utf8.AppendRune(text, utf8.RuneError)
		}
		if isOfSet && set == kanji {
			size = min(2, len(src)) // 1 if the text ends within the character
		}
		src = src[size:]
	}
	return text
}

const escapeCharacter = 0x1B

// jisEscape returns the set that the escape sequence at the beginning of a text begins, and the
// sequence's length in bytes: 0 if the text begins with none.
func jisEscape(src []byte) (begins jisSet, length int) {
	if src[0] != escapeCharacter {
		return asciiOrRoman, 0
	}
	for _, e := range jisEscapes {
		if bytes.HasPrefix(src, []byte(e.sequence)) {
			return e.begins, len(e.sequence)
		}
	}
	return asciiOrRoman, 0
}
