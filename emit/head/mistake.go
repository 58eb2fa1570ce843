package head

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Mistake is why crawlers do not obey a meta whose author meant a robots tag, in words; empty for
// a tag that is right. Such a meta is none by any crawler's documentation: Google reads the
// attribute name, as it is written, with the values robots, googlebot and googlebot-news.
//
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#robotsmeta
type Mistake string

// The mistakes that are read as they were meant: name="robot" or "X-Robots-Tag"; name="robots,
// googlebot"; an attribute in place of name; value in place of content; name=“robots” or
// content=“noindex”.
const (
	Misnamed    Mistake = `the name is "robots"`
	InList      Mistake = "a tag has one name, not a list; this one counts for every crawler"
	InProperty  Mistake = "crawlers read the attribute name, not property"
	InHTTPEquiv Mistake = "crawlers read the attribute name, not http-equiv; X-Robots-Tag is an HTTP header"
	InItemprop  Mistake = "crawlers read the attribute name, not itemprop"
	InID        Mistake = "crawlers read the attribute name, not id"
	InValue     Mistake = "the attribute is called content, not value"
	CurlyQuotes Mistake = "these quotes are part of the value, since in HTML straight ones are around it"
)

// asked are the names of the asked metas that a meta is, or was meant to be, by their [Kind].
type asked [Inert + 1]struct {
	is      bool // it is one of that kind; else the rest says nothing
	name    string
	mistake Mistake
}

// nameAttrs are the attributes in which authors write the name of a meta, in the order in which
// they count. Each has its place in namePlaces.
func (f *fields) nameAttrs() [5]*Attr {
	return [...]*Attr{&f.name, &f.property, &f.equiv, &f.itemprop, &f.id}
}

// namePlaces say of each of these attributes which mistake it is to write the name there.
var namePlaces = [...]struct {
	mistake Mistake // "" in the attribute name itself
	// isOnlyAlone: it counts only if there is no attribute name, beside which it has other uses.
	isOnlyAlone bool
}{{}, {InProperty, false}, {InHTTPEquiv, false}, {InItemprop, true}, {InID, true}}

// identify finds out which of the asked metas a meta is by its name, or was meant to be by another
// attribute in place of the name (M2): for [metaSearch.look], which asks only whether there is any,
// and for [Scanner.meta], which takes them in. A meta may be one of each kind, since an attribute
// that is a mistake counts beside the name; of two attributes of one kind the first of nameAttrs
// counts. What has other uses is no mistake: an id or an itemprop beside a name, and a property
// with a colon.
//
//	<meta name=robots>                      found[Robots] is {name: "robots"}
//	<meta name=“robot”>                     found[Robots] is {"robots", CurlyQuotes}
//	<meta name=title property=googlebot>    found[Robots] is {"googlebot", InProperty}
//	<meta name=title id=robots>             nothing is found
func (s *Scanner) identify(f *fields) (found asked) {
	property := s.Text[f.property.Value:f.property.ValueEnd]
	isOpenGraph := bytes.IndexByte(property, ':') >= 0 // og:title and its like are many, never meant
	for i, attr := range f.nameAttrs() {
		place := &namePlaces[i]
		isBesideName := place.isOnlyAlone && f.name.Given()
		isOfOpenGraph := attr == &f.property && isOpenGraph
		if !attr.Given() || isBesideName || isOfOpenGraph {
			continue
		}
		name, kind, mistake := s.intended(s.name(attr))
		if of := &found[kind]; kind != None && !of.is {
			of.is, of.name, of.mistake = true, string(name), cmp.Or(place.mistake, mistake)
		}
	}
	return found
}

