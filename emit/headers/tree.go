package headers

import (
	"cmp"
	"slices"
	"strings"
)

// node is a text with which paths begin: the root, a directory with its last
// slash, or a directory without it. Nodes nest as their texts do, so "/blog"
// holds "/blogx" too: that is how Netlify reads /blog/*.
type node struct {
	text   string // folded, as keys are
	kid    int32  // the first node below, 0 for none
	next   int32  // the next node beside it
	item   int32  // the first item that is in no node below, -1 for none
	shape  int32
	prefix end   // of its prefix rule
	suffix uint8 // the suffixes that may have a rule here
	// spelled says that a rule spells it in another way than the text: see [tree.raw].
	spelled bool
}

// slash reports whether a node is the root or a directory with its slash.
func (n *node) slash() bool { return n.text[len(n.text)-1] == '/' }

// end is how a prefix rule ends, behind the text of its node.
type end uint8

const (
	noEnd    end = iota
	starEnd      // "*"
	slashEnd     // "/*"
)

func (e end) String() string { return [...]string{"", "*", "/*"}[e] }

// tree is all nodes; the first is the root, and each stands before those below.
type tree struct {
	nodes []node
	raws  map[string]string // of the nodes that are spelled otherwise, by their texts
	after []int32           // the next item of the same node, -1 for none
	// merges are the user's blocks that lines of prefix rules go into, by node.
	merges map[int32]*Rule
	cover  *cover
}

// raw is a node's text as a rule spells it; empty where there are two spellings.
func (t *tree) raw(n *node) string {
	if n.spelled {
		return t.raws[n.text]
	}
	return n.text
}

// tree sorts the items into nodes.
func (c *compiler) tree() *tree {
	t := &tree{raws: make(map[string]string), after: make([]int32, len(c.items)), merges: make(map[int32]*Rule), cover: newCover()}
	c.nodes(t)
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
		key := c.key(&c.items[i])
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
		below = c.shapeNode(t, int32(i), below[:0])
	}
	return t
}

// directory is one that an item stands in: what its key begins with.
type directory struct{ item, size int32 }

// texts returns a directory as keys have it, and as it is spelled.
func (c *compiler) texts(d directory) (text, raw string) {
	it := &c.items[d.item]
	text, raw = c.key(it)[:d.size], c.path(it)[:d.size]
	if text == raw {
		text = raw // one text for both
	}
	return text, raw
}

// nodes finds the root and the directories of the items.
func (c *compiler) nodes(t *tree) {
	if c.exact {
		t.nodes = []node{{text: "/", item: -1}}
		return
	}
	dirs := c.directories()
	slices.SortFunc(dirs, func(a, b directory) int {
		aText, aRaw := c.texts(a)
		bText, bRaw := c.texts(b)
		return cmp.Or(strings.Compare(aText, bText), strings.Compare(aRaw, bRaw))
	})
	most := 1 // nodes of a directory
	if c.netlify() && len(c.suffixes) > 0 {
		most = 2
	}
	t.nodes = make([]node, 1, 1+most*len(dirs))
	t.nodes[0] = node{text: "/", item: -1}
	for i := 0; i < len(dirs); {
		text, raw := c.texts(dirs[i])
		first := c.items[dirs[i].item].text
		for i++; i < len(dirs); i++ {
			otherText, otherRaw := c.texts(dirs[i])
			if otherText != text {
				break
			}
			if otherRaw != raw && c.portable() {
				raw = "" // on one host only, each is a directory of its own
			}
		}
		c.twoTexts(t, text, raw, first)
	}
	slices.SortFunc(t.nodes[1:], func(a, b node) int { return strings.Compare(a.text, b.text) })
}

// directories lists those of the items, some of them more than once.
func (c *compiler) directories() (dirs []directory) {
	last, self, size := "", false, 0 // the item before, and up to where its directories go
	for i := range c.items {
		it := &c.items[i]
		key, path := c.key(it), c.path(it)
		// What is one directory's with the item before has been listed with it.
		known := func(at int) bool {
			return (at < size || at == size && self) && at < len(last) && last[at] == '/' && last[:at] == path[:at]
		}
		own := c.netlify() && key != "/" && c.isDirectory(it)
		if own {
			dirs = append(dirs, directory{int32(i), int32(len(key))})
		}
		for at := strings.LastIndexByte(key, '/'); at > 0 && !known(at); at = strings.LastIndexByte(key[:at], '/') {
			dirs = append(dirs, directory{int32(i), int32(at)})
		}
		last, self, size = path, own, len(key)
	}
	return dirs
}

