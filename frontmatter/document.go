// Package frontmatter reads what an author says to crawlers in a page's front matter, from a
// generator's parameters or from the bytes of a content file: one code path for both. What is read,
// and at which levels, is table F of docs/semantics.md; it gathers the spellings of Hugo themes,
// Docusaurus, Eleventy, Next.js and others.
//
// # Words of this package
//
//   - Parameters are the keys of front matter with their values, as a decoder gives them: maps and
//     lists of any Go type. A key is compared in lower case, without white space around it
//     ([source.Key]); written is the key as the author spells it.
//   - A level is a table whose keys are read: the top, params, seo, meta, and seo and meta in
//     params.
//   - A path is the keys that lead to a value, with the numbers of elements in lists:
//     {"params", "robots", "0"}. valuesAt finds the values to which one leads.
//   - The [Form] of a key is what its value may be: FormDirectives (robots: noindex), FormCrawler
//     (googlebot: nosnippet), FormNoIndex (noindex: true), FormDate …; "" is a key that is not
//     read.
//     forms are the keys that are always read. Config.Keys are those of [robots.frontmatter], whose
//     form is formOwn. audience are keys such as hidden, which people take for a noindex.
//   - An entry is a key in a map of directives: {noindex: true}. undotted returns a key in lower
//     case, and parts one that YAML has in one piece, robots.noindex, into a key and a map.
//   - words are the parts of a text that may be directives; parting takes - _ . and blanks out of a
//     key.
//   - A truth value is a boolean, or a word or number for one: yes, "off", 0 ([Truth]).
//   - A value isDirectives if it is text, or a list of it, that holds directives and nothing else,
//     and something in it restricts. A word is near a directive if it is one or nearly spelled so.
//   - A [policy.Statement] is what one place says to a crawler. policy.Stating reads its directives
//     from a text, policy.Lookup gives those of one word, with no text behind a colon. A search
//     engine (bing) is no crawler (bingbot): Crawlers.OfEngine knows the crawler of its name.
//   - To state is to add a statement to the [Result], to report a finding about a key. Either
//     way the key is named: accounted for. Keys that nothing accounts for are unread (F3): what
//     they seem to state is a warning, and counts for nothing.
package frontmatter

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	adrg "github.com/adrg/frontmatter"

	"metarobots/internal/lazyregexp"
	"metarobots/internal/source"
	"metarobots/policy"
)

// A Document is the front matter of one content file.
type Document struct {
	Format string         // toml, yaml or json; empty where the file has no front matter
	Params map[string]any // its keys as written
	Index  *source.Index  // their lines in the file; nil without front matter
}

// An Error is front matter that cannot be read, with its line in the file.
type Error source.SyntaxError

// maxSize is beyond what any page holds, in bytes.
const maxSize = 1 << 20

func (e *Error) Error() string { return "front matter: " + e.Msg }

func (e *Error) orNil() error {
	if e == nil {
		return nil
	}
	return e
}

// opening is a line that opens front matter. A language may follow its mark in any case of letters,
// as gray-matter reads it behind ---.
// https://github.com/jonschlinkert/gray-matter/blob/4.0.3/lib/engine.js
var opening = lazyregexp.New(`^(---|\+\+\+|;;;)[ \t]*([A-Za-z]\w*)?$`)

// languages are the formats of what opening lines begin, in lower case; a program is in none of
// ours.
var languages = map[string]string{"---": "yaml", "---yaml": "yaml", "---yml": "yaml", "---toml": "toml",
	"---json": "json", "+++": "toml", ";;;": "json", "---js": "", "---javascript": "", "---node": ""}

// A Dialect is how a generator reads front matter where it differs from the others.
type Dialect struct {
	// Closing are the lines that close YAML as --- does: none for Hugo and most others, "..." where
	// a generator takes the end of a YAML document for that of the front matter.
	Closing []string
	// LastCounts: of a key that a mapping of YAML has twice, the generator takes the last without a
	// word.
	LastCounts bool
	// Unopened: lines "key: value" at the top count without a line that opens them. The caller of
	// Parse reads them by itself; Parse only does not report them as text.
	Unopened bool
}

// Parse is [Dialect.Parse] of generators that differ in what closes YAML alone.
func Parse(content []byte, closing ...string) (Document, error) {
	return Dialect{Closing: closing}.Parse(content)
}

