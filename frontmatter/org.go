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

// setting is what an author may write for a keyword: indented, without the blank, as a property of a drawer.
var setting = lazyregexp.New(`^\s*(?:#\+|:)([\w.-]+)(\[\])?:(.*)$`)

// orgBlock opens or closes what Org shows as it is.
var orgBlock = lazyregexp.New(`(?i)^\s*#\+(begin|end)_(?:src|example|export|verse|comment)\b`)

// ParseOrg reads the keywords of a file in Org as Hugo does: in the first lines, as long as each begins with #+. It is
// an error if a keyword anywhere else would state something: behind a mode line, a blank line, a comment or a drawer it
// is text, and the page goes public. The error is an [*Error].
func ParseOrg(content []byte) (doc Document, err error) {
	var texts source.Texts
	atTop, quoted, n := true, false, 0
	for row := range bytes.Lines(bytes.TrimLeft(content, "\ufeff")) {
		n++
		line := strings.TrimRight(string(row), " \t\r\n")
		if doc.Index == nil && atTop {
			line = strings.TrimLeft(line, " \t") // Hugo looks for the first character
			if line == "" {
				continue
			}
		}
		atTop = atTop && strings.HasPrefix(line, "#+")
		if m := orgBlock.FindStringSubmatch(line); m != nil {
			quoted = strings.EqualFold(m[1], "begin")
		}
		if m := keyword.FindStringSubmatch(line); m != nil && atTop {
			texts.Add(strings.ToLower(m[1]), m[3], n)
			doc.Format, doc.Params, doc.Index = "org", texts.Values, texts.Index
		} else if m := setting.FindStringSubmatch(line); m != nil && !quoted && states(m[1], m[2], m[3]) {
			return doc, &Error{Line: n, Ours: true, Msg: fmt.Sprintf("keywords count in the first lines of a file, if "+
				"all of them begin with #+ and have a blank behind the colon: this is text, in which %s has no effect", m[1])}
		}
	}
	return doc, nil
}

// states reports whether a keyword of Org would state something.
func states(key, list, value string) bool {
	var set any = strings.TrimSpace(value)
	if list != "" {
		set = strings.Fields(value)
	}
	return speaks(map[string]any{key: set})
}
