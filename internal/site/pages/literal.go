package pages

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

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

// literal returns what a value is where all of it is literal: a text, a truth value, a number, nothing, a list or an
// object. Of a list the texts before what is computed are returned too.
func (p program) literal() (value any, ok bool) {
	if p = p.trim(); len(p) == 0 {
		return nil, false
	}
	if p[0].kind == text {
		return p.joined()
	}
	if inner := p.inside(0); inner != nil && len(inner)+2 == len(p) {
		return inner.collection(p[0].text)
	}
	if p[0].kind != word || len(p) > 1 {
		return nil, false
	}
	switch strings.ToLower(p[0].text) {
	case "true", "false":
		return strings.EqualFold(p[0].text, "true"), true
	case "null", "none", "undefined":
		return nil, true
	}
	n, err := strconv.ParseFloat(p[0].text, 64)
	return n, err == nil && strings.Trim(p[0].text, ".0123456789") == ""
}

// collection reads what stands in brackets.
func (p program) collection(open string) (value any, ok bool) {
	elements := p.split()
	switch {
	case open == "{":
		m, unread := p.object(nil, nil)
		return m, len(unread) == 0
	case open == "(" && len(elements) == 1: // in Python brackets alone make no list
		return elements[0].literal()
	}
	list := []any{}
	for _, e := range elements {
		element, ok := e.literal()
		if !ok {
			return list, false
		}
		list = append(list, element)
	}
	return list, true
}

