package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v3"

	"metarobots/internal/lazyregexp"
)

// Read reads the whole of data in the named format, "toml", "yaml", "yml" or "json", into what into
// points to, and finds the lines of its keys. Lines are counted from 1, and base is added: for
// front matter whose first line is line 2 of the file, base is 1. A line ends with a line feed,
// with or without a carriage return before it; a byte order mark is skipped. Of a YAML stream only
// the first document is read. The error is a [*SyntaxError].
func Read(format string, data []byte, base int, into any) (*Index, error) {
	x, err := ReadFirst(format, data, base, into)
	if err == nil && strings.EqualFold(format, "json") { // nothing follows the first value
		err = located(json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), new(any)), data, base)
	}
	return x, err
}

// Data reads the whole of data into a tree of values. What has a tag in YAML that another program
// gives a meaning, as MkDocs' !ENV and !!python/name:…, is [Computed]. The error is a
// [*SyntaxError].
// https://www.mkdocs.org/user-guide/configuration/#environment-variables
func Data(format string, data []byte) (value any, x *Index, err error) {
	if format == "json" || format == "toml" {
		x, err = Read(format, data, 0, &value)
		return value, x, err
	}
	return new(Index).dataYAML(data)
}

// DataLast is [Data] as programs read YAML that take the last of a key that is given twice: see
// [ReadLast].
func DataLast(format string, data []byte) (value any, x *Index, err error) {
	if format == "json" || format == "toml" {
		return Data(format, data)
	}
	return (&Index{lastCounts: true}).dataYAML(data)
}

// dataYAML is Data for YAML, into an index that has no keys yet.
func (x *Index) dataYAML(data []byte) (value any, _ *Index, err error) {
	var node yaml.Node
	if x, err = x.readFirst("yaml", data, 0, &node); err == nil {
		untag(&node)
		err = located(node.Decode(&value), data, 0)
	}
	return value, x, err
}

// yamlTags are those whose values are data. What has another one is Computed.
var yamlTags = strings.Fields("!!str !!int !!float !!bool !!null !!map !!seq !!merge !!timestamp !!binary")

// untag puts [Computed] in the place of values with other tags.
func untag(n *yaml.Node) {
	if tag := n.ShortTag(); tag != "" && !slices.Contains(yamlTags, tag) {
		*n = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: Computed, Line: n.Line}
	}
	for _, below := range n.Content {
		untag(below)
	}
}

// ReadFirst is [Read] for JSON that other text may follow, as it does after front matter. The index
// is nil if the text has no structure, and only then: a decoder may return an error beside it.
func ReadFirst(format string, data []byte, base int, into any) (*Index, error) {
	return new(Index).readFirst(format, data, base, into)
}

// ReadLast is [ReadFirst] as programs read YAML that take the last of a key that is given twice,
// without a word: the libraries of Ruby and Python do. Keys that were passed over are in
// [Index].Repeats.
func ReadLast(format string, data []byte, base int, into any) (*Index, error) {
	return (&Index{lastCounts: true}).readFirst(format, data, base, into)
}

// readFirst is ReadFirst into an index that has no keys yet.
func (x *Index) readFirst(format string, data []byte, base int, into any) (*Index, error) {
	x, decode, err := x.parse(format, data, base)
	if err == nil {
		err = located(decode(into), data, base)
	}
	return x, err
}

// located makes a [*SyntaxError] of an error of a decoder; each has its own place for a line. nil
// stays nil.
func located(err error, data []byte, base int) error {
	if err == nil {
		return nil
	}
	l, at := linesOf(data, base), 0
	switch e := err.(type) {
	case toml.ParseError:
		return l.advised("toml", &SyntaxError{Line: base + e.Position.Line, Msg: l.tomlMessage(e)})
	case *yaml.TypeError:
		return l.advised("yaml", yamlError(e.Errors[0], base))
	case *json.UnmarshalTypeError:
		at = int(e.Offset) - 1
	case *json.SyntaxError:
		at = int(e.Offset) - 1
	}
	return &SyntaxError{Line: l.at(at), Msg: err.Error()}
}

// definedTwice matches a message of BurntSushi/toml 1.5, which has no type for it.
var definedTwice = lazyregexp.New(`^Key '(.+)' has already been defined\.$`)

// tomlMessage is the message of an error of TOML. About a key that is defined twice it says where
// the first one is, which is found in the lines before that of the error.
func (l lines) tomlMessage(e toml.ParseError) string {
	m := definedTwice.FindStringSubmatch(e.Message)
	if m == nil || e.Position.Line < 2 || e.Position.Line > len(l.feeds)+1 {
		return e.Message
	}
	x, _, _ := parse("toml", l.data[:l.feeds[e.Position.Line-2]], l.base)
	return definedOn(m[1], x.Line(strings.Split(m[1], ".")...))
}

// definedOn is the message about a key that is defined again, after that line.
func definedOn(key string, line int) string {
	return fmt.Sprintf("%s is already defined on line %d: merge the two", key, line)
}

// yamlPlace matches a line in a message of the YAML library: that of the error at its beginning, or
// another one at the end.
var yamlPlace = lazyregexp.New(`^line (\d+): |\bat line (\d+)$`)

// yamlError takes the line of the error out of a message about YAML, and adds base to each line
// that it names. The Line is 0 if it names none.
func yamlError(message string, base int) *SyntaxError {
	e := &SyntaxError{}
	e.Msg = yamlPlace.ReplaceAllStringFunc(message, func(place string) string {
		m := yamlPlace.FindStringSubmatch(place)
		n, _ := strconv.Atoi(m[1] + m[2])
		if m[1] != "" {
			e.Line = base + n
			return ""
		}
		return "at line " + strconv.Itoa(base+n)
	})
	return e
}
