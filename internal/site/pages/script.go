package pages

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A script is a JavaScript program that makes data. It is never run: what it exports is followed through constants and
// through functions that return one thing, and of what stands there literal values are read. Everything else is known to be
// computed.
type script struct {
	program
	// values are what was read, by key as it is written; lines are those of the values, by their path in lower case.
	values map[string]any
	lines  map[string]int
	// computed are the paths of keys whose values are. A path may end with what has no name: "...shared", "[key]". whole says
	// what is computed where all of it is.
	computed [][]string
	whole    string
	// told are the tokens of what was followed.
	told   []bool
	deep   int  // objects in which one is read
	prints bool // what is not data
}

func newScript(p program) *script {
	p = slices.Concat(program{{mark, "\n", 0, 1}}, p) // so that 0 is no place
	return &script{program: p, values: map[string]any{}, lines: map[string]int{}, told: make([]bool, len(p))}
}

// readMatter reads front matter: an object, or the constants of a program.
// https://www.11ty.dev/docs/data-frontmatter/#java-script-front-matter
func (s *script) readMatter() {
	if first := s.next(0); s.is(first, "{") {
		s.object(first, nil, s.values)
		return
	}
	for i, t := range s.program {
		if t.kind == word && t.depth == 0 {
			for name, at := range s.declarations(i) {
				s.take(name, at, nil)
			}
		}
	}
}

// readData reads what a data file exports: an object, a function that returns one, or values by their names.
// https://www.11ty.dev/docs/data-js/
func (s *script) readData() {
	e := s.exported()
	for _, name := range slices.Sorted(maps.Keys(e.named)) {
		s.take(name, e.named[name], nil)
	}
	if len(s.program) == s.next(0) || len(e.named) > 0 && (e.module || e.whole == 0) && !e.beyond {
		return // beside names what is exported by default is one more, "default"
	}
	if at, ok := s.origin(e.whole); ok && s.is(at, "{") && s.ends(s.end(at)) {
		s.object(at, nil, s.values)
		return
	}
	s.whole = "what it exports"
	s.told = slices.Repeat([]bool{true}, len(s.told))
}

// readTemplate reads the data of a template: what it exports by that name, or what the object or class that it exports
// has under it. https://www.11ty.dev/docs/languages/javascript/
func (s *script) readTemplate() {
	s.prints = true
	e := s.exported()
	at, there := e.named["data"]
	if !there && e.whole > 0 {
		at, there = s.memberOf(e.whole, "data")
	}
	if !there && !e.beyond {
		return
	}
	if at, ok := s.origin(at); ok && s.is(at, "{") && s.ends(s.end(at)) {
		s.object(at, nil, s.values)
		return
	}
	s.whole = "data"
}

// readGlobal reads what a file exports as the value of a key.
func (s *script) readGlobal(path []string) {
	e := s.exported()
	for _, name := range slices.Sorted(maps.Keys(e.named)) {
		s.take(name, e.named[name], path)
	}
	if len(e.named) == 0 {
		s.readValue(path, e.whole)
	}
}

// readValue reads the value at token i, or what a function there returns, as that of a key.
func (s *script) readValue(path []string, i int) {
	last := len(path) - 1
	if at, ok := s.origin(i); ok {
		s.take(path[last], at, path[:last])
		return
	}
	s.compute(path[:last], path[last])
}

// compute remembers that what stands under a key is computed.
func (s *script) compute(above []string, key string) {
	s.computed = append(s.computed, under(above, key))
}

// under is a path with one key more.
func under(path []string, key string) []string {
	return append(path[:len(path):len(path)], key)
}

// take reads the value of a key that stands below others.
func (s *script) take(key string, at int, above []string) {
	if at == 0 {
		s.compute(above, key)
		return
	}
	s.tell(at)
	value, ok := s.read(at, under(above, key))
	for _, outer := range slices.Backward(above) {
		value, key = map[string]any{key: value}, outer
	}
	if ok {
		s.values = merged(map[string]any{key: value}, s.values, true)
	}
}

// tell remembers that the value at token i is followed, with the name before it.
func (s *script) tell(i int) {
	for j := i; j < s.valueEnd(i); j++ {
		s.told[j] = true
	}
	for i--; s.is(i, "\n"); i-- {
	}
	for ; i >= 0 && s.program[i].text != "\n" && !slices.Contains([]string{"const", "let", "var", ".", ",", ";", "{", "("}, s.program[i].text); i-- {
		s.told[i] = true
	}
}

