package servers

import (
	"fmt"
	"regexp/syntax"
	"strings"
)

// text is a text file as its host reads it: what stands between our marks, and the
// user's lines, of which only those about the header are looked at.
type text struct {
	ours []numbered
	own  []numbered
	// last is the line of the last mark of ours; 0 where there is no block.
	last int
}

// numbered is a line and its number, from 1.
type numbered struct {
	text string
	line int
}

// partText takes a file apart. A begin without an end is a comment of the user's.
func partText(file []byte) (t text) {
	var lines []string
	for l := range strings.Lines(string(file)) {
		lines = append(lines, strings.TrimSpace(l))
	}
	begin := -1
	for i, l := range lines {
		if strings.HasPrefix(l, "# metarobots: begin") {
			begin = i
		}
		if l == "# metarobots: end" && begin >= 0 {
			t.last = i + 1
			break
		}
	}
	for i, l := range lines {
		switch {
		case t.last > 0 && begin < i && i < t.last-1:
			t.ours = append(t.ours, numbered{l, i + 1})
		case l != "" && l[0] != '#':
			t.own = append(t.own, numbered{l, i + 1})
		}
	}
	return t
}

// isOurs reports whether a line stands between our marks.
func (t text) isOurs(line int) bool {
	return len(t.ours) > 0 && t.ours[0].line <= line && line < t.last
}

// robots are the user's lines about the header.
func (t text) robots() (about []numbered) {
	for _, l := range t.own {
		if strings.Contains(strings.ToLower(l.text), "x-robots-tag") {
			about = append(about, l)
		}
	}
	return about
}

// model is that of a web server's file, and of its user's lines about the header
// that are not read.
func (t text) model(serves serving, unread []numbered, readings ...reading) *model {
	m := &model{readings: readings, serves: serves, below: true}
	for _, l := range unread {
		m.leaveUnread(l.line, "line", "")
	}
	return m
}

// argument reads a "…" argument in which a backslash before one of the escaped
// characters stands for that, and before any other for itself.
func argument(s, escaped string) (arg, rest string, err error) {
	if !strings.HasPrefix(s, `"`) {
		return "", "", fmt.Errorf("no quoted argument at %q", s)
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], nil
		case s[i] == '\\' && i+1 < len(s) && strings.IndexByte(escaped, s[i+1]) >= 0:
			i++
		}
		b.WriteByte(s[i])
	}
	return "", "", fmt.Errorf("no end of %q", s)
}

// sent is the answer of lines of ours.
func sent(lines []string, line int) answer {
	a := answer{sent: values(line, lines...), line: line}
	a.ours = len(a.sent) > 0
	return a
}

// onePath returns the one text that an expression between anchors matches.
func onePath(expression string) (string, error) {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return "", err
	}
	if s := tree.Sub; tree.Op == syntax.OpConcat && len(s) == 3 && s[0].Op == syntax.OpBeginText && s[2].Op == syntax.OpEndText &&
		s[1].Op == syntax.OpLiteral && s[1].Flags&syntax.FoldCase == 0 {
		return string(s[1].Rune), nil
	}
	return "", fmt.Errorf("not an expression for one path: %q", expression)
}
