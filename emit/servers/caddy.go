package servers

import (
	"fmt"
	"strings"

	"metarobots/emit/robotstag"
)

// writeCaddy writes, for each header, a map from the decoded path to the lines of the value, and a header for each that
// there is.
// https://caddyserver.com/docs/caddyfile/directives/map
func writeCaddy(d *draft) (file []byte, rules int, err error) {
	var lines []string
	for _, c := range d.headers {
		if c.count() > 0 || !c.isOther() {
			lines = append(lines, c.caddyLines()...)
		}
	}
	if d.writesOthers() {
		lines = append(lines, d.caddyOthers()...)
	}
	return d.printMap(lines)
}

func (c *compiler) caddyLines() []string {
	// A placeholder for each line; all have an output, so that none falls back to the standard of another value.
	names := []string{c.variable("metarobots")}
	for _, g := range append(c.groups, group{value: c.everywhere}) {
		for len(names) < len(g.value.lines()) {
			names = append(names, caddyName(len(names)))
		}
	}
	outputs := func(v value) (texts string) {
		for _, text := range append(v.lines(), make([]string, len(names))...)[:len(names)] {
			texts += " " + caddyValue(text)
		}
		return texts
	}
	lines := []string{"map {path} {" + strings.Join(names, "} {") + "} {"}
	for _, g := range c.groups {
		values := outputs(g.value)
		for _, url := range g.paths {
			lines = append(lines, "\t"+caddyText(url)+values)
		}
	}
	return append(append(lines, "\tdefault"+outputs(c.everywhere), "}"), caddyHeaders(c.header, names)...)
}

// caddyName is the placeholder of a line behind the first.
func caddyName(i int) string { return fmt.Sprintf("metarobots_%d", i+1) }

// caddyHeaders are the lines that send what is not empty. The first replaces an earlier value, unless the header is a
// list; the others are added. One header directive cannot do both: whatever their order, it adds before it sets.
// Directives of one name keep theirs.
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

// caddyText quotes a path. In "…" a backslash means itself but before a quote, and {…} is a placeholder everywhere: a
// path with one of those is written as an expression.
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