// read reads the value at token i, which stands under a path. Of an object the keys count whose values are literal.
func (s *script) read(i int, path []string) (value any, ok bool) {
	if to, isConstant := s.constant(i, 0); isConstant {
		i = to
	}
	s.lines[strings.ToLower(strings.Join(path, "."))] = s.program[i].line
	if s.is(i, "{") && s.ends(s.end(i)) {
		m := map[string]any{}
		s.object(i, path, m)
		return m, true
	}
	if value, ok = s.literal(i, 0); !ok {
		s.computed = append(s.computed, path)
	}
	return value, ok && value != nil
}

// object reads the entries of the object that token i opens.
func (s *script) object(i int, path []string, into map[string]any) {
	if s.deep > 16 {
		return // one that holds itself
	}
	s.deep++
	defer func() { s.deep-- }()
	for j := i; j < s.end(i); j++ {
		s.told[j] = true
	}
	for e := range s.members(i) {
		switch to, isConstant := s.constant(e.at, 0); {
		case e.spread && isConstant && s.is(to, "{"):
			s.object(to, path, into)
		case e.spread:
			s.compute(path, "..."+e.key)
		case e.at == 0:
			s.compute(path, e.key)
		default:
			if value, ok := s.read(e.at, under(path, e.key)); ok {
				into[e.key] = value
			}
		}
	}
}

// A member is an entry of an object.
type member struct {
	key    string // of one that is spread, or whose key is computed, what is written
	at     int    // its value; 0 where it has none that stands there
	method int    // the parameters of a method; 0 for what is none
	spread bool
}

// members yields the entries of the object that token i opens.
func (s *script) members(i int) func(func(member) bool) {
	p, depth, end := s.program, s.program[i].depth+1, s.end(i)-1
	return func(yield func(member) bool) {
		for i = p.next(i + 1); i < end; i = p.next(i + 1) {
			var e member
			for slices.Contains([]string{"async", "get", "set", "*"}, p[i].text) && p.next(i+1) < end && !strings.Contains(":,(", p[p.next(i+1)].text) {
				i = p.next(i + 1)
			}
			switch {
			case p.is(i, ","):
				continue
			case p.is(i, ".") && p.is(i+1, ".") && p.is(i+2, ".") && i+3 < end:
				e = member{key: p[i+3].text, at: i + 3, spread: true}
			default:
				e.key = p[i].text
				if p.is(i, "[") {
					key := p.inside(i)
					e.key = "[" + key.written() + "]"
					if i = s.end(i) - 1; len(key) == 1 && key[0].kind == text {
						e.key = key[0].text
					}
				}
				switch j := p.next(i + 1); {
				case p.is(j, ":") && p.next(j+1) < end && !strings.HasPrefix(e.key, "["):
					e.at = p.next(j + 1)
				case p.is(j, "("):
					e.method = j
				case p[i].kind == word && (p.is(j, ",") || j >= end):
					e.at = i // the name is its value's
				}
			}
			if !yield(e) {
				return
			}
			for i < end && !(p.is(i, ",") && p[i].depth == depth) {
				i++
			}
		}
	}
}

// written is what tokens say, for a message.
func (p program) written() string {
	var b strings.Builder
	for _, t := range p {
		b.WriteString(strings.TrimSpace(t.text))
	}
	return b.String()
}

// end is the token after the bracket that closes the one at token i.
func (s *script) end(i int) int { return min(i+len(s.inside(i))+2, len(s.program)) }

// ends is [program.ends] as JavaScript has it: a word on another line begins a statement.
func (s *script) ends(i int) bool { return s.is(i, "\n") && s.breaks(i) || s.program.ends(i) }

// breaks reports whether a statement ends with the line that token i ends.
func (s *script) breaks(i int) bool {
	next := s.next(i)
	return next >= len(s.program) || s.program[next].kind == word && s.program[next].text != "in" && s.program[next].text != "instanceof"
}

// valueEnd is the token after the value that begins at token i.
func (s *script) valueEnd(i int) int {
	for j := i; j < len(s.program); j++ {
		switch depth := s.program[j].depth; {
		case depth < s.program[i].depth:
			return j
		case depth == s.program[i].depth && (s.is(j, ",") || s.is(j, ";") || s.is(j, "\n") && s.breaks(j)):
			return j
		}
	}
	return len(s.program)
}

