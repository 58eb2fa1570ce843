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
	slash  bool   // root or directory with its slash
	kid    int32  // the first node below, 0 for none
	next   int32  // the next node beside it
	item   int32  // the first item that is in no node below, -1 for none
	prefix string // how its prefix rule ends, or ""
	merge  *Rule  // the user's block that the rule's lines go into, or nil
	suffix uint8  // the suffixes that may have a rule here
	shape  int32
}

// tree is all nodes; the first is the root, and each stands before those below.
type tree struct {
	nodes []node
	after []int32 // the next item of the same node, -1 for none
	cover *cover
}

// tree sorts the items into nodes.
func (c *compiler) tree() *tree {
	t := &tree{nodes: c.nodes(), after: make([]int32, len(c.items)), cover: newCover()}
	if len(c.suffixes) > 0 {
		t.cover.limit = maxWork
	}
	open := []int32{0} // the nodes around the place where we are
	enter := func(text string) (top int32) {
		for !strings.HasPrefix(text, t.nodes[open[len(open)-1]].text) {
			open = open[:len(open)-1]
		}
		return open[len(open)-1]
	}
	next := int32(1)
	for i := range c.items {
		key := c.items[i].key
		for int(next) < len(t.nodes) && t.nodes[next].text <= key {
			top := &t.nodes[enter(t.nodes[next].text)]
			t.nodes[next].next, top.kid = top.kid, next
			open = append(open, next)
			next++
		}
		top := &t.nodes[enter(key)]
		t.after[i], top.item = top.item, int32(i)
	}
	var below []int32
	for i := len(t.nodes) - 1; i >= 0; i-- {
		below = c.shapeNode(t, &t.nodes[i], below[:0])
	}
	return t
}

var rootNode = node{text: "/", raw: "/", slash: true, item: -1}

// nodes returns the root and the directories of the items.
func (c *compiler) nodes() []node {
	if c.exact {
		return []node{rootNode}
	}
	dirs := make(map[string]int) // by the folded text without the slash
	nodes := make([]node, 1)     // the first stands for none
	// A directory that is known in this spelling has its ancestors known, too.
	add := func(text, raw string) (known bool) {
		i, ok := dirs[text]
		if !ok {
			dirs[text] = len(nodes)
			nodes = append(nodes, node{text: text, raw: raw, item: -1})
			return false
		}
		n := &nodes[i]
		if n.raw == raw {
			return true
		}
		if n.raw = min(n.raw, raw); c.portable() {
			n.raw = "" // on one host only, each is a directory of its own
		}
		return false
	}
	for i := range c.items {
		it := &c.items[i]
		if c.netlify() && it.key != "/" && slices.ContainsFunc(it.spots, func(s spot) bool { return strings.HasSuffix(s.form, "/") }) {
			add(it.key, it.path[:len(it.key)])
		}
		for at := strings.LastIndexByte(it.key, '/'); at > 0; at = strings.LastIndexByte(it.key[:at], '/') {
			if add(it.key[:at], it.path[:at]) {
				break
			}
		}
	}
	return c.twoTexts(nodes)
}

// twoTexts gives each directory its nodes, sorted: without the slash, where a
// rule can mean that, and with it.
func (c *compiler) twoTexts(dirs []node) []node {
	nodes := []node{rootNode}
	for _, n := range dirs[1:] {
		if c.netlify() || c.hasNeighbour(n.text) {
			nodes = append(nodes, n)
		}
		if !c.netlify() || len(c.suffixes) > 0 {
			n.text, n.slash = n.text+"/", true
			if n.raw != "" {
				n.raw += "/"
			}
			nodes = append(nodes, n)
		}
	}
	slices.SortFunc(nodes[1:], func(a, b node) int { return strings.Compare(a.text, b.text) })
	return nodes
}

// hasNeighbour reports whether the text of a directory, without its slash, also
// begins something outside of it. All that it begins stands together.
func (c *compiler) hasNeighbour(text string) bool {
	find := func(text string) int {
		i, _ := slices.BinarySearchFunc(c.items, text, func(it item, t string) int { return strings.Compare(it.key, t) })
		return i
	}
	from, to := find(text+"/"), find(text+"0") // the character after the slash
	return from > 0 && strings.HasPrefix(c.items[from-1].key, text) ||
		to < len(c.items) && strings.HasPrefix(c.items[to].key, text)
}

// shapeNode settles which rules a node may have, and what it is to the cover;
// those below are done before it. It lends and returns a list.
func (c *compiler) shapeNode(t *tree, n *node, below []int32) []int32 {
	for k := n.kid; k != 0; k = t.nodes[k].next {
		below = append(below, t.nodes[k].shape)
	}
	for k := n.item; k >= 0; k = t.after[k] {
		below = append(below, t.cover.leaf(c.leaf(&c.items[k])))
	}
	kind := noPrefix
	if n.raw != "" && !c.exact {
		kind = c.prefix(t, n)
		n.suffix = c.suffixMask(n)
	}
	n.shape = t.cover.node(below, kind, n.suffix)
	return below
}

// prefix chooses how a node's prefix rule is written.
func (c *compiler) prefix(t *tree, n *node) prefixKind {
	ends := []string{"*"}
	switch {
	case n.text == "/":
		if len(c.everywhere) > 0 {
			return noPrefix // it has its rule
		}
	case !c.netlify():
	case n.slash:
		return noPrefix // Netlify takes /dir too: see the other node
	case !c.beside(t, n):
		// Both mean the same here; the first is how people write it.
		ends = []string{"/*", "*"}
	case !c.portable():
		ends = []string{"*", "/*"}
	}
	for _, end := range ends {
		if c.mayStar(n, end) && c.rival(n, end) == nil {
			n.prefix = end
			return ownPrefix
		}
	}
	for _, end := range ends {
		if r := c.rival(n, end); r != nil && c.mayStar(n, end) && c.mayMerge(r, n.raw+end) {
			n.prefix, n.merge = end, r
			return mergedPrefix
		}
	}
	return noPrefix
}

// beside reports whether a directory's text also begins something outside of it.
func (c *compiler) beside(t *tree, n *node) bool {
	in := len(n.raw) // where a slash stands in what is within
	outside := func(path string) bool { return len(path) <= in || path[in] != '/' }
	for k := n.item; k >= 0; k = t.after[k] {
		if outside(c.items[k].path) {
			return true
		}
	}
	for k := n.kid; k != 0; k = t.nodes[k].next {
		if outside(t.nodes[k].text) {
			return true
		}
	}
	return false
}
