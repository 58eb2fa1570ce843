// Package source reads TOML, YAML and JSON text, and finds the line of each key, so that an error
// or an explanation can name it. What a document means, and whether a key may be in it twice, is
// for the decoder of its format to say.
//
//	source, values    an Index of the lines of keys, and the functions that read a document into it
//	toml, yaml, json  what each format adds: the parser's tree, walked for its keys
//	slip              advice on common mistakes, in place of a parser's message
//	lines             front matter that is lines of keys and texts
//	program           configurations in programming languages, read as tokens
//
// # Words of this package
//
//   - An [Index] is the lines of the keys of one document, as a tree of nodes: top is the document,
//     and a node is a key or an element of a list. put enters a key below a node, in place of an
//     earlier one; key is put with a limit of keys for a table, element is put for an element of a
//     list. Each returns the new node. A path is the keys from top to a node: "menu", "0".
//   - The base of a text is how many lines of its file are before it. Lines of files count from 1.
//   - A fault is why a document has no structure, or more of it than a limit allows: it ends the
//     reading. The first one counts, so readers go on after they noted one.
//   - A decoder is the library that makes values of a document; a parser gives its tree with
//     places. An error of either is located if it has the line in our form.
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

// An Index knows the line of every key of one document. A path names a key by the keys that it is
// under; elements of a list are "0", "1", and so on. The zero Index, and a nil one, know no keys.
//
// Keys are compared in lower case. Of a key that is given twice the last one counts, as it does for
// encoding/json, and what is under the first is forgotten.
type Index struct {
	top   node
	fault *SyntaxError // the first one; nil for none
	// Repeats are the keys that one object of JSON or mapping of YAML has twice. encoding/json
	// takes the last without a word, as [ReadLast] and [DataLast] do; the decoders of TOML and YAML
	// refuse such a key otherwise.
	Repeats []Repeat

	lastCounts bool // for [ReadLast] and [DataLast]
}

// A Repeat is a key that one object of JSON or mapping of YAML has twice, letter for letter.
type Repeat struct {
	Path        []string // of the key, as written
	First, Line int      // the line of the first one, and of the one that counts
	Passed      any      // the value that does not count; nil if it cannot be read
}

// Limits beyond what front matter and configurations hold.
const (
	// MaxDepth is how many levels deep a key may be: without a bound, text of a few kilobytes makes
	// whoever walks the values recurse without end. The parsers have bounds of their own, 10,000.
	MaxDepth = 100
	// maxKeys is how many keys one table may have: the YAML library compares each with each.
	maxKeys = 10_000
)

// A node is a key, or an element of a list, with what is under it.
type node struct {
	line   int
	depth  int
	below  map[string]*node // by [Key]
	tables int              // how many [[a]] of TOML there are so far; 0 for a list, a = [1]
}

// parse finds the lines of the keys of data, and returns what decodes its values: two steps,
// because a decoder may refuse what has a structure. The error is a text that has none.
func parse(format string, data []byte, base int) (x *Index, decode func(into any) error, err error) {
	return new(Index).parse(format, data, base)
}

// parse is the function of that name, into an index that has no keys yet.
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

// tooDeep is the fault of values that nest deeper than [MaxDepth].
func tooDeep(line int) *SyntaxError {
	return &SyntaxError{Line: line, Msg: fmt.Sprintf("values nest more than %d levels deep", MaxDepth), Ours: true}
}

// Line returns the line of the key at path, 0 if it is not known. The line of a list element is the
// line on which it starts. What YAML takes over by an alias or a merge key has the line on which it
// is written.
func (x *Index) Line(path ...string) int {
	at, n := x.find(path)
	if n < len(path) {
		return 0
	}
	return at.line
}

// Nearest returns the line of the longest known beginning of path, 0 if there is none. It serves a
// complaint about something missing, which has no line of its own.
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

// find returns what the longest known beginning of path leads to, from n, and how many keys that
// is. Several keys of a path may be one key with dots: YAML has "a.b: 1" in one piece, and TOML has
// a table a.
func (n *node) find(path []string) (at *node, known int) {
	at = n
	for i := 1; i <= len(path) && known < len(path) && len(n.below) > 0; i++ {
		next := n.below[Key(strings.Join(path[:i], "."))]
		if next == nil {
			continue
		}
		if below, more := next.find(path[i:]); i+more > known {
			at, known = below, i+more
		}
	}
	return at, known
}