// literal returns the value at token i where all of it is, with constants put in.
func (s *script) literal(i, deep int) (value any, ok bool) {
	if to, isConstant := s.constant(i, deep); isConstant {
		i = to
	}
	if i >= len(s.program) || deep > 16 {
		return nil, false
	}
	switch t := s.program[i]; {
	case t.kind == text:
		return t.text, s.ends(i + 1)
	case t.kind == word || s.is(i, "-"):
		value, known := wordValue(s.program[i:])
		if s.is(i, "-") {
			i++
		}
		return value, known && s.ends(i+1)
	case s.is(i, "["):
		list := []any{}
		for j := s.next(i + 1); j < s.end(i)-1; j = s.next(j + 1) {
			element, ok := s.literal(j, deep+1)
			if !ok || s.is(j, ",") {
				return nil, false
			}
			list = append(list, element)
			j = s.valueEnd(j)
		}
		return list, s.ends(s.end(i))
	case s.is(i, "{"):
		m := map[string]any{}
		for e := range s.members(i) {
			value, ok := s.literal(e.at, deep+1)
			if !ok || e.spread || e.at == 0 {
				return nil, false
			}
			m[e.key] = value
		}
		return m, s.ends(s.end(i))
	case s.is(i, "("):
		value, ok = s.literal(s.next(i+1), deep+1)
		return value, ok && s.ends(s.end(i))
	}
	return nil, false
}

// wordValue returns the value that words stand for: a truth value, a number, or nothing.
func wordValue(p program) (value any, known bool) {
	digits := p[0].text
	if digits == "-" && len(p) > 1 {
		digits += p[1].text
	}
	switch digits {
	case "true", "false":
		return digits == "true", true
	case "null", "undefined":
		return nil, true
	}
	if n, err := strconv.Atoi(digits); err == nil {
		return n, true
	}
	n, err := strconv.ParseFloat(digits, 64)
	return n, err == nil && strings.Trim(digits, "-.0123456789") == ""
}

// constant returns the place of the value that the name at token i stands for, whenever it is asked.
func (s *script) constant(i, deep int) (at int, ok bool) {
	if i == 0 || i >= len(s.program) || s.program[i].kind != word || !s.ends(i+1) || deep > 16 {
		return 0, false
	}
	if at = s.declared(s.program[i].text); at == 0 {
		return 0, false
	}
	if _, isFunction := s.body(at); isFunction || s.program[at].text == "class" {
		return 0, false
	}
	s.tell(at)
	if to, ok := s.constant(at, deep+1); ok {
		at = to
	}
	return at, true
}

// declared returns the place of the value of a variable that gets none but this; 0 where there is no such.
func (s *script) declared(name string) (at int) {
	p := s.program
	for i, t := range p {
		if t.kind != word || t.text != name || p.is(i-1, ".") {
			continue
		}
		j := p.next(i + 1)
		declares := i > 0 && slices.Contains([]string{"const", "let", "var"}, p[i-1].text)
		for declares && p.is(p.next(i+1), ":") && j < len(p) && !p.is(j, "=") && !p.is(j, "\n") {
			j++ // its type
		}
		switch {
		case declares && at == 0 && p.is(j, "="):
			at = p.next(j + 1)
		case declares || s.assigns(j):
			return 0
		}
	}
	if at >= len(p) {
		return 0
	}
	return at
}

// assigns reports whether what stands at token i changes what stands before it: =, +=, ++ and their like.
func (s *script) assigns(i int) bool {
	for n := range 4 {
		switch {
		case s.is(i+n, "="):
			return !s.is(i+n+1, "=") && !s.is(i+n+1, ">")
		case n == 1 && (s.is(i, "+") && s.is(i+1, "+") || s.is(i, "-") && s.is(i+1, "-")):
			return true
		case i+n >= len(s.program) || s.program[i+n].kind != mark || !strings.Contains("+-*/%&|?^<>", s.program[i+n].text):
			return false
		}
	}
	return false
}

// declarations are what the statement at token i declares: the places of their values, 0 where they are computed.
func (s *script) declarations(i int) map[string]int {
	p, all := s.program, map[string]int{}
	j := p.next(i + 1)
	if j >= len(p) {
		return nil
	}
	switch p[i].text {
	case "const", "let", "var":
		if p[j].kind == word {
			all[p[j].text] = s.declared(p[j].text)
		}
		for _, t := range p.inside(j) { // { robots } = …
			if t.kind == word {
				all[t.text] = 0
			}
		}
	case "function", "class":
		if p.is(j, "*") {
			j = p.next(j + 1)
		}
		if j < len(p) && p[j].kind == word {
			all[p[j].text] = i
		}
	case "async":
		return s.declarations(j)
	}
	return all
}

