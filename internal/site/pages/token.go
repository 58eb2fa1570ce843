package pages

import (
	"regexp"
	"strconv"
	"strings"
)

// A program is a configuration written in JavaScript, TypeScript or Python, as its tokens. It is never run: literal
// values are read out of it, and of anything else it is known that it is computed.
type program []token

// A token is a word, a mark or a literal text.
type token struct {
	kind  tokenKind
	text  string // of a text what it says; of one with values in it, with ${ before them
	depth int    // how many brackets it stands in; a bracket stands outside of itself
	line  int    // from 1
}

type tokenKind uint8

const (
	mark tokenKind = iota
	word
	text
	template // a text with values in it, a regular expression
)

// readScript reads JavaScript or TypeScript.
func readScript(data []byte) program { return tokens(string(data), false) }

// readPython reads Python.
func readPython(data []byte) program { return tokens(string(data), true) }

// What a program is made of. What nothing closes ends with its line, or with the program.
const (
	lexWord  = `[\pL_$][\pL_$0-9]*|[0-9][\pL_$0-9.]*`
	lexLine  = `"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?`
	lexShort = `(?s)^(?:(//[^\n]*|/\*.*?(?:\*/|\z))|(` + lexLine + "|`(?:[^`\\\\]|\\\\.)*`?" + `)|(` + lexWord + `)|.)`
	lexLong  = `(?s)^(?:(#[^\n]*)|([rRbBuUfF]{0,2}(?:"{3}(?:[^\\]|\\.)*?(?:"{3}|\z)|'{3}(?:[^\\]|\\.)*?(?:'{3}|\z)|` +
		lexLine + `))|(` + lexWord + `)|.)`
)

var (
	lexScript = regexp.MustCompile(lexShort)
	lexPython = regexp.MustCompile(lexLong)
	// lexRegexp is a regular expression of JavaScript.
	lexRegexp = regexp.MustCompile(`^/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\]?)*/?`)
)

// tokens splits source into tokens. It never fails: what it does not know is a mark.
func tokens(source string, python bool) (p program) {
	lexer := lexScript
	if python {
		lexer = lexPython
	}
	depth, line := 0, 1
	for source != "" {
		m := lexer.FindStringSubmatch(source)
		t := token{mark, m[0], depth, line}
		switch {
		case m[1] != "":
			t.text = ""
		case m[2] != "":
			t.kind, t.text = unquoted(m[2], python)
		case m[3] != "":
			t.kind = word
		case t.text == "/" && !python && startsRegexp(p):
			m[0], t.kind, t.text = lexRegexp.FindString(source), template, ""
		case strings.Contains("([{", t.text):
			depth++
		case strings.Contains(")]}", t.text):
			depth = max(0, depth-1)
			t.depth = depth
		case t.text != "\n":
			t.text = strings.TrimSpace(t.text)
		}
		if t.text != "" || t.kind != mark {
			p = append(p, t)
		}
		line += strings.Count(m[0], "\n")
		source = source[len(m[0]):]
	}
	return p
}

// startsRegexp reports whether a slash after these tokens begins a regular expression: it does not divide where no
// value stands before it.
func startsRegexp(p program) bool {
	for i := len(p) - 1; i >= 0; i-- {
		if !p.is(i, "\n") {
			return p[i].kind == mark && !strings.Contains(")]}", p[i].text) || p[i].kind == word &&
				p[i].text == "return"
		}
	}
	return true
}

// unquoted reads a text in quotes: it is computed where values are put into it or nothing closes it.
func unquoted(s string, python bool) (tokenKind, string) {
	at := strings.IndexAny(s, "\"'`")
	prefix, quote := strings.ToLower(s[:at]), s[at:at+1]
	if triple := strings.Repeat(quote, 3); python && strings.HasPrefix(s[at:], triple) {
		quote = triple
	}
	s = s[at+len(quote):]
	body, closed := strings.CutSuffix(s, quote)
	switch {
	case !closed || strings.Contains(prefix, "f"):
		return template, ""
	case strings.Contains(prefix, "r"):
		return text, body
	}
	body = escaped.ReplaceAllStringFunc(body, escape)
	if quote == "`" && strings.Contains(body, "${") {
		return template, body
	}
	return text, body
}

var escaped = regexp.MustCompile(`(?s)\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)`)

// escape reads an escape, as JavaScript and Python have it.
func escape(s string) string {
	if r, err := strconv.ParseUint(s[2:], 16, 32); err == nil && len(s) > 3 {
		return string(rune(r))
	}
	switch s = s[1:]; s {
	case "n":
		return "\n"
	case "t":
		return "\t"
	case "\n":
		return ""
	}
	return s
}

// is reports whether token i is a mark.
func (p program) is(i int, text string) bool {
	return i >= 0 && i < len(p) && p[i].kind == mark && p[i].text == text
}

// next is the token at or after i that is no line's end.
func (p program) next(i int) int {
	for p.is(i, "\n") {
		i++
	}
	return i
}
