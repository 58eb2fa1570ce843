package headers

import (
	"bytes"
	"slices"
	"strings"
)

// Our marks. A line of ours in a block of the user's has a mark of its own before it. markLast says that even the line
// end before the mark is ours: the user's file ended without one.
const (
	markBegin = MarkPrefix + " (made by metarobots; edits here are lost)"
	markLine  = "# metarobots"
	markLast  = "# metarobots (with the line end before it)"

	// MarkPrefix is what the line before our block begins with, MarkEnd the whole line behind it.
	MarkPrefix = "# metarobots: begin"
	MarkEnd    = "# metarobots: end"
)

// userFile is the user's own part of a _headers file.
type userFile struct {
	text  []byte
	lines []numbered
	// at is how many lines are before the place where our block stood, -1 without one.
	at int
}

// numbered is a line with its number in the given file, from 1.
type numbered struct {
	text []byte // with its line end
	n    int
}

// line returns the given file's number of a line of the user's text.
func (u *userFile) line(n int) int {
	if n < 1 || n > len(u.lines) {
		return n
	}
	return u.lines[n-1].n
}

// readUser takes our block and our marked lines out of a file. What remains is, byte for byte, what stood there before
// our first run. A begin mark without an end, which only a person's edit can leave, is a comment of the user's.
func readUser(file []byte) *userFile {
	u := &userFile{at: -1}
	lines := bytes.SplitAfter(file, []byte("\n"))
	if last := len(lines) - 1; len(lines[last]) == 0 {
		lines = lines[:last]
	}
	var begins []int // places in u.lines
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		mark := trim(string(l))
		last := i == len(lines)-1
		switch {
		case mark == MarkEnd && len(begins) > 0:
			u.takeBlock(begins[len(begins)-1], last)
			begins = begins[:len(begins)-1]
			continue
		case strings.HasPrefix(mark, MarkPrefix):
			begins = append(begins, len(u.lines))
		case mark == markLine || mark == markLast:
			if !last && isOurs(lines[i+1]) {
				if i++; mark == markLast {
					u.endLast(l, lines[i], i == len(lines)-1)
				}
			}
			continue
		}
		u.lines = append(u.lines, numbered{l, i + 1})
	}
	u.text = join(u.lines)
	return u
}

// join returns the text of lines.
func join(lines []numbered) []byte {
	var b bytes.Buffer
	for _, l := range lines {
		b.Write(l.text)
	}
	return b.Bytes()
}

// takeBlock takes out our block, whose begin mark has a place among the lines. The line end before it was written by
// us: see print.
func (u *userFile) takeBlock(begin int, atEnd bool) {
	eol := lineEnd(u.lines[begin].text)
	u.lines = u.lines[:begin]
	if begin > 0 {
		before := &u.lines[begin-1]
		bare, ok := bytes.CutSuffix(before.text, eol)
		if !ok || len(eol) == 0 {
			bare = bytes.TrimSuffix(before.text, []byte("\n"))
		}
		switch {
		case len(bare) > 0 && atEnd:
			before.text = bare
		case len(bare) == 0 && begin > 1:
			u.lines = u.lines[:begin-1]
		}
	}
	if u.at < 0 || u.at > len(u.lines) {
		u.at = len(u.lines)
	}
}

// endLast takes the line end before a mark away, or gives the last line the end that stands behind our line, where
// something was added there.
func (u *userFile) endLast(mark, ours []byte, atEnd bool) {
	if len(u.lines) == 0 {
		return
	}
	last := &u.lines[len(u.lines)-1]
	bare := bytes.TrimSuffix(last.text, lineEnd(mark))
	if last.text = bare; !atEnd {
		last.text = slices.Concat(bare, lineEnd(ours))
	}
}

// isOurs reports whether a line can be one that we put into a user's block. After an edit that parted it from its mark,
// only the mark is ours.
func isOurs(line []byte) bool {
	s := trim(string(line))
	if name, ok := strings.CutPrefix(s, "! "); ok {
		return strings.EqualFold(name, Name)
	}
	name, _, ok := strings.Cut(s, ":")
	return ok && strings.EqualFold(trim(name), Name)
}

// lineEnd returns what ends a line: CRLF, LF or nothing.
func lineEnd(line []byte) []byte {
	bare, ok := bytes.CutSuffix(line, []byte("\n"))
	if !ok {
		return nil
	}
	return line[len(bytes.TrimSuffix(bare, []byte("\r"))):]
}

// eol returns the line end to write in: the file's own, by its first line.
func (u *userFile) eol() string {
	if len(u.lines) > 0 && bytes.HasSuffix(u.lines[0].text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// print returns the whole file: the user's text with rules of ours, of which some are blocks of their own. Those stand
// in one marked block behind so many lines of that text.
func (u *userFile) print(all []ours, blocks, at int) []byte {
	if len(all) == 0 {
		return u.text
	}
	eol := u.eol()
	marked := make(map[int]string) // what comes behind lines
	mark := func(line int, ours []string) {
		before, mark, end := "", markLine, eol
		if lineEnd(u.lines[line-1].text) == nil {
			before, mark, end = eol, markLast, ""
		}
		marked[line] = ""
		for _, l := range ours {
			marked[line] += before + mark + eol + "  " + l + end
		}
	}
	var block bytes.Buffer
	for _, o := range all {
		if o.place == nil {
			block.WriteString(strings.Join(append([]string{o.path}, o.head()...), eol+"  ") + eol)
			continue
		}
		mark(o.place.Line, o.head())
		if len(o.after) > 0 {
			own := o.place.robots()
			mark(own[len(own)-1].Line, o.print(o.after))
		}
	}
	var b bytes.Buffer
	for n := range len(u.lines) + 1 {
		if n > 0 {
			b.Write(u.lines[n-1].text)
			b.WriteString(marked[n])
		}
		if n != at || blocks == 0 {
			continue
		}
		// One line end before the block is ours, whether or not the user's last line has one: so it can be taken back
		// without a guess.
		if n > 0 {
			b.WriteString(eol)
		}
		b.WriteString(markBegin + eol + block.String() + MarkEnd + eol)
	}
	return b.Bytes()
}

// stays reports whether our block can stand where it stood: not at the end, if what follows would change what our rules
// mean or be read as part of them.
func (u *User) stays() bool {
	if u.at < 0 {
		return false
	}
	rest := join(u.lines[u.at:])
	lines := slices.DeleteFunc(splitLines(rest), func(l string) bool { return l == "" || l[0] == '#' })
	if len(lines) > 0 && lines[0][0] != '/' {
		return false // a header would fall to our last rule
	}
	return !slices.ContainsFunc(u.engines, func(e *engine) bool {
		return slices.ContainsFunc(e.Parse(rest).Rules, func(r Rule) bool { return r.speaks() })
	})
}
