package config

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"metarobots/emit/links"
	"metarobots/internal/findings"
	"metarobots/policy"
)

// A Form is the form of a key's value.
type Form string

// The forms.
const (
	FormText       Form = "text"
	FormChoice     Form = "choice"     // one of Key.Words
	FormSwitch     Form = "switch"     // true or false, as front matter may spell it
	FormShare      Form = "share"      // a number from 0 to 1
	FormNumber     Form = "number"     // not negative
	FormTexts      Form = "texts"      // a list of them; one alone is a list too
	FormList       Form = "list"       // the same, and one text is split at commas
	FormTable      Form = "table"      // of the keys below it
	FormTables     Form = "tables"     // an array of them; its keys stand below "[]"
	FormNames      Form = "names"      // a table whose keys are the owner's names; their values stand below "*"
	FormDirectives Form = "directives" // any form of F: text, list, map; see also Key.True and its like
)

// A TextKind says what a text is, where not any may stand.
type TextKind string

// The kinds.
const (
	KindGlob    TextKind = "glob"
	KindAddress TextKind = "address" // of a page, with placeholders; it begins with a slash, or is empty
	KindURL     TextKind = "URL"     // with its host
	KindPath    TextKind = "path"    // a pattern of robots.txt
	KindCrawler TextKind = "crawler" // its name, in a meta or header
	KindAgent   TextKind = "agent"   // its name in robots.txt
	KindHost    TextKind = "host"
	KindClass   TextKind = "class"
	KindSignal  TextKind = "signal" // a value of Content-Signal
	KindUsage   TextKind = "usage"  // a value of Content-Usage
)

// A Key is one key of the configuration, as the decoder reads it: what a schema for editors is made from.
type Key struct {
	// Path holds "[]" for the elements of an array and "*" for a name of the owner's own.
	Path []string
	Form Form
	// Words are the known values of a choice or of a list's elements, or the known names of a table. Open: there may be
	// others.
	Words []string
	Open  bool
	// Of says what a text, or each text of a list, is; empty where it may be anything.
	Of TextKind
	// True and False say which of the two may stand in place of directives, or of a word; Ignore, that "ignore" may.
	True, False, Ignore bool
	// Alone: what is told to one crawler, so that no other can be named inside.
	Alone bool
	// Required are keys that a table needs; OneOf are keys of which it needs one.
	Required, OneOf []string
}

// String is the path as messages print it.
func (k *Key) String() string { return strings.Join(k.Path, ".") }

// everyTable is a configuration with every table that is not there by default.
const everyTable = `
[site.content.permalinks]
x = ""
[robots]
default = ""
[robots.agents]
googlebot = ""
[robots.environments]
x = ""
[robots.visibility.kinds]
page = ""
[robots.visibility.archives]
x = ""
[robots.visibility.types]
x = ""
[robots.visibility.sections]
x = ""
[robots.visibility.languages]
x = ""
[robots.visibility.formats]
x = ""
[robots.frontmatter]
x = ""
[robots.headers.hosts]
x = ""
[[robots.rules]]
robots = ""
agents = { googlebot = "" }
[[robots.suppress]]
[[robots.txt.groups]]
[[robots.links.rules]]
`

// Keys returns every key that the decoder asks for, sorted by path: it is run over a configuration that has all tables,
// and says what it reads. What it checks beyond the form is said by refine.
func Keys() []Key {
	var file, defaults map[string]any
	for text, m := range map[string]*map[string]any{everyTable: &file, defaultsTOML: &defaults} {
		if _, err := toml.Decode(text, m); err != nil {
			panic("keys: " + err.Error())
		}
	}
	read := map[string]*Key{}
	names := map[string]bool{}
	normal := func(path []string) []string {
		out := make([]string, len(path))
		for i, name := range path {
			if _, err := strconv.Atoi(name); err == nil {
				name = "[]"
			} else if names[strings.Join(out[:i], ".")] {
				name = "*"
			}
			out[i] = name
		}
		return out
	}
	asked := func(path []string, form Form, words []string) {
		k := &Key{Path: normal(path), Form: form, Words: words}
		if names[k.String()] = names[k.String()] || form == FormNames; read[k.String()] == nil || form != "" {
			read[k.String()] = k
		}
	}
	// its faults are those of empty tables
	d := &decoder{locate: func(...string) (string, int) { return "", 0 }, asked: asked}
	for name, section := range map[string]func(*table){"site": func(t *table) { d.site(t) },
		"robots": func(t *table) { d.robots(t) }} {
		d.asks([]string{name}, FormTable)
		section(d.defaulted([]string{name}, file[name].(map[string]any), defaults[name].(map[string]any)))
	}
	refine(read)
	keys := make([]Key, 0, len(read))
	for _, path := range slices.Sorted(maps.Keys(read)) {
		keys = append(keys, *read[path])
	}
	return keys
}

