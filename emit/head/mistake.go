package head

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// A Mistake is why crawlers do not obey a meta whose author meant a robots tag. Such a meta is none by any crawler's
// documentation: Google reads the attribute name, as it stands, with the values robots, googlebot and googlebot-news.
//
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#robotsmeta
type Mistake uint8

// The mistakes that are read as they were meant.
const (
	Misnamed    Mistake = 1 + iota // name="robot", name="X-Robots-Tag"
	InList                         // name="robots, googlebot", which counts for every crawler
	InProperty                     // property="robots"
	InHTTPEquiv                    // http-equiv="X-Robots-Tag"
	InItemprop                     // itemprop="robots"
	InID                           // id="robots"
	InValue                        // name="robots" value="noindex"
	CurlyQuotes                    // name=“robots”, content=“noindex”
)

// String says what is wrong.
func (m Mistake) String() string {
	return [...]string{
		"",
		`the name is "robots"`,
		"a tag has one name, not a list; this one counts for every crawler",
		"crawlers read the attribute name, not property",
		"crawlers read the attribute name, not http-equiv; X-Robots-Tag is an HTTP header",
		"crawlers read the attribute name, not itemprop",
		"crawlers read the attribute name, not id",
		"the attribute is called content, not value",
		"quotes are straight in HTML, and curly ones part of the value",
	}[m]
}

// asked are the names of the asked metas that a meta is, or was meant to be, by their kind.
type asked [Inert + 1]struct {
	is      bool
	name    string
	mistake Mistake
}

func (s *Scanner) identify(f *fields) (found asked) {
	property := s.Text[f.property.Value:f.property.ValueEnd]
	for i, a := range [...]*Attr{&f.name, &f.property, &f.equiv, &f.itemprop, &f.id} {
		if i > 2 && f.name.Given() { // which says what the meta is
			break
		}
		if !a.Given() || a == &f.property && bytes.IndexByte(property, ':') >= 0 { // og:title and its like are many
			continue
		}
		n, mistake := s.name(a), [...]Mistake{0, InProperty, InHTTPEquiv, InItemprop, InID}[i]
		kind := s.page.kind(n)
		if other, quoted := meant(n); kind == None && other != nil {
			n, kind, mistake = other, s.page.kind(other), max(mistake, Misnamed)
			if quoted && i == 0 {
				mistake = CurlyQuotes
			}
		}
		if kind == None && s.lists(n) {
			n, kind, mistake = robotsName, s.page.kind(robotsName), max(mistake, InList)
		}
		if a := &found[kind]; kind != None && !a.is {
			a.is, a.name, a.mistake = true, string(n), mistake
		}
	}
	return found
}

// lists reports whether a name holds several, of which one is asked for.
func (s *Scanner) lists(n []byte) bool {
	separates := func(r rune) bool { return r == ',' || r == ';' || r <= ' ' }
	return bytes.ContainsFunc(n, separates) && slices.ContainsFunc(bytes.FieldsFunc(n, separates),
		func(one []byte) bool { return s.page.kind(one) == Robots })
}

var robotsName = []byte("robots")

// meant returns the name that stands for n, which is decoded and lower case; nil where n is no mistake.
func meant(n []byte) (name []byte, quoted bool) {
	name = unquote(n)
	quoted = len(name) < len(n)
	switch string(name) {
	case "robot", "x-robots-tag":
		return robotsName, quoted
	}
	if !quoted {
		return nil, false
	}
	return name, true
}

// unquote takes quotes of any kind off the ends of v.
func unquote(v []byte) []byte {
	for {
		r, n := utf8.DecodeRune(v)
		if !quote(v, r) && r != '"' && r != '\'' {
			break
		}
		v = v[n:]
	}
	for {
		r, n := utf8.DecodeLastRune(v)
		if len(v) == 0 || !quote(v[len(v)-n:], r) && r != '"' && r != '\'' {
			return v
		}
		v = v[:len(v)-n]
	}
}

// quote reports whether r, which v begins with, is a curly quote, in UTF-8 or in windows-1252.
func quote(v []byte, r rune) bool {
	switch r {
	case '“', '”', '„', '‟', '‘', '’', '‚', '‛', '″', '′', '«', '»':
		return true
	case utf8.RuneError:
		return len(v) > 0 && (0x91 <= v[0] && v[0] <= 0x94 || v[0] == 0x82 || v[0] == 0x84)
	}
	return false
}

// indexQuote returns the offset of the first curly quote in v, and where it ends; -1 where there is none.
func indexQuote(v []byte) (at, to int) {
	for i := 0; i < len(v); {
		if v[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(v[i:])
		if quote(v[i:], r) {
			return i, i + n
		}
		i += n
	}
	return -1, -1
}

// curly returns the content of a meta whose author put it in curly quotes, with blanks in their place; ok is false
// where there is none. A value that begins with one and has no straight quotes ends at its first blank by the standard,
// and here at the next curly quote of the tag.
func curly(src []byte, t *token, f *fields) (content []byte, ok bool) {
	v := src[f.content.Value:f.content.ValueEnd]
	at, to := indexQuote(v)
	if at < 0 {
		return nil, false
	}
	if before := src[f.content.Value-1]; at == 0 && before != '"' && before != '\'' {
		if next, _ := indexQuote(v[to:]); next < 0 {
			v = src[f.content.Value : t.to-1]
			if next, _ = indexQuote(v[to:]); next >= 0 {
				v = v[:to+next]
			}
		}
	}
	for ; at >= 0; at, to = indexQuote(v) {
		content = append(append(content, v[:at]...), ' ')
		v = v[to:]
	}
	return trim(append(content, v...)), true
}
