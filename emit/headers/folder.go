package headers

import (
	"slices"
	"strings"
)

// folder is a node of the tree: what a rule with a star can be for. There are two for a folder of
// the site: its inside, whose text ends with a slash, and around it its name, which also begins
// what is beside it: /blog holds /blog.html and /blogx. Netlify reads /blog/* that way.
//
// For both hosts at once, /Docs/ and /docs/ are one folder, since Netlify does not tell them apart.
// Cloudflare does, so that each rule for the folder is written once for each spelling that occurs.
type folder struct {
	text       string // as the path of its first item spells it
	subfolders []*folder
	shape      *shape
	// paths are those of the rules that together are for all of it; none if there can be none.
	paths []string
	// suffixPaths are the same for each suffix, by its number, if there are several spellings.
	suffixPaths map[int][]string

	// What the chosen rules make of it; the [writer] sets that.

	// state is what the rules with stars around it and its own say in it.
	state state
	// isGuessed: this rests on a reading that Netlify does not document: its emulator has /v2.1/*
	// match /v2.10/a.pdf. isGuessedBeside says so of what is beside a folder of that name.
	isGuessed, isGuessedBeside bool
}

// pathsOf returns the paths of the rule for all of it, for k = 0, or of that for suffix number k.
func (f *folder) pathsOf(k int, suffix string) []string {
	switch {
	case k == 0:
		return f.paths
	case f.suffixPaths != nil:
		return f.suffixPaths[k]
	}
	return []string{f.text + "*" + suffix}
}

// countRepeats counts how often the folder's rule may have to be written again, because not all
// that it matches is documented: once for each thing that is beside the folder, and in the node of
// its name ([writer.repeatRuleAround]). items are those in it, whose folders are set already.
func (f *folder) countRepeats(items []placed) (n price) {
	if !f.mayGuess() {
		return 0
	}
	for _, it := range items {
		if it.folder == f && f.isBeside(it.item.path) {
			n++
		}
	}
	for _, sub := range f.subfolders {
		if f.isBeside(sub.text) {
			n++
		}
	}
	return n
}

// mayGuess reports whether the folder's rule may match more than Netlify documents: by its emulator
// /docs/* matches whatever begins with /docs, and by its documentation what is in /docs/.
func (f *folder) mayGuess() bool { return len(f.paths) == 1 && f.paths[0] == f.text+"/*" }

// isBeside reports whether a path begins as the folder's name does, and is neither the folder's nor
// in it.
func (f *folder) isBeside(path string) bool {
	return !strings.HasPrefix(strings.ToLower(path)+"/", strings.ToLower(f.text)+"/")
}

// findRules sets how the rules of a folder are written, if they are chosen (its paths and
// suffixPaths), and returns what they cost: number 0 is the rule for all of it, number k that for
// suffix number k. One that cannot be written costs never. keyPrefix is how the keys of the
// folder's items begin: "/docs" of the name, "/docs/" of the inside. With the suffix .pdf, on
// Netlify:
//
//	                     for all of it                   for .pdf
//	the name, /docs      /docs/*   one rule              never: the inside has that rule
//	the inside, /docs/   never: the name has that rule   /docs/*.pdf   one rule
func (g *grower) findRules(f *folder, keyPrefix string, items []placed) (all costs) {
	for k := range all {
		all[k] = never
	}
	isInside := strings.HasSuffix(keyPrefix, "/")
	spellings := g.spellings(f.text, items) // of f.text: a rule has one path for each
	if isRoot := keyPrefix == "/"; isRoot {
		f.paths, all[0] = g.findRootRule()
	} else {
		f.paths, all[0] = g.findRuleForAll(spellings, isInside, items)
	}
	if len(spellings) > 1 {
		f.suffixPaths = make(map[int][]string) // else a path follows from the text and the suffix
	}
	for k := 1; k < len(g.suffixes.names); k++ { // number 0 is no suffix
		if f.hasRuleFor(g.suffixes.names[k], keyPrefix, items) {
			all[k] = g.findSuffixRule(f, k, spellings, items)
		}
	}
	return all
}

// findRuleForAll returns the paths of the rules for all of a folder that is not the root, and what
// they cost together: none and never if they cannot be written.
func (g *grower) findRuleForAll(spellings []string, isInside bool, items []placed) (
	paths []string, cost price) {
	// Netlify reads a rule for the inside, /docs/*, as one for the name, so that the name has it.
	if isRuleOfName := isInside && g.setting.isForNetlify; isRuleOfName {
		return nil, never
	}
	return g.starredPaths(spellings, func(spelling string) []string {
		return g.endsFor(spelling, isInside, items)
	})
}

// hasRuleFor reports whether the rule for a suffix in a folder of the site is at this node, if
// there can be one: only one of the two nodes, its name and its inside, has it. keyPrefix is how
// the keys of the node's items begin.
func (f *folder) hasRuleFor(suffix, keyPrefix string, items []placed) bool {
	if isRoot := keyPrefix == "/"; isRoot {
		// It is one node for both kinds of suffixes. Its text and a suffix never overlap: a path
		// that is the suffix itself does not count as ending with it ([suffixes.cloudflareKind]).
		return true
	}
	isInside := strings.HasSuffix(keyPrefix, "/")
	return isInside == belongsInside(suffix) && !f.overlaps(suffix, items)
}

