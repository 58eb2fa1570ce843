package headers

import (
	"slices"
	"strings"

	"metarobots/emit/marks"
)

// readUser takes what is ours out of a file. What remains is, byte for byte, what stood there before our first run.
func (h Header) readUser(file []byte) *User {
	u := &User{lines: marks.Read(file), header: h}
	u.lines.TakeLines(func(line string) bool {
		if name, ok := strings.CutPrefix(line, "! "); ok {
			return h.is(name)
		}
		name, _, ok := strings.Cut(line, ":")
		return ok && h.is(trim(name))
	})
	u.text = u.lines.Own()
	return u
}

// line returns the given file's number of a line of the user's text.
func (u *User) line(n int) int {
	if n < 1 || n > len(u.lines.Lines) {
		return n
	}
	return u.lines.Lines[n-1].Number
}

// print returns the whole file: the user's text with rules of ours. Those that are blocks of their own stand in one
// marked block.
func (u *User) print(all []ours) []byte {
	eol, behind, block := u.lines.EOL(), make(map[int]string), []string(nil)
	for _, o := range all {
		if o.place == nil {
			block = append(block, strings.Join(append([]string{o.path}, o.head(u.header.Name)...), eol+"  "))
			continue
		}
		behind[o.place.Line] = u.lines.Mark(o.place.Line, o.head(u.header.Name)...)
		for _, v := range o.after {
			last := o.place.values[len(o.place.values)-1].Line
			behind[last] = u.lines.Mark(last, o.name+": "+v)
		}
	}
	return u.lines.With(block, behind)
}

// stays reports whether our block can stand where it stood: not at the end, if what follows would change what our rules
// mean or be read as part of them.
func (u *User) stays() bool {
	rest := (&marks.Text{Lines: u.lines.Lines[u.lines.At:]}).Own()
	lines := slices.DeleteFunc(splitLines(rest), func(l string) bool { return l == "" || l[0] == '#' })
	if len(lines) > 0 && lines[0][0] != '/' {
		return false // a header would fall to our last rule
	}
	return every(u.engines, func(e *engine) bool {
		return every(e.dialect.Parse(rest, u.header.Name).Rules, func(r Rule) bool { return !r.speaks() })
	})
}