// intended returns the name that a written one is or was meant to be, the kind of a meta of that
// name, and what is wrong with the written one. The kind is None if nobody asks for such a meta,
// and then the rest says nothing. The written name is decoded, trimmed and lower case.
//
//	robots              robots, Robots, ""
//	robot               robots, Robots, Misnamed
//	“googlebot”         googlebot, Robots, CurlyQuotes
//	robots, googlebot   robots, Robots, InList
func (s *Scanner) intended(written []byte) (name []byte, kind Kind, mistake Mistake) {
	name, kind = written, s.page.kind(written)
	if right, isQuoted := meant(written); kind == None && right != nil {
		name, kind, mistake = right, s.page.kind(right), Misnamed
		if isQuoted {
			mistake = CurlyQuotes
		}
	}
	if kind == None && s.lists(name) { // no reader makes two names of it
		name, kind, mistake = robotsName, s.page.kind(robotsName), cmp.Or(mistake, InList)
	}
	return name, kind, mistake
}

// lists reports whether a name is a list of several, and a meta of one of them would be of kind
// Robots.
func (s *Scanner) lists(n []byte) bool {
	separates := func(r rune) bool { return r == ',' || r == ';' || r <= ' ' }
	return bytes.ContainsFunc(n, separates) && slices.ContainsFunc(bytes.FieldsFunc(n, separates),
		func(one []byte) bool { return s.page.kind(one) == Robots })
}

var robotsName = []byte("robots")

// meant returns the name that n was meant to be: without quotes around it, curly or straight, and
// robots for robot or x-robots-tag. It is nil if n is no such mistake. isQuoted says that n has
// quotes around it. n is decoded and lower case.
func meant(n []byte) (name []byte, isQuoted bool) {
	n = withQuotesInUTF8(n)
	name = n
	if mayHaveQuotes := len(n) > 0 && !(letter(n[0]) && letter(n[len(n)-1])); mayHaveQuotes { // few names
		name = bytes.Trim(n, curlyQuotes+`"'`)
	}
	isQuoted = len(name) < len(n)
	switch string(name) {
	case "robot", "x-robots-tag":
		return robotsName, isQuoted
	}
	if !isQuoted {
		return nil, false
	}
	return name, true
}

const curlyQuotes = "“”„‟‘’‚‛″′«»"

// curlyQuotesOf1252 are the curly quotes of windows-1252, where each is one byte
// (https://encoding.spec.whatwg.org/index-windows-1252.txt).
var curlyQuotesOf1252 = map[byte]string{
	0x82: "‚", 0x84: "„", 0x91: "‘", 0x92: "’", 0x93: "“", 0x94: "”", 0xAB: "«", 0xBB: "»",
}

// withQuotesInUTF8 returns a text with the curly quotes of windows-1252 in UTF-8, if the text is no
// UTF-8; any other text as it is. Other characters stay the bytes that they are, since no name and
// no directive has them.
func withQuotesInUTF8(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	var out []byte
	for _, b := range text {
		if quote, isQuote := curlyQuotesOf1252[b]; isQuote {
			out = append(out, quote...)
		} else {
			out = append(out, b)
		}
	}
	return out
}

// curly returns the content of a meta whose author put it in curly quotes, with blanks in their
// place; ok is false where there is none. The tag is what src ends with. A value that begins with a
// curly quote and has no straight ones ends at its first blank by the standard, and here at the
// next curly quote of the tag.
func curly(src []byte, f *fields) (content []byte, ok bool) {
	v := withQuotesInUTF8(src[f.content.Value:f.content.ValueEnd])
	at := bytes.IndexAny(v, curlyQuotes)
	if at < 0 {
		return nil, false
	}
	if before := src[f.content.Value-1]; at == 0 && before != '"' && before != '\'' {
		v = withQuotesInUTF8(src[f.content.Value:])
		_, size := utf8.DecodeRune(v)
		if v = v[size:]; bytes.ContainsAny(v, curlyQuotes) {
			v = v[:bytes.IndexAny(v, curlyQuotes)]
		}
	}
	return trim(bytes.Map(func(r rune) rune {
		if strings.ContainsRune(curlyQuotes, r) {
			return ' '
		}
		return r
	}, v)), true
}
