package servers

import (
	"fmt"
	"regexp"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// patternMark makes a regular expression recognisable as ours and changes nothing about what it matches.
const patternMark = "(?:metarobots){0}"

// pack joins the texts of a group's URLs to texts that begin with a head and are not longer than most. A URL that does
// not fit any is left out and reported.
func (c *compiler) pack(urls []string, head, separator string, most int,
	text func(url string) string) (packed []string) {
	var b strings.Builder
	for _, url := range urls {
		t := text(url)
		if len(head)+len(t) > most {
			c.tooLong(url)
			continue
		}
		if b.Len() > 0 && b.Len()+len(separator)+len(t) > most {
			packed = append(packed, b.String())
			b.Reset()
		}
		if b.Len() == 0 {
			b.WriteString(head)
		} else {
			b.WriteString(separator)
		}
		b.WriteString(t)
	}
	if b.Len() > 0 {
		packed = append(packed, b.String())
	}
	return packed
}

// tooLong reports a file that has no rule because of a limit on single lines and patterns.
func (c *compiler) tooLong(url string) {
	c.report(robotstag.IDName, policy.Error, c.file(url),
		"the path or its value is too long for a rule of this host: it gets no X-Robots-Tag")
}

// bytePatterns are the expressions for each byte of a path. Both extremes of what an expression of ours takes can be
// read back of it: in one nothing is encoded that need not be, in the other all is, in lower case. A NUL parts the
// alternatives. unpackRest leaves what is no byte of a path.
var (
	bytePatterns                          [256]string
	unpackPlain, unpackStrict, unpackRest = byteReplacers()
)

// byteReplacers fills bytePatterns, the expressions for each byte of a path: what need not be encoded may be, in
// hexadecimal of either case.
func byteReplacers() (plain, strict, rest *strings.Replacer) {
	var pairs [3][]string
	pair := func(written, plain, strict string) {
		pairs[0] = append(pairs[0], written, plain)
		pairs[1] = append(pairs[1], written, strict)
		pairs[2] = append(pairs[2], written, "")
	}
	for i := range bytePatterns {
		c := byte(i)
		char, upper, hex := string([]byte{c}), fmt.Sprintf("%%%02X", c), "%"
		for _, digit := range upper[1:] {
			if digit >= 'A' {
				hex += fmt.Sprintf("[%c%c]", digit, digit+'a'-'A')
			} else {
				hex += string(digit)
			}
		}
		quoted := regexp.QuoteMeta(char)
		either := "(?:" + quoted + "|" + hex + ")"
		pair(either, char, strings.ToLower(upper))
		pair(hex, upper, strings.ToLower(upper))
		if quoted != char {
			pair(quoted, char, char)
		}
		switch {
		case isPlain(c, "-_/~."):
			bytePatterns[i] = quoted
		case strings.IndexByte("!$&'()*+,;=:@[]|", c) >= 0:
			bytePatterns[i] = either
		default:
			bytePatterns[i] = hex
		}
	}
	pair("|", "\x00", "\x00")
	return strings.NewReplacer(pairs[0]...), strings.NewReplacer(pairs[1]...), strings.NewReplacer(pairs[2]...)
}

// encodedPattern is a regular expression for the percent-encoded spellings of a path, without its first slash.
func encodedPattern(url string) string {
	var b strings.Builder
	for i := 1; i < len(url); i++ {
		b.WriteString(bytePatterns[url[i]])
	}
	return b.String()
}

// unpack reads the alternatives of an expression of ours back, of which each names one path; nil for one that says
// more.
func unpack(alternatives string) (texts []string) {
	if strings.ContainsAny(unpackRest.Replace(alternatives), `.*+?[]{}()^$\`) {
		return nil
	}
	for _, r := range []*strings.Replacer{unpackPlain, unpackStrict} {
		for text := range strings.SplitSeq(r.Replace(alternatives), "\x00") {
			texts = append(texts, "/"+text)
		}
	}
	return texts
}
