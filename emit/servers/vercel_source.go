package servers

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// sourceExpression turns a source of vercel.json into a regular expression for the
// whole path and the names of its parameters. Vercel takes path-to-regexp 6.1,
// with regard to case and without an optional slash at the end:
// https://github.com/vercel/vercel/blob/main/packages/routing-utils/src/superstatic.ts
// and https://github.com/pillarjs/path-to-regexp/blob/v6.1.0/Readme.md
func sourceExpression(source string) (expression string, names []string, err error) {
	p := &sourceParser{rest: source}
	for p.rest != "" && err == nil {
		err = p.part()
	}
	return p.out.String(), p.names, err
}

type sourceParser struct {
	rest  string
	out   strings.Builder
	names []string
}

// part reads a text, or a parameter with what belongs to it: the slash or dot
// before it, a modifier after it.
func (p *sourceParser) part() error {
	switch c := p.rest[0]; c {
	case '{':
		p.rest = p.rest[1:]
		before := p.plain("")
		value, err := p.parameter()
		if err != nil {
			return err
		}
		after := p.plain("")
		rest, ok := strings.CutPrefix(p.rest, "}")
		if !ok {
			return errors.New("a { without its }")
		}
		p.rest = rest
		p.write(before, value, after)
		return nil
	case '/', '.':
		next := strings.TrimPrefix(p.rest, string(c))
		if next == "" || next[0] != ':' && next[0] != '(' {
			p.out.WriteString(regexp.QuoteMeta(string(c)))
			p.rest = next
			return nil
		}
		p.rest = next
		value, err := p.parameter()
		if err != nil {
			return err
		}
		p.write(string(c), value, "")
		return nil
	case ':', '(':
		value, err := p.parameter()
		if err != nil {
			return err
		}
		p.write("", value, "")
		return nil
	}
	text := p.plain("/.")
	if text == "" {
		return fmt.Errorf("nothing that %q can belong to", p.rest[:1])
	}
	p.out.WriteString(regexp.QuoteMeta(text))
	return nil
}

// plain reads characters that mean themselves; after the first, up to one of
// those that may belong to a parameter.
func (p *sourceParser) plain(until string) string {
	var b strings.Builder
	for p.rest != "" && strings.IndexByte("{}:(*+?", p.rest[0]) < 0 {
		if p.rest[0] == '\\' && len(p.rest) > 1 {
			p.rest = p.rest[1:]
		} else if b.Len() > 0 && strings.IndexByte(until, p.rest[0]) >= 0 {
			break
		}
		b.WriteByte(p.rest[0])
		p.rest = p.rest[1:]
	}
	return b.String()
}

// parameter reads ":name", "(expression)" or both.
func (p *sourceParser) parameter() (value string, err error) {
	if strings.HasPrefix(p.rest, ":") {
		n := 1
		for n < len(p.rest) && (asciiLetterOrDigit(p.rest[n]) || p.rest[n] == '_') {
			n++
		}
		if n == 1 {
			return "", errors.New("a : without a name")
		}
		p.names = append(p.names, p.rest[1:n])
		p.rest = p.rest[n:]
		value = "[^/]+?"
	}
	if !strings.HasPrefix(p.rest, "(") {
		return value, nil
	}
	depth := 0
	for i := 0; i < len(p.rest); i++ {
		switch p.rest[i] {
		case '\\':
			i++
		case '(':
			if depth++; (depth > 1) != (i+1 < len(p.rest) && p.rest[i+1] == '?') {
				return "", errors.New("a group within a group needs (?:…), and the outer one cannot have it")
			}
		case ')':
			if depth--; depth > 0 {
				continue
			}
			if value = p.rest[1:i]; value == "" {
				return "", errors.New("an empty group")
			}
			p.rest = p.rest[i+1:]
			return value, nil
		}
	}
	return "", errors.New("a ( without its )")
}

// write writes a parameter and the modifier that follows.
func (p *sourceParser) write(before, value, after string) {
	modifier := ""
	if p.rest != "" && strings.IndexByte("*+?", p.rest[0]) >= 0 {
		modifier, p.rest = p.rest[:1], p.rest[1:]
	}
	before, after = regexp.QuoteMeta(before), regexp.QuoteMeta(after)
	one := "(?:" + value + ")"
	switch {
	case value == "":
		one = before + after
	case before+after == "":
	case modifier == "*" || modifier == "+":
		// It repeats with its slash or dot.
		one = before + one + "(?:" + after + before + one + ")*" + after
		modifier = map[string]string{"*": "?", "+": ""}[modifier]
	default:
		one = before + one + after
	}
	p.out.WriteString("(?:" + one + ")" + modifier)
}

func asciiLetterOrDigit(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
