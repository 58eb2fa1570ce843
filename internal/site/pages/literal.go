package pages

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What a program says in literal values is read into a tree of them, as YAML is: texts, truths, numbers, lists, maps.
// In the place of what is computed there stands an unknown, or the call that makes it.

// An unknown is a value that is computed; of a constant it is the name.
type unknown string

// A call is a value that a function makes of its arguments.
type call struct {
	name      string
	arguments []any
}

// isComputed reports whether a value is known only when the program runs.
func isComputed(value any) bool {
	switch value.(type) {
	case unknown, call:
		return true
	}
	return false
}

// A reading is what a program gives names to.
type reading struct {
	program
	values map[string]any
	lines  map[string]int // of all values, by their paths in lower case
	again  []string       // those that are given something else too
	// constants are the texts of those that are declared outside of all brackets.
	constants map[string]string
	// branches: which of it holds is known only when the program runs.
	branches bool
}

// read reads what a program gives values to in assignments, and by the keys of objects that are no key's value
// themselves. Of several values of one name that in the fewest brackets counts, and of those the first. Of data, alone
// what is exported is known.
func (p program) read(data bool) reading {
	r := reading{program: p, values: map[string]any{}, lines: map[string]int{}, constants: map[string]string{}}
	depths, exports := map[string]int{}, p.exports()
	for i := 0; i < len(p); i++ {
		name, depth, at := p[i].text, p[i].depth, p.assigned(i)
		var value program
		switch {
		case at > 0:
			value = p.value(at)
			if p.is(i-1, ".") || p.is(i-1, "[") {
				depth++ // what is put in later
			}
		case p.is(i-1, ".") && p.is(i-2, ".") && p.is(i-3, "."):
			name = "..." + name
		case i > 0 && p.is(i, "]") && p.is(i+1, ":"):
			name = "[" + p[i-1].text + "]"
		case p[i].kind == word && p.is(i+1, "(") && p.is(i+2, ")") && p.is(p.next(i+3), "{"): // a method
		default:
			r.branches = r.branches || p[i].kind <= word && slices.Contains(branching, p[i].text)
			r.declare(i)
			continue
		}
		if data && at > 0 && p.declares(i-1) && !exports[name] && (i < 2 || p[i-2].text != "export") {
			r.values[name] = unknown("") // nobody else sees it
			i = at + len(value) - 1
			continue
		}
		known, named := depths[name]
		if !named || depth < known {
			depths[name], r.values[name] = depth, r.evaluate(value, []string{name})
		}
		if named {
			r.again = append(r.again, name)
		}
		bracketed := slices.ContainsFunc(value, func(t token) bool { return t.depth > value[0].depth })
		if p[i].depth > 0 && p.is(p.next(i+1), ":") || !bracketed {
			i += max(0, at+len(value)-1-i) // what stands in it is its own
		}
	}
	return r
}

// branching are the words and marks of a program that may do one thing or another.
var branching = []string{"?", "&", "|", "if", "else", "switch", "for", "while", "try"}

// declares reports whether token i begins a declaration.
func (p program) declares(i int) bool {
	return i >= 0 && p[i].kind == word && slices.Contains([]string{"const", "let", "var"}, p[i].text)
}

// exports are the names that a program exports as a whole, or spreads into something.
func (p program) exports() map[string]bool {
	all := map[string]bool{}
	for i := 2; i < len(p); i++ {
		before, mark := p[i-2].text, p[i-1].text
		if mark == "default" || mark == "=" && before == "exports" || mark == "." && before == "." {
			all[p[i].text] = true
		}
	}
	return all
}

// declare takes the constant that token i declares, where it is a text. What is declared before it is all that it may
// be made of.
func (r *reading) declare(i int) {
	p := r.program
	if !p.declares(i) || p[i].text != "const" || p[i].depth > 0 || i+2 >= len(p) {
		return
	}
	at := i + 2
	if p.is(at, ":") { // its type
		at += 2
	}
	if first := p.next(at + 1); p.is(at, "=") && first < len(p) && p.inside(first) == nil {
		if s, ok := r.evaluate(p.value(first), nil).(string); ok {
			r.constants[p[i+1].text] = s
		}
	}
}

