package servers

import (
	"fmt"
	"regexp"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// nginx's own settings of the hash of a map's texts, see
// https://nginx.org/en/docs/hash.html. A text that does not fit a bucket keeps
// nginx from starting; too small a table is a warning.
const (
	nginxBucket = 64
	nginxTable  = 2048
)

// nginxMost is the longest argument that nginx's configuration can hold.
const nginxMost = 4000

// nginxLines is how many lines a response can have. An add_header writes one, or
// none where its variable is empty, and those stand in the owner's configuration:
// so there are always as many variables, and the last has what is left, joined.
const nginxLines = 4

// writeNginx writes a map from the decoded path to the value, and maps from that
// to its lines. $uri is the path once inner redirects are done, so that it names
// the file, whichever way a try_files came to it. $metarobots is the whole, for
// those who have one add_header.
func writeNginx(c *compiler) error {
	u := readText(c.existing)
	s := c.gather(plainForms)
	if c.res.Rules = s.count(); c.everywhere != "" {
		c.res.Rules++
	}
	if c.res.Rules == 0 && !u.had {
		c.res.File = u.print(nil)
		return nil
	}
	values := []string{c.everywhere}
	for _, g := range s.groups {
		values = append(values, g.value)
	}
	whole := newNginxMap("$uri", "$metarobots", c.everywhere, c.urls)
	maps := []*nginxMap{whole}
	for i := range nginxLines {
		standard := ""
		if i == 0 {
			standard = whole.to
		}
		maps = append(maps, newNginxMap(whole.to, fmt.Sprintf("%s_%d", whole.to, i+1), standard, values))
	}
	for _, value := range s.several {
		lines := c.lines[value]
		for i := range min(len(lines), nginxLines) {
			if i == nginxLines-1 {
				lines = append(lines[:i:i], strings.Join(lines[i:], ", "))
			}
			maps[1+i].add(value, lines[i])
		}
	}
	for _, g := range s.groups {
		long := maps[1].tooLong(g.value)
		for _, url := range g.urls {
			if long || !whole.add(url, g.value) {
				c.report(robotstag.IDName, policy.Error, c.file(url), "the path or its value is too long for nginx's configuration: it gets no X-Robots-Tag")
			}
		}
	}
	var lines []string
	// An element takes a pointer, two bytes of length and the text, aligned; a
	// bucket ends with a pointer. ngx_hash_init in
	// https://github.com/nginx/nginx/blob/master/src/core/ngx_hash.c
	texts, longest := 0, 0
	for _, m := range maps {
		texts, longest = max(texts, m.texts), max(longest, m.longest)
	}
	need := 8 + (longest+2+7)/8*8 + 8
	if need > nginxBucket || 2*texts > nginxTable {
		off := ""
		for l := range strings.Lines(u.ours) {
			if l = strings.TrimSpace(l); strings.HasPrefix(l, "#") && strings.Contains(l, "map_hash_bucket_size ") {
				off = "# "
			}
		}
		lines = append(lines,
			"# Where nginx.conf has map_hash_… lines of its own, comment these two out, which later runs keep, and raise those.",
			fmt.Sprintf("%smap_hash_bucket_size %d;", off, roundUp(max(need, nginxBucket))),
			fmt.Sprintf("%smap_hash_max_size %d;", off, roundUp(max(2*texts, nginxTable))))
	}
	for _, m := range maps {
		lines = append(lines, m.print()...)
	}
	c.res.File = u.print(lines)
	return nil
}

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

// quoted is a key as it is written: an expression where it would be read as one,
// or differs from another in case alone.
func (m *nginxMap) quoted(key string) (text string, expression bool) {
	if m.folds[asciiLower(key)] > 1 || strings.HasPrefix(key, "~") {
		return nginxText("~^" + regexp.QuoteMeta(key) + `\z`), true
	}
	return nginxText(key), false
}

// tooLong reports whether a key does not fit an argument.
func (m *nginxMap) tooLong(key string) bool {
	text, _ := m.quoted(key)
	return len(text) > nginxMost
}

// add writes an entry, if its key fits an argument.
func (m *nginxMap) add(key, value string) bool {
	text, expression := m.quoted(key)
	if len(text) > nginxMost {
		return false
	}
	if !expression {
		m.texts++
		m.longest = max(m.longest, len(key))
	}
	m.entries = append(m.entries, "    "+text+` "`+value+`";`)
	return true
}

func (m *nginxMap) print() (lines []string) {
	lines = append(lines, "map "+m.from+" "+m.to+" {", `    default "`+m.standard+`";`)
	return append(append(lines, m.entries...), "}")
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

// nginxText quotes an argument. A map's sources know no variables.
func nginxText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// roundUp returns the next power of two.
func roundUp(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}
