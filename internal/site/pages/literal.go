package pages

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A program is a configuration written in JavaScript, TypeScript or Python. It is never run: what it says in literal
// values is read into a tree of them, as YAML is, and in the place of what it computes there stands [computed].
type program struct {
	tokens
	values map[string]any
	lines  map[string]int // of the values, by their paths in lower case
	// constants are the texts that are declared outside of all brackets.
	constants map[string]string
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
	template // a text with values in it, a regular expression
)

// What a program is made of: a comment, a text, a word. What nothing closes ends with its line, or with the program.
const (
	lexWord  = `([\pL_$][\pL_$0-9]*|[0-9][\pL_$0-9.]*)`
	lexLine  = `"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?`
	lexShort = `(?s)^(?:(//[^\n]*|/\*.*?(?:\*/|\z))|(` + lexLine + "|`(?:[^`\\\\]|\\\\.)*`?" + `)|` + lexWord + `|.)`
	lexLong  = `(?s)^(?:(#[^\n]*)|([rRbBuUfF]{0,2}(?:"{3}(?:[^\\]|\\.)*?(?:"{3}|\z)|'{3}(?:[^\\]|\\.)*?(?:'{3}|\z)|` +
		lexLine + `))|` + lexWord + `|.)`
)

var (
	lexScript = lazy(lexShort)
	lexPython = lazy(lexLong)
	// lexRegexp is a regular expression of JavaScript.
	lexRegexp = regexp.MustCompile(`^/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\]?)*/?`)
)

// lex splits a program into tokens. It never fails: what it does not know is a mark.
func lex(source string, python bool) (all tokens) {
	lexer := lexScript
	if python {
		lexer = lexPython
	}
	depth, line, first := 0, 1, true
	for source != "" {
		m := lexer().FindStringSubmatch(source)
		t := token{mark, strings.TrimSpace(m[0]), depth, line, first}
		switch {
		case m[1] != "" || t.text == "":
			t.text = ""
		case m[2] != "":
			t.kind, t.text = unquoted(m[2])
		case m[3] != "":
			t.kind = word
		case t.text == "/" && !python && all.startsRegexp():
			m[0], t.kind, t.text = lexRegexp.FindString(source), template, ""
		case strings.Contains("([{", t.text):
			depth++
		case strings.Contains(")]}", t.text):
			depth = max(0, depth-1)
			t.depth = depth
		}
		first = first || m[0] == "\n"
		if t.text != "" || t.kind != mark {
			all, first = append(all, t), false
		}
		line += strings.Count(m[0], "\n")
		source = source[len(m[0]):]
	}
	return all
}

// startsRegexp reports whether a slash after these tokens begins a regular expression: it does not divide where no
// value stands before it.
func (t tokens) startsRegexp() bool {
	if len(t) == 0 {
		return true
	}
	last := t[len(t)-1]
	return last.kind == mark && !strings.Contains(")]}", last.text) || last.kind == word && last.text == "return"
}