// refine adds what the decoder says only when a value is wrong. That it says so is held by the tests of package schema,
// which try values at every key.
func refine(keys map[string]*Key) {
	at := func(path string) *Key {
		k := keys[path]
		if k == nil {
			panic("keys: nobody asks for " + path)
		}
		return k
	}
	words := func(path string, words ...string) { at(path).Words = words }
	*at("robots.txt.write") = Key{Path: at("robots.txt.write").Path, Form: FormChoice,
		Words: []string{"merge", "replace"}, True: true, False: true}

	words("robots.rules.[].kinds", kinds...)
	words("robots.visibility.kinds", kinds...)
	words("robots.visibility.archives", "paginated")
	words("robots.environments", slices.Sorted(maps.Keys(builtin))...)
	words("robots.headers.targets", headerTargets...)
	words("robots.suppress.[].id", suppressible()...)
	at("robots.suppress.[].id").Form = FormChoice
	for _, purpose := range policy.Purposes {
		k := at("robots.txt.block")
		k.Words = append(k.Words, string(purpose))
	}
	for r := links.Rel(1); r.String() != ""; r <<= 1 {
		k := at("robots.links.rules.[].rel")
		k.Words = append(k.Words, r.String())
	}
	for _, path := range []string{"robots.agents", "robots.rules.[].agents"} {
		words(path, policy.KnownCrawlers().Names()...)
		at(path + ".*").Alone = true
	}
	for _, path := range []string{"robots.agents", "robots.rules.[].agents", "robots.visibility.archives",
		"robots.environments"} {
		at(path).Open = true
	}
	for path, k := range keys {
		switch name := k.Path[len(k.Path)-1]; {
		case (name == "match" || name == "except" || name == "exclude" || name == "acknowledged") &&
			!strings.Contains(path, "links"):
			k.Of = KindGlob
		case path == "robots.crawlers":
			k.Of = KindCrawler
		case path == "robots.txt.groups.[].agents":
			k.Of = KindAgent
		case name == "allow" || name == "disallow":
			k.Of = KindPath
		case path == "robots.txt.sitemaps":
			k.Of = KindURL
		case name == "contentSignal":
			k.Of = KindSignal
		case name == "contentUsage":
			k.Of = KindUsage
		case strings.HasPrefix(path, "robots.links.") && (name == "own" || name == "except" || name == "hosts"):
			k.Of = KindHost
		case name == "nosnippet" || name == "class":
			k.Of = KindClass
		case path == "site.content.pattern" || path == "site.content.permalinks.*":
			k.Of = KindAddress
		case k.Form == FormDirectives:
			k.True = path != "robots.default" && path != "robots.frontmatter.*"
			k.False = k.True && path != "robots.environments.*"
			k.Ignore = path == "robots.frontmatter.*"
		}
	}
	at("robots.rules.[].match").Required = []string{"[]"} // one at least
	at("robots.rules").Required, at("robots.rules").OneOf = []string{"match"}, []string{"robots", "agents"}
	at("robots.suppress").Required = []string{"id"}
	at("robots.links.rules").Required = []string{"rel"}
}

// suppressible are the findings that suppress may name.
func suppressible() (ids []string) {
	for _, k := range findings.Kinds() {
		if !k.CannotSuppress || len(k.Also) > 0 {
			ids = append(ids, k.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// Check returns the faults of a policy file, joined, or nil: those that every command would report of its text
// alone. file is the name that messages use.
func Check(file string, text []byte) error {
	values, at, err := ParseFile(file, text)
	if err == nil {
		_, err = Parse(values, at, nil)
	}
	return err
}
