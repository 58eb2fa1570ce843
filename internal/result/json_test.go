package result

import (
	"encoding"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// docs/json.md names each member of a result, by its path, and no other (X9l): whoever adds one
// describes it there.
func TestHouse_EachMemberOfAResultIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## The result of a run\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var documented []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(table, -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			documented = append(documented, name[1])
		}
	}
	members := append(membersOf(reflect.TypeFor[Result](), ""), "version", "changes")
	for _, m := range members {
		if !slices.Contains(documented, m) {
			t.Errorf("docs/json.md does not describe %s", m)
		}
	}
	for _, m := range documented {
		if !slices.Contains(members, m) {
			t.Errorf("docs/json.md describes %s, which no result has", m)
		}
	}
	if len(members) < 80 {
		t.Errorf("%d members are known", len(members))
	}
}

// membersOf are the paths of the members that a type has in JSON: pages, pages[].url. A map of
// values has {} in its path.
func membersOf(of reflect.Type, path string) (all []string) {
	isText := of.Implements(reflect.TypeFor[encoding.TextMarshaler]())
	hasOwnForm := of.Implements(reflect.TypeFor[json.Marshaler]()) && of.Kind() != reflect.Struct
	switch kind := of.Kind(); {
	case isText, hasOwnForm:
	case kind == reflect.Pointer:
		return membersOf(of.Elem(), path)
	case kind == reflect.Slice:
		return membersOf(of.Elem(), path+"[]")
	case kind == reflect.Map:
		return membersOf(of.Elem(), path+"{}")
	case kind == reflect.Struct:
		for f := range of.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch below := strings.TrimPrefix(path+"."+name, "."); {
			case name == "-" || !f.IsExported():
			case f.Anonymous && name == "":
				all = append(all, membersOf(f.Type, path)...)
			default:
				all = append(append(all, below), membersOf(f.Type, below)...)
			}
		}
	}
	return all
}
