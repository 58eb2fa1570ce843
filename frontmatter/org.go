package frontmatter

import (
	"bytes"
	"fmt"
	"strings"

	"metarobots/internal/lazyregexp"
	"metarobots/internal/source"
)

// keyword is a line of Org that sets something, in the form in which Hugo's reader takes it.
// https://orgmode.org/manual/In_002dbuffer-Settings.html
var keyword = lazyregexp.New(`^#\+([^:\s\[]+)(\[\])?:(?:\s+(.*))?$`)

// setting is what an author may write for a keyword: indented, without the blank, as a property of
// a drawer.
var setting = lazyregexp.New(`^\s*(?:#\+|:)([\w.-]+)(\[\])?:(.*)$`)

// orgBlock opens or closes what Org shows as it is.
var orgBlock = lazyregexp.New(`(?i)^\s*#\+(begin|end)_(?:src|example|export|verse|comment)\b`)

// ParseOrg reads the keywords of a file in Org as Hugo does: in the first lines, as long as each
// begins with #+. A file without any has no Format and no Index. It is an error if a keyword
// anywhere else would state something: behind a mode line, a blank line, a comment or a drawer it
// is text, and the page goes public. In a block that Org shows as it is, nothing is meant. The
// error is an [*Error].
//
//	#+TITLE: A
//	#+robots: noindex         read
//	                          ends the first lines
//	#+robots: nofollow        an error
func ParseOrg(content []byte) (doc Document, err error) {
	var texts source.Texts
	isAtTop, isInBlock, number := true, false, 0
	for row := range bytes.Lines(bytes.TrimLeft(content, "\ufeff")) {
		number++
		line := strings.TrimRight(string(row), " \t\r\n")
		hasNoKeyword := doc.Index == nil
		if hasNoKeyword && isAtTop {
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
		if m := setting.FindStringSubmatch(line); m != nil && !isInBlock {
			name, listMark, value := m[1], m[2], m[3]
			if states(name, listMark, value) {
				// Ours: Hugo itself takes the file without an error.
				return doc, &Error{Line: number, Ours: true, Msg: fmt.Sprintf("keywords count in the first lines of "+
					"a file, if all of them begin with #+ and have a blank behind the colon: this is text, in which "+
					"%s has no effect", name)}
			}
		}
	}
	return doc, nil
}

// states reports whether a keyword of Org would state something. With a list mark, "[]", its value
// is a list of words.
func states(key, listMark, value string) bool {
	var set any = strings.TrimSpace(value)
	if listMark != "" {
		set = strings.Fields(value)
	}
	return speaks(map[string]any{key: set})
}
