package servers

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"metarobots/internal/lazyregexp"
)

// A sourceReader makes a regular expression of a source of Vercel's, as path-to-regexp 6.1 does for
// it: the case of letters counts, a slash at the end is no option, and a parameter has no slash.
//
//	/:path*.pdf          ^(?:/([^/]+?(?:/[^/]+?)*))?\.pdf$
//	/(.*)\.(js|css)      ^(?:/(.*))\.(js|css)$
//	/{:lang/}?about      ^/(?:([^/]+?)/)?about$
//
// https://github.com/pillarjs/path-to-regexp/blob/v6.1.0/src/index.ts
type sourceReader struct {
	rest string
	out  strings.Builder
	// text is plain text that is not written yet: it ends where a group begins.
	text string
}

// sourceExpression returns the expression for what a source matches. isRead is false if Vercel
// refuses the source, or if it holds an expression that Go's do not say, such as one that looks
// ahead. Nor is one read that no request can match, since its owner means something: without a slash
// at its beginning, or with a character that requests encode.
func sourceExpression(source string) (expression string, isRead bool) {
	isEncoded := func(c rune) bool { return c <= ' ' || c >= utf8.RuneSelf } // in a request
	if !beginsAsPath.MatchString(source) || strings.ContainsFunc(source, isEncoded) {
		return "", false
	}
	r := sourceReader{rest: source}
	for r.rest != "" {
		if !r.readPart() {
			return "", false
		}
	}
	r.writeText()
	expression = "^" + r.out.String() + "$"
	_, err := regexp.Compile(expression)
	return expression, err == nil
}

// beginsAsPath finds the beginning of a source that a request can match.
var beginsAsPath = lazyregexp.New(`^(?:/|\{/|\(/|:\w+\(/)`)

// readPart reads a character or a group. It returns false if no source has what is there.
func (r *sourceReader) readPart() bool {
	if strings.HasPrefix(r.rest, "{") {
		return r.readBraces()
	}
	character := r.takePlain()
	group, ok := r.takeGroup()
	switch {
	case !ok:
		return false
	case group == "" && character == "":
		return r.takeEscaped()
	case group == "":
		r.text += character
		return true
	}
	prefix := character
	if prefix != "/" && prefix != "." {
		r.text += prefix
		prefix = ""
	}
	r.writeText()
	const suffix = ""
	r.writeGroup(prefix, group, suffix, r.takeModifier())
	return true
}

// readBraces reads a group with a prefix and a suffix of its own: {/:lang}?, {-:part}*.
func (r *sourceReader) readBraces() bool {
	r.writeText()
	r.rest = r.rest[len("{"):]
	prefix := r.takeTexts()
	group, ok := r.takeGroup()
	suffix := r.takeTexts()
	if !ok || !strings.HasPrefix(r.rest, "}") {
		return false
	}
	r.rest = r.rest[len("}"):]
	r.writeGroup(prefix, group, suffix, r.takeModifier())
	return true
}

// writeText writes the plain text that was read.
func (r *sourceReader) writeText() {
	r.out.WriteString(regexp.QuoteMeta(r.text))
	r.text = ""
}

// writeGroup writes a group; "" is none, so that its prefix and its suffix are one text.
func (r *sourceReader) writeGroup(prefix, group, suffix, modifier string) {
	prefix, suffix = regexp.QuoteMeta(prefix), regexp.QuoteMeta(suffix)
	isRepeated := modifier == "*" || modifier == "+"
	switch {
	case group == "":
		r.out.WriteString("(?:" + prefix + suffix + ")" + modifier)
	case prefix+suffix == "":
		r.out.WriteString("(" + group + ")" + modifier)
	case isRepeated: // what is between two of them is the suffix of one and the prefix of the next
		again := "(?:" + suffix + prefix + "(?:" + group + "))*"
		r.out.WriteString("(?:" + prefix + "((?:" + group + ")" + again + ")" + suffix + ")")
		if modifier == "*" {
			r.out.WriteString("?")
		}
	default:
		r.out.WriteString("(?:" + prefix + "(" + group + ")" + suffix + ")" + modifier)
	}
}

// takePlain takes one character that has no meaning of its own; "" if there is none.
func (r *sourceReader) takePlain() string {
	if r.rest == "" || strings.IndexByte(`*+?{}():\`, r.rest[0]) >= 0 {
		return ""
	}
	return r.take(1)
}

// takeTexts takes plain and escaped characters.
func (r *sourceReader) takeTexts() (text string) {
	for {
		if plain := r.takePlain(); plain != "" {
			text += plain
		} else if len(r.rest) > 1 && r.rest[0] == '\\' {
			text += r.take(2)[1:]
		} else {
			return text
		}
	}
}

// takeEscaped takes a character behind a backslash.
func (r *sourceReader) takeEscaped() bool {
	if len(r.rest) < 2 || r.rest[0] != '\\' {
		return false
	}
	r.text += r.take(2)[1:]
	return true
}

// takeGroup takes the expression of a group: ":name", "(expression)" or both. "" is none; ok is
// false if Vercel or Go refuses it.
func (r *sourceReader) takeGroup() (group string, ok bool) {
	isNamed := strings.HasPrefix(r.rest, ":")
	if isNamed {
		afterName := strings.TrimLeftFunc(r.rest[1:], isWord)
		if len(afterName) == len(r.rest)-1 {
			return "", false
		}
		r.rest = afterName
	}
	if !strings.HasPrefix(r.rest, "(") {
		if isNamed {
			group = "[^/]+?"
		}
		return group, true
	}
	length := groupLength(r.rest)
	if length == 0 {
		return "", false
	}
	written := r.take(length)
	group = written[1 : length-1]
	return group, group != "" && group[0] != '?' && !meansAnotherInGo.MatchString(group)
}

// groupLength is how many bytes a group in brackets has; 0 if it has no end, or holds a group that
// would be counted, which path-to-regexp refuses.
func groupLength(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '(':
			if depth++; depth > 1 && !strings.HasPrefix(text[i+1:], "?") {
				return 0
			}
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// meansAnotherInGo finds what Go reads in an expression, and reads otherwise than JavaScript.
var meansAnotherInGo = lazyregexp.New(`\\[^dDwWsSbB\W_]|\[:|\[\^?\]|\(\?[^:!=<]`)

// takeModifier takes what says how often a group comes; "" for once.
func (r *sourceReader) takeModifier() string {
	if r.rest != "" && strings.IndexByte("*+?", r.rest[0]) >= 0 {
		return r.take(1)
	}
	return ""
}

// take takes so many bytes.
func (r *sourceReader) take(length int) (taken string) {
	taken, r.rest = r.rest[:length], r.rest[length:]
	return taken
}
