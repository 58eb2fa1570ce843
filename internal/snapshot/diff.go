package snapshot

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metarobots/internal/plan"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// A Change is one URL that is decided otherwise than before.
type Change struct {
	URL string `json:"url"`
	Was string `json:"was"` // the old decision in one line; empty where the URL is in the new snapshot alone
	Is  string `json:"is"`  // the new one, likewise
	// Reason is why: the new decision's where that restricts anything, else the old one's, which
	// has gone. Of a newly indexable URL it is the old one's.
	Reason seen.Reason `json:"reason"`
	// File and Line are the place of the reason, in a run or a result of --json: the file of a
	// snapshot has no places.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// To is the URL that it leads to, if it is newly leading. LedTo is the one that it led to
	// before; empty for none.
	To    string `json:"-"`
	LedTo string `json:"-"`
	// LostCarrier is what delivered a restriction that is not delivered any more, Carriers are what
	// still carries it, at another host, with blanks between them.
	LostCarrier string `json:"-"`
	Carriers    string `json:"-"`
}

// An entryPair is the entries of one URL in both snapshots.
type entryPair struct {
	old, new *Entry
	// knowLeads: both snapshots say where canonical links lead.
	knowLeads bool
}

// withReason is c for another reason, with the place of that; no place is "", 0.
func (c Change) withReason(reason seen.Reason, file string, line int) Change {
	c.Reason, c.File, c.Line = reason, file, line
	return c
}

// withText is c for another reason that has no place.
func (c Change) withText(reason string) Change { return c.withReason(seen.Reason{Text: reason}, "", 0) }

// changeOf is the change of a URL that one of the snapshots alone has.
func changeOf(e *Entry) Change {
	return Change{URL: e.URL, Reason: e.Reason, File: e.File, Line: e.Line}
}

// change is the change of a URL that both snapshots have. Its decision is the reason if that is
// another one, else what AI may do if that is something else, else the other headers.
func (p entryPair) change() Change {
	was, is := p.others()
	decides := p.new
	if p.new.Reason.IsZero() && !p.old.Reason.IsZero() {
		decides = p.old
	}
	c := changeOf(decides)
	c.Was = strings.Join(append([]string{p.old.Told.String()}, without(was, is)...), "; ")
	c.Is = strings.Join(append([]string{p.new.Told.String()}, without(is, was)...), "; ")
	switch {
	case !p.old.Told.Equal(p.new.Told):
		return c
	case !maps.Equal(p.old.AI, p.new.AI):
		return c.withText("what AI may do")
	case slices.Equal(p.old.others(), p.new.others()):
		return c.withText(plan.ByCanonicalLink)
	}
	rule := cmp.Or(ruleOfOther(p.new.Headers, was), ruleOfOther(p.old.Headers, is))
	return c.withReason(seen.Reason{Text: "other headers"}, rule.File, rule.Line)
}

// without is a list without the texts of another.
func without(texts, left []string) []string {
	return slices.DeleteFunc(slices.Clone(texts),
		func(text string) bool { return slices.Contains(left, text) })
}

// others are what an entry says beside its decision: what AI may do, and other headers, as it is
// shown.
func (e *Entry) others() (texts []string) {
	for use, preference := range sorted(e.AI) {
		texts = append(texts, use+" = "+preference)
	}
	for _, header := range e.Headers {
		texts = append(texts, header.String())
	}
	return texts
}

// ruleOfOther is the rule of the first header that is not among some texts; zero if all are, or if
// nobody knows it.
func ruleOfOther(headers []seen.Header, texts []string) policy.Origin {
	for _, header := range headers {
		if !slices.Contains(texts, header.String()) {
			return header.Origin
		}
	}
	return policy.Origin{}
}

// freedUses names the uses by AI that the old entry denies and the new one does not: "training,
// input". It is empty for none.
// A redirect frees none: crawlers judge its target.
func (p entryPair) freedUses() string {
	if p.new.Told.Role == string(seen.Redirect) {
		return ""
	}
	denied := policy.Denied.String()
	var uses []string
	for use, preference := range sorted(p.old.AI) {
		if preference == denied && p.new.AI[use] != denied {
			uses = append(uses, use)
		}
	}
	return strings.Join(uses, ", ")
}

