package servers

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/tailscale/hujson"

	"metarobots/emit/marks"
)

// jsonList is a list of rules in a JSON file, whose other bytes stay.
type jsonList struct {
	mark   []byte // the byte order mark before the file's value; empty for none
	file   hujson.Value
	eol    string         // the file's line end
	holder *hujson.Object // which has the list as a member
	name   string         // of that member
	at     int            // its place among the holder's members; -1 without one
}

// byteOrderMark is what editors on Windows write before a text.
var byteOrderMark = []byte("\ufeff")

// findList follows the names to a list in a text that is known to be JSON. Of several members of a
// name the last counts. A byte order mark is no part of the value (N8t).
func findList(text []byte, path []string) *jsonList {
	l := &jsonList{eol: marks.Read(text).EOL()}
	data, hasMark := bytes.CutPrefix(text, byteOrderMark)
	if hasMark {
		l.mark = byteOrderMark
	}
	l.file, _ = hujson.Parse(data)
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

// text is the file, with its byte order mark.
func (l *jsonList) text() []byte { return slices.Concat(l.mark, l.file.Pack()) }

// list is the list, which has to be there.
func (l *jsonList) list() *hujson.Array { return l.holder.Members[l.at].Value.Value.(*hujson.Array) }

// cut returns the text without the elements that are ours. A list that we made goes with its last
// element: ours starts with a line end, while in an empty list of the user's our first element
// follows the bracket at once.
func (l *jsonList) cut(isOurs []bool) []byte {
	list := l.list()
	blanks := list.Elements[0].BeforeExtra
	isMadeByUs := len(blanks) > 0
	var rest []hujson.Value
	for i, element := range list.Elements {
		if !isOurs[i] {
			rest = append(rest, element)
		}
	}
	list.Elements = rest
	if len(rest) > 0 { // hujson puts a comma before what follows the last
		rest[0].BeforeExtra, rest[len(rest)-1].AfterExtra = blanks, nil
	} else if isMadeByUs {
		l.removeList()
	}
	return l.text()
}

// removeList takes the list out of its holder, with the blanks around it.
func (l *jsonList) removeList() {
	members := l.holder.Members
	if l.at == 0 && len(members) > 1 {
		members[1].Name.BeforeExtra = members[0].Name.BeforeExtra
	}
	l.holder.Members = slices.Delete(members, l.at, l.at+1)
	if l.at > 0 {
		l.holder.Members[len(l.holder.Members)-1].Value.AfterExtra = nil
	}
}

// add returns the text with rules in the list, or in a new one. Each is before the owner's rule
// that it names, or at the end.
func (l *jsonList) add(rules []listRule) []byte {
	first, next := l.blanksForRules()
	list := l.list()
	var all []hujson.Value
	for i, element := range list.Elements {
		blanks := string(element.BeforeExtra)
		if i > 0 {
			blanks = indent(element.BeforeExtra, l.eol, " ")
		}
		for _, r := range rules {
			if r.before == i {
				all = append(all, r.element(blanks))
			}
		}
		all = append(all, element)
	}
	for _, r := range rules {
		if isAtEnd := r.before >= len(list.Elements); isAtEnd {
			all = append(all, r.element(first))
			first = next
		}
	}
	list.Elements = all
	return l.text()
}

// element is the rule as an element of a list, behind some blanks.
func (r *listRule) element(blanks string) hujson.Value {
	return hujson.Value{BeforeExtra: hujson.Extra(blanks), Value: hujson.Literal(r.text)}
}

// blanksForRules returns what is before the first rule at the end of the list, and before each next
// one. It makes the list if it is not there.
func (l *jsonList) blanksForRules() (first, next string) {
	if l.at < 0 {
		inList := l.makeList() + "  "
		return inList, inList
	}
	if n := len(l.list().Elements); n > 0 {
		before := indent(l.list().Elements[n-1].BeforeExtra, l.eol, " ")
		return before, before
	}
	return "", l.eol
}

// makeList makes the list, as the last member of its holder, and returns the blanks before its
// name.
func (l *jsonList) makeList() (blanks string) {
	blanks = l.eol + "  "
	l.at = len(l.holder.Members)
	if l.at > 0 {
		blanks = indent(l.holder.Members[l.at-1].Name.BeforeExtra, l.eol, blanks)
	}
	l.holder.Members = append(l.holder.Members, hujson.ObjectMember{
		Name: hujson.Value{BeforeExtra: hujson.Extra(blanks), Value: hujson.String(l.name)},
		Value: hujson.Value{BeforeExtra: hujson.Extra(" "),
			Value: &hujson.Array{AfterExtra: hujson.Extra(blanks)}}})
	return blanks
}

// indent returns the line end and the blanks that are before a value; if it is on the line of
// another, what to put in their place.
func indent(before hujson.Extra, eol, otherwise string) string {
	if i := bytes.LastIndexByte(before, '\n'); i >= 0 {
		return eol + string(before[i+1:])
	}
	return otherwise
}
