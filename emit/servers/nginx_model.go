package servers

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metarobots/emit/robotstag"
)

// mapping is a map of nginx's: a text is looked up without regard to the case of
// ASCII letters, then the expressions are tried in order.
// https://nginx.org/en/docs/http/ngx_http_map_module.html
type mapping struct {
	from               string // the variable that is looked up
	texts, expressions map[string]output
	standard           output
}

// output is what a map gives, and the line that says so.
type output struct {
	text string
	line int
}

// readNginx reads what nginx does with our maps, in both ways in which the owner
// may write them: with one add_header that sends the whole, and with one for each
// line.
func readNginx(file []byte) (*model, error) {
	t := partText(file)
	maps := make(map[string]*mapping)
	bucket := 64
	var m *mapping // that of the line
	for _, l := range t.ours {
		word, rest, _ := strings.Cut(l.text, " ")
		switch {
		case strings.HasPrefix(l.text, "# map_hash_bucket_size "):
			bucket = 0 // the user has a setting elsewhere
		case l.text == "" || l.text[0] == '#':
		case l.text == "}" && m != nil:
			m = nil
		case m != nil:
			if err := m.read(l, bucket); err != nil {
				return nil, fmt.Errorf("line %d: %w", l.line, err)
			}
		case word == "map":
			names := strings.Fields(rest)
			if len(names) != 3 || names[2] != "{" || maps[names[1]] != nil || names[0] != "$uri" && maps[names[0]] == nil {
				return nil, fmt.Errorf("line %d: not a map of ours", l.line)
			}
			m = &mapping{from: names[0], texts: make(map[string]output), expressions: make(map[string]output)}
			maps[names[1]] = m
		case word == "map_hash_bucket_size" || word == "map_hash_max_size":
			n, err := strconv.Atoi(strings.TrimSuffix(rest, ";"))
			if err != nil || n&(n-1) != 0 {
				return nil, fmt.Errorf("line %d: not a size", l.line)
			}
			if word == "map_hash_bucket_size" {
				bucket = n
			}
		default:
			return nil, fmt.Errorf("line %d: not a directive of ours", l.line)
		}
	}
	if m != nil {
		return nil, errors.New("a map without an end")
	}
	one, several := []string{"$metarobots"}, []string{"$metarobots_1", "$metarobots_2", "$metarobots_3", "$metarobots_4"}
	header := func(variables []string) reading {
		return &table{most: len(variables), lookUp: func(path string) (answer, bool) {
			var lines []string
			for _, v := range variables {
				lines = append(lines, lookedUp(maps, v, path).text)
			}
			return sent(lines, lookedUp(maps, "$metarobots", path).line), true
		}}
	}
	read := t.model(serving{}, t.robots(), header(one), header(several))
	for _, variable := range slices.Concat(one, several) {
		if len(t.ours) > 0 && maps[variable] == nil {
			read.fault(robotstag.IDMismatch, t.last, "no map of %s: nginx does not start where it is used", variable)
		}
	}
	return read, nil
}

// read reads an entry. Its output may be what was looked up.
func (m *mapping) read(l numbered, bucket int) error {
	word, rest, _ := strings.Cut(l.text, " ")
	key, rest, err := word, " "+rest, error(nil)
	if l.text[0] == '"' {
		key, rest, err = argument(l.text, `"'\`)
	} else if word != "default" {
		err = fmt.Errorf("no quoted text at %q", l.text)
	}
	o := output{line: l.line}
	if err == nil {
		o.text, rest, err = argument(strings.TrimLeft(rest, " "), `"'\`)
	}
	if err == nil && (rest != ";" || strings.Contains(o.text, "$") && (o.text != m.from || m.from == "$uri")) {
		err = errors.New("not an entry of ours")
	}
	if err != nil {
		return err
	}
	switch {
	case word == "default":
		m.standard = o
	case key[:min(1, len(key))] == "~":
		text, err := onePath(key[1:])
		if err != nil {
			return err
		}
		if _, taken := m.expressions[text]; !taken {
			m.expressions[text] = o
		}
	default:
		key = lowered(key)
		if _, twice := m.texts[key]; twice {
			return errors.New("nginx takes no text twice")
		}
		// https://nginx.org/en/docs/hash.html: an element takes a pointer and two
		// bytes with the text, in whole words, and a bucket a pointer more.
		if bucket > 0 && 8+(len(key)+2+7)/8*8+8 > bucket {
			return fmt.Errorf("too long for a bucket of %d bytes", bucket)
		}
		m.texts[key] = o
	}
	return nil
}

// lookedUp is what a variable has for a path.
func lookedUp(maps map[string]*mapping, variable, path string) output {
	m := maps[variable]
	if m == nil {
		return output{}
	}
	from := path
	if m.from != "$uri" {
		from = lookedUp(maps, m.from, path).text
	}
	o, ok := m.texts[lowered(from)]
	if !ok {
		o, ok = m.expressions[from]
	}
	if !ok {
		o = m.standard
	}
	if o.text == m.from {
		o.text = from
	}
	return o
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
