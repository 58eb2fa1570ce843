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

// afterOurs is the finding about a line in a section.
const afterOurs = "Apache merges a section after the lines outside of sections, so this line counts for its files and " +
	"not our rules " + takeOver

// readApache reads the owner's lines about the header, for all files and in <Files>, <Files ~> and
// <FilesMatch>, as Google's page on the header has them
// (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag). Apache
// applies such sections after all that is outside of one, in their order, and compares the name of
// the file without its folder. What "Header always" says is sent beside the rest.
// https://httpd.apache.org/docs/2.4/sections.html#merging
//
// The User has one view. Its rules are the lines outside of sections that are read, and then each
// line in a section: one that is not read may decide about any file. Every line that is not read is
// reported. It fails at a tag that closes no open section, and if a section is never closed: that
// would take in what we add, and Apache refuses the file.
func readApache(file []byte, header string) (*User, error) {
	u := &User{header: header, text: marks.Read(file),
		serves: unconfigured(address.Apache)} // until it is asked about a site ([User.Serve])
	v := view{}
	var sections openSections // those around the line
	var inSections []userRule
	for i, l := range u.text.Lines { // the owner's: our block is taken out
		isBehindBlock := i == u.text.At // the first line that was behind our block
		if isBehindBlock && len(sections) > 0 {
			// An edit has put a section around our block, which is for all files: it goes to the end.
			u.text.At = len(u.text.Lines)
		}
		isTag, err := sections.readTag(l)
		if err != nil {
			return nil, err
		}
		if isTag || !u.mentionsHeader(l) { // a comment mentions nothing
			continue
		}
		if isOfRequest(l) {
			u.report(l.Number, "RequestHeader is about the request: no crawler gets %s from this line (write Header)",
				u.header)
			continue
		}
		rule := u.headerRule(l, sections)
		if rule.isUnread {
			u.reportUnreadLine(l, rule)
		}
		if isMergedLater := rule.overridesOurs(); isMergedLater { // in <Files>, not in <IfModule>
			inSections = append(inSections, rule.unknownIfUnread())
		} else {
			v.addOutsideSections(rule)
		}
	}
	if err := sections.failIfOpen(); err != nil {
		return nil, err
	}
	v.rules = append(v.rules, inSections...) // Apache carries them out last
	u.views = []view{v}
	return u, nil
}

// isOfRequest reports whether a line is a RequestHeader, which changes what the server is asked and
// not what it answers.
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#requestheader
func isOfRequest(l marks.Line) bool {
	directive, _, _ := strings.Cut(strings.ReplaceAll(l.Trim(), "\t", " "), " ")
	return strings.EqualFold(directive, "RequestHeader")
}

// addOutsideSections adds a rule of a .htaccess that is in no section, or in one such as
// <IfModule>. If it is not read, nobody knows whether it is carried out: it is no rule of the view,
// and what the others set is in doubt.
func (v *view) addOutsideSections(rule userRule) {
	v.outsideSections = append(v.outsideSections, rule)
	if rule.isUnread {
		v.isDoubtful = true
	} else {
		v.rules = append(v.rules, rule)
	}
}

// reportUnreadLine reports a line of a .htaccess that cannot be read.
func (u *User) reportUnreadLine(l marks.Line, rule userRule) {
	if rule.isConditional {
		u.reportConditional(l.Number, "line")
	} else {
		u.reportUnread(l.Number, "line", "")
	}
}

// unknownIfUnread is a rule in a section for the view of readApache: one that is read is the same,
// one that is not may take every path and send anything. Only its place and what is known of its
// condition are left of that.
func (r *userRule) unknownIfUnread() userRule {
	if !r.isUnread {
		return *r
	}
	sends := r.sends
	sends.Text = ""
	return userRule{sends: sends, nameIfOverriding: r.nameIfOverriding, isUnread: true,
		isConditional: r.isConditional}
}

// openSections are the sections of a .htaccess in which a line is, the outermost first.
type openSections []section

// readTag opens or closes a section if the line is a tag. It fails if the tag does not close the
// innermost section that is open.
func (s *openSections) readTag(l marks.Line) (isTag bool, err error) {
	text := l.Trim()
	switch last := len(*s) - 1; {
	case strings.HasPrefix(text, "</"):
		name := strings.ToLower(strings.Trim(text, "</> \t"))
		if last < 0 || (*s)[last].name != name {
			return true, fmt.Errorf("line %d: %s closes no section that is open here", l.Number, text)
		}
		*s = (*s)[:last]
	case strings.HasPrefix(text, "<"):
		*s = append(*s, newSection(l))
	default:
		return false, nil
	}
	return true, nil
}

