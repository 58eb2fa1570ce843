package headers

import (
	"cmp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// An item is what one rule for a single path serves: the requests that the rule matches, whose
// files all want the same value. One file may have several items, since hosts answer with it at
// several paths (/a and /a.html); one item may be for requests at both hosts. Once
// [gatherItems] has returned it, an item does not change.
type item struct {
	path     string // what its own rule is for
	key      string // its place in the tree: the path as the last host folds it
	requests []request
	value    *value // what they want
	template *value // a template that comes to the value; nil if there is none
	// canStar: a rule with a star can state the value too.
	canStar bool

	// What the item gets without rules of ours for files.
	isServed bool // what it wants, at each request
	hasTag   bool // each file has tags that tell every crawler what is wanted
	// isOptional: it goes without if its value costs a rule.
	isOptional bool
	// isReachedByOwner: on Cloudflare, a rule of the owner's or the environment's sets the header
	// for it or takes it away.
	isReachedByOwner bool

	own      ownRule
	lines    *ourRule        // its own rule, if own is inOwnersBlock
	obstacle *policy.Finding // why it has none, if own is impossible
}

// preferred returns the value or the template that a rule with a star should state for an item:
// the one that more files want, since that takes fewer rules. It is nil if no such rule can.
func (it *item) preferred() *value {
	switch t := it.template; {
	case !it.canStar:
		return nil
	case t != nil && t.wantedBy > 1 && t.wantedBy >= it.value.wantedBy:
		return t
	}
	return it.value
}

// itemKey tells items apart: by what they want, and by their key or, for Cloudflare, their path.
type itemKey struct {
	value *value
	path  string
}

// gatherer makes items of wants.
type gatherer struct {
	setting *setting
	wants   []robotstag.Want
	values  *values
	known   map[itemKey]*item
	items   []*item
}

// gatherItems makes the items of all wants that are not free, in the order of the folders.
func gatherItems(s *setting, wants []robotstag.Want, values *values) []*item {
	g := &gatherer{setting: s, wants: wants, values: values, known: make(map[itemKey]*item, len(wants))}
	for i := range wants {
		if !wants[i].Free {
			g.add(int32(i))
		}
	}
	slices.SortFunc(g.items, func(a, b *item) int {
		return cmp.Or(compareFolders(a.key, b.key), strings.Compare(a.value.text, b.value.text),
			strings.Compare(a.path, b.path))
	})
	for from, to := 0, 0; from < len(g.items); from = to {
		for to < len(g.items) && g.items[to].key == g.items[from].key {
			to++
		}
		for _, it := range g.items[from:to] {
			g.examine(it, g.items[from:to])
		}
	}
	return g.items
}

// compareFolders compares paths, with slashes before all else, so that what lies in a folder stays
// together.
func compareFolders(a, b string) int {
	for i := range min(len(a), len(b)) {
		switch {
		case a[i] == b[i]:
		case a[i] == '/' || b[i] != '/' && a[i] < b[i]:
			return -1
		default:
			return 1
		}
	}
	return len(a) - len(b)
}

// add adds the requests of a want, by its number, to their items. Two requests of
// the want share an item if they want the same and no rule can tell their paths apart.
func (g *gatherer) add(want int32) {
	var ofWant []*item
	w := &g.wants[want]
	engines := g.setting.owner.engines
	last := engines[len(engines)-1].dialect // it tells the fewest paths apart
	for _, r := range g.setting.owner.requests(w.Path, w.Source) {
		r.want = want
		value, key := g.values.wantedAt(r, w), r.engine.dialect.key
		at := slices.IndexFunc(ofWant, func(it *item) bool {
			return it.value == value && key(it.path) == key(r.path)
		})
		if at < 0 {
			at, ofWant = len(ofWant), append(ofWant, g.itemFor(r.path, last.key(r.path), value))
		}
		ofWant[at].requests = append(ofWant[at].requests, r)
	}
}

// itemFor returns the item for a path with a key and a value: a known one, or a new one.
func (g *gatherer) itemFor(path, key string, value *value) *item {
	id := itemKey{value, key}
	if g.setting.cloudflare != nil {
		id.path = path
	}
	it := g.known[id]
	if it == nil {
		it = &item{path: path, key: key, value: value}
		g.known[id], g.items = it, append(g.items, it)
	}
	it.path = min(it.path, path)
	return it
}

// examine finds out what an item gets without rules of ours, and which rules it can have. sameKey
// are the items with its key.
func (g *gatherer) examine(it *item, sameKey []*item) {
	v := it.value
	// Only Cloudflare has rules for no header: one can take it away.
	isStatable := v.fault == "" && (v.text != "" || !g.setting.isForNetlify)
	it.isServed, it.hasTag, it.isOptional = true, true, true
	for _, r := range it.requests {
		rules, got := g.setting.owner.baseValues(r)
		owners, w := robotstag.Join(g.setting.owner.ownValues(r)), &g.wants[r.want]
		it.isServed = it.isServed && g.isRight(r, v.text, got, owners) &&
			!(v.text != "" && g.isGuess(r, rules, got))
		it.hasTag = it.hasTag && g.setting.isFirst && w.HTML && len(w.Values) > 0
		it.isOptional = it.isOptional && w.Spare
		it.isReachedByOwner = it.isReachedByOwner || r.engine == g.setting.cloudflare &&
			slices.ContainsFunc(rules, func(r *Rule) bool { return r.concerns() })
		// A rule that takes the header away would take what the owner says, too.
		isStatable = isStatable && (v.text != "" || owners == "")
	}
	if it.canStar = isStatable && !strings.Contains(v.text, ":splat"); it.canStar {
		it.template = g.values.findTemplate(v, it.path)
	}
	g.findOwnRule(it, sameKey, isStatable)
}

// isGuess reports whether what rules give a request rests on a reading that its host does not
// document: see [Rule.isGuess].
func (g *gatherer) isGuess(r request, rules []*Rule, values []robotstag.Value) bool {
	got := r.engine.dialect.combine(documentedOf(rules, r.path), g.setting.owner.host, r.path)
	return robotstag.Join(got) != robotstag.Join(values)
}

// isRight reports whether a request needs no rule of ours: values are what it gets without one,
// owners what the owner's rules alone give. If these say what the file wants in other words, that
// counts only if they say the same at every request path of the file.
func (g *gatherer) isRight(r request, wanted string, values []robotstag.Value, owners string) bool {
	got := robotstag.Join(values)
	switch w := &g.wants[r.want]; {
	case r.engine.dialect.says(&g.setting.header, values, wanted), got == owners && wanted == "":
		return true
	case got != owners || owners == "" || !w.Found:
		return false
	default:
		return every(g.setting.owner.requests(w.Path, w.Source), func(other request) bool {
			return robotstag.Join(g.setting.owner.ownValues(other)) == owners
		})
	}
}
