package servers

import (
	"fmt"
	"regexp"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// patternMark makes a regular expression recognisable as ours and changes
// nothing about what it matches.
const patternMark = "(?:metarobots){0}"

// ourPatterns finds the first run of rules in a list that are ours.
func ourPatterns(list *node) (first, last int) {
	first = -1
	for i, rule := range list.items {
		ours := strings.Contains(rule.get("source").text()+rule.get("regex").text(), patternMark)
		if ours && first < 0 {
			first = i
		}
		if ours {
			last = i
		} else if first >= 0 {
			break
		}
	}
	return first, last
}

// pack packs the expressions of a group's URLs, without their first slash, into
// alternations that are not longer than most. A URL that does not fit any is left
// out and reported.
func (c *compiler) pack(urls []string, expression func(url string) string, most int) (packed []string) {
	var b strings.Builder
	for _, url := range urls {
		e := expression(url)
		if len(patternMark)+len(e) > most {
			c.report(robotstag.IDName, policy.Error, c.file(url), "the path is too long for a rule of this host: it gets no X-Robots-Tag")
			continue
		}
		if b.Len() > 0 && b.Len()+1+len(e) > most {
			packed = append(packed, b.String())
			b.Reset()
		}
		if b.Len() == 0 {
			b.WriteString(patternMark)
		} else {
			b.WriteByte('|')
		}
		b.WriteString(e)
	}
	if b.Len() > 0 {
		packed = append(packed, b.String())
	}
	return packed
}

// encodedPattern is a regular expression for the percent-encoded spellings of a
// path: what need not be encoded may be, in hexadecimal of either case.
func encodedPattern(url string) string {
	var b strings.Builder
	for i := 1; i < len(url); i++ {
		b.WriteString(bytePatterns[url[i]])
	}
	return b.String()
}

// bytePatterns are the expressions for each byte.
var bytePatterns = func() (all [256]string) {
	for i := range all {
		c := byte(i)
		switch {
		case asciiWord(c) || c == '/' || c == '~':
			all[i] = string(rune(c))
		case c == '.':
			all[i] = `\.`
		case strings.IndexByte("!$&'()*+,;=:@[]|", c) >= 0:
			all[i] = fmt.Sprintf("(?:%s|%s)", regexp.QuoteMeta(string(rune(c))), hexPattern(c))
		default:
			all[i] = hexPattern(c)
		}
	}
	return all
}()

// hexPattern is an expression for %XX.
func hexPattern(c byte) string {
	var b strings.Builder
	b.WriteByte('%')
	for _, digit := range fmt.Sprintf("%02X", c) {
		if digit >= 'A' {
			fmt.Fprintf(&b, "[%c%c]", digit, digit+'a'-'A')
		} else {
			b.WriteRune(digit)
		}
	}
	return b.String()
}

// spellings are a path percent-encoded and as it stands, for hosts that do not
// say which of them they compare; the encoded one alone where, as it stands, it
// is another file's encoded spelling.
func spellings(path string, clash bool) []string {
	var b strings.Builder
	for i := range len(path) {
		if c := path[i]; asciiWord(c) || strings.IndexByte("/.~!$&'()*+,;=:@", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	encoded := b.String()
	if clash || encoded == path {
		return []string{encoded}
	}
	return []string{encoded, path}
}