// Changes are what differs between two snapshots, each list sorted by URL.
type Changes struct {
	// NewlyNoindex are URLs that are noindex for everyone or one crawler, and were not;
	// NewlyIndexable are the reverse. A URL may be in both, for two crawlers.
	NewlyNoindex   []Change `json:"newlyNoindex"`
	NewlyIndexable []Change `json:"newlyIndexable"`
	// NewlyAllowed are URLs that AI may use now in a way that was denied. The reason is that use,
	// or quotes the signal in robots.txt or tdmrep.json that denied it. They may be in the first
	// two as well.
	NewlyAllowed []Change `json:"newlyAllowed"`
	// LostCanonical are URLs whose headers named a canonical URL and name none any more. They are
	// in another list too.
	LostCanonical []Change `json:"-"`
	// NewlyLeading are URLs that were indexable, and now lead search engines to another URL, by a
	// redirect or a canonical link, and those whose canonical link named another URL than it does
	// now.
	NewlyLeading []Change `json:"newlyLeading"`
	// NoLongerLeading are URLs whose canonical link named another one, and that may be listed
	// themselves now. They are in another list too.
	NoLongerLeading []Change `json:"-"`
	// NewlyUndelivered are URLs that restrict something, as before or otherwise, and have lost a
	// carrier: nothing carries what they restrict, or only files that another host reads.
	NewlyUndelivered []Change `json:"newlyUndelivered"`
	// OthersOpened are the targets whose files kept hosts other than the site's own out of the
	// index, and where no file does so any more.
	OthersOpened []string `json:"othersOpened,omitempty"`
	// HostsOpened are hosts that were kept out of the index as others than the site's own, and are
	// not any more, while others still are.
	HostsOpened []string `json:"hostsOpened,omitempty"`
	// StayingOpen are other names of the site that _redirects sent home, and does not any more.
	StayingOpen []string `json:"stayingOpen,omitempty"`
	// Changed are the URLs whose entries differ, in the decision, the uses by AI, other headers or a
	// canonical link, and that none of the lists of URLs before has, except LostCanonical and
	// NoLongerLeading, which are always beside another list.
	Changed []Change `json:"changed"`
	// Added and Removed are in one of the snapshots alone.
	Added   []Change `json:"added"`
	Removed []Change `json:"removed"`
	// Fetches are what crawlers may no longer fetch, and may now, by robots.txt. URLs in it may be
	// in other lists too.
	Fetches []seen.FetchChange `json:"fetches"`
}

// Diff returns what changed from old to new. Reasons and dates alone are no change. If the entries
// of a URL differ, and either is that of a redirect, an error page or a control file, the URL has
// changed and is neither newly noindex nor newly indexable.
func Diff(old, new *Snapshot) *Changes {
	c := &Changes{NewlyNoindex: []Change{}, NewlyIndexable: []Change{}, NewlyAllowed: []Change{},
		NewlyLeading: []Change{}, NewlyUndelivered: []Change{}, Changed: []Change{},
		Added: []Change{}, Removed: []Change{},
		Fetches: compareFetches(old, new), OthersOpened: othersOpened(old, new),
		HostsOpened: hostsOpened(old, new), StayingOpen: stayingOpen(old, new)}
	was, is := old.byURL(), new.byURL()
	for i := range old.Entries {
		if o := &old.Entries[i]; is[o.URL] == nil {
			removed := changeOf(o)
			removed.Was = o.Told.String()
			c.Removed = append(c.Removed, removed)
		}
	}
	liftedDenial := compareDenials(old, new)
	knowLeads := !old.leadsUnknown && !new.leadsUnknown
	for i := range new.Entries {
		n := &new.Entries[i]
		if o := was[n.URL]; o != nil {
			c.compare(entryPair{o, n, knowLeads}, liftedDenial)
			continue
		}
		added := changeOf(n)
		added.Is = n.Told.String()
		c.Added = append(c.Added, added)
	}
	return c
}

