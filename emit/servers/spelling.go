package servers

import "strings"

// spelling is how a host has a request path before it compares.
type spelling int

const (
	decoded spelling = iota
	decodedFolded
	// encoded is as the URL standard's path state does: what it leaves alone stays.
	encoded
	encodedFolded
	// encodedStrictly leaves nothing that may be encoded, and is in lower case.
	encodedStrictly
	bare // decoded, without the first slash
	encodedBare
)

// of spells a decoded path.
func (s spelling) of(path string) string {
	switch s {
	case decodedFolded:
		return strings.ToLower(path)
	case encoded:
		return percent(path, "!$&'()*+,-./:;=@[]_|~", "0123456789ABCDEF")
	case encodedFolded:
		return strings.ToLower(encoded.of(path))
	case encodedStrictly:
		return percent(path, "-./_~", "0123456789abcdef")
	case bare:
		return strings.TrimPrefix(path, "/")
	case encodedBare:
		return strings.TrimPrefix(encoded.of(path), "/")
	}
	return path
}

// decodes reports whether the path is compared as it stands, so that a name cannot
// be told from one that it is the encoded spelling of.
func (s spelling) decodes() bool { return s == decoded || s == decodedFolded || s == bare }

// percent encodes all but ASCII letters, digits and some characters.
func percent(path, plain, hex string) string {
	at := 0
	for at < len(path) && isPlain(path[at], plain) {
		at++
	}
	if at == len(path) {
		return path
	}
	b := make([]byte, at, len(path)+8)
	copy(b, path)
	for ; at < len(path); at++ {
		if c := path[at]; isPlain(c, plain) {
			b = append(b, c)
		} else {
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(b)
}

func isPlain(c byte, plain string) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(plain, c) >= 0
}