// Parse reads the front matter of a content file: YAML, TOML or JSON between marks, or JSON as an
// object that the file starts with. A file without front matter is no error: the document has no
// Format then. These are, as an [*Error]:
//
//   - front matter that cannot be read, is too large or in a language that is not known;
//   - front matter that is never closed, since generators take it for text and the page goes public;
//   - what states something in a block that generators take for text: between two hyphens, below a
//     heading or another block, behind a comment, where no line opens it.
func (d Dialect) Parse(content []byte) (doc Document, err error) {
	content = bytes.TrimLeft(content, "\ufeff")
	first, rest, line := firstLine(content)
	isObject := bytes.HasPrefix(first, []byte("{")) && !bytes.HasPrefix(first, []byte("{{")) // no template
	if isObject {
		return d.parseObject(content)
	}
	opens := opening.FindStringSubmatch(string(first))
	if opens == nil {
		return doc, cmp.Or(misplaced(content, 0), d.unopened(content)).orNil()
	}
	b := block{dialect: d, mark: opens[1], language: opens[2], rest: rest, line: line}
	// The library finds where the block ends, and [block.decode] reads it into the document. text
	// is what follows the block in content, to the last byte.
	text, err := adrg.MustParse(b.shown(), &doc, b.formats()...)
	hasNoEnd := errors.Is(err, adrg.ErrNotFound)
	switch {
	case hasNoEnd && b.isKnown():
		return doc, &Error{Line: line, Msg: fmt.Sprintf("%s on this line opens it, and no line with %s closes it",
			first, strings.Join(b.ends(), " or "))}
	case hasNoEnd:
		return doc, nil // text
	case err != nil:
		return doc, asError(err)
	}
	linesBefore := bytes.Count(content[:len(content)-len(text)], []byte("\n"))
	return doc, behind(text, linesBefore).orNil()
}

// parseObject reads a file that starts with JSON. The library would find its end at a line of }
// alone; what follows the object is the page's text.
func (d Dialect) parseObject(content []byte) (doc Document, err error) {
	doc.Format = "json"
	err = doc.decode(content[:min(len(content), maxSize)], 0, d)
	if isCutOff := len(content) > maxSize && doc.Index == nil; isCutOff {
		err = tooLarge(1)
	}
	return doc, err
}

// A block is front matter between marks, in a file whose opening line is known.
type block struct {
	dialect        Dialect
	mark, language string // of the opening line
	rest           []byte // what follows that line
	line           int    // its number
}

// start is the opening line as the formats have it.
func (b *block) start() string { return b.mark + strings.ToLower(b.language) }

func (b *block) isKnown() bool {
	_, known := languages[b.start()]
	return known
}

// ends are the lines that close the block.
func (b *block) ends() []string {
	if b.mark == "---" && b.language == "" {
		return append([]string{b.mark}, b.dialect.Closing...)
	}
	return []string{b.mark}
}

// formats are those that the library looks for: the known languages, and the one of this file if it
// is another.
func (b *block) formats() (all []*adrg.Format) {
	for _, start := range slices.Sorted(maps.Keys(languages)) {
		all = append(all, adrg.NewFormat(start, start[:len("---")], b.decode))
	}
	if !b.isKnown() {
		all = append(all, adrg.NewFormat(b.start(), b.mark, b.decode))
	}
	return all
}

// decode reads what the library found between the marks into a [*Document]. data is as long as the
// block, and may differ from it in lines that look like its end: see shown.
func (b *block) decode(data []byte, into any) error {
	doc, format := into.(*Document), languages[b.start()]
	switch {
	case format == "":
		return &Error{Line: b.line, Msg: fmt.Sprintf("%s is not supported: write it in YAML, between lines "+
			"with --- alone", b.language)}
	case len(data) > maxSize:
		return tooLarge(b.line)
	}
	doc.Format = format
	return doc.decode(b.rest[:len(data)], b.line, b.dialect)
}

// shown is the file as the library reads it. It knows one line that closes a block, and takes one
// that is indented for it, which belongs to a value. So ... is shown as ---, and an indented end
// with another first character.
func (b *block) shown() io.Reader {
	head := bytes.NewBufferString(b.start() + "\n")
	text := b.rest
	for row := range bytes.Lines(b.rest) {
		text = text[len(row):]
		line := string(bytes.TrimSpace(row))
		switch {
		case !slices.Contains(b.ends(), line):
			head.Write(row)
			continue
		case bytes.HasPrefix(row, []byte(line)):
			head.WriteString(b.mark)
			head.Write(row[len(line):])
			return io.MultiReader(head, bytes.NewReader(text))
		}
		head.WriteString("\x00")
		head.Write(row[1:])
	}
	return head
}

// stray is what was meant for front matter, with what stands above it: headings, comments,
// characters that nobody sees.
var stray = lazyregexp.New(`(?s)\A((?:\s|\p{Cf}|#[^\n]*\n|<!--.*?-->)*)` +
	`(---?|\+\+\+)[ \t]*\r?\n(.*?\n)[ \t]*(?:---?|\+\+\+)[ \t]*\r?(?:\n|\z)`)

// strayObject is JSON in its place.
var strayObject = lazyregexp.New(`(?s)\A((?:\s|\p{Cf}|#[^\n]*\n|<!--.*?-->)*)()(\{[ \t\r\n{]*["\w].*)`)

// speaks reports whether keys state something to crawlers, or seem to.
func speaks(params map[string]any) bool {
	read := Read(params, Config{})
	isMistyped := func(f policy.Finding) bool { return f.ID == "mistyped-key" }
	return len(read.Statements)+len(read.Unread) > 0 || slices.ContainsFunc(read.Findings, isMistyped)
}

