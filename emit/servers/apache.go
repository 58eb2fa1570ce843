package servers

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// apacheMost is the number of URLs above which a .htaccess, which Apache reads anew for every request, costs each of
// them more than some 6 ms: 0.6 µs a URL was measured with Apache 2.4.
const apacheMost = 10000

// apacheLine is the longest line that Apache takes in a .htaccess, those joined by a backslash counted as one, with
// some room: HUGE_STRING_LEN is 8192.
const apacheLine = 8000

const apacheHeader = "Header %s " + robotstag.Name + ` "%s"`

// writeApache writes directives that compare the path with the texts of a list, one by one: nothing is compiled, and
// nothing nests.
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
//
// A value of several lines is set as one and then taken apart: so no path stands in a second list, and what was not
// understood would leave the joined line. All begins with Header set, which replaces what the owner has put there, and
// is done when the response is sent, by the path of the file that is served: an inner redirect or an error page doubles
// nothing.
func writeApache(c *compiler) error {
	t := c.user.text
	for _, l := range t.robots() {
		if l.line > t.last {
			t.at = len(t.text) // of two directives that set a header the last counts
		}
	}
	c.inTheWay(func(answer, string) string { return afterOurs })
	var lines []string
	if c.everywhere != "" {
		// Ahead of the others: of two that hold the last counts.
		c.res.Rules++
		lines = append(lines, fmt.Sprintf(apacheHeader, "set", apacheValue(c.everywhere)))
	}
	for _, g := range c.groups {
		head := fmt.Sprintf(apacheHeader, "set", apacheValue(g.value)) + ` "expr=%{REQUEST_URI} in { \` + "\n"
		most := apacheLine
		if !fits(c.apacheSplit(g.value)) {
			most = 0
		}
		packed := c.pack(g.urls, head, ", \\\n", most, func(url string) string { return "'" + apacheText(url) + "'" })
		c.res.Rules += len(packed)
		for _, p := range packed {
			lines = append(lines, strings.Split(p+" \\\n}\"", "\n")...)
		}
	}
	if len(lines) > 0 && len(c.several) > 0 {
		lines = append(lines, "# Each crawler has a line of its own.")
		for _, value := range c.several { // the shortest first: none becomes what a later one is
			if split := c.apacheSplit(value); fits(split) {
				lines = append(lines, split...)
			}
		}
	}
	if len(lines) > 0 {
		lines = append(append([]string{"<IfModule mod_headers.c>"}, lines...), "</IfModule>")
	}
	if n := c.count(); n > apacheMost {
		c.report(robotstag.IDCount, policy.Warning, nil, "%d URLs in .htaccess, which Apache reads for every request:"+
			" that takes some %d ms (headers.scope = \"files\" leaves HTML to its tags; in a <Directory> of the "+
			"server's"+
			" configuration the block is read once)", n, n*6/apacheMost)
	}
	c.res.File = t.print(lines)
	return nil
}

// apacheSplit are the directives that take a value apart: behind it, as long as it stands first, the lines of crawlers
// are added, then it becomes its first line. Header append would join them by a comma.
func (c *compiler) apacheSplit(value string) (directives []string) {
	lines := c.lines[value]
	for _, l := range lines[1:] {
		directives = append(directives, fmt.Sprintf(apacheHeader+` "expr=%%{resp:%s} == '%s'"`,
			"add", apacheValue(l), robotstag.Name, apacheText(value)))
	}
	if len(directives) > 0 {
		directives = append(directives, fmt.Sprintf(apacheHeader+` "%s"`,
			"edit", "^"+regexp.QuoteMeta(value)+"$", apacheValue(lines[0])))
	}
	return directives
}

func fits(lines []string) bool {
	for _, l := range lines {
		if len(l) > apacheLine {
			return false
		}
	}
	return true
}

// apacheValue escapes a value, in which % opens a variable.
func apacheValue(s string) string { return strings.ReplaceAll(s, "%", "%%") }

// apacheText escapes a path for a '…' text of an expression that stands in a "…" argument: what opens a variable (%{,
// $1, ${) or ends a text takes a backslash, and that and a quote another for the argument. Octal escapes would swallow
// digits that follow.
var apacheText = strings.NewReplacer(`'`, `\\'`, `"`, `\\\"`, `\`, `\\\\`, `$`, `\\$`, `%`, `\\%`,
	`{`, `\\{`, `}`, `\\}`).Replace

// apacheSet is what a directive has set the header to, and others have added to it and edited of it.
type apacheSet struct {
	lines []string
	line  int // of the directive
}

// apacheBlock is what our directives come to, as far as they are read.
type apacheBlock struct {
	always *apacheSet            // for every path
	of     map[string]*apacheSet // by path
	all    []*apacheSet
}

// readApache reads what Apache does with our directives: lines are joined at a backslash and at most 8,191 bytes long;
// of the directives that set the header the last whose expression holds counts, and those that add a line or edit one
// are done to what is there by then.
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
func readApache(file []byte) (*File, error) {
	t := readText(file)
	b := &apacheBlock{always: &apacheSet{}, of: make(map[string]*apacheSet)}
	for i := 0; i < len(t.ours); i++ {
		l := t.ours[i]
		for strings.HasSuffix(l.text, `\`) && i+1 < len(t.ours) {
			i++
			l.text = strings.TrimSuffix(l.text, `\`) + t.ours[i].text
		}
		if err := b.do(l); err != nil {
			return nil, fmt.Errorf("line %d: %w", l.line, err)
		}
	}
	r := &reading{lookUp: func(path string) answer {
		if set, ok := b.of[path]; ok {
			return sent(set.line, set.lines...)
		}
		return sent(b.always.line, b.always.lines...)
	}}
	unread, sectioned := t.fileRules(r)
	m := t.model(serving{}, unread, r)
	m.doubtful = len(sectioned) > 0
	for _, l := range unread {
		if l.line > t.last && len(t.ours) > 0 {
			m.fault(robotstag.IDFound, l.line, "this line sets the header after ours: it is the one that counts")
		}
	}
	for _, l := range sectioned {
		if len(t.ours) > 0 {
			m.fault(robotstag.IDFound, l.line, afterOurs)
		}
	}
	return m, nil
}

// do reads one directive.
func (b *apacheBlock) do(l numbered) error {
	if len(l.text) > 8191 {
		return errors.New("too long for Apache")
	}
	if l.text == "<IfModule mod_headers.c>" || l.text == "</IfModule>" || strings.HasPrefix(l.text, "#") {
		return nil
	}
	args, err := words(l.text, `"`)
	if err != nil || len(args) < 4 || len(args) > 5 || args[0] != "Header" || args[2] != robotstag.Name {
		return errors.New("not a directive of ours")
	}
	value, action := strings.ReplaceAll(args[3], "%%", "%"), args[1]
	condition := strings.Join(args[4:], "")
	paths, isPath := apacheTexts(condition, "expr=%{REQUEST_URI} in {", "}")
	firsts, isFirst := apacheTexts(condition, "expr=%{resp:"+robotstag.Name+"} == ", "")
	switch {
	case action == "set" && len(args) == 4:
		clear(b.of) // it holds for every path, and what came before is replaced
		b.always = &apacheSet{[]string{value}, l.line}
		b.all = []*apacheSet{b.always}
	case action == "set" && isPath:
		set := &apacheSet{[]string{value}, l.line}
		b.all = append(b.all, set)
		for _, path := range paths {
			b.of[path] = set
		}
	case action == "add" && isFirst && len(firsts) == 1:
		for _, set := range b.all {
			if set.lines[0] == firsts[0] { // of several lines the expression sees the first
				set.lines = append(set.lines, value)
			}
		}
	case action == "edit" && len(args) == 5:
		whole, err := onePath(args[3])
		for _, set := range b.all {
			for k, line := range set.lines {
				if err == nil && line == whole {
					set.lines[k] = strings.ReplaceAll(args[4], "%%", "%")
				}
			}
		}
		return err
	default:
		return errors.New("not a directive of ours")
	}
	return nil
}

// apacheString is a '…' text. A backslash means the next character, if that is not a digit or a letter of a control
// character; % and $ may open variables.
// https://httpd.apache.org/docs/2.4/expr.html
var (
	apacheString = regexp.MustCompile(`^ *'((?:[^'\\$%]|\\[^0-9A-Za-z])*)' *(,?)`)
	apacheEscape = regexp.MustCompile(`(?s)\\(.)`)
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
