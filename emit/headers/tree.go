package headers

import (
	"cmp"
	"slices"
	"strings"
)

// node is a text with which paths begin: the root, a directory with its last slash, or a directory without it. Nodes
// nest as their texts do, so "/blog" holds "/blogx" too: that is how Netlify reads /blog/*.
type node struct {
	text   string // folded, as keys are
	raw    string // as a rule spells it; empty where there are two spellings
	around *node  // the next one that holds it
	shape  int32
	below  []int32 // the shapes of what is right below, until the node has its own
	// beside says that the text also begins something outside of the directory.
	beside bool

	end   string // how its prefix rule ends, behind raw: "*" or "/*"
	merge *Rule  // the user's block that the lines of its prefix rule go into

	place *place // what comes down to what is below
}

// compareKeys orders keys by their text, with the slash before all else: a directory's name comes right before what is
// in it, and what else begins with the name comes after that.
func compareKeys(a, b string) int {
	for i := range min(len(a), len(b)) {
		switch {
		case a[i] == b[i]:
		case a[i] == '/':
			return -1
		case b[i] == '/':
			return 1
		default:
			return cmp.Compare(a[i], b[i])
		}
	}
	return cmp.Compare(len(a), len(b))
}

// builder goes through the items in the order of their keys.
type builder struct {
	*compiler
	cover *cover
	nodes []*node // from the root on, each before those within
	in    *node   // the innermost around the place where it is
}

// grow sorts the items into nodes. A directory that only one item is in makes none: the item's own rule does as well.
func (c *compiler) grow() *builder {
	b := &builder{compiler: c, cover: newCover()}
	if len(c.suffixes) > 0 {
		b.cover.limit = maxWork
	}
	b.push("/", "/")
	for i := range c.items {
		it := &c.items[i]
		b.close(it.key)
		b.directories(i)
		for n := b.in; n != nil; n = n.around {
			n.spell(it, c.portable)
		}
		it.in = b.in
		l, _ := c.leaf(it)
		b.in.below = append(b.in.below, b.cover.leaf(l))
	}
	b.close("")
	return b
}

// directories opens the nodes that begin with an item.
func (b *builder) directories(i int) {
	it, next := &b.items[i], ""
	if i+1 < len(b.items) {
		next = b.items[i+1].key
	}
	open := func(n int) {
		if text := it.key[:n]; b.in.text != text && (it.ways.lack.id != "" || strings.HasPrefix(next, text)) {
			b.push(text, it.path[:n])
		}
	}
	for at := len(b.in.text); at < len(it.key); at++ {
		if it.key[at] == '/' {
			open(at)
			open(at + 1)
		}
	}
	rest, ok := strings.CutPrefix(next, it.key)
	slashed := func(s request) bool { return strings.HasSuffix(s.form, "/") }
	if ok && strings.HasPrefix(rest, "/") || slices.ContainsFunc(it.requests, slashed) {
		open(len(it.key)) // it has the name of a directory
	}
}

// spell takes notice of how an item spells a node that holds it.
func (n *node) spell(it *item, one bool) {
	name := len(strings.TrimSuffix(n.text, "/"))
	switch {
	case len(it.path) <= name || it.path[name] != '/':
		n.beside = true
	case strings.HasPrefix(it.path, n.raw):
	case one:
		n.raw = "" // one of the hosts has two directories
	default:
		n.raw = min(n.raw, it.path[:len(n.text)])
	}
}

// push opens a node.
func (b *builder) push(text, raw string) {
	b.in = &node{text: text, raw: raw, around: b.in}
	b.nodes = append(b.nodes, b.in)
}

// close closes the nodes that a key is not in: what they are to the cover is known then.
func (b *builder) close(key string) {
	for n := b.in; n != nil && !strings.HasPrefix(key, n.text); n = n.around {
		prefix, suffixes := never, uint8(0)
		if n.raw != "" {
			prefix, suffixes = b.prefix(n), b.suffixMask(n)
		}
		n.shape = b.cover.node(n.below, prefix, suffixes)
		n.below = nil
		if b.in = n.around; b.in != nil {
			b.in.below = append(b.in.below, n.shape)
		}
	}
}

// prefix chooses how a node's prefix rule is written, and returns its price.
func (c *compiler) prefix(n *node) price {
	ends := []string{"*"}
	switch {
	case n.text == "/":
		if len(c.front) > 0 {
			return never // it has its rule
		}
	case !c.netlify:
	case strings.HasSuffix(n.text, "/"):
		return never // Netlify takes /dir too: see the other node
	case !n.beside:
		// Both mean the same here; the first is how people write it.
		ends = []string{"/*", "*"}
	case !c.portable:
		ends = []string{"*", "/*"}
	}
	for _, end := range ends {
		if c.mayStar(n.raw, end) && c.userBlocks[n.raw+end] == nil {
			n.end = end
			return 1
		}
	}
	for _, end := range ends {
		if r := c.userBlocks[n.raw+end]; r != nil && c.mayStar(n.raw, end) && c.mayMerge(r, n.raw+end) {
			n.end, n.merge = end, r
			return 0
		}
	}
	return never
}
