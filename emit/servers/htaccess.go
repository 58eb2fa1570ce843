package servers

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// afterOurs is said of a line in a section.
const afterOurs = "Apache merges a section after what stands outside of one, so this line counts for its files and " +
	"not our" +
	" rules (take it out: the policy covers them)"

// fileRule is a line of the owner's .htaccess that sets the header in a section for files. Apache applies such sections
// after all that stands outside of one, in their order, and compares the name of the file without its folder.
// https://httpd.apache.org/docs/2.4/sections.html#merging
type fileRule struct {
	section fileSection
	value   string
	line    int
}

// matches reports whether it is for a requested file.
func (r fileRule) matches(request string) bool {
	name := request[strings.LastIndexByte(request, '/')+1:]
	if name == "" {
		name = "index.html"
	}
	return r.section.matches(name)
}

// fileRules reads the owner's lines about the header in <Files>, <Files ~> and <FilesMatch>, as Google's page on the
// header has them (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag). unread are
// the other lines about the header; sectioned are those of them in sections that are merged after the rest of the file.
func (t *textFile) fileRules(r *reading) (unread, sectioned []numbered) {
	robots := t.robots()
	var open []fileSection
	for _, l := range t.own {
		switch {
		case strings.HasPrefix(l.text, "</"):
			open = open[:max(0, len(open)-1)]
			continue
		case strings.HasPrefix(l.text, "<"):
			open = append(open, newFileSection(l.text))
			continue
		case !slices.Contains(robots, l):
			continue
		}
		switch f, always, ok := headerSet(l, open); {
		case ok && always:
			r.beside = append(r.beside, f)
		case ok:
			r.wide = append(r.wide, wideRule{len(r.rules), f.matches})
			a := answer{sent: values(f.line, f.value), line: f.line, pattern: f.section.text}
			r.rules = append(r.rules, rule{answer: a})
		default:
			unread = append(unread, l)
			if slices.ContainsFunc(open, func(s fileSection) bool { return !s.condition }) {
				sectioned = append(sectioned, l)
			}
		}
	}
	return unread, sectioned
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
func headerSet(l numbered, open []fileSection) (rule fileRule, always, ok bool) {
	for _, s := range open {
		switch {
		case s.condition && s.met:
		case s.matches == nil || rule.section.matches != nil:
			return rule, false, false
		default:
			rule.section = s
		}
	}
	args, err := words(l.text, `"'`)
	if len(args) == 5 {
		always = strings.EqualFold(args[1], "always")
		if always || strings.EqualFold(args[1], "onsuccess") {
			args = slices.Delete(args, 1, 2)
		}
	}
	if err != nil || len(args) != 4 || rule.section.matches == nil ||
		!strings.EqualFold(strings.TrimSuffix(strings.Join(args[:3], " "), ":"), "Header set "+robotstag.Name) {
		return rule, false, false
	}
	rule.value, rule.line = strings.ReplaceAll(args[3], "%%", "%"), l.line
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
