package servers

import (
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/lazyregexp"
)

// comparison is one way in which a host may compare a path with the pattern of a rule.
type comparison struct {
	spell               func(path string) string // of a decoded path; nil: as it is
	ignoresCase         bool
	takesIndexForFolder bool   // what holds for an index holds for its folder
	star                string // the expression for $* of a [form]; "" if no form has it
}

// names are the texts for a decoded path: a pattern takes the path if it matches one of them.
func (w *comparison) names(path string) []string {
	if w.spell != nil {
		path = w.spell(path)
	}
	if w.ignoresCase {
		path = strings.ToLower(path)
	}
	mayBeFolder := !strings.Contains(path, ".")
	if w.takesIndexForFolder && mayBeFolder {
		return []string{path, strings.TrimSuffix(path, "/") + "/index.html"}
	}
	return []string{path}
}

// encoded spells a path as the URL standard's path state does: what it leaves alone stays.
func encoded(path string) string {
	return robotstag.Encode(path, "!$&'()*+,-./:;=@[]_|~", robotstag.Upper)
}

// component spells a path as encodeURIComponent does its segments: the other spelling that crawlers
// use ([address.Site]).
func component(path string) string { return robotstag.Encode(path, "!'()*-./_~", robotstag.Upper) }

// encodedStrictly leaves nothing that may be encoded, and is in lower case.
func encodedStrictly(path string) string { return robotstag.Encode(path, "-./_~", robotstag.Lower) }

// hexDigits are the expressions for a hexadecimal digit in either case.
var hexDigits = strings.Fields("0 1 2 3 4 5 6 7 8 9 [Aa] [Bb] [Cc] [Dd] [Ee] [Ff]")

// encodedPattern is a regular expression for the percent-encoded spellings of a path, without its
// first slash: what need not be encoded may be.
func encodedPattern(url string) string {
	var b strings.Builder
	for _, c := range []byte(url[1:]) {
		hex := "%" + hexDigits[c>>4] + hexDigits[c&15]
		switch {
		case robotstag.IsBare(c, "-_/~"):
			b.WriteByte(c)
		case c == '.':
			b.WriteString(`\.`)
		case strings.IndexByte("!$&'()*+,;=:@[]|", c) >= 0:
			b.WriteString("(?:" + regexp.QuoteMeta(string(rune(c))) + "|" + hex + ")")
		default:
			b.WriteString(hex)
		}
	}
	return b.String()
}

// form is one form of an owner's pattern that is read, and what it means as an expression: $1 is
// what is before the wildcard, $2 what is behind it, and $* depends on the [comparison].
type form struct {
	written *lazyregexp.Regexp
	means   string
}

// forms makes forms of pairs: the expression for what is written, and what that means.
func forms(pairs ...string) (all []form) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, form{lazyregexp.New(`(?s)^` + pairs[i] + `()$`), pairs[i+1]})
	}
	return all
}

// expression returns a regular expression for what a pattern matches, by the first form that it
// has. One that has none of the forms may match all that has its plain text in that order, and one
// that begins with "!" anything.
func (w *comparison) expression(pattern string, all []form) string {
	begin := "(?s)^"
	if w.ignoresCase {
		begin = "(?si)^"
	}
	for _, f := range all {
		if m := f.written.FindStringSubmatch(pattern); m != nil {
			before, behind := regexp.QuoteMeta(m[1]), endingExpression(m[2])
			return begin + strings.NewReplacer("$1", before, "$2", behind, "$*", w.star).Replace(f.means) + "$"
		}
	}
	if isNegated := strings.HasPrefix(pattern, "!"); isNegated { // a glob that takes what it does not match
		return begin
	}
	return begin + "/?" + looseExpression("/"+strings.TrimPrefix(pattern, "/")) + "/?$"
}

// looseExpression returns an expression that matches at least what a pattern does, which has none
// of the host's forms: its plain text, and anything where it has more than that. It is for the
// middle of an expression: it has no ^ and no $.
//
//	/a/*.pdf     /a.*\.pdf
//	/a/:id/b     /a.*/b
//	/a{b,c}d     /a.*d         in brackets nothing is plain text
//	/a[)b]c      .*            brackets do not pair: nobody knows which of them is a character
func looseExpression(pattern string) string {
	const anything = ".*"
	var b strings.Builder
	text := "" // the plain text since the last part that is none: not yet in b
	for rest := pattern; rest != ""; {
		length, isPaired := wildcardLength(rest)
		switch {
		case !isPaired:
			return anything
		case length == 0:
			text, rest = text+rest[:1], rest[1:]
		default: // a wildcard may repeat a slash or a dot before it, or make it optional: /a/? takes /a
			text = strings.TrimRight(text, "/.")
			b.WriteString(regexp.QuoteMeta(text) + anything)
			text, rest = "", rest[length:]
		}
	}
	return b.String() + regexp.QuoteMeta(text)
}

