package pages

import (
	"slices"
	"strconv"
	"strings"
)

// A program is a configuration written in JavaScript, TypeScript or Python. It is never run. Literal values that follow
// a name, key: value or key = value, are read as YAML's are. Every other value is [computed].
type program struct {
	tokens
	values map[string]any
	lines  map[string]int // of the values, by their paths in lower case
}

// computed stands for a value that is known only when a program runs, or that a tag of YAML makes.
const computed = "\x00computed"

// A token is a word, a mark or a literal text.
type token struct {
	kind  tokenKind
	text  string // of a text its content
	line  int    // from 1
	first bool   // of its line
	depth int    // the number of brackets around it
	size  int    // of a bracket that opens the number of tokens up to the one that closes it, both counted; else 1
}

type tokens []token

type tokenKind uint8

const (
	mark tokenKind = iota
	word
	text
)

// lexer finds a comment or blanks, a text in quotes, a word or a number, or one other character. In Python a text may
// have three quotes, and an r before them.
var lexer = lazy(`(?s)^(?:(\s+|//[^\n]*|/\*.*?\*/|#[^\n]*)|` +
	`([rR]?(?:"{3}.*?"{3}|'{3}.*?'{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|` + "`(?:[^`\\\\]|\\\\.)*`" + `))|` +
	`([\pL_$][\pL_$0-9]*|[0-9][0-9.]*)|.)`)

// lex splits a program into tokens. It never fails: an unknown character is a mark.
func lex(source string) (all tokens) {
	var open []int
	line, first := 1, true
	for source != "" {
		m := lexer().FindStringSubmatch(source)
		t := token{mark, m[0], line, first, len(open), 1}
		switch {
		case m[2] != "":
			t.kind, t.text = unquoted(m[2])
		case m[3] != "":
			t.kind = word
		case strings.Contains("([{", t.text):
			open = append(open, len(all))
		case strings.Contains(")]}", t.text) && len(open) > 0:
			at := open[len(open)-1]
			open = open[:len(open)-1]
			t.depth, all[at].size = len(open), len(all)+1-at
		}
		if first = first && m[1] != "" || strings.Contains(m[1], "\n"); m[1] == "" {
			all = append(all, t)
		}
		line += strings.Count(m[0], "\n")
		source = source[len(m[0]):]
	}
	for _, at := range open {
		all[at].size = len(all) - at
	}
	return all
}

// unquoted reads a text in quotes. One with values or escapes in it is a mark, with which no literal begins.
func unquoted(s string) (tokenKind, string) {
	raw := strings.TrimLeft(s, "rR")
	body := raw[1 : len(raw)-1]
	if quotes := strings.Repeat(raw[:1], 3); len(raw) >= 6 && strings.HasPrefix(raw, quotes) {
		body = raw[3 : len(raw)-3]
	}
	if len(raw) == len(s) && strings.Contains(body, `\`) || raw[0] == '`' && strings.Contains(body, "${") {
		return mark, "`"
	}
	return text, body
}

// is reports whether token i is one of these marks.
func (t tokens) is(i int, marks string) bool {
	return i >= 0 && i < len(t) && t[i].kind == mark && strings.Contains(marks, t[i].text)
}

// spread reports whether token i is spread into something: ...shared.
func (t tokens) spread(i int) bool { return t.is(i-1, ".") && t.is(i-2, ".") && t.is(i-3, ".") }

// expression is that at the beginning of t. A mark ends it that divides or closes, or a line that begins with a word,
// outside of brackets also with a text.
func (t tokens) expression() tokens {
	for i := 0; i < len(t); i += t[i].size {
		if t.is(i, ",;)]}") || i > 0 && t[i].first && (t[i].kind == word || t[i].kind == text && t[i].depth == 0) {
			return t[:i]
		}
	}
	return t
}

// assigned begins with the value that token i names: key: value, key = value, of.key = value; nil if it names none.
func (t tokens) assigned(i int) tokens {
	if t[i].kind != mark && !t.is(i-1, "?") && i+2 < len(t) && // a choice
		(t.is(i+1, ":") && !t.is(i-1, ".") || t.is(i+1, "=") && !t.is(i+2, "=>")) {
		return t[i+2:]
	}
	return nil
}