// compare puts a URL that both snapshots have into each list of c that it belongs to, for [Diff]:
// into several if several things changed, into none if nothing differs. Changed has it if its
// entries differ and none of the lists NewlyNoindex, NewlyIndexable, NewlyAllowed, NewlyLeading and
// NewlyUndelivered has it.
//
// liftedDenial is the function that [compareDenials] made for the two snapshots: it quotes a line
// of robots.txt or tdmrep.json that denied something to AI at the URL and does so no more, or
// returns "".
func (c *Changes) compare(p entryPair, liftedDenial func(entryPair) string) {
	// These lists may have a URL whose two entries say the same: what carries that and the files of
	// its host may be others, or the owner now redirects every address of a page.
	isNewlyAllowed := c.addAllowed(p, liftedDenial)
	leading, isLeading := p.leading()
	if isLeading {
		c.NewlyLeading = append(c.NewlyLeading, leading)
	}
	undelivered, isUndelivered := p.undelivered()
	if isUndelivered {
		c.NewlyUndelivered = append(c.NewlyUndelivered, undelivered)
	}
	if p.areSame() {
		return
	}
	change := p.change()
	isMoved := c.addMoved(p, change)
	if p.old.hasCanonical() && !p.new.hasCanonical() { // in its headers
		c.LostCanonical = append(c.LostCanonical, change.withText("canonical link"))
	}
	if p.noLongerLeads() {
		c.NoLongerLeading = append(c.NoLongerLeading, change.withText(textOf(p.old.Leads)))
	}
	isListed := isMoved || isNewlyAllowed || isUndelivered || isLeading
	if !isListed {
		c.Changed = append(c.Changed, change)
	}
}

// areSame reports whether both entries say the same: the decision, the uses by AI, other headers
// and, if both snapshots know that, where canonical links lead.
func (p entryPair) areSame() bool {
	was, is := p.others()
	return p.old.Told.Equal(p.new.Told) && slices.Equal(was, is)
}

// addMoved puts the change of a URL into NewlyNoindex if it has moved out of the index for a
// crawler, and into NewlyIndexable if it has moved in. For two crawlers it may be both; it is
// neither if one of the entries has a role instead of a decision. isMoved reports whether it is
// either.
func (c *Changes) addMoved(p entryPair, change Change) (isMoved bool) {
	isNewlyNoindex, isNewlyIndexable := p.old.Told.Moves(p.new.Told)
	if isNewlyNoindex {
		c.NewlyNoindex = append(c.NewlyNoindex, change)
	}
	if isNewlyIndexable { // the reason is that of the old noindex, since the new decision has none
		indexable := change.withReason(p.old.Reason, p.old.File, p.old.Line)
		c.NewlyIndexable = append(c.NewlyIndexable, indexable)
	}
	return isNewlyNoindex || isNewlyIndexable
}

// addAllowed puts a URL into NewlyAllowed if AI may use it now in a way that was denied: because
// its entry frees uses, or else because a file beside the pages has lost a line, as liftedDenial
// finds. It reports whether it did so.
func (c *Changes) addAllowed(p entryPair, liftedDenial func(entryPair) string) (isAllowed bool) {
	if uses := p.freedUses(); uses != "" {
		c.NewlyAllowed = append(c.NewlyAllowed, p.change().withText(uses))
		return true
	}
	haveDecisions := p.old.Told.Role == "" && p.new.Told.Role == ""
	if !haveDecisions { // at a redirect, crawlers judge its target
		return false
	}
	line := liftedDenial(p)
	if line == "" {
		return false
	}
	c.NewlyAllowed = append(c.NewlyAllowed, Change{URL: p.new.URL, Was: "denied", Is: "not denied",
		Reason: seen.Reason{Text: line}})
	return true
}

// Empty reports whether nothing changed.
func (c *Changes) Empty() bool {
	return len(c.Lists()) == 0 && len(c.Fetches) == 0 && len(c.OthersOpened)+len(c.HostsOpened)+
		len(c.StayingOpen) == 0
}

