package source

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A program, as of JavaScript, TypeScript or Python, is never run. Literal values that follow a
// name, key: value or key = value, are read as YAML's are. Every other value is [Computed].

// Computed stands for a value that is known only when a program runs, or that a tag of YAML makes.
const Computed = "\x00computed"

// A Token is a word, a mark or a literal text.
type Token struct {
	Kind  TokenKind
	Text  string // as it is in the program; of a literal text its content
	line  int    // from 1
	depth int    // the number of brackets around it
	// size is, of a bracket that opens, the number of tokens up to the one that closes it, both
	// counted; else 1.
	size int
}

// Tokens are a program, or a part of one.
type Tokens []Token

// A TokenKind is what a token is.
type TokenKind uint8

// The kinds of tokens.
const (
	Mark TokenKind = iota // one character, or a text with values or escapes in it, which is "`"
	Word                  // a name or a number
	Text                  // a literal text
)

// lexer matches at its beginning a comment or blanks (group 1), a text in quotes (2), a word or a
// number (3), or one other character. In Python a text may have three quotes, and an r or a u
// before them. It is compiled when a program is read: that takes 0.15 ms, and no other start has to
// pay for it.
var lexer = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^(?:(\s+|//[^\n]*|/\*.*?\*/|#[^\n]*)|` +
		`([rRuU]?(?:"{3}.*?"{3}|'{3}.*?'{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|` + "`(?:[^`\\\\]|\\\\.)*`" + `)|` +
		`([\pL_$][\pL_$0-9]*|[0-9][0-9.]*)|.)`)
})

// Lex splits a program into tokens, without blanks and comments. It never fails: an unknown
// character is a mark. A closing bracket closes the last open one, of whatever kind; one that is
// never closed has its size up to the end of the program. Of "a = [1]":
//
//	Word a   depth 0        Mark [   depth 0, size 3: up to ] and with it
//	Mark =   depth 0        Word 1   depth 1
//	                        Mark ]   depth 0
func Lex(source string) (all Tokens) {
	line := 1
	for source != "" {
		m := lexer().FindStringSubmatch(source)
		matched, blankOrComment, quoted, word := m[0], m[1], m[2], m[3]
		t := Token{Kind: Mark, Text: matched, line: line}
		switch {
		case quoted != "":
			t.Kind, t.Text = unquoted(quoted)
		case word != "":
			t.Kind = Word
		}
		if blankOrComment == "" {
			all = append(all, t)
		}
		line += strings.Count(matched, "\n")
		source = source[len(matched):]
	}
	all.nest()
	return all
}

// nest sets the depth and the size of each token, by the brackets around it.
func (t Tokens) nest() {
	var open []int // the brackets that are not closed yet, by their indexes
	for i := range t {
		if t.Is(i, ")]}") && len(open) > 0 {
			opening := open[len(open)-1]
			open = open[:len(open)-1]
			t[opening].size = i + 1 - opening
		}
		t[i].depth, t[i].size = len(open), 1 // of a bracket that closes: the depth of the one that opens
		if t.Is(i, "([{") {
			open = append(open, i)
		}
	}
	for _, opening := range open {
		t[opening].size = len(t) - opening
	}
}

// unquoted reads a text in quotes. One with values or escapes in it is a mark, and no literal value
// begins with that.
func unquoted(s string) (TokenKind, string) {
	s = strings.TrimLeft(s, "uU") // means nothing in Python 3
	quoted := strings.TrimLeft(s, "rR")
	isRaw := len(quoted) < len(s) // a backslash is one
	content := quoted[1 : len(quoted)-1]
	if quotes := strings.Repeat(quoted[:1], 3); len(quoted) >= 6 &&
		strings.HasPrefix(quoted, quotes) {
		content = quoted[3 : len(quoted)-3]
	}
	hasEscape := !isRaw && strings.Contains(content, `\`)
	hasValue := quoted[0] == '`' && strings.Contains(content, "${")
	if hasEscape || hasValue {
		return Mark, "`"
	}
	return Text, content
}

// Is reports whether token i is one of these marks, each one character: "{," are { and the comma.
func (t Tokens) Is(i int, marks string) bool {
	return i >= 0 && i < len(t) && t[i].Kind == Mark && strings.Contains(marks, t[i].Text)
}

// Spread reports whether token i is spread into something: ...shared.
func (t Tokens) Spread(i int) bool { return t.Is(i-1, ".") && t.Is(i-2, ".") && t.Is(i-3, ".") }

// Expression is the expression at the beginning of t. It ends before a mark that divides or closes,
// or before a new line that begins with a word or, outside of brackets, with a text.
func (t Tokens) Expression() Tokens {
	for i := 0; i < len(t); i += t[i].size {
		isNewLine := i > 0 && t[i].line > t[i-1].line
		beginsAnother := t[i].Kind == Word || t[i].Kind == Text && t[i].depth == 0
		if t.Is(i, ",;)]}") || isNewLine && beginsAnother {
			return t[:i]
		}
	}
	return t
}

// Assigned returns the tokens from the value on that token i names; nil if it names none. A name is
// before a colon, or before a sign of equality:
//
//	key: value, key = value, of.key = value     named
//	a ? key : value, of.key: value              not: a choice, and no key
//	key == value, key => value                  not: a comparison, a function
func (t Tokens) Assigned(i int) Tokens {
	isName := t[i].Kind != Mark && !t.Is(i-1, "?") && i+2 < len(t)
	hasColon := t.Is(i+1, ":") && !t.Is(i-1, ".")
	hasEquals := t.Is(i+1, "=") && !t.Is(i+2, "=>") // neither == nor =>
	if isName && (hasColon || hasEquals) {
		return t[i+2:]
	}
	return nil
}

// Read reads assignments, and the keys of objects that are no key's value themselves. Of several
// values of one name the one in the fewest brackets counts, and of those the first.
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
				depths[name], values[name] = t[i].depth,
					value.value(x, x.put(&x.top, name, t[i+2].line))
			}
			if t[i].depth > 0 && t.Is(i+1, ":") {
				i += 1 + len(value) // the keys within it are its own
			}
		}
	}
	return values, x
}

