package servers

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/marks"
	"metarobots/internal/address"
	"metarobots/internal/lazyregexp"
)

// afterOurs is said of a line in a section.
const afterOurs = "Apache merges a section after the lines outside of sections, so this line counts for its files and " +
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
	u := &User{header: header, serves: unconfigured(address.Apache), text: marks.Read(file)}
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
		case strings.HasPrefix(text, "<"):
			open = append(open, newSection(l))
		case u.about(l):
			rule := u.headerRule(l, open)
			if rule.unread {
				v.unread = true
				if rule.depends {
					u.leaveConditional(l.Number, "line")
				} else {
					u.leaveUnread(l.Number, "line", "")
				}
			}
			if rule.before == "" {
				v.lines = append(v.lines, rule)
			} else if rule.unread {
				rule = userRule{sends: u.value(l.Number, ""), before: rule.before, unread: true, depends: rule.depends}
			}
			if rule.before != "" {
				inSections = append(inSections, rule)
			} else if !rule.unread {
				v.rules = append(v.rules, rule)
			}
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
	line    marks.Line
	name    string                 // in lower case
	matches func(name string) bool // nil: it is not known for which files
	apart   bool                   // it is merged after what stands outside, and not a condition on the server itself
}

func newSection(l marks.Line) section {
	inner := strings.Trim(l.Trim()[1:], "> \t")
	name, _, _ := strings.Cut(strings.ToLower(inner), " ")
	s := section{line: l, name: name, apart: true}
	args, ok := words(inner, `"'`)
	if !ok || len(args) < 2 {
		return s
	}
	expression := name == "filesmatch"
	switch args = args[1:]; name {
	case "ifmodule", "ifdefine", "ifversion":
		s.apart = false
		if text := strings.Join(args, " "); name == "ifmodule" && (text == "mod_headers.c" || text == "headers_module") {
			s.matches = func(string) bool { return true }
		}
		return s
	case "files", "filesmatch":
		if len(args) > 1 && args[0] == "~" {
			expression, args = true, args[1:]
		}
	default:
		return s
	}
	switch pattern := bytewise(args[0]); {
	case len(args) != 1 || pattern == "":
	case expression:
		if e, err := regexp.Compile(pattern); err == nil {
			s.matches = e.MatchString
		}
	case !strings.ContainsAny(pattern, `[\`):
		s.matches = func(name string) bool {
			ok, _ := path.Match(pattern, name)
			return ok
		}
	}
	return s
}

// headerRule reads "Header set NAME …", and add, append and merge, for all files or in a section for files. A line that
// does something else, or depends on more than the file's name, is unread.
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
func (u *User) headerRule(l marks.Line, open []section) userRule {
	var rule userRule
	for _, s := range open {
		rule.unread = rule.unread || s.matches == nil || s.apart && rule.matches != nil
		rule.depends = rule.depends || slices.Contains([]string{"if", "elseif", "else"}, s.name)
		if s.apart {
			rule.before = l.Trim()
			rule.matches = func(request string) bool {
				name := request[strings.LastIndexByte(request, '/')+1:]
				return s.matches(bytewise(cmp.Or(name, "index.html")))
			}
		}
	}
	args, read := words(l.Trim(), `"'`)
	if len(args) > 1 && slices.Contains([]string{"always", "onsuccess"}, strings.ToLower(args[1])) && len(args) > 4 {
		rule.always = strings.EqualFold(args[1], "always")
		args = slices.Delete(args, 1, 2)
	}
	if unsets(args) {
		rule.unread, rule.sends, rule.depends = true, u.value(l.Number, ""), rule.depends || len(args) > 3
		return rule
	}
	if len(args) == 5 && condition.MatchString(args[4]) {
		rule.unread, rule.depends, args = true, true, args[:4]
	}
	if !read || len(args) != 4 || !strings.EqualFold(args[0], "Header") ||
		!strings.EqualFold(strings.TrimSuffix(args[2], ":"), u.header) {
		rule.unread, rule.vague, rule.sends = true, true, u.value(l.Number, "")
		return rule
	}
	action := strings.ToLower(args[1])
	rule.beside, rule.appended = action != "set", action == "append" || action == "merge"
	rule.sends = u.value(l.Number, strings.ReplaceAll(args[3], "%%", "%"))
	isVariable := strings.Contains(strings.ReplaceAll(args[3], "%%", ""), "%")
	rule.vague = !slices.Contains([]string{"set", "add", "append", "merge"}, action) || isVariable ||
		strings.HasPrefix(args[3], "expr=") || strings.TrimSpace(args[3]) == ""
	rule.unread = rule.unread || rule.vague
	return rule
}

// condition is the last argument of a directive that depends on the request.
var condition = lazyregexp.New(`(?i)^(?:env=|expr=|early$)`)

// unsets reports whether a directive does no more than to take a header away.
func unsets(args []string) bool {
	return len(args) > 2 && strings.EqualFold(args[0], "Header") && strings.EqualFold(args[1], "unset")
}

// bytewise has a character for each byte of a text: Apache's expressions compare bytes.
func bytewise(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}