// assigned is the place of the value that token i names: key: value, key = value, of.key = value, of['key'] = value. It
// is 0 where it names none.
func (p program) assigned(i int) int {
	t, j := p[i], p.next(i+1)
	if t.kind != word && t.kind != text || p.is(i-1, "?") { // a choice
		return 0
	}
	if p.is(i-1, "[") && p.is(j, "]") && t.kind == text {
		j = p.next(j + 1)
	}
	if p.is(j, ":") && !p.is(i-1, ".") || p.is(j, "=") && !p.is(j+1, "=") && !p.is(j+1, ">") {
		if j = p.next(j + 1); j < len(p) {
			return j
		}
	}
	return 0
}

// value is what stands at token i up to its end: the mark that closes or divides, or a line on which something else
// begins.
func (p program) value(i int) program {
	for j := i; j < len(p); j++ {
		switch {
		case p[j].depth < p[i].depth, p[j].depth == p[i].depth && (p.is(j, ",") || p.is(j, ";")):
			return p[i:j]
		case p[j].depth == p[i].depth && p.is(j, "\n") && p.begins(p.next(j), p[i].depth):
			return p[i:j]
		}
	}
	return p[i:]
}

// begins reports whether something else begins on the line of token i: a word that does not go on, outside of brackets
// a text too.
func (p program) begins(i, depth int) bool {
	return i >= len(p) || p[i].kind == word && p[i].text != "if" && p[i].text != "in" || p[i].kind == text && depth == 0
}

// mostNested is how many brackets a value may stand in.
const mostNested = 100

// evaluate returns what an expression of the program is; path is where it stands, for its line.
func (r *reading) evaluate(e program, path []string) (value any) {
	if e = e.trim(); len(e) == 0 || e[0].depth > mostNested {
		return unknown("")
	}
	if path != nil {
		r.lines[strings.ToLower(strings.Join(path, "."))] = e[0].line
	}
	rest := 1
	switch inner := e.inside(0); {
	case e[0].kind == text:
		s := e[0].text
		for ; rest < len(e) && (e[rest].kind == text || e.is(rest, "\n")); rest++ { // in Python they are one
			s += strings.TrimSpace(strings.Repeat(e[rest].text, int(e[rest].kind/text)))
		}
		value = s
	case e[0].kind == template:
		value = r.embed(e[0].text)
	case inner != nil:
		value, rest = r.collection(e[0].text, inner, path), len(inner)+2
	case e[0].kind == word:
		value, rest = r.word(e, path)
	}
	if rest < len(e) && e[rest].text != "as" && e[rest].text != "satisfies" || value == nil && e[0].kind != word {
		return unknown("")
	}
	return value
}

// collection reads what stands in brackets.
func (r *reading) collection(open string, inner program, path []string) any {
	elements := inner.split()
	switch {
	case open == "{":
		return r.object(elements, path)
	case open == "(" && len(elements) == 1: // brackets alone make no list
		return r.evaluate(elements[0], path)
	}
	list := make([]any, len(elements))
	for i, e := range elements {
		list[i] = r.evaluate(e, append(path[:len(path):len(path)], strconv.Itoa(i)))
	}
	return list
}

// object reads the entries of one. An entry that is spread, or that a program names, has the name that is written.
func (r *reading) object(entries []program, path []string) any {
	values := map[string]any{}
	for _, e := range entries {
		key, colon := e[0].text, e.next(1)
		below := append(path[:len(path):len(path)], key)
		switch {
		case e[0].kind != mark && e.is(colon, ":") && e.next(colon+1) < len(e):
			if value := r.evaluate(e[colon+1:], below); value != nil {
				values[key] = value
			}
		case len(e) == 1 && e[0].kind == word:
			values[key] = r.evaluate(e, below)
		default:
			values[e.key()] = unknown("")
		}
	}
	return values
}

