package servers

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// readNginx reads what nginx does with our map: it looks the path up among the
// texts without regard to the case of ASCII letters, then tries the expressions
// in order.
// https://nginx.org/en/docs/http/ngx_http_map_module.html
func readNginx(file []byte) (*model, error) {
	t := parted(file)
	texts, expressions := make(map[string]answer), make(map[string]answer)
	r := &table{}
	bucket, inside := 64, false
	for _, l := range t.ours {
		word, rest, _ := strings.Cut(l.text, " ")
		switch {
		case strings.HasPrefix(l.text, "# map_hash_bucket_size "):
			bucket = 0 // the user has a setting elsewhere
			continue
		case l.text == "" || l.text[0] == '#':
			continue
		case l.text == "map $uri $metarobots {" && !inside:
			inside = true
			continue
		case l.text == "}" && inside:
			inside = false
			continue
		case !inside && (word == "map_hash_bucket_size" || word == "map_hash_max_size"):
			n, err := strconv.Atoi(strings.TrimSuffix(rest, ";"))
			if err != nil || n&(n-1) != 0 {
				return nil, fmt.Errorf("line %d: not a size", l.line)
			}
			if word == "map_hash_bucket_size" {
				bucket = n
			}
			continue
		case !inside:
			return nil, fmt.Errorf("line %d: not a directive of ours", l.line)
		}
		key, rest, err := word, " "+rest, error(nil)
		if l.text[0] == '"' {
			key, rest, err = quoted(l.text, `"'\`)
		} else if word != "default" {
			err = fmt.Errorf("no quoted text at %q", l.text)
		}
		value := ""
		if err == nil {
			value, rest, err = quoted(strings.TrimLeft(rest, " "), `"'\`)
		}
		if err == nil && (rest != ";" || strings.Contains(value, "$")) {
			err = errors.New("not an entry of ours")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", l.line, err)
		}
		a := answer{value: value, line: l.line, ours: value != ""}
		switch {
		case word == "default":
			r.always = a
		case key[:min(1, len(key))] == "~":
			path, err := onePath(key[1:])
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", l.line, err)
			}
			if _, taken := expressions[path]; !taken {
				expressions[path] = a
			}
		default:
			key = lowered(key)
			if _, twice := texts[key]; twice {
				return nil, fmt.Errorf("line %d: nginx takes no text twice", l.line)
			}
			// https://nginx.org/en/docs/hash.html: an element takes a pointer and two
			// bytes with the text, in whole words, and a bucket a pointer more.
			if bucket > 0 && 8+(len(key)+2+7)/8*8+8 > bucket {
				return nil, fmt.Errorf("line %d: too long for a bucket of %d bytes", l.line, bucket)
			}
			texts[key] = a
		}
	}
	if inside {
		return nil, errors.New("a map without an end")
	}
	r.lookUp = func(path string) (string, int, bool) {
		a, ok := texts[lowered(path)]
		if !ok {
			a, ok = expressions[path]
		}
		return a.value, a.line, ok
	}
	return t.model(r, func(path string) (own, maybe []string) { return fileAndFolder(path), nil }), nil
}

// lowered folds ASCII letters as nginx does.
func lowered(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}
