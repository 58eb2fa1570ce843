package frontmatter

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"metarobots/internal/source"
	"metarobots/policy"
)

// A Config says which keys are read beside those that always are.
type Config struct {
	Expiry   bool            // reads expiryDate as unavailable_after
	Keys     map[string]Key  // [robots.frontmatter], by key in lower case
	Crawlers policy.Crawlers // that may be named
	Layer    policy.Layer    // of the statements
	// HandsDown is a key, in lower case, whose table the generator hands down to other pages: it
	// counts there.
	HandsDown string
	// MapForm is the format of a map of a crawler to a text, for messages; empty for the one of
	// front matter.
	MapForm string
	// Locate tells where a key or an element of a list stands, by its path in lower case; nil for
	// nowhere.
	Locate func(path ...string) (file string, line int)
}

// A Key is what the configuration says of a front matter key whose value is a boolean.
type Key struct {
	Ignore     bool               // leaves the key alone
	Statements []policy.Statement // stated where the value is true
}

// A Result is what front matter states.
type Result struct {
	// Statements are one source (D3). Each has its key as Origin.Key.
	Statements []policy.Statement
	// Findings of severity [policy.Error] make the front matter invalid.
	Findings []policy.Finding
	// Unread is what other keys seem to state. None of it counts (F3).
	Unread []policy.Statement
	// Mentions: there is a key that may state something, whether it does or not.
	Mentions bool
}

// Read returns what the parameters of a page state (F). Keys are compared without regard to case;
// the order of the result does not depend on the map's.
func Read(params map[string]any, o Config) Result {
	r := reader{options: o}
	for path, value := range r.options.leveled(params) {
		r.readKey(path, value)
	}
	for _, key := range o.nestedKeys() {
		path := strings.Split(key, ".")
		for _, value := range valuesAt(params, path) {
			r.result.Mentions = true
			r.readBooleanKey(o.Keys[key], value, path)
		}
	}
	r.findUnread(params)
	return r.applyEmbeds()
}

// nestedKeys are the configuration's own keys that are inside of a table, sorted. Few sites have
// one.
func (o *Config) nestedKeys() (nested []string) {
	for key := range o.Keys {
		if strings.Contains(key, ".") {
			nested = append(nested, key)
		}
	}
	slices.Sort(nested)
	return nested
}

// leveled yields the keys of all levels, each level's sorted, by their paths in lower case, each
// valid until the next.
func (o *Config) leveled(params map[string]any) iter.Seq2[[]string, any] {
	return func(yield func([]string, any) bool) {
		for _, level := range levels {
			for _, table := range valuesAt(params, level) {
				m, _ := asMap(table)
				path := append(slices.Clone(level), "")
				for _, written := range slices.Sorted(maps.Keys(m)) {
					key, value := o.undotted(written, m[written])
					path[len(level)] = key
					if !yield(path, value) {
						return
					}
				}
			}
		}
	}
}

// undotted is a key as it is compared, and its value: YAML's robots.noindex is noindex in a map
// under robots, its googlebot.nosnippet nosnippet under googlebot.
func (o *Config) undotted(written string, value any) (string, any) {
	key := source.Key(written)
	if head, rest, ok := strings.Cut(key, "."); ok && o.isMap(head) && o.isEntry(rest) {
		return head, map[string]any{rest: value}
	}
	return key, value
}

// isMap reports whether a key, lower case, is one whose value may be a map of directives.
func (o *Config) isMap(key string) bool {
	form := o.form(key)
	return form == FormDirectives || form == FormCrawler
}

// isEntry reports whether a key, lower case, may stand in such a map: robots.txt is none.
func (o *Config) isEntry(key string) bool {
	name, _, _ := strings.Cut(key, ".")
	_, crawler := o.Crawlers.Lookup(name)
	_, _, negative := policy.Lookup("no" + name)
	return crawler || negative || nearDirective(name) || forms[name] == FormDate
}

// Value returns what one value in any form of F states, as if it were the value of the key robots,
// or of a crawler's name: a string, a list, a map, a boolean. path is what its problems and keys
// start with.
func Value(value any, path []string, crawler string, o Config) Result {
	r := reader{options: o}
	r.readValue(value, path, addressee{crawler, crawler != ""})
	return r.applyEmbeds()
}

// Mentions is [Result].Mentions of parameters.
func Mentions(params map[string]any, o Config) bool {
	o.Locate = nil
	return Read(params, o).Mentions
}

