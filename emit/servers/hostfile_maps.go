package servers

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/lazyregexp"
)

// serverMaps are our maps in a file of nginx's or Caddy's. A text is looked up before the expressions, which are tried
// in their order. Their keys begin with "~".
// https://nginx.org/en/docs/http/ngx_http_map_module.html
// https://caddyserver.com/docs/caddyfile/directives/map
type serverMaps struct {
	path    string // the variable that has the path
	words   func(line string) ([]string, bool)
	special string                  // characters that mean more in an entry
	fold    func(key string) string // as texts are compared
	from    map[string]string       // by which variable another is looked up
	outputs map[string]map[string]output
	tried   map[string][]*regexp.Regexp // the expressions of a variable, whose keys are "~" and their texts
	open    []string                    // what the map of this line sets
	rest    []string                    // the lines around the maps
}

// output is what a map gives, and the line that says so.
type output struct {
	text string
	line int
}

// readAll reads the lines between our marks.
func (m *serverMaps) readAll(t *marks.Text) error {
	m.from, m.outputs = make(map[string]string), make(map[string]map[string]output)
	m.tried = make(map[string][]*regexp.Regexp)
	for _, l := range t.Block {
		if err := m.read(l); err != nil {
			return fmt.Errorf("line %d: %w", l.Number, err)
		}
	}
	if m.open != nil {
		return errors.New("a map without an end")
	}
	return nil
}

func (m *serverMaps) read(l marks.Line) error {
	args, ok := m.words(strings.TrimSuffix(l.Trim(), ";"))
	name := func(variable string) string { return strings.Trim(variable, "{}") }
	n := len(args)
	switch {
	case l.Trim() == "":
	case m.open == nil && n > 3 && args[0] == "map" && args[n-1] == "{" && (name(args[1]) == m.path ||
		m.from[args[1]] != "" || args[1] == nginxHost):
		for _, v := range args[2 : n-1] {
			m.open = append(m.open, name(v))
			m.from[name(v)], m.outputs[name(v)] = name(args[1]), make(map[string]output)
		}
	case m.open == nil:
		m.rest = append(m.rest, l.Trim())
	case l.Trim() == "}":
		m.open = nil
	case !ok || n != 1+len(m.open) || strings.ContainsAny(l.Trim(), m.special):
		return errors.New("not an entry of ours")
	default:
		key := m.fold(args[0])
		if expression, ok := strings.CutPrefix(args[0], "~"); ok {
			e, broken := regexp.Compile(expression)
			if broken != nil {
				return broken
			}
			key = "~" + e.String()
			for _, v := range m.open {
				m.tried[v] = append(m.tried[v], e)
			}
		}
		for i, v := range m.open {
			if _, taken := m.outputs[v][key]; !taken {
				m.outputs[v][key] = output{args[1+i], l.Number}
			}
		}
	}
	if !ok {
		return errors.New("not a line of ours")
	}
	return nil
}

// value is what a variable has for a path. It may be what it was looked up by.
func (m *serverMaps) value(variable, path string) (o output) {
	from, by := path, m.from[variable]
	if by == "" {
		return o
	} else if by != m.path {
		from = m.value(by, path).text
	}
	keys := []string{m.fold(from), "default"}
	if i := slices.IndexFunc(m.tried[variable], func(e *regexp.Regexp) bool { return e.MatchString(from) }); i >= 0 {
		keys = slices.Insert(keys, 1, "~"+m.tried[variable][i].String())
	}
	for _, key := range keys {
		var ok bool
		if o, ok = m.outputs[variable][key]; ok {
			break
		}
	}
	if o.text == by {
		o.text = from
	}
	return o
}

// headers is a reading by which the variables are sent that are not empty.
func (m *serverMaps) headers(most int, variables []string) *reading {
	return &reading{mostLines: most, lookUp: func(path string) answer {
		var lines []string
		for _, v := range variables {
			lines = append(lines, m.value(v, path).text)
		}
		return sent(m.value(variables[0], path).line, lines...)
	}}
}