// failIfOpen returns an error about the innermost section that is open at the end of the file; nil
// if all are closed.
func (s openSections) failIfOpen() error {
	if len(s) == 0 {
		return nil
	}
	l := s[len(s)-1].line
	return fmt.Errorf("line %d: %s is never closed", l.Number, l.Trim())
}

// section is one of a .htaccess, such as "<Files …>".
type section struct {
	line marks.Line // its tag
	name string     // of the tag, in lower case
	// matches reports whether it is for files of a name; nil if nobody knows for which it is.
	matches func(fileName string) bool
	// fileName is the one name that it is for; "" if it may be for others.
	fileName string
	// isMergedLater says that Apache merges it after what is outside of sections: not a condition
	// on the server itself, such as <IfModule>, whose lines count where they are.
	isMergedLater bool
}

// newSection reads the tag that opens a section:
//
//	<FilesMatch "\.pdf$">        merged later; for the files whose names the expression matches
//	<Files "a*.pdf">             merged later; for those whose names the glob matches
//	<Files ~ "\.pdf$">           as FilesMatch
//	<IfModule mod_headers.c>     for all files: without the module, no line about headers counts
//	<IfModule mod_rewrite.c>     nobody knows whether it holds: matches is nil
//	<If "…">, <Limit GET>        merged later; nobody knows for which files: matches is nil
//	<Files "a>, <Files>          the same: a quotation mark that is not closed, or no argument
func newSection(l marks.Line) section {
	inner := strings.Trim(l.Trim()[1:], "> \t")
	name, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(inner), "\t", " "), " ")
	s := section{line: l, name: name, isMergedLater: true}
	words, isWhole := splitWords(inner, `"'`) // isWhole is false if a quotation mark is not closed
	if !isWhole || len(words) < 2 {
		return s
	}
	args := words[1:] // those behind the name
	const isExpression, isGlob = true, false
	switch name {
	case "ifdefine", "ifversion":
		s.isMergedLater = false
	case "ifmodule":
		s.isMergedLater = false
		if module := strings.Join(args, " "); module == "mod_headers.c" || module == "headers_module" {
			s.matches = func(string) bool { return true }
		}
	case "filesmatch":
		s.matches = matcherOfFiles(args, isExpression)
	case "files":
		if hasTilde := len(args) > 1 && args[0] == "~"; hasTilde {
			s.matches = matcherOfFiles(args[1:], isExpression)
		} else {
			s.matches = matcherOfFiles(args, isGlob)
			if !strings.ContainsAny(args[0], `*?[\`) {
				s.fileName = args[0]
			}
		}
	}
	return s
}

// matcherOfFiles returns a function that reports whether a section is for files of a name, by the
// arguments of its tag: one regular expression, or else one glob. It is nil if they cannot be read:
// no argument or several, an expression of another syntax than Go's, or a glob with a class.
func matcherOfFiles(args []string, isExpression bool) (matches func(fileName string) bool) {
	pattern := bytewise(args[0])
	switch {
	case len(args) != 1 || pattern == "":
		return nil
	case isExpression:
		expression, err := regexp.Compile(pattern)
		if err != nil {
			return nil
		}
		return expression.MatchString
	case strings.ContainsAny(pattern, `[\`):
		return nil
	}
	return func(fileName string) bool {
		isMatch, _ := path.Match(pattern, fileName)
		return isMatch
	}
}

// headerRule reads a line that mentions the header, in these sections: "Header set NAME …", and
// add, append and merge. A line that does something else, or depends on more than the file's name,
// is unread; it is also vague if nobody knows what it sends. It reports nothing: the callers do, or
// leave out what is unread.
//
//	Header set X-Robots-Tag "noindex"               read: it replaces what is there
//	Header always append X-Robots-Tag noindex       read: apart, it joins
//	Header set X-Robots-Tag noindex env=preview     unread, conditional
//	Header unset X-Robots-Tag                       unread: it sends nothing
//	Header always unset X-Robots-Tag                unread, apart: it sends nothing
//	Header set X-Robots-Tag "%{ROBOTS}e"            unread, vague: a variable
//	Header edit X-Robots-Tag no yes                 unread, vague
//	SetEnvIf X-Robots-Tag no yes                    unread, vague
//
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
func (u *User) headerRule(l marks.Line, sections openSections) userRule {
	rule := sections.newRule()
	if isMergedLater := rule.paths.matches != nil; isMergedLater {
		rule.nameIfOverriding = l.Trim() // Apache carries the line out after ours
	}
	const noText = "" // as yet
	rule.sends = u.valueAt(l.Number, noText)
	// There are no words if a quotation mark is not closed.
	args, _ := splitWords(l.Trim(), `"'`)
	if namesTable := len(args) > 2 && isTableName(args[1]); namesTable { // Header always set …
		rule.isApart = strings.EqualFold(args[1], "always")
		args = slices.Delete(args, 1, 2) // now as the others: Header set …
	}
	if unsets(args) { // it replaces what is there, with nothing
		hasCondition := len(args) > 3 // more than Header unset NAME
		rule.effect, rule.isUnread = replaces, true
		rule.isConditional = rule.isConditional || hasCondition
		return rule
	}
	if hasCondition := len(args) == 5 && condition.MatchString(args[4]); hasCondition {
		rule.isUnread, rule.isConditional = true, true
		args = args[:4]
	}
	if u.isHeaderDirective(args) {
		rule.setAction(strings.ToLower(args[1]), args[3])
	} else {
		rule.isUnread, rule.isVague = true, true
	}
	return rule
}

// isHeaderDirective reports whether the words of a line are "Header ACTION NAME VALUE", and the
// name is that of the header.
func (u *User) isHeaderDirective(args []string) bool {
	return len(args) == 4 && strings.EqualFold(args[0], "Header") &&
		strings.EqualFold(strings.TrimSuffix(args[2], ":"), u.header)
}

// newRule begins the rule of a line in these sections with what they decide: for which files it is,
// whether that can be read, and whether it depends on the request. It cannot be read if nobody
// knows for which files one of them is, or if two are merged later. Outside of such sections the
// rule is for all files: paths.matches is nil then, and only then.
func (s openSections) newRule() (rule userRule) {
	for _, one := range s {
		isInTwo := one.isMergedLater && rule.paths.matches != nil
		rule.isUnread = rule.isUnread || one.matches == nil || isInTwo
		rule.isConditional = rule.isConditional || slices.Contains([]string{"if", "elseif", "else"}, one.name)
		if one.isMergedLater {
			rule.paths.matches, rule.fileName = one.takesPath, one.fileName
		}
	}
	return rule
}

// takesPath reports whether the section is for the file at a request path; that of a folder is its
// index. It is asked only if matches is known.
func (s section) takesPath(request string) bool {
	fileName := request[strings.LastIndexByte(request, '/')+1:]
	return s.matches(bytewise(cmp.Or(fileName, "index.html")))
}

// isTableName reports whether an argument of Header names one of the two tables of headers that
// Apache has for a response.
func isTableName(arg string) bool {
	return strings.EqualFold(arg, "always") || strings.EqualFold(arg, "onsuccess")
}

// setAction sets what the rule sends, and how, by an action of Header and its value. Another action
// than the four, and a value with a variable or without a text, make it unread and vague: nobody
// knows what it sends.
func (r *userRule) setAction(action, written string) {
	isKnown := true
	switch action {
	case "set":
		r.effect = replaces
	case "append", "merge":
		r.effect = joins
	case "add":
		r.effect = adds
	default:
		r.effect, isKnown = adds, false
	}
	r.sends.Text = strings.ReplaceAll(written, "%%", "%")
	hasVariable := strings.Contains(strings.ReplaceAll(written, "%%", ""), "%")
	r.isVague = !isKnown || hasVariable || strings.HasPrefix(written, "expr=") || strings.TrimSpace(written) == ""
	r.isUnread = r.isUnread || r.isVague
}

// condition is the last argument of a directive that depends on the request.
var condition = lazyregexp.New(`(?i)^(?:env=|expr=|early$)`)

// unsets reports whether a directive does no more than to take a header away. Which one is not
// asked: one that takes another away, and mentions ours in a condition, is unread either way.
func unsets(args []string) bool {
	return len(args) > 2 && strings.EqualFold(args[0], "Header") && strings.EqualFold(args[1], "unset")
}

// bytewise returns a text with a character for each byte of this one: Apache's expressions compare
// bytes.
func bytewise(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}