// isDirectory reports whether a spot of an item ends with a slash.
func (c *compiler) isDirectory(it *item) bool {
	var room [8]spot
	return slices.ContainsFunc(c.spots(it, room[:]), func(s spot) bool { return strings.HasSuffix(s.form, "/") })
}

// twoTexts gives a directory its nodes: without the slash, where a rule can mean
// that, and with it. The path begins with the directory.
func (c *compiler) twoTexts(t *tree, text, raw, path string) {
	add := func(text, raw string) {
		n := node{text: text, item: -1}
		if n.spelled = raw != text; n.spelled {
			t.raws[text] = raw
		}
		t.nodes = append(t.nodes, n)
	}
	if c.netlify() || c.hasNeighbour(text) {
		add(text, raw)
	}
	if c.netlify() && len(c.suffixes) == 0 {
		return
	}
	switch {
	case raw == text && len(path) > len(text) && path[len(text)] == '/':
		text = path[:len(text)+1] // as it stands there
		raw = text
	case raw == text:
		text += "/"
		raw = text
	default:
		text += "/"
		if raw != "" {
			raw += "/"
		}
	}
	add(text, raw)
}

// hasNeighbour reports whether the text of a directory, without its slash, also
// begins something outside of it. All that it begins stands together.
func (c *compiler) hasNeighbour(text string) bool {
	find := func(text string) int {
		i, _ := slices.BinarySearchFunc(c.items, text, func(it item, t string) int { return strings.Compare(c.key(&it), t) })
		return i
	}
	from, to := find(text+"/"), find(text+"0") // the character after the slash
	return from > 0 && strings.HasPrefix(c.key(&c.items[from-1]), text) ||
		to < len(c.items) && strings.HasPrefix(c.key(&c.items[to]), text)
}

// shapeNode settles which rules a node may have, and what it is to the cover;
// those below are done before it. It lends and returns a list.
func (c *compiler) shapeNode(t *tree, i int32, below []int32) []int32 {
	n := &t.nodes[i]
	for k := n.kid; k != 0; k = t.nodes[k].next {
		below = append(below, t.nodes[k].shape)
	}
	for k := n.item; k >= 0; k = t.after[k] {
		below = append(below, t.cover.leaf(c.leaf(&c.items[k])))
	}
	kind := noPrefix
	if raw := t.raw(n); raw != "" && !c.exact {
		kind = c.prefix(t, i)
		n.suffix = c.suffixMask(n, raw)
	}
	n.shape = t.cover.node(below, kind, n.suffix)
	return below
}

// prefix chooses how a node's prefix rule is written.
func (c *compiler) prefix(t *tree, i int32) prefixKind {
	n := &t.nodes[i]
	raw := t.raw(n)
	ends := []end{starEnd}
	switch {
	case n.text == "/":
		if len(c.everywhere) > 0 {
			return noPrefix // it has its rule
		}
	case !c.netlify():
	case n.slash():
		return noPrefix // Netlify takes /dir too: see the other node
	case !c.beside(t, n):
		// Both mean the same here; the first is how people write it.
		ends = []end{slashEnd, starEnd}
	case !c.portable():
		ends = []end{starEnd, slashEnd}
	}
	for _, end := range ends {
		if c.mayStar(raw, end.String()) && c.rival(raw, end.String()) == nil {
			n.prefix = end
			return ownPrefix
		}
	}
	for _, end := range ends {
		if r := c.rival(raw, end.String()); r != nil && c.mayStar(raw, end.String()) && c.mayMerge(r, raw+end.String()) {
			n.prefix, t.merges[i] = end, r
			return mergedPrefix
		}
	}
	return noPrefix
}

// beside reports whether a directory's text also begins something outside of it.
func (c *compiler) beside(t *tree, n *node) bool {
	in := len(t.raw(n)) // where a slash stands in what is within
	outside := func(path string) bool { return len(path) <= in || path[in] != '/' }
	for k := n.item; k >= 0; k = t.after[k] {
		if outside(c.path(&c.items[k])) {
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
