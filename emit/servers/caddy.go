package servers

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
)

// caddyLine reads "header X-Robots-Tag …" for the whole site. Caddy carries out a header directive without a matcher
// after those with one, as ours are.
// https://caddyserver.com/docs/caddyfile/directives#sorting-algorithm
func caddyLine(l marks.Line, opened string) (rule userRule, ok bool) {
	line := l.Trim()
	if opened != "" {
		line = opened + " " + line // header {
	}
	args, err := words(line, "\"`")
	rule.before = line
	if len(args) > 1 && (args[1] == "*" || args[1] == "/*") {
		if args[1] == "/*" {
			rule.before = ""
		}
		args = slices.Delete(args, 1, 2)
	}
	if err != nil || len(args) != 3 || args[0] != "header" {
		return rule, false
	}
	name := strings.TrimLeft(args[1], "+?>") // > is read by newer versions alone
	switch args[1][:len(args[1])-len(name)] {
	case "":
	case "+":
		rule.beside = true
	case "?": // where nothing else has set it
		rule.before = ""
	default:
		return rule, false
	}
	rule.sends = value(l.Number, args[2])
	return rule, strings.EqualFold(strings.TrimSuffix(name, ":"), robotstag.Name) && args[2] != "" &&
		!strings.ContainsAny(args[2], "{}")
}

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
	c.inTheWay(func(string) string {
		return "Caddy carries out a header directive without a matcher after ours (take it out: the policy covers the " +
			"files)"
	})
	lines := []string{"map {path} {" + strings.Join(names, "} {") + "} {"}
	for _, g := range c.groups {
		values := outputs(g.value)
		for _, url := range g.urls {
			lines = append(lines, "\t"+caddyText(url)+values)
		}
	}
	lines = append(lines, "\tdefault"+outputs(c.everywhere), "}")
	c.printMap(append(lines, caddyHeaders(names)...), c.count())
	return nil
}

// caddyName is the placeholder of a line behind the first.
func caddyName(i int) string { return fmt.Sprintf("metarobots_%d", i+1) }

// caddyHeaders are the lines that send what is not empty. The first replaces an earlier value, the others are added.
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
