// Package source reads TOML, YAML and JSON text, and on which line each key stands, so that an
// error or an explanation can name it. What a document means, and whether a key may be in it twice,
// is for the decoder of its format to say.
//
// # Words of this package
//
//   - An [Index] is the lines of the keys of one document, as a tree of nodes: top is the document,
//     and a node is a key or an element of a list. put enters a key below a node, element an
//     element of a list; both return its node.
//   - Values are what decoders give: string, float64 and the like, map[string]any, []any, nil.
//   - A program is a configuration in JavaScript, TypeScript or Python. It is read as [Tokens], and
//     never run: a value that only a run would tell is [Computed].
//   - The size of a token that opens a bracket is how many tokens there are up to the one that
//     closes it, so that t[t[0].size:] is what follows the bracket; of any other token it is 1.
//     depth is the number of brackets around it.
package source

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// An Index knows the line of every key of one document. A path names a key by the keys it stands under; elements of
// a list are "0", "1", and so on. The zero Index, and a nil one, know no keys.
//
// Keys are compared without regard to case. Where a key is given twice the last one counts, as it does for
// encoding/json, and what stands under the first is forgotten.
type Index struct {
	top   node
	fault *SyntaxError // the first one; nil for none
	// Repeats are the keys that one object of JSON or mapping of YAML has twice. encoding/json takes the last without a
	// word, as [ReadLast] and [DataLast] do; the decoders of TOML and YAML refuse such a key otherwise.
	Repeats []Repeat

	lastCounts bool // for [ReadLast] and [DataLast]
}

// A Repeat is a key that one object of JSON or mapping of YAML has twice, letter for letter.
type Repeat struct {
	Path        []string // of the key, as written
	First, Line int      // where it stands first, and where again
	Passed      any      // the value that does not count; nil if it cannot be read
}

// Limits beyond what front matter and configurations hold.
const (
	// MaxDepth is how many levels deep a key may stand: without a bound, text of a few kilobytes makes whoever walks the
	// values recurse without end. The parsers have bounds of their own, 10,000.
	MaxDepth = 100
	// maxKeys is how many keys one table may have: the YAML library compares each with each.
	maxKeys = 10_000
)

// A node is a key, or an element of a list, with what stands under it.
type node struct {
	line     int
	depth    int
	below    map[string]*node // by their keys, lower case
	elements int              // for a TOML array of tables: how many there are so far
}

// parse finds where the keys of data stand, and returns what decodes its values. Its error is a text that has no
// structure, but not all that a decoder refuses.
func parse(format string, data []byte, base int) (x *Index, decode func(into any) error, err error) {
	return new(Index).parse(format, data, base)
}

func (x *Index) parse(format string, data []byte, base int) (_ *Index, decode func(into any) error, err error) {
	l := linesOf(data, base)
	switch strings.ToLower(format) {
	case "toml":
		decode = readTOML(x, l)
	case "yaml", "yml":
		decode = readYAML(x, l)
	case "json":
		decode = readJSON(x, l)
	default:
		return nil, nil, fmt.Errorf("unknown format %q (want toml, yaml or json)", format)
	}
	if x.fault != nil {
		return nil, nil, x.fault
	}
	return x, decode, nil
}

// fail notes a fault, unless there was one before.
func (x *Index) fail(e *SyntaxError) {
	if x.fault == nil {
		x.fault = e
	}
}

func tooDeep(line int) *SyntaxError {
	return &SyntaxError{Line: line, Msg: fmt.Sprintf("values nest more than %d levels deep", MaxDepth), Ours: true}
}

// Line returns the line of the key at path, 0 where it is not known. The line of a list element is the line on which
// it starts. What YAML takes over by an alias or a merge key has the line on which it is written.
func (x *Index) Line(path ...string) int {
	at, n := x.find(path)
	if n < len(path) {
		return 0
	}
	return at.line
}

// Nearest returns the line of the longest known beginning of path, 0 if there is none. It serves a complaint about
// something missing, which has no line of its own.
func (x *Index) Nearest(path ...string) int {
	at, _ := x.find(path)
	return at.line
}

// find returns what the longest known beginning of path leads to, and how many keys that is.
func (x *Index) find(path []string) (at *node, n int) {
	if x == nil {
		return &node{}, 0
	}
	return x.top.find(path)
}

