package servers

import (
	"strconv"
	"strings"
)

// A rule of ours may name hundreds of paths in one expression, such as
//
//	a\.pdf|caf%[Cc]3%[Aa]9|b(?:\(|%28)c
//
// Each of its alternatives is read as pieces that take one text of a few: a character, an encoded
// byte in either case, or both of that. So a path is looked up, and not held against every rule. An
// expression that has anything else is no list of paths, and is asked as an expression.

// alternatives are those of an expression, if all of them name a path.
func alternatives(expression string) (all []string, areNames bool) {
	for rest, begin := expression, expression; ; {
		texts, after := nextPiece(rest)
		switch {
		case texts != nil:
			rest = after
		case rest == "" || rest[0] == '|':
			all = append(all, begin[:len(begin)-len(rest)])
			if rest == "" {
				return all, true
			}
			rest, begin = rest[1:], rest[1:]
		default:
			return nil, false
		}
	}
}

// nextPiece returns the texts that the first piece of an alternative matches, and the rest of the
// alternative; no texts if there is no piece. A piece is a character, a digit in either case, or a
// group of a character and its encoded byte.
func nextPiece(alternative string) (texts []string, rest string) {
	if inner, isGroup := strings.CutPrefix(alternative, "(?:"); isGroup {
		plain, encoded := nextCharacter(inner)
		first, after := nextCharacter(strings.TrimPrefix(encoded, "|%"))
		second, after := nextCharacter(after)
		rest, isClosed := strings.CutPrefix(after, ")")
		if !isClosed || !strings.HasPrefix(encoded, "|%") || plain == nil || first == nil {
			return nil, alternative
		}
		texts = plain
		for _, a := range first {
			for _, b := range second {
				texts = append(texts, "%"+a+b)
			}
		}
		return texts, rest
	}
	return nextCharacter(alternative)
}

// nextCharacter is [nextPiece] of one character, perhaps in either case.
func nextCharacter(text string) (texts []string, rest string) {
	const inEitherCase, special = "[Aa]", `\|()[]{}*+?.^$`
	switch {
	case text == "":
	case strings.IndexByte(special, text[0]) < 0:
		return []string{text[:1]}, text[1:]
	case text[0] == '\\' && len(text) > 1 && strings.IndexByte(special, text[1]) >= 0:
		return []string{text[1:2]}, text[2:]
	case text[0] == '[' && len(text) >= len(inEitherCase) && text[3] == ']' &&
		strings.EqualFold(text[1:2], text[2:3]):
		return []string{text[1:2], text[2:3]}, text[len(inEitherCase):]
	}
	return nil, text
}

// alternativeTakes reports whether an alternative takes a name. Of the texts of a piece none begins
// another.
func alternativeTakes(alternative, name string) bool {
	for alternative != "" {
		texts, rest := nextPiece(alternative)
		isTaken := false
		for _, text := range texts {
			if after, found := strings.CutPrefix(name, text); found && !isTaken {
				name, isTaken = after, true
			}
		}
		if !isTaken {
			return false
		}
		alternative = rest
	}
	return name == ""
}

// lookupKey is a text that all names which an alternative takes have in common, and that few others
// have: their bytes decoded.
func lookupKey(name string) string {
	if !strings.Contains(name, "%") {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] == '%' && i+2 < len(name) {
			if c, err := strconv.ParseUint(name[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// nameOf is one of the names that an alternative takes.
func nameOf(alternative string) string {
	var b strings.Builder
	for alternative != "" {
		texts, rest := nextPiece(alternative)
		b.WriteString(texts[0])
		alternative = rest
	}
	return b.String()
}