// findSuffixRule returns what the rules of a folder for suffix number k cost: never if they cannot
// be written. If the folder has several spellings, it also sets how they are written: one for each
// spelling that has the suffix.
func (g *grower) findSuffixRule(f *folder, k int, spellings []string, items []placed) price {
	hasSeveral := len(spellings) > 1
	if hasSeveral {
		spellings = g.spellings(f.text, g.matchedBy(k, items))
	}
	end := []string{"*" + g.suffixes.names[k]}
	paths, cost := g.starredPaths(spellings, func(string) []string { return end })
	if hasSeveral {
		f.suffixPaths[k] = paths
	}
	return cost
}

// belongsInside reports whether the rule of a suffix is at the inside of a folder, /docs/*.pdf,
// since the suffix begins with a dot. One that begins with a slash is the tail of a template (see
// value.go), and has its rule at the folder's name: /docs*/a.md. At the root both are one.
func belongsInside(suffix string) bool { return suffix[0] == '.' }

// overlaps reports whether the folder's text and a suffix share characters of an item's path, so
// that no star can be between them: /docs* and /docs, as the tail of /docs.
func (f *folder) overlaps(suffix string, items []placed) bool {
	return slices.ContainsFunc(items, func(it placed) bool {
		path := it.item.path
		return strings.HasSuffix(path, suffix) && len(path) < len(f.text+suffix)
	})
}

// findRootRule returns the paths of the rules for the whole site, and what they cost. There are
// none beside an environment's rules, which are for all of it already, and none if the owner has
// blocks of the same paths. The three paths of [everyPath] are for X-Robots-Tag alone: a value of
// another header may be a template, which a path without a star cannot state.
func (g *grower) findRootRule() (paths []string, cost price) {
	isFree := func(path string) bool { return g.setting.ownersBlocks[path] == nil }
	switch {
	case len(g.setting.environment) > 0:
	case isFree("/*"):
		return g.starredPaths([]string{"/"}, func(string) []string { return []string{"*"} })
	case g.setting.isFirst && every(everyPath, isFree):
		return everyPath, price(len(everyPath)) * one
	}
	return nil, never
}

// matchedBy returns the items that a rule for suffix number k matches.
func (g *grower) matchedBy(k int, items []placed) []placed {
	isOther := func(it placed) bool { return !g.suffixes.matches(k, &it) }
	return slices.DeleteFunc(slices.Clone(items), isOther)
}

// maxSpellings is how many spellings a folder may have to get rules.
const maxSpellings = 8

// spellings returns how the paths of items that lie in a folder spell its text, if both hosts
// matter; else one spelling will do. There are none if there are too many.
func (g *grower) spellings(text string, items []placed) []string {
	if g.setting.cloudflare == nil || !g.setting.isForNetlify {
		return []string{text}
	}
	var all []string
	for _, it := range items {
		if s := it.item.path[:len(text)]; !slices.Contains(all, s) {
			all = append(all, s)
		}
		if len(all) > maxSpellings {
			return nil
		}
	}
	slices.Sort(all)
	return all
}

// endsFor returns how a rule for a whole folder may go on after a spelling of it, the best first.
// isInside says that the spelling ends with the folder's slash. For the name /docs, and Netlify:
//
//	/docs/*, /docs*   if nothing is beside the folder
//	/docs*, /docs/*   if /docs.html is: both match it by the emulator, one by the documentation
//	/docs*            the same if Cloudflare reads the file too, where /docs/* does not match it
func (g *grower) endsFor(spelling string, isInside bool, items []placed) []string {
	isBeside := func(it placed) bool {
		isOfSpelling := g.setting.cloudflare == nil || strings.HasPrefix(it.item.path, spelling)
		return isOfSpelling && !strings.HasPrefix(it.item.path, spelling+"/")
	}
	switch {
	case isInside || !g.setting.isForNetlify:
		return []string{"*"}
	case !slices.ContainsFunc(items, isBeside):
		return []string{"/*", "*"} // both mean the same; the first is how people write it
	case g.setting.cloudflare == nil:
		return []string{"*", "/*"}
	}
	return []string{"*"}
}

// starredPaths returns the paths of a rule with a star, one for each spelling of its folder, and
// what they cost together: never, and no paths, if one cannot be written. ends returns how a path
// may go on after a spelling, the best first.
func (g *grower) starredPaths(spellings []string, ends func(spelling string) []string) (
	paths []string, cost price) {
	for _, text := range spellings {
		all := ends(text)
		canBe := func(end string) bool { return g.setting.canStar(text, end) }
		i := slices.IndexFunc(all, canBe)
		if i < 0 {
			return nil, never
		}
		paths, cost = append(paths, text+all[i]), cost+g.setting.costOf(text+all[i])
	}
	if paths == nil {
		return nil, never
	}
	return paths, cost
}
