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
	// nginxBucket and nginxTable are nginx's own settings of the hash of a map's texts, see
	// https://nginx.org/en/docs/hash.html. A text that does not fit a bucket keeps nginx from starting; a table that is too
	// small, or of which some bucket would be full, is a warning. That is sure to come where a bucket holds one of some
	// hundred texts; with eight, one in millions is full.
	nginxBucket = 64
	nginxTable  = 2048
	nginxFew    = 100
	// nginxMost is the longest argument that nginx's configuration can hold.
	nginxMost = 4000
	// nginxLines is how many lines a response can have. An add_header writes one, or none where its variable is empty,
	// and those stand in the owner's configuration: so there are always as many variables, and the last has what is
	// left, joined.
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

// writeNginx writes a map from the decoded path to the value, and maps from that to its lines. $uri is the path once
// inner redirects are done, so that it names the file, whichever way a try_files came to it. $metarobots is the whole,
// for those who have one add_header. Any other header has one map, and one line. The file is, in short:
//
//	map $uri $metarobots { "/a.pdf" "noindex, googlebot: none"; }
//	map $metarobots $metarobots_1 { default $metarobots; "noindex, googlebot: none" "noindex"; }
//	map $metarobots $metarobots_2 { default ""; "noindex, googlebot: none" "googlebot: none"; }
func writeNginx(d *draft) (file []byte, rules int, err error) {
	robots, usage := d.headers[0], slices.Clone(nginxUsage)
	whole := robots.nginxMap()
	maps := append([]*nginxMap{whole}, robots.nginxLineMaps(whole.to)...)
	for _, c := range d.headers[1:] {
		if c.count() > 0 {
			m := c.nginxMap()
			maps, usage = append(maps, m), append(usage, "#   add_header "+c.header.Name+" "+m.to+";")
		}
	}
	if len(d.ownHosts) > 0 { // in every environment: the owner's configuration uses the variable
		maps, usage = append(maps, d.nginxOthersMap()), append(usage, nginxOthersUsage)
		if !bytes.Contains(d.existing, []byte(nginxOthersUsage)) {
			d.todo = nginxOthersTodo
		}
	}
	maps = append(maps, emptyMaps(robots.user.text, maps)...)
	lines := append(usage, hashSettings(robots.user.text, maps)...)
	for _, m := range maps {
		lines = append(lines, "map "+m.from+" "+m.to+" {", `    default "`+m.standard+`";`)
		lines = append(append(lines, m.entries...), "}")
	}
	return d.printMap(lines)
}

// nginxLineMaps are the maps from the whole value, in a variable, to each of its lines. A value of one
// line needs no entry: the first map has the whole as its default, and the others have nothing.
func (c *compiler) nginxLineMaps(whole string) (maps []*nginxMap) {
	var values []string
	linesOf := make(map[string][]string)
	for _, g := range append(slices.Clip(c.groups), group{value: c.everywhere}) {
		text := g.value.String()
		values, linesOf[text] = append(values, text), within(g.value.lines(), nginxLines)
	}
	slices.SortStableFunc(values, func(a, b string) int { return len(a) - len(b) })
	for i := range nginxLines {
		line := func(value string) string {
			if lines := linesOf[value]; len(lines) > 1 && i < len(lines) {
				return lines[i]
			}
			return ""
		}
		standard := ""
		if i == 0 {
			standard = whole
		}
		maps = append(maps, newNginxMap(whole, fmt.Sprintf("%s_%d", whole, i+1), standard, values, line))
	}
	return maps
}

// emptyMaps are maps for the variables that our block had before and that these maps have not: the
// owner's configuration may use one, and nginx does not start if it is not there. A line of the block
// that begins a map is "map $uri $metarobots_link {".
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

// nginxMap is the map from each path to what is said of it.
func (c *compiler) nginxMap() *nginxMap {
	return newNginxMap(nginxPath, c.variable("$metarobots"), c.everywhere.String(), c.paths,
		func(url string) string { return c.ruleValue(url).String() })
}

// nginxUnfit refuses what may make an argument too long.
func nginxUnfit(_ *compiler, url string, v value) string {
	if max(len(nginxExpression(url)), len(nginxExpression(v.String()))) > nginxMost {
		return tooLong
	}
	return ""
}

// within are lines as a host sends them that has at most so many: the last is what is left, joined. 0 is any number.
func within(lines []string, most int) []string {
	if most == 0 || len(lines) <= most {
		return lines
	}
	return append(slices.Clone(lines[:most-1]), strings.Join(lines[most-1:], ", "))
}

// hashSettings are those that the maps need, commented out where the user has done so.
func hashSettings(t *marks.Text, maps []*nginxMap) []string {
	texts, bucket, off := 0, 0, ""
	for _, m := range maps {
		size := nginxElement(m.longest)
		if m.texts > nginxFew {
			size *= 8
		}
		texts, bucket = max(texts, m.texts), max(bucket, size)
	}
	if bucket <= nginxBucket && 2*texts <= nginxTable {
		return nil
	}
	for _, l := range t.Block {
		if strings.HasPrefix(l.Trim(), "#") && strings.Contains(l.Text, "map_hash_bucket_size ") {
			off = "# "
		}
	}
	return []string{
		"# If nginx.conf has map_hash_… lines of its own, comment these two out (later runs keep that) and raise those.",
		fmt.Sprintf("%smap_hash_bucket_size %d;", off, roundUp(max(bucket, nginxBucket))),
		fmt.Sprintf("%smap_hash_max_size %d;", off, roundUp(max(2*texts, nginxTable))),
	}
}

// roundUp returns the next power of two.
func roundUp(n int) int { return 1 << bits.Len(uint(n-1)) }

// nginxElement is the size of a bucket with one text: a pointer, two bytes of length and the text, aligned; a bucket
// ends with a pointer more. ngx_hash_init in https://github.com/nginx/nginx/blob/master/src/core/ngx_hash.c
func nginxElement(text int) int { return 8 + (text+2+7)/8*8 + 8 }

// nginxMap is a map from one variable to another, as it is written.
type nginxMap struct {
	from, to       string // variables
	standard       string // the default
	entries        []string
	texts, longest int // of the keys that are no expressions
}

// newNginxMap writes a map of these keys, as far as they have a value: as an expression where one would be read as such,
// or differs from another in case alone. A map's sources know no variables.
func newNginxMap(from, to, standard string, keys []string, value func(key string) string) *nginxMap {
	m, folds := &nginxMap{from: from, to: to, standard: standard}, make(map[string]int)
	for _, k := range keys {
		folds[asciiLower(k)]++
	}
	for _, k := range keys {
		v, written := value(k), nginxQuoted(k)
		if v == "" {
			continue
		} else if folds[asciiLower(k)] > 1 || strings.HasPrefix(k, "~") {
			written = nginxExpression(k)
		} else {
			m.texts, m.longest = m.texts+1, max(m.longest, len(k))
		}
		m.entries = append(m.entries, "    "+written+" "+nginxQuoted(v)+";")
	}
	return m
}

// nginxExpression is a key that is an expression for one text, as it is written.
func nginxExpression(text string) string { return nginxQuoted("~^" + regexp.QuoteMeta(text) + `\z`) }

var nginxEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func nginxQuoted(text string) string { return `"` + nginxEscapes.Replace(text) + `"` }

// asciiLower folds as nginx does.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}
