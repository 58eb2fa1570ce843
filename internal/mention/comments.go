package mention

import (
	"bytes"

	"metarobots/internal/lazyregexp"
)

// The comments of each language are blanked. In doubt, a text is none: what it mentions is then a
// finding too many and not a restriction that is lost.

// withoutHashLines blanks the lines that begin with #. The marks around our own lines stay.
func withoutHashLines(text []byte) []byte {
	return blankComments(text, func(line []byte) int {
		if trimmed := bytes.TrimLeft(line, " \t\ufeff"); len(trimmed) > 0 && trimmed[0] == '#' {
			return len(line) - len(trimmed)
		}
		return len(line)
	})
}

// asks matches a line of a script that looks for something, and writes one that writes a file.
var (
	asks   = lazyregexp.New(`\b(?:curl|wget|grep|expect\w*|assert\w*)\b`)
	writes = lazyregexp.New(`>>|>[ \t]*(?:[^&>\s/]|/[^d\s]|/d[^e\s])|\btee\b|\bsed\b|` +
		`\b(?:curl|wget)\b.*[ \t]-(?:-data|-form|-post|-request|-upload|[a-zA-Z]*[dFTX])`)
)

// withoutQuestions blanks the comments of a script, and the lines that only look for something in
// what a host answers.
func withoutQuestions(text []byte) []byte {
	return blankComments(withoutHashLines(text), func(line []byte) int {
		if asks.Match(line) && !writes.Match(line) {
			return 0
		}
		return len(line)
	})
}

// withoutHashComments blanks what stands behind a # that begins a line or follows a blank, outside
// of quotes.
func withoutHashComments(text []byte) []byte {
	return blankComments(text, func(line []byte) int {
		quote := byte(0)
		for i, c := range line {
			switch {
			case quote != 0:
				if c == quote && line[i-1] != '\\' {
					quote = 0
				}
			case c == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t'):
				return i
			case c == '"' || c == '\'':
				quote = c
			}
		}
		return len(line)
	})
}

// blankComments returns a text with blanks in place of what comment finds in each line: where its
// comment begins, or its end. A comment that is one of our marks stays.
func blankComments(text []byte, comment func(line []byte) int) []byte {
	out := bytes.Clone(text)
	at := 0
	for line := range bytes.Lines(out) {
		content := bytes.TrimRight(line, "\r\n")
		if from := comment(content); !bytes.Contains(content[from:], []byte("# metarobots")) {
			blank(out[at+from : at+len(content)])
		}
		at += len(line)
	}
	return out
}

// withoutSlashComments returns a text of JavaScript or TypeScript with blanks in place of its
// comments, // and /* */. Quotes in comments mean nothing, nor do comments in quotes. What is in
// " or ' ends with its line, unless a backslash is before the line's end; a template, in `, may have
// several lines. Regular expressions are not known as such: the quote of /["]/ begins a text that is
// none, and /[/*]/ a comment if there is an end of one behind it.
//
//	a = "//" // b            a = "//"
//	a /* b */ + c            a         + c
//	a /* b                   a /* b                 without its end it is no comment
//	/^https?:\/\// // b      /^https?:\/\//         behind a backslash, a slash begins none
//	`${a ? `//` : b /* */}`  `${a ? `//` : b      }`
func withoutSlashComments(text []byte) []byte {
	const code = '{' // in braces, and outside of all
	out := bytes.Clone(text)
	open := []byte{code} // the quotes and braces that i is within, the innermost last
	for i := 0; i < len(out); i++ {
		in := open[len(open)-1]
		switch c := out[i]; {
		case c == '\\': // the next character begins and ends nothing
			i++
		case in == code && c == '}', in != code && (c == in || c == '\n' && in != '`'):
			open = open[:max(1, len(open)-1)]
		case in == '`' && bytes.HasPrefix(out[i:], []byte("${")):
			open = append(open, code)
			i++
		case in != code:
		case c == '"' || c == '\'' || c == '`' || c == '{':
			open = append(open, c)
		default: // the loop goes on in the comment, where only blanks are left
			blank(out[i : i+lengthOfSlashComment(out[i:])])
		}
	}
	return out
}

// lengthOfSlashComment returns the length of the comment with which a text begins, without the line
// end of one that ends with its line; 0 if it begins with none.
func lengthOfSlashComment(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		if end := bytes.IndexByte(text, '\n'); end >= 0 {
			return end
		}
		return len(text)
	case bytes.HasPrefix(text, []byte("/*")):
		return lengthOfComment(text, "/*", "*/")
	}
	return 0
}

// withoutXMLComments blanks the comments of XML.
func withoutXMLComments(text []byte) []byte {
	const begin, end = "<!--", "-->"
	out := bytes.Clone(text)
	for {
		at := bytes.Index(out, []byte(begin))
		if at < 0 {
			return out
		}
		length := lengthOfComment(out[at:], begin, end)
		if length == 0 {
			return out // nor do those behind it have an end
		}
		blank(out[at : at+length])
	}
}

// lengthOfComment returns the length of a comment that begins and ends with some marks, and with
// which a text begins; 0 if it has no end.
func lengthOfComment(text []byte, begin, end string) int {
	inside := text[len(begin):] // the two marks share no characters: /*/ is not a whole comment
	at := bytes.Index(inside, []byte(end))
	if at < 0 {
		return 0
	}
	return len(begin) + at + len(end)
}

// blank replaces all but line ends with blanks.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}
