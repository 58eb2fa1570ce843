package source

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

func readTOML(x *Index, data []byte, l lines) error {
	data = data[:len(data):len(data)] // the place of an error is told by what is left of the capacity
	t := &tomlReader{x: x, data: data, lines: l}
	t.parser.Reset(data)
	table := &x.top // what plain keys stand under
	for t.parser.NextExpression() {
		switch n := t.parser.Expression(); n.Kind {
		case unstable.KeyValue:
			t.keyValue(table, n)
		case unstable.Table, unstable.ArrayTable:
			table = t.header(n)
		}
	}
	err := t.parser.Error()
	if err == nil {
		return nil
	}
	var perr *unstable.ParserError
	if !errors.As(err, &perr) {
		return &SyntaxError{Msg: err.Error()}
	}
	line := 0
	if at := len(data) - cap(perr.Highlight); perr.Highlight != nil && at >= 0 {
		line = l.at(at)
	}
	if strings.HasPrefix(perr.Message, "arrays and inline tables are nested more than") {
		return tooDeep(line)
	}
	return &SyntaxError{Line: line, Msg: cmp.Or(tomlHint(perr.Message, l.text(data, line)), perr.Message)}
}

// A line of a key and its value, and what the parser says of a value that it cannot read.
var (
	tomlLine  = regexp.MustCompile(`^\s*(\S+)\s*=\s*([^#]*[^#\s])`)
	yamlLine  = regexp.MustCompile(`^\s*([\w-]+)\s*:`)
	badValue  = regexp.MustCompile(`^expected keyword|'[A-Za-z/*]' at start of value$`)
	curly     = regexp.MustCompile(`^[“”„‟‘’‚]|[“”„‟‘’‚]$`)
	plainText = regexp.MustCompile(`^[\w/*][^"'\[\]{}=]*$`)
)

// tomlHint says how a line is to be written on which the parser has found a fault; empty where that cannot be told.
func tomlHint(fault, line string) string {
	m := tomlLine.FindStringSubmatch(line)
	if m == nil {
		if yaml := yamlLine.FindStringSubmatch(line); yaml != nil {
			return fmt.Sprintf("write %s = and the value: TOML has no colon there", yaml[1])
		}
		return ""
	}
	value := m[2]
	switch bad := badValue.MatchString(fault); {
	case curly.MatchString(strings.Trim(value, "[], ")):
		return `use straight quotation marks: "noindex"`
	case fault == "expected newline but got U+002C ','" && strings.HasPrefix(value, `"`):
		return "a list needs brackets: [" + value + "]"
	case bad && slices.Contains([]string{"no", "off"}, strings.ToLower(value)):
		return "write false, not " + value
	case bad && slices.Contains([]string{"yes", "on"}, strings.ToLower(value)):
		return "write true, not " + value
	case bad && plainText.MatchString(value):
		return fmt.Sprintf("%s needs quotation marks: %q", value, value)
	case bad:
		return fault + ` (a text needs quotation marks: "noindex")`
	}
	return ""
}

type tomlReader struct {
	x      *Index
	parser unstable.Parser
	data   []byte
	lines  lines
	end    int // where the last key or value ends that was entered
}

// header enters the table of [a.b] or [[a.b]] and returns it.
func (t *tomlReader) header(n *unstable.Node) *node {
	at := &t.x.top
	for keys := n.Key(); keys.Next(); {
		name, line := t.key(keys.Node())
		next := at.child(name)
		if next == nil {
			next = t.x.put(at, name, line)
		} else if keys.IsLast() && n.Kind == unstable.Table {
			next.line = line // [a.b] had made a, and here is [a] itself
		}
		at = next
		switch i := at.elements; {
		case keys.IsLast() && n.Kind == unstable.ArrayTable:
			at.elements++
			at = t.x.element(at, i, line)
		case i > 0:
			// "Any reference to an array of tables points to the most recently defined table element of the
			// array." https://toml.io/en/v1.0.0#array-of-tables
			at = at.child(strconv.Itoa(i - 1))
		}
	}
	return at
}

func (t *tomlReader) key(n *unstable.Node) (name string, line int) {
	t.end = int(n.Raw.Offset + n.Raw.Length)
	return string(n.Data), t.lines.at(int(n.Raw.Offset))
}

func (t *tomlReader) keyValue(at *node, n *unstable.Node) {
	for keys := n.Key(); keys.Next(); {
		name, line := t.key(keys.Node())
		next := at.child(name)
		if next == nil || keys.IsLast() {
			next = t.x.put(at, name, line)
		}
		at = next
	}
	t.value(at, n.Value(), t.start(n.Value()))
}

// value enters what stands in the value that starts at offset.
func (t *tomlReader) value(at *node, n *unstable.Node, offset int) {
	t.end = offset + max(1, int(n.Raw.Length)) // of brackets the one that opens
	i := 0
	for children := n.Children(); children.Next(); i++ {
		if child := children.Node(); n.Kind == unstable.InlineTable {
			t.keyValue(at, child)
		} else {
			start := t.start(child)
			t.value(t.x.element(at, i, t.lines.at(start)), child, start)
		}
	}
}

var tomlBetween = regexp.MustCompile(`\A(?:[ \t\r\n,=\]}]|#[^\n]*)*`)

// start is where a value begins: of an array the parser does not say it, so that it is what stands behind the last
// value, space, comments and signs between them.
func (t *tomlReader) start(n *unstable.Node) int {
	if n.Kind == unstable.Array {
		return t.end + len(tomlBetween.Find(t.data[t.end:]))
	}
	return int(n.Raw.Offset)
}
