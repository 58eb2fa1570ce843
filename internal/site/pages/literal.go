package pages

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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
	computed // a text with values in it, a regular expression
)

// A state says what is known of a value.
type state uint8

const (
	absent state = iota
	literal
	unread // it is computed
)

// readScript reads JavaScript or TypeScript.
func readScript(data []byte) program { return tokens(string(data), false) }

// readPython reads Python.
func readPython(data []byte) program { return tokens(string(data), true) }

// tokens splits source into tokens. It never fails: what it does not know is a mark.
func tokens(source string, python bool) program {
	var p program
	depth, line, counted := 0, 1, 0
	add := func(kind tokenKind, s string) { p = append(p, token{kind, s, depth, line}) }
	for i := 0; i < len(source); {
		line += strings.Count(source[counted:i], "\n")
		counted = i
		c := source[i]
		rest := source[i:]
		switch {
		case python && c == '#', !python && strings.HasPrefix(rest, "//"):
			i += index(rest, "\n")
		case !python && strings.HasPrefix(rest, "/*"):
			i += 2
			if end := strings.Index(source[i:], "*/"); end >= 0 {
				i += end + 2
			} else {
				i = len(source)
			}
		case c == '"' || c == '\'' || c == '`' && !python:
			n, s, ok := quoted(rest, python, false)
			kind := text
			if !ok {
				kind = computed
			}
			add(kind, s)
			i += n
		case c == '/' && !python && startsRegexp(p):
			add(computed, "")
			i += regexpEnd(rest)
		case isWord(rest):
			n := 0
			for n < len(rest) && (isWord(rest[n:]) || '0' <= rest[n] && rest[n] <= '9') {
				_, size := utf8.DecodeRuneInString(rest[n:])
				n += size
			}
			if prefix := strings.ToLower(rest[:n]); python && n < len(rest) && (rest[n] == '"' || rest[n] == '\'') && strings.Trim(prefix, "rbuf") == "" && n <= 2 {
				size, s, ok := quoted(rest[n:], true, strings.Contains(prefix, "r"))
				if !ok || strings.Contains(prefix, "f") {
					add(computed, "")
				} else {
					add(text, s)
				}
				i += n + size
				continue
			}
			add(word, rest[:n])
			i += n
		case '0' <= c && c <= '9':
			n := 1
			for n < len(rest) && (isWord(rest[n:]) || strings.IndexByte("0123456789.", rest[n]) >= 0) {
				n++
			}
			add(word, rest[:n])
			i += n
		case strings.IndexByte("([{", c) >= 0:
			add(mark, string(c))
			depth++
			i++
		case strings.IndexByte(")]}", c) >= 0:
			depth = max(0, depth-1)
			add(mark, string(c))
			i++
		default:
			_, size := utf8.DecodeRuneInString(rest)
			if c == '\n' {
				add(mark, "\n")
			} else if s := rest[:size]; strings.TrimSpace(s) != "" {
				add(mark, s)
			}
			i += size
		}
	}
	return p
}

// index is [strings.Index], the length of s where it is not there.
func index(s, sub string) int {
	if i := strings.Index(s, sub); i >= 0 {
		return i
	}
	return len(s)
}

func isWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r == '_' || r == '$' || r != utf8.RuneError && unicode.IsLetter(r)
}

// startsRegexp reports whether a slash after these tokens begins a regular expression: it does not divide where no value
// stands before it.
func startsRegexp(p program) bool {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i].text == "\n" && p[i].kind == mark {
			continue
		}
		return p[i].kind == mark && p[i].text != ")" && p[i].text != "]" && p[i].text != "}" || p[i].kind == word && p[i].text == "return"
	}
	return true
}

// regexpEnd is where the regular expression that s begins with ends; a line's end ends it too.
func regexpEnd(s string) int {
	class := false
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '\n':
			return i
		case '/':
			if !class {
				return i + 1
			}
		}
	}
	return len(s)
}

