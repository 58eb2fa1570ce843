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
	path     string // what its path rule is for
	key      string // its place in the tree: the path as the last host compares it
	requests []request
	value    *value // what they want
	template *value // a template that comes to the value; nil if there is none
	// starCanState: a rule with a star can state the value too; its path is another matter.
	starCanState bool

	// What the item gets without rules of ours for files.
	isServed bool // what it wants, at each request
	hasTag   bool // each file has tags that tell every crawler what is wanted
	// isOptional: it goes without if its value costs a rule ([robotstag.Want].Spare).
	isOptional bool
	// isReachedByOwner: on Cloudflare, a rule of the owner's or the environment's sets the header
	// for it or takes it away.
	isReachedByOwner bool

	pathRule    pathRule        // which rule it can have for its path alone
	ruleInBlock *ourRule        // that rule, if it is inOwnersBlock
	obstacle    *policy.Finding // why there is none, if it is impossible
}

// preferred returns the value or the template that a rule with a star should state for an item:
// the one that more files want, since that takes fewer rules. It is nil if no such rule can.
func (it *item) preferred() *value {
	switch t := it.template; {
	case !it.starCanState:
		return nil
	case t != nil && t.wantedBy > 1 && t.wantedBy >= it.value.wantedBy:
		return t
	}
	return it.value
}

// itemKey tells items apart: by what they want, and by the paths that the hosts of the file do not
// tell apart. If Cloudflare reads it, that is one path. Else it is all paths of one key.
type itemKey struct {
	value *value
	path  string // the path, or the key
}

// gatherer makes items of wants.
type gatherer struct {
	setting *setting
	wants   []robotstag.Want
	values  *values
	known   map[itemKey]*item
	items   []*item
	ofWant  []*item // those of one want, while it is added
}

// gatherItems makes the items of all wants that are not free, in the order of the folders.
func gatherItems(s *setting, wants []robotstag.Want, values *values) []*item {
	g := &gatherer{setting: s, wants: wants, values: values, known: make(map[itemKey]*item, len(wants)),
		items: make([]*item, 0, len(wants))}
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
		sameKey := g.items[from:to]
		for _, it := range sameKey {
			g.examine(it, sameKey)
		}
	}
	return g.items
}

// compareFolders compares keys for sorting, with slashes before all else, so that what lies in a
// folder stays together: /a, /a/x, /a/y, /a-b.
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
	g.ofWant = g.ofWant[:0]
	w := &g.wants[want]
	engines := g.setting.owner.engines
	coarsest := engines[len(engines)-1].dialect // of the hosts, it tells the fewest paths apart
	for _, r := range g.setting.owner.requests(w.Path, w.Source) {
		r.want = want
		value, keyOf := g.values.wantedAt(r, w), r.engine.dialect.key
		at := slices.IndexFunc(g.ofWant, func(it *item) bool {
			return it.value == value && keyOf(it.path) == keyOf(r.path)
		})
		if at < 0 {
			at = len(g.ofWant)
			g.ofWant = append(g.ofWant, g.itemFor(r.path, coarsest.key(r.path), value))
		}
		g.ofWant[at].requests = append(g.ofWant[at].requests, r)
	}
}

// itemFor returns the item for a path with a key and a value: a known one, or a new one.
func (g *gatherer) itemFor(path, key string, value *value) *item {
	id := itemKey{value: value, path: key}
	if g.setting.cloudflare != nil {
		id.path = path
	}
	it := g.known[id]
	if it == nil {
		it = &item{path: path, key: key, value: value}
		g.known[id], g.items = it, append(g.items, it)
	}
	it.path = min(it.path, path) // of several spellings, the same one in every run
	return it
}

// examine sets what an item gets without rules of ours, whether a rule with a star can state its
// value, and which rule it can have for its path alone. sameKey are the items with its key, itself
// included, which a rule for its path may reach too.
func (g *gatherer) examine(it *item, sameKey []*item) {
	it.isServed, it.hasTag, it.isOptional = true, true, true
	for _, r := range it.requests {
		rules, values := g.setting.owner.baseValues(r)
		w := &g.wants[r.want]
		it.isServed = it.isServed && g.isServed(r, it.value, rules, values)
		it.hasTag = it.hasTag && g.setting.isFirst && w.HTML && len(w.Values) > 0
		it.isOptional = it.isOptional && w.Spare
		it.isReachedByOwner = it.isReachedByOwner ||
			r.engine == g.setting.cloudflare && slices.ContainsFunc(rules, (*Rule).isAboutHeader)
	}
	isStatable := g.isStatable(it)
	// Cloudflare would put a part of the path in the place of ":splat".
	it.starCanState = isStatable && !strings.Contains(it.value.text, ":splat")
	if it.starCanState {
		it.template = g.values.findTemplate(it.value, it.path)
	}
	g.findPathRule(it, sameKey, isStatable)
}

// isStatable reports whether any rule of ours can say what an item wants. For no header, only
// Cloudflare has one, which takes the header away. That would take away what the owner says, too.
func (g *gatherer) isStatable(it *item) bool {
	switch {
	case it.value.fault != "":
		return false
	case it.value.text != "":
		return true
	case g.setting.isForNetlify:
		return false
	}
	return every(it.requests, func(r request) bool {
		return robotstag.Join(g.setting.owner.ownValues(r)) == ""
	})
}

// isServed reports whether a request needs no rule of ours, because it gets what its file wants
// without one. rules are those that match it then, and values are what they send together.
//
// A value does not count if it rests on a reading that the host does not document: by what is
// documented the file may go without. For a file that wants no header the undocumented reading is
// enough, since on Netlify, which is the host with such readings, no rule could mend the other one.
func (g *gatherer) isServed(r request, wanted *value, rules []*Rule, values []robotstag.Value) bool {
	return g.isRight(r, wanted.text, values) && (wanted.text == "" || !g.isGuess(r, rules, values))
}

// isRight reports whether values, which a request gets without rules of ours, are what its file
// wants. They are if they say just that, or if the file wants no line of ours and the owner's alone
// are sent. They are also if they are all the owner's and the want is Found: they say what the file
// wants in other words. That counts only if they are the same at every request path of the file.
func (g *gatherer) isRight(r request, wanted string, values []robotstag.Value) bool {
	got, owners := robotstag.Join(values), robotstag.Join(g.setting.owner.ownValues(r))
	isOwners := got == owners
	w := &g.wants[r.want]
	switch {
	case r.engine.dialect.says(&g.setting.header, values, wanted), isOwners && wanted == "":
		return true
	case !isOwners || owners == "" || !w.Found:
		return false
	}
	return every(g.setting.owner.requests(w.Path, w.Source), func(other request) bool {
		return robotstag.Join(g.setting.owner.ownValues(other)) == owners
	})
}

// isGuess reports whether what rules give a request rests on a reading that its host does not
// document: by the documented ones alone it would be something else. See [Rule.isGuess].
func (g *gatherer) isGuess(r request, rules []*Rule, values []robotstag.Value) bool {
	documented := documentedOf(rules, r.path)
	got := r.engine.dialect.combine(documented, g.setting.owner.host, r.path)
	return robotstag.Join(got) != robotstag.Join(values)
}
