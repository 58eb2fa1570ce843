package servers

import (
	"errors"
	"fmt"
	"strings"

	"metarobots/emit/robotstag"
)

// apacheHeader is what a directive has set the header to, and others have added
// to it and edited of it.
type apacheHeader struct {
	lines  []string
	line   int // of the directive
	answer answer
}

// readApache reads what Apache does with our directives: lines are joined at a
// backslash and at most 8,191 bytes long; in an argument \\ and \" are one
// character; of the directives that set the header the last whose expression
// holds counts, and those that add a line or edit one are done to what is there
// by then.
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
func readApache(file []byte) (*model, error) {
	t := partText(file)
	b := &apacheBlock{of: make(map[string]*apacheHeader)}
	for i := 0; i < len(t.ours); i++ {
		line := t.ours[i]
		for strings.HasSuffix(line.text, `\`) && i+1 < len(t.ours) {
			i++
			line.text = strings.TrimSuffix(line.text, `\`) + t.ours[i].text
		}
		if err := b.do(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", line.line, err)
		}
	}
	for _, h := range b.set {
		h.answer = sent(h.lines, h.line)
	}
	r := &table{lookUp: func(path string) (answer, bool) {
		h, ok := b.of[path]
		if !ok {
			return answer{}, false
		}
		return h.answer, true
	}}
	if b.always != nil {
		r.always = b.always.answer
	}
	var unread, sectioned []numbered
	r.over, unread, sectioned = t.fileRules()
	m := t.model(serving{}, unread, r)
	m.speaks, m.doubtful = len(r.over) > 0, len(sectioned) > 0
	if len(t.ours) == 0 {
		return m, nil
	}
	for _, l := range unread {
		if l.line > t.last {
			m.fault(robotstag.IDFound, l.line, "this line sets the header after ours: it is the one that counts")
		}
	}
	for _, l := range sectioned {
		m.fault(robotstag.IDFound, l.line, afterOurs)
	}
	return m, nil
}

// apacheBlock is what our directives come to, as far as they are read.
type apacheBlock struct {
	always *apacheHeader            // for every path
	of     map[string]*apacheHeader // by path
	set    []*apacheHeader          // all of them
}

// do reads one directive.
func (b *apacheBlock) do(line numbered) error {
	if len(line.text) > 8191 {
		return errors.New("too long for Apache")
	}
	if line.text == "<IfModule mod_headers.c>" || line.text == "</IfModule>" || strings.HasPrefix(line.text, "#") {
		return nil
	}
	action, args, err := apacheArguments(line.text)
	if err != nil {
		return err
	}
	switch {
	case action == "set" && len(args) == 1:
		clear(b.of) // it holds for every path, and what came before is replaced
		b.always = &apacheHeader{lines: []string{apacheFormat(args[0])}, line: line.line}
		b.set = []*apacheHeader{b.always}
		return nil
	case action == "set" && len(args) == 2:
		h := &apacheHeader{lines: []string{apacheFormat(args[0])}, line: line.line}
		b.set = append(b.set, h)
		return apacheTexts(args[1], func(path string) { b.of[path] = h })
	case action == "add" && len(args) == 2:
		// Of several lines the expression sees the first.
		first, err := apacheFirst(args[1])
		for _, h := range b.set {
			if err == nil && h.lines[0] == first {
				h.lines = append(h.lines, apacheFormat(args[0]))
			}
		}
		return err
	case action == "edit" && len(args) == 2:
		whole, err := onePath(args[0])
		for _, h := range b.set {
			for k, l := range h.lines {
				if err == nil && l == whole {
					h.lines[k] = apacheFormat(args[1])
				}
			}
		}
		return err
	}
	return errors.New("not a directive of ours")
}

// apacheArguments reads a directive about the header: what it does, and its
// quoted arguments.
func apacheArguments(line string) (action string, args []string, err error) {
	rest, ok := strings.CutPrefix(line, "Header ")
	action, rest, found := strings.Cut(rest, " "+robotstag.Name+" ")
	if !ok || !found {
		return "", nil, errors.New("not a directive of ours")
	}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimLeft(rest, " ") {
		var arg string
		if arg, rest, err = argument(rest, `\"`); err != nil {
			return "", nil, err
		}
		args = append(args, arg)
	}
	return action, args, nil
}

// apacheFormat reads a value, in which %% is one character.
func apacheFormat(value string) string { return strings.ReplaceAll(value, "%%", "%") }

// apacheTexts reads a list of '…' texts with which an expression compares the
// path.
// https://httpd.apache.org/docs/2.4/expr.html
func apacheTexts(condition string, add func(path string)) error {
	s, ok := strings.CutPrefix(condition, "expr=%{REQUEST_URI} in {")
	if !ok {
		return fmt.Errorf("an expression of another kind: %q", condition)
	}
	for first := true; ; first = false {
		s = strings.TrimLeft(s, " ")
		if s == "}" && !first {
			return nil
		}
		if !first {
			if s, ok = strings.CutPrefix(s, ","); !ok {
				return fmt.Errorf("no comma at %q", s)
			}
			s = strings.TrimLeft(s, " ")
		}
		text, rest, err := apacheString(s)
		if err != nil {
			return err
		}
		add(text)
		s = rest
	}
}

// apacheFirst reads the '…' text with which an expression compares the header's
// first line.
func apacheFirst(condition string) (string, error) {
	s, ok := strings.CutPrefix(condition, "expr=%{resp:"+robotstag.Name+"} == ")
	if !ok {
		return "", fmt.Errorf("an expression of another kind: %q", condition)
	}
	text, rest, err := apacheString(s)
	if err == nil && rest != "" {
		err = fmt.Errorf("more after the text: %q", rest)
	}
	return text, err
}

// apacheString reads a '…' text. A backslash means the next character, if that is
// not a digit or a letter of a control character; %{, ${ and $1 are variables.
// https://httpd.apache.org/docs/2.4/expr.html
func apacheString(s string) (text, rest string, err error) {
	if !strings.HasPrefix(s, "'") {
		return "", "", fmt.Errorf("no text at %q", s)
	}
	var b strings.Builder
	i := 1
	for ; i < len(s) && s[i] != '\''; i++ {
		next := byte(0)
		if i+1 < len(s) {
			next = s[i+1]
		}
		switch {
		case s[i] == '\\' && (next == 0 || strings.IndexByte("0123456789abfnrtv", next) >= 0):
			return "", "", fmt.Errorf("an escape at %q", s[i:])
		case s[i] == '\\':
			i++
		case s[i] == '%' && next == '{', s[i] == '$' && (next == '{' || '0' <= next && next <= '9'):
			return "", "", fmt.Errorf("a variable at %q", s[i:])
		}
		b.WriteByte(s[i])
	}
	if i >= len(s) {
		return "", "", errors.New("a text without an end")
	}
	return b.String(), s[i+1:], nil
}

// afterOurs is said of a line in a section.
const afterOurs = "Apache merges a section after what stands outside of one, so this line counts for its files and not our" +
	" rules (take it out: the policy covers them)"
