package servers

import (
	"fmt"
	"regexp"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// apacheMost is the number of URLs above which a .htaccess, which Apache reads
// anew for every request, costs each of them more than some 6 ms: 0.6 µs a URL
// was measured with Apache 2.4.
const apacheMost = 10000

// apacheLine is the longest line that Apache takes in a .htaccess, those joined
// by a backslash counted as one, with some room: HUGE_STRING_LEN is 8192.
const apacheLine = 8000

// writeApache writes directives that compare the path with the texts of a list,
// one by one: nothing is compiled, and nothing nests.
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
//
// A value of several lines is set as one and then taken apart: so no path stands
// in a second list, and what was not understood would leave the joined line. All
// begins with Header set, which replaces what the owner has put there, and is done
// when the response is sent, by the path of the file that is served: an inner
// redirect or an error page doubles nothing.
func writeApache(c *compiler) error {
	u := readText(c.existing)
	if u.lastRobots() > u.at {
		u.at = len(u.text) // of two directives that set a header the last counts
	}
	s := c.gather(plainForms)
	c.inTheWay(func(answer, string) string { return afterOurs })
	var lines []string
	if c.everywhere != "" {
		// Ahead of the others: of two that hold the last counts.
		c.res.Rules++
		lines = append(lines, fmt.Sprintf(`Header set %s "%s"`, robotstag.Name, apacheValue(c.everywhere)))
	}
	for _, g := range s.groups {
		head := fmt.Sprintf(`Header set %s "%s" "expr=%%{REQUEST_URI} in { \`, robotstag.Name, apacheValue(g.value))
		size := 0
		split := c.apacheSplit(g.value)
		for _, url := range g.urls {
			text := "'" + apacheText(url) + "'"
			if len(head)+len(text) > apacheLine || longest(split) > apacheLine {
				c.report(robotstag.IDName, policy.Error, c.file(url),
					"the path and its value are too long for a line of .htaccess: it gets no X-Robots-Tag")
				continue
			}
			switch {
			case size == 0:
				lines = append(lines, head)
			case size+len(text) > apacheLine:
				lines = append(lines, `}"`, head)
				size = 0
			default:
				lines[len(lines)-1] = strings.TrimSuffix(lines[len(lines)-1], ` \`) + `, \`
			}
			if size == 0 {
				size = len(head)
				c.res.Rules++
			}
			lines = append(lines, text+` \`)
			size += len(text) + 3
		}
		if size > 0 {
			lines = append(lines, `}"`)
		}
	}
	if len(lines) > 0 && len(s.several) > 0 {
		lines = append(lines, "# Each crawler has a line of its own.")
		for _, value := range s.several { // the shortest first: none becomes what a later one is
			if split := c.apacheSplit(value); longest(split) <= apacheLine {
				lines = append(lines, split...)
			}
		}
	}
	if len(lines) > 0 {
		lines = append(append([]string{"<IfModule mod_headers.c>"}, lines...), "</IfModule>")
	}
	if n := s.count(); n > apacheMost {
		c.report(robotstag.IDCount, policy.Warning, nil, "%d URLs in .htaccess, which Apache reads for every request: that takes some %d ms"+
			" (headers.scope = \"files\" leaves HTML to its tags; in a <Directory> of the server's configuration the block is read once)",
			n, n*6/apacheMost)
	}
	c.res.File = u.print(lines)
	return nil
}

// apacheSplit are the directives that take a value apart: behind it, as long as it
// stands first, the lines of crawlers are added, then it becomes its first line.
// Header append would join them by a comma.
func (c *compiler) apacheSplit(value string) (directives []string) {
	lines := c.lines[value]
	if lines == nil {
		return nil
	}
	for _, l := range lines[1:] {
		directives = append(directives, fmt.Sprintf(`Header add %s "%s" "expr=%%{resp:%s} == '%s'"`, robotstag.Name, apacheValue(l), robotstag.Name, apacheText(value)))
	}
	return append(directives, fmt.Sprintf(`Header edit %s "^%s$" "%s"`, robotstag.Name, regexp.QuoteMeta(value), apacheValue(lines[0])))
}

func longest(lines []string) (n int) {
	for _, l := range lines {
		n = max(n, len(l))
	}
	return n
}

// apacheValue escapes a value, in which % opens a variable.
func apacheValue(s string) string { return strings.ReplaceAll(s, "%", "%%") }

// apacheText escapes a path for a '…' text of an expression that stands in a "…"
// argument: what opens a variable (%{, $1, ${) or ends a text takes a backslash,
// and that and a quote another for the argument. Octal escapes would swallow
// digits that follow.
func apacheText(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(`'"\$%{}`, s[i]) >= 0 {
			b.WriteString(`\\`)
			if s[i] == '"' || s[i] == '\\' {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
