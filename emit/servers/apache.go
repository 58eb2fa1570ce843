package servers

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/marks"
)

// apacheURLs is how many URLs a .htaccess can compare until each request costs some 6 ms: Apache
// reads the file anew for every request. A directive costs as much as five URLs. With Apache 2.4,
// 0.6 µs a URL was measured, and 4 ms for 2,000 directives, 70 ms for 4,000 and 340 ms for 10,000,
// whatever their conditions.
const apacheURLs = 10000

// apacheLine is the longest line that Apache takes in a .htaccess, those joined by a backslash
// counted as one, with some room: HUGE_STRING_LEN is 8192.
const apacheLine = 8000

// writeApache writes directives that compare the path with the texts of a list, one by one: nothing
// is compiled, and nothing nests.
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
//
// What a path gets begins with Header set, which replaces what the owner's lines before it have
// set. It is done when the response is sent, by the path of the file that is served: an inner
// redirect or an error page doubles nothing. A header that is a list keeps what the server's
// configuration says: it begins with Header append. For a.pdf with two lines the block is
//
//	<IfModule mod_headers.c>
//	Header set X-Robots-Tag "noindex" "expr=%{REQUEST_URI} in { \
//	'/a.pdf' \
//	}"
//	Header add X-Robots-Tag "googlebot: none" "expr=%{REQUEST_URI} in { \
//	'/a.pdf' \
//	}"
//	</IfModule>
func writeApache(d *draft) (file []byte, rules int, err error) {
	t := d.headers[0].user.text
	d.moveBehindOwner(t)
	block := apacheWriter{}
	for _, c := range d.headers {
		block.addHeader(c)
	}
	if d.writesOthers() {
		block.lines, block.rules = append(block.lines, d.apacheOthers()...), block.rules+1
	}
	if len(block.lines) > 0 {
		block.lines = slices.Concat([]string{"<IfModule mod_headers.c>"}, block.lines, []string{"</IfModule>"})
	}
	d.slowness = block.slowness()
	return t.With(block.lines, nil), block.rules, nil
}

// moveBehindOwner has our block written at the end of the file if a line of the owner's about one
// of our headers is behind it: of two directives that set a header the last counts.
func (d *draft) moveBehindOwner(t *marks.Text) {
	overridesOurs := func(l marks.Line) bool {
		isAbout := func(c *compiler) bool { return c.user.mentionsHeader(l) }
		return l.Number > t.Last && slices.ContainsFunc(d.headers, isAbout)
	}
	if slices.ContainsFunc(t.Lines, overridesOurs) {
		t.At = len(t.Lines)
	}
}

// apacheWriter is our block of a .htaccess as it grows.
type apacheWriter struct {
	lines []string
	rules int
	// directives and comparedURLs are what the block costs with each request: a URL is compared
	// once for each directive in which it is.
	directives, comparedURLs int
}

// addHeader adds the directives of one header. What is for everything is ahead of what is for some
// paths: of two that hold the last counts.
func (w *apacheWriter) addHeader(c *compiler) {
	if c.everywhere != "" {
		directives := c.apacheDirectives(c.everywhere, replacesOwners)
		w.lines, w.rules = append(w.lines, directives...), w.rules+1
		w.directives += len(directives)
	}
	for _, g := range c.groups {
		w.addGroup(c, g)
	}
}

// addGroup adds the directives for the paths that get one value: a list of paths for each line of
// the value, and as many lists as Apache's longest line needs.
func (w *apacheWriter) addGroup(c *compiler, g group) {
	directives := c.apacheDirectives(g.value, g.placement.onOwners)
	mostOfList := apacheLine - longestOf(directives)
	for _, list := range packTexts(g.paths, apacheCondition, ", \\\n", mostOfList, apacheQuoted) {
		w.rules++
		for _, directive := range directives {
			w.lines = append(w.lines, strings.Split(directive+list+" \\\n}\"", "\n")...)
			w.directives++
		}
	}
	w.comparedURLs += len(g.paths) * len(directives)
}

// slowness says why the block slows the server down; "" if it does not.
func (w *apacheWriter) slowness() string {
	if w.comparedURLs+5*w.directives <= apacheURLs {
		return ""
	}
	return fmt.Sprintf("%d URLs in %d directives of .htaccess, which Apache reads for every request: above %d "+
		"URLs, each directive counted as five, that takes several ms, and soon a tenth of a second (headers.scope = "+
		"\"files\" leaves HTML to its tags; in a <Directory> of the server's configuration the block is read once)",
		w.comparedURLs, w.directives, apacheURLs)
}

// apacheCondition begins the list of the paths for which a directive is.
const apacheCondition = ` "expr=%{REQUEST_URI} in { \` + "\n"

// apacheDirectives are those that say a value, without a condition. The first sets the header, or,
// beside the owner's lines, adds to it; each other adds a line, which Header append would join to
// the first.
func (c *compiler) apacheDirectives(v value, on onOwners) (all []string) {
	action := "set"
	if c.header.Join {
		action = "append"
	} else if on == addsToOwners {
		action = "add"
	}
	for _, line := range v.lines() {
		all = append(all, fmt.Sprintf(`Header %s %s "%s"`, action, c.header.Name, apacheValue(line)))
		action = "add"
	}
	return all
}

// longestOf is the length of the longest of some texts.
func longestOf(texts []string) (longest int) {
	for _, text := range texts {
		longest = max(longest, len(text))
	}
	return longest
}

// apacheUnfit says why a directive for a path would be too long for a line; "" if it would not.
func apacheUnfit(c *compiler, url string, v value) string {
	directive := longestOf(c.apacheDirectives(v, replacesOwners))
	if directive+len(apacheCondition)+len(apacheQuoted(url)) > apacheLine {
		return tooLong
	}
	return ""
}

// apacheValue escapes a value for a "…" argument. In it % opens a variable and a backslash a
// control character.
var apacheValue = strings.NewReplacer("%", "%%", `"`, `\"`, `\`, `\\\\`).Replace

// apacheQuoted is a path as a text of an expression.
func apacheQuoted(url string) string { return "'" + apacheText(url) + "'" }

// apacheText escapes a path for a '…' text of an expression that is in a "…" argument: what opens a
// variable (%{, $1, ${) or ends a text takes a backslash, and that and a quote another for the
// argument. Octal escapes would swallow digits that follow.
var apacheText = strings.NewReplacer(`'`, `\\'`, `"`, `\\\"`, `\`, `\\\\`, `$`, `\\$`, `%`, `\\%`,
	`{`, `\\{`, `}`, `\\}`).Replace
