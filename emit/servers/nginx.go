package servers

import (
	"bytes"
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/marks"
)

const (
	// nginxPath is the variable that has the decoded path.
	nginxPath = "$uri"
	// nginxBucket is nginx's own size of a bucket in the hash of a map's texts, in bytes, and
	// nginxTable that of the table, in buckets. A text that does not fit a bucket keeps nginx from
	// starting. A table that is too small, or in which a bucket would be full, is a warning. From
	// some hundred texts (nginxFew), that is sure to come if a bucket has room for one; with eight,
	// one in millions is full.
	// https://nginx.org/en/docs/hash.html
	nginxBucket = 64
	nginxTable  = 2048
	nginxFew    = 100
	// nginxMost is the longest argument that nginx's configuration can hold.
	nginxMost = 4000
	// nginxLines is how many lines a response can have. An add_header writes one, or none where its
	// variable is empty, and those lines are in the owner's configuration: so there are always as
	// many variables, and the last has what is left, joined.
	nginxLines = 4
)

// nginxUsage says what the owner's configuration needs.
var nginxUsage = []string{
	"# Include this file in the http block, and copy these lines into the server block, and into each location that has",
	"# add_header lines of its own:",
	"#   add_header X-Robots-Tag $metarobots_1;",
	"#   add_header X-Robots-Tag $metarobots_2;",
	"#   add_header X-Robots-Tag $metarobots_3;",
	"#   add_header X-Robots-Tag $metarobots_4;",
}

// writeNginx writes a map from the decoded path to the value, and maps from that to its lines. $uri
// is the path once inner redirects are done, so that it names the file, whichever way a try_files
// came to it. $metarobots is the whole, for those who have one add_header. Any other header has one
// map, and one line. The file is, in short:
//
//	map $uri $metarobots { "/a.pdf" "noindex, googlebot: none"; }
//	map $metarobots $metarobots_1 { default $metarobots; "noindex, googlebot: none" "noindex"; }
//	map $metarobots $metarobots_2 { default ""; "noindex, googlebot: none" "googlebot: none"; }
//
// If the site's own hosts are known, a map for other hosts follows them, and with a home one that
// redirects. A variable of an earlier run has a map that is empty, for the owner's configuration
// may use it. The first time that the owner has to copy lines for other hosts, d.todos says so.
// rules counts as printBlock does.
func writeNginx(d *draft) (file []byte, rules int, err error) {
	robots := d.headers[0]
	whole := robots.nginxMap()
	b := &nginxBlock{usage: slices.Clone(nginxUsage),
		maps: append([]*nginxMap{whole}, robots.nginxLineMaps(whole.to)...)}
	for _, c := range d.headers[1:] {
		if c.countPaths() > 0 {
			m := c.nginxMap()
			b.add(m, "#   add_header "+c.header.Name+" "+m.to+";")
		}
	}
	d.addNginxHosts(b)
	b.maps = append(b.maps, emptyMaps(robots.user.text, b.maps)...)
	lines := append(b.usage, hashSettings(robots.user.text, b.maps)...)
	for _, m := range b.maps {
		lines = append(lines, m.lines()...)
	}
	return d.printBlock(lines)
}

// nginxBlock is our block of a file of nginx's as it grows.
type nginxBlock struct {
	usage []string // comments ahead of the maps: the lines that the owner's configuration needs
	maps  []*nginxMap
}

// add adds a map, and the comment that shows how its variable is used.
func (b *nginxBlock) add(m *nginxMap, usage string) {
	b.maps, b.usage = append(b.maps, m), append(b.usage, usage)
}

// addNginxHosts adds the maps from the host's name: the one for other hosts, and with a home the
// one that redirects. There are none if the site's own hosts are not known. They are there in every
// environment, since the owner's configuration uses their variables; these are empty if nothing is
// to be done at other hosts.
func (d *draft) addNginxHosts(b *nginxBlock) {
	if len(d.ownHosts) == 0 {
		return
	}
	b.add(d.nginxOthersMap(), nginxOthersUsage)
	d.noteTodo(nginxOthersUsage, nginxOthersTodo)
	if d.home == "" {
		return
	}
	redirect := d.nginxHomeMap()
	if !d.redirectsOthers() {
		redirect.standard = "" // the variable stays empty, and nothing redirects
	}
	b.add(redirect, nginxHomeUsage)
	d.noteTodo(nginxHomeUsage, nginxHomeTodo)
}

// noteTodo notes what the owner has to do from this run on, unless the file shows the usage
// already.
func (d *draft) noteTodo(usage, todo string) {
	if isNew := !bytes.Contains(d.existing, []byte(usage)); isNew {
		d.todos = append(d.todos, todo)
	}
}

// lines are those of the map in the file.
func (m *nginxMap) lines() []string {
	head := []string{"map " + m.from + " " + m.to + " {", `    default "` + m.standard + `";`}
	return slices.Concat(head, m.entries, []string{"}"})
}

