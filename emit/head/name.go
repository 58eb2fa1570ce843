package head

// A name is an element name that the loop over the head knows; other is every one
// that it does not.
type name uint8

const (
	other name = iota
	nMeta
	nLink
	nScript
	nStyle
	nTitle
	nHead
	nHTML
	nBody
	nBase
	nBasefont
	nBgsound
	nBr
	nIframe
	nNoembed
	nNoframes
	nNoscript
	nPlaintext
	nTemplate
	nTextarea
	nXmp
	names // how many there are
)

// spelling holds each name in lower case, as a tag spells it.
var spelling = [names]string{
	nMeta: "meta", nLink: "link", nScript: "script", nStyle: "style", nTitle: "title", nHead: "head", nHTML: "html",
	nBody: "body", nBase: "base", nBasefont: "basefont", nBgsound: "bgsound", nBr: "br", nIframe: "iframe",
	nNoembed: "noembed", nNoframes: "noframes", nNoscript: "noscript", nPlaintext: "plaintext", nTemplate: "template",
	nTextarea: "textarea", nXmp: "xmp",
}

// lookup returns the name that b spells, in any case. The usual ones of a head come first.
func lookup(b []byte) name {
	for n := nMeta; n < names; n++ {
		if Fold(b, spelling[n]) {
			return n
		}
	}
	return other
}

// Fold reports whether b is lower, its ASCII letters in any case. Names compare
// by ASCII case alone: U+212A KELVIN SIGN is no k
// (https://infra.spec.whatwg.org/#ascii-case-insensitive).
func Fold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i, c := range b {
		if toLower(c) != lower[i] {
			return false
		}
	}
	return true
}

func toLower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// A set is a set of names.
type set [names]bool

func setOf(ns ...name) (s set) {
	for _, n := range ns {
		s[n] = true
	}
	return s
}
