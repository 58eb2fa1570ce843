package servers

import (
	"bytes"
	"strings"

	"metarobots/emit/robotstag"
)

// Our marks. Between them stand our lines and nothing else.
const (
	markBegin       = "# metarobots: begin (made by metarobots; edits here are lost)"
	markBeginPrefix = "# metarobots: begin"
	markEnd         = "# metarobots: end"
)

// userText is the user's own part of a text file.
type userText struct {
	text []byte
	at   int    // where our block stood; the end where there was none
	ours string // our block as it stood, without the marks
	had  bool
}

// readText takes our block out of a file. What remains is, byte for byte, what
// stood there before our first run. A begin mark without an end, which only a
// person's edit can leave, is a comment of the user's.
func readText(file []byte) userText {
	begin, inner, end, next := -1, 0, 0, 0
	offset := 0
	for line := range bytes.Lines(file) {
		switch s := strings.TrimSpace(string(line)); {
		case strings.HasPrefix(s, markBeginPrefix):
			begin, inner = offset, offset+len(line)
		case s == markEnd && begin >= 0 && next == 0:
			end, next = offset, offset+len(line)
		}
		offset += len(line)
		if next > 0 {
			break
		}
	}
	if next == 0 {
		return userText{text: file, at: len(file)}
	}
	u := userText{ours: string(file[inner:end]), had: true}
	// One line end before the block is ours, see print.
	head := file[:begin]
	if cut, ok := bytes.CutSuffix(head, []byte(eolOf(file))); ok {
		head = cut
	} else {
		head = bytes.TrimSuffix(head, []byte("\n"))
	}
	u.at = len(head)
	tail := file[next:]
	// What a person wrote after the block starts a line of its own.
	if len(tail) > 0 && len(head) > 0 && head[len(head)-1] != '\n' {
		head = append(bytes.Clone(head), eolOf(file)...)
		u.at = len(head)
	}
	u.text = append(bytes.Clone(head), tail...)
	return u
}

// eolOf returns the line end to write in: that of the first line.
func eolOf(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// print returns the user's text with a block of ours: where one stood, else at
// the end. One line end before it is ours, so that it can be taken back without
// a guess. No lines: no block.
func (u userText) print(lines []string) []byte {
	if len(lines) == 0 {
		if len(u.text) == 0 {
			return nil
		}
		return u.text
	}
	eol := eolOf(u.text)
	var b bytes.Buffer
	b.Write(u.text[:u.at])
	if u.at > 0 {
		b.WriteString(eol)
	}
	b.WriteString(markBegin + eol)
	for _, l := range lines {
		b.WriteString(l + eol)
	}
	b.WriteString(markEnd + eol)
	b.Write(u.text[u.at:])
	return b.Bytes()
}

// lastRobots returns where in the user's text the last line about the header
// ends; 0 without one.
func (u userText) lastRobots() (last int) {
	offset := 0
	for line := range bytes.Lines(u.text) {
		offset += len(line)
		s := strings.ToLower(strings.TrimSpace(string(line)))
		if !strings.HasPrefix(s, "#") && strings.Contains(s, strings.ToLower(robotstag.Name)) {
			last = offset
		}
	}
	return last
}
