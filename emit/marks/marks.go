// Package marks parts what we wrote into an owner's text file from what the owner wrote. Ours is in
// one block between two marks, and can be taken out again byte for byte.
package marks

import (
	"bytes"
	"slices"
	"strings"

	"metarobots/internal/lazyregexp"
)

// The lines around our block.
const (
	// Prefix is what the line before the block begins with.
	Prefix = "# metarobots: begin"
	Begin  = Prefix + " (made by metarobots; edits here are lost)"
	End    = "# metarobots: end"
)

// Line is a line with its end, and its number in the file, from 1.
type Line struct {
	Text   string
	Number int
}

// Trim returns the line without its end and the blanks around it.
func (l Line) Trim() string { return strings.Trim(l.Text, " \t\r\n\v\f\uFEFF") }

// lineEnd returns what ends a line: CRLF, LF or nothing.
func lineEnd(line string) string {
	return line[len(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")):]
}

// Text is an owner's file, what is ours taken out.
type Text struct {
	// Lines are the owner's: joined they are the file before our first run.
	Lines []Line
	// Block are the lines of our block, Last the number of its end mark; 0 without a block.
	Block []Line
	Last  int
	// At is how many of the owner's lines are before the block: all where there is none.
	At int
	// Broken is the number of the first mark that has lost its other half, 0 if all are in pairs.
	// Only a person's edit, or a merge of two branches, can part them.
	Broken int
}

// Read takes our block out of a file, which may have none. Of several blocks, which only a merge of
// branches makes, each is taken out: Block and Last are of the last one, and At is the place of the
// first. A mark without its other half is a comment of the owner's, and what follows it is the
// owner's too: of two begin marks in a row the first has lost its end, of two end marks the second
// its begin. With a mark in each line, and the lines a, b and c of text:
//
//	the file                    Lines             Block   At   Last   Broken
//	a begin b end c             a c               b       1    4      0
//	begin a begin b end c end   begin a c end     b       2    5      1
//	a b                         a b               none    2    0      0
func Read(file []byte) *Text {
	t := &Text{At: noPlace}
	begin := noPlace // of the begin mark whose end mark is still to come, in t.Lines
	all := slices.Collect(strings.Lines(string(file)))
	for i, line := range all {
		l := Line{Text: line, Number: i + 1}
		hasBegun := begin != noPlace
		isBegin, isEnd := strings.HasPrefix(l.Trim(), Prefix), l.Trim() == End
		if isEnd && hasBegun {
			isLastLine := i == len(all)-1
			t.take(begin, isLastLine)
			begin, t.Last = noPlace, l.Number
			continue // the end mark is ours
		}
		switch {
		case isEnd:
			t.noteBroken(l)
		case isBegin && hasBegun:
			t.noteBroken(t.Lines[begin])
		}
		if isBegin {
			begin = len(t.Lines)
		}
		t.Lines = append(t.Lines, l) // a block's too: take moves them, once its end has come
	}
	if begin != noPlace {
		t.noteBroken(t.Lines[begin])
	}
	if hadNoBlock := t.At == noPlace; hadNoBlock {
		t.At = len(t.Lines)
	}
	return t
}

// noPlace is that of a line which is not there, and of the block until one is taken out.
const noPlace = -1

// noteBroken notes the line of a mark that has lost its other half. Broken keeps the first of
// several, which may be noted in any order.
func (t *Text) noteBroken(mark Line) {
	if t.Broken == 0 || mark.Number < t.Broken {
		t.Broken = mark.Number
	}
}

// take moves a block from Lines to Block, and its begin mark out of both. The mark is at the place
// begin of Lines, which end with the block's last line. isAtEnd: the block's end mark is the last
// line of the file. [Text.With] has put the line end before the block, so that goes too, unless
// something follows the block: then the owner needs it by now.
func (t *Text) take(begin int, isAtEnd bool) {
	eol := lineEnd(t.Lines[begin].Text)
	t.Block = slices.Clone(t.Lines[begin+1:])
	if t.Lines = t.Lines[:begin]; begin > 0 {
		before := &t.Lines[begin-1].Text
		bare, ok := strings.CutSuffix(*before, eol)
		if !ok { // an editor has rewritten one of the two
			bare = strings.TrimSuffix(*before, "\n")
		}
		switch {
		case bare == "":
			t.Lines = t.Lines[:begin-1]
		case isAtEnd:
			*before = bare
		}
	}
	isFirst := t.At == noPlace
	if isFirst || t.At > len(t.Lines) { // or the line between two blocks has just gone
		t.At = len(t.Lines)
	}
}

// lineMark is the line before one of ours that is among the owner's: "# metarobots", or "#
// metarobots (Name)" for one about another header than X-Robots-Tag.
var lineMark = lazyregexp.New(`^# metarobots(?: \(([^ ,()]+)\))?$`)

// Mark returns lines of ours, indented, as they are among the owner's. The header is that of the
// lines, or empty for X-Robots-Tag.
func (t *Text) Mark(header string, ours ...string) (marked string) {
	mark := "# metarobots"
	if header != "" {
		mark += " (" + header + ")"
	}
	for _, l := range ours {
		marked += mark + t.EOL() + "  " + l + t.EOL()
	}
	return marked
}

// TakeLines takes out the marked lines that can be ours, by the header that the mark names. After
// an edit that parted one from its mark, only the mark is, or, of a mark that names a header,
// nothing.
func (t *Text) TakeLines(ours func(header, line string) bool) {
	all, at := t.Lines, t.At
	t.Lines = nil
	for i := 0; i < len(all); i++ {
		if i == at {
			t.At = len(t.Lines)
		}
		mark := lineMark.FindStringSubmatch(all[i].Trim())
		switch {
		case mark != nil && i+1 < len(all) && ours(mark[1], all[i+1].Trim()):
			i++
		case mark == nil || mark[1] != "":
			t.Lines = append(t.Lines, all[i])
		}
	}
	if at == len(all) {
		t.At = len(t.Lines)
	}
}

// Own returns the owner's text.
func (t *Text) Own() []byte {
	var b bytes.Buffer
	for _, l := range t.Lines {
		b.WriteString(l.Text)
	}
	return b.Bytes()
}

// EOL returns the line end to write in: that of the first line.
func (t *Text) EOL() string {
	if len(t.Lines) > 0 && strings.HasSuffix(t.Lines[0].Text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// With returns the owner's text with a block of these lines; no lines, no block. behind is what
// else of ours follows the owner's lines, by how many of them come before it.
//
// One line end before the block is ours, whether or not the owner's last line has one: so it can be
// taken back without a guess.
func (t *Text) With(block []string, behind map[int]string) []byte {
	var b bytes.Buffer
	eol := t.EOL()
	for n := range len(t.Lines) + 1 {
		if n > 0 {
			b.WriteString(t.Lines[n-1].Text + behind[n])
		}
		if n != t.At || len(block) == 0 {
			continue
		}
		if n > 0 {
			b.WriteString(eol)
		}
		b.WriteString(Begin + eol + strings.Join(block, eol) + eol + End + eol)
	}
	return b.Bytes()
}

// Plain returns a file in which no line is a mark of ours any more: what is between them is the
// owner's.
func Plain(file []byte) []byte {
	return bytes.ReplaceAll(file, []byte("# metarobots"), []byte("#"))
}
