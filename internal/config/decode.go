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

// A Locate finds where a key of the configuration stands; line is 0 where only the file is known, both are zero where
// nothing is.
type Locate func(path ...string) (file string, line int)

// A Error is one fault of the configuration.
type Error struct {
	File string
	Line int
	Msg  string
}

func (e *Error) Error() string { return Place(e.File, e.Line) + e.Msg }

// Place prints "file:line: ", as far as it is known.
func Place(file string, line int) string {
	switch {
	case file == "":
		return ""
	case line == 0:
		return file + ": "
	}
	return file + ":" + strconv.Itoa(line) + ": "
}

// decoder collects all faults of one configuration, so that its owner sees them in one go.
type decoder struct {
	locate   Locate
	errs     []error
	findings []policy.Finding
	keys     frontmatter.Options
	// asked, unless nil, is told of each key that is read, and in which form (Keys).
	asked func(path []string, form Form, words []string)
}

func (d *decoder) asks(path []string, form Form, words ...string) {
	if d.asked != nil {
		d.asked(path, form, words)
	}
}

func (d *decoder) errorf(path []string, format string, args ...any) {
	file, line := d.locate(path...)
	d.errs = append(d.errs, &Error{file, line, frontmatter.KeyName(path) + ": " + fmt.Sprintf(format, args...)})
}

// err returns all faults in the order of their places.
func (d *decoder) err() error {
	slices.SortStableFunc(d.errs, func(a, b error) int {
		var x, y *Error
		if !errors.As(a, &x) || !errors.As(b, &y) {
			return 0
		}
		return cmp.Or(strings.Compare(x.File, y.File), x.Line-y.Line)
	})
	return errors.Join(d.errs...)
}

// table is one table of the configuration. Keys are compared without regard to case.
type table struct {
	d       *decoder
	path    []string
	values  map[string]any    // by key in lower case
	written map[string]string // the key as written
	asked   []string          // every key that was asked for: the schema
	given   map[string]bool   // keys that are no defaults, in lower case; nil where nothing is one
}

func (d *decoder) table(path []string, m map[string]any) *table {
	t := &table{d: d, path: path, values: map[string]any{}, written: map[string]string{}}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		lower := strings.ToLower(key)
		if twin, ok := t.written[lower]; ok {
			d.errorf(t.at(lower), "stands twice, as %q and as %q", twin, key)
		}
		t.values[lower], t.written[lower] = m[key], key
	}
	return t
}

func (t *table) at(key string) []string { return append(slices.Clone(t.path), key) }

// get returns a key's value and marks the key as known.
func (t *table) get(key string) (value any, path []string, ok bool) {
	t.asked = append(t.asked, key)
	t.d.asks(t.at(key), "")
	lower := strings.ToLower(key)
	value, ok = t.values[lower]
	return value, t.at(key), ok && value != nil
}

// former reports whether the table has a key by the name of the release before, and notes what it is called now.
func (t *table) former(key, now string) bool {
	if _, ok := t.values[strings.ToLower(key)]; !ok {
		return false
	}
	file, line := t.d.locate(t.at(key)...)
	t.d.findings = append(t.d.findings, policy.Finding{ID: "config", Severity: policy.Note, File: file, Line: line,
		Message: fmt.Sprintf("%s is called %s now: the next release reads the new name alone",
			strings.Join(t.at(key), "."), now)})
	return true
}

// done reports the keys that nobody asked for.
func (t *table) done() {
	for _, lower := range slices.Sorted(maps.Keys(t.values)) {
		if slices.ContainsFunc(t.asked, func(known string) bool { return strings.EqualFold(known, lower) }) {
			continue
		}
		hint := ""
		if n := nearFold(lower, t.asked); n != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", n)
		} else {
			hint = "; known are " + strings.Join(t.asked, ", ")
		}
		t.d.errorf(t.at(lower), "unknown key %q%s", t.written[lower], hint)
	}
}

// nearFold is [policy.Near] over names with capitals.
func nearFold(word string, names []string) string {
	lower := make([]string, len(names))
	for i, n := range names {
		lower[i] = strings.ToLower(n)
	}
	if n := policy.Near(word, lower); n != "" {
		return names[slices.Index(lower, n)]
	}
	return ""
}

// text reads a string.
func (t *table) text(key string) string {
	value, path, ok := t.get(key)
	t.d.asks(path, FormText)
	if !ok {
		return ""
	}
	s, ok := value.(string)
	if !ok {
		t.d.errorf(path, "%v is no text", value)
	}
	return s
}

// choice reads one of a few words.
func (t *table) choice(key string, of ...string) string {
	s := strings.ToLower(t.text(key))
	t.d.asks(t.at(key), FormChoice, of...)
	if _, isText := t.values[strings.ToLower(key)].(string); isText && !slices.Contains(of, s) {
		t.d.errorf(t.at(key), "%q is none of %s%s", s, strings.Join(of, ", "), policy.DidYouMean(s, of))
	}
	return s
}

// boolean reads true or false, also as the text that an environment variable gives.
func (t *table) boolean(key string) bool {
	value, path, ok := t.get(key)
	t.d.asks(path, FormSwitch)
	if !ok {
		return false
	}
	on, ok := frontmatter.Truth(value)
	if !ok {
		t.d.errorf(path, "%v is neither true nor false", quoted(value))
	}
	return on
}

