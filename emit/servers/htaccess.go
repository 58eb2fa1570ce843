package servers

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/marks"
)

// afterOurs is said of a line in a section.
const afterOurs = "Apache merges a section after what stands outside of one, so this line counts for its files and " +
	"not our rules (take it out: the policy covers them)"

// readApache reads the owner's lines about the header, for all files and in <Files>, <Files ~> and <FilesMatch>, as
// Google's page on the header has them
// (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag). Apache applies such
// sections after all that stands outside of one, in their order, and compares the name of the file without its folder.
// What "Header always" says is sent beside the rest.
// https://httpd.apache.org/docs/2.4/sections.html#merging
//
// A section that is not closed would take in what we add, and Apache refuses a file with one.
func readApache(file []byte, header string) (*User, error) {
	u := &User{header: header, text: marks.Read(file)}
	v := view{}
	var open []section
	var inSections []userRule
	for i, l := range u.text.Lines {
		if i == u.text.At && len(open) > 0 {
			u.text.At = len(u.text.Lines) // an edit has put a section around our block
		}
		text := l.Trim()
		switch last := len(open) - 1; {
		case strings.HasPrefix(text, "</"):
			if last < 0 || open[last].name != strings.ToLower(strings.Trim(text, "</> \t")) {
				return nil, fmt.Errorf("line %d: %s closes no section that is open here", l.Number, text)
			}
			open = open[:last]
			continue
		case strings.HasPrefix(text, "<"):
			open = append(open, newSection(l))
			continue
		case !u.about(l):
			continue
		}
		rule, ok := u.headerRule(l, open)
		if !ok {
			u.leaveUnread(l.Number, "line", "")
			rule, v.unread = userRule{sends: u.value(l.Number, ""), unread: true}, true
		}
		if slices.ContainsFunc(open, func(s section) bool { return !s.condition }) {
			rule.before = text
			inSections = append(inSections, rule)
		} else if ok {
			v.rules = append(v.rules, rule)
		}
	}
	if len(open) > 0 {
		l := open[len(open)-1].line
		return nil, fmt.Errorf("line %d: %s is never closed", l.Number, l.Trim())
	}
	v.rules = append(v.rules, inSections...)
	u.views = []view{v}
	return u, nil
}

// section is one of a .htaccess, such as "<Files …>".
type section struct {
	line      marks.Line
	name      string                 // in lower case
	matches   func(name string) bool // nil: not a section for files that can be read
	condition bool                   // on the server itself
	met       bool                   // it is mod_headers that has to be there
}

func newSection(l marks.Line) section {
	inner := strings.Trim(l.Trim()[1:], "> \t")
	name, _, _ := strings.Cut(strings.ToLower(inner), " ")
	s := section{line: l, name: name}
	args, ok := words(inner, `"'`)
	if !ok || len(args) < 2 {
		return s
	}
	args = args[1:]
	expression := name == "filesmatch"
	switch name {
	case "ifmodule", "ifdefine", "ifversion":
		s.condition = true
		s.met = name == "ifmodule" && len(args) == 1 && (args[0] == "mod_headers.c" || args[0] == "headers_module")
		return s
	case "files", "filesmatch":
		if len(args) > 1 && args[0] == "~" {
			expression, args = true, args[1:]
		}
	default:
		return s
	}
	switch {
	case len(args) != 1 || args[0] == "":
	case expression:
		if e, err := regexp.Compile(bytewise(args[0])); err == nil {
			s.matches = func(name string) bool { return e.MatchString(bytewise(name)) }
		}
	case !strings.ContainsAny(args[0], `[\`):
		s.matches = func(name string) bool {
			ok, err := path.Match(bytewise(args[0]), bytewise(name))
			return ok && err == nil
		}
	}
	return s
}

// headerRule reads "Header set NAME …", and add, append and merge, for all files or in a section for files. ok
// is false for a line that does something else, or depends on more than the file's name.
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
func (u *User) headerRule(l marks.Line, open []section) (rule userRule, ok bool) {
	for _, s := range open {
		switch {
		case s.condition && s.met:
		case s.matches == nil || rule.matches != nil:
			return rule, false
		default:
			rule.matches = func(request string) bool {
				name := request[strings.LastIndexByte(request, '/')+1:]
				return s.matches(cmp.Or(name, "index.html"))
			}
		}
	}
	args, read := words(l.Trim(), `"'`)
	if len(args) == 5 {
		rule.always = strings.EqualFold(args[1], "always")
		if rule.always || strings.EqualFold(args[1], "onsuccess") {
			args = slices.Delete(args, 1, 2)
		}
	}
	if !read || len(args) != 4 || !strings.EqualFold(args[0], "Header") ||
		!strings.EqualFold(strings.TrimSuffix(args[2], ":"), u.header) {
		return rule, false
	}
	action := strings.ToLower(args[1])
	rule.beside = action != "set"
	if !slices.Contains([]string{"set", "add", "append", "merge"}, action) {
		return rule, false
	}
	rule.sends = u.value(l.Number, strings.ReplaceAll(args[3], "%%", "%"))
	variable := strings.Contains(strings.ReplaceAll(args[3], "%%", ""), "%")
	return rule, !variable && !strings.HasPrefix(args[3], "expr=") && strings.TrimSpace(args[3]) != ""
}

// bytewise has a character for each byte of a text: Apache's expressions compare bytes.
func bytewise(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}
