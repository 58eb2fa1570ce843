package servers

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"metarobots/emit/marks"
	"metarobots/internal/source"
)

// These are the patterns of [ruleList.marks], the rules around ours. No file is served there.
const (
	patternBegin = "/.metarobots/begin"
	patternEnd   = "/.metarobots/end"
)

// listFile is a file with a list of rules in it: its format, and where the list is.
type listFile struct {
	format string // json, yaml, or toml, which is only read
	// path are the names that lead to the list, from the site's part of the file. findSite returns
	// the names that lead to that part, by the folder that is published; nil if the file is for one
	// site.
	path     []string
	findSite func(root any, folder string) (at []string, err error)
	folder   string // the one that is published, from the file
	// check returns an error for a file that cannot have rules; nil if each can.
	check func(root any) error
}

// document is a file that has, or may have, a list of rules.
type document struct {
	text   []byte
	root   any           // its value
	index  *source.Index // on which line each value is
	holder any           // the object that has the list and the settings beside it; nil if it is not there
	rules  []any
	isOurs []bool   // for each rule
	path   []string // the names that lead to the list: it is a member of an object, never the whole file
}

// lineOf is that of a value, or of what it would be in.
func (d *document) lineOf(path ...string) int { return max(1, d.index.Nearest(path...)) }

// pathTo are the names that lead to something in a rule.
func (d *document) pathTo(rule int, names ...string) []string {
	return slices.Concat(d.path, []string{strconv.Itoa(rule)}, names)
}

// freshJSON is where a project without the file starts from.
const freshJSON = "{\n}\n"

// open reads a file and finds the list of rules. If the list is not there, the document has no
// rules, as with no file, and they are put there later. It refuses a file with another value in
// place of the list, or in place of the object around it all, and what check and findSite of
// its [listFile] refuse. In YAML a key without a value, and a file with nothing in it, are
// ways to write nothing; a null of JSON is a value.
func (h *ruleList) open(file []byte) (*document, error) {
	d := &document{text: file}
	if h.file.format == "json" && len(bytes.TrimSpace(file)) == 0 {
		d.text = []byte(freshJSON)
	}
	var err error
	const linesBefore = 0
	if d.index, err = source.Read(h.file.format, d.text, linesBefore, &d.root); err != nil {
		return nil, err
	}
	if _, isObject := d.root.(map[string]any); !isObject && !h.file.writesNothing(d.root) {
		return nil, fmt.Errorf("not a %s object", strings.ToUpper(h.file.format))
	}
	if d.path, err = h.file.pathToList(d.root); err != nil {
		return nil, err
	}
	if err := h.file.readRules(d); err != nil {
		return nil, err
	}
	d.isOurs = h.findOurs(d)
	return d, nil
}

// pathToList are the names that lead from the root to the list of the site that is published.
func (f *listFile) pathToList(root any) ([]string, error) {
	if f.check != nil {
		if err := f.check(root); err != nil {
			return nil, err
		}
	}
	if f.findSite == nil {
		return f.path, nil
	}
	sitePath, err := f.findSite(root, f.folder)
	return slices.Concat(sitePath, f.path), err
}

// readRules follows the names to the list of a document, and sets its holder and its rules.
func (f *listFile) readRules(d *document) error {
	var list any = d.root
	for _, name := range d.path {
		d.holder, list = list, child(list, name)
	}
	d.rules = elements(list) // of an empty list not nil
	members, _ := d.holder.(map[string]any)
	name := d.path[len(d.path)-1]
	if _, isThere := members[name]; isThere && d.rules == nil && !f.writesNothing(list) {
		return fmt.Errorf("%q is not a list", name)
	}
	return nil
}

// writesNothing reports whether a value of the file's format is the same as none.
func (f *listFile) writesNothing(value any) bool { return value == nil && f.format != "json" }

// findOurs says which rules are ours: those in our block, those between our marks, or with our mark
// in the pattern.
func (h *ruleList) findOurs(d *document) (isOurs []bool) {
	isOurs = make([]bool, len(d.rules))
	t := marks.Read(d.text)
	const noBegin = -1
	begin := noBegin
	for i, rule := range d.rules {
		switch pattern := scalar(member(rule, h.ourKey())); {
		case len(t.Block) > 0:
			line := d.lineOf(d.pathTo(i)...)
			isOurs[i] = t.Block[0].Number <= line && line < t.Last
		case pattern == patternBegin:
			begin = i
		case pattern == patternEnd && begin != noBegin:
			for ; begin <= i; begin++ {
				isOurs[begin] = true
			}
			begin = noBegin
		default:
			isOurs[i] = strings.Contains(pattern, patternMark)
		}
	}
	return isOurs
}