// exports are what a program exports.
type exports struct {
	whole  int            // the place of what it exports as a whole; 0 where it does not, or where that is not in it
	module bool           // by export default, not by module.exports
	named  map[string]int // the places of what it exports by name; 0 for what is not in it
	beyond bool           // and what another file does
}

// exported finds what the program exports.
func (s *script) exported() exports {
	p, e := s.program, exports{named: map[string]int{}}
	for i := range p {
		if p[i].kind != word || p[i].depth > 0 || p.is(i-1, ".") {
			continue
		}
		j := p.next(i + 1)
		if j >= len(p) {
			break
		}
		switch {
		case p[i].text == "export" && p[j].text == "default":
			e.whole, e.module = p.next(j+1), true
		case p[i].text == "export" && p.is(j, "{"):
			from := p.next(s.end(j))
			for name, at := range s.listed(j, from < len(p) && p[from].text == "from") {
				if e.named[name] = at; name == "default" {
					e.whole, e.module = at, true
				}
			}
		case p[i].text == "export" && p.is(j, "*"):
			e.beyond = true
		case p[i].text == "export":
			maps.Copy(e.named, s.declarations(j))
		case p[i].text == "exports", p[i].text == "module" && p.is(j, ".") && j+2 < len(p) && p[j+1].text == "exports":
			if p[i].text == "module" {
				j = p.next(j + 2)
			}
			switch k := p.next(j + 2); {
			case s.assigns(j):
				e.whole = p.next(j + 1)
			case p.is(j, ".") && s.assigns(k):
				e.named[p[j+1].text] = p.next(k + 1)
			}
		}
	}
	delete(e.named, "default")
	for name, at := range e.named {
		if at >= len(p) {
			e.named[name] = 0
		}
	}
	if e.whole >= len(p) {
		e.whole, e.beyond = 0, true
	}
	return e
}

// listed are the names of export { a, b as c }, with the places of what they stand for; elsewhere: in another file.
func (s *script) listed(i int, elsewhere bool) map[string]int {
	all := map[string]int{}
	local := ""
	for _, t := range s.inside(i) {
		switch {
		case t.kind == word && t.text != "as":
			if local == "" {
				local = t.text
			} else {
				delete(all, local)
			}
			if all[t.text] = 0; !elsewhere {
				all[t.text] = max(s.declared(local), s.function(local))
			}
		case t.kind == mark && t.text == ",":
			local = ""
		}
	}
	return all
}

// function returns the place of the declaration of a function or class of that name; 0 where there is none.
func (s *script) function(name string) int {
	for i, t := range s.program {
		if t.kind == word && t.text == name && i > 0 && (s.program[i-1].text == "function" || s.program[i-1].text == "class") {
			return i - 1
		}
	}
	return 0
}

// origin returns the place of the value that the one at token i is, or that the function there returns.
func (s *script) origin(i int) (at int, ok bool) {
	called := false
	for range 16 {
		if i <= 0 || i >= len(s.program) {
			return 0, false
		}
		to := 0
		if s.program[i].kind == word && s.ends(i+1) {
			if to = max(s.declared(s.program[i].text), s.function(s.program[i].text)); to > 0 {
				s.tell(to)
			}
		}
		if body, isFunction := s.body(i); to == 0 && isFunction {
			if called {
				return i, true
			}
			if called, to = true, body; s.is(body, "{") {
				if to = s.returned(body); to == 0 {
					return 0, false
				}
			}
		}
		if s.is(i, "(") && to == 0 && s.ends(s.end(i)) {
			to = s.next(i + 1)
		}
		if to == 0 {
			return i, true
		}
		i = to
	}
	return 0, false
}

// body returns the place of what the function at token i comes to: its body, or the value behind an arrow. A method begins
// with its parameters.
func (s *script) body(i int) (at int, ok bool) {
	p := s.program
	if p[i].text == "async" && p[i].kind == word {
		i = p.next(i + 1)
	}
	declared := i < len(p) && p[i].kind == word && p[i].text == "function"
	for declared && i < len(p) && !p.is(i, "(") {
		i++
	}
	switch {
	case i >= len(p):
		return 0, false
	case p.is(i, "("):
		at = p.next(s.end(i))
	case p[i].kind == word:
		at = p.next(i + 1)
	default:
		return 0, false
	}
	for typed := p.is(at, ":"); typed && at < len(p) && !p.is(at, "{") && !(p.is(at, "=") && p.is(at+1, ">")); at++ {
		if p[at].depth < p[i].depth || p.is(at, ",") || p.is(at, ";") {
			return 0, false
		}
	}
	if p.is(at, "=") && p.is(at+1, ">") {
		at = p.next(at + 2)
		return at, at < len(p)
	}
	return at, p.is(i, "(") && p.is(at, "{")
}

