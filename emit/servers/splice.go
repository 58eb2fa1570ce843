package servers

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/tailscale/hujson"

	"metarobots/emit/marks"
)

// jsonList is a list of rules in a JSON file of which every other byte stays.
type jsonList struct {
	file   hujson.Value
	eol    string
	holder *hujson.Object
	name   string
	at     int // the place of the list among the holder's members; -1 without one
}

// findList follows the names to a list in a text that is known to be JSON. Of several members of a name the last
// counts.
func findList(text []byte, path []string) *jsonList {
	l := &jsonList{eol: marks.Read(text).EOL()}
	l.file, _ = hujson.Parse(text)
	value := &l.file
	for _, name := range path {
		if list, ok := value.Value.(*hujson.Array); ok {
			i, _ := strconv.Atoi(name)
			value = &list.Elements[i]
			continue
		}
		l.holder, l.name, l.at = value.Value.(*hujson.Object), name, -1
		for i := range l.holder.Members {
			if m := &l.holder.Members[i]; m.Name.Value.(hujson.Literal).String() == name {
				l.at, value = i, &m.Value
			}
		}
	}
	return l
}

func (l *jsonList) list() *hujson.Array { return l.holder.Members[l.at].Value.Value.(*hujson.Array) }

// cut returns the text without the elements that are ours. A list that we made goes with its last element: ours
// starts with a line end, while in an empty list of the user's our first element follows the bracket at once.
func (l *jsonList) cut(generated []bool) []byte {
	list, members := l.list(), l.holder.Members
	blanks := list.Elements[0].BeforeExtra
	var rest []hujson.Value
	for i, element := range list.Elements {
		if !generated[i] {
			rest = append(rest, element)
		}
	}
	switch list.Elements = rest; {
	case len(rest) > 0: // hujson puts a comma before what follows the last
		rest[0].BeforeExtra, rest[len(rest)-1].AfterExtra = blanks, nil
	case len(blanks) > 0:
		if l.at == 0 && len(members) > 1 {
			members[1].Name.BeforeExtra = members[0].Name.BeforeExtra
		}
		l.holder.Members = slices.Delete(members, l.at, l.at+1)
		if l.at > 0 {
			l.holder.Members[len(l.holder.Members)-1].Value.AfterExtra = nil
		}
	}
	return l.file.Pack()
}

// add returns the text with rules in the list, or in a new one.
func (l *jsonList) add(rules []listRule) []byte {
	first, next := "", l.eol // what stands before them
	if l.at < 0 {
		in := l.eol + "  "
		l.at = len(l.holder.Members)
		if l.at > 0 {
			in = indent(l.holder.Members[l.at-1].Name.BeforeExtra, l.eol, in)
		}
		l.holder.Members = append(l.holder.Members, hujson.ObjectMember{
			Name: hujson.Value{BeforeExtra: hujson.Extra(in), Value: hujson.String(l.name)},
			Value: hujson.Value{BeforeExtra: hujson.Extra(" "),
				Value: &hujson.Array{AfterExtra: hujson.Extra(in)}}})
		first, next = in+"  ", in+"  "
	} else if n := len(l.list().Elements); n > 0 {
		next = indent(l.list().Elements[n-1].BeforeExtra, l.eol, " ")
		first = next
	}
	list, all := l.list(), []hujson.Value(nil)
	for i, element := range list.Elements {
		blanks := string(element.BeforeExtra)
		if i > 0 {
			blanks = indent(element.BeforeExtra, l.eol, " ")
		}
		for _, r := range rules {
			if r.before == i {
				all = append(all, hujson.Value{BeforeExtra: hujson.Extra(blanks), Value: hujson.Literal(r.text)})
			}
		}
		all = append(all, element)
	}
	for _, r := range rules {
		if r.before >= len(list.Elements) {
			all = append(all, hujson.Value{BeforeExtra: hujson.Extra(first), Value: hujson.Literal(r.text)})
			first = next
		}
	}
	list.Elements = all
	return l.file.Pack()
}

// indent returns a line end and the blanks behind the last one; without any, the text that is to stand for them.
func indent(before hujson.Extra, eol, without string) string {
	if i := bytes.LastIndexByte(before, '\n'); i >= 0 {
		return eol + string(before[i+1:])
	}
	return without
}