// unquoted reads a text in quotes: it is computed where values are put into it or nothing closes it.
func unquoted(s string) (tokenKind, string) {
	at := strings.IndexAny(s, "\"'`")
	prefix, quote := strings.ToLower(s[:at]), s[at:at+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(s[at:], triple) {
		quote = triple
	}
	body, closed := strings.CutSuffix(s[at+len(quote):], quote)
	switch {
	case !closed || strings.Contains(prefix, "f") || quote == "`" && strings.Contains(body, "${"):
		return template, ""
	case strings.Contains(prefix, "r"):
		return text, body
	}
	var plain strings.Builder
	for body = strings.ReplaceAll(body, "\\\n", ""); body != ""; {
		r, _, rest, err := strconv.UnquoteChar(body, 0)
		if err != nil { // an escape that stands for its letter
			letter, size := utf8.DecodeRuneInString(body[1:])
			r, rest = letter, body[1+size:]
		}
		plain.WriteRune(r)
		body = rest
	}
	return text, plain.String()
}

// read reads what a program gives values to in assignments, and by the keys of objects that are no key's value
// themselves. Of several values of one name that in the fewest brackets counts, and of those the first.
func (t tokens) read() program {
	p := program{tokens: t, values: map[string]any{}, lines: map[string]int{}, constants: map[string]string{}}
	depths := map[string]int{}
	for i := 0; i < len(t); i++ {
		name, depth, at := t[i].text, t[i].depth, t.assigned(i)
		if at == 0 {
			if t.spread(i) {
				p.values["..."+name] = computed
			}
			continue
		}
		if t.is(i-1, ".") || t.is(i-1, "[") {
			depth++ // what is put in later
		}
		if known, named := depths[name]; !named || depth < known {
			depths[name], p.values[name] = depth, p.value(at, name)
			s, ok := p.values[name].(string)
			if ok && s != computed && t[i].depth == 0 && i > 0 && t[i-1].text == "const" {
				p.constants[name] = s
			}
		}
		end := t.end(at)
		bracketed := slices.ContainsFunc(t[at:end], func(of token) bool { return of.depth > t[at].depth })
		if t[i].depth > 0 && t.is(i+1, ":") || !bracketed {
			i = max(i, end-1) // what stands in it is its own
		}
	}
	return p
}

// object reads a program that is nothing but an object, or the export of one.
func (t tokens) object() (p program, ok bool) {
	p = program{tokens: t, lines: map[string]int{}}
	start := slices.IndexFunc(t, func(of token) bool { return of.kind == mark && of.text == "{" })
	if start < 0 {
		return p, false
	}
	around := ""
	for _, of := range slices.Concat(t[:start], t[start+2+len(t.inside(start)):]) {
		around += of.text
	}
	if ok = slices.Contains([]string{"", "exportdefault", "module.exports="}, strings.TrimSuffix(around, ";")); ok {
		p.values, _ = p.value(start, "").(map[string]any)
	}
	return p, ok
}

// spread reports whether token i is spread into something: ...shared.
func (t tokens) spread(i int) bool { return t.is(i-1, ".") && t.is(i-2, ".") && t.is(i-3, ".") }

// assigned is the place of the value that token i names: key: value, key = value, of.key = value, of['key'] = value. It
// is 0 where it names none.
func (t tokens) assigned(i int) int {
	j := i + 1
	if t[i].kind != word && t[i].kind != text || t.is(i-1, "?") { // a choice
		return 0
	}
	if t.is(i-1, "[") && t.is(j, "]") && t[i].kind == text {
		j++
	}
	if j+1 < len(t) && (t.is(j, ":") && !t.is(i-1, ".") || t.is(j, "=") && !t.is(j+1, "=") && !t.is(j+1, ">")) {
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
		case j > i && t[j].first && (t[j].kind == word && t[j].text != "if" && t[j].text != "in" ||
			t[j].kind == text && t[i].depth == 0):
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
		value = p.word(t[i].text)
	case t[i].kind == mark && strings.Contains("([{", t[i].text):
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
		case t[j].kind == word && t.end(j) == j+1:
			object[name] = p.value(j, below)
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

// word reads a value that is one: true, a number, a constant.
func (p *program) word(name string) any {
	switch strings.ToLower(name) {
	case "true", "false":
		return strings.EqualFold(name, "true")
	case "null", "none", "undefined":
		return nil
	}
	if number, err := strconv.ParseFloat(name, 64); err == nil && strings.Trim(name, ".0123456789") == "" {
		return number
	}
	if s, ok := p.constants[name]; ok {
		return s
	}
	return computed
}

// arguments are the first ones of all calls of a function, or of a method, "ignores.add", that are texts.
func (p *program) arguments(function string) (all []string) {
	of, method, isMethod := strings.Cut(function, ".")
	for i, t := range p.tokens {
		if isMethod && t.text == of && p.is(i+1, ".") && i+2 < len(p.tokens) && p.tokens[i+2].text == method {
			i += 2
		} else if isMethod || t.text != function {
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

// inside returns what stands in the brackets that token i opens; nil where it opens none.
func (t tokens) inside(i int) tokens {
	if !t.is(i, "{") && !t.is(i, "[") && !t.is(i, "(") {
		return nil
	}
	end := i + 1
	for end < len(t) && t[end].depth > t[i].depth {
		end++
	}
	return t[i+1 : end : end]
}
