package servers

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/marks"
)

// apacheURLs is how many URLs a .htaccess, which Apache reads anew for every request, can compare until each request
// costs some 6 ms. A directive costs as much as five. With Apache 2.4, 0.6 µs a URL was measured, and 4 ms for 2,000
// directives, 70 ms for 4,000 and 340 ms for 10,000, whatever their conditions.
const apacheURLs = 10000

// apacheLine is the longest line that Apache takes in a .htaccess, those joined by a backslash counted as one, with
// some room: HUGE_STRING_LEN is 8192.
const apacheLine = 8000

// writeApache writes directives that compare the path with the texts of a list, one by one: nothing is compiled, and
// nothing nests.
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
//
// All begins with Header set, which replaces what the owner has put there, and is done when the response is sent, by
// the path of the file that is served: an inner redirect or an error page doubles nothing. A header that is a list
// keeps what the server's configuration says: Header append.
func writeApache(d *draft) (file []byte, rules int, err error) {
	t := d.headers[0].user.text
	about := func(l marks.Line) bool {
		return l.Number > t.Last && slices.ContainsFunc(d.headers, func(c *compiler) bool { return c.user.about(l) })
	}
	if slices.ContainsFunc(t.Lines, about) {
		t.At = len(t.Lines) // of two directives that set a header the last counts
	}
	var lines []string
	urls, directives := 0, 0 // that cost time
	for _, c := range d.headers {
		if c.everywhere != "" {
			// Ahead of the others: of two that hold the last counts.
			lines, rules = append(lines, c.apacheDirectives(c.everywhere, false)...), rules+1
			directives += len(c.everywhere.lines())
		}
		for _, g := range c.groups {
			lists := pack(g.paths, apacheCondition, ", \\\n", apacheLine-c.apacheLongest(g.value), apacheQuoted)
			rules, urls = rules+len(lists), urls+len(g.paths)*len(g.value.lines())
			directives += len(lists) * len(g.value.lines())
			for _, list := range lists {
				for _, directive := range c.apacheDirectives(g.value, g.placement.isAdded) {
					lines = append(lines, strings.Split(directive+list+" \\\n}\"", "\n")...)
				}
			}
		}
	}
	if d.writesOthers() {
		lines, rules = append(lines, d.apacheOthers()...), rules+1
	}
	if len(lines) > 0 {
		lines = slices.Concat([]string{"<IfModule mod_headers.c>"}, lines, []string{"</IfModule>"})
	}
	if d.slowness = ""; urls+5*directives > apacheURLs {
		d.slowness = fmt.Sprintf("%d URLs in %d directives of .htaccess, which Apache reads for every request: above %d "+
			"URLs, each directive counted as five, that takes several ms, and soon a tenth of a second (headers.scope = "+
			"\"files\" leaves HTML to its tags; in a <Directory> of the server's configuration the block is read once)",
			urls, directives, apacheURLs)
	}
	return t.With(lines, nil), rules, nil
}

// apacheCondition begins the list of the paths for which a directive is.
const apacheCondition = ` "expr=%{REQUEST_URI} in { \` + "\n"

// apacheDirectives say a value: the first sets it, and each other adds a line, which Header append would join to it. If
// the value is added to what the owner's lines set, the first adds a line too.
func (c *compiler) apacheDirectives(v value, isAdded bool) (all []string) {
	action := "set"
	if c.header.Join {
		action = "append"
	} else if isAdded {
		action = "add"
	}
	for _, line := range v.lines() {
		all = append(all, fmt.Sprintf(`Header %s %s "%s"`, action, c.header.Name, apacheValue(line)))
		action = "add"
	}
	return all
}

// apacheLongest is the length of the longest directive of a value.
func (c *compiler) apacheLongest(v value) int {
	return len(slices.MaxFunc(c.apacheDirectives(v, false), func(a, b string) int { return len(a) - len(b) }))
}

// apacheUnfit refuses what makes a line too long.
func apacheUnfit(c *compiler, url string, v value) string {
	if c.apacheLongest(v)+len(apacheCondition)+len(apacheQuoted(url)) > apacheLine {
		return tooLong
	}
	return ""
}

// apacheValue escapes a value for a "…" argument. In it % opens a variable and a backslash a control character.
var apacheValue = strings.NewReplacer("%", "%%", `"`, `\"`, `\`, `\\\\`).Replace

func apacheQuoted(url string) string { return "'" + apacheText(url) + "'" }

// apacheText escapes a path for a '…' text of an expression that stands in a "…" argument: what opens a variable (%{,
// $1, ${) or ends a text takes a backslash, and that and a quote another for the argument. Octal escapes would swallow
// digits that follow.
var apacheText = strings.NewReplacer(`'`, `\\'`, `"`, `\\\"`, `\`, `\\\\`, `$`, `\\$`, `%`, `\\%`,
	`{`, `\\{`, `}`, `\\}`).Replace