// Counts say how many URLs are in each list that is not empty: "3 newly noindex".
func (c *Changes) Counts() (all []string) {
	for _, l := range c.Lists() {
		all = append(all, fmt.Sprintf("%d %s", len(l.List), l.Title))
	}
	for _, l := range c.FetchLists() {
		all = append(all, fmt.Sprintf("%d %s", l.URLs, l.Title))
	}
	if len(c.OthersOpened) > 0 {
		all = append(all, othersAreOpen)
	}
	if len(c.HostsOpened) > 0 {
		all = append(all, fmt.Sprintf("%d hosts no longer kept out of the index",
			len(c.HostsOpened)))
	}
	if len(c.StayingOpen) > 0 {
		all = append(all, fmt.Sprintf("%d no longer redirected to the site's host",
			len(c.StayingOpen)))
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
	var disallowed, fetchable []seen.FetchChange
	for _, change := range c.Fetches {
		if change.Allowed {
			fetchable = append(fetchable, change)
		} else {
			disallowed = append(disallowed, change)
		}
	}
	return slices.DeleteFunc([]FetchList{
		{"newly disallowed", disallowed, countURLs(disallowed)},
		{"newly fetchable", fetchable, countURLs(fetchable)},
	}, func(l FetchList) bool { return l.URLs == 0 })
}

// countURLs is how many URLs are in some changes, each once.
func countURLs(changes []seen.FetchChange) int {
	urls := map[string]bool{}
	for _, change := range changes {
		for _, url := range change.URLs {
			urls[url] = true
		}
	}
	return len(urls)
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
		{"newly leading to another URL", c.NewlyLeading},
		{"no longer delivered", c.NewlyUndelivered},
		{"changed", c.Changed},
		{"removed", c.Removed},
		{"added", c.Added},
	}, func(l ChangeList) bool { return len(l.List) == 0 })
}

// Group puts the items of a list together that have the same key, in the order of the first of
// each.
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

// Unacknowledged returns the changes that are left if the owner acknowledges all URLs that a glob
// selects, by their decoded paths, and the indexes of the globs that select none of them. The lists
// Changed, Added and Removed are empty in rest: nobody has to acknowledge those. OthersOpened,
// HostsOpened and StayingOpen are about hosts, so no glob takes anything out of them.
func (c *Changes) Unacknowledged(globs []policy.Glob) (rest Changes, unused []int) {
	a := acknowledgement{globs, make([]bool, len(globs))}
	rest = Changes{
		NewlyNoindex:     a.left(c.NewlyNoindex),
		NewlyIndexable:   a.left(c.NewlyIndexable),
		NewlyAllowed:     a.left(c.NewlyAllowed),
		LostCanonical:    a.left(c.LostCanonical),
		NewlyLeading:     a.left(c.NewlyLeading),
		NoLongerLeading:  a.left(c.NoLongerLeading),
		NewlyUndelivered: a.left(c.NewlyUndelivered),
		OthersOpened:     c.OthersOpened,
		HostsOpened:      c.HostsOpened,
		StayingOpen:      c.StayingOpen,
	}
	for _, change := range c.Fetches { // each is of several URLs
		change.URLs = slices.DeleteFunc(slices.Clone(change.URLs), a.covers)
		if len(change.URLs) > 0 {
			rest.Fetches = append(rest.Fetches, change)
		}
	}
	for i, isUsed := range a.isUsed {
		if !isUsed {
			unused = append(unused, i)
		}
	}
	return rest, unused
}

// An acknowledgement is the globs of the URLs whose changes the owner acknowledges, and which of
// them have selected one so far.
type acknowledgement struct {
	globs  []policy.Glob
	isUsed []bool
}

// covers reports whether a glob selects a URL. Each that does is used, and not the first alone.
func (a *acknowledgement) covers(url string) (isCovered bool) {
	path := pathOf(url)
	for i, g := range a.globs {
		if g.Match(path) {
			a.isUsed[i], isCovered = true, true
		}
	}
	return isCovered
}

// left are the changes of a list that are not acknowledged.
func (a *acknowledgement) left(list []Change) []Change {
	isCovered := func(change Change) bool { return a.covers(change.URL) }
	return slices.DeleteFunc(slices.Clone(list), isCovered)
}

// pathOf is what a glob matches of a URL. A snapshot has no names of files, so the file of a
// folder's URL is taken to be its index.html.
func pathOf(url string) policy.Path {
	path := policy.Path{URL: policy.Decoded(url)}
	path.File = path.URL
	if strings.HasSuffix(path.URL, "/") {
		path.File += "index.html"
	}
	return path
}
