package servers

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// Our marks. Between them stand our lines and nothing else.
const (
	markBegin       = "# metarobots: begin (made by metarobots; edits here are lost)"
	markBeginPrefix = "# metarobots: begin"
	markEnd         = "# metarobots: end"
)

// textFile is a text file of the user's that may have a block of ours.
type textFile struct {
	text []byte // the user's own, byte for byte as it stood before our first run
	at   int    // where in it our block stood; the end where there was none
	// ours are the lines of our block, own the user's but for comments.
	ours, own []numbered
	// last is the line of our last mark; 0 where there is no block.
	last int
}

// numbered is a line without blanks around it, and its number, from 1.
type numbered struct {
	text string
	line int
}

// readText takes our block out of a file. A begin mark without an end, which only a person's edit can leave, is a
// comment of the user's.
func readText(file []byte) *textFile {
	t := &textFile{text: file, at: len(file)}
	var all []numbered
	begin, head, offset, next := 0, 0, 0, 0
	for line := range strings.Lines(string(file)) {
		l := numbered{strings.TrimSpace(line), len(all) + 1}
		all = append(all, l)
		switch {
		case t.last > 0:
		case strings.HasPrefix(l.text, markBeginPrefix):
			begin, head = l.line, offset
		case l.text == markEnd && begin > 0:
			t.last, next = l.line, offset+len(line)
		}
		offset += len(line)
	}
	for _, l := range all {
		if begin < l.line && l.line < t.last {
			t.ours = append(t.ours, l)
		} else if l.text != "" && l.text[0] != '#' {
			t.own = append(t.own, l)
		}
	}
	if t.last == 0 {
		return t
	}
	// One line end before the block is ours, see print.
	eol := eolOf(file)
	before, ok := bytes.CutSuffix(file[:head], []byte(eol))
	if !ok {
		before = bytes.TrimSuffix(before, []byte("\n"))
	}
	// What a person wrote after the block starts a line of its own.
	if next < len(file) && len(before) > 0 && !bytes.HasSuffix(before, []byte("\n")) {
		before = append(bytes.Clone(before), eol...)
	}
	t.at = len(before)
	t.text = slices.Concat(before, file[next:])
	return t
}

// eolOf returns the line end to write in: that of the first line.
func eolOf(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// print returns the user's text with a block of ours: where one stood, else at the end. One line end before it is ours,
// so that it can be taken back without a guess. No lines: no block.
func (t *textFile) print(lines []string) []byte {
	if len(lines) == 0 {
		if len(t.text) == 0 {
			return nil
		}
		return t.text
	}
	eol := eolOf(t.text)
	var b bytes.Buffer
	b.Write(t.text[:t.at])
	if t.at > 0 {
		b.WriteString(eol)
	}
	b.WriteString(markBegin + eol)
	for _, l := range lines {
		b.WriteString(l + eol)
	}
	b.WriteString(markEnd + eol)
	b.Write(t.text[t.at:])
	return b.Bytes()
}

// printMap prints the block of a server that has an entry for each path. What the user's configuration refers to stays
// when nothing is wanted any more.
func (c *compiler) printMap(lines []string) {
	if c.res.Rules = c.count(); c.everywhere != "" {
		c.res.Rules++
	}
	if c.res.Rules == 0 && c.user.text.last == 0 {
		lines = nil
	}
	c.res.File = c.user.text.print(lines)
}

// isOurs reports whether a line stands between our marks.
func (t *textFile) isOurs(line int) bool {
	return len(t.ours) > 0 && t.ours[0].line <= line && line < t.last
}

// robots are the user's lines about the header.
func (t *textFile) robots() (about []numbered) {
	for _, l := range t.own {
		if strings.Contains(strings.ToLower(l.text), strings.ToLower(robotstag.Name)) {
			about = append(about, l)
		}
	}
	return about
}

// readLines reads a web server's file of which no line about the header is read.
func readLines(serves serving) func(file []byte) (*User, error) {
	return func(file []byte) (*User, error) {
		u := &User{serves: serves, text: readText(file)}
		for _, l := range u.text.robots() {
			u.leaveUnread(l.line, "line", "")
		}
		return u, nil
	}
}

// words takes a line apart at blanks. What stands in quotes may hold some; a backslash stands there for the quote
// behind it, and everywhere for a backslash; before any other character it is one.
func words(line, quotes string) (all []string, err error) {
	for rest := line; ; {
		rest = strings.TrimLeft(rest, " \t")
		if rest == "" {
			return all, nil
		}
		until, escaped := " \t", `\`
		if quote := rest[:1]; strings.Contains(quotes, quote) {
			until, escaped, rest = quote, `\`+quote, rest[1:]
		}
		var b strings.Builder
		i := 0
		for ; i < len(rest) && strings.IndexByte(until, rest[i]) < 0; i++ {
			if rest[i] == '\\' && i+1 == len(rest) {
				return nil, errors.New("the line goes on")
			}
			if rest[i] == '\\' && strings.IndexByte(escaped, rest[i+1]) >= 0 {
				i++
			}
			b.WriteByte(rest[i])
		}
		if i == len(rest) && until != " \t" {
			return nil, fmt.Errorf("no end of the quoted text %q", rest)
		}
		all = append(all, b.String())
		rest = rest[min(i+1, len(rest)):]
	}
}