// hostNginx reads what nginx does with our maps, in both ways in which the owner may write them: with one add_header
// that sends the whole, and with one for each line.
func hostNginx(file []byte, header robotstag.Header) (*hostFile, error) {
	t := marks.Read(file)
	quoted := func(line string) ([]string, bool) { return words(line, `"'`) }
	maps := &serverMaps{path: "$uri", words: quoted, fold: asciiLower}
	if err := maps.readAll(t); err != nil {
		return nil, err
	}
	for _, l := range maps.rest {
		if l[0] != '#' && !strings.HasPrefix(l, "map_hash_") {
			return nil, fmt.Errorf("not a directive of ours: %q", l)
		}
	}
	variables := []string{"$metarobots"}
	for i := range nginxLines {
		variables = append(variables, fmt.Sprintf("$metarobots_%d", i+1))
	}
	m := &hostFile{readings: []*reading{maps.headers(1, variables[:1]), maps.headers(nginxLines, variables[1:])},
		others: maps.nginxOtherHosts()}
	if header.Name != robotstag.Name {
		variables = []string{"$metarobots_" + strings.ReplaceAll(strings.ToLower(header.Name), "-", "_")}
		m.readings = []*reading{maps.headers(1, variables)}
		if usage := "#   add_header " + header.Name + " " + variables[0] + ";"; !slices.Contains(maps.rest, usage) {
			return m, nil // the owner sends none
		}
	}
	for _, v := range variables {
		if len(t.Block) > 0 && maps.outputs[v] == nil {
			m.fault("header-mismatch", t.Last, "no map of %s: nginx does not start where it is used", v)
		}
	}
	return m, nil
}

// nginxOtherHosts reads the map of the host's name; nil if the owner's configuration sends nothing of it.
func (m *serverMaps) nginxOtherHosts() *otherHosts {
	byHost := m.outputs[nginxOthers]
	if byHost == nil || m.from[nginxOthers] != nginxHost || !slices.Contains(m.rest, nginxOthersUsage) {
		return nil
	}
	standard := byHost["default"]
	return &otherHosts{sent: values(standard.line, standard.text), has: func(host string) bool {
		own, isNamed := byHost[asciiLower(host)]
		return !isNamed || own.text != ""
	}}
}

// caddyOtherHosts reads the lines about other hosts among those around our maps. They are to be the last: the others
// replace what is there by then.
func caddyOtherHosts(rest []string) *otherHosts {
	if len(rest) < 2 {
		return nil
	}
	own, isMatcher := strings.CutPrefix(rest[len(rest)-2], "@metarobots_others not host ")
	args, _ := caddyWords(rest[len(rest)-1])
	names := strings.Fields(own)
	if !isMatcher || len(args) != 4 || args[0] != "header" || args[1] != "@metarobots_others" ||
		args[2] != "+"+robotstag.Name {
		return nil
	}
	return &otherHosts{sent: values(0, args[3]), has: func(host string) bool { return !slices.Contains(names, host) }}
}

// hostCaddy reads what Caddy does with our map, which gives each placeholder its output.
func hostCaddy(file []byte, header robotstag.Header) (*hostFile, error) {
	t := marks.Read(file)
	maps := &serverMaps{path: "path", words: caddyWords, special: "{}", fold: func(key string) string { return key }}
	if err := maps.readAll(t); err != nil {
		return nil, err
	}
	names := []string{"metarobots"}
	if header.Name != robotstag.Name {
		names[0] += "_" + strings.ReplaceAll(strings.ToLower(header.Name), "-", "_")
	}
	for header.Name == robotstag.Name && maps.outputs[caddyName(len(names))] != nil {
		names = append(names, caddyName(len(names)))
	}
	if used := strings.Join(maps.rest, "\n"); maps.outputs[names[0]] != nil &&
		!strings.Contains(used, strings.Join(caddyHeaders(header, names), "\n")) {
		return nil, fmt.Errorf("line %d: the map is not used", t.Last)
	}
	r := maps.headers(0, names)
	r.addsOurs = header.Join
	var before []userRule
	owner := &User{header: header.Name}
	for _, l := range t.Lines {
		if !owner.about(l) {
			continue
		}
		m := caddySite.FindStringSubmatch(l.Trim())
		if m == nil || !strings.EqualFold(strings.TrimPrefix(m[2], "+"), header.Name) {
			continue
		}
		own := userRule{sends: robotstag.Value{Name: header.Name, Text: m[3], Line: l.Number},
			effect: replaces}
		if isAdded := strings.HasPrefix(m[2], "+"); isAdded {
			own.effect = adds
		}
		if m[1] == "/*" {
			before = append(before, own)
		} else {
			r.last = append(r.last, own)
		}
	}
	r.standard.sent = answer{}.then(before, "").sent
	return &hostFile{readings: []*reading{r}, others: caddyOtherHosts(maps.rest)}, nil
}

// caddyWords takes a line apart. A backslash is one, but before a quote in a text between quotes.
func caddyWords(line string) (all []string, ok bool) {
	for _, m := range regexp.MustCompile("\"((?:[^\"\\\\]|\\\\.)*)\"|`([^`]*)`|(\\S+)").FindAllStringSubmatch(line, -1) {
		all = append(all, strings.ReplaceAll(m[1], `\"`, `"`)+m[2]+m[3])
	}
	return all, true
}

// caddySite is a line of the owner's for all files, which is carried out after ours.
var caddySite = lazyregexp.New("^(?:header )?(?:(\\*|/\\*) )?(\\+?[\\w-]+) [\"`]?(.*?)[\"`]?$")
