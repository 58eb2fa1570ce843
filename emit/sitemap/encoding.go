package sitemap

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// mark is the byte order mark of UTF-8.
var mark = []byte("\ufeff")

// declaration is the encoding that an XML declaration names. https://www.w3.org/TR/xml/#NT-EncodingDecl
var declaration = regexp.MustCompile(`^<\?xml[ \t\r\n][^>]*?[ \t\r\n]encoding[ \t\r\n]*=[ \t\r\n]*["']([^"']*)["']`)

// encoded returns ErrEncoding where a file is not UTF-8, by its bytes or by what it says.
// https://www.w3.org/TR/xml/#sec-guessing
func encoded(src []byte) error {
	if bytes.IndexByte(src[:min(len(src), 4)], 0) >= 0 || !utf8.Valid(src) {
		return ErrEncoding
	}
	m := declaration.FindSubmatch(bytes.TrimPrefix(src[:min(len(src), 1024)], mark))
	if m != nil && !slices.Contains([]string{"utf-8", "utf8", "us-ascii", "ascii"}, strings.ToLower(string(m[1]))) {
		return ErrEncoding
	}
	return nil
}
