package robotstxt

import (
	"bytes"
	"slices"
	"strings"
)

// Our marks, as in every file that we add to.
const (
	markBegin = "# metarobots: begin (made by metarobots; edits here are lost)"
	markEnd   = "# metarobots: end"

	markBeginPrefix = "# metarobots: begin"
)

// withoutBlock returns the owner's part of a robots.txt: byte for byte what stood there before our first run. A
// begin mark without an end, which only a person's edit can leave, is the owner's comment.
func withoutBlock(file []byte) []byte {
	for {
		lines := bytes.SplitAfter(file, []byte("\n"))
		begin, end := findBlock(lines)
		if begin < 0 {
			return file
		}
		before, after := bytes.Join(lines[:begin], nil), bytes.Join(lines[end+1:], nil)
		// The line end before the mark is ours. Where the owner's text ended without one and more was added
		// after the block since, it parts the two.
		bare := bytes.TrimSuffix(before, lineEnd(lines[begin]))
		if len(after) == 0 || len(bare) == 0 || bare[len(bare)-1] == '\n' {
			before = bare
		}
		file = slices.Concat(before, after)
	}
}

// findBlock returns the lines of the first begin mark that has an end before the next begin, and of that end; -1
// without one.
func findBlock(lines [][]byte) (begin, end int) {
	begin = -1
	for i, l := range lines {
		switch s := trim(string(l)); {
		case strings.HasPrefix(s, markBeginPrefix):
			begin = i
		case s == markEnd && begin >= 0:
			return begin, i
		}
	}
	return -1, -1
}

// lineEnd returns what ends a line of ours: CRLF or LF.
func lineEnd(line []byte) []byte {
	if bytes.HasSuffix(line, []byte("\r\n")) {
		return line[len(line)-2:]
	}
	return line[len(line)-1:]
}

// withBlock returns the owner's text with our block after it.
func withBlock(own []byte, s sheet) []byte {
	eol := "\n"
	if i := bytes.IndexByte(own, '\n'); i > 0 && own[i-1] == '\r' {
		eol = "\r\n"
	}
	out := slices.Clone(own)
	if len(own) > 0 {
		out = append(out, eol...)
	}
	out = append(out, markBegin+eol...)
	out = append(out, s.text(eol)...)
	return append(out, markEnd+eol...)
}
