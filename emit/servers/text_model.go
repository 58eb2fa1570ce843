package servers

import (
	"fmt"
	"slices"
	"strings"
)

// text is a text file as a web server reads it: what stands between our marks,
// and the user's lines, of which only those about the header are looked at.
type text struct {
	ours []numbered
	own  []numbered
	// last is the line of the last mark of ours; 0 where there is no block.
	last int
}

// numbered is a line and its number, from 1.
type numbered struct {
	text string
	line int
}

// parted takes a file apart. A begin without an end is a comment of the user's.
func parted(file []byte) (t text) {
	var lines []string
	for l := range strings.Lines(string(file)) {
		lines = append(lines, strings.TrimSpace(l))
	}
	begin := -1
	for i, l := range lines {
		if strings.HasPrefix(l, "# metarobots: begin") {
			begin = i
		}
		if l == "# metarobots: end" && begin >= 0 {
			t.last = i + 1
			break
		}
	}
	for i, l := range lines {
		switch {
		case t.last > 0 && begin < i && i < t.last-1:
			t.ours = append(t.ours, numbered{l, i + 1})
		case l != "" && l[0] != '#':
			t.own = append(t.own, numbered{l, i + 1})
		}
	}
	return t
}

// robots are the user's lines about the header.
func (t text) robots() (about []numbered) {
	for _, l := range t.own {
		if strings.Contains(strings.ToLower(l.text), "x-robots-tag") {
			about = append(about, l)
		}
	}
	return about
}

// model is that of a file, and of its user's lines about the header that are not
// read.
func (t text) model(forms func(path string) (own, maybe []string), unread []numbered, readings ...reading) *model {
	m := &model{readings: readings, forms: forms, below: true}
	for _, l := range unread {
		m.unread = append(m.unread, unreadable(l.line, "line", ""))
	}
	return m
}

// quoted reads a "…" argument in which a backslash before one of the escaped
// characters stands for that, and before any other for itself.
func quoted(s, escaped string) (arg, rest string, err error) {
	if !strings.HasPrefix(s, `"`) {
		return "", "", fmt.Errorf("no quoted argument at %q", s)
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], nil
		case s[i] == '\\' && i+1 < len(s) && strings.IndexByte(escaped, s[i+1]) >= 0:
			i++
		}
		b.WriteByte(s[i])
	}
	return "", "", fmt.Errorf("no end of %q", s)
}

// fileAndFolder are the paths of a file, and, for an index, its folder's.
func fileAndFolder(path string) []string {
	file := "/" + path
	if strings.HasSuffix(file, "/index.html") {
		return []string{file, file[:len(file)-len("index.html")]}
	}
	return []string{file}
}

// table is a reading by texts that are looked up.
type table struct {
	lookUp func(path string) (a answer, ok bool)
	always answer
	// over are the owner's sections for files, which go before our rules.
	over []fileRule
	// most is how many lines a response can have; 0 for any number.
	most int
}

func (t *table) answers(p *paths, ours bool) []answer {
	given := make([]answer, len(p.decoded))
	for i, path := range p.decoded {
		if ours {
			given[i] = t.always
			if a, ok := t.lookUp(path); ok {
				given[i] = a
			}
		}
		given[i] = overridden(given[i], t.over, path)
	}
	return given
}

// sent is the answer of lines of ours. Empty ones are not sent.
func sent(lines []string, line int) answer {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return l == "" })
	return answer{value: strings.Join(lines, ", "), lines: lines, line: line, ours: len(lines) > 0}
}
