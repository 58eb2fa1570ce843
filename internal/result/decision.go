package result

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"metarobots/policy"
)

// A Decision is what crawlers are told of one URL, as it is printed.
type Decision struct {
	Robots string `json:"robots,omitempty"` // what everyone is told; empty where nothing is said
	// Crawlers are those told something else, by name, each with all that it obeys (A3).
	Crawlers   map[string]string `json:"crawlers,omitempty"`
	HeaderOnly bool              `json:"headerOnly,omitempty"` // no tag says so, as with a PDF
	// Role is redirect, error or control: the file has no policy. Otherwise it is empty.
	Role string `json:"role,omitempty"`
}

// Decision is what the page's header asks for, and what its tags say where the header says nothing, since a header is
// asked for only where something is restricted (N1).
func (p *Page) Decision() Decision {
	if Unpoliced(p.Role) {
		return Decision{Role: p.Role}
	}
	d := Decision{HeaderOnly: len(p.Meta) == 0 && len(p.Header) > 0}
	for name, text := range p.Meta {
		d.Tell(name, text)
	}
	for _, line := range p.Header {
		d.Tell(Addressee(line))
	}
	return d
}

// Tell sets what a crawler is told, or everyone ("robots").
func (d *Decision) Tell(crawler, text string) {
	switch {
	case crawler == Everyone:
		d.Robots = text
	case d.Crawlers == nil:
		d.Crawlers = map[string]string{crawler: text}
	default:
		d.Crawlers[crawler] = text
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

// Equal reports whether crawlers are told the same.
func (d Decision) Equal(o Decision) bool {
	return d.Robots == o.Robots && maps.Equal(d.Crawlers, o.Crawlers) && d.HeaderOnly == o.HeaderOnly &&
		d.Role == o.Role
}

// String prints d in one line: "noindex, follow", "index, follow; bingbot: index, follow, nocache", "nothing",
// "redirect".
func (d Decision) String() string {
	if d.Role != "" {
		return d.Role
	}
	text := cmp.Or(d.join(func(crawler, text string) string {
		if crawler != "" {
			return cmp.Or(text, "nothing")
		}
		return text
	}), "nothing")
	if d.HeaderOnly {
		text += " (header only)"
	}
	return text
}

// join prints texts, each but that for everyone behind its crawler's name; none that are empty.
func (d Decision) join(of func(crawler, text string) string) string {
	var parts []string
	for _, name := range append([]string{""}, d.Names()...) {
		if text := of(name, d.Told(name)); text != "" {
			parts = append(parts, strings.TrimPrefix(name+": "+text, ": "))
		}
	}
	return strings.Join(parts, "; ")
}

// Names returns the crawlers that are told something of their own, sorted.
func (d Decision) Names() []string { return slices.Sorted(maps.Keys(d.Crawlers)) }

// Told returns what a crawler goes by that looks for statements under several names: the first that is addressed
// counts, then those of crawlers whose statements it obeys too (A2).
func (d Decision) Told(names ...string) string {
	for _, name := range slices.Concat(names, alsoObeyed(names)) {
		if text, ok := d.Crawlers[name]; ok {
			return text
		}
	}
	return d.Robots
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
	switch robots := policy.Stating(d.Robots); {
	case d.Role != "":
		return State(d.Role)
	case robots.NoIndex():
		return Noindex
	case robots.Restricts():
		return Limited
	}
	for _, text := range d.Crawlers {
		if policy.Stating(text).Restricts() {
			return Limited
		}
	}
	return Indexable
}

// Restrictions is d with what it restricts alone, and whether in a header or a tag left out.
func (d Decision) Restrictions() Decision {
	return d.Each(func(_, text string) policy.Directives { return policy.Stating(text) })
}

// Each is d with what it restricts alone by other texts for each crawler, "" for everyone.
func (d Decision) Each(of func(crawler, text string) policy.Directives) Decision {
	if d.Role != "" {
		return d
	}
	restricted := func(crawler, text string) string {
		return of(crawler, text).Restrictions().Format(policy.Style{KeepRedundant: true})
	}
	r := Decision{Robots: restricted("", d.Robots)}
	for name, text := range d.Crawlers {
		if text = restricted(name, text); text != r.Robots {
			r.Tell(name, text)
		}
	}
	return r
}

// Brief prints what d restricts and nothing else, for a crawler what everyone is not told: "noindex, nofollow",
// "noarchive; yandex: noindex"; empty where nothing is.
func (d Decision) Brief() string {
	generic := restricted(d.Robots)
	return d.join(func(crawler, text string) string {
		return strings.Join(slices.DeleteFunc(restricted(text), func(word string) bool {
			return crawler != "" && slices.Contains(generic, word)
		}), ", ")
	})
}

func restricted(text string) (words []string) {
	d := policy.Stating(text)
	for _, w := range d.Words(policy.Style{}) {
		if d.On(w.Axis).Restricts() && !slices.Contains(words, w.Text) {
			words = append(words, w.Text)
		}
	}
	return words
}
