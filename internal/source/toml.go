package source

import (
	"errors"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/pelletier/go-toml/v2/unstable"

	"metarobots/internal/lazyregexp"
)

// readTOML enters the keys of a document.
func readTOML(x *Index, l lines) (decode func(into any) error) {
	data := l.data[:len(l.data):len(l.data)] // what is left of the capacity says the place of an error
	t := &tomlReader{x: x, data: data, lines: l, dotted: map[dotted]bool{}}
	t.parser.Reset(data)
	table := &x.top // what plain keys are under
	for t.parser.NextExpression() {
		switch n := t.parser.Expression(); n.Kind {
		case unstable.KeyValue:
			t.keyValue(table, n)
		case unstable.Table, unstable.ArrayTable:
			table = t.header(n)
		}
	}
	if err, ok := errors.AsType[*unstable.ParserError](t.parser.Error()); ok {
		line := l.at(max(0, len(data)-cap(err.Highlight)))
		// go-toml 2 has no type for this error.
		if strings.HasPrefix(err.Message, "arrays and inline tables are nested more than") {
			x.fail(tooDeep(line))
		}
		x.fail(l.advised("toml", &SyntaxError{Line: line, Msg: err.Message}))
	}
	return func(into any) error { return toml.Unmarshal(data, into) }
}

// A tomlReader enters the keys of a document into an index, expression by expression:
//
//	[a.b]          header: a is there or new, b is new. Plain keys that follow are under b.
//	c.d = 1        keyValue: c is new, and dotted; d is under it
//	[[e]]          header: e is an array of tables, and its element 0 is the table now
//	[e.f]          header: f is under the last element of e
type tomlReader struct {
	x      *Index
	parser unstable.Parser
	data   []byte
	lines  lines
	end    int // where the last key or value ends that was entered
	dotted map[dotted]bool
}

// dotted is a table that a key with dots has made, by its exact name. The decoder drops in silence
// what gives such a table a value of its own: a.b = 1, then a = 2. Headers need no such look:
// behind a.b = 1 the decoder takes [a] for more of a, and refuses [[a]].
type dotted struct {
	table *node
	name  string
}

// header enters the table of [a.b] or [[a.b]] and returns it. Whether the document may have it
// there is for the decoder to say: it refuses a = [1], then [a.b].
func (t *tomlReader) header(n *unstable.Node) *node {
	at := &t.x.top
	for keys := n.Key(); keys.Next(); {
		name, line := t.key(keys.Node())
		next := at.child(name)
		if next == nil {
			next = t.x.key(at, name, line)
		} else if keys.IsLast() && n.Kind == unstable.Table {
			next.line = line // [a.b] had made a, and here is [a] itself
		}
		switch before := next.tables; {
		case keys.IsLast() && n.Kind == unstable.ArrayTable:
			next.tables++
			at = t.x.element(next, before, line)
		case before > 0:
			// "Any reference to an array of tables points to the most recently defined table
			// element of the array." https://toml.io/en/v1.0.0#array-of-tables
			at = next.child(strconv.Itoa(before - 1))
		default:
			at = next
		}
	}
	return at
}

// key reads a key, and goes on behind it.
func (t *tomlReader) key(n *unstable.Node) (name string, line int) {
	t.end = int(n.Raw.Offset + n.Raw.Length)
	return string(n.Data), t.lines.at(int(n.Raw.Offset))
}

// keyValue enters the keys of a = 1 or a.b = 1 below a table, and those within the value.
func (t *tomlReader) keyValue(at *node, n *unstable.Node) {
	for keys := n.Key(); keys.Next(); {
		name, line := t.key(keys.Node())
		next := at.child(name)
		if keys.IsLast() && t.dotted[dotted{next, name}] {
			t.x.fail(&SyntaxError{Line: line, Msg: definedOn(name, next.line)})
		}
		if next == nil || keys.IsLast() {
			next = t.x.key(at, name, line)
		}
		if !keys.IsLast() {
			t.dotted[dotted{next, name}] = true
		}
		at = next
	}
	t.value(at, n.Value(), t.start(n.Value()))
}

// value enters the keys within the value that starts at offset.
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

// tomlBetween matches what may be between the end of a value and the beginning of the next.
var tomlBetween = lazyregexp.New(`\A(?:[ \t\r\n,=\]}]|#[^\n]*)*`)

// start is where a value begins. The parser does not say it of an array, which begins behind the
// last key or value and what is between them.
func (t *tomlReader) start(n *unstable.Node) int {
	if n.Kind == unstable.Array {
		return t.end + len(tomlBetween.Find(t.data[t.end:]))
	}
	return int(n.Raw.Offset)
}
