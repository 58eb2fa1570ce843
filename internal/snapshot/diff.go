package snapshot

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"metarobots/internal/seen"
	"metarobots/policy"
)

// A Change is one URL that is decided otherwise than before.
type Change struct {
	URL string `json:"url"`
	Was string `json:"was"` // the old decision in one line; empty where the URL is in the new snapshot alone
	Is  string `json:"is"`  // the new one, likewise
	// Reason is why: the new decision's where that restricts anything, else the old one's, which has gone. Of a newly
	// indexable URL it is the old one's.
	Reason seen.Reason `json:"reason"`
	// File and Line are where the reason stands, of a run or a result of --json: a file of snapshots does not say.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// because is c for another reason, which stands at a place or nowhere.
func (c Change) because(reason seen.Reason, file string, line int) Change {
	c.Reason, c.File, c.Line = reason, file, line
	return c
}

// compare compares a URL's entries; either is nil if the URL is in one snapshot alone.
func compare(old, new *Entry) Change {
	var c Change
	for _, e := range []*Entry{old, new} {
		if e != nil && (c.Reason.IsZero() || !e.Reason.IsZero()) {
			c.URL, c.Reason, c.File, c.Line = e.URL, e.Reason, e.File, e.Line
		}
	}
	if old != nil {
		c.Was = old.Told.String()
	}
	if new != nil {
		c.Is = new.Told.String()
	}
	if old == nil || new == nil {
		return c
	}
	was, is := old.others(), new.others()
	without := func(lines, of []string) string {
		rest := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return slices.Contains(of, l) })
		return strings.Join(append([]string{""}, rest...), "; ")
	}
	c.Was, c.Is = c.Was+without(was, is), c.Is+without(is, was)
	switch {
	case !old.Told.Equal(new.Told):
		return c
	case !maps.Equal(old.AI, new.AI):
		return c.because(seen.Reason{Text: "what AI may do"}, "", 0)
	}
	rule := cmp.Or(differing(new.Headers, was), differing(old.Headers, is))
	return c.because(seen.Reason{Text: "other headers"}, rule.File, rule.Line)
}

// others are what an entry says beside its decision: what AI may do, and other headers.
func (e *Entry) others() (texts []string) {
	for use, preference := range sorted(e.AI) {
		texts = append(texts, use+" = "+preference)
	}
	for _, header := range e.Headers {
		texts = append(texts, header.String())
	}
	return texts
}

// differing is the rule of the first line that is not among others.
func differing(headers []seen.Header, others []string) policy.Origin {
	for _, header := range headers {
		if !slices.Contains(others, header.String()) {
			return header.Origin
		}
	}
	return policy.Origin{}
}

// freed names the uses by AI that the old entry denies and the new one does not: "training, input". It is empty for
// none.
func freed(old, new *Entry) string {
	var uses []string
	for use, preference := range sorted(old.AI) {
		if preference == policy.Denied.String() && new.AI[use] != preference {
			uses = append(uses, use)
		}
	}
	return strings.Join(uses, ", ")
}

// Changes are what differs between two snapshots, each list sorted by URL.
type Changes struct {
	// NewlyNoindex are URLs that are noindex for everyone or one crawler, and were not; NewlyIndexable are the reverse.
	// A URL may be in both, for two crawlers.
	NewlyNoindex   []Change `json:"newlyNoindex"`
	NewlyIndexable []Change `json:"newlyIndexable"`
	// NewlyAllowed are URLs that AI may use now in a way that was denied. The reason is that use, or quotes the signal in
	// robots.txt or tdmrep.json that denied it. They may be in the first two as well.
	NewlyAllowed []Change `json:"newlyAllowed"`
	// LostCanonical are URLs whose headers named a canonical URL and name none any more. They are in another list too.
	LostCanonical []Change `json:"-"`
	// Changed have another decision, and are in none of those before.
	Changed []Change `json:"changed"`
	// Added and Removed are in one of the snapshots alone.
	Added   []Change `json:"added"`
	Removed []Change `json:"removed"`
	// Fetches are what crawlers may no longer fetch, and may now, by robots.txt. URLs in it may be in other lists too.
	Fetches []seen.FetchChange `json:"fetches"`
}

