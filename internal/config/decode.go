package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"metarobots/frontmatter"
	"metarobots/policy"
)

// A Locate finds where a key of the configuration stands; line is 0 where only the file is known,
// both are zero where nothing is.
type Locate func(path ...string) (file string, line int)

// decoder collects all faults of one configuration, so that its owner sees them in one go.
type decoder struct {
	locate   Locate
	tables   []*table
	errs     []*policy.Finding
	findings []policy.Finding
	keys     frontmatter.Config
	// described, unless nil, gets every key that is read, by its path (Keys). There are no values
	// then: each list of tables has one, "[]", and each table of names the name "*".
	described map[string]Key
}

// describe notes a key that is read, if that is all that the caller asks for ([Keys]).
func (d *decoder) describe(k Key) {
	if d.described != nil {
		d.described[k.String()] = k
	}
}

// errorf adds a fault to d.errs: at the line of a key, with its name before the text.
func (d *decoder) errorf(path []string, format string, args ...any) {
	const noLayer = 0 // a fault states nothing
	at := d.origin(path, noLayer)
	d.errs = append(d.errs, &policy.Finding{File: at.File, Line: at.Line,
		Message: at.Key + ": " + fmt.Sprintf(format, args...)})
}

// origin is the place of a key, for what it states in a layer.
func (d *decoder) origin(path []string, layer policy.Layer) policy.Origin {
	file, line := d.locate(path...)
	return policy.Origin{Layer: layer, File: file, Line: line, Key: frontmatter.KeyName(path)}
}

// err returns all faults in the order of their places.
func (d *decoder) err() error {
	slices.SortStableFunc(d.errs, func(a, b *policy.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line)
	})
	all := make([]error, len(d.errs))
	for i, f := range d.errs {
		all[i] = f
	}
	return errors.Join(all...)
}

// table is one table of the configuration. Keys are compared without regard to case.
type table struct {
	d        *decoder
	path     []string
	keys     map[string]named // by name in lower case
	defaults map[string]any   // of keys that are not there, or empty as YAML can leave them
	asked    []string         // every key that was asked for: the schema
	locate   Locate
}

// A named value is one of a table.
type named struct {
	name  string // as written
	value any
	path  []string
}

// table makes the table at a path of its values, in which the keys are as they are written. A key
// that is there in two spellings is a fault. The keys that nobody reads of it are faults at the end
// (unread).
func (d *decoder) table(path []string, values, defaults map[string]any) *table {
	t := &table{d: d, path: path, keys: map[string]named{}, defaults: defaults, locate: d.locate}
	d.tables = append(d.tables, t)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		lower := strings.ToLower(name)
		if other, ok := t.keys[lower]; ok {
			d.errorf(t.at(lower), "is defined twice, as %q and as %q", other.name, name)
		}
		value := values[name]
		if list, ok := frontmatter.List(value); ok {
			value = list
		}
		t.keys[lower] = named{name, value, t.at(name)}
	}
	return t
}

func (t *table) at(key string) []string { return append(slices.Clone(t.path), key) }

// given is a key's value; nil where it is not given, or empty.
func (t *table) given(key string) any { return t.keys[strings.ToLower(key)].value }

func (t *table) has(key string) bool { return t.given(key) != nil }

// get returns a key's value or its default, and marks the key as known; ok is false where it has
// neither.
func (t *table) get(key string, as Key) (v named, ok bool) {
	v = named{key, t.given(key), t.at(key)}
	as.Path = v.path
	t.d.describe(as)
	t.asked = append(t.asked, key)
	if v.value == nil {
		v.value = t.defaults[key]
	}
	return v, v.value != nil
}

// unread reports the keys that nobody has asked for.
func (d *decoder) unread() {
	for _, t := range d.tables {
		d.locate = t.locate
		for _, key := range slices.Sorted(maps.Keys(t.keys)) {
			if !slices.ContainsFunc(t.asked, func(asked string) bool { return strings.EqualFold(asked, key) }) {
				known := "; known are " + strings.Join(t.asked, ", ")
				hint := cmp.Or(policy.DidYouMean(key, t.asked), t.elsewhere(key), known)
				d.errorf(t.at(key), "unknown key %q%s", t.keys[key].name, hint)
			}
		}
	}
}

// elsewhere says where a key belongs that stands in the wrong table; empty where that is not known.
func (t *table) elsewhere(key string) string {
	home, path := "robots", strings.Join(t.at(key), ".") // home is of the keys of a policy
	if rest, ok := strings.CutPrefix(path, "params.metarobots."); ok {
		home, path = "params.metarobots", "robots."+rest
	}
	switch path {
	case "params":
		return ": in a policy file [robots] takes the place of Hugo's [params.metarobots]"
	case "robots.site":
		return ": [site] belongs at the top of a policy file, metarobots.toml"
	case "robots.silence":
		return ": it is called suppress"
	case "robots.robots", "robots.metarobots":
		return ": leave it out: the keys below it belong directly under " + home
	case "robots.headers.hosts":
		return `: [robots.hosts] others = "noindex" keeps other hosts out of the index`
	}
	for _, k := range Keys() { // those of [robots] and of [site]: "robots.page", "site.baseURL"
		if len(k.Path) == 2 && strings.EqualFold(k.Path[1], key) {
			return fmt.Sprintf(" (did you mean %q?)",
				strings.Replace(k.String(), "robots", home, 1))
		}
	}
	return ""
}