// Concerns reports whether what stands at a path of keys, or below it, may state something.
func Concerns(path []string, o Config) bool {
	within := func(of []string) bool { // path leads to of, or to something above it
		return len(path) <= len(of) && slices.EqualFunc(path, of[:len(path)],
			func(written, key string) bool { return source.Key(written) == key })
	}
	if slices.ContainsFunc(levels, within) {
		return true
	}
	for key := range o.Keys {
		if within(strings.Split(key, ".")) {
			return true
		}
	}
	var nested any = true
	for _, key := range slices.Backward(path) {
		nested = map[string]any{key: nested}
	}
	params, _ := nested.(map[string]any)
	return Mentions(params, o)
}

// reader collects what one front matter states.
type reader struct {
	options Config
	result  Result
	isData  bool            // no key of it is read
	named   map[string]bool // the paths of keys, in lower case, that state something or have a finding
}

// noteNamed notes that a key is accounted for.
func (r *reader) noteNamed(path []string) {
	if r.named == nil {
		r.named = map[string]bool{}
	}
	r.named[strings.Join(path, ".")] = true
}

// readKey reads one key of a level, of the page's parameters, with its value: by its form, which
// says what the key means and what its values may be. path leads to it, in lower case; its last
// part is the key. It states what the key says, or reports why it states nothing; a key that we do
// not know may look like one of ours (readOtherKey). It notes that a key was there which may be
// about crawlers (Mentions), hidden and its like included.
func (r *reader) readKey(path []string, value any) {
	key := path[len(path)-1]
	form := r.options.form(key) // "" for a key that is not read
	mayState := form != "" || slices.Contains(audience, key)
	r.result.Mentions = r.result.Mentions || mayState
	_, isOwnPath := r.options.Keys[strings.Join(path, ".")]
	switch isNested := len(path) > 1; {
	case isOwnPath && isNested: // a key such as seo.hide in [robots.frontmatter]: Read reads it apart
	case value == nil && form.needsValue():
		r.report(path, "mistyped-key", policy.Warning, "this key has no value, and so no effect")
	case form == "":
		r.readOtherKey(key, value, path)
	default:
		r.readByForm(form, value, path)
	}
}

// needsValue reports whether a key of this form without a value, "robots:", is a slip of its
// author. Dates, and keys of the configuration, are often empty in templates; an empty ai says
// nothing; and a key that is inert is reported whatever its value is.
func (f Form) needsValue() bool {
	return slices.Contains([]Form{FormDirectives, FormNoIndex, FormNoFollow, FormCrawler}, f)
}

// readByForm is readKey for a key that is read, by its form.
func (r *reader) readByForm(form Form, value any, path []string) {
	key := path[len(path)-1]
	switch form {
	case formOwn:
		r.readBooleanKey(r.options.Keys[key], value, path)
	case FormNoIndex, FormNoFollow: // these forms are called as the directive that true states
		stated := policy.Statement{Directives: policy.Stating(string(form))}
		r.readBooleanKey(Key{Statements: []policy.Statement{stated}}, value, path)
	case FormDirectives:
		r.readValue(value, path, everyone)
	case FormDate, FormExpiry: // expiryDate is read as unavailable_after
		r.readDate(value, path, everyone.crawler)
	case FormInert:
		r.reportInert(key, path)
	case FormAI:
		r.readPageAI(value, path)
	case FormCrawler:
		if !isCode(value) { // themes keep the code by which an owner proves a site under such names
			r.readValue(value, path, named(key))
		}
	}
}

// reportInert reports a crawler that no directive reaches.
func (r *reader) reportInert(key string, path []string) {
	r.report(path, "inert-crawler", policy.Warning, "%s %s, so this has no effect", key,
		policy.Inert(key))
}

// readBooleanKey reads a key whose value is a boolean, and states what k says of it if that is
// true.
func (r *reader) readBooleanKey(k Key, value any, path []string) {
	if k.Ignore {
		return
	}
	if on, _ := r.readBoolean(value, path); on {
		for _, s := range k.Statements {
			r.state(s, path)
		}
	}
}

// state adds a statement to the result, with the place of the key that makes it.
func (r *reader) state(s policy.Statement, path []string) {
	r.noteNamed(path)
	s.Origin = r.origin(path)
	r.result.Statements = append(r.result.Statements, s)
}

// origin is the place of a key, in the layer that is read.
func (r *reader) origin(path []string) policy.Origin {
	o := policy.Origin{Layer: r.options.Layer, Key: KeyName(path)}
	if r.options.Locate != nil {
		o.File, o.Line = r.options.Locate(slices.Clone(path)...)
	}
	return o
}

// report adds a finding about a key, and returns it.
func (r *reader) report(path []string, id string, severity policy.Severity, format string,
	args ...any) *policy.Finding {
	r.noteNamed(path)
	r.result.Findings = append(r.result.Findings, r.origin(path).Finding(id, severity, format,
		args...))
	return &r.result.Findings[len(r.result.Findings)-1]
}