// Diff returns what changed from old to new. Reasons and dates alone are no change. Where either decision is that of a
// redirect, an error page or a control file, the URL has changed and is neither newly noindex nor newly indexable.
func Diff(old, new *Snapshot) *Changes {
	c := &Changes{NewlyNoindex: []Change{}, NewlyIndexable: []Change{}, NewlyAllowed: []Change{},
		Changed: []Change{}, Added: []Change{}, Removed: []Change{}, Fetches: compareFetches(old, new)}
	was, is := old.byURL(), new.byURL()
	lostDenial := compareDenials(old, new)
	for i := range old.Entries {
		if o := &old.Entries[i]; is[o.URL] == nil {
			c.Removed = append(c.Removed, compare(o, nil))
		}
	}
	for i := range new.Entries {
		n := &new.Entries[i]
		o := was[n.URL]
		if o == nil {
			c.Added = append(c.Added, compare(nil, n))
			continue
		}
		uses, undenied := freed(o, n), ""
		hasPolicies := o.Told.Role == "" && n.Told.Role == ""
		if uses == "" && hasPolicies { // with uses the URL is newly allowed in any case
			undenied = lostDenial(o, n)
		}
		// What the files of a host deny is not in the entries, which may be equal.
		if undenied != "" {
			c.NewlyAllowed = append(c.NewlyAllowed, Change{URL: n.URL, Was: "denied", Is: "not denied",
				Reason: seen.Reason{Text: undenied}})
		}
		if o.Told.Equal(n.Told) && slices.Equal(o.others(), n.others()) {
			continue
		}
		change := compare(o, n)
		isNewlyNoindex, isNewlyIndexable := o.Told.Moves(n.Told) // neither, if one has a role
		if isNewlyNoindex {
			c.NewlyNoindex = append(c.NewlyNoindex, change)
		}
		if isNewlyIndexable {
			c.NewlyIndexable = append(c.NewlyIndexable, change.because(o.Reason, o.File, o.Line))
		}
		if o.hasCanonical() && !n.hasCanonical() {
			c.LostCanonical = append(c.LostCanonical, change.because(seen.Reason{Text: "canonical link"}, "", 0))
		}
		if uses != "" {
			c.NewlyAllowed = append(c.NewlyAllowed, change.because(seen.Reason{Text: uses}, "", 0))
		}
		if !isNewlyNoindex && !isNewlyIndexable && uses == "" && undenied == "" {
			c.Changed = append(c.Changed, change)
		}
	}
	return c
}

// Empty reports whether nothing changed.
func (c *Changes) Empty() bool { return len(c.Lists()) == 0 && len(c.Fetches) == 0 }

// Counts say how many URLs are in each list that is not empty: "3 newly noindex".
func (c *Changes) Counts() (all []string) {
	for _, l := range c.Lists() {
		all = append(all, fmt.Sprintf("%d %s", len(l.List), l.Title))
	}
	for _, l := range c.FetchLists() {
		all = append(all, fmt.Sprintf("%d %s", l.URLs, l.Title))
	}
	return all
}

// A FetchList is what crawlers may no longer fetch, or may now.
type FetchList struct {
	Title string
	List  []seen.FetchChange
	URLs  int // how many are in the list, each once
}

// FetchLists are those lists that are not empty.
func (c *Changes) FetchLists() (lists []FetchList) {
	for _, allowed := range []bool{false, true} {
		l := FetchList{Title: map[bool]string{false: "newly disallowed", true: "newly fetchable"}[allowed]}
		urls := map[string]bool{}
		for _, change := range c.Fetches {
			if change.Allowed != allowed {
				continue
			}
			l.List = append(l.List, change)
			for _, url := range change.URLs {
				urls[url] = true
			}
		}
		if l.URLs = len(urls); l.URLs > 0 {
			lists = append(lists, l)
		}
	}
	return lists
}

// A ChangeList is one list of changes and what it is called.
type ChangeList struct {
	Title string
	List  []Change
}

