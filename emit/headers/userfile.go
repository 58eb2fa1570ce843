package headers

import (
	"slices"
	"strings"

	"metarobots/emit/marks"
)

// A line of ours in a block of the user's has a mark of its own before it. markLast says that even the line end before
// the mark is ours: the user's file ended without one.
const (
	markLine = "# metarobots"
	markLast = "# metarobots (with the line end before it)"
)

// line returns the given file's number of a line of the user's text.
func (u *User) line(n int) int {
	if n < 1 || n > len(u.Lines) {
		return n
	}
	return u.Lines[n-1].Number
}

// readUser takes our block and our marked lines out of a file. What remains is, byte for byte, what stood there before
// our first run.
func readUser(file []byte) *User {
	u := &User{Text: marks.Read(file)}
	all, at := u.Lines, u.At
	u.Lines = nil
	for i := 0; i < len(all); i++ {
		mark := all[i].Trim()
		if i == at {
			u.At = len(u.Lines)
		}
		switch {
		case mark != markLine && mark != markLast:
			u.Lines = append(u.Lines, all[i])
		case i+1 < len(all) && isOurs(all[i+1].Trim()):
			if i++; mark == markLast && len(u.Lines) > 0 {
				// The user's last line ends as ours does now, where something was added behind that.
				last, ours := &u.Lines[len(u.Lines)-1].Text, all[i].Text
				if *last = strings.TrimRight(*last, "\r\n"); i+1 < len(all) {
					*last += ours[len(strings.TrimRight(ours, "\r\n")):]
				}
			}
		}
	}
	if at == len(all) {
		u.At = len(u.Lines)
	}
	u.text = u.Own()
	return u
}

// isOurs reports whether a line can be one that we put into a user's block. After an edit that parted it from its mark,
// only the mark is ours.
func isOurs(line string) bool {
	if name, ok := strings.CutPrefix(line, "! "); ok {
		return strings.EqualFold(name, Name)
	}
	name, _, ok := strings.Cut(line, ":")
	return ok && strings.EqualFold(trim(name), Name)
}

// print returns the whole file: the user's text with rules of ours. Those that are blocks of their own stand in one
// marked block.
func (u *User) print(all []ours) []byte {
	eol, marked, block := u.EOL(), make(map[int]string), []string(nil)
	mark := func(line int, ours []string) {
		before, mark, end := "", markLine, eol
		if !strings.HasSuffix(u.Lines[line-1].Text, "\n") {
			before, mark, end = eol, markLast, ""
		}
		marked[line] = ""
		for _, l := range ours {
			marked[line] += before + mark + eol + "  " + l + end
		}
	}
	for _, o := range all {
		if o.place == nil {
			block = append(block, strings.Join(append([]string{o.path}, o.head()...), eol+"  "))
			continue
		}
		mark(o.place.Line, o.head())
		if len(o.after) > 0 {
			own := o.place.robots()
			mark(own[len(own)-1].Line, o.print(o.after))
		}
	}
	return u.With(block, marked)
}

// stays reports whether our block can stand where it stood: not at the end, if what follows would change what our rules
// mean or be read as part of them.
func (u *User) stays() bool {
	rest := (&marks.Text{Lines: u.Lines[u.At:]}).Own()
	lines := slices.DeleteFunc(splitLines(rest), func(l string) bool { return l == "" || l[0] == '#' })
	if len(lines) > 0 && lines[0][0] != '/' {
		return false // a header would fall to our last rule
	}
	return !slices.ContainsFunc(u.engines, func(e *engine) bool {
		return slices.ContainsFunc(e.Parse(rest).Rules, func(r Rule) bool { return r.speaks() })
	})
}
