package mention

import "testing"

// Comments of JavaScript and XML are blanked, and nothing else is: what is no comment may set a
// header.
// N9c.
func TestHouse_OnlyCommentsAreBlanked(t *testing.T) {
	for _, c := range []struct {
		blank      func([]byte) []byte
		text, want string
	}{
		{withoutSlashComments, `a = "//" // b`, `a = "//"     `},
		{withoutSlashComments, "a // b\r\nc", "a     \r\nc"},
		{withoutSlashComments, "a /* b\n */ + c", "a     \n    + c"},
		{withoutSlashComments, "a /* b", "a /* b"},
		{withoutSlashComments, "a /*/ b */ c", "a          c"},
		{withoutSlashComments, "a /* b *// c", "a        / c"},
		{withoutSlashComments, "'it\\'s // a' + `//\n//` // b", "'it\\'s // a' + `//\n//`     "},
		{withoutSlashComments, "'a\n// b", "'a\n    "},
		{withoutSlashComments, `a = /^https?:\/\// + "b"`, `a = /^https?:\/\// + "b"`},
		{withoutSlashComments, "a = /\\/*$/\nb /* c */", "a = /\\/*$/\nb        "},
		{withoutSlashComments, "`${a ? `//${{b}}` : ''}//` // c", "`${a ? `//${{b}}` : ''}//`     "},
		{withoutXMLComments, "<a/><!-- b\n--><c/><!-- d", "<a/>      \n   <c/><!-- d"},
		{withoutXMLComments, "<!--> a --><b/>", "           <b/>"},
	} {
		if got := string(c.blank([]byte(c.text))); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
