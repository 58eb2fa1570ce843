package headerfile

import (
	"path"
	"slices"
	"sort"
	"strings"

	"metarobots/policy"
)

// A pathTree holds published paths by their segments, to find the one that a mistyped path means. A
// site may have thousands of files, and as many lines for files that are gone. So no line is
// compared with each file: it leads down the tree, and in each folder on its way it is compared with
// all names at once, byte by byte from their beginnings, as long as some begin about as it does.
//
//	/drfats/one.pdf    no "drfats" at the root; "drafts" is near, and has "one.pdf"
type pathTree struct {
	// path is the first one that ends here, as the paths are ordered; nil for none. order is its
	// number.
	path  *publishedPath
	order int
	// segment is the last one of the path to here, as it is first written.
	segment string
	// children are by their segments, folded.
	children map[string]*pathTree
	// names are those of the children, sorted; nil until they are asked for.
	names []childName
}

// A childName is the segment of a child, in lower case.
type childName struct {
	text string
	node *pathTree
}

// mostEdits is as many as [policy.Near] allows.
const mostEdits = 2

// foldedAll are segments, each folded.
func foldedAll(segments []string) []string {
	all := make([]string, len(segments))
	for i, segment := range segments {
		all[i] = policy.FoldCase(segment)
	}
	return all
}

// add adds a path, unless an earlier one differs from it by the case of its letters alone.
func (t *pathTree) add(p *publishedPath, order int) {
	for _, segment := range p.segments {
		key := policy.FoldCase(segment)
		child := t.children[key]
		if child == nil {
			if t.children == nil {
				t.children = map[string]*pathTree{}
			}
			child = &pathTree{segment: segment}
			t.children[key] = child
		}
		t = child
	}
	if t.path == nil {
		t.path, t.order = p, order
	}
}

// at returns what is below t at folded segments; nil for nothing.
func (t *pathTree) at(keys []string) *pathTree {
	for _, key := range keys {
		if t = t.children[key]; t == nil {
			return nil
		}
	}
	return t
}

// same returns the path that has the folded segments; nil for none.
func (t *pathTree) same(keys []string) *publishedPath {
	if t = t.at(keys); t == nil {
		return nil
	}
	return t.path
}

// near returns the path whose segments are the wanted ones in another case of letters, or else the
// first that differs in one segment and nearly has it; nil for none. endings are those of the site's
// files, if the segments are of a file.
func (t *pathTree) near(wanted []string, endings map[string]bool) *publishedPath {
	keys := foldedAll(wanted)
	if same := t.same(keys); same != nil {
		return same
	}
	var first *pathTree
	for i, segment := range wanted {
		exact := t.children[keys[i]]
		visit := func(node *pathTree) {
			// Most often there is no path, which is quicker to find out than what is near.
			found := node.at(keys[i+1:])
			isFirst := found != nil && found.path != nil && (first == nil || found.order < first.order)
			if isFirst && node != exact && isNear(segment, node.segment, endings) {
				first = found
			}
		}
		visitNear(t.sortedNames(), 0, strings.ToLower(segment), mostEdits, visit)
		if t = exact; t == nil {
			break
		}
	}
	if first == nil {
		return nil
	}
	return first.path
}

// sortedNames returns t.names, and sets it before.
func (t *pathTree) sortedNames() []childName {
	if t.names == nil {
		for _, child := range t.children {
			t.names = append(t.names, childName{strings.ToLower(child.segment), child})
		}
		slices.SortFunc(t.names, func(a, b childName) int { return strings.Compare(a.text, b.text) })
	}
	return t.names
}

// visitNear visits each name that at most so many edits make of a text. An edit takes a byte away,
// adds one, replaces one, or swaps two, as [policy.Near] counts them. names are sorted, and alike in
// the first n bytes, which are compared already: the text is for the bytes behind them. Some names
// are visited twice.
func visitNear(names []childName, n int, text string, edits int, visit func(*pathTree)) {
	if edits == 0 {
		is := func(name childName, text string) int { return strings.Compare(name.text[n:], text) }
		at, _ := slices.BinarySearchFunc(names, text, is)
		for ; at < len(names) && names[at].text[n:] == text; at++ {
			visit(names[at].node)
		}
		return
	}
	for ; len(names) > 0 && len(names[0].text) == n; names = names[1:] {
		if len(text) <= edits {
			visit(names[0].node)
		}
	}
	if text != "" && len(names) > 0 {
		visitNear(names, n, text[1:], edits-1, visit)
	}
	for len(names) > 0 {
		next := names[0].text[n]
		var same []childName // up to that byte
		same, names = cutAfter(names, n, next)
		if text != "" && text[0] == next { // no edit here leads to less of them
			visitNear(same, n+1, text[1:], edits, visit)
			continue
		}
		visitNear(same, n+1, text, edits-1, visit)
		if text != "" {
			visitNear(same, n+1, text[1:], edits-1, visit)
		}
		if len(text) > 1 && text[1] == next {
			visitNear(withByte(same, n+1, text[0]), n+2, text[2:], edits-1, visit)
		}
	}
}

// cutAfter cuts names, which are alike in the first n bytes, behind those with no greater byte next.
func cutAfter(names []childName, n int, last byte) (before, after []childName) {
	at := sort.Search(len(names), func(i int) bool { return len(names[i].text) > n && names[i].text[n] > last })
	return names[:at], names[at:]
}

// withByte are those of names, which are alike in the first n bytes, that have a byte next.
func withByte(names []childName, n int, next byte) []childName {
	names, _ = cutAfter(names, n, next)
	at := sort.Search(len(names), func(i int) bool { return len(names[i].text) > n && names[i].text[n] >= next })
	return names[at:]
}

// isNear reports whether a segment is likely to be mistyped for another one. Names that differ by
// their digits alone are not, such as 2023 and 2024, nor are very short ones, nor files of two kinds
// if the site has both, such as app.js and app.css.
func isNear(segment, published string, endings map[string]bool) bool {
	ending, other := path.Ext(segment), path.Ext(published)
	segment, published = strings.TrimSuffix(segment, ending), strings.TrimSuffix(published, other)
	if isSameKind := strings.EqualFold(ending, other); !isSameKind {
		isMistypedEnding := !endings[strings.ToLower(ending)] && policy.Near(ending, []string{other}) != ""
		return isMistypedEnding && strings.EqualFold(segment, published)
	}
	return len(segment) > 2 && withoutDigits(segment) != withoutDigits(published) &&
		policy.Near(segment, []string{published}) != ""
}

// withoutDigits is a text in lower case, without its digits.
func withoutDigits(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, s))
}
