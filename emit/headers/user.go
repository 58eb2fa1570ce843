package headers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
)

// User is the user's own part of a _headers file, ours left out, as each host of a target reads it.
type User struct {
	lines   *marks.Text
	text    []byte // byte for byte what the file held before our first run
	header  robotstag.Header
	host    string
	engines []*engine
}

// engine is one dialect with its reading of the user's file.
type engine struct {
	dialect *Dialect
	file    *File
	base    *File // the same with the /* rule of an environment
}

// ReadUser reads the user's own rules for a header as the target would serve them at the host. Rules with wildcards that
// cannot be matched within limits are an error.
func ReadUser(user []byte, header robotstag.Header, o robotstag.Options) (*User, error) {
	dialects, err := Dialects(o.Target)
	if err != nil {
		return nil, err
	}
	u := readUser(user)
	u.header, u.host = header, o.Host
	for _, d := range dialects {
		e := &engine{dialect: d, file: d.Parse(u.text, header.Name)}
		e.base = e.file
		u.engines = append(u.engines, e)
		err = cmp.Or(err, e.file.tooWild())
	}
	if !u.stays() {
		u.lines.At = len(u.lines.Lines)
	}
	return u, err
}

// readUser takes what is ours out of a file.
func readUser(file []byte) *User {
	u := &User{lines: marks.Read(file)}
	u.lines.TakeLines(func(header, line string) bool {
		name, ok := strings.CutPrefix(line, "! ")
		if !ok {
			name, _, ok = strings.Cut(line, ":")
			name = trim(name)
		}
		return ok && strings.EqualFold(name, cmp.Or(header, robotstag.Name))
	})
	u.text = u.lines.Own()
	return u
}

// stays reports whether our block can keep its place: not at the end, if what follows would change what our rules
// mean or be read as part of them.
func (u *User) stays() bool {
	rest := (&marks.Text{Lines: u.lines.Lines[u.lines.At:]}).Own()
	lines := slices.DeleteFunc(splitLines(rest), func(l string) bool { return l == "" || l[0] == '#' })
	if len(lines) > 0 && lines[0][0] != '/' {
		return false // a header would fall to our last rule
	}
	return every(u.engines, func(e *engine) bool {
		return !slices.ContainsFunc(e.dialect.Parse(rest, u.header.Name).Rules, Rule.concerns)
	})
}

// Found returns the header's lines of the user's own rules that apply to a published file at any of its request
// paths, in the order of the file. For [TargetPortable] these are the lines that either host would serve.
func (u *User) Found(publishPath string) []robotstag.Value {
	var all []robotstag.Value
	for _, s := range u.requests(publishPath) {
		for _, v := range u.own(s) {
			v.Line = u.line(v.Line)
			all = append(all, v)
		}
	}
	return robotstag.Distinct(all)
}

// request is a request path as one host serves it.
type request struct {
	form  string
	on    *engine
	want  int32 // the file that is served there
	class uint8 // the place of its suffix in [inForce]
	right bool  // the file is served with its value without a rule of ours
}

// requests are those for a published file, on each host.
func (u *User) requests(publishPath string) (all []request) {
	for _, e := range u.engines {
		served, _ := Forms(e.dialect, publishPath)
		for _, f := range served {
			all = append(all, request{form: f, on: e})
		}
	}
	return all
}

// own returns what the user's rules give a request, and base what it gets without any of ours but the environment's.
func (u *User) own(s request) []robotstag.Value {
	return s.on.dialect.Values(s.on.file, u.host, s.form)
}

func (u *User) base(s request) (rules []*Rule, text string) {
	rules = s.on.dialect.matching(s.on.base, u.host, s.form)
	return rules, robotstag.Join(s.on.dialect.combine(rules, u.host, s.form))
}

// line returns the given file's number of a line of the user's text.
func (u *User) line(n int) int {
	if n < 1 || n > len(u.lines.Lines) {
		return n
	}
	return u.lines.Lines[n-1].Number
}

// added is a rule of ours: a block of its own, or lines in a block of the user's.
type added struct {
	path   string // of its block
	place  *Rule  // the user's block that the lines go into, if any
	header string
	name   string // the header's, as the rule writes it
	detach bool   // what earlier rules set is taken away first
	// before and after are values. In a block of the user's, they stand around its own values of the header.
	before, after []string
}

// print returns the whole file: the user's text with rules of ours. Those that are blocks of their own stand in one
// marked block, those of one path as one rule.
func (u *User) print(all []added) []byte {
	eol, behind, block := u.lines.EOL(), make(map[int]string), []string(nil)
	at := make(map[string]int, len(all))
	for _, a := range all {
		var lines []string
		if a.detach {
			lines = append(lines, "! "+a.header)
		}
		for _, v := range a.before {
			lines = append(lines, a.name+": "+v)
		}
		if a.place == nil {
			i, again := at[a.path]
			if !again {
				i, block = len(block), append(block, a.path)
				at[a.path] = i
			}
			block[i] += eol + "  " + strings.Join(lines, eol+"  ")
			continue
		}
		mark := a.header
		if mark == robotstag.Name {
			mark = ""
		}
		behind[a.place.Line] += u.lines.Mark(a.place.Line, mark, lines...)
		for _, v := range a.after {
			last := a.place.values[len(a.place.values)-1].Line
			behind[last] += u.lines.Mark(last, mark, a.name+": "+v)
		}
	}
	return u.lines.With(block, behind)
}

// around completes the user's block of a path to the wanted value: what it says of the header itself must be a part of
// that, and ours stands around it. It is nil where that cannot be.
func (c *compiler) around(block *Rule, wanted string, lines []string) *added {
	switch {
	case block == nil:
		return nil
	case len(block.values) == 0:
		return &added{place: block, header: c.header.Name, name: c.name, before: lines}
	}
	before, after, ok := strings.Cut(", "+wanted+", ", ", "+robotstag.Join(block.values)+", ")
	a := &added{place: block, header: c.header.Name, name: block.values[len(block.values)-1].Name}
	if before = strings.TrimPrefix(before, ", "); before != "" {
		a.before = []string{before}
	}
	if after = strings.TrimSuffix(after, ", "); after != "" {
		a.after = []string{after}
	}
	if !ok || badValues(a.name, slices.Concat(a.before, a.after)) != "" { // several in one line can be too long
		return nil
	}
	return a
}

// badValues says why values cannot stand in a _headers file, or "".
func badValues(header string, values []string) string {
	for _, v := range values {
		odd := func(r rune) bool { return r < ' ' || r > '~' }
		switch {
		case strings.ContainsFunc(v, odd):
			return fmt.Sprintf("the value %q has a character that is not printable ASCII", v)
		case v == "" || trim(v) != v || commas(v) != v:
			return fmt.Sprintf("the value %q is empty or has blanks where engines change them", v)
		case len(header+": "+v) > CloudflareLine:
			return fmt.Sprintf("a value of %d characters makes a line longer than %d", len(v), CloudflareLine)
		}
	}
	return ""
}
