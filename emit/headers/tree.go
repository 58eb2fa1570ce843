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

// grow makes the folder of some items, whose keys all begin with keyPrefix, and the folders in it.
// text is keyPrefix as the path of the first item spells it. A folder around a single item is left
// out, since the item's path rule does as well, unless it can have none.
func (g *grower) grow(keyPrefix, text string, items []placed) *folder {
	f := &folder{text: text}
	s := &shape{wants: make(map[label]price)}
	s.costs = g.findRules(f, keyPrefix, items)
	var all []leaf
	for rest := items; len(rest) > 0; {
		it := &rest[0]
		end, count := nextFolder(keyPrefix, rest)
		hasSubfolder := count > 1 || end > 0 && it.item.pathRule == impossible
		if hasSubfolder {
			sub := g.grow(it.item.key[:end], it.item.path[:end], rest[:count])
			f.subfolders, s.parts = append(f.subfolders, sub), append(s.parts, sub.shape)
		} else {
			it.folder = f
			all = append(all, g.chooser.leafOf(it))
		}
		rest = rest[count:]
	}
	s.leaves = countLeaves(all)
	s.costs[0] += f.countRepeats(items) * one // a rule that is chosen may have to be repeated
	s.findLabels(g.chooser.values)
	s.matched = g.suffixes.matchedIn(keyPrefix, items, s.kinds)
	f.shape = g.shared(s)
	return f
}

// shared returns the shape that folders which look alike share: an earlier one that is made of the
// same, or this one.
func (g *grower) shared(s *shape) *shape {
	key := s.key()
	if same := g.shapes[key]; same != nil {
		return same
	}
	s.number, s.solved = len(g.shapes), make(map[state]choice)
	g.shapes[key] = s
	return s
}

// key is equal for shapes that are made of the same, and for no others: each number says where it
// ends, and the lists of different length have their length before them or are last.
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
		add(l.count)
	}
	for _, part := range s.parts {
		add(int64(part.number))
	}
	return string(key)
}

// nextFolder finds the next folder around the first of some items, below the one whose keys begin
// with keyPrefix. end is where its own text ends in the key of that item, and count is how many of
// the items lie in it. If there is none, end is 0 and count is 1.
func nextFolder(keyPrefix string, items []placed) (end, count int) {
	key := items[0].item.key
	for end = len(keyPrefix) + 1; end <= len(key); end++ {
		if !endsFolder(end, items) {
			continue
		}
		for count = 1; count < len(items) && strings.HasPrefix(items[count].item.key, key[:end]); {
			count++
		}
		return end, count
	}
	return 0, 1
}

// endsFolder reports whether the first n bytes of the first item's key are the text of a folder:
// its inside, which ends with a slash, or its name.
func endsFolder(n int, items []placed) bool {
	key := items[0].item.key
	switch {
	case key[n-1] == '/':
		return true
	case n < len(key):
		return key[n] == '/'
	}
	// The whole key is the name of a folder if something lies in it, or is served as its index.
	// Items are sorted, so that what lies in it comes next after those of the same key.
	isIndex := func(r request) bool { return strings.HasSuffix(r.path, "/") }
	for i := range items {
		it := &items[i]
		if it.item.key != key {
			return strings.HasPrefix(it.item.key, key+"/")
		}
		if slices.ContainsFunc(it.item.requests, isIndex) {
			return true
		}
	}
	return false
}