// key is the name of an entry that is no literal, as a method or what is spread is written: "robots", "...shared",
// "[k]".
func (p program) key() (name string) {
	for i, t := range p {
		if p.is(i, "(") || p.is(i, ":") {
			break
		}
		if t.kind == word && slices.Contains([]string{"get", "set", "async"}, t.text) && i+1 < len(p) &&
			p[i+1].kind == word {
			continue
		}
		name += strings.TrimSpace(t.text)
	}
	return name
}

// word reads a value that begins with one: true, a number, a constant, a call. n is how many tokens it has.
func (r *reading) word(e program, path []string) (value any, n int) {
	name := e[0].text
	for n = 1; e.is(n, ".") && n+1 < len(e) && e[n+1].kind == word; n += 2 {
		name += "." + e[n+1].text
	}
	if inner := e.inside(n); e.is(n, "(") {
		arguments, _ := r.collection("[", inner, path).([]any)
		if name == "require.resolve" && len(arguments) == 1 {
			return arguments[0], n + len(inner) + 2
		}
		return call{name, arguments}, n + len(inner) + 2
	}
	switch strings.ToLower(name) {
	case "true", "false":
		return strings.EqualFold(name, "true"), n
	case "null", "none", "undefined":
		return nil, n
	}
	if number, err := strconv.ParseFloat(name, 64); err == nil && strings.Trim(name, ".0123456789") == "" {
		return number, n
	}
	if s, ok := r.constants[name]; ok {
		return s, n
	}
	return unknown(name), n
}

var embedded = regexp.MustCompile(`\$\{\s*(\w+)\s*\}`)

// embed puts constants into a text.
func (r *reading) embed(text string) any {
	s := embedded.ReplaceAllStringFunc(text, func(part string) string {
		return cmp.Or(r.constants[embedded.FindStringSubmatch(part)[1]], part)
	})
	if s == "" || strings.Contains(s, "${") {
		return unknown("")
	}
	return s
}

// trim leaves out the ends of lines around a value.
func (p program) trim() program {
	for len(p) > 0 && p.is(0, "\n") {
		p = p[1:]
	}
	for len(p) > 0 && p.is(len(p)-1, "\n") {
		p = p[:len(p)-1]
	}
	return p
}

// split are the elements between the commas of what brackets hold.
func (p program) split() (elements []program) {
	start := 0
	for i := 0; i <= len(p); i++ {
		if i < len(p) && !(p.is(i, ",") && p[i].depth == p[0].depth) {
			continue
		}
		if e := p[start:i].trim(); len(e) > 0 {
			elements = append(elements, e)
		}
		start = i + 1
	}
	return elements
}

// inside returns what stands in the brackets that token i opens; nil where it opens none.
func (p program) inside(i int) program {
	if !p.is(i, "{") && !p.is(i, "[") && !p.is(i, "(") {
		return nil
	}
	end := i + 1
	for end < len(p) && p[end].depth > p[i].depth {
		end++
	}
	return p[i+1 : end : end]
}

// exported is what a program exports as a whole; nil where that is not said in one place.
func (p program) exported() program {
	for i, t := range p {
		j := p.next(i + 1)
		if t.kind == word && j < len(p) && (t.text == "exports" && p.is(j, "=") ||
			t.text == "export" && p[j].text == "default") {
			return p[j+1:].value(0)
		}
	}
	return nil
}

// calls are the arguments of each call of a function.
func (p program) calls(function string) (all [][]program) {
	for i, t := range p {
		if t.kind == word && t.text == function && p.is(i+1, "(") {
			all = append(all, p.inside(i+1).split())
		}
	}
	return all
}

// argument is one of a call's that is a text; empty for another.
func (r *reading) argument(arguments []program, n int) string {
	if n >= len(arguments) || arguments[n].inside(0) != nil {
		return ""
	}
	s, _ := r.evaluate(arguments[n], nil).(string)
	return s
}

// textAt is an element of a list that is a text; empty for another.
func textAt(list []any, n int) string {
	if n >= len(list) {
		return ""
	}
	s, _ := list[n].(string)
	return s
}
