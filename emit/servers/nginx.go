package servers

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"metarobots/emit/robotstag"
)

// nginx's own settings of the hash of a map's texts, see https://nginx.org/en/docs/hash.html. A text that does not fit a
// bucket keeps nginx from starting; too small a table is a warning.
const (
	nginxBucket = 64
	nginxTable  = 2048
)

// nginxMost is the longest argument that nginx's configuration can hold.
const nginxMost = 4000

// nginxLines is how many lines a response can have. An add_header writes one, or none where its variable is empty, and
// those stand in the owner's configuration: so there are always as many variables, and the last has what is left,
// joined.
const nginxLines = 4

// writeNginx writes a map from the decoded path to the value, and maps from that to its lines. $uri is the path once
// inner redirects are done, so that it names the file, whichever way a try_files came to it. $metarobots is the whole,
// for those who have one add_header.
func writeNginx(c *compiler) error {
	t := c.user.text
	if c.res.Rules = c.count(); c.everywhere != "" {
		c.res.Rules++
	}
	if c.res.Rules == 0 && t.last == 0 {
		c.res.File = t.print(nil)
		return nil
	}
	values := []string{c.everywhere}
	for _, g := range c.groups {
		values = append(values, g.value)
	}
	whole := newNginxMap("$uri", "$metarobots", c.everywhere, c.urls)
	maps := []*nginxMap{whole, newNginxMap(whole.to, whole.to+"_1", whole.to, values)}
	for i := 2; i <= nginxLines; i++ {
		maps = append(maps, newNginxMap(whole.to, fmt.Sprintf("%s_%d", whole.to, i), "", values))
	}
	for _, value := range c.several {
		for i, line := range within(c.lines[value], nginxLines) {
			maps[1+i].add(value, line)
		}
	}
	for _, g := range c.groups {
		_, _, long := maps[1].quoted(g.value)
		for _, url := range g.urls {
			if long || !whole.add(url, g.value) {
				c.tooLong(url)
			}
		}
	}
	lines := hashSettings(t, maps)
	for _, m := range maps {
		lines = append(lines, "map "+m.from+" "+m.to+" {", `    default "`+m.standard+`";`)
		lines = append(append(lines, m.entries...), "}")
	}
	c.res.File = t.print(lines)
	return nil
}

// hashSettings are those that the maps need, commented out where the user has done so.
func hashSettings(t *textFile, maps []*nginxMap) []string {
	texts, bucket := 0, 0
	for _, m := range maps {
		texts, bucket = max(texts, m.texts), max(bucket, nginxElement(m.longest))
	}
	if bucket <= nginxBucket && 2*texts <= nginxTable {
		return nil
	}
	off := ""
	for _, l := range t.ours {
		if strings.HasPrefix(l.text, "#") && strings.Contains(l.text, "map_hash_bucket_size ") {
			off = "# "
		}
	}
	return []string{
		"# Where nginx.conf has map_hash_… lines of its own, comment these two out, which later runs keep, and raise those.",
		fmt.Sprintf("%smap_hash_bucket_size %d;", off, roundUp(max(bucket, nginxBucket))),
		fmt.Sprintf("%smap_hash_max_size %d;", off, roundUp(max(2*texts, nginxTable))),
	}
}

// nginxElement is the size of a bucket with one text: a pointer, two bytes of length and the text, aligned; a bucket
// ends with a pointer more. ngx_hash_init in https://github.com/nginx/nginx/blob/master/src/core/ngx_hash.c
func nginxElement(text int) int { return 8 + (text+2+7)/8*8 + 8 }

// nginxMap is a map from one variable to another.
type nginxMap struct {
	from, to, standard string
	folds              map[string]int // how often a key occurs without regard to case
	entries            []string
	texts, longest     int // of the keys that are no expressions
}

// newNginxMap begins a map of which these may be keys.
func newNginxMap(from, to, standard string, keys []string) *nginxMap {
	m := &nginxMap{from: from, to: to, standard: standard, folds: make(map[string]int)}
	for _, k := range keys {
		m.folds[asciiLower(k)]++
	}
	return m
}

