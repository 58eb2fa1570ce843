package headers

import (
	"bytes"
	"slices"
	"strings"
)

// Our marks. A line of ours in a block of the user's has a mark of its own
// before it. markLast says that even the line end before the mark is ours: the
// user's file ended without one.
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
	text []byte
	// lines maps the text's lines, from 0, to the given file's, from 1.
	lines []int
	// at is the offset in text where our block stood, -1 without one.
	at int
	// ends are the offsets behind the lines of text, once they are needed.
	ends []int
}

// line returns the given file's number of a line of the user's text.
func (u *userFile) line(n int) int {
	if n < 1 || n > len(u.lines) {
		return n
	}
	return u.lines[n-1]
}

// numbered is a line with its number in the given file, from 1.
type numbered struct {
	text []byte
	n    int
}

// readUser takes our block and our marked lines out of a file. What remains is,
// byte for byte, what stood there before our first run. A begin mark without an
// end, which only a person's edit can leave, is a comment of the user's.
func readUser(file []byte) *userFile {
	u := &userFile{at: -1}
	u.takeLines(u.withoutBlocks(splitKeep(file)))
	return u
}

// withoutBlocks takes out what stands between each begin mark and the next end.
func (u *userFile) withoutBlocks(lines [][]byte) []numbered {
	kept := make([]numbered, 0, len(lines))
	size := 0
	var begins []int // places in kept
	pop := func() {
		last := len(kept) - 1
		size -= len(kept[last].text)
		kept = kept[:last]
	}
	for i, l := range lines {
		s := trim(string(l))
		if s != MarkEnd || len(begins) == 0 {
			if strings.HasPrefix(s, MarkPrefix) {
				begins = append(begins, len(kept))
			}
			kept = append(kept, numbered{l, i + 1})
			size += len(l)
			continue
		}
		begin := begins[len(begins)-1]
		begins = begins[:len(begins)-1]
		eol := lineEnd(kept[begin].text)
		for len(kept) > begin {
			pop()
		}
		// The line end before the begin mark was written by us: see print.
		if n := len(kept); n > 0 {
			last := kept[n-1].text
			bare := bytes.TrimSuffix(last, eol)
			if len(bare) == len(last) {
				bare = bytes.TrimSuffix(last, []byte("\n"))
			}
			switch {
			case len(bare) > 0 && i == len(lines)-1:
				kept[n-1].text = bare
				size -= len(last) - len(bare)
			case len(bare) == 0 && n > 1:
				pop()
			}
		}
		if u.at < 0 {
			u.at = size
		}
	}
	return kept
}

// takeLines keeps the lines that are not marked as ours.
func (u *userFile) takeLines(lines []numbered) {
	at := u.at
	offset := 0
	for i := 0; i < len(lines); i++ {
		l := lines[i].text
		mark := mark(l)
		if mark == "" {
			u.text = append(u.text, l...)
			u.lines = append(u.lines, lines[i].n)
			offset += len(l)
			continue
		}
		gone := len(l)
		ours := i+1 < len(lines) && isOurs(lines[i+1].text)
		if ours {
			i++
			gone += len(lines[i].text)
		}
		offset += gone
		before := at >= offset
		if mark == markLast && ours && i > 1 {
			eol := lineEnd(l)
			u.text = bytes.TrimSuffix(u.text, eol)
			gone += len(eol)
			if tail := lineEnd(lines[i].text); i+1 < len(lines) {
				u.text = append(u.text, tail...)
				gone -= len(tail)
			}
		}
		if before {
			u.at -= gone
		}
	}
}

// mark returns the mark for the next line that a line is, or "".
func mark(line []byte) string {
	if s := trim(string(line)); s == markLine || s == markLast {
		return s
	}
	return ""
}

// isOurs reports whether a line can be one that we put into a user's block.
// After an edit that parted it from its mark, only the mark is ours.
func isOurs(line []byte) bool {
	s := trim(string(line))
	if name, ok := strings.CutPrefix(s, "! "); ok {
		return strings.EqualFold(name, Name)
	}
	name, _, ok := strings.Cut(s, ":")
	return ok && strings.EqualFold(trim(name), Name)
}

// splitKeep splits after each line feed.
func splitKeep(text []byte) [][]byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	return lines
}

// lineEnd returns what ends a line: CRLF, LF or nothing.
func lineEnd(line []byte) []byte {
	switch {
	case bytes.HasSuffix(line, []byte("\r\n")):
		return line[len(line)-2:]
	case bytes.HasSuffix(line, []byte("\n")):
		return line[len(line)-1:]
	}
	return nil
}

// eol returns the line end to write in: the file's own, by its first line.
func (u *userFile) eol() string {
	if i := bytes.IndexByte(u.text, '\n'); i > 0 && u.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// edit is a text to insert into the user's file.
type edit struct {
	at   int
	text string
}

// after returns the edit that puts marked lines after a line, from 1, of the
// user's text.
func (u *userFile) after(line int, ours []string) edit {
	eol := u.eol()
	if u.ends == nil {
		for end := 0; ; u.ends = append(u.ends, end) {
			i := bytes.IndexByte(u.text[end:], '\n')
			if end += i + 1; i < 0 {
				u.ends = append(u.ends, len(u.text))
				break
			}
		}
	}
	e := edit{at: u.ends[line-1]}
	var b strings.Builder
	if e.at == 0 || u.text[e.at-1] != '\n' {
		for _, l := range ours {
			b.WriteString(eol + markLast + eol + "  " + l)
		}
	} else {
		for _, l := range ours {
			b.WriteString(markLine + eol + "  " + l + eol)
		}
	}
	e.text = b.String()
	return e
}

// block is a rule of ours as it is printed.
type block struct {
	path  string
	lines []string
}

// print returns the whole file: the user's text with the edits, and our block
// at an offset of that text, or no block where there are no blocks.
func (u *userFile) print(edits []edit, blocks []block, at int) []byte {
	if len(edits) == 0 && len(blocks) == 0 {
		return u.text
	}
	eol := u.eol()
	edits = slices.Clone(edits)
	if len(blocks) > 0 {
		var b strings.Builder
		// One line end before the block is ours, whether or not the user's last
		// line has one: so it can be taken back without a guess.
		if at > 0 {
			b.WriteString(eol)
		}
		b.WriteString(markBegin + eol)
		for _, bl := range blocks {
			b.WriteString(bl.path + eol)
			for _, l := range bl.lines {
				b.WriteString("  " + l + eol)
			}
		}
		b.WriteString(MarkEnd + eol)
		edits = append(edits, edit{at, b.String()})
	}
	// Stable: at one offset an insertion into a block comes before our own block.
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at - b.at })
	var out []byte
	from := 0
	for _, e := range edits {
		out = append(out, u.text[from:e.at]...)
		out = append(out, e.text...)
		from = e.at
	}
	return append(out, u.text[from:]...)
}

// stays reports whether our block can stand where it stood: not at the end, if
// what follows would change what our rules mean or be read as part of them.
func (u *userFile) stays(dialects []*Dialect) bool {
	if u.at < 0 || u.at > len(u.text) || u.at > 0 && u.text[u.at-1] != '\n' {
		return u.at == len(u.text)
	}
	rest := u.text[u.at:]
	for _, l := range splitLines(rest) {
		if l == "" || l[0] == '#' {
			continue
		}
		if l[0] != '/' {
			return false // a header would fall to our last rule
		}
		break
	}
	for _, d := range dialects {
		for _, r := range d.Parse(rest).Rules {
			if r.speaks() {
				return false
			}
		}
	}
	return true
}
