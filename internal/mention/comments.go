package mention

import "bytes"

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
// comments, // and /* */. A text in quotes ends with its line; a template, in `, may have several
// lines. An expression such as /["]/ is not known as one.
func withoutSlashComments(text []byte) []byte {
	out := bytes.Clone(text)
	quote := byte(0) // that of the text that i is in; 0 outside of texts
	for i := 0; i < len(out); i++ {
		rest := out[i:]
		switch c := out[i]; {
		case quote != 0 && c == '\\': // the next character ends no text
			i++
		case quote != 0:
			isEnd := c == quote || c == '\n' && quote != '`'
			if isEnd {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case bytes.HasPrefix(rest, []byte("//")): // rest is of out, which blankUntil changes
			i += blankUntil(rest, []byte("\n"))
		case bytes.HasPrefix(rest, []byte("/*")):
			i += blankUntil(rest, []byte("*/"))
		}
	}
	return out
}

// withoutXMLComments blanks the comments of XML.
func withoutXMLComments(text []byte) []byte {
	out := bytes.Clone(text)
	for i := 0; ; i++ {
		begin := bytes.Index(out[i:], []byte("<!--"))
		if begin < 0 {
			return out
		}
		i += begin
		i += blankUntil(out[i:], []byte("-->"))
	}
}

// blankUntil blanks a comment, with which a text begins, up to its end mark, and returns where that
// is. A comment without an end is none, and then the result is 1, except if the mark is a line's
// end: such a comment may end with the text.
func blankUntil(comment, end []byte) int {
	n := bytes.Index(comment, end)
	if n < 0 && !bytes.Equal(end, []byte("\n")) {
		return 1
	} else if n < 0 {
		n = len(comment)
	}
	blank(comment[:n])
	return n
}

// blank replaces all but line ends with blanks.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}
