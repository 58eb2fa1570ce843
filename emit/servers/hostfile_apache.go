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

// apacheSet is what a directive has set the header to, and others have added to it.
type apacheSet struct {
	lines []string
	line  int // of the directive
	added bool
}

// apacheBlock has what our directives say so far, while they are read one after the other.
type apacheBlock struct {
	header robotstag.Header
	always *apacheSet            // for every path
	of     map[string]*apacheSet // by path
	// others has the rules for other hosts, nil before their section; isInOthers: the next lines are in it.
	others     *otherHosts
	isInOthers bool
}

// hostApache reads what Apache does with our directives: lines are joined at a backslash and at most 8,191 bytes long;
// of the directives that set the header the last whose expression holds counts, and those that add a line add it to what
// is there by then.
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
func hostApache(file []byte, header robotstag.Header) (*hostFile, error) {
	t, u := marks.Read(file), &User{header: header.Name}
	b := &apacheBlock{header: header, always: &apacheSet{}, of: make(map[string]*apacheSet)}
	for i := 0; i < len(t.Block); i++ {
		l := t.Block[i]
		for strings.HasSuffix(l.Trim(), `\`) && i+1 < len(t.Block) {
			i++
			l.Text = strings.TrimSuffix(l.Trim(), `\`) + t.Block[i].Trim()
		}
		if err := b.do(l); err != nil {
			return nil, fmt.Errorf("line %d: %w", l.Number, err)
		}
	}
	r := &reading{joins: header.Join, lookUp: func(path string) answer {
		if set, ok := b.of[path]; ok {
			a := sent(set.line, set.lines...)
			a.beside = set.added
			return a
		}
		return sent(b.always.line, b.always.lines...)
	}}
	unread, sectioned := fileRules(u, t, r)
	m := &hostFile{readings: []*reading{r}, others: b.others}
	for _, l := range unread {
		if l.Number > t.Last && len(t.Block) > 0 {
			m.fault("header-found", l.Number, "this line sets the header after ours: it is the one that counts")
		}
	}
	for _, l := range sectioned {
		if len(t.Block) > 0 {
			m.fault("header-found", l.Number, afterOurs)
		}
	}
	return m, nil
}

// apacheFormat is what a value sends.
func apacheFormat(value string) string {
	return strings.NewReplacer("%%", "%", `\\`, `\`, `\r`, "\r", `\n`, "\n", `\t`, "\t").Replace(value)
}

// do reads one directive.
func (b *apacheBlock) do(l marks.Line) error {
	if len(l.Trim()) > 8191 {
		return errors.New("too long for Apache")
	}
	if l.Trim() == "<IfModule mod_headers.c>" || l.Trim() == "</IfModule>" || strings.HasPrefix(l.Trim(), "#") {
		return nil
	}
	args, ok := words(l.Trim(), `"'`)
	if isSection, err := b.doOthers(l, args); isSection || err != nil {
		return err
	}
	if !ok || len(args) < 4 || len(args) > 5 || args[0] != "Header" {
		return errors.New("not a directive of ours")
	}
	if args[2] != b.header.Name {
		return nil
	}
	value, action := apacheFormat(args[3]), args[1]
	condition := strings.Join(args[4:], "")
	paths, isPath := apacheTexts(condition, "expr=%{REQUEST_URI} in {", "}")
	set := &apacheSet{[]string{value}, l.Number, false}
	switch {
	case len(args) == 4 && len(b.of) > 0:
		return errors.New("what is for every path comes first")
	case action == "set" && len(args) == 4:
		b.always = set
	case action == "add" && len(args) == 4:
		b.always.lines = append(b.always.lines, value)
	case action == "set" && isPath && !b.header.Join || action == "append" && isPath && b.header.Join:
		for _, path := range paths {
			b.of[path] = set
		}
	case action == "add" && isPath && b.of[paths[0]] == nil:
		set.added = true
		for _, path := range paths {
			b.of[path] = set
		}
	case action == "add" && isPath:
		set = b.of[paths[0]]
		set.lines = append(set.lines, value)
		for _, path := range paths {
			if b.of[path] != set {
				return fmt.Errorf("a line is added to what is not set: %s", path)
			}
		}
	default:
		return errors.New("not a directive of ours")
	}
	return nil
}

// doOthers reads a line of the section for other hosts, if it is one.
func (b *apacheBlock) doOthers(l marks.Line, args []string) (isSection bool, err error) {
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
		b.others.sent = append(b.others.sent, values(l.Number, args[4])...)
	default:
		err = errors.New("not a directive of ours for other hosts")
	}
	return true, err
}

// apacheString is a '…' text. A backslash means the next character, if that is not a digit or a letter of a control
// character; % and $ may open variables.
// https://httpd.apache.org/docs/2.4/expr.html
var (
	apacheString = lazyregexp.New(`^ *'((?:[^'\\$%]|\\[^0-9A-Za-z])*)' *(,?)`)
	apacheEscape = lazyregexp.New(`(?s)\\(.)`)
)

// apacheTexts reads the texts of a condition with commas between them.
func apacheTexts(condition, head, tail string) (texts []string, ok bool) {
	rest, ok := strings.CutPrefix(condition, head)
	for ok {
		m := apacheString.FindStringSubmatch(rest)
		if m == nil {
			return nil, false
		}
		texts = append(texts, apacheEscape.ReplaceAllString(m[1], "$1"))
		if rest = rest[len(m[0]):]; m[2] == "" {
			return texts, rest == tail
		}
	}
	return nil, false
}

// fileRules reads the owner's lines about the header, for all files and in <Files>, <Files ~> and <FilesMatch>, as
// Google's page on the header has them
// (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag). unread are the other lines
// about the header; sectioned are those of them in sections that are merged after the rest of the file.
func fileRules(u *User, t *marks.Text, r *reading) (unread, sectioned []marks.Line) {
	var open []section
	var before, after, inSections, apart, apartInSections []userRule
	for _, l := range t.Lines {
		switch {
		case strings.HasPrefix(l.Trim(), "</"):
			open = open[:max(0, len(open)-1)]
			continue
		case strings.HasPrefix(l.Trim(), "<"):
			open = append(open, newSection(l))
			continue
		case !u.about(l):
			continue
		}
		isSectioned := func(own userRule) bool { return own.before != "" }
		switch own := u.headerRule(l, open); {
		case own.unread:
			unread = append(unread, l)
			if isSectioned(own) {
				sectioned = append(sectioned, l)
			}
		case own.always && isSectioned(own):
			apartInSections = append(apartInSections, own)
		case own.always:
			apart = append(apart, own)
		case isSectioned(own):
			inSections = append(inSections, own)
		case l.Number > t.Last && len(t.Block) > 0:
			after = append(after, own)
		default:
			before = append(before, own)
		}
	}
	const anyPath = ""
	r.standard = answer{}.then(before, anyPath)
	r.sections, r.apart = slices.Concat(after, inSections), slices.Concat(apart, apartInSections)
	return unread, sectioned
}
