package servers

import (
	"fmt"
	"strings"

	"metarobots/emit/robotstag"
)

// writeCaddy writes a map from the decoded path to the lines of the value, and a
// header for each that there is.
// https://caddyserver.com/docs/caddyfile/directives/map
func writeCaddy(c *compiler) error {
	u := readText(c.existing)
	s := c.gather(caddyForms)
	if c.res.Rules = s.count(); c.everywhere != "" {
		c.res.Rules++
	}
	if c.res.Rules == 0 && !u.had {
		c.res.File = u.print(nil)
		return nil
	}
	most := 1
	for _, value := range s.several {
		most = max(most, len(c.lines[value]))
	}
	// A placeholder for each line; all have an output, so that none falls back to
	// the standard of another value.
	head := "map {path}"
	for i := range most {
		head += " {" + caddyName(i) + "}"
	}
	outputs := func(value string) (texts string) {
		values := c.lines[value]
		if values == nil {
			values = []string{value}
		}
		for i := range most {
			text := ""
			if i < len(values) {
				text = values[i]
			}
			texts += ` "` + text + `"`
		}
		return texts
	}
	lines := []string{head + " {"}
	for _, g := range s.groups {
		values := outputs(g.value)
		for _, url := range g.urls {
			lines = append(lines, "\t"+caddyText(url)+values)
		}
	}
	lines = append(lines, "\tdefault"+outputs(c.everywhere), "}")
	for i := range most {
		// The first line replaces what stood there, the others are added. One header
		// directive cannot do both: whatever their order, it adds before it sets.
		name, plus := caddyName(i), ""
		if i > 0 {
			plus = "+"
		}
		lines = append(lines,
			"@"+name+" not vars {"+name+`} ""`,
			"header @"+name+" "+plus+robotstag.Name+" {"+name+"}")
	}
	c.res.File = u.print(lines)
	return nil
}

// caddyName is the name of the placeholder, and of its matcher, for a line.
func caddyName(i int) string {
	if i == 0 {
		return "metarobots"
	}
	return fmt.Sprintf("metarobots_%d", i+1)
}

// caddyText quotes a path. In "…" a backslash means itself but before a quote,
// and {…} is a placeholder everywhere: a path with one of those is written as an
// expression.
func caddyText(s string) string {
	if !strings.ContainsAny(s, "\"\\`{}") {
		return `"` + s + `"`
	}
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 && !asciiWord(byte(r)) && r != '/' {
			fmt.Fprintf(&b, `\x%02X`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return `"~^` + b.String() + `$"`
}

func asciiWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}
