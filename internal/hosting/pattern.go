package hosting

import (
	"slices"
	"strconv"
	"strings"

	"metarobots/internal/address"
	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// A patternReader makes a mapping of a source, token by token.
type patternReader struct {
	mapping address.Mapping
	text    string   // of the source since its last named part: not yet in the mapping
	names   []string // of the named parts, in their order
	// isRead says that nothing was found in the source yet that we do not understand.
	isRead bool
}

// addPart adds the text so far and a named part: what it matches as an expression, "" if that is
// not read, and whether it has to be there. An optional one is missing with the slash before it,
// and is not read without such a slash. A part without a name is named by its number. That
// something is not read is noted in isRead.
func (p *patternReader) addPart(name, matches string, n need) {
	optional := n == isOptional
	if name == "" {
		name = strconv.Itoa(len(p.names) + 1)
	}
	p.isRead = p.isRead && matches != "" && (!optional || strings.HasSuffix(p.text, "/"))
	p.mapping.From = append(p.mapping.From, address.Part{Text: p.text},
		address.Part{Name: name, Matches: matches, Optional: optional})
	p.text, p.names = "", append(p.names, name)
}

// setDestination ends the source with the text so far, and takes a destination apart at its names.
// A query and a fragment, which say nothing of the file, are left out.
func (p *patternReader) setDestination(to string) {
	if p.text != "" || len(p.mapping.From) == 0 {
		p.mapping.From = append(p.mapping.From, address.Part{Text: p.text})
	}
	if strings.HasPrefix(to, "/") {
		to, _, _ = strings.Cut(to, "#")
		to, _, _ = strings.Cut(to, "?")
	}
	at := 0
	for _, r := range reference.FindAllStringIndex(to, -1) {
		name := strings.Trim(to[r[0]:r[1]], ":$*+?")
		if n, err := strconv.Atoi(name); err == nil && 0 < n && n <= len(p.names) {
			name = p.names[n-1]
		}
		if slices.Contains(p.names, name) {
			p.mapping.To = append(p.mapping.To, address.Part{Text: to[at:r[0]]}, address.Part{Name: name})
			at = r[1]
		}
	}
	p.mapping.To = append(p.mapping.To, address.Part{Text: to[at:]})
}

// reference is a name in a destination: :name, with the modifier that it has in the source, or $1
// by its number.
var reference = lazyregexp.New(`:\w+[*+?]?|\$\w+`)

// token is a part of a pattern of path-to-regexp 6.1: an escaped character; brackets, which may
// have a name before them, hold an expression and may have a modifier behind them; a name, which
// may have a modifier; or a character that we do not read, which is in no group.
var token = lazyregexp.New(`\\(.)|(?::(\w+))?\(((?:\\.|[^()\\])*)\)([*+?]?)|:(\w+)([*+?]?)|[{}*+?()]`)

// The groups of token.
const (
	escapedChar         = 1
	nameOfBrackets      = 2
	inBrackets          = 3
	modifierOfBrackets  = 4
	nameWithoutBrackets = 5
	modifierOfName      = 6
)

// pathMapping reads a pattern of path-to-regexp, as vercel.json and firebase.json have it, and the
// destination that its parts fill. isRead is false if the source has what we do not understand, or
// does not begin with a slash; the mapping's To is right all the same. "/a/:id/:rest*" to
// "/b/:rest*?id=:id" is
//
//	From  "/a/", id [^/]+?, "/", rest [^/]+?(?:/[^/]+?)* (Optional)
//	To    "/b/", rest
//
// https://github.com/pillarjs/path-to-regexp/blob/v6.1.0/Readme.md
func pathMapping(source, to string) (m address.Mapping, isRead bool) {
	p := patternReader{isRead: strings.HasPrefix(source, "/")}
	end := 0 // of the token before
	for _, span := range token.FindAllStringSubmatchIndex(source, -1) {
		p.text += source[end:span[0]]
		p.addToken(tokenMatch{source, span})
		end = span[1]
	}
	p.text += source[end:]
	p.setDestination(to)
	p.decodeTexts()
	return p.mapping, p.isRead
}

// addToken adds a token of a source: to the text, or as a named part. If we do not read it, it
// notes that alone.
func (p *patternReader) addToken(t tokenMatch) {
	switch {
	case t.has(escapedChar):
		p.text += t.text(escapedChar)
	case t.has(inBrackets): // any modifier behind them is one that we do not read
		p.isRead = p.isRead && t.text(modifierOfBrackets) == ""
		p.addPart(t.text(nameOfBrackets), groupExpressions[t.text(inBrackets)], isRequired)
	case t.has(nameWithoutBrackets):
		modifier := t.text(modifierOfName)
		// A repeated part takes the slash before it into each repetition: we read no other.
		p.isRead = p.isRead && (modifier != "+" || strings.HasSuffix(p.text, "/"))
		n := isOptional
		if modifier == "" || modifier == "+" {
			n = isRequired
		}
		p.addPart(t.text(nameWithoutBrackets), nameExpressions[modifier], n)
	default:
		p.isRead = false
	}
}

// A tokenMatch is where token matches in a source: group n in span[2n:2n+2].
type tokenMatch struct {
	source string
	span   []int
}

// has reports whether a group matched something, perhaps an empty text.
func (t tokenMatch) has(group int) bool { return t.span[2*group] >= 0 }

// text is what a group matched; "" if it matched nothing.
func (t tokenMatch) text(group int) string {
	if !t.has(group) {
		return ""
	}
	return t.source[t.span[2*group]:t.span[2*group+1]]
}

// A need says whether a named part has to be there.
type need bool

const (
	isRequired need = true
	isOptional need = false
)

// groupExpressions are the expressions in brackets that we read, by how they are written; any other
// is "". nameExpressions are those of names, by their modifier. A name matches as little as it can.
var (
	groupExpressions = map[string]string{".*": address.Rest, ".+": address.Some,
		"[^/]+": address.Segment, "[^/]*": `[^/]*`}
	nameExpressions = map[string]string{"": `[^/]+?`, "?": `[^/]+?`, "*": `[^/]+?(?:/[^/]+?)*`,
		"+": `[^/]+?(?:/[^/]+?)*`}
)

// plainPath is a text that is spelled in one way alone.
var plainPath = lazyregexp.New(`^[-\w./~]*$`)

// decodeTexts sets DecodesPath for a source that can be spelled in several ways, and decodes its
// texts.
func (p *patternReader) decodeTexts() {
	isPlain := func(part address.Part) bool { return plainPath.MatchString(part.Text) }
	for i := range p.mapping.From {
		p.mapping.DecodesPath = p.mapping.DecodesPath || !isPlain(p.mapping.From[i])
	}
	for i := range p.mapping.From {
		if from := &p.mapping.From[i]; p.mapping.DecodesPath {
			from.Text = policy.Decoded(from.Text)
		}
	}
}

// expressionToken is a part of a regular expression: an escaped character, a group that we read in
// whole, or a character that we do not read.
var expressionToken = lazyregexp.New(
	`\\([^\w])|\((?:\?<(\w+)>)?(\.\*|\.\+|\[\^/\]\+|\[\^/\]\*)\)|[\\^$*+?()[\]{}|]`)

// expressionMapping reads a regular expression of texts and groups, as "routes" of vercel.json have
// it, and the destination that these fill. read is false if the expression has anything else, or
// does not begin with a slash.
func expressionMapping(source, to string) (m address.Mapping, read bool) {
	source = strings.TrimSuffix(strings.TrimPrefix(source, "^"), "$")
	p, at := patternReader{isRead: strings.HasPrefix(source, "/")}, 0
	for _, span := range expressionToken.FindAllStringSubmatchIndex(source, -1) {
		p.text += source[at:span[0]]
		at = span[1]
		switch isEscaped, isGroup := span[2] >= 0, span[6] >= 0; {
		case isEscaped:
			p.text += source[span[2]:span[3]]
		case isGroup:
			name := ""
			if span[4] >= 0 {
				name = source[span[4]:span[5]]
			}
			p.addPart(name, groupExpressions[source[span[6]:span[7]]], isRequired)
		default:
			p.isRead = false
		}
	}
	p.text += source[at:]
	p.setDestination(to)
	return p.mapping, p.isRead
}