// read reads assignments, and the keys of objects that are no key's value themselves. Of several values of one name the
// one in the fewest brackets counts, and of those the first.
func (t tokens) read() program {
	p := program{tokens: t, values: map[string]any{}, lines: map[string]int{}}
	depths := map[string]int{}
	for i := 0; i < len(t); i++ {
		name, value := t[i].text, t.assigned(i)
		switch {
		case t.spread(i):
			p.values["..."+name] = computed
			continue
		case value == nil:
			continue
		}
		value = value.expression()
		if depth, known := depths[name]; !known || t[i].depth < depth {
			depths[name], p.values[name] = t[i].depth, p.value(value, name)
		}
		if t[i].depth > 0 && t.is(i+1, ":") {
			i += 1 + len(value) // what stands in it is its own
		}
	}
	return p
}

// object reads a program that is nothing but an object, or the export of one.
func (t tokens) object() (p program, ok bool) {
	p, around := program{tokens: t, lines: map[string]int{}}, ""
	for i := 0; i < len(t); i += t[i].size {
		if t.is(i, "{") && p.values == nil {
			p.values, _ = p.group(t[i:], "").(map[string]any)
		} else {
			around += t[i].text
		}
	}
	around = strings.TrimSuffix(around, ";")
	return p, p.values != nil && slices.Contains([]string{"", "exportdefault", "module.exports="}, around)
}

// mostNested is the number of brackets that a value may stand in.
const mostNested = 100

// value reads an expression; path is its place, for its line.
func (p *program) value(t tokens, path string) any {
	if len(t) == 0 || t[0].depth > mostNested {
		return computed
	}
	p.lines[strings.ToLower(path)] = t[0].line
	s, rest := t[0].text, t[t[0].size:]
	for ; t[0].kind == text && len(rest) > 0 && rest[0].kind == text; rest = rest[1:] { // in Python they are one
		s += rest[0].text
	}
	switch {
	case len(rest) > 0 && rest[0].text != "as" && rest[0].text != "satisfies":
		return computed
	case t[0].kind == text:
		return s
	case t.is(0, "([{"):
		return p.group(t, path)
	}
	if value, known := words[strings.ToLower(s)]; known {
		return value
	} else if number, err := strconv.ParseFloat(s, 64); err == nil && s[0] <= '9' {
		return number
	}
	return computed
}

// words are values that are one.
var words = map[string]any{"true": true, "false": false, "null": nil, "none": nil, "undefined": nil}

// group reads what stands in brackets. An entry of an object that is spread, or that a program names, has dots before
// its name.
func (p *program) group(t tokens, path string) any {
	list, object := []any{}, map[string]any{}
	for in := t[1:t[0].size]; len(in) > 0; {
		e := in.expression()
		in = in[max(1, len(e)):]
		switch {
		case len(e) == 0: // what divides, or closes
		case t[0].text != "{":
			list = append(list, p.value(e, path+"."+strconv.Itoa(len(list))))
		case e[0].kind != mark && e.is(1, ":"):
			if v := p.value(e[2:], strings.TrimPrefix(path+"."+e[0].text, ".")); v != nil {
				object[e[0].text] = v
			}
		default:
			object[e.name()] = computed
		}
	}
	switch {
	case t[0].text == "{":
		return object
	case t[0].text == "(" && len(list) == 1: // brackets alone make no list
		return list[0]
	}
	return list
}

// name is that of an entry without a value of its own: a variable, a method, ...spread, [computed].
func (t tokens) name() (name string) {
	for i, of := range t {
		if t.is(i, "(:") || of.kind == mark && t[0].kind != mark {
			break
		} else if of.kind != mark {
			name = of.text
		}
	}
	if t[0].kind == mark {
		return "..." + name
	}
	return name
}

// arguments are the first ones of all calls of a function, or of a method, "ignores.add", as far as they are texts.
func (t tokens) arguments(function string) (all []string) {
	of, method, isMethod := strings.Cut(function, ".")
	for i := range t {
		called := !isMethod && t[i].text == of || isMethod && i > 1 && t[i].text == method && t[i-2].text == of
		if called && t.is(i+1, "(") && i+3 < len(t) && t[i+2].kind == text && t.is(i+3, ",)") {
			all = append(all, t[i+2].text)
		}
	}
	return all
}
