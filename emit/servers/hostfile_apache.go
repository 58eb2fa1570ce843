package servers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/lazyregexp"
)

// apacheHeader is what our directives set the header to: the lines of one that sets it or adds to
// the owner's, and those of the directives that add to that.
type apacheHeader struct {
	lines []string
	line  int // of the first directive
	// isAdded says that the first line is sent beside what the owner's lines before ours set.
	isAdded bool
}

// apacheBlock is what our directives do, while they are read one after the other.
type apacheBlock struct {
	header     robotstag.Header
	everywhere *apacheHeader            // of the paths that are not in headerAt
	headerAt   map[string]*apacheHeader // by path; those of one directive share a value
	// others has the rules for other hosts, nil before their section, and redirect where they lead;
	// isInOthers: the next lines are in that section.
	others     *otherHosts
	redirect   *homeRedirect
	isInOthers bool
}

// hostApache reads what Apache does with our directives: lines are joined at a backslash and at
// most 8,191 bytes long; of the directives that set the header the last whose expression holds
// counts, and those that add a line add it to what is there by then.
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
func hostApache(file []byte, header robotstag.Header) (*hostFile, error) {
	t, u := marks.Read(file), &User{header: header.Name}
	b := &apacheBlock{header: header, everywhere: &apacheHeader{},
		headerAt: make(map[string]*apacheHeader)}
	for _, directive := range joinedLines(t.Block) {
		if err := b.readDirective(directive); err != nil {
			return nil, fmt.Errorf("line %d: %w", directive.Number, err)
		}
	}
	owner := u.apacheRules(t)
	const anyPath = ""
	r := &reading{addsOurs: header.Join, lookUp: b.answer,
		standard: answer{}.afterRules(owner.before, anyPath),
		sections: slices.Concat(owner.after, owner.inSections),
		apart:    slices.Concat(owner.apart, owner.apartInSections)}
	m := &hostFile{readings: []*reading{r}, others: b.others, redirect: b.redirect}
	if hasBlock := len(t.Block) > 0; hasBlock {
		for _, l := range owner.unreadAfter {
			m.addFault("header-found", l.Number,
				"this line sets the header after ours: it is the one that counts")
		}
		for _, l := range owner.unreadInSections {
			m.addFault("header-found", l.Number, afterOurs)
		}
	}
	return m, nil
}

