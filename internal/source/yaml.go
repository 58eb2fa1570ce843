package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"metarobots/internal/lazyregexp"
)

// maxAliased is how many values aliases may stand for in one document. A few lines of nested
// aliases can stand for more values than there is memory for; no configuration comes near this
// number.
const maxAliased = 100_000

// readYAML enters the keys of the first document.
func readYAML(x *Index, l lines) (decode func(into any) error) {
	y := &yamlReader{x: x, lines: l, breaks: yamlBreak.FindAllIndex(l.data, -1), open: map[*yaml.Node]bool{},
		left: 2*len(l.data) + maxAliased}
	doc, err := yamlDocument(l.data)
	if err != nil {
		x.fail(y.syntaxError(err))
	}
	if x.lastCounts {
		y.forgetRepeated(&doc, nil)
	}
	for _, n := range doc.Content {
		y.enterValue(&x.top, n)
	}
	return doc.Decode
}

// yamlDocument reads the nodes of the first document. The library has been seen to panic on text
// that it could not make out, as in https://github.com/mikefarah/yq/issues/2481: to us that is an
// error like any other.
func yamlDocument(data []byte) (doc yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(data))
	if err = d.Decode(&doc); errors.Is(err, io.EOF) {
		return doc, nil // there is nothing
	}
	// A line that is indented less than the first ends the document: the library would leave out
	// what follows it.
	if err == nil && !yamlEnd.Match(data) {
		if err = d.Decode(new(yaml.Node)); errors.Is(err, io.EOF) {
			err = nil
		}
	}
	return doc, err
}

// yamlEnd matches a document with a line that ends it.
var yamlEnd = lazyregexp.New(`(?m)^[^#%\s-][^\n]*\n(?:[^\n]*\n)*?(?:---|\.\.\.)(?:[ \t\r]|$)`)

// forgetRepeated takes all but the last of equal keys out of the mappings in n, to which a path
// leads, and notes them. Merge keys stay: the decoder refuses a second one.
func (y *yamlReader) forgetRepeated(n *yaml.Node, path []string) {
	if len(path) > MaxDepth {
		return // the reader of the keys says so
	}
	if n.Kind == yaml.MappingNode {
		y.forgetRepeatedKeys(n, path)
		return
	}
	for i, below := range n.Content {
		if n.Kind == yaml.SequenceNode {
			y.forgetRepeated(below, append(slices.Clip(path), strconv.Itoa(i)))
		} else {
			y.forgetRepeated(below, path)
		}
	}
}

// forgetRepeatedKeys is forgetRepeated of a mapping.
func (y *yamlReader) forgetRepeatedKeys(n *yaml.Node, path []string) {
	last := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; key.Kind == yaml.ScalarNode && key.ShortTag() != "!!merge" {
			last[key.Value] = key
		}
	}
	var kept []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		at, counting := append(slices.Clip(path), key.Value), last[key.Value]
		if key.Kind == yaml.ScalarNode && counting != nil && key != counting {
			y.x.Repeats = append(y.x.Repeats, Repeat{Path: at, First: y.line(key.Line), Line: y.line(counting.Line),
				Passed: passedOver(value)})
			continue
		}
		y.forgetRepeated(value, at)
		kept = append(kept, key, value)
	}
	n.Content = kept
}

// passedOver decodes a value that does not count; nil if it cannot be read.
func passedOver(n *yaml.Node) (value any) {
	(&yamlReader{x: &Index{}}).forgetRepeated(n, nil)
	untag(n)
	if n.Decode(&value) != nil {
		return nil
	}
	return value
}

// A yamlReader enters the keys of a document into an index. What an alias names is entered again
// under the key that has the alias, and a mapping that a merge key (<<) names under the mapping
// that has the key:
//
//	base: &b {x: 1}      base, base.x on this line
//	copy: *b             copy on this line, copy.x on the first
//	more: {<<: *b, y: 2} more, more.y on this line, more.x on the first
type yamlReader struct {
	x      *Index
	lines  lines
	breaks [][]int             // where lines end, as the library counts them
	open   map[*yaml.Node]bool // the nodes with an anchor that we are inside of, by an alias
	left   int                 // how many more keys and values there may be: those that are written, and those of aliases
}

// enterValue enters the keys within a value n below the node of the key or element that has it; a
// text or a number has none. It stops at the first fault, which it notes: an alias within what it
// names, or aliases that make too many values.
func (y *yamlReader) enterValue(at *node, n *yaml.Node) {
	y.count(n)
	switch {
	case y.x.fault != nil:
	case n.Kind == yaml.AliasNode:
		y.withinAlias(n, func() { y.enterValue(at, n.Alias) })
	case n.Kind == yaml.MappingNode:
		y.enterMapping(at, n, ownKeys)
	case n.Kind == yaml.SequenceNode:
		for i, element := range n.Content {
			y.enterValue(y.x.element(at, i, y.line(element.Line)), element)
		}
	}
}