// joined returns texts that stand side by side, which are one in Python.
func (p program) joined() (value any, ok bool) {
	var b strings.Builder
	for i, t := range p {
		if t.kind != text && !p.is(i, "\n") {
			return "", false
		} else if t.kind == text {
			b.WriteString(t.text)
		}
	}
	return b.String(), true
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

// object reads the entries of an object that are literal; unread are the paths of the others, below above. Of one that
// is spread, or that a program names, the last part of it is how that is written. lines takes those of the values by
// their paths in lower case, where it is not nil.
func (p program) object(above []string, lines map[string]int) (values map[string]any, unread [][]string) {
	values = map[string]any{}
	for _, e := range p.split() {
		key, colon := e[0].text, e.next(1)
		path := append(above[:len(above):len(above)], key)
		if e[0].kind == mark || !e.is(colon, ":") || e.next(colon+1) >= len(e) {
			unread = append(unread, append(above[:len(above):len(above)], e.key()))
			continue
		}
		v := e[e.next(colon+1):].trim()
		if lines != nil {
			lines[strings.ToLower(strings.Join(path, "."))] = v[0].line
		}
		if inner := v.inside(0); v.is(0, "{") && len(inner)+2 == len(v) {
			below, computed := inner.object(path, lines)
			values[key], unread = below, append(unread, computed...)
		} else if value, ok := v.literal(); !ok {
			unread = append(unread, path)
		} else if value != nil {
			values[key] = value
		}
	}
	return values, unread
}

// key is the name of an entry that is no literal, as a method or what is spread is written: "robots", "...shared",
// "[k]".
func (p program) key() string {
	var b strings.Builder
	for i, t := range p {
		if p.is(i, "(") || p.is(i, ":") {
			break
		}
		if t.kind == word && (t.text == "get" || t.text == "set" || t.text == "async") && i+1 < len(p) &&
			p[i+1].kind == word {
			continue
		}
		b.WriteString(strings.TrimSpace(t.text))
	}
	return b.String()
}

// at is the value of a key; see [program.find]. It is nil where there is none.
func (p program) at(key string) program {
	if i := p.find(key); i > 0 {
		return p.value(i)
	}
	return nil
}

// get returns what a key is.
func (p program) get(key string) (value any, known state) {
	v := p.at(key)
	if v == nil {
		return nil, absent
	}
	value, ok := v.literal()
	switch {
	case !ok:
		return value, unread
	case value == nil:
		return nil, absent
	}
	return value, literal
}

// text returns the text that a key has. In Python texts that stand side by side are one, and brackets may be around it.
func (p program) text(key string) (string, state) {
	value, known := p.get(key)
	s, ok := value.(string)
	if known == literal && !ok {
		known = unread
	}
	if known != literal {
		return "", known
	}
	return s, known
}

// boolean returns the truth value that a key has.
func (p program) boolean(key string) (bool, state) {
	value, known := p.get(key)
	on, ok := value.(bool)
	if known == literal && !ok {
		known = unread
	}
	return on, known
}

// list returns the texts of a list, whose every element has to be one; a text alone is a list of it.
func (p program) list(key string) (list []string, known state) {
	value, known := p.get(key)
	if s, ok := value.(string); ok && known == literal {
		return []string{s}, literal
	}
	all, ok := value.([]any)
	if known == literal && !ok {
		return nil, unread
	}
	for _, e := range all {
		s, ok := e.(string)
		if !ok {
			return list, unread
		}
		list = append(list, s)
	}
	return list, known
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

// shallow is an object without what stands in brackets in it: its own keys, and not those of objects that are their
// values.
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

// without is a program without the values of some keys.
func (p program) without(keys ...string) (rest program) {
	for i := 0; i < len(p); i++ {
		t := p[i]
		rest = append(rest, t)
		if t.kind != word && t.kind != text || !slices.Contains(keys, t.text) || !p.is(p.next(i+1), ":") {
			continue
		}
		for i = p.next(i + 1); i+1 < len(p) && p[i+1].depth >= t.depth &&
			!(p.is(i+1, ",") && p[i+1].depth == t.depth); i++ {
		}
	}
	return rest
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

// firsts are the first arguments of calls of a function that are literal texts.
func (p program) firsts(function string) (texts []string) {
	for _, arguments := range p.calls(function) {
		if s := textOf(arguments, 0); s != "" {
			texts = append(texts, s)
		}
	}
	return texts
}

// textOf is an argument that is a literal text; empty for another.
func textOf(arguments []program, n int) string {
	if n >= len(arguments) {
		return ""
	}
	value, _ := arguments[n].literal()
	s, _ := value.(string)
	return s
}

var embedded = regexp.MustCompile(`\$\{\s*(\w+)\s*\}`)

// constant returns the text that a value is, which may be made of constants of the program.
func (p program) constant(value program) (string, bool) {
	if value = value.trim(); len(value) != 1 {
		s := textOf([]program{value}, 0)
		return s, s != ""
	}
	switch t := value[0]; t.kind {
	case text:
		return t.text, true
	case word:
		return p.named(t.text)
	case computed:
		ok := t.text != ""
		s := embedded.ReplaceAllStringFunc(t.text, func(name string) string {
			s, known := p.named(embedded.FindStringSubmatch(name)[1])
			ok = ok && known
			return s
		})
		return s, ok && !strings.Contains(s, "${")
	}
	return "", false
}

// named returns the text of a constant that is declared outside of all brackets.
func (p program) named(constant string) (string, bool) {
	for i, t := range p {
		if t.kind != word || t.text != "const" || t.depth > 0 || i+2 >= len(p) || p[i+1].text != constant {
			continue
		}
		at := i + 2
		if p.is(at, ":") { // its type
			at += 2
		}
		if at = p.next(at + 1); at >= len(p) || !p.is(at-1, "=") {
			return "", false
		}
		s := textOf([]program{p.value(at)}, 0)
		return s, s != ""
	}
	return "", false
}

// spreads reports whether a name is spread somewhere: ...name.
func (p program) spreads(name string) bool {
	for i := range p {
		if i+3 < len(p) && p.is(i, ".") && p.is(i+1, ".") && p.is(i+2, ".") && p[i+3].text == name {
			return true
		}
	}
	return false
}

// export is the place of what a program exports by a name, or as a whole where that is empty: then it is the program,
// where that is an object. It is -1 where it exports no such thing as it stands.
func (p program) export(name string) int {
	whole, first := -1, p.next(0)
	if name == "" && p.is(first, "{") && p.next(first+len(p.inside(first))+2) >= len(p) {
		return first
	}
	for i, t := range p {
		j := p.next(i + 1)
		if t.kind != word || t.depth > 0 || j >= len(p) {
			continue
		}
		ofExports := p.is(i-1, ".") && i > 1 && p[i-2].text == "exports"
		switch {
		case t.text == "export" && p[j].text == "default", t.text == "exports" && p.is(j, "="):
			whole = p.next(j + 1)
		case name != "" && t.text == name && p.is(j, "=") && (ofExports || i > 1 && p[i-2].text == "export"):
			return p.next(j + 1)
		}
	}
	if inner := p.inside(whole); name != "" && p.is(whole, "{") {
		for key, at := range inner.entries {
			if key == name && inner.is(at, "{") {
				return whole + 1 + at
			}
		}
		return -1
	}
	if name != "" || whole >= len(p) {
		return -1
	}
	return whole
}

// sets reports whether token i is the key of an entry, a name that is given a value, or a method.
func (p program) sets(i int) bool {
	j := p.next(i + 1)
	if p.is(i-1, "[") && p.is(j, "]") {
		j = p.next(j + 1)
	}
	return p.is(j, ":") || p.is(j, "=") && !p.is(j+1, "=") && !p.is(j+1, ">") || p.is(j, "(") && p.is(j+1, ")")
}

// imports reports whether a program takes something from elsewhere.
func (p program) imports() bool {
	return slices.ContainsFunc(p, func(t token) bool {
		return t.kind == word && (t.text == "require" || t.text == "import" || t.text == "extends")
	})
}