// returned returns the place of what a function returns whose body token i opens: 0 where that depends, or is nothing.
func (s *script) returned(i int) (at int) {
	p := s.program
	for j := i + 1; j < s.end(i)-1; j++ {
		if p.is(j, "{") && s.opensBody(j) {
			j = s.end(j) - 1
			continue
		}
		if p[j].kind != word || p[j].text != "return" || p.is(j-1, ".") {
			continue
		}
		before := j - 1
		for p.is(before, "\n") {
			before--
		}
		if at > 0 || p[j].depth > p[i].depth+1 || s.asks(before) || p.is(before, ":") || p[before].text == "else" {
			return 0
		}
		at = p.next(j + 1)
	}
	return at
}

// opensBody reports whether a brace opens the body of a function.
func (s *script) opensBody(i int) bool {
	p := s.program
	for i--; p.is(i, "\n"); i-- {
	}
	if p.is(i, ">") && p.is(i-1, "=") {
		return true
	}
	return p.is(i, ")") && !s.asks(i)
}

// asks reports whether a bracket closes what an if or a loop asks.
func (s *script) asks(i int) bool {
	p := s.program
	for open := i; open > 0 && p.is(i, ")"); open-- {
		if p.is(open, "(") && p[open].depth == p[i].depth {
			return slices.Contains([]string{"if", "for", "await", "while", "switch", "catch", "with"}, p[open-1].text)
		}
	}
	return false
}

// memberOf returns the place of a member of the object or class at token i: its value, or the parameters of a method; 0
// where that is not in the program. Where there surely is none it is not there.
func (s *script) memberOf(i int, name string) (at int, there bool) {
	p := s.program
	if own := p[i]; own.kind == word && s.ends(i+1) && own.text != "class" && own.text != "function" && own.text != "async" {
		if i = max(s.declared(own.text), s.function(own.text)); i == 0 {
			return 0, true
		}
		for j, t := range p { // Page.prototype.data = …
			if t.kind == word && t.text == name && p.is(j-1, ".") && s.assigns(p.next(j+1)) {
				return 0, true
			}
		}
	}
	if _, isFunction := s.body(i); isFunction || p[i].kind == text || p[i].kind == computed {
		return 0, false // what it prints
	}
	if s.is(i, "{") {
		spread := false
		for e := range s.members(i) {
			if e.key == name && !e.spread {
				return max(e.at, e.method), true
			}
			spread = spread || e.spread
		}
		return 0, spread
	}
	if p[i].kind != word || p[i].text != "class" {
		return 0, true
	}
	inherits := false
	for i < len(p) && !p.is(i, "{") {
		inherits = inherits || p[i].text == "extends"
		i++
	}
	for j := i + 1; i < len(p) && j < s.end(i)-1; j++ {
		if p[j].kind != word || p[j].text != name || p[j].depth != p[i].depth+1 || p.is(j-1, ".") {
			continue
		}
		switch k := p.next(j + 1); {
		case p.is(k, "("):
			return k, true
		case s.assigns(k):
			return p.next(k + 1), true
		}
	}
	return 0, inherits
}

// stray are the keys that stand in what was not followed: there they may be put into what was. Of a template, whose other
// parts print, those alone that are put into an object.
func (s *script) stray() (keys []string) {
	for i, t := range s.program {
		if s.told[i] || t.kind != word && t.kind != text || s.is(i-1, "?") {
			continue
		}
		of, j := s.is(i-1, "."), s.next(i+1)
		if s.is(i-1, "[") && s.is(j, "]") {
			of, j = true, s.next(j+1)
		}
		entry := s.is(j, ":") && !(i > 0 && s.program[i-1].text == "case")
		if of && s.assigns(j) || !of && !s.prints && (entry || s.assigns(j)) {
			keys = append(keys, t.text)
		}
	}
	return keys
}

// speaksOf reports whether a program has a word, or a text, that a test passes.
func (p program) speaksOf(test func(string) bool) bool {
	return slices.ContainsFunc(p, func(t token) bool { return t.kind != mark && test(strings.ToLower(t.text)) })
}
