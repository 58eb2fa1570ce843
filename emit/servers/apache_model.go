package servers

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// readApache reads what Apache does with our directives: lines are joined at a
// backslash and at most 8,191 bytes long; in an argument \\ and \" are one
// character; of the directives that set the header the last whose expression
// holds counts.
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
func readApache(file []byte) (*model, error) {
	t := parted(file)
	sets := make(map[string]answer)
	r := &table{lookUp: func(path string) (string, int, bool) {
		a, ok := sets[path]
		return a.value, a.line, ok
	}}
	for i := 0; i < len(t.ours); i++ {
		line := t.ours[i]
		for strings.HasSuffix(line.text, `\`) && i+1 < len(t.ours) {
			i++
			line.text = strings.TrimSuffix(line.text, `\`) + t.ours[i].text
		}
		if len(line.text) > 8191 {
			return nil, fmt.Errorf("line %d: too long for Apache", line.line)
		}
		args, ok := strings.CutPrefix(line.text, "Header set "+Name+" ")
		if !ok {
			if line.text == "<IfModule mod_headers.c>" || line.text == "</IfModule>" {
				continue
			}
			return nil, fmt.Errorf("line %d: not a directive of ours", line.line)
		}
		value, args, err := quoted(args, `\"`)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line.line, err)
		}
		a := answer{value: strings.ReplaceAll(value, "%%", "%"), line: line.line, ours: true}
		if args = strings.TrimSpace(args); args == "" {
			clear(sets) // it holds for every path, and what came before is replaced
			r.always = a
			continue
		}
		condition, rest, err := quoted(args, `\"`)
		if err == nil && rest != "" {
			err = fmt.Errorf("more after the expression: %q", rest)
		}
		if err == nil {
			err = apacheTexts(condition, func(path string) { sets[path] = a })
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line.line, err)
		}
	}
	m := t.model(r, func(path string) (own, maybe []string) { return fileAndFolder(path), nil })
	for _, l := range t.robots() {
		if len(t.ours) > 0 && l.line > t.last {
			m.faults = append(m.faults, Problem{ID: IDFound, Severity: SeverityError, Line: l.line,
				Message: "this line sets the header after ours: it is the one that counts"})
		}
	}
	for _, l := range t.sectioned() {
		if len(t.ours) > 0 {
			m.faults = append(m.faults, Problem{ID: IDFound, Severity: SeverityError, Line: l.line,
				Message: "Apache merges a section after what stands outside of one, so this line counts for its files and not our rules (take it out: the policy covers them)"})
		}
	}
	return m, nil
}

// sectioned are the user's lines about the header in sections that are merged
// after the rest of the file; conditions on the server itself are no such sections.
// https://httpd.apache.org/docs/2.4/sections.html#merging
func (t text) sectioned() (about []numbered) {
	robots := t.robots()
	depth := 0
	for _, l := range t.own {
		name, _, _ := strings.Cut(strings.ToLower(strings.Trim(l.text, "<>")), " ")
		condition := strings.HasPrefix(strings.TrimPrefix(name, "/"), "ifmodule") || strings.HasPrefix(strings.TrimPrefix(name, "/"), "ifdefine") ||
			strings.HasPrefix(strings.TrimPrefix(name, "/"), "ifversion")
		switch {
		case strings.HasPrefix(l.text, "</") && !condition:
			depth--
		case strings.HasPrefix(l.text, "<") && !condition:
			depth++
		case depth > 0 && slices.Contains(robots, l):
			about = append(about, l)
		}
	}
	return about
}

// apacheTexts reads a list of '…' texts with which an expression compares the
// path. A backslash means the next character, if that is not a digit or a letter
// of a control character; %{, ${ and $1 are variables.
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
		if !strings.HasPrefix(s, "'") {
			return fmt.Errorf("no text at %q", s)
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
				return fmt.Errorf("an escape at %q", s[i:])
			case s[i] == '\\':
				i++
			case s[i] == '%' && next == '{', s[i] == '$' && (next == '{' || '0' <= next && next <= '9'):
				return fmt.Errorf("a variable at %q", s[i:])
			}
			b.WriteByte(s[i])
		}
		if i >= len(s) {
			return errors.New("a text without an end")
		}
		add(b.String())
		s = s[i+1:]
	}
}