// enterMerged enters the keys of n, the value of a merge key, below the node of the mapping that
// has that key. n is a mapping or a list of mappings, and each of these may be an alias;
// anything else the decoder refuses.
func (y *yamlReader) enterMerged(at *node, n *yaml.Node) {
	y.count(n)
	switch {
	case y.x.fault != nil:
	case n.Kind == yaml.AliasNode:
		y.withinAlias(n, func() { y.enterMerged(at, n.Alias) })
	case n.Kind == yaml.MappingNode:
		y.enterMapping(at, n, mergedKeys)
	case n.Kind == yaml.SequenceNode:
		for _, mapping := range n.Content {
			y.enterMerged(at, mapping)
		}
	}
}

// count counts a value, and notes a fault if aliases make too many.
func (y *yamlReader) count(n *yaml.Node) {
	y.left--
	if y.left < 0 {
		y.fail(n, fmt.Sprintf("aliases expand to more than %d values", maxAliased))
	}
}

// withinAlias enters what an alias names, unless we are in that already.
func (y *yamlReader) withinAlias(alias *yaml.Node, enter func()) {
	if y.open[alias.Alias] {
		y.fail(alias, fmt.Sprintf("anchor %q contains itself", alias.Value))
		return
	}
	y.open[alias.Alias] = true
	enter()
	delete(y.open, alias.Alias)
}

// keyOrigin says how a mapping came to the keys that are entered.
type keyOrigin bool

const (
	ownKeys    keyOrigin = false // they are its own
	mergedKeys keyOrigin = true  // by a merge key: those that the mapping has already win
)

// enterMapping enters the keys of the mapping n below at, its own ones before those that it merges:
// they win over merged ones wherever the merge key is, and of several merged mappings the first
// wins.
// https://yaml.org/type/merge.html
func (y *yamlReader) enterMapping(at *node, n *yaml.Node, origin keyOrigin) {
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		line := y.line(key.Line)
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		y.left-- // for the key
		switch {
		case key.Kind != yaml.ScalarNode: // a list or a mapping, which has no name
		case key.ShortTag() == "!!merge":
			merged = append(merged, value)
		case origin == mergedKeys && at.child(key.Value) != nil:
		default:
			y.enterValue(y.x.key(at, key.Value, line), value)
		}
	}
	for _, value := range merged {
		y.enterMerged(at, value)
	}
}

// fail notes a fault at a node.
func (y *yamlReader) fail(n *yaml.Node, msg string) {
	y.x.fail(&SyntaxError{Line: y.line(n.Line), Msg: msg})
}

// line turns a line as the library counts it into one of our count, which breaks at line feeds
// alone.
func (y *yamlReader) line(line int) int {
	start := 0
	if before := min(line-2, len(y.breaks)-1); before >= 0 {
		start = y.breaks[before][1]
	}
	return y.lines.at(start)
}

// yamlBreak ends a line to the YAML library: also a carriage return alone, and three characters
// that editors do not break at.
var yamlBreak = lazyregexp.New("\r\n|[\n\r\u0085\u2028\u2029]")

// yamlParserError matches a message whose line the library gives one too low: its scanner counts up
// before it reports, its parser does not (func fail in decode.go of yaml v3).
var yamlParserError = lazyregexp.New(`^(?:did not find expected (?:<document start>|node content|'-' indicator|` +
	`key|',' or '[]}]')|found (?:undefined tag handle|duplicate %(?:YAML|TAG) directive|incompatible YAML document))$`)

// yamlScannerError matches the beginning of the messages of the scanner. The library leaves out the
// line of these, and of parser errors, if it is the first. Other messages have no line wherever
// they are from.
var yamlScannerError = lazyregexp.New(`^(?:found|(?:did|could) not find|mapping values|mapping keys|` +
	`block sequence entries) `)

var unknownAnchor = lazyregexp.New(`^unknown anchor '(.*)' referenced$`)

// syntaxError corrects the line of the message of yaml.v3, which has no type for its errors: there
// is no other way to it.
func (y *yamlReader) syntaxError(err error) *SyntaxError {
	e := yamlError(strings.TrimPrefix(err.Error(), "yaml: "), 0)
	switch {
	case strings.HasPrefix(e.Msg, "exceeded max depth "):
		return tooDeep(y.line(max(e.Line, 1)))
	case yamlParserError.MatchString(e.Msg):
		e.Line++
	case e.Line == 0 && yamlScannerError.MatchString(e.Msg):
		e.Line = 1
	case e.Line == 0:
		// "title: *Note* to self" is a common slip.
		m := unknownAnchor.FindStringSubmatch(e.Msg)
		if m != nil && bytes.Count(y.lines.data, []byte("*"+m[1])) == 1 {
			e.Line = y.lines.at(bytes.Index(y.lines.data, []byte("*"+m[1])))
		}
		return e
	}
	e.Line = y.line(e.Line)
	return y.lines.advised("yaml", e)
}