// read reads a value by parse. A value that parse refuses is an error, in which not says what it is
// not.
func read[T any](t *table, key string, as Key, not string, parse func(value any) (T, bool)) T {
	v, ok := t.get(key, as)
	parsed, fits := parse(v.value)
	if ok && !fits {
		t.d.errorf(v.path, "%s is %s", quoted(v.value), not)
	}
	return parsed
}

// text reads a text; empty if the key has none.
func (t *table) text(key string, as Key) string {
	as.Form = cmp.Or(as.Form, FormText)
	return read(t, key, as, "not text", func(value any) (string, bool) {
		s, ok := value.(string)
		return s, ok
	})
}

// choice reads one of a few words.
func (t *table) choice(key string, of ...string) string {
	v, _ := t.get(key, Key{Form: FormChoice, Words: of})
	word := strings.ToLower(fmt.Sprint(v.value))
	if !slices.Contains(of, word) {
		t.d.errorf(v.path, "%s is none of %s%s", quoted(v.value), strings.Join(of, ", "),
			policy.DidYouMean(word, of))
	}
	return word
}

// boolean reads true or false, also as the text that an environment variable gives.
func (t *table) boolean(key string) bool {
	return read(t, key, Key{Form: FormSwitch}, "neither true nor false", frontmatter.Truth)
}

// number reads a number that is not negative, also as text; 0 where there is none. what is such a
// number in words.
func (t *table) number(key, what string, form Form) float64 {
	return read(t, key, Key{Form: form}, "not a "+what, func(value any) (float64, bool) {
		f, err := strconv.ParseFloat(fmt.Sprint(value), 64)
		if err != nil || !(f >= 0) || form == FormShare && f > 1 { // NaN is none
			return 0, false
		}
		return f, true
	})
}

// quoted is a value as messages show it: a text in quotation marks.
func quoted(value any) string {
	if s, ok := value.(string); ok {
		return strconv.Quote(s)
	}
	return fmt.Sprint(value)
}

// list reads a list of texts. A single text is a list too: of that text alone if the form is
// [FormTexts], else of what is between its commas. What is no text is reported and left out.
func (t *table) list(key string, as Key) (texts []string) {
	v, isGiven := t.get(key, as)
	if text, isText := v.value.(string); isText {
		if as.Form == FormTexts {
			return []string{text}
		}
		return commaParts(text)
	}
	list, isList := v.value.([]any)
	if isGiven && !isList {
		t.d.errorf(v.path, "%v is not a list of texts", v.value)
	}
	for i, element := range list {
		if text, isText := element.(string); isText {
			texts = append(texts, text)
		} else {
			t.d.errorf(append(v.path, strconv.Itoa(i)), "%v is not text", element)
		}
	}
	return texts
}

// commaParts are the texts between commas, without blanks around them and without empty ones.
func commaParts(text string) (parts []string) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// each reads a list of texts of which each stands for something else.
func each[T any](t *table, key string, as Key, parse func(string) (T, error)) (values []T) {
	for i, text := range t.list(key, as) {
		value, err := parse(text)
		if err != nil {
			t.d.errorf(append(t.at(key), strconv.Itoa(i)), "%v", err)
			continue
		}
		values = append(values, value)
	}
	return values
}

// words reads a list of known words, in any case.
func words[T ~string](t *table, key, what string, known []T) []T {
	names := make([]string, len(known))
	for i, word := range known {
		names[i] = string(word)
	}
	return each(t, key, Key{Form: FormList, Words: names}, func(text string) (T, error) {
		if word := T(strings.ToLower(text)); slices.Contains(known, word) {
			return word, nil
		}
		return "", errors.New(policy.Unknown(what, text, names))
	})
}

// globs reads a list of globs.
func (t *table) globs(key string, as Key) []policy.Glob {
	as.Form = FormTexts
	return each(t, key, as, policy.ParseGlob)
}

// table reads a table below t; it is empty where there is none.
func (t *table) table(key string) *table {
	v, _ := t.get(key, Key{Form: FormTable})
	value := t.given(key)
	values, isTable := value.(map[string]any)
	if value != nil && !isTable {
		hint := ""
		if len(t.path) > 0 && t.path[len(t.path)-1] == "visibility" {
			hint = ": write " + key + " = { NAME = false }"
		}
		t.d.errorf(v.path, "%v is not a table%s", value, hint)
	}
	defaults, _ := t.defaults[key].(map[string]any)
	return t.d.table(v.path, values, defaults)
}