// share reads a number from 0 to 1.
func (t *table) share(key string) float64 {
	value, path, ok := t.get(key)
	t.d.asks(path, FormShare)
	if !ok {
		return 0
	}
	f, err := strconv.ParseFloat(fmt.Sprint(value), 64)
	if err != nil || !(0 <= f && f <= 1) { // NaN is none
		t.d.errorf(path, "%v is no number from 0 to 1", quoted(value))
	}
	return f
}

// number reads a number, also as text; 0 where there is none.
func (t *table) number(key string) float64 {
	value, path, ok := t.get(key)
	t.d.asks(path, FormNumber)
	if !ok {
		return 0
	}
	f, err := strconv.ParseFloat(fmt.Sprint(value), 64)
	if err != nil {
		t.d.errorf(path, "%v is no number", quoted(value))
	}
	return f
}

func quoted(value any) string {
	if s, ok := value.(string); ok {
		return strconv.Quote(s)
	}
	return fmt.Sprint(value)
}

// names reads a list of words; a single text is a list too, split at commas where split is set.
func (t *table) names(key string, split bool) []string {
	value, path, ok := t.get(key)
	form := FormTexts
	if split {
		form = FormList
	}
	t.d.asks(path, form)
	if !ok {
		return nil
	}
	if s, ok := value.(string); ok {
		if !split {
			return []string{s}
		}
		names := strings.Split(s, ",")
		for i := range names {
			names[i] = strings.TrimSpace(names[i])
		}
		return slices.DeleteFunc(names, func(n string) bool { return n == "" })
	}
	if list, ok := value.([]string); ok {
		return slices.Clone(list)
	}
	list, ok := value.([]any)
	if !ok {
		t.d.errorf(path, "%v is no list of texts", value)
	}
	var names []string
	for i, e := range list {
		if s, ok := e.(string); ok {
			names = append(names, s)
		} else {
			t.d.errorf(append(path, strconv.Itoa(i)), "%v is no text", e)
		}
	}
	return names
}

// table reads a table below t; it is empty where there is none.
func (t *table) table(key string) *table {
	value, path, ok := t.get(key)
	t.d.asks(path, FormTable)
	m, isTable := value.(map[string]any)
	if ok && !isTable {
		t.d.errorf(path, "%v is no table", value)
	}
	return t.d.table(path, m)
}

// tables reads an array of tables.
func (t *table) tables(key string) []*table {
	value, path, ok := t.get(key)
	t.d.asks(path, FormTables)
	if !ok {
		return nil
	}
	var list []any
	switch v := value.(type) {
	case []map[string]any:
		for _, m := range v {
			list = append(list, m)
		}
	case []any:
		list = v
	default:
		t.d.errorf(path, "%v is no list of tables", value)
	}
	var tables []*table
	for i, e := range list {
		at := append(slices.Clone(path), strconv.Itoa(i))
		m, ok := e.(map[string]any)
		if !ok {
			t.d.errorf(at, "%v is no table", e)
			continue
		}
		tables = append(tables, t.d.table(at, m))
	}
	return tables
}

// keys returns the keys of a table whose keys are names of the owner's own, sorted, as written.
func (t *table) keys() []string {
	t.d.asks(t.path, FormNames)
	var keys []string
	for _, lower := range slices.Sorted(maps.Keys(t.values)) {
		keys = append(keys, t.written[lower])
	}
	return keys
}

// directives reads a value in any form of front matter as statements of a layer.
func (d *decoder) directives(value any, path []string, layer policy.Layer) []policy.Statement {
	d.asks(path, FormDirectives)
	o := d.keys
	o.Layer, o.Locate = layer, d.locate
	return d.read(frontmatter.Value(value, path, o))
}

// crawler reads what is said to one crawler.
func (d *decoder) crawler(name string, value any, path []string, layer policy.Layer) []policy.Statement {
	c, ok := d.keys.Crawlers.Lookup(name)
	if !ok {
		if reason := policy.Inert(name); reason != "" {
			file, line := d.locate(path...)
			d.findings = append(d.findings,
				policy.Finding{ID: "inert-crawler", Severity: policy.Error, File: file, Line: line,
					Message: fmt.Sprintf("%s: %s %s: what it is told here does nothing", frontmatter.KeyName(path),
						name,
						reason)})
			return nil
		}
		hint := policy.DidYouMean(name, d.keys.Crawlers.Names())
		if engine, ok := d.keys.Crawlers.OfEngine(strings.ToLower(name)); ok {
			hint = fmt.Sprintf(" (did you mean %q?)", engine.Name)
		}
		if reason := policy.NoCrawler(name); reason != "" && !policy.Everyone(name) {
			d.errorf(path, "%s%s", reason, hint)
			return nil
		}
		d.errorf(path, "unknown crawler %q%s", name, cmp.Or(hint, "; further names belong into robots.crawlers"))
		return nil
	}
	statements := d.directives(value, path, layer)
	for i := range statements {
		if statements[i].Crawler != "" {
			d.errorf(path, "a crawler cannot be named inside of what is told to another")
			return nil
		}
		statements[i].Crawler = c.Name
	}
	return statements
}

// read takes over what a value states and reports its faults.
func (d *decoder) read(r frontmatter.Result) []policy.Statement {
	for _, f := range r.Findings {
		if before, said, ok := strings.Cut(f.Message, "write the map form {"); ok && f.ID == "prefix" {
			f.Message = before + "write the map form, agents = { " + strings.Replace(said, ": ", " = ", 1)
			f.Message = strings.TrimSuffix(f.Message, "}") + " }"
		}
		if f.Severity == policy.Error {
			d.errs = append(d.errs, &Error{f.File, f.Line, f.Message})
			continue
		}
		d.findings = append(d.findings, f)
	}
	return r.Statements
}
