package sitemap

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// space is the white space of XML. https://www.w3.org/TR/xml/#NT-S
const space = " \t\r\n"

var isSpace = [256]bool{' ': true, '\t': true, '\r': true, '\n': true}

// A reader goes through a sitemap from tag to tag.
type reader struct {
	file *File
	src  []byte
	at   int // what is to be read next

	open  [][]byte // the names of the open elements
	root  bool     // the root has begun
	inLoc bool     // text belongs to the address of the last entry

	// The addresses one after another, where each entry's begins and ends, and whether the last entry has one. Of one
	// text they are one allocation.
	text strings.Builder
	locs []int
	some bool
}

// read reads the file to its end.
func (r *reader) read() error {
	// How many there will be: a guess, right for all that write no prefix.
	if n := bytes.Count(r.src, []byte("<loc>")); n > 0 {
		r.file.Entries, r.locs = make([]Entry, 0, n), make([]int, 0, 2*n)
	}
	r.at = len(r.src) - len(bytes.TrimPrefix(r.src, mark))
	for {
		n := bytes.IndexByte(r.src[r.at:], '<')
		if n < 0 {
			break
		}
		if n > 0 {
			if err := r.characters(r.src[r.at:r.at+n], false); err != nil {
				return err
			}
			r.at += n
		}
		if err := r.markup(); err != nil {
			return err
		}
	}
	if err := r.characters(r.src[r.at:], false); err != nil {
		return err
	}
	switch {
	case !r.root:
		return ErrNoSitemap
	case len(r.open) > 0:
		return r.errorf(len(r.src), "it ends within <%s>", r.open[len(r.open)-1])
	}
	all := r.text.String()
	for i := range r.file.Entries {
		r.file.Entries[i].Loc = strings.TrimSpace(all[r.locs[2*i]:r.locs[2*i+1]])
	}
	return nil
}

func (r *reader) errorf(at int, format string, args ...any) error {
	return fmt.Errorf("line %d: %s", 1+bytes.Count(r.src[:at], []byte("\n")), fmt.Sprintf(format, args...))
}

// characters takes the text between two tags, or of a CDATA section.
func (r *reader) characters(text []byte, cdata bool) error {
	if !r.root {
		if len(bytes.Trim(text, space)) > 0 {
			return ErrNoSitemap
		}
		return nil
	}
	if cdata {
		if r.inLoc {
			r.text.Write(text)
		}
		return nil
	}
	for {
		n := bytes.IndexByte(text, '&')
		if n < 0 {
			break
		}
		c, size := reference(text[n:])
		if size == 0 {
			return r.errorf(r.at, "& begins no reference; it is written &amp;")
		}
		if r.inLoc {
			r.text.Write(text[:n])
			r.text.WriteRune(c)
		}
		text = text[n+size:]
	}
	if r.inLoc {
		r.text.Write(text)
	}
	return nil
}

// markup reads what begins with the < at hand.
func (r *reader) markup() error {
	rest := r.src[r.at:]
	if len(rest) > 1 {
		switch rest[1] {
		case '/':
			return r.endTag()
		case '?':
			return r.skip("?>", 2, "an instruction")
		case '!':
			switch {
			case bytes.HasPrefix(rest, []byte("<!--")):
				return r.comment()
			case bytes.HasPrefix(rest, []byte("<![CDATA[")):
				from := r.at + len("<![CDATA[")
				if err := r.skip("]]>", len("<![CDATA["), "a CDATA section"); err != nil {
					return err
				}
				return r.characters(r.src[from:r.at-len("]]>")], true)
			case bytes.HasPrefix(rest, []byte("<!DOCTYPE")):
				return r.doctype()
			}
		}
	}
	return r.startTag()
}

// skip goes past the next end, which may begin from bytes after the < at hand.
func (r *reader) skip(end string, from int, what string) error {
	n := bytes.Index(r.src[r.at+from:], []byte(end))
	if n < 0 {
		return r.errorf(r.at, "%s never ends", what)
	}
	r.at += from + n + len(end)
	return nil
}

// comment goes past a comment, in which no -- may stand. https://www.w3.org/TR/xml/#sec-comments
func (r *reader) comment() error {
	at := r.at
	if err := r.skip("--", len("<!--"), "a comment"); err != nil {
		return err
	}
	if r.at == len(r.src) || r.src[r.at] != '>' {
		return r.errorf(at, "a comment holds --")
	}
	r.at++
	return nil
}

// doctype goes past a document type and the declarations in it. https://www.w3.org/TR/xml/#sec-prolog-dtd
func (r *reader) doctype() error {
	at, depth := r.at, 0
	for r.at < len(r.src) {
		switch c := r.src[r.at]; c {
		case '"', '\'':
			if err := r.skip(string(c), 1, "a document type"); err != nil {
				return err
			}
			continue
		case '<':
			if bytes.HasPrefix(r.src[r.at:], []byte("<!--")) {
				if err := r.skip("-->", len("<!--"), "a comment"); err != nil {
					return err
				}
				continue
			}
			depth++
		case '>':
			if depth--; depth == 0 {
				r.at++
				return nil
			}
		}
		r.at++
	}
	return r.errorf(at, "a document type never ends")
}

// name reads a name, of which nil is none.
func (r *reader) name() []byte {
	i := r.at
	for i < len(r.src) && inName[r.src[i]] {
		i++
	}
	name := r.src[r.at:i]
	if len(name) == 0 || name[0] == '-' || name[0] == '.' || '0' <= name[0] && name[0] <= '9' {
		return nil
	}
	r.at = i
	return name
}

