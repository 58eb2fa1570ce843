package servers

import (
	"fmt"
	"strings"
)

// readCaddy reads what Caddy does with our map: of the texts and expressions the
// first that matches counts. In quotes a backslash is one, save before a quote;
// {…} is a placeholder everywhere.
// https://caddyserver.com/docs/caddyfile/directives/map
func readCaddy(file []byte) (*model, error) {
	t := parted(file)
	texts := make(map[string]answer)
	inside, used := false, 0
	r := &table{}
	for _, l := range t.ours {
		switch {
		case l.text == "map {path} {metarobots} {" && !inside:
			inside = true
			continue
		case l.text == "}" && inside:
			inside = false
			continue
		case l.text == `@metarobots not vars {metarobots} ""` && !inside, l.text == "header @metarobots "+Name+" {metarobots}" && !inside:
			used++
			continue
		case !inside:
			return nil, fmt.Errorf("line %d: not a directive of ours", l.line)
		}
		key, rest := "", ""
		var err error
		standard, isDefault := strings.CutPrefix(l.text, "default ")
		if isDefault {
			rest = " " + standard
		} else {
			key, rest, err = quoted(l.text, `"`)
		}
		value := ""
		if err == nil {
			value, rest, err = quoted(strings.TrimLeft(rest, " "), `"`)
		}
		if err == nil && (rest != "" || strings.ContainsAny(key+value, "{}`")) {
			err = fmt.Errorf("not an entry of ours: %q", l.text)
		}
		a := answer{value: value, line: l.line, ours: value != ""}
		if expression, ok := strings.CutPrefix(key, "~"); ok && err == nil {
			key, err = onePath(expression)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", l.line, err)
		}
		if isDefault {
			r.always = a
		} else if _, taken := texts[key]; !taken {
			texts[key] = a
		}
	}
	if len(t.ours) > 0 && (inside || used != 2) {
		return nil, fmt.Errorf("line %d: the map is not used", t.last)
	}
	r.lookUp = func(path string) (string, int, bool) {
		a, ok := texts[path]
		return a.value, a.line, ok
	}
	return t.model(r, func(path string) (own, maybe []string) {
		own = fileAndFolder(path)
		// A try_files serves a page without .html, and the map sees what was asked for.
		if page, ok := strings.CutSuffix("/"+path, ".html"); ok && len(own) == 1 {
			maybe = []string{page}
		}
		return own, maybe
	}), nil
}
