package source

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A program, as of JavaScript, TypeScript or Python, is never run. Literal values that follow a name, key: value or
// key = value, are read as YAML's are. Every other value is [Computed].

// Computed stands for a value that is known only when a program runs, or that a tag of YAML makes.
const Computed = "\x00computed"

// A Token is a word, a mark or a literal text.
type Token struct {
	Kind  TokenKind
	Text  string // of a text its content
	line  int    // from 1
	depth int    // the number of brackets around it
	size  int    // of a bracket that opens the number of tokens up to the one that closes it, both counted; else 1
}

// Tokens are a program, or a part of one.
type Tokens []Token

// A TokenKind is what a token is.
type TokenKind uint8

const (
	Mark TokenKind = iota
	Word
	Text
)

// lexer finds a comment or blanks, a text in quotes, a word or a number, or one other character. In Python a text may
// have three quotes, and an r or a u before them.
// It is compiled where a program is read: that takes 0.15 ms, which no other start is to pay.
var lexer = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^(?:(\s+|//[^\n]*|/\*.*?\*/|#[^\n]*)|` +
		`([rRuU]?(?:"{3}.*?"{3}|'{3}.*?'{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|` + "`(?:[^`\\\\]|\\\\.)*`" + `)|` +
		`([\pL_$][\pL_$0-9]*|[0-9][0-9.]*)|.)`)
})

