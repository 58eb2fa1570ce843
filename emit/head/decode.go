package head

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// readable returns src as text in which the ASCII characters are ASCII bytes, for
// a page of that encoding; it is src itself where they are so already. The text is
// made anew: a page of such an encoding is rare.
func readable(src []byte, encoding string) []byte {
	switch encoding {
	case "utf-16le":
		return narrow(src, 2, binary.LittleEndian)
	case "utf-16be":
		return narrow(src, 2, binary.BigEndian)
	case "utf-32le":
		return narrow(src, 4, binary.LittleEndian)
	case "utf-32be":
		return narrow(src, 4, binary.BigEndian)
	case "iso-2022-jp":
		return mask(src)
	}
	return src // "replacement": browsers show nothing of it, others what is ASCII in it
}

// narrow decodes UTF-16 and UTF-32 to UTF-8. What stands for no character becomes
// U+FFFD.
//
// https://encoding.spec.whatwg.org/#shared-utf-16-decoder
func narrow(src []byte, width int, order binary.ByteOrder) []byte {
	unit := func(i int) rune {
		if width == 2 {
			return rune(order.Uint16(src[i:]))
		}
		return rune(order.Uint32(src[i:]))
	}
	dst := make([]byte, 0, len(src)/width+len(src)/8)
	for i := 0; i+width <= len(src); i += width {
		r := unit(i)
		if width == 2 && utf16.IsSurrogate(r) {
			second := rune(0)
			if i+4 <= len(src) {
				second = unit(i + 2)
			}
			if r = utf16.DecodeRune(r, second); r != utf8.RuneError {
				i += 2
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// mask returns ISO-2022-JP with every character that is not ASCII written over,
// byte for byte. An escape sequence that leads back to ASCII becomes white space;
// one that leaves it, text.
//
// https://encoding.spec.whatwg.org/#iso-2022-jp-decoder
func mask(src []byte) []byte {
	dst := append([]byte(nil), src...)
	japanese := false
	for i := 0; i < len(src); i++ {
		if src[i] != 0x1B || i+2 >= len(src) {
			if japanese && src[i] != '\n' {
				dst[i] = 'x'
			}
			continue
		}
		fill := byte('x')
		switch string(src[i+1 : i+3]) {
		case "(B", "(J": // ASCII, and JIS X 0201 Roman, which has its letters and signs
			japanese, fill = false, ' '
		case "(I", "$@", "$B":
			japanese = true
		default:
			continue
		}
		for range 3 {
			dst[i] = fill
			i++
		}
		i--
	}
	return dst
}
