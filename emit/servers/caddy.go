package servers

import (
	"fmt"
	"strings"
)

// writeCaddy writes a map from the decoded path to the value, and a header where
// there is one. https://caddyserver.com/docs/caddyfile/directives/map
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
	lines := []string{"map {path} {metarobots} {"}
	for _, g := range s.groups {
		for _, url := range g.urls {
			lines = append(lines, "\t"+caddyText(url)+` "`+g.value+`"`)
		}
	}
	lines = append(lines,
		"\tdefault \""+c.everywhere+"\"",
		"}",
		`@metarobots not vars {metarobots} ""`,
		"header @metarobots "+Name+" {metarobots}")
	c.res.File = u.print(lines)
	return nil
}

// caddyForms adds the path without .html, at which a try_files serves a page:
// the map sees the path as it was asked for.
func caddyForms(path string) (own, maybe []string) {
	own, _ = plainForms(path)
	if clean, ok := strings.CutSuffix("/"+path, ".html"); ok && len(own) == 1 {
		maybe = []string{clean}
	}
	return own, maybe
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