// Lists returns the lists that are not empty, in the order in which they matter.
func (c *Changes) Lists() []ChangeList {
	return slices.DeleteFunc([]ChangeList{
		{"newly noindex", c.NewlyNoindex},
		{"newly indexable", c.NewlyIndexable},
		{"no longer denied to AI", c.NewlyAllowed},
		{"changed", c.Changed},
		{"removed", c.Removed},
		{"added", c.Added},
	}, func(l ChangeList) bool { return len(l.List) == 0 })
}

// Print prints the changes as text, whole lines at a time: each list with its number, and what was, what is and why,
// once for the URLs that have it in common, of which so many at most are named.
func (c *Changes) Print(most int, printf func(format string, args ...any)) {
	for _, l := range c.Lists() {
		printf("%s (%d)\n", l.Title, len(l.List))
		for _, group := range Group(l.List, func(c Change) string { return WithoutTargets(c.Step()) + "\n" + c.Why() }) {
			step := group[0].Step()
			if slices.ContainsFunc(group, func(c Change) bool { return c.Step() != step }) {
				step = WithoutTargets(step)
			}
			for _, change := range group[:min(most, len(group))] {
				printf("  %s\n", change.URL)
			}
			if more := len(group) - most; more > 0 {
				printf("  … and %d more (-v)\n", more)
			}
			printf("    %s\n", step)
			if why := group[0].Why(); why != "" {
				printf("    %s\n", why)
			}
		}
	}
	for _, l := range c.FetchLists() {
		printf("%s (%d)\n", l.Title, l.URLs)
		for _, change := range l.List {
			printf("  %s\n", change.String())
			for _, url := range change.URLs[1:] {
				if most == math.MaxInt {
					printf("    %s\n", url)
				}
			}
		}
	}
}

// Group puts the items of a list together that have the same key, in the order of the first of each.
func Group[T any, K comparable](list []T, key func(T) K) (groups [][]T) {
	at := map[K]int{}
	for _, item := range list {
		k := key(item)
		i, ok := at[k]
		if !ok {
			i, at[k] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], item)
	}
	return groups
}

// Step prints what was and what is: "index, follow → noindex, follow", or the one of them that there is.
func (c Change) Step() string {
	switch {
	case c.Was == "":
		return c.Is
	case c.Is == "":
		return c.Was
	}
	return c.Was + " → " + c.Is
}

// Why is the reason and where it stands: "metarobots.toml:2: visibility, robots.visibility.sections.blog".
func (c Change) Why() string { return policy.Placed(c.File, c.Line, c.Reason.Text) }

// Unacknowledged returns the newly noindex, indexable and allowed URLs, and those that crawlers may fetch otherwise, that no
// glob selects, by their decoded paths, and the indexes of the globs that select none of them.
func (c *Changes) Unacknowledged(acknowledged []policy.Glob) (rest Changes, unused []int) {
	used := make([]bool, len(acknowledged))
	known := func(change Change) (known bool) {
		p := policy.Path{URL: policy.Decoded(change.URL)}
		if p.File = p.URL; strings.HasSuffix(p.URL, "/") {
			p.File += "index.html"
		}
		for i, g := range acknowledged {
			match := g.Match(p)
			used[i], known = used[i] || match, known || match
		}
		return known
	}
	unknown := func(list []Change) []Change { return slices.DeleteFunc(slices.Clone(list), known) }
	rest = Changes{NewlyNoindex: unknown(c.NewlyNoindex), NewlyIndexable: unknown(c.NewlyIndexable),
		NewlyAllowed: unknown(c.NewlyAllowed), LostCanonical: unknown(c.LostCanonical)}
	for _, change := range c.Fetches {
		change.URLs = slices.DeleteFunc(slices.Clone(change.URLs), func(url string) bool { return known(Change{URL: url}) })
		if len(change.URLs) > 0 {
			rest.Fetches = append(rest.Fetches, change)
		}
	}
	for i, used := range used {
		if !used {
			unused = append(unused, i)
		}
	}
	return rest, unused
}
