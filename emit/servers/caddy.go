package servers

import (
	"fmt"
	"strings"

	"metarobots/emit/robotstag"
)

// writeCaddy writes a map from the decoded path to the lines of the value, and a header for each that there is.
// https://caddyserver.com/docs/caddyfile/directives/map
func writeCaddy(c *compiler) error {
	// A placeholder for each line; all have an output, so that none falls back to the standard of another value.
	names := []string{"metarobots"}
	for _, value := range c.several {
		for len(names) < len(c.lines[value]) {
			names = append(names, caddyName(len(names)))
		}
	}
	outputs := func(value string) string {
		texts := make([]string, len(names))
		copy(texts, c.lines[value])
		return ` "` + strings.Join(texts, `" "`) + `"`
	}
	lines := []string{"map {path} {" + strings.Join(names, "} {") + "} {"}
	for _, g := range c.groups {
		values := outputs(g.value)
		for _, url := range g.urls {
			lines = append(lines, "\t"+caddyText(url)+values)
		}
	}
	lines = append(lines, "\tdefault"+outputs(c.everywhere), "}")
	c.printMap(append(lines, caddyHeaders(names)...))
	return nil
}

// caddyName is the placeholder of a line behind the first.
func caddyName(i int) string { return fmt.Sprintf("metarobots_%d", i+1) }

// caddyHeaders are the lines that send what is not empty. The first replaces what stood there, the others are added.
// One header directive cannot do both: whatever their order, it adds before it sets. Directives of one name keep
// theirs.
// https://caddyserver.com/docs/caddyfile/directives/header
func caddyHeaders(names []string) (lines []string) {
	plus := ""
	for _, name := range names {
		lines = append(lines, "@"+name+" not vars {"+name+`} ""`,
			"header @"+name+" "+plus+robotstag.Name+" {"+name+"}")
		plus = "+"
	}
	return lines
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
