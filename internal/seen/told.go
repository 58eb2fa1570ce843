// Package seen has what crawlers read of the URLs of a site, whoever states it: a plan, a snapshot,
// or a deployed site. It resolves that for one crawler, and compares two of them. Text that comes
// from outside is read once, by [Read]; after that nobody parses what somebody else has printed.
//
//	told, reason           what the site tells crawlers at one URL, by tags and X-Robots-Tag, and why
//	header                 what other headers say there
//	host                   what robots.txt and the files about AI say of a path
//	fetches, fetchgroups   what crawlers may fetch otherwise by another robots.txt
//	answer                 what a deployed site answers, beside what was decided
//
// # Words of this package
//
//   - A [Text] is what one tag or one header line says, printed, with the directives that it
//     states. Two texts are compared as they are printed ([Text.Same]), since a file keeps no more.
//   - [Everyone] is "robots": the name of the tag that is for every crawler. A function that takes
//     or gives the name of a crawler has "" for everyone ([Told.For], [Told.Each]) or "robots"
//     ([Told.Tell], [Addressee]): see its comment.
//   - A role is that of a file without a policy, or says why nothing was read at a URL. A [Told]
//     with a role has no directives.
//   - A path on the host begins at the host's root, and [Host.PathAtHost] makes it of a path from
//     the publish root.
//   - A host is Shut if it answers for robots.txt in such a way that crawlers fetch nothing there.
//   - was is the earlier of two, is or now the later. A rule is gone if only the earlier robots.txt
//     has it.
//   - The author of rules is the policy, the template or file that robots.txt is made from, or a
//     host's block before it. A fetchGroup is a change in the making: add puts the crawlers that
//     one rule changes for the same pages into one group, and changes makes one of an author's
//     groups if they are many.
package seen

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"metarobots/policy"
)

// A Text is what a tag or a header line tells, as it is printed, with what that states. The zero
// value tells nothing.
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

// Same reports whether two texts print the same. What is read again after it was printed is the
// same, although a directive may be stated now that was implied before: noindex prints as "noindex,
// follow".
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
	Robots Text `json:"robots,omitzero"` // for everyone; zero for nothing
	// Crawlers have the texts for crawlers that read something else, by name: each is all that the
	// crawler obeys (A3).
	Crawlers   map[string]Text `json:"crawlers,omitempty"`
	HeaderOnly bool            `json:"headerOnly,omitempty"` // no tag says so, as with a PDF
	// Role is redirect, error or control: the file has no policy. Of a URL of a deployed site that
	// was not read, it is [Missing], [Disallowed] or [NotReached]. Otherwise it is empty.
	Role string `json:"role,omitempty"`
}

// Roles of URLs of a deployed site about which nothing is known: robots.txt keeps crawlers from
// them, they are not there, or nothing answers.
const (
	Disallowed = "disallowed"
	Missing    = "missing"
	NotReached = "unreachable"
)

// IsUnread reports whether a role says why nothing was read at a URL of a deployed site.
func IsUnread(role string) bool {
	return role == Disallowed || role == Missing || role == NotReached
}

// Tell sets what the site tells a crawler, or [Everyone]. It replaces what was told before.
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
func Unpoliced(role string) bool {
	return slices.Contains([]State{Redirect, ErrorPage, Control}, State(role))
}

// Everyone is the name of the tag that is for every crawler. An [Answer] for all of them has it as
// its crawler.
const Everyone = "robots"

// Addressee splits a printed line at its first colon into a crawler and a text: "bingbot: noindex".
// A line for everyone has no crawler, and its colon, if it has one, belongs to a directive (D0):
// "max-snippet: 5".
func Addressee(line string) (crawler, text string) {
	name, rest, hasColon := strings.Cut(line, ":")
	if _, takesValue, _ := policy.Lookup(name); !hasColon || takesValue || !policy.IsToken(name) {
		return Everyone, line
	}
	return name, strings.TrimSpace(rest)
}

// Equal reports whether both tell crawlers the same.
func (t Told) Equal(o Told) bool {
	return t.Robots.Same(o.Robots) && maps.EqualFunc(t.Crawlers, o.Crawlers, Text.Same) &&
		t.HeaderOnly == o.HeaderOnly && t.Role == o.Role
}

