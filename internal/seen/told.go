// Package seen has what crawlers read of the URLs of a site, whoever states it: a plan, a snapshot, or a deployed site.
// It resolves that for one crawler, and compares two of them. Text that comes from outside is read once, by [Read]; after
// that nobody parses what somebody else has printed.
package seen

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"metarobots/policy"
)

// A Text is what a tag or a header line tells, as it is printed, with what that states. The zero value tells nothing.
type Text struct {
	Printed string
	policy.Directives
}

// Read reads a text of directives without the name of a crawler: "noindex, follow".
func Read(printed string) Text { return Text{printed, policy.Stating(printed)} }

// Print is the text of directives.
func Print(d policy.Directives) Text { return Text{d.Format(policy.Style{KeepRedundant: true}), d} }

// IsZero reports whether the text tells nothing.
func (t Text) IsZero() bool { return t.Printed == "" }

// Same reports whether two texts print the same. What is read again after it was printed is the same, although a
// directive may be stated now that was implied before: noindex prints as "noindex, follow".
func (t Text) Same(o Text) bool { return t.Printed == o.Printed }

// String is the text as it is printed.
func (t Text) String() string { return t.Printed }

// MarshalText makes the text its own form in JSON.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.Printed), nil }

// UnmarshalText reads that form.
func (t *Text) UnmarshalText(printed []byte) error {
	*t = Read(string(printed))
	return nil
}

// A Told is what the site tells crawlers of one URL.
type Told struct {
	Robots Text `json:"robots,omitzero"` // what it tells everyone; zero for nothing
	// Crawlers are those told something else, by name, each with all that it obeys (A3).
	Crawlers   map[string]Text `json:"crawlers,omitempty"`
	HeaderOnly bool            `json:"headerOnly,omitempty"` // no tag says so, as with a PDF
	// Role is redirect, error or control: the file has no policy. Of a URL of a deployed site that was not read, it is
	// [Missing], [Disallowed] or [NotReached]. Otherwise it is empty.
	Role string `json:"role,omitempty"`
}

// Roles of URLs of a deployed site about which nothing is known: robots.txt keeps crawlers from them, they are not there,
// or nothing answers.
const (
	Disallowed = "disallowed"
	Missing    = "missing"
	NotReached = "unreachable"
)

// Tell sets what the site tells a crawler, or everyone ("robots").
func (t *Told) Tell(crawler string, text Text) {
	switch {
	case crawler == Everyone:
		t.Robots = text
	case t.Crawlers == nil:
		t.Crawlers = map[string]Text{crawler: text}
	default:
		t.Crawlers[crawler] = text
	}
}

// Unpoliced reports whether files of a role have no policy (L3, L4, L6).
func Unpoliced(role string) bool { return role == "redirect" || role == "error" || role == "control" }

// Everyone is the name of the tag that is for every crawler, and under which they are all answered for.
const Everyone = "robots"

// Addressee splits a printed line: the crawler before the first colon, unless that is a directive's own (D0).
func Addressee(line string) (crawler, text string) {
	name, rest, ok := strings.Cut(line, ":")
	if _, valued, _ := policy.Lookup(name); !ok || valued || !policy.IsToken(name) {
		return Everyone, line
	}
	return name, strings.TrimSpace(rest)
}

// Equal reports whether both tell crawlers the same.
func (t Told) Equal(o Told) bool {
	return t.Robots.Same(o.Robots) && maps.EqualFunc(t.Crawlers, o.Crawlers, Text.Same) &&
		t.HeaderOnly == o.HeaderOnly && t.Role == o.Role
}

// String prints t in one line: "noindex, follow", "index, follow; bingbot: index, follow, nocache", "nothing",
// "redirect".
func (t Told) String() string {
	if t.Role != "" {
		return t.Role
	}
	text := cmp.Or(t.join(func(crawler string, told Text) string {
		if crawler != "" {
			return cmp.Or(told.Printed, "nothing")
		}
		return told.Printed
	}), "nothing")
	if t.HeaderOnly {
		text += " (header only)"
	}
	return text
}