// quoted is a key as it is written: an expression where it would be read as one, or differs from another in case alone.
// long says that it does not fit an argument. A map's sources know no variables.
func (m *nginxMap) quoted(key string) (text string, expression, long bool) {
	if expression = m.folds[asciiLower(key)] > 1 || strings.HasPrefix(key, "~"); expression {
		key = "~^" + regexp.QuoteMeta(key) + `\z`
	}
	text = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`
	return text, expression, len(text) > nginxMost
}

// add writes an entry, if its key fits an argument.
func (m *nginxMap) add(key, value string) bool {
	text, expression, long := m.quoted(key)
	if long {
		return false
	}
	if !expression {
		m.texts++
		m.longest = max(m.longest, len(key))
	}
	m.entries = append(m.entries, "    "+text+` "`+value+`";`)
	return true
}

// asciiLower folds as nginx does.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

// roundUp returns the next power of two.
func roundUp(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}

// nginxBlock is what stands between our marks, as far as it is read.
type nginxBlock struct {
	maps   map[string]*mapping // by the variable that they set
	open   *mapping            // that of the line
	bucket int                 // its size; 0 where the user has a setting elsewhere
}

// mapping is a map of nginx's: a text is looked up without regard to the case of ASCII letters, then the expressions
// are tried in order.
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

// readNginx reads what nginx does with our maps, in both ways in which the owner may write them: with one add_header
// that sends the whole, and with one for each line.
func readNginx(file []byte) (*model, error) {
	t := readText(file)
	b := &nginxBlock{maps: make(map[string]*mapping), bucket: nginxBucket}
	for _, l := range t.ours {
		if err := b.read(l); err != nil {
			return nil, fmt.Errorf("line %d: %w", l.line, err)
		}
	}
	if b.open != nil {
		return nil, errors.New("a map without an end")
	}
	header := func(variables ...string) *reading {
		return &reading{most: len(variables), lookUp: func(path string) (answer, bool) {
			var lines []string
			for _, v := range variables {
				lines = append(lines, b.value(v, path).text)
			}
			return sent(b.value("$metarobots", path).line, lines...), true
		}}
	}
	variables := []string{"$metarobots"}
	for i := range nginxLines {
		variables = append(variables, fmt.Sprintf("$metarobots_%d", i+1))
	}
	m := t.model(serving{}, t.robots(), header(variables[0]), header(variables[1:]...))
	for _, v := range variables {
		if len(t.ours) > 0 && b.maps[v] == nil {
			m.fault(robotstag.IDMismatch, t.last, "no map of %s: nginx does not start where it is used", v)
		}
	}
	return m, nil
}

// read reads a line.
func (b *nginxBlock) read(l numbered) error {
	if strings.HasPrefix(l.text, "# map_hash_bucket_size ") {
		b.bucket = 0
	}
	args, err := words(l.text, `"`)
	switch {
	case l.text == "" || l.text[0] == '#':
		return nil
	case err != nil:
		return err
	case b.open != nil && l.text == "}":
		b.open = nil
	case b.open != nil:
		return b.entry(l.line, args)
	case args[0] == "map" && len(args) == 4 && args[3] == "{" && b.maps[args[2]] == nil &&
		(args[1] == "$uri" || b.maps[args[1]] != nil):
		b.open = &mapping{from: args[1], texts: make(map[string]output), expressions: make(map[string]output)}
		b.maps[args[2]] = b.open
	case len(args) == 2 && (args[0] == "map_hash_bucket_size" || args[0] == "map_hash_max_size"):
		n, err := strconv.Atoi(strings.TrimSuffix(args[1], ";"))
		if err != nil || n&(n-1) != 0 {
			return errors.New("not a size")
		}
		if args[0] == "map_hash_bucket_size" {
			b.bucket = n
		}
	default:
		return errors.New("not a directive of ours")
	}
	return nil
}

// entry reads an entry of a map. Its output may be what was looked up.
func (b *nginxBlock) entry(line int, args []string) error {
	m := b.open
	if len(args) != 3 || args[2] != ";" || strings.Contains(args[1], "$") && (args[1] != m.from || m.from == "$uri") {
		return errors.New("not an entry of ours")
	}
	o := output{args[1], line}
	expression, isExpression := strings.CutPrefix(args[0], "~")
	key := asciiLower(args[0])
	_, twice := m.texts[key]
	switch {
	case key == "default":
		m.standard = o
	case isExpression:
		text, err := onePath(expression)
		if _, taken := m.expressions[text]; err == nil && !taken {
			m.expressions[text] = o
		}
		return err
	case twice:
		return errors.New("nginx takes no text twice")
	case b.bucket > 0 && nginxElement(len(key)) > b.bucket:
		return fmt.Errorf("too long for a bucket of %d bytes", b.bucket)
	default:
		m.texts[key] = o
	}
	return nil
}

// value is what a variable has for a path.
func (b *nginxBlock) value(variable, path string) output {
	m := b.maps[variable]
	if m == nil {
		return output{}
	}
	from := path
	if m.from != "$uri" {
		from = b.value(m.from, path).text
	}
	o, ok := m.texts[asciiLower(from)]
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