// applyEmbeds ends the reading of one front matter, whose statements are one source: a noindex in
// it is embeddable if it has indexifembedded too, and that is reported if there is no noindex. It
// returns the result.
func (r *reader) applyEmbeds() Result {
	embeds := map[string]policy.Origin{}
	for _, s := range r.result.Statements {
		if s.Embed {
			embeds[s.Crawler] = s.Origin
		}
	}
	for _, crawler := range policy.ApplyIndexIfEmbedded(r.result.Statements) {
		r.result.Findings = append(r.result.Findings,
			embeds[crawler].Finding("indexifembedded", policy.Warning,
				"indexifembedded has no effect without noindex"))
	}
	return r.result
}

// An addressee is whom a value speaks to: everyone, or a crawler.
type addressee struct {
	crawler string // "" for everyone
	// isNamed says that a key around the value names it: googlebot, or *. Then a map names no
	// further one.
	isNamed bool
}

// everyone is the addressee of a value that no key addresses.
var everyone = addressee{}

func named(crawler string) addressee { return addressee{crawler, true} }

// readValue reads a value in any form: text, list, map, boolean.
func (r *reader) readValue(value any, path []string, to addressee) {
	if on, ok := Truth(value); ok {
		if !on {
			r.state(policy.Statement{Crawler: to.crawler,
				Directives: policy.Stating("noindex, nofollow")}, path)
		}
		return
	}
	list, isList := List(value)
	for i, element := range list {
		at := append(slices.Clone(path), strconv.Itoa(i))
		if !r.readItem(element, at, to) {
			r.report(at, "bad-value", policy.Error, "%v is not a directive", element)
		}
	}
	if !isList && !r.readItem(value, path, to) {
		r.report(path, "bad-value", policy.Error,
			"%v is not a list of directives: write \"noindex, nofollow\", a list, a map or false",
			value)
	}
}

// readItem reads text or a map, which "- max-snippet: 50" is in YAML, and reports whether it is one
// of them, or nothing.
func (r *reader) readItem(value any, path []string, to addressee) bool {
	if text, ok := value.(string); ok {
		r.readText(text, path, to.crawler)
	} else if m, ok := asMap(value); ok {
		r.readEntries(m, path, to)
	} else {
		return value == nil
	}
	return true
}

// readText reads a text of directives, for a crawler or for everyone ("").
func (r *reader) readText(text string, path []string, crawler string) {
	reading, problems := policy.ParseValue(text, policy.Own, cmp.Or(r.options.MapForm, " {%s: %q}"))
	for _, p := range problems {
		r.report(path, p.ID, p.Severity, "%s", p.Message).Detail = p.Detail
	}
	reading.Crawler = crawler
	if !reading.Directives.IsZero() || reading.Embed {
		r.state(reading, path)
	}
}

// readDate reads the value of unavailable_after; an empty one states nothing.
func (r *reader) readDate(value any, path []string, crawler string) {
	if value == nil || value == "" {
		return
	}
	t, err := Date(value)
	if err != nil {
		r.report(path, "bad-value", policy.Error, "%v", err)
		return
	}
	r.state(policy.Statement{Crawler: crawler, Directives: policy.UnavailableAfter(t)}, path)
}

// Date reads a date as the readers of YAML, TOML and JSON give it: a time, a local date of TOML
// (UTC is meant), text.
func Date(value any) (time.Time, error) {
	switch v := value.(type) {
	case time.Time:
		switch v.Location().String() {
		case "datetime-local", "date-local": // BurntSushi/toml gives these the machine's offset
			v = time.Date(v.Year(), v.Month(), v.Day(), v.Hour(), v.Minute(), v.Second(), 0,
				time.UTC)
		case "time-local":
			return time.Time{}, noDate(v.Format(time.TimeOnly))
		}
		if v = v.UTC(); v.Year() >= 1 && v.Year() <= 9999 {
			return v, nil
		}
	case fmt.Stringer: // pelletier/go-toml's LocalDate and LocalDateTime
		return policy.ParseDate(v.String())
	case string:
		return policy.ParseDate(v)
	}
	return time.Time{}, noDate(value)
}

func noDate(value any) error {
	return fmt.Errorf("%v is not a date: write 2026-09-21 or 2026-09-21T10:00:00Z", value)
}

// readBoolean reads the value of a flag. A value that is none is an error, never nothing; an empty
// one states nothing.
func (r *reader) readBoolean(value any, path []string) (on, ok bool) {
	if value == nil || value == "" {
		return false, false
	}
	if on, ok = Truth(value); !ok {
		r.report(path, "bad-value", policy.Error, "%q is neither true nor false", fmt.Sprint(value))
	}
	return on, ok
}
