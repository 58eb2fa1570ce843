package frontmatter

import (
	"bytes"
	"fmt"
	"strings"

	"metarobots/internal/lazyregexp"
	"metarobots/internal/source"
)

// keyword is a line of Org that sets something, in the form in which Hugo's reader takes it: the
// name, the mark of a list, the value.
// https://orgmode.org/manual/In_002dbuffer-Settings.html
var keyword = lazyregexp.New(`^#\+([^:\s\[]+)(\[\])?:(?:\s+(.*))?$`)

// setting is what an author may write for a keyword, with the same three parts: indented, without
// the blank, as a property of a drawer.
var setting = lazyregexp.New(`^\s*(?:#\+|:)([\w.-]+)(\[\])?:(.*)$`)

// orgBlock opens or closes what Org shows as it is.
var orgBlock = lazyregexp.New(`(?i)^\s*#\+(begin|end)_(?:src|example|export|verse|comment)\b`)

// ParseOrg reads the keywords of a file in Org as Hugo does: in the first lines, as long as each
// begins with #+. The values are texts, by keys in lower case. A file without any has no Format and
// no Index. It is an error if a keyword anywhere else would state something: behind a mode line, a
// blank line, a comment or a drawer it is text, and the page goes public. In a block that Org shows
// as it is, nothing is meant. The error is an [*Error]; the document holds what was read before it.
//
//	                          blank lines and indentation do not count before the first keyword
//	#+TITLE: A                read: title is A
//	#+robots: noindex         read
//	#+robots[]: noarchive a   read, a list as a text, too: robots is "noindex, noarchive a"
//	#+noindex:true            an error: without the blank behind the colon it is no keyword
//	                          ends the first lines
//	#+robots: nofollow        an error
func ParseOrg(content []byte) (doc Document, err error) {
	var texts source.Texts
	isAtTop, isInBlock, number := true, false, 0
	for row := range bytes.Lines(bytes.TrimLeft(content, "\ufeff")) {
		number++
		line := strings.TrimRight(string(row), " \t\r\n")
		isBeforeFirst := isAtTop && doc.Index == nil
		if isBeforeFirst {
			line = strings.TrimLeft(line, " \t") // Hugo looks for the first character
			if line == "" {
				continue
			}
		}
		isAtTop = isAtTop && strings.HasPrefix(line, "#+")
		if m := orgBlock.FindStringSubmatch(line); m != nil {
			isInBlock = strings.EqualFold(m[1], "begin")
		}
		if m := keyword.FindStringSubmatch(line); m != nil && isAtTop {
			name, value := m[1], m[3]
			texts.Add(strings.ToLower(name), value, number) // makes the maps with the first one
			doc.Format, doc.Params, doc.Index = "org", texts.Values, texts.Index
			continue
		}
		if name, isMeant := meantKeyword(line); isMeant && !isInBlock {
			// Ours: Hugo itself takes the file without an error.
			return doc, &Error{Line: number, Ours: true, Msg: fmt.Sprintf("keywords count in the "+
				"first lines of a file, if all of them begin with #+ and have a blank behind the "+
				"colon: this is text, in which %s has no effect", name)}
		}
	}
	return doc, nil
}

// meantKeyword returns the name of the keyword that an author means to set by a line that Hugo
// takes for text, and whether it would state something. With a list mark, "[]", the value is a list
// of words:
//
//	#+robots:noindex, :robots: noindex, #+robots[]: noindex nofollow    true
//	#+author: A, a line of text                                         false
func meantKeyword(line string) (name string, isMeant bool) {
	m := setting.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	name, listMark := m[1], m[2]
	var value any = strings.TrimSpace(m[3])
	if listMark != "" {
		value = strings.Fields(m[3])
	}
	return name, speaks(map[string]any{name: value})
}
