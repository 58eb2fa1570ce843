package servers

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
)

// afterOurs is said of a line in a section.
const afterOurs = "Apache merges a section after what stands outside of one, so this line counts for its files and " +
	"not our" +
	" rules (take it out: the policy covers them)"

// readApache reads the owner's lines about the header in <Files>, <Files ~> and <FilesMatch>, as Google's page on the
// header has them (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag). Apache
// applies such sections after all that stands outside of one, in their order, and compares the name of the file without
// its folder. What "Header always set" says is sent beside the rest.
// https://httpd.apache.org/docs/2.4/sections.html#merging
func readApache(file []byte) (*User, error) {
	u := &User{text: marks.Read(file)}
	var open []fileSection
	var set, always []userRule
	for _, l := range u.text.Lines {
		switch text := l.Trim(); {
		case strings.HasPrefix(text, "</"):
			open = open[:max(0, len(open)-1)]
			continue
		case strings.HasPrefix(text, "<"):
			open = append(open, newFileSection(text))
			continue
		case !isAbout(l):
			continue
		}
		switch rule, beside, ok := headerSet(l, open); {
		case ok && beside:
			always = append(always, rule)
		case ok:
			set = append(set, rule)
		default:
			u.leaveUnread(l.Number, "line", "")
			if slices.ContainsFunc(open, func(s fileSection) bool { return !s.condition }) {
				u.sectioned = append(u.sectioned, l.Number)
			}
		}
	}
	slices.Reverse(set)
	slices.Reverse(always)
	u.views = []view{{rules: set, beside: always}}
	return u, nil
}

// fileSection is a section that a line of a .htaccess stands in.
type fileSection struct {
	text      string
	matches   func(name string) bool // nil: not a section for files that can be read
	condition bool                   // on the server itself
	met       bool                   // it is mod_headers that has to be there
}

// newFileSection reads "<Files …>" and the like.
func newFileSection(line string) fileSection {
	s := fileSection{text: line}
	args, err := words(strings.TrimSuffix(line[1:], ">"), `"'`)
	if err != nil || len(args) == 0 {
		return s
	}
	name, args := strings.ToLower(args[0]), args[1:]
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

// headerSet reads "Header set X-Robots-Tag …" in a section for files; ok is false for a line that does something else,
// or depends on more than the file's name. always says that the line is sent beside the one that "Header set" sets.
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
func headerSet(l marks.Line, open []fileSection) (rule userRule, always, ok bool) {
	var section fileSection
	for _, s := range open {
		switch {
		case s.condition && s.met:
		case s.matches == nil || section.matches != nil:
			return rule, false, false
		default:
			section = s
		}
	}
	args, err := words(l.Trim(), `"'`)
	if len(args) == 5 {
		always = strings.EqualFold(args[1], "always")
		if always || strings.EqualFold(args[1], "onsuccess") {
			args = slices.Delete(args, 1, 2)
		}
	}
	if err != nil || len(args) != 4 || section.matches == nil ||
		!strings.EqualFold(strings.TrimSuffix(strings.Join(args[:3], " "), ":"), "Header set "+robotstag.Name) {
		return rule, false, false
	}
	rule = userRule{Value: value(l.Number, strings.ReplaceAll(args[3], "%%", "%")), before: section.text}
	rule.matches = func(request string) bool {
		name := request[strings.LastIndexByte(request, '/')+1:]
		return section.matches(cmp.Or(name, "index.html"))
	}
	variable := strings.Contains(strings.ReplaceAll(args[3], "%%", ""), "%")
	return rule, always, !variable && !strings.HasPrefix(args[3], "expr=") && strings.TrimSpace(args[3]) != ""
}

// bytewise has a character for each byte of a text: Apache's expressions compare bytes.
func bytewise(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}