// quoted reads the text in quotes that s begins with. It is not ok where values are put into it or nothing closes it.
func quoted(s string, python, raw bool) (n int, value string, ok bool) {
	quote := s[:1]
	if triple := strings.Repeat(quote, 3); python && strings.HasPrefix(s, triple) {
		quote = triple
	}
	var b strings.Builder
	ok = true
	for i := len(quote); i < len(s); {
		switch {
		case strings.HasPrefix(s[i:], quote):
			return i + len(quote), b.String(), ok
		case s[i] == '\\' && i+1 < len(s):
			if raw {
				b.WriteString(s[i : i+2])
				i += 2
				continue
			}
			size, r := escape(s[i:])
			b.WriteString(r)
			i += size
		case s[i] == '\n' && quote != "`" && len(quote) == 1:
			return i, "", false
		case quote == "`" && strings.HasPrefix(s[i:], "${"):
			ok = false
			b.WriteString("${")
			i += 2
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return len(s), "", false
}

// escape reads the escape that s begins with, as JavaScript and Python have it.
func escape(s string) (n int, value string) {
	digits := map[byte]int{'x': 2, 'u': 4}[s[1]]
	if digits > 0 && len(s) >= 2+digits {
		if r, err := strconv.ParseUint(s[2:2+digits], 16, 32); err == nil {
			return 2 + digits, string(rune(r))
		}
	}
	switch s[1] {
	case 'n':
		return 2, "\n"
	case 't':
		return 2, "\t"
	case '\n':
		return 2, ""
	}
	_, size := utf8.DecodeRuneInString(s[1:])
	return 1 + size, s[1 : 1+size]
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

// find returns the place of the value of a key, "key: value" or "key = value": of several the one that stands in the
// fewest brackets, and of those the first. It is 0 where there is none.
func (p program) find(key string) (at int) {
	found := -1
	for i, t := range p {
		if t.kind == mark || t.kind == computed || t.text != key || found >= 0 && t.depth >= found {
			continue
		}
		if p.is(i-1, ".") || p.is(i-1, "?") { // a field of something else, a choice
			continue
		}
		j := p.next(i + 1)
		if p.is(j, ":") || p.is(j, "=") && !p.is(j+1, "=") && !p.is(j+1, ">") {
			if j = p.next(j + 1); j < len(p) {
				at, found = j, t.depth
			}
		}
	}
	return at
}

// ends reports whether a value ends before token i: what follows it does not change it.
func (p program) ends(i int) bool {
	if i >= len(p) || p.is(i, "\n") || p[i].kind == word {
		if i = p.next(i); i >= len(p) {
			return true
		}
	}
	if p[i].kind == word {
		return p[i].text != "if" && p[i].text != "in"
	}
	return p[i].kind == text || p[i].kind == mark && strings.Contains(",;)]}", p[i].text)
}

// text returns the text that a key has. In Python texts that stand side by side are one, and brackets may be around it.
func (p program) text(key string) (string, state) {
	at := p.find(key)
	if at == 0 {
		return "", absent
	}
	if none := p[at]; none.kind == word && p.ends(at+1) && (none.text == "None" || none.text == "undefined" || none.text == "null") {
		return "", absent
	}
	if inner := p.inside(at); p.is(at, "(") && len(inner) > 0 {
		s, end, ok := inner.joined(inner.next(0))
		if ok && inner.next(end) >= len(inner) && p.ends(at+len(inner)+2) {
			return s, literal
		}
		return "", unread
	}
	if s, end, ok := p.joined(at); ok && p.ends(end) {
		return s, literal
	}
	return "", unread
}

// joined returns the text that stands at token i, with those that follow it side by side, and where it ends.
func (p program) joined(i int) (s string, end int, ok bool) {
	for end = i; end < len(p) && p[end].kind == text; ok = true {
		s += p[end].text
		end++
		if inside := p[end-1].depth > 0; inside && end < len(p) && p.is(end, "\n") && p.next(end) < len(p) && p[p.next(end)].kind == text {
			end = p.next(end)
		}
	}
	return s, end, ok
}

// boolean returns the truth value that a key has.
func (p program) boolean(key string) (bool, state) {
	at := p.find(key)
	if at == 0 {
		return false, absent
	}
	if p[at].kind == word && p.ends(at+1) {
		switch strings.ToLower(p[at].text) {
		case "true":
			return true, literal
		case "false", "none", "undefined", "null":
			return false, literal
		}
	}
	return false, unread
}

// block returns what stands in the brackets that are the value of a key, or the first brackets of a call there; nil
// where there are none.
func (p program) block(key string) program {
	at := p.find(key)
	if at == 0 {
		return nil
	}
	for p[at].kind == word && at+1 < len(p) && (p.is(at+1, "(") || p.is(at+1, ".")) {
		at++
		if p.is(at, ".") {
			at = min(at+1, len(p)-1)
		}
	}
	return p.inside(at)
}

// inside returns what stands in the brackets that token i opens.
func (p program) inside(i int) program {
	if !p.is(i, "{") && !p.is(i, "[") && !p.is(i, "(") {
		return nil
	}
	end := i + 1
	for end < len(p) && p[end].depth > p[i].depth {
		end++
	}
	return p[i+1 : end]
}

// list returns the texts of a list, whose every element has to be one; a text alone is a list of it.
func (p program) list(key string) ([]string, state) {
	at := p.find(key)
	if at == 0 {
		return nil, absent
	}
	if s, known := p.text(key); known == literal {
		return []string{s}, literal
	}
	if !p.is(at, "[") && !p.is(at, "(") {
		return nil, unread
	}
	block := p.inside(at)
	var list []string
	for i := block.next(0); i < len(block); i = block.next(i) {
		s, end, ok := block.joined(i)
		if end = block.next(end); !ok || end < len(block) && !block.is(end, ",") {
			return list, unread
		}
		list = append(list, s)
		i = end + 1
	}
	return list, literal
}

// entries yields the keys of an object and the places of their values.
func (p program) entries(yield func(key string, at int) bool) {
	if len(p) == 0 {
		return
	}
	depth := p[0].depth
	for i, t := range p {
		depth = min(depth, t.depth)
		if (t.kind == word || t.kind == text) && t.depth == depth && p.is(p.next(i+1), ":") {
			if at := p.next(p.next(i+1) + 1); at < len(p) && !yield(t.text, at) {
				return
			}
		}
	}
}

// shallow is an object without what stands in brackets in it: its own keys, and not those of objects that are their values.
func (p program) shallow() (own program) {
	depth := math.MaxInt
	for _, t := range p {
		depth = min(depth, t.depth)
	}
	for _, t := range p {
		if t.depth == depth {
			own = append(own, t)
		}
	}
	return own
}

// spreadsName reports whether a name is spread somewhere: ...name.
func (p program) spreadsName(name string) bool {
	for i := range p {
		if i+3 < len(p) && p.is(i, ".") && p.is(i+1, ".") && p.is(i+2, ".") && p[i+3].kind == word && p[i+3].text == name {
			return true
		}
	}
	return false
}

// without is a program without the values of some keys.
func (p program) without(keys ...string) (rest program) {
	for i := 0; i < len(p); i++ {
		t := p[i]
		rest = append(rest, t)
		if t.kind != word && t.kind != text || !slices.Contains(keys, t.text) || !p.is(p.next(i+1), ":") {
			continue
		}
		for i = p.next(i + 1); i+1 < len(p) && p[i+1].depth >= t.depth && !(p.is(i+1, ",") && p[i+1].depth == t.depth); i++ {
		}
	}
	return rest
}

// value returns what a key is, where all of it is literal: a text, a truth value, a list of texts or an object of these.
func (p program) value(key string) (any, state) {
	at := p.find(key)
	if at == 0 {
		return nil, absent
	}
	if s, known := p.text(key); known != unread {
		return s, known
	}
	if on, known := p.boolean(key); known == literal {
		return on, literal
	}
	if list, known := p.list(key); known == literal {
		all := make([]any, len(list))
		for i, s := range list {
			all[i] = s
		}
		return all, literal
	}
	if !p.is(at, "{") {
		return nil, unread
	}
	block := p.inside(at)
	m := map[string]any{}
	for name := range block.entries {
		value, known := block.value(name)
		if known != literal {
			return nil, unread
		}
		m[name] = value
	}
	return m, literal
}

// calls returns the first arguments of calls of a function that are literal texts.
func (p program) calls(function string) (arguments []string) {
	for i, t := range p {
		if t.kind == word && t.text == function && p.is(i+1, "(") {
			if j := p.next(i + 2); j < len(p) && p[j].kind == text {
				arguments = append(arguments, p[j].text)
			}
		}
	}
	return arguments
}

// A call of a function. arguments are the places where they begin.
type call struct {
	program
	arguments []int
}

// called are the calls of a function.
func (p program) called(function string) (all []call) {
	for i, t := range p {
		if t.kind != word || t.text != function || !p.is(i+1, "(") {
			continue
		}
		c := call{program: p}
		end := i + 2 + len(p.inside(i+1))
		for j := p.next(i + 2); j < end; j = p.next(j + 1) {
			c.arguments = append(c.arguments, j)
			for j < end && !(p.is(j, ",") && p[j].depth == p[i].depth+1) {
				j++
			}
		}
		all = append(all, c)
	}
	return all
}

// text returns an argument that is a literal text; empty for another.
func (c call) text(n int) string {
	if n >= len(c.arguments) || c.program[c.arguments[n]].kind != text || !c.ends(c.arguments[n]+1) {
		return ""
	}
	return c.program[c.arguments[n]].text
}
