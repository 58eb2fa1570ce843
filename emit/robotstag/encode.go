package robotstag

import "strings"

// The digits of percent-encoded bytes.
const (
	Upper = "0123456789ABCDEF"
	Lower = "0123456789abcdef"
)

// IsBare reports whether a byte is an ASCII letter, a digit or one of some characters.
func IsBare(c byte, bare string) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(bare, c) >= 0
}

// Encode percent-encodes the bytes of a path that are not bare.
func Encode(path, bare, digits string) string {
	plain := 0
	for plain < len(path) && IsBare(path[plain], bare) {
		plain++
	}
	if plain == len(path) {
		return path
	}
	var b strings.Builder
	for i := range len(path) {
		if c := path[i]; IsBare(c, bare) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}
