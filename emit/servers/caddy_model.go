package servers

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// readCaddy reads what Caddy does with our map: of the texts and expressions the
// first that matches counts, and gives each placeholder its output. In quotes a
// backslash is one, save before a quote; {…} is a placeholder everywhere. A header
// is set, or with a plus added, where the placeholder is not empty.
// https://caddyserver.com/docs/caddyfile/directives/map
// https://caddyserver.com/docs/caddyfile/directives/header
func readCaddy(file []byte) (*model, error) {
	t := partText(file)
	texts := make(map[string]answer)
	inside := false
	var names []string // of the placeholders
	var used []string  // what stands below the map
	r := &table{}
	for _, l := range t.ours {
		if !inside {
			if head, ok := strings.CutPrefix(l.text, "map {path} "); ok && names == nil && strings.HasSuffix(head, " {") {
				inside = true
				for _, name := range strings.Fields(strings.TrimSuffix(head, " {")) {
					names = append(names, strings.Trim(name, "{}"))
				}
			} else {
				used = append(used, l.text)
			}
			continue
		}
		if l.text == "}" {
			inside = false
			continue
		}
		key, rest := "", ""
		var err error
		standard, isDefault := strings.CutPrefix(l.text, "default ")
		if isDefault {
			rest = " " + standard
		} else {
			key, rest, err = argument(l.text, `"`)
		}
		var lines []string
		for err == nil && rest != "" {
			var value string
			value, rest, err = argument(strings.TrimLeft(rest, " "), `"`)
			lines = append(lines, value)
		}
		if err == nil && (len(lines) != len(names) || strings.ContainsAny(key+strings.Join(lines, ""), "{}`")) {
			err = fmt.Errorf("not an entry of ours: %q", l.text)
		}
		if expression, ok := strings.CutPrefix(key, "~"); ok && err == nil {
			key, err = onePath(expression)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", l.line, err)
		}
		a := sent(lines, l.line)
		if isDefault {
			r.always = a
		} else if _, taken := texts[key]; !taken {
			texts[key] = a
		}
	}
	// Directives of one name keep their order: the first sets, the others add.
	var uses []string
	for i, name := range names {
		plus := "+"
		if i == 0 {
			plus = ""
		}
		uses = append(uses, "@"+name+" not vars {"+name+`} ""`, "header @"+name+" "+plus+robotstag.Name+" {"+name+"}")
	}
	if len(t.ours) > 0 && (inside || len(names) == 0 || !slices.Equal(used, uses)) {
		return nil, fmt.Errorf("line %d: the map is not used", t.last)
	}
	r.lookUp = func(path string) (answer, bool) {
		a, ok := texts[path]
		return a, ok
	}
	return t.model(serving{clean: true}, t.robots(), r), nil
}