// Object reads a program that is nothing but an object, or the export of one; ok is false for any
// other.
func (t Tokens) Object() (values map[string]any, x *Index, ok bool) {
	x, around := &Index{}, "" // the text around the first object
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

// constants are the values that have a word of their own, in lower case.
var constants = map[string]any{"true": true, "false": false, "null": nil, "none": nil, "undefined": nil}

// value returns the value of an expression, which is all of t, and enters the keys within it in the
// index, below the node of the key that has the value. It never runs anything:
//
//	'a', and in Python 'a' 'b'   the text a, and ab
//	[…], {…}, (…)                a list, a map, what is in brackets: see group
//	true, None, 12               a boolean, nil, a number
//	{…} as Config                the map: TypeScript adds its type
//	name, f(), 'a' + b, 1 + 2    [Computed]
//	nothing                      [Computed], as of what nests more than [MaxDepth] levels deep
func (t Tokens) value(x *Index, at *node) any {
	if len(t) == 0 || t[0].depth > MaxDepth {
		return Computed
	}
	first := t[0]
	content, rest := first.Text, t[first.size:] // rest is behind the text, the word or the bracket
	for first.Kind == Text && len(rest) > 0 && rest[0].Kind == Text {
		content += rest[0].Text // Python joins texts that follow each other
		rest = rest[1:]
	}
	// TypeScript has the type of a value behind one of two words.
	isTypeBehind := len(rest) > 0 && (rest[0].Text == "as" || rest[0].Text == "satisfies")
	isWhole := len(rest) == 0 || isTypeBehind // else it is a call, a sum …
	switch {
	case !isWhole:
		return Computed
	case first.Kind == Text:
		return content
	case t.Is(0, "([{"): // a mark: the text "[" is none
		return t.group(x, at)
	}
	return valueOfWord(content)
}

// valueOfWord is the value of a word, or of a mark that opens nothing: that of a constant or a
// number; Computed for any other, such as the name of a variable.
func valueOfWord(word string) any {
	if value, isConstant := constants[strings.ToLower(word)]; isConstant {
		return value
	}
	beginsAsNumber := word[0] <= '9' // to ParseFloat, Inf and NaN are numbers too
	if number, err := strconv.ParseFloat(word, 64); err == nil && beginsAsNumber {
		return number
	}
	return Computed
}

// group returns the value of the bracket at the beginning of t, and enters the keys within it: an
// object of {}, else a list. Round brackets around one value are that value.
func (t Tokens) group(x *Index, at *node) any {
	entries := t[1:t[0].size].expressions()
	if t[0].Text == "{" {
		return object(entries, x, at)
	}
	list := []any{}
	for i, entry := range entries {
		list = append(list, entry.value(x, x.element(at, i, entry[0].line)))
	}
	if t[0].Text == "(" && len(list) == 1 {
		return list[0]
	}
	return list
}

// expressions are the expressions of t, without the marks that divide them, or close them.
func (t Tokens) expressions() (all []Tokens) {
	for rest := t; len(rest) > 0; {
		e := rest.Expression()
		rest = rest[max(1, len(e)):]
		if len(e) > 0 {
			all = append(all, e)
		}
	}
	return all
}

// object returns the values of entries such as key: value. null makes no value. An entry without a
// value of its own is Computed.
func object(entries []Tokens, x *Index, at *node) map[string]any {
	values := map[string]any{}
	for _, entry := range entries {
		if entry[0].Kind == Mark || !entry.Is(1, ":") {
			values[entry.name()] = Computed
			continue
		}
		line := entry[min(2, len(entry)-1)].line // of the value, if there is one
		if value := entry[2:].value(x, x.put(at, entry[0].Text, line)); value != nil {
			values[entry[0].Text] = value
		}
	}
	return values
}

// name is the name of an entry without a value of its own: a variable, a method. An entry that
// begins with a mark has three dots before its name: ...spread, and [computed], a key that the
// program computes.
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

// Arguments are the first arguments of all calls of a function, or of a method ("ignores.add").
// Those that are no literal texts are left out.
func (t Tokens) Arguments(function string) (all []string) {
	receiver, method, isMethod := strings.Cut(function, ".")
	for i := range t {
		isNamed := t[i].Text == function
		if isMethod {
			isNamed = i > 1 && t[i].Text == method && t[i-2].Text == receiver
		}
		hasText := i+3 < len(t) && t[i+2].Kind == Text && t.Is(i+3, ",)")
		if isNamed && t.Is(i+1, "(") && hasText {
			all = append(all, t[i+2].Text)
		}
	}
	return all
}
