package headers

import (
	"encoding/binary"
	"slices"
	"strings"
)

// grower makes the tree of folders. Folders that look alike get one shape.
type grower struct {
	setting  *setting
	chooser  *chooser
	suffixes *suffixes
	shapes   map[string]*shape // by what they are made of
}

// grow makes the folder of all items whose keys begin with a text, and those below. path is the
// text as the first item spells it. A folder around a single item is left out, since the item's own
// rule does as well, unless it can have none.
func (g *grower) grow(text, path string, items []placed) *folder {
	f := &folder{text: path}
	s := &shape{wants: make(map[label]price)}
	s.costs = g.findRules(f, text, items)
	var all []leaf
	for rest := items; len(rest) > 0; {
		it := &rest[0]
		end, n := nextFolder(text, rest)
		if n > 1 || end > 0 && it.item.own == impossible {
			sub := g.grow(it.item.key[:end], it.item.path[:end], rest[:n])
			f.below, s.parts = append(f.below, sub), append(s.parts, sub.shape)
		} else {
			it.in = f
			all = append(all, g.chooser.leafOf(it))
		}
		rest = rest[n:]
	}
	s.leaves = countLeaves(all)
	s.costs[0] += f.countRepeats(items) * one
	s.findLabels(g.chooser.values)
	s.matched = g.suffixes.matchedIn(text, items, s.kinds)
	f.shape = g.known(s)
	return f
}

// known is the shape that is made of the same as another: an earlier one, or that itself.
func (g *grower) known(s *shape) *shape {
	key := s.key()
	if same := g.shapes[key]; same != nil {
		return same
	}
	s.number, s.solved = len(g.shapes), make(map[inForce]choice)
	g.shapes[key] = s
	return s
}

// key is equal for shapes that are made of the same. Each number ends by itself, and how many there are of a kind is
// one of them, so that no two lists of numbers have one key.
func (s *shape) key() string {
	var key []byte
	add := func(n int64) { key = binary.AppendVarint(key, n) }
	for _, price := range s.costs {
		add(price)
	}
	for _, kinds := range s.matched {
		add(int64(kinds))
	}
	add(int64(len(s.leaves)))
	for _, l := range s.leaves {
		add(int64(l.leaf.label))
		add(int64(l.leaf.kinds))
		add(l.leaf.ifNone)
		add(l.leaf.ifPart)
		add(l.leaf.ifMisled)
		add(l.n)
	}
	for _, part := range s.parts {
		add(int64(part.number))
	}
	return string(key)
}

// nextFolder finds the next folder below a text around the first item: where its text ends in the
// key of that item, or 0 if there is none, and how many of the items lie in it, at least 1.
func nextFolder(text string, items []placed) (end, n int) {
	key := items[0].item.key
	for end = len(text) + 1; end <= len(key); end++ {
		if !isFolder(end, items) {
			continue
		}
		for n = 1; n < len(items) && strings.HasPrefix(items[n].item.key, key[:end]); {
			n++
		}
		return end, n
	}
	return 0, 1
}

// isFolder reports whether the first n bytes of the first item's key are the text of a folder: its
// inside, which ends with a slash, or its name.
func isFolder(n int, items []placed) bool {
	key := items[0].item.key
	switch {
	case key[n-1] == '/':
		return true
	case n < len(key):
		return key[n] == '/'
	}
	// The whole key is the name of a folder if something lies in it, or is served as its index.
	for i := range items {
		it := &items[i]
		if it.item.key != key {
			return strings.HasPrefix(it.item.key, key+"/")
		}
		isIndex := func(r request) bool { return strings.HasSuffix(r.path, "/") }
		if slices.ContainsFunc(it.item.requests, isIndex) {
			return true
		}
	}
	return false
}