// wildcardLength is how many bytes of a pattern, from its first, are one part that is no plain
// text; 0 if the first is plain text. Patterns are globs (Firebase, Amplify, Azure) and Vercel's
// path-to-regexp: in neither is the letter before a mark such as ? or + a part of what the mark
// repeats. isPaired is false if the pattern begins with brackets that do not pair.
//
//	*.pdf      1, the star
//	\d+        2, the backslash and what it escapes: a character or a class
//	:id/b      3, a parameter with its name
//	{b,c}d     5, brackets with all that is in them
//	d*         0
func wildcardLength(pattern string) (length int, isPaired bool) {
	switch c := pattern[0]; {
	case c == '\\':
		return min(2, len(pattern)), true
	case strings.IndexByte("({[)}]", c) >= 0:
		return bracketsLength(pattern)
	case c == ':':
		afterName := strings.TrimLeftFunc(pattern[1:], isWord)
		return len(pattern) - len(afterName), true
	case strings.IndexByte("*?+!@|^$", c) >= 0:
		return 1, true
	default:
		return 0, true
	}
}

// bracketsLength is how many bytes of a pattern are from the bracket that it begins with to the one
// that closes that. isPaired is false if it begins with a closing one, or if those in between do
// not pair. A character behind a backslash is no bracket.
func bracketsLength(pattern string) (length int, isPaired bool) {
	closing := "" // the brackets that are still to come, the innermost last
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case strings.IndexByte("({[", c) >= 0:
			closing += closingOf[c]
		case strings.IndexByte(")}]", c) >= 0:
			outer, closesInnermost := strings.CutSuffix(closing, string(rune(c)))
			if !closesInnermost {
				return 0, false
			}
			if closing = outer; closing == "" {
				return i + 1, true
			}
		}
	}
	return 0, false
}

// closingOf are the brackets that close others.
var closingOf = map[byte]string{'(': ")", '{': "}", '[': "]"}

// isWord reports whether a character is of a parameter's name.
func isWord(c rune) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// endingsChoice is an ending in one of several ways, ".{a,b}" or ".@(a|b)".
var endingsChoice = lazyregexp.New(`^\.(?:\{(.*)\}|@\((.*)\))$`)

// endingExpression is the expression for what is behind a wildcard.
func endingExpression(text string) string {
	if m := endingsChoice.FindStringSubmatch(text); m != nil {
		return `\.(?:` + strings.NewReplacer(",", "|", `\|`, "|").Replace(regexp.QuoteMeta(m[1]+m[2])) + ")"
	}
	return regexp.QuoteMeta(strings.ReplaceAll(text, `\.`, "."))
}

// userPattern is the pattern of a rule of the owner's.
type userPattern struct {
	text string // "" if it is an expression that cannot be read
	// expression is what the pattern matches, or, if it is not read, at least that.
	expression func(w *comparison) string
	// isRead says that it matches just what the expression does.
	isRead bool
	// path is the encoded request path that it names; "" if it is a pattern of several.
	path string
	// folder is the encoded path of a folder if it is for all that is in that; else "".
	folder string
}

// pattern reads the pattern of a rule of the owner's, under the first of the host's keys that it
// has.
func (h *ruleList) pattern(written any) userPattern {
	key := h.ourKey() // that of a rule without a pattern, too
	for _, k := range slices.Backward(h.keys) {
		if member(written, k) != nil {
			key = k
		}
	}
	text := scalar(member(written, key))
	if key == "regex" {
		_, err := regexp.Compile(text)
		isRead := err == nil
		if !isRead {
			text = "" // as an expression, it matches anything
		}
		return userPattern{text: text, expression: func(*comparison) string { return text }, isRead: isRead}
	}
	p := userPattern{text: text, path: onePath(text), folder: oneFolder(text)}
	if translate := h.owners.translate; translate != nil {
		if expression, isRead := translate(text); isRead {
			p.isRead, p.expression = true, func(*comparison) string { return expression }
			return p
		}
	}
	forms := h.owners.forms
	p.isRead = slices.ContainsFunc(forms, func(f form) bool { return f.written.MatchString(text) })
	p.expression = func(w *comparison) string { return w.expression(text, forms) }
	return p
}