// String prints t in one line: "noindex, follow", "index, follow; bingbot: index, follow, nocache",
// "nothing", "redirect".
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

// join prints what textFor makes of each text that the site tells: first of that for everyone (""),
// then of each other, behind its crawler's name. It leaves out what is empty: "noarchive; yandex:
// noindex".
func (t Told) join(textFor func(crawler string, told Text) string) string {
	var parts []string
	if text := textFor("", t.Robots); text != "" {
		parts = append(parts, text)
	}
	for _, name := range t.Names() {
		if text := textFor(name, t.For(name)); text != "" {
			parts = append(parts, name+": "+text)
		}
	}
	return strings.Join(parts, "; ")
}

// Names returns the crawlers for which there is a text of their own, sorted.
func (t Told) Names() []string { return slices.Sorted(maps.Keys(t.Crawlers)) }

// For returns the text that a crawler obeys. names are the names under which it looks for
// statements, the first before the others; no name, or "", is everyone. If no text has one of them,
// it is the text for a crawler whose statements it obeys too (A2), or else the text for everyone.
func (t Told) For(names ...string) Text {
	for _, name := range slices.Concat(names, alsoObeyed(names)) {
		if text, ok := t.Crawlers[name]; ok {
			return text
		}
	}
	return t.Robots
}

// alsoObeyed are the crawlers whose statements those of some names obey beside their own.
func alsoObeyed(names []string) (others []string) {
	for _, name := range names {
		if c := policy.LookupCrawler(name); c != nil && c.AlsoObeys != "" {
			others = append(others, c.AlsoObeys)
		}
	}
	return others
}

// A State is what a site tells in one word, as lists and the names of decisions in a snapshot show
// it.
type State string

// The states. Files of the last three have no policy (L3, L4, L6).
const (
	Noindex State = "noindex" // for everyone
	// Limited: it may be indexed, and something is restricted or one crawler is kept out.
	Limited   State = "limited"
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

// Restrictions is t without what only allows, and without HeaderOnly.
func (t Told) Restrictions() Told {
	return t.Each(func(_ string, told Text) policy.Directives { return told.Directives })
}

// Each is what t would restrict with other directives in place of each text; crawler is "" for the
// text for everyone. A crawler that would read the same as everyone has no text in it. If t has a
// role, it is t.
func (t Told) Each(instead func(crawler string, told Text) policy.Directives) Told {
	if t.Role != "" {
		return t
	}
	restricted := func(crawler string, told Text) Text {
		return Print(instead(crawler, told).Restrictions())
	}
	r := Told{Robots: restricted("", t.Robots)}
	for name, told := range t.Crawlers {
		if text := restricted(name, told); !text.Same(r.Robots) {
			r.Tell(name, text)
		}
	}
	return r
}

// Brief prints what t restricts and nothing else, and for a crawler only what is not restricted for
// everyone: "noindex, nofollow", "noarchive; yandex: noindex". It is empty if nothing is
// restricted.
func (t Told) Brief() string {
	forEveryone := restrictions(t.Robots.Directives)
	return t.join(func(crawler string, told Text) string {
		words := restrictions(told.Directives)
		if crawler != "" {
			words = slices.DeleteFunc(words,
				func(word string) bool { return slices.Contains(forEveryone, word) })
		}
		return strings.Join(words, ", ")
	})
}

// ReadBrief reads what [Told.Brief] has printed; [Indexable] restricts nothing.
func ReadBrief(text string) (t Told) {
	if text == string(Indexable) {
		return Told{}
	}
	for part := range strings.SplitSeq(text, "; ") {
		crawler, words := Addressee(part)
		if crawler != Everyone && !t.Robots.IsZero() { // which holds for the crawler too
			words = t.Robots.Printed + ", " + words
		}
		t.Tell(crawler, Read(words))
	}
	return t.Restrictions()
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

// Moves reports whether the page went out of the index of a crawler, or of everyone, because it is
// noindex now and was not; and whether it came into one, because it was noindex and is not now.
// Both are false if either has a role.
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
