package snapshot

import (
	"maps"
	"slices"
	"strings"

	"metarobots/policy"
)

// A Page is what the JSON of --json says of one published file, as far as a snapshot asks (X).
type Page struct {
	URL string `json:"url"`
	// Role is what the file is: page, output, resource, static, redirect, error, control; empty where it is not said.
	Role   string            `json:"role,omitempty"`
	Meta   map[string]string `json:"meta"`
	Header []string          `json:"header"`
	Why    []Why             `json:"why"`
}

// A Why is one statement that applied to a file. File is empty and Line zero where they are not known.
type Why struct {
	Layer  string `json:"layer"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Key    string `json:"key"`
	States string `json:"states"`
}

// A Decision is what crawlers are told of one URL, as it is printed.
type Decision struct {
	// Robots is what everyone is told; empty where nothing is said.
	Robots string `json:"robots,omitempty"`
	// Crawlers are those told something else, by name, each with all that it obeys (A3).
	Crawlers map[string]string `json:"crawlers,omitempty"`
	// HeaderOnly: no tag says so, as with a PDF.
	HeaderOnly bool `json:"headerOnly,omitempty"`
	// Role is redirect, error or control: the file has no policy. Otherwise it is empty.
	Role string `json:"role,omitempty"`
}

// Decide returns the decision for a page: what its header asks for, and what its tags say where the header says
// nothing, since a header is asked for only where something is restricted (N1).
func Decide(p Page) Decision {
	if unpoliced(p.Role) {
		return Decision{Role: p.Role}
	}
	d := Decision{Robots: p.Meta["robots"], HeaderOnly: len(p.Meta) == 0 && len(p.Header) > 0}
	tell := func(crawler, text string) {
		if crawler == "" {
			d.Robots = text
			return
		}
		if d.Crawlers == nil {
			d.Crawlers = map[string]string{}
		}
		d.Crawlers[crawler] = text
	}
	for name, text := range p.Meta {
		if name != "robots" {
			tell(name, text)
		}
	}
	for _, line := range p.Header {
		tell(addressee(line))
	}
	return d
}

// unpoliced reports whether files of a role have no policy (L3, L4, L6).
func unpoliced(role string) bool { return role == "redirect" || role == "error" || role == "control" }

// addressee splits a printed line: the crawler before the first colon, unless that is a directive's own (D0).
func addressee(line string) (crawler, text string) {
	name, rest, ok := strings.Cut(line, ":")
	if _, valued, _ := policy.Lookup(name); !ok || valued || !policy.IsToken(name) {
		return "", line
	}
	return name, strings.TrimSpace(rest)
}

// Equal reports whether crawlers are told the same.
func (d Decision) Equal(o Decision) bool {
	return d.Robots == o.Robots && d.HeaderOnly == o.HeaderOnly && d.Role == o.Role && maps.Equal(d.Crawlers, o.Crawlers)
}

// String prints d in one line: "noindex, follow", "index, follow; bingbot: index, follow, nocache", "nothing",
// "redirect".
func (d Decision) String() string {
	if d.Role != "" {
		return d.Role
	}
	parts := make([]string, 0, 1+len(d.Crawlers))
	if d.Robots != "" {
		parts = append(parts, d.Robots)
	}
	for _, name := range d.Names() {
		parts = append(parts, name+": "+d.Crawlers[name])
	}
	text := strings.Join(parts, "; ")
	if text == "" {
		text = "nothing"
	}
	if d.HeaderOnly {
		text += " (header only)"
	}
	return text
}

// Names returns the crawlers that are told something of their own, sorted.
func (d Decision) Names() []string { return slices.Sorted(maps.Keys(d.Crawlers)) }

// Obeys returns the text that a crawler goes by, "" being everyone.
func (d Decision) Obeys(crawler string) string {
	if text, ok := d.Crawlers[crawler]; ok {
		return text
	}
	return d.Robots
}

// A State sorts decisions roughly.
type State string

// The states. Files of the last three have no policy (L3, L4, L6).
const (
	Noindex   State = "noindex"   // everyone is told noindex
	Limited   State = "limited"   // it may be indexed, and something is restricted or one crawler is kept out
	Indexable State = "indexable" // nothing is restricted
	Redirect  State = "redirect"
	ErrorPage State = "error"
	Control   State = "control"
)

// State returns which of the states d is in.
func (d Decision) State() State {
	switch {
	case d.Role != "":
		return State(d.Role)
	case directives(d.Robots).NoIndex():
		return Noindex
	case directives(d.Robots).Restricts():
		return Limited
	}
	for _, text := range d.Crawlers {
		if directives(text).Restricts() {
			return Limited
		}
	}
	return Indexable
}

// Brief prints what d restricts and nothing else: "noindex, nofollow", "noarchive; yandex: noindex"; empty where
// nothing is.
func (d Decision) Brief() string {
	generic := restricted(directives(d.Robots))
	var parts []string
	if len(generic) > 0 {
		parts = append(parts, strings.Join(generic, ", "))
	}
	for _, name := range d.Names() {
		// What everyone is told stands in front.
		own := slices.DeleteFunc(restricted(directives(d.Crawlers[name])), func(word string) bool { return slices.Contains(generic, word) })
		if len(own) > 0 {
			parts = append(parts, name+": "+strings.Join(own, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

func restricted(d policy.Directives) (words []string) {
	for _, w := range d.Words(policy.Style{}) {
		if d.On(w.Axis).Restricts() && !slices.Contains(words, w.Text) {
			words = append(words, w.Text)
		}
	}
	return words
}

// Deciding says which of the statements fixed something that the decision restricts. Of a page that is noindex for
// everyone only what made it so counts. None decides where nothing is restricted.
func (d Decision) Deciding(why []Why) []bool {
	decides := make([]bool, len(why))
	noindex := directives(d.Robots).NoIndex()
	found := false
	for i, w := range why {
		crawler, text := addressee(w.States)
		said, told := directives(text), directives(d.Obeys(crawler))
		for _, word := range said.Words(policy.Style{KeepRedundant: true}) {
			on := said.On(word.Axis)
			if on.Restricts() && on == told.On(word.Axis) && (!noindex || crawler == "" && word.Axis == policy.AxisIndex) {
				decides[i], found = true, true
			}
		}
	}
	if noindex && !found { // a date that has passed counts as noindex (L7)
		for i, w := range why {
			crawler, text := addressee(w.States)
			decides[i] = crawler == "" && !directives(text).On(policy.AxisExpiry).IsZero()
		}
	}
	return decides
}

// Reason names what decided, in few words that stay the same when lines move: "visibility,
// robots.visibility.types.legal". Several are separated by semicolons; it is empty where nothing is restricted.
func (d Decision) Reason(why []Why) string {
	var reasons []string
	for i, decides := range d.Deciding(why) {
		if reason := why[i].Layer + ", " + why[i].Key; decides && !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	return strings.Join(reasons, "; ")
}

// directives reads a printed text. What nobody can read states nothing, as for a crawler.
func directives(text string) policy.Directives {
	reading, _ := policy.Parse(text, policy.Found)
	if !reading.Embed || !reading.Directives.NoIndex() {
		return reading.Directives
	}
	statements := policy.Statements([]policy.Reading{reading}, policy.Origin{}) // noindex, indexifembedded is one value (D3)
	return statements[0].Directives
}