// child is what is under a key of n; nil for nothing.
func (n *node) child(key string) *node { return n.below[Key(key)] }

// Key is a key as it is compared: in lower case, without white space around it and characters that
// nobody sees.
func Key(written string) string {
	return strings.ToLower(strings.TrimFunc(written, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)
	}))
}

// put enters a key below a node, in place of an earlier one of that name, and returns its node.
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

// key is put for a key of a table, which has a limit of keys.
func (x *Index) key(parent *node, key string, line int) *node {
	if len(parent.below) >= maxKeys {
		x.fail(&SyntaxError{Line: line, Ours: true, Msg: fmt.Sprintf("a table of more than %d keys: keep data of "+
			"that size in a file of its own", maxKeys)})
	}
	return x.put(parent, key, line)
}

// element is put for the element of a list that has an index.
func (x *Index) element(parent *node, i, line int) *node { return x.put(parent, strconv.Itoa(i), line) }

// A SyntaxError says why a document could not be read. For YAML the line can be the one on which
// the list, mapping or text in question starts: the library reports that one, unless it is the
// first.
type SyntaxError struct {
	Line int    // in the file, so with the base; 0 if it is not known
	Msg  string // without the line
	// Ours: a decoder may take the text, and it is refused here: it is beyond a limit of ours, or
	// JSON has a key twice, and decoders take the last.
	Ours bool
}

// Error returns the message with the line in front, if it is known.
func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return e.Msg
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Msg)
}

// lines are those of a text, in a file that has base lines before it.
type lines struct {
	data  []byte // without a byte order mark
	feeds []int  // offset of every line feed
	base  int
}

// linesOf finds the lines of data.
func linesOf(data []byte, base int) lines {
	l := lines{data: bytes.TrimPrefix(data, []byte("\ufeff")), base: base}
	for i, c := range l.data {
		if c == '\n' {
			l.feeds = append(l.feeds, i)
		}
	}
	return l
}

// at returns the line of the byte at offset. The end of the text is on the line of its last byte:
// after a closing line feed there is no further line.
func (l lines) at(offset int) int {
	n, _ := slices.BinarySearch(l.feeds, min(offset, max(len(l.data)-1, 0)))
	return l.base + n + 1
}

// text returns a line without its line feed; empty if there is no such line.
func (l lines) text(line int) string {
	all := strings.Split(string(l.data), "\n")
	if i := line - l.base - 1; i >= 0 && i < len(all) {
		return all[i]
	}
	return ""
}

// DeepLine is for who hands a file to Hugo's YAML parser, whose work grows with the square of the
// depth: it returns the line on which front matter opens more brackets or list items than the
// values of any page nest, 0 if none does. It does not look at quotes, so the limit is ten times
// [MaxDepth].
func DeepLine(r io.Reader) int {
	text := bufio.NewReaderSize(r, 512) // more than most front matter has
	if fence, _ := text.Peek(3); string(fence) != "---" {
		return 0 // the parsers of TOML and JSON have limits of their own
	}
	open := 0 // brackets
	for line := 1; ; line++ {
		row, err := text.ReadBytes('\n')
		if line > 1 && string(bytes.TrimSpace(row)) == "---" {
			return 0
		}
		items := len(row) - len(bytes.TrimLeft(row, "-? ")) // "- - - a" are lists in a list
		var deepest int
		open, deepest = bracketsOf(row, open)
		if max(deepest, items/2) > 10*MaxDepth {
			return line
		}
		if err != nil {
			return 0
		}
	}
}

// bracketsOf counts the brackets that are open behind a row and, at its deepest place, within it.
// open are those before it.
func bracketsOf(row []byte, open int) (behind, deepest int) {
	deepest = open
	for _, c := range row {
		switch c {
		case '[', '{':
			open++
			deepest = max(deepest, open)
		case ']', '}':
			open = max(0, open-1)
		}
	}
	return open, deepest
}
