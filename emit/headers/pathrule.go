package headers

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// pathRule says which rule an item can have for its path alone.
type pathRule uint8

const (
	// canOverride: a block of its own. It comes after our rules with stars, so that it holds
	// whatever these say.
	canOverride pathRule = iota
	// cannotOverride: a block of its own, which is no help if rules of ours with stars reach the
	// item. An item that is served without us may also be one that needs none and can have none.
	cannotOverride
	// inOwnersBlock: lines of ours in the owner's block of that path. Cloudflare would keep
	// only one of two blocks.
	inOwnersBlock
	// impossible: no rule gives the item its value and no other file a wrong one.
	impossible
)

// findPathRule finds out which rule an item can have for its path alone. sameKey are the items with
// its key; isStatable says that a rule can state its value at all: it cannot if the item wants no
// header, and Netlify reads the file or the owner's rules send it one ([gatherer.isStatable]). An
// obstacle is reported only if the item is not served without us ([chooser.outcomeOf]).
func (g *gatherer) findPathRule(it *item, sameKey []*item, isStatable bool) {
	block := g.setting.ownersBlocks[it.path]
	it.obstacle = g.findNamingObstacle(it, sameKey)
	switch {
	case it.obstacle != nil:
		it.pathRule = impossible
	case it.isServed && (block != nil || !isStatable):
		it.pathRule = cannotOverride
	case block == nil && isStatable:
		it.pathRule = canOverride
		// If the owner has /*, a block for "/" may be a part of our rule for the whole site. Whether
		// that is written is not known yet.
		if it.path == everyPath[0] && g.setting.ownersBlocks["/*"] != nil {
			it.pathRule = cannotOverride
		}
	default: // the owner has a block of that path, or what comes without us cannot be taken away
		if it.ruleInBlock = g.findRuleInBlock(it, block); it.ruleInBlock != nil {
			it.pathRule = inOwnersBlock
		} else {
			it.pathRule, it.obstacle = impossible, g.ownersRuleInTheWay(it)
		}
	}
}

// obstacle makes the finding for an item without a rule; the caller adds severity and file.
func obstacle(id, format string, args ...any) *policy.Finding {
	return &policy.Finding{ID: id, Message: fmt.Sprintf(format, args...)}
}

// findNamingObstacle says why no rule can name an item's path and mean the item alone; nil if one
// can. sameKey are the items with its key.
func (g *gatherer) findNamingObstacle(it *item, sameKey []*item) *policy.Finding {
	v := it.value
	if v.fault != "" {
		return obstacle("header-value", "%s", v.fault)
	}
	for _, e := range g.setting.owner.engines {
		if !e.dialect.canName(it.path) {
			return obstacle("header-name", "no rule of %s can name %s exactly",
				e.dialect.Name(), it.path)
		}
	}
	for _, other := range sameKey {
		if other.value == v {
			continue
		}
		if r := other.requestFor(it.path); r != nil {
			return obstacle("header-overlap",
				"a rule for %s would reach %s too, which is to be served with %q, not %q (%s)",
				it.path, g.wants[r.want].Path, other.value.text, v.text, r.engine.dialect.Name())
		}
	}
	return nil
}

// requestFor returns the first request of an item that a rule for a path matches; nil if there is
// none.
func (it *item) requestFor(path string) *request {
	for i := range it.requests {
		r := &it.requests[i]
		if d := r.engine.dialect; d.key(r.path) == d.key(path) {
			return r
		}
	}
	return nil
}

// ownersRuleInTheWay is the finding about an item for which lines of ours in the owner's block do
// not do, or which wants no header and gets one: it names the line of the owner's that sets the
// header. If none does, it blames the rule for /*, which is then an environment's.
func (g *gatherer) ownersRuleInTheWay(it *item) *policy.Finding {
	for _, r := range it.requests {
		if owners := g.setting.owner.ownValues(r); len(owners) > 0 {
			return obstacle("header-found", "the %s rule of line %d stands in the way of the "+
				"value for %s (state in the policy what it restricts, and take it out)",
				g.setting.header.Name, g.setting.owner.lineInFile(owners[0].Line), it.path)
		}
	}
	return obstacle("header-found",
		"no rule can give %s the wanted value beside the one for /*", it.path)
}

// findRuleInBlock makes the rule whose lines we put into the owner's block of an item's path, in
// front of the block's own lines about the header, so that every request of the item gets what is
// wanted. It returns nil if no lines do, or if there is no block.
//
// The block's own lines must be a part of what is wanted, which ours complete. If they are not, the
// whole value goes in front of them, but only if they tell crawlers less than they mean: as one line
// less than each by itself, as "googlebot: noindex" does in front of "nofollow" (in one line both are
// googlebot's), or in words that no crawler reads ("no-index").
func (g *gatherer) findRuleInBlock(it *item, block *Rule) *ourRule {
	if block == nil {
		return nil
	}
	ours, owners := it.value.lines, robotstag.Texts(block.values)
	joined, apart := strings.Join(owners, ", "), strings.Join(owners, "\n")
	switch {
	case isPart(joined, it.value.text):
		isStated := func(line string) bool { return slices.Contains(owners, line) }
		ours = slices.DeleteFunc(slices.Clone(ours), isStated)
	case g.setting.header.Equal(joined, apart) && !g.setting.isMisread(joined):
		return nil
	}
	rule := g.setting.makeRule(it.path, ours, false)
	for _, rule.detaches = range []bool{false, true} { // taking away is tried last: it costs a line
		if g.serves(rule, it, len(block.values) > 0) {
			return &rule
		}
	}
	return nil
}

// serves reports whether each request of an item gets what is wanted by a rule of ours, beside the
// owner's and the environment's: by its text. If the block of the rule has lines of the owner's
// about the header (hasOwnersLines), what says the same in other words will do, since ours complete
// theirs.
func (g *gatherer) serves(rule ourRule, it *item, hasOwnersLines bool) bool {
	file := g.setting.owner.printWith(append(slices.Clip(g.setting.environment), rule))
	return every(it.requests, func(r request) bool {
		d := r.engine.dialect
		got := d.Values(d.Parse(file, g.setting.header.Name), g.setting.owner.host, r.path)
		return d.says(&g.setting.header, got, it.value.text) &&
			(hasOwnersLines || robotstag.Join(got) == it.value.text)
	})
}

// isPart reports whether a text is a part of a list: whole items of it, in their order.
func isPart(text, list string) bool {
	return text == "" || strings.Contains(", "+list+", ", ", "+text+", ")
}