// nginxLineMaps are the maps from the whole value, in a variable, to each of its lines. A value of
// one line needs no entry: the first map has the whole as its default, and the others have nothing.
func (c *compiler) nginxLineMaps(whole string) (maps []*nginxMap) {
	var texts []string
	linesOf := make(map[string][]string) // by the text of a value
	for _, g := range append(slices.Clip(c.groups), group{value: c.everywhere}) {
		text := g.value.String()
		texts, linesOf[text] = append(texts, text), limitLines(g.value.lines(), nginxLines)
	}
	slices.SortStableFunc(texts, func(a, b string) int { return len(a) - len(b) })
	for i := range nginxLines {
		line := func(text string) string {
			if lines := linesOf[text]; len(lines) > 1 && i < len(lines) {
				return lines[i]
			}
			return ""
		}
		standard := ""
		if i == 0 {
			standard = whole
		}
		maps = append(maps, newNginxMap(whole, fmt.Sprintf("%s_%d", whole, i+1), standard, texts, line))
	}
	return maps
}

// emptyMaps are maps for the variables that our block had before and that these maps have not: the
// owner's configuration may use one, and nginx does not start if it is not there. A line of the
// block that begins a map is "map $uri $metarobots_link {".
func emptyMaps(text *marks.Text, maps []*nginxMap) (empty []*nginxMap) {
	for _, l := range text.Block {
		words := strings.Fields(l.Text)
		if len(words) != 4 || words[0] != "map" {
			continue
		}
		hasIt := func(m *nginxMap) bool { return m.to == words[2] }
		if !slices.ContainsFunc(maps, hasIt) && !slices.ContainsFunc(empty, hasIt) {
			empty = append(empty, newNginxMap(nginxPath, words[2], "", nil, nil))
		}
	}
	return empty
}

// nginxMap is the map of a header from each path to its value, with the one for everything as
// default.
func (c *compiler) nginxMap() *nginxMap {
	return newNginxMap(nginxPath, c.variable("$metarobots"), c.everywhere.String(), c.paths,
		func(url string) string { return c.ruleValue(url).String() })
}

// nginxUnfit says why a path or a value may be too long for an argument; "" if neither is.
func nginxUnfit(_ *compiler, url string, v value) string {
	if max(len(nginxExpression(url)), len(nginxExpression(v.String()))) > nginxMost {
		return tooLong
	}
	return ""
}

// limitLines returns lines as a host sends them that has at most so many, 0 for any number: what is
// too many is joined to the last.
func limitLines(lines []string, most int) []string {
	if most == 0 || len(lines) <= most {
		return lines
	}
	return append(slices.Clone(lines[:most-1]), strings.Join(lines[most-1:], ", "))
}

// hashSettings are the settings of nginx's hash that the maps need, commented out if the user has
// done so in our block; none if nginx's own do.
func hashSettings(t *marks.Text, maps []*nginxMap) []string {
	mostTexts, bucket := 0, 0
	for _, m := range maps {
		size := nginxElement(m.longest)
		if m.texts > nginxFew {
			size *= 8
		}
		mostTexts, bucket = max(mostTexts, m.texts), max(bucket, size)
	}
	if bucket <= nginxBucket && 2*mostTexts <= nginxTable {
		return nil
	}
	comment := ""
	for _, l := range t.Block {
		if strings.HasPrefix(l.Trim(), "#") && strings.Contains(l.Text, "map_hash_bucket_size ") {
			comment = "# "
		}
	}
	return []string{
		"# If nginx.conf has map_hash_… lines of its own, comment these two out (later runs keep that) and raise those.",
		fmt.Sprintf("%smap_hash_bucket_size %d;", comment, roundUp(max(bucket, nginxBucket))),
		fmt.Sprintf("%smap_hash_max_size %d;", comment, roundUp(max(2*mostTexts, nginxTable))),
	}
}

// roundUp returns the next power of two.
func roundUp(n int) int { return 1 << bits.Len(uint(n-1)) }

// nginxElement is the size of a bucket with one text: a pointer, two bytes of length and the text,
// aligned; a bucket ends with a pointer more. ngx_hash_init in
// https://github.com/nginx/nginx/blob/master/src/core/ngx_hash.c
func nginxElement(text int) int { return 8 + (text+2+7)/8*8 + 8 }

// nginxMap is a map from one variable to another, as it is written.
type nginxMap struct {
	from, to string   // variables
	standard string   // the default
	entries  []string // lines
	// texts counts the keys that are no expressions, and longest is the length of the longest.
	texts, longest int
}

// newNginxMap writes a map of those keys that have a value. One that would be read as an
// expression, or that differs from another in case alone, is written as an expression. A map's
// sources know no variables.
func newNginxMap(from, to, standard string, keys []string, value func(key string) string) *nginxMap {
	m := &nginxMap{from: from, to: to, standard: standard}
	alike := make(map[string]int) // how many keys nginx takes for one
	for _, key := range keys {
		alike[asciiLower(key)]++
	}
	for _, key := range keys {
		v := value(key)
		if v == "" {
			continue
		}
		written := nginxQuoted(key)
		if alike[asciiLower(key)] > 1 || strings.HasPrefix(key, "~") {
			written = nginxExpression(key)
		} else {
			m.texts, m.longest = m.texts+1, max(m.longest, len(key))
		}
		m.entries = append(m.entries, "    "+written+" "+nginxQuoted(v)+";")
	}
	return m
}

// nginxExpression is a key that is an expression for one text, as it is written.
func nginxExpression(text string) string { return nginxQuoted("~^" + regexp.QuoteMeta(text) + `\z`) }

var nginxEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// nginxQuoted is a text as an argument.
func nginxQuoted(text string) string { return `"` + nginxEscapes.Replace(text) + `"` }

// asciiLower is a text in the spelling in which nginx compares texts: A to Z in lower case.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}
