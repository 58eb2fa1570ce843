package servers

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// fileRule is a line of the owner's .htaccess that sets the header in a section
// for files. Apache applies such sections after all that stands outside of one, in
// their order, and compares the name of the file without its folder.
// https://httpd.apache.org/docs/2.4/sections.html#merging
type fileRule struct {
	matches func(name string) bool
	// always says that the line is sent beside the one that "Header set" sets.
	// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
	always  bool
	section string
	value   string
	line    int
}

// fileRules reads the owner's lines about the header in <Files>, <Files ~> and
// <FilesMatch>, as Google's page on the header has them
// (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag).
// unread are the other lines about the header; sectioned are those of them in
// sections that are merged after the rest of the file.
func (t text) fileRules() (rules []fileRule, unread, sectioned []numbered) {
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
		if rule, ok := headerSet(l, open); ok {
			rules = append(rules, rule)
			continue
		}
		unread = append(unread, l)
		if slices.ContainsFunc(open, func(s fileSection) bool { return !s.condition }) {
			sectioned = append(sectioned, l)
		}
	}
	return rules, unread, sectioned
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
	name, rest, _ := strings.Cut(strings.TrimSuffix(line[1:], ">"), " ")
	rest = strings.TrimSpace(rest)
	switch name = strings.ToLower(name); name {
	case "ifmodule", "ifdefine", "ifversion":
		s.condition = true
		s.met = name == "ifmodule" && (rest == "mod_headers.c" || rest == "headers_module")
		return s
	case "files", "filesmatch":
	default:
		return s
	}
	expression := name == "filesmatch"
	if word, after, _ := strings.Cut(rest, " "); word == "~" {
		expression, rest = true, strings.TrimSpace(after)
	}
	pattern, rest, ok := apacheWord(rest)
	switch {
	case !ok || pattern == "" || rest != "":
	case expression:
		if e, err := regexp.Compile(bytewise(pattern)); err == nil {
			s.matches = func(name string) bool { return e.MatchString(bytewise(name)) }
		}
	case !strings.ContainsAny(pattern, `[\`):
		s.matches = func(name string) bool {
			ok, err := path.Match(bytewise(pattern), bytewise(name))
			return ok && err == nil
		}
	}
	return s
}

// headerSet reads "Header set X-Robots-Tag …" in a section for files; ok is false
// for a line that does something else, or depends on more than the file's name.
func headerSet(l numbered, open []fileSection) (rule fileRule, ok bool) {
	for _, s := range open {
		switch {
		case s.condition && s.met:
		case s.matches == nil || rule.matches != nil:
			return rule, false
		default:
			rule.matches, rule.section = s.matches, s.text
		}
	}
	var words []string
	for rest := l.text; rest != ""; {
		var word string
		if word, rest, ok = apacheWord(rest); !ok {
			return rule, false
		}
		words = append(words, word)
	}
	if len(words) == 5 {
		when := strings.ToLower(words[1])
		rule.always = when == "always"
		if !rule.always && when != "onsuccess" {
			return rule, false
		}
		words = slices.Delete(words, 1, 2)
	}
	if rule.matches == nil || len(words) != 4 || !strings.EqualFold(words[0], "Header") || !strings.EqualFold(words[1], "set") ||
		!strings.EqualFold(strings.TrimSuffix(words[2], ":"), robotstag.Name) {
		return rule, false
	}
	value := strings.ReplaceAll(words[3], "%%", "")
	if strings.Contains(value, "%") || strings.HasPrefix(value, "expr=") || strings.TrimSpace(value) == "" {
		return rule, false
	}
	rule.value, rule.line = apacheFormat(words[3]), l.line
	return rule, true
}

// apacheWord reads an argument of a directive, in quotes of either kind or up to
// a blank. A backslash stands for the quote or the backslash behind it, and before
// any other character for itself.
// https://httpd.apache.org/docs/2.4/configuring.html#syntax
func apacheWord(s string) (word, rest string, ok bool) {
	quote := byte(' ')
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		quote, s = s[0], s[1:]
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 == len(s):
			return "", "", false // the line goes on
		case s[i] == '\\' && (s[i+1] == '\\' || quote != ' ' && s[i+1] == quote):
			i++
		case s[i] == quote || quote == ' ' && s[i] == '\t':
			return b.String(), strings.TrimLeft(s[i+1:], " \t"), true
		}
		b.WriteByte(s[i])
	}
	return b.String(), "", quote == ' '
}

// bytewise has a character for each byte of a text: Apache's expressions compare
// bytes.
func bytewise(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}

// over returns the last of the rules that set the header of a requested file, and
// the last of those that send a line beside it.
func over(rules []fileRule, request string) (set, always *fileRule) {
	name := request[strings.LastIndexByte(request, '/')+1:]
	if name == "" {
		name = "index.html"
	}
	for i := range rules {
		switch r := &rules[i]; {
		case !r.matches(name):
		case r.always:
			always = r
		default:
			set = r
		}
	}
	return set, always
}

// overridden is what a response carries once the owner's sections are done.
func overridden(a answer, rules []fileRule, request string) answer {
	if len(rules) == 0 {
		return a
	}
	set, always := over(rules, request)
	if set != nil {
		a = answer{sent: values(set.line, set.value), line: set.line, pattern: set.section}
	}
	if always != nil {
		a.sent = append(slices.Clone(a.sent), robotstag.Value{Text: always.value, Name: robotstag.Name, Line: always.line})
		a.line, a.beside = always.line, true
	}
	return a
}