// join prints texts, each but that for everyone behind its crawler's name; none that are empty.
func (t Told) join(textFor func(crawler string, told Text) string) string {
	var parts []string
	for _, name := range append([]string{""}, t.Names()...) {
		if text := textFor(name, t.For(name)); text != "" {
			parts = append(parts, strings.TrimPrefix(name+": "+text, ": "))
		}
	}
	return strings.Join(parts, "; ")
}

// Names returns the crawlers for which there is a text of their own, sorted.
func (t Told) Names() []string { return slices.Sorted(maps.Keys(t.Crawlers)) }

// For resolves what a crawler goes by that looks for statements under several names: the first that is addressed counts,
// then those of crawlers whose statements it obeys too (A2), then the text for everyone.
func (t Told) For(names ...string) Text {
	for _, name := range slices.Concat(names, alsoObeyed(names)) {
		if text, ok := t.Crawlers[name]; ok {
			return text
		}
	}
	return t.Robots
}

// alsoObeyed are the crawlers whose statements some crawlers obey beside their own.
func alsoObeyed(names []string) (others []string) {
	for _, name := range names {
		if c := policy.LookupCrawler(name); c != nil && c.AlsoObeys != "" {
			others = append(others, c.AlsoObeys)
		}
	}
	return others
}

// A State sorts roughly what a site tells.
type State string

// The states. Files of the last three have no policy (L3, L4, L6).
const (
	Noindex   State = "noindex"   // for everyone
	Limited   State = "limited"   // it may be indexed, and something is restricted or one crawler is kept out
	Indexable State = "indexable" // nothing is restricted
	Redirect  State = "redirect"
	ErrorPage State = "error"
	Control   State = "control"
)

// State returns which of the states t is in.
func (t Told) State() State {
	switch {
	case t.Role != "":
		return State(t.Role)
	case t.Robots.NoIndex():
		return Noindex
	case t.Robots.Restricts():
		return Limited
	}
	for _, text := range t.Crawlers {
		if text.Restricts() {
			return Limited
		}
	}
	return Indexable
}

// Restrictions is t with what it restricts alone, and without whether a header or a tag says so.
func (t Told) Restrictions() Told {
	return t.Each(func(_ string, told Text) policy.Directives { return told.Directives })
}

// Each is what t restricts if each crawler reads something else; the name is "" for everyone. It has no text for a
// crawler that then reads the same as everyone.
func (t Told) Each(instead func(crawler string, told Text) policy.Directives) Told {
	if t.Role != "" {
		return t
	}
	restricted := func(crawler string, told Text) Text { return Print(instead(crawler, told).Restrictions()) }
	r := Told{Robots: restricted("", t.Robots)}
	for name, told := range t.Crawlers {
		if text := restricted(name, told); !text.Same(r.Robots) {
			r.Tell(name, text)
		}
	}
	return r
}

// Brief prints what t restricts and nothing else, for a crawler what everyone is not told: "noindex, nofollow",
// "noarchive; yandex: noindex"; empty where nothing is.
func (t Told) Brief() string {
	generic := restrictions(t.Robots.Directives)
	return t.join(func(crawler string, told Text) string {
		return strings.Join(slices.DeleteFunc(restrictions(told.Directives), func(word string) bool {
			return crawler != "" && slices.Contains(generic, word)
		}), ", ")
	})
}

// restrictions are the words that restrict something, each once.
func restrictions(d policy.Directives) (words []string) {
	for _, w := range d.Words(policy.Style{}) {
		if d.On(w.Axis).Restricts() && !slices.Contains(words, w.Text) {
			words = append(words, w.Text)
		}
	}
	return words
}

// Moves reports whether a crawler, or everyone, is noindex now and was not (out), or was noindex and is not now (in).
// Nobody moves where either has no policy.
func (t Told) Moves(now Told) (out, in bool) {
	if t.Role != "" || now.Role != "" {
		return false, false
	}
	for _, crawler := range slices.Concat([]string{""}, t.Names(), now.Names()) {
		was, is := t.For(crawler).NoIndex(), now.For(crawler).NoIndex()
		out, in = out || is && !was, in || was && !is
	}
	return out, in
}
