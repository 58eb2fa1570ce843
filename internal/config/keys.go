package config

import "strings"

// A Form is the form of a key's value.
type Form string

// The forms.
const (
	FormText        Form = "text"
	FormChoice      Form = "choice"      // one of Key.Words; true and false are also written as booleans
	FormSwitch      Form = "switch"      // true or false, as front matter may spell it
	FormShare       Form = "share"       // a number from 0 to 1
	FormNumber      Form = "number"      // not negative
	FormTexts       Form = "texts"       // a list of them; one alone is a list too
	FormList        Form = "list"        // the same, and one text is split at commas
	FormTable       Form = "table"       // of the keys below it
	FormTables      Form = "tables"      // an array of them; its keys stand below "[]"
	FormNames       Form = "names"       // a table whose keys are the owner's names; their values stand below "*"
	FormPreference  Form = "preference"  // allow or deny, also as true or false
	FormPreferences Form = "preferences" // the same for every use of AI, or a map by use
	FormDirectives  Form = "directives"  // any form of F: text, list, map, true or false
	FormEnvironment Form = "environment" // the same without false
	FormWords       Form = "words"       // the same without true and false
	FormKey         Form = "key"         // the same as FormWords, or "ignore"
)

// A Key is one key of the configuration, as the decoder reads it: the source of the schema for
// editors. The decoder's readers take it as their argument, so that nothing is described that is
// not read so.
type Key struct {
	// Path holds "[]" for the elements of an array and "*" for a name of the owner's own.
	Path []string
	Form Form
	// Words are the known values of a choice or of a list's elements, or the known names of a
	// table. Open: there may be others.
	Words []string
	Open  bool
	// Required is a key that each of a list's tables needs; OneOf are keys of which it needs one.
	Required string
	OneOf    []string
	// NotEmpty: a list holds at least one text.
	NotEmpty bool
}

// String is the path as messages print it.
func (k *Key) String() string { return strings.Join(k.Path, ".") }

// Check returns the faults of a policy file, joined, or nil: those that every command would report
// of its text alone. file is the name that messages use.
func Check(file string, text []byte) error {
	values, at, err := ParseFile(file, text)
	if err == nil {
		_, err = Parse(values, at, nil)
	}
	return err
}
