package headers

import (
	"slices"
	"strings"
)

// node is a text with which paths begin: the root, a directory with its last
// slash, or a directory without it. Nodes nest as their texts do, so "/blog"
// holds "/blogx" too: that is how Netlify reads /blog/*.
type node struct {
	text   string // folded, as keys are
	raw    string // as a rule spells it; empty where there are two spellings
	around *node  // the next one that holds it
	shape  int32
	suffix uint8 // the suffixes that may have a rule here
	// beside says that the text also begins something outside of the directory.
	beside bool

	prefix string // how its prefix rule ends, behind raw: "*" or "/*"
	merge  *Rule  // the user's block that the lines of its prefix rule go into
}

// slash reports whether a node is the root or a directory with its slash.
func (n *node) slash() bool { return strings.HasSuffix(n.text, "/") }

// tree is all nodes, in the order of their texts; the first is the root.
type tree struct {
	nodes []*node
	items []*node // the innermost node of each item
	cover *cover
}

// tree sorts the items into nodes.
func (c *compiler) tree() *tree {
	t := &tree{nodes: c.nodes(), items: make([]*node, len(c.items)), cover: newCover()}
	if len(c.suffixes) > 0 {
		t.cover.limit = maxWork
	}
	b := builder{compiler: c, cover: t.cover}
	b.push(t.nodes[0])
	next := 1
	for i := range c.items {
		it := &c.items[i]
		for ; next < len(t.nodes) && t.nodes[next].text <= it.key; next++ {
			b.push(t.nodes[next])
		}
		b.enter(it.key)
		t.items[i] = b.add(it.path, t.cover.leaf(c.leaf(it)))
	}
	b.enter("")
	t.nodes = t.nodes[:next] // what comes after holds nothing
	return t
}

// builder goes through nodes and items in the order of their texts. What is open
// are the nodes around the place where it is.
type builder struct {
	*compiler
	cover *cover
	open  []*node
	below [][]int32 // for each the shapes of what is right below
}

// push opens a node.
func (b *builder) push(n *node) {
	b.enter(n.text)
	if len(b.open) > 0 {
		n.around = b.open[len(b.open)-1]
	}
	b.open = append(b.open, n)
	if b.below = b.below[:min(len(b.open), cap(b.below))]; len(b.below) < len(b.open) {
		b.below = append(b.below, nil)
	}
	b.below[len(b.open)-1] = b.below[len(b.open)-1][:0]
}

// enter closes the nodes that a text is not in; the empty text is in none. What a
// closed node is to the cover is known then.
func (b *builder) enter(text string) {
	for last := len(b.open) - 1; last >= 0 && (text == "" || !strings.HasPrefix(text, b.open[last].text)); last-- {
		n := b.open[last]
		kind := noPrefix
		if n.raw != "" && !b.exact {
			kind = b.prefix(n)
			n.suffix = b.suffixMask(n)
		}
		n.shape = b.cover.node(b.below[last], kind, n.suffix)
		if b.open = b.open[:last]; last > 0 {
			b.add(n.text, n.shape)
		}
	}
}

// add puts a shape right below the innermost node, and returns that.
func (b *builder) add(path string, shape int32) *node {
	last := len(b.open) - 1
	n := b.open[last]
	b.below[last] = append(b.below[last], shape)
	in := len(n.raw) // where a slash stands in what is within
	n.beside = n.beside || len(path) <= in || path[in] != '/'
	return n
}

// nodes returns the root and the nodes of the items' directories.
func (c *compiler) nodes() []*node {
	nodes := []*node{{text: "/", raw: "/"}}
	if c.exact {
		return nodes
	}
	for text, raw := range c.directories() {
		// Without the slash, where a rule can mean that, and with it.
		if c.netlify() || c.hasNeighbour(text) {
			nodes = append(nodes, &node{text: text, raw: raw})
		}
		if !c.netlify() || len(c.suffixes) > 0 {
			n := &node{text: text + "/"}
			if n.raw = n.text; raw == "" {
				n.raw = ""
			} else if raw != text {
				n.raw = raw + "/"
			}
			nodes = append(nodes, n)
		}
	}
	slices.SortFunc(nodes, func(a, b *node) int { return strings.Compare(a.text, b.text) })
	return nodes
}

// directories returns those of the items as keys have them, without their last
// slash, each with the first of its spellings, or, where the file is for both
// hosts and one of them has two directories, with none.
func (c *compiler) directories() map[string]string {
	raws := make(map[string]string)
	// add reports whether the directory is new in this spelling; else those around
	// it have been added too.
	add := func(text, raw string) bool {
		old, ok := raws[text]
		switch {
		case ok && old == raw:
			return false
		case ok && c.portable():
			raw = ""
		case ok:
			raw = min(old, raw)
		}
		raws[text] = raw
		return true
	}
	for i := range c.items {
		it := &c.items[i]
		if c.netlify() && it.key != "/" && it.isDirectory() {
			add(it.key, it.path[:len(it.key)])
		}
		for at := strings.LastIndexByte(it.key, '/'); at > 0 && add(it.key[:at], it.path[:at]); {
			at = strings.LastIndexByte(it.key[:at], '/')
		}
	}
	return raws
}

// isDirectory reports whether a spot of an item ends with a slash.
func (it *item) isDirectory() bool {
	return slices.ContainsFunc(it.spots, func(s spot) bool { return strings.HasSuffix(s.form, "/") })
}

// hasNeighbour reports whether the text of a directory, without its slash, also
// begins something outside of it. All that it begins stands together.
func (c *compiler) hasNeighbour(text string) bool {
	from, to := c.find(text+"/"), c.find(text+"0") // the character after the slash
	return from > 0 && strings.HasPrefix(c.items[from-1].key, text) ||
		to < len(c.items) && strings.HasPrefix(c.items[to].key, text)
}

// prefix chooses how a node's prefix rule is written.
func (c *compiler) prefix(n *node) prefixKind {
	ends := []string{"*"}
	switch {
	case n.text == "/":
		if len(c.everywhere) > 0 {
			return noPrefix // it has its rule
		}
	case !c.netlify():
	case n.slash():
		return noPrefix // Netlify takes /dir too: see the other node
	case !n.beside:
		// Both mean the same here; the first is how people write it.
		ends = []string{"/*", "*"}
	case !c.portable():
		ends = []string{"*", "/*"}
	}
	for _, end := range ends {
		if c.mayStar(n.raw, end) && c.rivals[n.raw+end] == nil {
			n.prefix = end
			return ownPrefix
		}
	}
	for _, end := range ends {
		if r := c.rivals[n.raw+end]; r != nil && c.mayStar(n.raw, end) && c.mayMerge(r, n.raw+end) {
			n.prefix, n.merge = end, r
			return mergedPrefix
		}
	}
	return noPrefix
}