// Lex splits a program into tokens. It never fails: an unknown character is a mark.
func Lex(source string) (all Tokens) {
	var open []int
	line := 1
	for source != "" {
		m := lexer().FindStringSubmatch(source)
		t := Token{Mark, m[0], line, len(open), 1}
		switch {
		case m[2] != "":
			t.Kind, t.Text = unquoted(m[2])
		case m[3] != "":
			t.Kind = Word
		case strings.Contains("([{", t.Text):
			open = append(open, len(all))
		case strings.Contains(")]}", t.Text) && len(open) > 0:
			at := open[len(open)-1]
			open = open[:len(open)-1]
			t.depth, all[at].size = len(open), len(all)+1-at
		}
		if m[1] == "" {
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
func unquoted(s string) (TokenKind, string) {
	s = strings.TrimLeft(s, "uU") // says nothing in Python 3
	raw := strings.TrimLeft(s, "rR")
	body := raw[1 : len(raw)-1]
	if quotes := strings.Repeat(raw[:1], 3); len(raw) >= 6 && strings.HasPrefix(raw, quotes) {
		body = raw[3 : len(raw)-3]
	}
	if len(raw) == len(s) && strings.Contains(body, `\`) || raw[0] == '`' && strings.Contains(body, "${") {
		return Mark, "`"
	}
	return Text, body
}

// Is reports whether token i is one of these marks.
func (t Tokens) Is(i int, marks string) bool {
	return i >= 0 && i < len(t) && t[i].Kind == Mark && strings.Contains(marks, t[i].Text)
}

// Spread reports whether token i is spread into something: ...shared.
func (t Tokens) Spread(i int) bool { return t.Is(i-1, ".") && t.Is(i-2, ".") && t.Is(i-3, ".") }

// Expression is that at the beginning of t. A mark ends it that divides or closes, or a line that begins with a word,
// outside of brackets also with a text.
func (t Tokens) Expression() Tokens {
	for i := 0; i < len(t); i += t[i].size {
		first := i > 0 && t[i].line > t[i-1].line
		if t.Is(i, ",;)]}") || first && (t[i].Kind == Word || t[i].Kind == Text && t[i].depth == 0) {
			return t[:i]
		}
	}
	return t
}

// Assigned begins with the value that token i names: key: value, key = value, of.key = value; nil if it names none.
func (t Tokens) Assigned(i int) Tokens {
	if t[i].Kind != Mark && !t.Is(i-1, "?") && i+2 < len(t) && // a choice
		(t.Is(i+1, ":") && !t.Is(i-1, ".") || t.Is(i+1, "=") && !t.Is(i+2, "=>")) {
		return t[i+2:]
	}
	return nil
}

// Read reads assignments, and the keys of objects that are no key's value themselves. Of several values of one name the
// one in the fewest brackets counts, and of those the first.
func (t Tokens) Read() (values map[string]any, x *Index) {
	values, x = map[string]any{}, &Index{}
	depths := map[string]int{}
	for i := 0; i < len(t); i++ {
		name, value := t[i].Text, t.Assigned(i)
		if t.Spread(i) {
			values["..."+name] = Computed
		} else if value != nil {
			value = value.Expression()
			if depth, known := depths[name]; !known || t[i].depth < depth {
				depths[name], values[name] = t[i].depth, value.value(x, x.put(&x.top, name, t[i+2].line))
			}
			if t[i].depth > 0 && t.Is(i+1, ":") {
				i += 1 + len(value) // what stands in it is its own
			}
		}
	}
	return values, x
}

// Object reads a program that is nothing but an object, or the export of one.
func (t Tokens) Object() (values map[string]any, x *Index, ok bool) {
	x, around := &Index{}, ""
	for i := 0; i < len(t); i += t[i].size {
		if t.Is(i, "{") && values == nil {
			values, _ = t[i:].group(x, &x.top).(map[string]any)
		} else {
			around += t[i].Text
		}
	}
	exports := []string{"", "exportdefault", "module.exports="}
	return values, x, values != nil && slices.Contains(exports, strings.TrimSuffix(around, ";"))
}

// words are the values that are one word, in lower case.
var words = map[string]any{"true": true, "false": false, "null": nil, "none": nil, "undefined": nil}

// value returns the value of an expression, which is all of t, and enters the keys within it in the
// index, below the node of the key that has the value. It never runs anything:
//
//	'a', and in Python 'a' 'b'   the text a, and ab
//	[…], {…}, (…)                a list, a map, what is in brackets: see group
//	true, None, 12               a boolean, nil, a number
//	{…} as Config                the map, whose type TypeScript adds
//	name, f(), 'a' + b, 1 + 2    Computed
func (t Tokens) value(x *Index, at *node) any {
	if len(t) == 0 || t[0].depth > MaxDepth {
		return Computed
	}
	s, rest := t[0].Text, t[t[0].size:] // rest is what follows the text, the word or the bracket
	for ; t[0].Kind == Text && len(rest) > 0 && rest[0].Kind == Text; rest = rest[1:] {
		s += rest[0].Text
	}
	isWhole := len(rest) == 0 || rest[0].Text == "as" || rest[0].Text == "satisfies"
	switch {
	case !isWhole:
		return Computed
	case t[0].Kind == Text:
		return s
	case t.Is(0, "([{"):
		return t.group(x, at)
	}
	if value, isWord := words[strings.ToLower(s)]; isWord {
		return value
	}
	if number, err := strconv.ParseFloat(s, 64); err == nil && s[0] <= '9' { // Inf and NaN are words
		return number
	}
	return Computed
}

// group reads what stands in brackets. An entry of an object that is spread, or that a program names, has dots before
// its name.
func (t Tokens) group(x *Index, at *node) any {
	list, object := []any{}, map[string]any{}
	for in := t[1:t[0].size]; len(in) > 0; {
		e := in.Expression()
		in = in[max(1, len(e)):]
		switch {
		case len(e) == 0: // what divides, or closes
		case t[0].Text != "{":
			list = append(list, e.value(x, x.element(at, len(list), e[0].line)))
		case e[0].Kind != Mark && e.Is(1, ":"):
			if v := e[2:].value(x, x.put(at, e[0].Text, e[min(2, len(e)-1)].line)); v != nil {
				object[e[0].Text] = v
			}
		default:
			object[e.name()] = Computed
		}
	}
	switch {
	case t[0].Text == "{":
		return object
	case t[0].Text == "(" && len(list) == 1: // brackets alone make no list
		return list[0]
	}
	return list
}

// name is that of an entry without a value of its own: a variable, a method, ...spread, [Computed].
func (t Tokens) name() (name string) {
	for i := 0; i < len(t) && !t.Is(i, "(:"); i++ {
		if t[i].Kind != Mark {
			name = t[i].Text
		}
	}
	if t[0].Kind == Mark {
		return "..." + name
	}
	return name
}

// Arguments are the first ones of all calls of a function, or of a method, "ignores.add", as far as they are texts.
func (t Tokens) Arguments(function string) (all []string) {
	of, method, isMethod := strings.Cut(function, ".")
	for i := range t {
		called := !isMethod && t[i].Text == of || isMethod && i > 1 && t[i].Text == method && t[i-2].Text == of
		if called && t.Is(i+1, "(") && i+3 < len(t) && t[i+2].Kind == Text && t.Is(i+3, ",)") {
			all = append(all, t[i+2].Text)
		}
	}
	return all
}
