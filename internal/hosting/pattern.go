package hosting

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"metarobots/internal/address"
	"metarobots/policy"
)

// patternReader makes a mapping of a source, token by token.
type patternReader struct {
	mapping address.Mapping
	text    string   // since the last named part
	names   []string // of the named parts
	// read says that the source has nothing that is not read.
	read bool
}

// part adds a named part. A part without a name is named by its number.
func (p *patternReader) part(name, matches string, optional bool) {
	if name == "" {
		name = strconv.Itoa(len(p.names) + 1)
	}
	p.read = p.read && matches != "" && (!optional || strings.HasSuffix(p.text, "/"))
	p.mapping.From = append(p.mapping.From, address.Part{Text: p.text},
		address.Part{Name: name, Matches: matches, Optional: optional})
	p.text, p.names = "", append(p.names, name)
}

// end ends the source, and takes a destination apart at its names. A query says nothing of the
// file.
func (p *patternReader) end(to string) {
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
var reference = regexp.MustCompile(`:\w+[*+?]?|\$\w+`)

// token is a part of a pattern of path-to-regexp 6.1: an escaped character; a group in brackets,
// which may have a name and a modifier; a name, which may have a modifier; or a character that we
// do not read.
var token = regexp.MustCompile(`\\(.)|(?::(\w+))?\(((?:\\.|[^()\\])*)\)([*+?]?)|:(\w+)([*+?]?)|[{}*+?()]`)

// pathMapping reads a pattern of path-to-regexp, and the destination that its parts fill. read is
// false if the source has what is not read; the destination is read all the same.
// https://github.com/pillarjs/path-to-regexp/blob/v6.1.0/Readme.md
func pathMapping(source, to string) (m address.Mapping, read bool) {
	p, at := patternReader{read: strings.HasPrefix(source, "/")}, 0
	for _, span := range token.FindAllStringSubmatchIndex(source, -1) {
		group := func(i int) string {
			if span[2*i] < 0 {
				return ""
			}
			return source[span[2*i]:span[2*i+1]]
		}
		p.text += source[at:span[0]]
		at = span[1]
		switch escaped, inBrackets, name := group(1), span[6] >= 0, group(5); {
		case escaped != "":
			p.text += escaped
		case inBrackets:
			p.read = p.read && group(4) == ""
			p.part(group(2), groups[group(3)], false)
		case name != "":
			behind := group(6)
			p.read = p.read && (behind != "+" || strings.HasSuffix(p.text, "/"))
			p.part(name, repeated[behind], behind == "*" || behind == "?")
		default:
			p.read = false
		}
	}
	p.text += source[at:]
	p.end(to)
	p.decode()
	return p.mapping, p.read
}

// groups are the expressions in brackets that we read. repeated are the expressions of names, by
// their modifier. A name matches as little as it can.
var (
	groups = map[string]string{".*": address.Rest, ".+": address.Some, "[^/]+": address.Segment,
		"[^/]*": `[^/]*`}
	repeated = map[string]string{"": `[^/]+?`, "?": `[^/]+?`, "*": `[^/]+?(?:/[^/]+?)*`,
		"+": `[^/]+?(?:/[^/]+?)*`}
)

// plainPath is a text that is spelled in one way alone.
var plainPath = regexp.MustCompile(`^[-\w./~]*$`)

// decode decodes a source that can be spelled in several ways.
func (p *patternReader) decode() {
	isPlain := func(part address.Part) bool { return plainPath.MatchString(part.Text) }
	for i := range p.mapping.From {
		p.mapping.Decodes = p.mapping.Decodes || !isPlain(p.mapping.From[i])
	}
	for i := range p.mapping.From {
		if from := &p.mapping.From[i]; p.mapping.Decodes {
			from.Text = policy.Decoded(from.Text)
		}
	}
}

// expressionToken is a part of a regular expression: an escaped character, a group that we read in
// whole, or a character that we do not read.
var expressionToken = regexp.MustCompile(
	`\\([^\w])|\((?:\?<(\w+)>)?(\.\*|\.\+|\[\^/\]\+|\[\^/\]\*)\)|[\\^$*+?()[\]{}|]`)

// expressionMapping reads a regular expression of texts and groups, and the destination that these
// fill. read is false if the expression has anything else.
func expressionMapping(source, to string) (m address.Mapping, read bool) {
	source = strings.TrimSuffix(strings.TrimPrefix(source, "^"), "$")
	p, at := patternReader{read: strings.HasPrefix(source, "/")}, 0
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
			p.part(name, groups[source[span[6]:span[7]]], false)
		default:
			p.read = false
		}
	}
	p.text += source[at:]
	p.end(to)
	return p.mapping, p.read
}
