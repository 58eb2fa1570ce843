package servers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// writeCaddy writes a map from the decoded path to the lines of the value, and a header for each that there is.
// https://caddyserver.com/docs/caddyfile/directives/map
func writeCaddy(c *compiler) error {
	t := c.user.text
	if c.res.Rules = c.count(); c.everywhere != "" {
		c.res.Rules++
	}
	if c.res.Rules == 0 && t.last == 0 {
		c.res.File = t.print(nil)
		return nil
	}
	// A placeholder for each line; all have an output, so that none falls back to the standard of another value.
	names := []string{"metarobots"}
	for _, value := range c.several {
		for i := len(names); i < len(c.lines[value]); i++ {
			names = append(names, fmt.Sprintf("metarobots_%d", i+1))
		}
	}
	outputs := func(value string) string {
		texts := make([]string, len(names))
		copy(texts, c.linesOf(value))
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
	c.res.File = t.print(append(lines, caddyHeaders(names)...))
	return nil
}

// caddyHeaders are the lines that send what is not empty. The first replaces what stood there, the others are added.
// One header directive cannot do both: whatever their order, it adds before it sets. Directives of one name keep theirs.
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
		if r < 0x80 && !isPlain(byte(r), "-_/") {
			fmt.Fprintf(&b, `\x%02X`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return `"~^` + b.String() + `$"`
}

// readCaddy reads what Caddy does with our map: of the texts and expressions the first that matches counts, and gives
// each placeholder its output. {…} is a placeholder everywhere.
func readCaddy(file []byte) (*model, error) {
	t := readText(file)
	texts := make(map[string]answer)
	var names, used []string // the placeholders, and what stands below the map
	inside := false
	for _, l := range t.ours {
		head, isHead := strings.CutPrefix(l.text, "map {path} ")
		switch {
		case inside && l.text == "}":
			inside = false
		case inside:
			if err := readCaddyEntry(l, len(names), texts); err != nil {
				return nil, fmt.Errorf("line %d: %w", l.line, err)
			}
		case isHead && names == nil && strings.HasSuffix(head, " {"):
			inside = true
			for _, name := range strings.Fields(strings.TrimSuffix(head, " {")) {
				names = append(names, strings.Trim(name, "{}"))
			}
		default:
			used = append(used, l.text)
		}
	}
	if len(t.ours) > 0 && (inside || len(names) == 0 || !slices.Equal(used, caddyHeaders(names))) {
		return nil, fmt.Errorf("line %d: the map is not used", t.last)
	}
	return t.model(serving{clean: true}, t.robots(), &reading{lookUp: func(path string) (answer, bool) {
		a, ok := texts[path]
		if !ok {
			a, ok = texts["default"]
		}
		return a, ok
	}}), nil
}

// readCaddyEntry reads an entry of the map, which has so many outputs.
func readCaddyEntry(l numbered, outputs int, texts map[string]answer) error {
	args, err := words(l.text, `"`)
	if err != nil {
		return err
	}
	if len(args) != 1+outputs || strings.ContainsAny(strings.Join(args, ""), "{}`") {
		return errors.New("not an entry of ours")
	}
	key := args[0]
	if expression, ok := strings.CutPrefix(key, "~"); ok {
		if key, err = onePath(expression); err != nil {
			return err
		}
	}
	if _, taken := texts[key]; !taken {
		texts[key] = sent(l.line, args[1:]...)
	}
	return nil
}