// noneRequired says to [table.tables] that its tables may lack any key.
const noneRequired = ""

// tables reads an array of tables, [[robots.rules]]; there are none if the key is not given.
// missing is the error of a table without the key as.Required, or [noneRequired]. What is no table
// is reported and left out; a table without that key is reported and read all the same, so that its
// other faults are found. If only keys are described ([Keys]), there is one table without values.
func (t *table) tables(key string, as Key, missing string) (tables []*table) {
	as.Form = FormTables
	v, isGiven := t.get(key, as)
	if t.d.described != nil { // there is no file: the caller asks for keys to be described
		return []*table{t.d.table(append(v.path, "[]"), nil, nil)}
	}
	list, isList := v.value.([]any)
	if isGiven && !isList {
		t.reportNoList(v)
	}
	for i, element := range list {
		at := append(slices.Clone(v.path), strconv.Itoa(i))
		values, isTable := element.(map[string]any)
		if !isTable {
			t.d.errorf(at, "%v is not a table", element)
			continue
		}
		below := t.d.table(at, values, nil)
		if missing != noneRequired && !below.has(as.Required) {
			t.d.errorf(at, "%s", missing)
		}
		tables = append(tables, below)
	}
	return tables
}

// reportNoList reports a value in the place of a list of tables.
func (t *table) reportNoList(v named) {
	if _, isOneTable := v.value.(map[string]any); isOneTable {
		t.d.errorf(v.path, "this is one table, not a list of tables: in TOML write [[%s]], with "+
			"two brackets",
			frontmatter.KeyName(v.path))
		return
	}
	t.d.errorf(v.path, "%v is not a list of tables", v.value)
}

// names returns the values of a table whose keys are names of the owner's own, sorted by their
// names.
func (t *table) names(as Key) (all []named) {
	as.Path, as.Form = t.path, FormNames
	t.d.describe(as)
	if t.d.described != nil {
		return []named{{"*", nil, t.at("*")}}
	}
	t.asked = slices.Sorted(maps.Keys(t.keys))
	for _, lower := range t.asked {
		all = append(all, t.keys[lower])
	}
	return all
}

// nothing goes on from that true or false says nothing, where it may not stand.
var nothing = map[Form]string{
	FormWords:       ` of directives: write "" for no default or "noindex, nofollow"`,
	FormEnvironment: `: write NAME = true (public) or NAME = "noindex, nofollow"`,
	FormKey:         `: write the directives that true states, or "ignore"`,
}

// directives reads a value in any form of front matter as statements of a layer, for a crawler
// unless that is empty.
func (d *decoder) directives(v named, form Form, layer policy.Layer, crawler string) []policy.Statement {
	d.describe(Key{Path: v.path, Form: form})
	if on, ok := frontmatter.Truth(v.value); ok && form != FormDirectives &&
		!(on && form == FormEnvironment) {
		d.errorf(v.path, "%v says nothing%s", v.value,
			strings.ReplaceAll(nothing[form], "NAME", v.name))
		return nil
	}
	o := d.keys
	o.Layer, o.Locate, o.MapForm = layer, d.locate, ", agents = { %s = %q }"
	return d.read(frontmatter.Value(v.value, v.path, crawler, o))
}

// crawler reads what a layer states to one crawler, under the crawler's name. A name that is none
// is a fault, and so is what is wrong with its value.
func (d *decoder) crawler(to named, layer policy.Layer) []policy.Statement {
	c, ok := d.keys.Crawlers.Lookup(to.name)
	statements := d.directives(to, FormDirectives, layer, c.Name)
	if !ok {
		d.unknownCrawler(to)
		return nil
	}
	return statements
}

// unknownCrawler reports a name that is no crawler's, with what may be meant.
func (d *decoder) unknownCrawler(to named) {
	if reason := policy.Inert(to.name); reason != "" {
		d.findings = append(d.findings, d.origin(to.path, 0).Finding("inert-crawler", policy.Error,
			"%s %s, so this has no effect", to.name, reason))
		return
	}
	hint := policy.DidYouMean(to.name, d.keys.Crawlers.Names())
	if engine, ok := d.keys.Crawlers.OfEngine(strings.ToLower(to.name)); ok {
		hint = fmt.Sprintf(" (did you mean %q?)", engine.Name)
	}
	if reason := policy.NoCrawler(to.name); reason != "" && !policy.Everyone(to.name) {
		d.errorf(to.path, "%s%s", reason, hint)
		return
	}
	d.errorf(to.path, "unknown crawler %q%s", to.name, cmp.Or(hint,
		"; add other names to robots.crawlers"))
}

// read takes over what a value states and reports its faults.
func (d *decoder) read(r frontmatter.Result) []policy.Statement {
	for _, f := range r.Findings {
		if f.Severity == policy.Error {
			d.errs = append(d.errs, &f)
		} else {
			d.findings = append(d.findings, f)
		}
	}
	return r.Statements
}
