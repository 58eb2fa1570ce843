package result

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"metarobots/policy"
)

// A Text is what everyone or one crawler is told: the directives as they are printed, and what they mean.
type Text struct {
	Printed string
	policy.Directives
}

// NewText reads a printed text. What nobody can read states nothing, as for a crawler.
func NewText(printed string) Text {
	reading, _ := policy.Parse(printed, policy.Found)
	// Through a statement, because noindex, indexifembedded is one value (D3).
	return Text{printed, policy.Statements([]policy.Reading{reading}, policy.Origin{})[0].Directives}
}

// String returns the text as it is printed.
func (t Text) String() string { return t.Printed }

// IsZero reports whether nothing is said.
func (t Text) IsZero() bool { return t.Printed == "" }

// MarshalText returns the text as it is printed.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.Printed), nil }

// UnmarshalText reads a printed text.
func (t *Text) UnmarshalText(printed []byte) error {
	*t = NewText(string(printed))
	return nil
}

// A Decision is what crawlers are told of one URL.
type Decision struct {
	// Robots is what everyone is told; zero where nothing is said.
	Robots Text `json:"robots,omitzero"`
	// Crawlers are those told something else, by name, each with all that it obeys (A3).
	Crawlers map[string]Text `json:"crawlers,omitempty"`
	// HeaderOnly: no tag says so, as with a PDF.
	HeaderOnly bool `json:"headerOnly,omitempty"`
	// Role is redirect, error or control: the file has no policy. Otherwise it is empty.
	Role string `json:"role,omitempty"`
}

// Decide returns the decision for a file of a role: what its header asks for, and what its tags say where the header
// says nothing, since a header is asked for only where something is restricted (N1).
func Decide(role string, meta map[string]string, header []string) Decision {
	if Unpoliced(role) {
		return Decision{Role: role}
	}
	texts := map[string]string{} // by crawler, "" being everyone
	for name, text := range meta {
		if name == "robots" {
			name = ""
		}
		texts[name] = text
	}
	for _, line := range header {
		crawler, text := addressee(line)
		texts[crawler] = text
	}
	d := Decision{Robots: NewText(texts[""]), HeaderOnly: len(meta) == 0 && len(header) > 0}
	delete(texts, "")
	for crawler, text := range texts {
		if d.Crawlers == nil {
			d.Crawlers = map[string]Text{}
		}
		d.Crawlers[crawler] = NewText(text)
	}
	return d
}

// Unpoliced reports whether files of a role have no policy (L3, L4, L6).
func Unpoliced(role string) bool { return role == "redirect" || role == "error" || role == "control" }

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
	same := func(a, b Text) bool { return a.Printed == b.Printed }
	return same(d.Robots, o.Robots) && d.HeaderOnly == o.HeaderOnly && d.Role == o.Role &&
		maps.EqualFunc(d.Crawlers, o.Crawlers, same)
}

// String prints d in one line: "noindex, follow", "index, follow; bingbot: index, follow, nocache", "nothing",
// "redirect".
func (d Decision) String() string {
	if d.Role != "" {
		return d.Role
	}
	var parts []string
	if !d.Robots.IsZero() {
		parts = append(parts, d.Robots.Printed)
	}
	for _, name := range d.Names() {
		parts = append(parts, name+": "+d.Crawlers[name].Printed)
	}
	text := cmp.Or(strings.Join(parts, "; "), "nothing")
	if d.HeaderOnly {
		text += " (header only)"
	}
	return text
}

// Names returns the crawlers that are told something of their own, sorted.
func (d Decision) Names() []string { return slices.Sorted(maps.Keys(d.Crawlers)) }

// Told returns what a crawler goes by that looks for statements under several names: the first that is addressed
// counts.
func (d Decision) Told(names ...string) Text {
	for _, name := range names {
		if text, ok := d.Crawlers[name]; ok {
			return text
		}
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
	case d.Robots.NoIndex():
		return Noindex
	case d.Robots.Restricts():
		return Limited
	}
	for _, text := range d.Crawlers {
		if text.Restricts() {
			return Limited
		}
	}
	return Indexable
}

// Brief prints what d restricts and nothing else: "noindex, nofollow", "noarchive; yandex: noindex"; empty where
// nothing is.
func (d Decision) Brief() string {
	generic := restricted(d.Robots.Directives)
	var parts []string
	if len(generic) > 0 {
		parts = append(parts, strings.Join(generic, ", "))
	}
	for _, name := range d.Names() {
		// What everyone is told stands in front.
		own := slices.DeleteFunc(restricted(d.Crawlers[name].Directives), func(word string) bool {
			return slices.Contains(generic, word)
		})
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
	noindex := d.Robots.NoIndex()
	found := false
	for i, w := range why {
		obeyed := d.Told(w.Crawler)
		for _, word := range w.Directives.Words(policy.Style{KeepRedundant: true}) {
			on := w.Directives.On(word.Axis)
			if noindex && (w.Crawler != "" || word.Axis != policy.AxisIndex) {
				continue
			}
			if on.Restricts() && on == obeyed.On(word.Axis) {
				decides[i], found = true, true
			}
		}
	}
	if noindex && !found { // a date that has passed counts as noindex (L7)
		for i, w := range why {
			_, dated := w.Directives.Expiry()
			decides[i] = w.Crawler == "" && dated
		}
	}
	return decides
}

// Reason names what decided, in few words that stay the same when lines move: "visibility,
// robots.visibility.types.legal". Several are separated by semicolons; it is empty where nothing is restricted.
func (d Decision) Reason(why []Why) string {
	var reasons []string
	for i, decides := range d.Deciding(why) {
		reason := why[i].Origin.Layer.String() + ", " + why[i].Origin.Key
		if decides && !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	return strings.Join(reasons, "; ")
}

// Cause is the place of what decided: of the first noindex where there is one, else of the first restriction; zero
// where nothing is restricted.
func (d Decision) Cause(why []Why) (o policy.Origin) {
	found := false
	for i, decides := range d.Deciding(why) {
		if decides && (!found || why[i].Directives.NoIndex()) {
			if o, found = why[i].Origin, true; why[i].Directives.NoIndex() {
				break
			}
		}
	}
	return o
}