// joinedLines returns lines with each that ends with a backslash joined to the next.
func joinedLines(lines []marks.Line) (joined []marks.Line) {
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		for strings.HasSuffix(l.Trim(), `\`) && i+1 < len(lines) {
			i++
			l.Text = strings.TrimSuffix(l.Trim(), `\`) + lines[i].Trim()
		}
		joined = append(joined, l)
	}
	return joined
}

// answer is what our directives set for a path.
func (b *apacheBlock) answer(path string) answer {
	set, isNamed := b.headerAt[path]
	if !isNamed {
		return answerOf(b.everywhere.line, b.everywhere.lines...)
	}
	a := answerOf(set.line, set.lines...)
	a.isSum = set.isAdded
	return a
}

// apacheFormat is the text that an argument of Header sends.
func apacheFormat(value string) string {
	return strings.NewReplacer("%%", "%", `\\`, `\`, `\r`, "\r", `\n`, "\n", `\t`, "\t").Replace(value)
}

// readDirective reads one directive between our marks: it notes in the block what the directive
// does. One about another header than the block's is skipped, since the file is read once for each
// header. It fails if the directive is none that we write. These are the lines that we write, and
// apacheRedirect and the lines around it may be in the section for other hosts:
//
//	<IfModule mod_headers.c> … </IfModule>                                  around all directives
//	Header set X-Robots-Tag "noindex"                                       for every path
//	Header set X-Robots-Tag "noindex" "expr=%{REQUEST_URI} in { '/a.pdf', '/b.pdf' }"
//	<If "%{HTTP_HOST} !~ …"> Header always add … </If>                      for other hosts
func (b *apacheBlock) readDirective(l marks.Line) error {
	const longestLine = 8191
	text := l.Trim()
	if len(text) > longestLine {
		return errors.New("too long for Apache")
	}
	isFrame := text == "<IfModule mod_headers.c>" || text == "</IfModule>"
	if isFrame || strings.HasPrefix(text, "#") {
		return nil
	}
	args, _ := splitWords(text, `"'`) // none if a quotation mark is not closed
	if isOfOthers, err := b.readOthers(l, args); isOfOthers || err != nil {
		return err
	}
	return b.readHeader(args, l.Number)
}

// readHeader reads the words of a directive "Header ACTION NAME VALUE", perhaps with a condition
// behind the value, which names paths. Without one the directive is for every path. It fails as
// readDirective does.
func (b *apacheBlock) readHeader(args []string, line int) error {
	hasCondition := len(args) == 5
	if len(args) != 4 && !hasCondition || args[0] != "Header" {
		return errNotOurs
	}
	action, name, value := args[1], args[2], apacheFormat(args[3])
	if isForOtherHeader := name != b.header.Name; isForOtherHeader {
		return nil
	}
	if !hasCondition {
		return b.readForAll(action, value, line)
	}
	paths, isCondition := apacheTexts(args[4], "expr=%{REQUEST_URI} in {", "}")
	if !isCondition {
		return errNotOurs
	}
	return b.readForPaths(action, value, line, paths)
}

var errNotOurs = errors.New("not a directive of ours")

// readForAll reads a directive without a condition: it sets the header, or adds a line to what one
// before it has set. It has to be ahead of all that are for paths, since it would replace what
// those set.
func (b *apacheBlock) readForAll(action, value string, line int) error {
	switch {
	case len(b.headerAt) > 0:
		return errors.New("what is for every path comes first")
	case action == "set":
		b.everywhere = &apacheHeader{lines: []string{value}, line: line}
	case action == "add":
		b.everywhere.lines = append(b.everywhere.lines, value)
	default:
		return errNotOurs
	}
	return nil
}

// readForPaths reads a directive whose condition names paths: it sets the header, adds a line to
// the owner's, or adds one to what a directive of ours for the same paths has set.
func (b *apacheBlock) readForPaths(action, value string, line int, paths []string) error {
	setAction := "set"
	if b.header.Join {
		setAction = "append"
	}
	header := b.headerAt[paths[0]]
	switch {
	case action == setAction, action == "add" && header == nil:
		header = &apacheHeader{lines: []string{value}, line: line, isAdded: action == "add"}
		for _, path := range paths {
			b.headerAt[path] = header
		}
	case action == "add":
		header.lines = append(header.lines, value)
		for _, path := range paths {
			if b.headerAt[path] != header {
				return fmt.Errorf("a line is added to what is not set: %s", path)
			}
		}
	default:
		return errNotOurs
	}
	return nil
}

// readOthers reads a line of the section for other hosts: the tag that opens it, a line in it, or
// the one that closes it. isOfOthers is false if the line is none of these. It fails if a line in
// the section is none that we write.
func (b *apacheBlock) readOthers(l marks.Line, args []string) (isOfOthers bool, err error) {
	begin := apacheOtherHosts.FindStringSubmatch(l.Trim())
	switch adds := []string{"Header", "always", "add", robotstag.Name}; {
	case begin != nil && b.others == nil:
		b.others, b.isInOthers = &otherHosts{}, true
		b.others.has, err = notNamed("(?i)" + begin[1])
	case !b.isInOthers:
		return false, nil
	case l.Trim() == "</If>":
		b.isInOthers = false
	case len(args) == 5 && slices.Equal(args[:4], adds):
		b.others.sent = append(b.others.sent, valuesSent(l.Number, args[4])...)
	case l.Trim() == apacheIfAlias:
	case apacheHome.MatchString(l.Trim()):
		b.redirect = &homeRedirect{home: apacheHome.FindStringSubmatch(l.Trim())[1], has: b.others.has}
	default:
		err = errors.New("not a directive of ours for other hosts")
	}
	return true, err
}

// apacheString is a '…' text. A backslash means the next character, if that is not a digit or a
// letter of a control character; % and $ may open variables.
// https://httpd.apache.org/docs/2.4/expr.html
var (
	apacheString = lazyregexp.New(`^ *'((?:[^'\\$%]|\\[^0-9A-Za-z])*)' *(,?)`)
	apacheEscape = lazyregexp.New(`(?s)\\(.)`)
)

// apacheTexts returns the texts of a condition: between a head and a tail, with commas between
// them. isCondition is false if it is anything else.
func apacheTexts(condition, head, tail string) (texts []string, isCondition bool) {
	rest, hasHead := strings.CutPrefix(condition, head)
	for hasHead {
		m := apacheString.FindStringSubmatch(rest)
		if m == nil {
			return nil, false
		}
		text, comma := m[1], m[2]
		texts = append(texts, apacheEscape.ReplaceAllString(text, "$1"))
		rest = rest[len(m[0]):]
		if comma == "" {
			return texts, rest == tail
		}
	}
	return nil, false
}

// apacheOwner is what the owner's lines of a .htaccess do with the header, in the order in which
// Apache carries them out.
type apacheOwner struct {
	before, after []userRule // outside of sections, before our block and after it
	inSections    []userRule // merged after all that is outside of one
	// apart and apartInSections are those of "Header always".
	apart, apartInSections []userRule
	// unreadAfter are the lines after our block that cannot be read, outside of sections and
	// without "always"; unreadInSections are those in sections, wherever they are.
	unreadAfter, unreadInSections []marks.Line
}

// apacheRules reads the owner's lines about the header, as [readApache] does, and sorts them as
// Apache carries them out. Of a User it uses the header alone. Tags that do not pair are no fault
// here: readApache has refused such a file.
func (u *User) apacheRules(t *marks.Text) (owner apacheOwner) {
	hasBlock := len(t.Block) > 0 // else t.Last is 0, before every line
	var sections openSections    // those around the line
	for _, l := range t.Lines {
		isTag, _ := sections.readTag(l)
		if isTag || !u.mentionsHeader(l) { // a comment mentions nothing
			continue
		}
		isAfterBlock := hasBlock && l.Number > t.Last // behind the line of its end mark
		if rule := u.headerRule(l, sections); rule.isUnread {
			owner.addUnread(l, &rule, isAfterBlock)
		} else {
			owner.add(rule, isAfterBlock)
		}
	}
	return owner
}

// add adds a rule that is read. It is in a section if it overrides ours: in <Files>, and not in
// <IfModule>.
func (owner *apacheOwner) add(rule userRule, isAfterBlock bool) {
	switch isInSection := rule.overridesOurs(); {
	case rule.isApart && isInSection:
		owner.apartInSections = append(owner.apartInSections, rule)
	case rule.isApart:
		owner.apart = append(owner.apart, rule)
	case isInSection:
		owner.inSections = append(owner.inSections, rule)
	case isAfterBlock:
		owner.after = append(owner.after, rule)
	default:
		owner.before = append(owner.before, rule)
	}
}

// addUnread adds a line that cannot be read, if it may take something from ours. Outside of
// sections two kinds of lines do not, and are left out: those ahead of our block, since ours
// replace what they set or are sent beside it, and those of "Header always", which set a header of
// its own. What such a line may loosen beside ours, only the compiler knows ([view.meetingWith]).
func (owner *apacheOwner) addUnread(l marks.Line, rule *userRule, isAfterBlock bool) {
	if isInSection := rule.overridesOurs(); isInSection {
		owner.unreadInSections = append(owner.unreadInSections, l)
	} else if isAfterBlock && !rule.isApart {
		owner.unreadAfter = append(owner.unreadAfter, l)
	}
}
