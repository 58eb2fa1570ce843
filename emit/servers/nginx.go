package servers

import (
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
// for those who have one add_header. Any other header has one map, and one line.
func writeNginx(d *draft) (file []byte, rules int, err error) {
	c := d.headers[0]
	said := append(slices.Clip(c.groups), group{value: c.everywhere})
	slices.SortStableFunc(said, func(a, b group) int { return len(a.value) - len(b.value) })
	var values []string
	for _, g := range said {
		values = append(values, g.value.String())
	}
	whole := newNginxMap(nginxPath, "$metarobots", c.everywhere.String(), c.urls)
	maps := []*nginxMap{whole, newNginxMap(whole.to, whole.to+"_1", whole.to, values)}
	for i := 2; i <= nginxLines; i++ {
		maps = append(maps, newNginxMap(whole.to, fmt.Sprintf("%s_%d", whole.to, i), "", values))
	}
	for _, g := range said {
		for i, line := range within(g.value.lines(), nginxLines) {
			if len(g.value.lines()) > 1 {
				maps[1+i].add(g.value.String(), line)
			}
		}
	}
	c.addTo(whole)
	usage := slices.Clone(nginxUsage)
	for _, c := range d.headers[1:] {
		if c.count() > 0 {
			m := newNginxMap(nginxPath, c.variable(whole.to), "", c.urls)
			c.addTo(m)
			maps, usage = append(maps, m), append(usage, "#   add_header "+c.header.Name+" "+m.to+";")
		}
	}
	for _, l := range c.user.text.Block { // a variable that is used has to be there
		words := strings.Fields(l.Text)
		of := func(m *nginxMap) bool { return m.to == words[2] }
		if len(words) == 4 && words[0] == "map" && !slices.ContainsFunc(maps, of) {
			maps = append(maps, newNginxMap(nginxPath, words[2], "", nil))
		}
	}
	lines := append(usage, hashSettings(c.user.text, maps)...)
	for _, m := range maps {
		lines = append(lines, "map "+m.from+" "+m.to+" {", `    default "`+m.standard+`";`)
		lines = append(append(lines, m.entries...), "}")
	}
	return d.printMap(lines)
}

// addTo writes the entries of the map of all paths.
func (c *compiler) addTo(whole *nginxMap) {
	for _, url := range c.urls {
		if value := c.own(url); value != "" {
			whole.add(url, value.String())
		}
	}
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

// nginxExpression is a key that is an expression for one text, as it is written.
func nginxExpression(text string) string { return nginxQuoted("~^" + regexp.QuoteMeta(text) + `\z`) }

var nginxEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func nginxQuoted(text string) string { return `"` + nginxEscapes.Replace(text) + `"` }

// add writes an entry for a text: as an expression where it would be read as one, or differs from another in case
// alone. A map's sources know no variables.
func (m *nginxMap) add(text, value string) {
	key := nginxQuoted(text)
	if m.folds[asciiLower(text)] > 1 || strings.HasPrefix(text, "~") {
		key = nginxExpression(text)
	} else {
		m.texts++
		m.longest = max(m.longest, len(text))
	}
	m.entries = append(m.entries, "    "+key+" "+nginxQuoted(value)+";")
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