// misplaced is the error of a block that was meant for front matter and is text, where it says
// something for crawlers. text begins below line base of its file.
func misplaced(text []byte, base int) *Error {
	for {
		m, format := stray.FindSubmatch(text), "json"
		if m != nil {
			format = cmp.Or(languages[string(m[2])], "yaml")
		} else if m = strayObject.FindSubmatch(text); m == nil {
			return nil
		}
		line := base + 1 + bytes.Count(m[1], []byte("\n"))
		if statesIn(format, m[3][:min(len(m[3]), maxSize)]) {
			return isText(line, unseenIn(m[1]))
		}
		base += bytes.Count(m[0], []byte("\n"))
		text = text[len(m[0]):]
	}
}

// unseenIn says which character hides what stands behind it; empty for none.
func unseenIn(above []byte) string {
	i := bytes.IndexFunc(above, func(r rune) bool { return unicode.Is(unicode.Cf, r) })
	if i < 0 {
		return ""
	}
	r, _ := utf8.DecodeRune(above[i:])
	return fmt.Sprintf(", without the invisible character %U before it", r)
}

// statesIn reports whether keys in a format state something to crawlers, or seem to; where they
// cannot be read, by their names.
func statesIn(format string, keys []byte) bool {
	var params map[string]any
	if _, err := source.ReadFirst(format, keys, 0, &params); err != nil {
		return robotsKey.Match(keys)
	}
	return speaks(params)
}

// Names reports whether a text has a line with a key that can only be meant for crawlers. It is for
// front matter that cannot be read.
func Names(text []byte) bool { return robotsKey.Match(text) }

// robotsKey is a key that can only be meant for crawlers.
var robotsKey = lazyregexp.New(`(?im)^[\s"'{#+:-]*[\w.]*?(?:robots?|rob-ots|no[_-]?index)\w*["']?\s*[:=]\s*` +
	`(?:$|["'\[{]?(?:no|true|false|yes))|name["']?\s*:\s*["']?robots`)

// behind is the error of what stands behind front matter, which is text: a second block, or keys
// that a mark closes and none opens, since the block was closed too early.
func behind(text []byte, base int) *Error {
	for {
		if stray := misplaced(text, base); stray != nil {
			return stray
		}
		m := unopened.FindSubmatch(text)
		if m == nil || len(m[1]) > maxSize {
			return nil
		}
		if statesIn(cmp.Or(languages[string(m[2])], "yaml"), m[1]) {
			return isText(base+1, "")
		}
		base += bytes.Count(m[0], []byte("\n"))
		text = text[len(m[0]):]
	}
}

// unopened are lines that are all keys, or belong to one, up to a mark.
var unopened = lazyregexp.New(`\A((?:[ \t]*(?:- )?(?:["'\w.\[-]+["']?[ \t]*[\]:=][^\n]*)?\r?\n)+?)[ \t]*(---|\+\+\+)[ \t]*\r?(?:\n|\z)`)

// isText is the error of what was meant for front matter. unseen says what hides it; empty for
// nothing.
func isText(line int, unseen string) *Error {
	return &Error{Line: line, Ours: true, Msg: "it begins with --- in the first line of a file and is one block" +
		unseen + ": this is text, in which its robots keys have no effect"}
}

func tooLarge(line int) error {
	return &Error{Line: line, Msg: fmt.Sprintf("is larger than %d bytes: keep data of that size in a file of its own",
		maxSize), Ours: true}
}

// decode reads raw, which starts after line base of the file.
func (doc *Document) decode(raw []byte, base int, d Dialect) error {
	read := source.ReadFirst
	if d.LastCounts {
		read = source.ReadLast
	}
	index, err := read(doc.Format, raw, base, &doc.Params)
	doc.Index = index
	if doc.Format == "json" && index != nil && len(index.Repeats) > 0 {
		first := index.Repeats[0]
		return &Error{Line: first.Line, Ours: true, Msg: fmt.Sprintf("the key %q is defined twice in one object: write it "+
			"once", first.Path[len(first.Path)-1])}
	}
	if err != nil {
		return asError(err)
	}
	return nil
}

// asError is an error of front matter.
func asError(err error) *Error {
	if own, ok := errors.AsType[*Error](err); ok {
		return own
	}
	if syntax, ok := errors.AsType[*source.SyntaxError](err); ok {
		return (*Error)(syntax)
	}
	return &Error{Msg: err.Error()}
}

// firstLine returns the first line that is not blank, without white space and byte order marks
// around it, what follows it, and its number.
func firstLine(content []byte) (line, rest []byte, n int) {
	for n := 1; len(content) > 0; n++ {
		line, rest, _ := bytes.Cut(content, []byte("\n"))
		if line = bytes.Trim(line, " \t\r\v\f\ufeff"); len(line) > 0 {
			return line, rest, n
		}
		content = rest
	}
	return nil, nil, 0
}