// find takes a key with dots, as YAML has it in one piece, for the keys of a path that are joined in it.
func (n *node) find(path []string) (at *node, known int) {
	at = n
	for i := 1; i <= len(path) && known < len(path) && len(n.below) > 0; i++ {
		if next := n.below[Key(strings.Join(path[:i], "."))]; next != nil {
			if below, more := next.find(path[i:]); i+more > known {
				at, known = below, i+more
			}
		}
	}
	return at, known
}

func (n *node) child(key string) *node { return n.below[Key(key)] }

// Key is a key as it is compared: in lower case, without white space around it and characters that nobody sees.
func Key(written string) string {
	return strings.ToLower(strings.TrimFunc(written, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)
	}))
}

// put enters a key, in place of an earlier one of that name.
func (x *Index) put(parent *node, key string, line int) *node {
	n := &node{line: line, depth: parent.depth + 1}
	if n.depth > MaxDepth {
		x.fail(tooDeep(line))
	}
	if parent.below == nil {
		parent.below = map[string]*node{}
	}
	parent.below[Key(key)] = n
	return n
}

// key enters a key of a table.
func (x *Index) key(parent *node, key string, line int) *node {
	if len(parent.below) >= maxKeys {
		x.fail(&SyntaxError{Line: line, Ours: true, Msg: fmt.Sprintf("a table of more than %d keys: keep data of "+
			"that size in a file of its own", maxKeys)})
	}
	return x.put(parent, key, line)
}

func (x *Index) element(parent *node, i, line int) *node { return x.put(parent, strconv.Itoa(i), line) }

// A SyntaxError says why a document could not be read. For YAML the line can be the one on which the list, mapping or
// text in question starts: the library reports that one where it is not the first.
type SyntaxError struct {
	Line int    // with the base that was given; 0 where it is not known
	Msg  string // without the line
	// Ours: the text may be good to a decoder, and is refused here: it is beyond a limit of ours, or a key stands twice
	// in JSON, of which decoders take the last.
	Ours bool
}

// Error returns the message with the line in front, if it is known.
func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return e.Msg
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Msg)
}

// lines are those of a text; base is the number of those before it.
type lines struct {
	data  []byte // without a byte order mark
	feeds []int  // offset of every line feed
	base  int
}

func linesOf(data []byte, base int) lines {
	l := lines{data: bytes.TrimPrefix(data, []byte("\ufeff")), base: base}
	for i, c := range l.data {
		if c == '\n' {
			l.feeds = append(l.feeds, i)
		}
	}
	return l
}

// at returns the line of the byte at offset. The end of the text is on the line of its last byte: after a closing
// line feed there is no further line.
func (l lines) at(offset int) int {
	n, _ := slices.BinarySearch(l.feeds, min(offset, max(len(l.data)-1, 0)))
	return l.base + n + 1
}

// text returns a line; empty where there is none.
func (l lines) text(line int) string {
	all := strings.Split(string(l.data), "\n")
	if i := line - l.base - 1; i >= 0 && i < len(all) {
		return all[i]
	}
	return ""
}

// DeepLine is for who hands a file to Hugo's YAML parser, whose work grows with the square of the depth: it returns the
// line on which front matter opens more brackets or list items than any page's values nest, 0 where none does. Quotes
// are not looked at, so ten times [MaxDepth] is too deep.
func DeepLine(r io.Reader) int {
	text := bufio.NewReaderSize(r, 512) // more than most front matter has
	if mark, _ := text.Peek(3); string(mark) != "---" {
		return 0 // the parsers of TOML and JSON have limits of their own
	}
	for line, open := 1, 0; ; line++ {
		row, err := text.ReadBytes('\n')
		if line > 1 && string(bytes.TrimSpace(row)) == "---" {
			return 0
		}
		items := len(row) - len(bytes.TrimLeft(row, "-? ")) // "- - - a" are lists in a list
		for _, c := range row {
			switch c {
			case '[', '{':
				open++
			case ']', '}':
				open = max(0, open-1)
			}
			if max(open, items/2) > 10*MaxDepth {
				return line
			}
		}
		if err != nil {
			return 0
		}
	}
}
