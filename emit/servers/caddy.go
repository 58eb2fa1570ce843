package servers

import (
	"fmt"
	"strings"

	"metarobots/emit/robotstag"
)

// writeCaddy writes, for each header, a map from the decoded path to the lines of the value, and a
// header for each that there is.
// https://caddyserver.com/docs/caddyfile/directives/map
func writeCaddy(d *draft) (file []byte, rules int, err error) {
	var lines []string
	for _, c := range d.headers {
		if c.countPaths() > 0 || !c.isOther() {
			lines = append(lines, c.caddyLines()...)
		}
	}
	if d.writesOthers() {
		lines = append(lines, d.caddyOthers()...)
	}
	return d.printBlock(lines)
}

// caddyLines are the map of a header and the lines that send what it sets. All entries have an
// output for each line that some value has, so that none falls back to the default. With two lines:
//
//	map {path} {metarobots} {metarobots_2} {
//		"/a.pdf" "noindex" "googlebot: none"
//		default "" ""
//	}
//	@metarobots not vars {metarobots} ""
//	header @metarobots X-Robots-Tag {metarobots}
//	@metarobots_2 not vars {metarobots_2} ""
//	header @metarobots_2 +X-Robots-Tag {metarobots_2}
func (c *compiler) caddyLines() []string {
	most := len(c.everywhere.lines())
	for _, g := range c.groups {
		most = max(most, len(g.value.lines()))
	}
	names := []string{c.variable("metarobots")}
	for len(names) < most {
		names = append(names, caddyName(len(names)))
	}
	lines := []string{"map {path} {" + strings.Join(names, "} {") + "} {"}
	for _, g := range c.groups {
		outputs := caddyOutputs(g.value, len(names))
		for _, url := range g.paths {
			lines = append(lines, "\t"+caddyText(url)+outputs)
		}
	}
	lines = append(lines, "\tdefault"+caddyOutputs(c.everywhere, len(names)), "}")
	return append(lines, caddyHeaders(c.header, names)...)
}

// caddyOutputs is the end of an entry: the lines of a value, and empty ones up to so many, each
// behind a blank.
func caddyOutputs(v value, n int) (texts string) {
	lines := v.lines()
	for i := range n {
		text := ""
		if i < len(lines) {
			text = lines[i]
		}
		texts += " " + caddyValue(text)
	}
	return texts
}

// caddyName is the placeholder of a line behind the first.
func caddyName(i int) string { return fmt.Sprintf("metarobots_%d", i+1) }

// caddyHeaders are the lines that send what is not empty. The first replaces an earlier value,
// unless the header is a list; the others are added. One header directive cannot do both: whatever
// their order, it adds before it sets. Directives of one name keep theirs.
// https://caddyserver.com/docs/caddyfile/directives/header
func caddyHeaders(header robotstag.Header, names []string) (lines []string) {
	plus := ""
	for i, name := range names {
		if i > 0 || header.Join {
			plus = "+"
		}
		lines = append(lines, "@"+name+" not vars {"+name+`} ""`,
			"header @"+name+" "+plus+header.Name+" {"+name+"}")
	}
	return lines
}

// caddyValue quotes a value. In "…" a backslash means itself but before a quote, in `…` everywhere.
func caddyValue(s string) string {
	if strings.Contains(s, "`") {
		return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
	} else if strings.ContainsAny(s, `"\`) {
		return "`" + s + "`"
	}
	return `"` + s + `"`
}

// caddyText quotes a path. In "…" a backslash means itself but before a quote, and {…} is a
// placeholder everywhere: a path with one of those is written as an expression.
func caddyText(s string) string {
	if !strings.ContainsAny(s, "\"\\`{}") {
		return `"` + s + `"`
	}
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 && !robotstag.IsBare(byte(r), "-_/") {
			fmt.Fprintf(&b, `\x%02X`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return `"~^` + b.String() + `$"`
}