// openOwners opens a file and takes the rules that are ours out of it: what is left is the owner's.
// If the owner has no file, or just what we made of none, it is [freshJSON].
func (h *ruleList) openOwners(file []byte) (*document, error) {
	if h.file.format == "yaml" {
		return h.open(marks.Read(file).Own())
	}
	d, err := h.open(file)
	if err == nil && slices.Contains(d.isOurs, true) {
		d, err = h.open(findList(d.text, d.path).cut(d.isOurs))
	}
	if err != nil {
		return nil, err
	}
	return h.cutRedirect(d)
}

// addRules returns the owner's file, which [ruleList.openOwners] has opened, with our rules.
// Without any it is the owner's alone, and nil if the owner has none. existing is the file with the
// rules of an earlier run.
func (h *ruleList) addRules(user *document, existing []byte, rules []listRule) ([]byte, error) {
	if len(rules) > 0 && h.marks != nil {
		rules = slices.Concat([]listRule{{atEnd, h.marks[0]}}, rules, []listRule{{atEnd, h.marks[1]}})
	}
	hasUsersFile := string(user.text) != freshJSON
	isOfBlanks := len(existing) > 0 && len(bytes.TrimSpace(existing)) == 0
	switch {
	case h.file.format == "yaml":
		return h.addYAMLRules(user, existing, rules)
	case len(rules) > 0:
		return findList(user.text, user.path).add(rules), nil
	case hasUsersFile:
		return user.text, nil
	case isOfBlanks:
		return existing, nil
	default:
		return nil, nil
	}
}

// quote is a text as a value of the file.
func (f *listFile) quote(text string) string {
	if f.format == "yaml" {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return string(hujson.String(text))
}

// member is a member of an object; nil if it has none of the name, or is no object.
func member(object any, name string) any {
	members, _ := object.(map[string]any)
	return members[name]
}

// child is a member of an object, or the element of a list by its number.
func child(value any, name string) any {
	if list, ok := value.([]any); ok {
		i, err := strconv.Atoi(name)
		if err != nil || i >= len(list) {
			return nil
		}
		return list[i]
	}
	return member(value, name)
}

// elements are those of a list; nil if it is none.
func elements(list any) []any {
	if tables, isOfTables := list.([]map[string]any); isOfTables { // as TOML has them
		all := make([]any, len(tables))
		for i := range tables {
			all[i] = tables[i]
		}
		return all
	}
	all, _ := list.([]any)
	return all
}

// scalar returns the text of a value that is no list and no object; "" of one that is.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case nil, []any, map[string]any, map[any]any:
		return ""
	}
	return fmt.Sprint(v)
}

// headerValue is what headers, a list of keys and values or an object, say of one: of several
// values the last. path leads to the headers. ok is false if they do not name it.
func (d *document) headerValue(header string, headers any, path ...string) (value string, line int, ok bool) {
	for i, h := range elements(headers) {
		if strings.EqualFold(scalar(member(h, "key")), header) {
			value, ok = scalar(member(h, "value")), true
			line = d.lineOf(append(path, strconv.Itoa(i), "value")...)
		}
	}
	object, _ := headers.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if strings.EqualFold(name, header) {
			value, line, ok = scalar(object[name]), d.lineOf(append(path, name)...), true
		}
	}
	return value, line, ok
}

// noteAccountedLines notes in a User the lines at which headers name the header that it is about.
// path leads to them.
func (d *document) noteAccountedLines(u *User, headers any, path ...string) {
	for i, h := range elements(headers) {
		if strings.EqualFold(scalar(member(h, "key")), u.header) && scalar(member(h, "value")) != "" {
			u.accounted[d.lineOf(append(path, strconv.Itoa(i), "key")...)] = true
		}
	}
	object, _ := headers.(map[string]any)
	for name := range object {
		if strings.EqualFold(name, u.header) {
			u.accounted[d.lineOf(append(path, name)...)] = true
		}
	}
}
