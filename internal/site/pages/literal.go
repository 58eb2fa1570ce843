package pages

import (
	"slices"
	"strconv"
	"strings"
)

// A program is a configuration written in JavaScript, TypeScript or Python. It is never run. What it sets to literal
// values is read into a tree of them, as YAML is; what it sets by code is [computed].
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
	text  string // of a text what it says
	depth int    // how many brackets it stands in; a bracket stands outside of itself
	line  int    // from 1
	first bool   // of its line
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

// lex splits a program into tokens. It never fails: what it does not know is a mark.
func lex(source string) (all tokens) {
	depth, line, first := 0, 1, true
	for source != "" {
		m := lexer().FindStringSubmatch(source)
		t := token{mark, m[0], depth, line, first}
		switch {
		case m[1] != "":
			first = first || strings.Contains(m[1], "\n")
		case m[2] != "":
			t.kind, t.text = unquoted(m[2])
		case m[3] != "":
			t.kind = word
		case strings.Contains("([{", t.text):
			depth++
		case strings.Contains(")]}", t.text):
			depth = max(0, depth-1)
			t.depth = depth
		}
		if m[1] == "" {
			all, first = append(all, t), false
		}
		line += strings.Count(m[0], "\n")
		source = source[len(m[0]):]
	}
	return all
}

// unquoted reads a text in quotes. One with values or escapes in it is a mark, which no value begins with.
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

// read reads what a program sets in assignments, and by the keys of objects that are no key's value themselves. Of
// several values of one name that in the fewest brackets counts, and of those the first.
func (t tokens) read() program {
	p := program{tokens: t, values: map[string]any{}, lines: map[string]int{}}
	depths := map[string]int{}
	for i := 0; i < len(t); i++ {
		name, at := t[i].text, t.assigned(i)
		if at == 0 {
			if t.spread(i) {
				p.values["..."+name] = computed
			}
			continue
		}
		if known, named := depths[name]; !named || t[i].depth < known {
			depths[name], p.values[name] = t[i].depth, p.value(at, name)
		}
		if t[i].depth > 0 && t.is(i+1, ":") {
			i = max(i, t.end(at)-1) // what stands in it is its own
		}
	}
	return p
}

// object reads a program that is nothing but an object, or the export of one.
func (t tokens) object() (p program, ok bool) {
	p = program{tokens: t, lines: map[string]int{}}
	around := ""
	for i := 0; i < len(t); i++ {
		if t.is(i, "{") && p.values == nil {
			value, behind := p.collection(i, "")
			p.values, i = value.(map[string]any), behind
		}
		if i < len(t) {
			around += t[i].text
		}
	}
	around = strings.TrimSuffix(around, ";")
	return p, p.values != nil && slices.Contains([]string{"", "exportdefault", "module.exports="}, around)
}

// spread reports whether token i is spread into something: ...shared.
func (t tokens) spread(i int) bool { return t.is(i-1, ".") && t.is(i-2, ".") && t.is(i-3, ".") }

// assigned is the place of the value that token i names: key: value, key = value, of.key = value. It is 0 where it
// names none.
func (t tokens) assigned(i int) int {
	names := t[i].kind != mark && !t.is(i-1, "?") // a choice
	if j := i + 1; names && j+1 < len(t) &&
		(t.is(j, ":") && !t.is(i-1, ".") || t.is(j, "=") && !t.is(j+1, "=") && !t.is(j+1, ">")) {
		return j + 1
	}
	return 0
}

// end is the token behind the expression that begins at token i: the mark that closes or divides, or the first one of a
// line on which something else begins, a word that does not go on, outside of brackets a text too.
func (t tokens) end(i int) int {
	for j := i; j < len(t); j++ {
		switch {
		case t[j].depth < t[i].depth, j == i && t[j].kind == mark && strings.Contains(")]}", t[j].text):
			return j
		case t[j].depth > t[i].depth:
		case t.is(j, ","), t.is(j, ";"):
			return j
		case j > i && t[j].first && (t[j].kind == word || t[j].kind == text && t[i].depth == 0):
			return j
		}
	}
	return len(t)
}

// mostNested is how many brackets a value may stand in.
const mostNested = 100

// value reads the value that begins at token i; path is where it stands, for its line.
func (p *program) value(i int, path string) (value any) {
	t := p.tokens
	end, rest := t.end(i), i+1
	if i >= end || t[i].depth > mostNested {
		return computed
	}
	p.lines[strings.ToLower(path)] = t[i].line
	switch {
	case t[i].kind == text:
		s := t[i].text
		for ; rest < end && t[rest].kind == text; rest++ { // in Python they are one
			s += t[rest].text
		}
		value = s
	case t[i].kind == word:
		value = literalWord(t[i].text)
	case strings.Contains("([{", t[i].text):
		value, rest = p.collection(i, path)
	default:
		return computed
	}
	if rest < end && t[rest].text != "as" && t[rest].text != "satisfies" {
		return computed
	}
	return value
}

// collection reads what stands in the brackets that token i opens; rest is the token behind them. An entry that is
// spread, or that a program names, has dots before its name.
func (p *program) collection(i int, path string) (value any, rest int) {
	t := p.tokens
	list, object := []any{}, map[string]any{}
	j := i + 1
	for ; j < len(t) && t[j].depth > t[i].depth; j++ {
		name := t[j].text
		below := strings.TrimPrefix(path+"."+name, ".")
		switch {
		case t[j].kind == mark && strings.Contains(",;", name):
			continue
		case t[i].text != "{":
			list = append(list, p.value(j, path+"."+strconv.Itoa(len(list))))
		case t[j].kind != mark && t.is(j+1, ":"):
			if value := p.value(j+2, below); value != nil {
				object[name] = value
			}
		default:
			for k := j; k < t.end(j) && !t.is(k, "(") && !t.is(k, ":"); k++ {
				if t[k].kind != mark {
					name = t[k].text
				}
			}
			if t[j].kind == mark {
				name = "..." + name
			}
			object[name] = computed
		}
		j = max(j, t.end(j)-1)
	}
	switch {
	case t[i].text == "{":
		return object, j + 1
	case t[i].text == "(" && len(list) == 1: // brackets alone make no list
		return list[0], j + 1
	}
	return list, j + 1
}

// literalWord reads a value that is a word: true, a number.
func literalWord(name string) any {
	switch strings.ToLower(name) {
	case "true", "false":
		return strings.EqualFold(name, "true")
	case "null", "none", "undefined":
		return nil
	}
	if number, err := strconv.ParseFloat(name, 64); err == nil && strings.Trim(name, ".0123456789") == "" {
		return number
	}
	return computed
}

// arguments are the first ones of all calls of a function, or of a method, "ignores.add", as far as they are texts.
func (p *program) arguments(function string) (all []string) {
	of, method, isMethod := strings.Cut(function, ".")
	for i, t := range p.tokens {
		if isMethod && (i < 2 || p.tokens[i-2].text != of || t.text != method) || !isMethod && t.text != function {
			continue
		}
		if s, ok := p.value(i+2, "").(string); ok && s != computed && p.is(i+1, "(") {
			all = append(all, s)
		}
	}
	return all
}

// is reports whether token i is a mark.
func (t tokens) is(i int, text string) bool {
	return i >= 0 && i < len(t) && t[i].kind == mark && t[i].text == text
}