// inName are the octets of names: those of ASCII, and all of other characters.
// https://www.w3.org/TR/xml/#NT-NameChar
var inName = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= utf8.RuneSelf || 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("_:.-", byte(c)) >= 0
	}
	return t
}()

func (r *reader) blank() {
	i := r.at
	for i < len(r.src) && isSpace[r.src[i]] {
		i++
	}
	r.at = i
}

// startTag reads a start tag or an empty element.
func (r *reader) startTag() error {
	at := r.at
	r.at++
	name := r.name()
	if name == nil {
		return r.errorf(at, "< begins no tag; it is written &lt;")
	}
	empty, err := r.attributes(at, name)
	if err != nil {
		return err
	}
	if err := r.begin(at, name); err != nil {
		return err
	}
	if empty {
		r.end()
	}
	return nil
}

// attributes goes past the attributes of a tag and its end, and reports whether that is the end of the element too.
func (r *reader) attributes(at int, name []byte) (empty bool, err error) {
	for {
		r.blank()
		rest := r.src[r.at:]
		switch {
		case len(rest) > 0 && rest[0] == '>':
			r.at++
			return false, nil
		case len(rest) > 1 && rest[0] == '/' && rest[1] == '>':
			r.at += 2
			return true, nil
		}
		if r.name() == nil {
			return false, r.errorf(at, "the tag of <%s> is broken", name)
		}
		r.blank()
		if r.at == len(r.src) || r.src[r.at] != '=' {
			return false, r.errorf(at, "an attribute of <%s> has no value", name)
		}
		r.at++
		r.blank()
		if r.at == len(r.src) || r.src[r.at] != '"' && r.src[r.at] != '\'' {
			return false, r.errorf(at, "an attribute of <%s> has no quotes", name)
		}
		n := bytes.IndexByte(r.src[r.at+1:], r.src[r.at])
		if n < 0 {
			return false, r.errorf(at, "an attribute of <%s> never ends", name)
		}
		value := r.src[r.at+1 : r.at+1+n]
		r.at += n + 2
		for {
			n := bytes.IndexByte(value, '&')
			if n < 0 {
				break
			}
			_, size := reference(value[n:])
			if size == 0 {
				return false, r.errorf(at, "& begins no reference in an attribute of <%s>; it is written &amp;", name)
			}
			value = value[n+size:]
		}
	}
}

// endTag reads an end tag.
func (r *reader) endTag() error {
	at := r.at
	r.at += 2
	name := r.name()
	r.blank()
	if name == nil || r.at == len(r.src) || r.src[r.at] != '>' {
		return r.errorf(at, "an end tag is broken")
	}
	r.at++
	switch {
	case len(r.open) == 0:
		return r.errorf(at, "</%s> ends nothing", name)
	case !bytes.Equal(r.open[len(r.open)-1], name):
		return r.errorf(at, "</%s> stands within <%s>", name, r.open[len(r.open)-1])
	}
	r.end()
	return nil
}

// begin opens an element whose tag starts at an offset.
func (r *reader) begin(at int, name []byte) error {
	r.inLoc = false
	switch len(r.open) {
	case 0:
		switch {
		case r.root:
			return r.errorf(at, "<%s> stands after the end of the root", name)
		case string(local(name)) == "sitemapindex":
			r.file.Index = true
		case string(local(name)) != "urlset":
			return ErrNoSitemap
		}
		r.root = true
	case 1:
		if r.entry(name) {
			if len(r.file.Entries) == MaxEntries {
				return ErrTooMany
			}
			r.file.Entries = append(r.file.Entries, Entry{start: before(r.src, at)})
			r.locs = append(r.locs, r.text.Len(), r.text.Len())
			r.some = false
		}
	case 2:
		r.inLoc = !r.some && string(local(name)) == "loc" && r.entry(r.open[1])
		r.some = r.some || r.inLoc
	}
	r.open = append(r.open, name)
	return nil
}

// end closes the innermost element, whose end was read.
func (r *reader) end() {
	r.inLoc = false
	r.open = r.open[:len(r.open)-1]
	if e := r.file.Entries; len(r.open) == 1 && len(e) > 0 && e[len(e)-1].end == 0 {
		e[len(e)-1].end = r.at
		r.locs[len(r.locs)-1] = r.text.Len()
	}
}

// entry reports whether a child of the root with that name is an entry.
func (r *reader) entry(name []byte) bool {
	if r.file.Index {
		return string(local(name)) == "sitemap"
	}
	return string(local(name)) == "url"
}

// local returns a name without its prefix. https://www.w3.org/TR/xml-names/#NT-QName
func local(name []byte) []byte {
	if i := bytes.IndexByte(name, ':'); i > 0 && i < len(name)-1 {
		return name[i+1:]
	}
	return name
}

// reference reads the reference at the beginning of text, in octets; 0 where there is none, or one to an entity that XML
// does not know by itself. https://www.w3.org/TR/xml/#sec-references
func reference(text []byte) (c rune, size int) {
	end := bytes.IndexByte(text, ';')
	if end < 0 {
		return 0, 0
	}
	name := string(text[1:end])
	if digits, ok := strings.CutPrefix(name, "#"); ok {
		base := 10
		if hex, ok := strings.CutPrefix(digits, "x"); ok {
			digits, base = hex, 16
		}
		n, err := strconv.ParseUint(digits, base, 32)
		if err != nil || n > utf8.MaxRune {
			return 0, 0
		}
		return rune(n), end + 1
	}
	switch name {
	case "amp":
		c = '&'
	case "lt":
		c = '<'
	case "gt":
		c = '>'
	case "quot":
		c = '"'
	case "apos":
		c = '\''
	default:
		return 0, 0
	}
	return c, end + 1
}
