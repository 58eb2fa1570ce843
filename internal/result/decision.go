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
	// Robots is what everyone is told; empty where nothing is said.
	Robots string `json:"robots,omitempty"`
	// Crawlers are those told something else, by name, each with all that it obeys (A3).
	Crawlers map[string]string `json:"crawlers,omitempty"`
	// HeaderOnly: no tag says so, as with a PDF.
	HeaderOnly bool `json:"headerOnly,omitempty"`
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
	tell := func(crawler, text string) {
		switch {
		case crawler == everyone:
			d.Robots = text
		case d.Crawlers == nil:
			d.Crawlers = map[string]string{crawler: text}
		default:
			d.Crawlers[crawler] = text
		}
	}
	for name, text := range p.Meta {
		tell(name, text)
	}
	for _, line := range p.Header {
		tell(Addressee(line))
	}
	return d
}

// Unpoliced reports whether files of a role have no policy (L3, L4, L6).
func Unpoliced(role string) bool { return role == "redirect" || role == "error" || role == "control" }

// everyone is the name of the tag that is for every crawler.
const everyone = "robots"

// Addressee splits a printed line: the crawler before the first colon, unless that is a directive's own (D0).
func Addressee(line string) (crawler, text string) {
	name, rest, ok := strings.Cut(line, ":")
	if _, valued, _ := policy.Lookup(name); !ok || valued || !policy.IsToken(name) {
		return everyone, line
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
	var parts []string
	if d.Robots != "" {
		parts = append(parts, d.Robots)
	}
	for _, name := range d.Names() {
		parts = append(parts, name+": "+d.Crawlers[name])
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
func (d Decision) Told(names ...string) string {
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
	if d.Role != "" {
		return d
	}
	only := func(told string) string {
		if told == disallowed {
			return told
		}
		return policy.Stating(told).Restrictions().Format(policy.Style{KeepRedundant: true})
	}
	r := Decision{Robots: only(d.Robots)}
	for name, told := range d.Crawlers {
		if told = only(told); told == r.Robots {
			continue
		}
		if r.Crawlers == nil {
			r.Crawlers = map[string]string{}
		}
		r.Crawlers[name] = told
	}
	return r
}

// disallowed stands for what a crawler is told that robots.txt keeps from a URL of a deployed site.
const disallowed = "disallowed"

// Brief prints what d restricts and nothing else: "noindex, nofollow", "noarchive; yandex: noindex"; empty where
// nothing is.
func (d Decision) Brief() string {
	generic := restricted(d.Robots)
	var parts []string
	if len(generic) > 0 {
		parts = append(parts, strings.Join(generic, ", "))
	}
	for _, name := range d.Names() {
		// What everyone is told stands in front.
		own := slices.DeleteFunc(restricted(d.Crawlers[name]), func(word string) bool {
			return slices.Contains(generic, word)
		})
		if len(own) > 0 {
			parts = append(parts, name+": "+strings.Join(own, ", "))
		}
	}
	return strings.Join(parts, "; ")
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
