package source

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxAliased is how many values aliases may stand for in one document. A few lines of nested aliases can stand for
// more values than there is memory for; no configuration comes near this number.
const maxAliased = 100_000

func readYAML(x *Index, l lines) error {
	y := &yamlReader{x: x, lines: l, breaks: yamlBreak.FindAllIndex(l.data, -1), open: map[*yaml.Node]bool{},
		left: len(l.data) + maxAliased}
	doc, err := yamlDocument(l.data)
	if err != nil {
		return y.syntaxError(err)
	}
	for _, n := range doc.Content {
		if err := y.value(&x.top, n, false); err != nil {
			return err
		}
	}
	return nil
}

// yamlDocument reads the nodes. The library has been seen to panic on text it could not make out, as in
// https://github.com/mikefarah/yq/issues/2481: to us that is an error like any other.
func yamlDocument(data []byte) (doc yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	err = yaml.Unmarshal(data, &doc)
	return doc, err
}

type yamlReader struct {
	x      *Index
	lines  lines
	breaks [][]int             // where lines end, as the library counts them
	open   map[*yaml.Node]bool // what aliases stand for that we are inside of
	left   int                 // how many values there may be: a byte each, as they are written, and those of aliases
}

// value enters what stands in n, under at: if it is merged into that, the keys of a mapping, or of a list of them, that
// are not there yet.
func (y *yamlReader) value(at *node, n *yaml.Node, merged bool) error {
	if y.x.refused != nil {
		return nil // Of says so
	}
	switch n.Kind {
	case yaml.AliasNode:
		if y.open[n.Alias] {
			return y.errorAt(n, fmt.Sprintf("anchor %q contains itself", n.Value))
		}
		y.open[n.Alias] = true
		defer delete(y.open, n.Alias)
		return y.value(at, n.Alias, merged)
	case yaml.MappingNode:
		return y.mapping(at, n, merged)
	case yaml.SequenceNode:
		for i, element := range n.Content {
			if err := y.spend(element); err != nil {
				return err
			}
			to := at
			if !merged {
				to = y.x.element(at, i, y.line(element))
			}
			if err := y.value(to, element, merged); err != nil {
				return err
			}
		}
	}
	return nil
}

func (y *yamlReader) mapping(at *node, n *yaml.Node, merged bool) error {
	var merges []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if err := y.spend(key); err != nil {
			return err
		}
		if key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge" {
			merges = append(merges, value)
			continue
		}
		line := y.line(key)
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode || merged && at.child(key.Value) != nil {
			continue // a list or a mapping as a key has no name
		}
		if err := y.value(y.x.key(at, key.Value, line), value, false); err != nil {
			return err
		}
	}
	// The mapping's own keys win over merged ones wherever the merge key stands, and of several merged mappings the
	// first wins. https://yaml.org/type/merge.html
	for _, value := range merges {
		if err := y.value(at, value, true); err != nil {
			return err
		}
	}
	return nil
}

func (y *yamlReader) spend(n *yaml.Node) error {
	if y.left--; y.left < 0 {
		return y.errorAt(n, fmt.Sprintf("aliases stand for more than %d values", maxAliased))
	}
	return nil
}

func (y *yamlReader) line(n *yaml.Node) int { return y.lineOf(n.Line) }

// lineOf turns a line as the library counts it into one that ends with a line feed.
func (y *yamlReader) lineOf(line int) int {
	start := 0
	if before := min(line-2, len(y.breaks)-1); before >= 0 {
		start = y.breaks[before][1]
	}
	return y.lines.at(start)
}

// yamlBreak ends a line to the YAML library: also a carriage return alone, and three characters that editors do not
// break at.
var yamlBreak = regexp.MustCompile("\r\n|[\n\r\u0085\u2028\u2029]")

func (y *yamlReader) errorAt(n *yaml.Node, msg string) error {
	return &SyntaxError{Line: y.line(n), Msg: msg}
}

// yamlParserError is a message whose line the library gives one too low: its scanner counts up before it reports, its
// parser does not (func fail in decode.go of yaml v3).
var yamlParserError = regexp.MustCompile(`^(?:did not find expected (?:<document start>|node content|'-' indicator|` +
	`key|',' or '[]}]')|found (?:undefined tag handle|duplicate %(?:YAML|TAG) directive|incompatible YAML document))$`)

// yamlScannerError is how the messages of the scanner begin. The library leaves out the line of these, and of parser
// errors, where it is the first. Other messages come without a line wherever they are from.
var yamlScannerError = regexp.MustCompile(`^(?:found|(?:did|could) not find|mapping values|mapping keys|` +
	`block sequence entries) `)

var unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)

// syntaxError takes the line out of the library's message: there is no other way to it.
func (y *yamlReader) syntaxError(err error) error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if m := yamlPlace.FindStringSubmatch(msg); m != nil && m[1] != "" {
		line, _ = strconv.Atoi(m[1])
		msg = msg[len(m[0]):]
	}
	switch {
	case strings.HasPrefix(msg, "exceeded max depth "):
		return tooDeep(y.lineOf(max(line, 1)))
	case yamlParserError.MatchString(msg):
		line++
	case line == 0 && yamlScannerError.MatchString(msg):
		line = 1
	case line == 0:
		// "title: *Note* to self" is a common slip.
		if m := unknownAnchor.FindStringSubmatch(msg); m != nil && bytes.Count(y.lines.data, []byte("*"+m[1])) == 1 {
			return &SyntaxError{Line: y.lines.at(bytes.Index(y.lines.data, []byte("*"+m[1]))), Msg: msg}
		}
		return &SyntaxError{Msg: msg}
	}
	return y.lines.advised("yaml", &SyntaxError{Line: y.lineOf(line), Msg: msg})
}
