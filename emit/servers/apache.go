package servers

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/marks"
)

// Above so many URLs, or directives, a .htaccess, which Apache reads anew for every request, costs each of them some 6
// ms or more. With Apache 2.4, 0.6 µs a URL was measured, and 4 ms for 2,000 directives, 70 ms for 4,000 and 340 ms for
// 10,000, whatever their conditions.
const (
	apacheURLs       = 10000
	apacheDirectives = 2000
)

// apacheLine is the longest line that Apache takes in a .htaccess, those joined by a backslash counted as one, with
// some room: HUGE_STRING_LEN is 8192.
const apacheLine = 8000

// apacheHeader is a directive: the action, the header and the value.
const apacheHeader = `Header %s %s "%s"`

// writeApache writes directives that compare the path with the texts of a list, one by one: nothing is compiled, and
// nothing nests.
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
//
// A value of several lines is set as one and then taken apart: so no path stands in a second list, and what was not
// understood would leave the joined line. All begins with Header set, which replaces what the owner has put there, and
// is done when the response is sent, by the path of the file that is served: an inner redirect or an error page doubles
// nothing. A header that is a list keeps what the server's configuration says: Header append.
func writeApache(d *draft) (file []byte, rules int, err error) {
	t := d.headers[0].user.text
	about := func(l marks.Line) bool {
		return l.Number > t.Last && slices.ContainsFunc(d.headers, func(c *compiler) bool { return c.user.about(l) })
	}
	if slices.ContainsFunc(t.Lines, about) {
		t.At = len(t.Lines) // of two directives that set a header the last counts
	}
	var lines []string
	urls := 0
	for _, c := range d.headers {
		directives, n := c.apacheLines()
		lines, rules, urls = append(lines, directives...), rules+n, urls+c.count()
	}
	if len(lines) > 0 {
		lines = slices.Concat([]string{"<IfModule mod_headers.c>"}, lines, []string{"</IfModule>"})
	}
	if d.slow = ""; urls > apacheURLs || rules > apacheDirectives {
		d.slow = fmt.Sprintf("%d URLs in %d directives of .htaccess, which Apache reads for every request: above %d "+
			"of the one or %d of the other that takes several ms, and soon a tenth of a second (headers.scope = "+
			"\"files\" leaves HTML to its tags; in a <Directory> of the server's configuration the block is read once)",
			urls, rules, apacheURLs, apacheDirectives)
	}
	return t.With(lines, nil), rules, nil
}

// apacheLines are the lines for a header, and how many of the directives name a value.
func (c *compiler) apacheLines() (lines []string, rules int) {
	if c.everywhere != "" {
		// Ahead of the others: of two that hold the last counts.
		lines, rules = append(lines, c.apacheSet(c.everywhere)), 1
	}
	for _, g := range c.groups {
		packed := pack(g.urls, c.apacheHead(g.value), ", \\\n", apacheLine, apacheQuoted)
		rules += len(packed)
		for _, p := range packed {
			lines = append(lines, strings.Split(p+" \\\n}\"", "\n")...)
		}
	}
	if len(lines) > 0 && len(c.several) > 0 {
		lines = append(lines, "# Each crawler has a line of its own.")
		for _, value := range c.several { // the shortest first: none becomes what a later one is
			lines = append(lines, c.apacheSplit(value)...)
		}
	}
	return lines, rules
}

// apacheSet is the directive that says a value.
func (c *compiler) apacheSet(value string) string {
	action := "set"
	if c.header.Join {
		action = "append"
	}
	return fmt.Sprintf(apacheHeader, action, c.header.Name, apacheValue(value))
}

// apacheHead begins a directive that says a value for some paths.
func (c *compiler) apacheHead(value string) string {
	return c.apacheSet(value) + ` "expr=%{REQUEST_URI} in { \` + "\n"
}

// apacheUnfit refuses what makes a line too long.
func apacheUnfit(c *compiler, url, value string) string {
	for _, line := range append(c.apacheSplit(value), c.apacheHead(value)+apacheQuoted(url)) {
		if len(line) > apacheLine {
			return tooLong
		}
	}
	return ""
}

// apacheSplit are the directives that take a value apart: behind it, as long as it stands first, the lines of crawlers
// are added, then it becomes its first line. Header append would join them by a comma.
func (c *compiler) apacheSplit(value string) (directives []string) {
	lines := c.lines[value]
	for _, l := range lines[1:] {
		directives = append(directives, fmt.Sprintf(apacheHeader+` "expr=%%{resp:%s} == '%s'"`,
			"add", c.header.Name, apacheValue(l), c.header.Name, apacheText(value)))
	}
	if len(directives) > 0 {
		directives = append(directives, fmt.Sprintf(apacheHeader+` "%s"`,
			"edit", c.header.Name, "^"+regexp.QuoteMeta(value)+"$", apacheValue(lines[0])))
	}
	return directives
}

// apacheValue escapes a value for a "…" argument. In it % opens a variable and a backslash a control character.
var apacheValue = strings.NewReplacer("%", "%%", `"`, `\"`, `\`, `\\\\`).Replace

func apacheQuoted(url string) string { return "'" + apacheText(url) + "'" }

// apacheText escapes a path for a '…' text of an expression that stands in a "…" argument: what opens a variable (%{,
// $1, ${) or ends a text takes a backslash, and that and a quote another for the argument. Octal escapes would swallow
// digits that follow.
var apacheText = strings.NewReplacer(`'`, `\\'`, `"`, `\\\"`, `\`, `\\\\`, `$`, `\\$`, `%`, `\\%`,
	`{`, `\\{`, `}`, `\\}`).Replace
