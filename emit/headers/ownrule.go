package headers

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// ownRule says which rule an item can have for its path alone.
type ownRule uint8

const (
	// overridesOurs: a block of its own. It comes after our rules with stars, so that it holds
	// whatever these say.
	overridesOurs ownRule = iota
	// besideOurs: a block of its own, which does not go if rules of ours with stars reach the item.
	besideOurs
	// inOwnersBlock: lines of ours in the owner's block of that path. Cloudflare would keep
	// only one of two blocks.
	inOwnersBlock
	// impossible: no rule gives the item its value and no other file a wrong one.
	impossible
)

// findOwnRule finds out which rule an item can have for its path alone. sameKey are the items with
// its key; isStatable says that a rule can state its value at all.
func (g *gatherer) findOwnRule(it *item, sameKey []*item, isStatable bool) {
	block := g.setting.ownersBlocks[it.path]
	it.obstacle = g.findNamingObstacle(it, sameKey)
	switch {
	case it.obstacle != nil:
		it.own = impossible
	case it.isServed && (block != nil || !isStatable):
		it.own = besideOurs
	case block == nil && isStatable:
		// If the owner has /*, a block for "/" may be a part of our rule for the whole site.
		if it.path == everyPath[0] && g.setting.ownersBlocks["/*"] != nil {
			it.own = besideOurs
		}
	default:
		if it.lines = g.linesInBlock(it, block); it.lines != nil {
			it.own = inOwnersBlock
		} else {
			it.own, it.obstacle = impossible, g.ownersRuleInTheWay(it)
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

// requestFor returns the first request of an item that a rule for a path matches; nil if there is none.
func (it *item) requestFor(path string) *request {
	for i := range it.requests {
		r := &it.requests[i]
		if d := r.engine.dialect; d.key(r.path) == d.key(path) {
			return r
		}
	}
	return nil
}

// ownersRuleInTheWay is the finding about an item whose path has a block of the owner's that lines
// of ours cannot complete.
func (g *gatherer) ownersRuleInTheWay(it *item) *policy.Finding {
	for _, r := range it.requests {
		if owners := g.setting.owner.ownValues(r); len(owners) > 0 {
			return obstacle("header-found", "the %s rule of line %d stands in the way of the "+
				"value for %s (remove it: the policy covers the file)",
				g.setting.header.Name, g.setting.owner.line(owners[0].Line), it.path)
		}
	}
	return obstacle("header-found",
		"no rule can give %s the wanted value beside the one for /*", it.path)
}

// linesInBlock finds the lines that we put into the owner's block of an item's path, in front of
// the block's own lines about the header, so that every request of the item gets what is wanted. It
// returns nil if no lines do, or there is no block.
//
// The block's own lines must be a part of what is wanted, which ours complete. If they are not, but
// say less when sent as one line than each by itself, the whole value goes in front of them.
func (g *gatherer) linesInBlock(it *item, block *Rule) *ourRule {
	v := it.value
	if block == nil {
		return nil
	}
	lines, owners := v.lines, robotstag.Texts(block.values)
	switch joined := strings.Join(owners, ", "); {
	case isPart(joined, v.text):
		isStated := func(line string) bool { return slices.Contains(owners, line) }
		lines = slices.DeleteFunc(slices.Clone(lines), isStated)
	case g.setting.header.Equal(joined, strings.Join(owners, "\n")):
		return nil
	}
	rule := g.setting.makeRule(it.path, lines, false)
	for _, rule.detaches = range []bool{false, true} {
		if g.serves(rule, it, len(block.values) > 0) {
			return &rule
		}
	}
	return nil
}

// serves reports whether each request of an item gets what is wanted by a rule of ours, beside the
// owner's and the environment's. hasLines says that the block of the rule has lines of the owner's
// about the header: the value counts in other words then.
func (g *gatherer) serves(rule ourRule, it *item, hasLines bool) bool {
	file := g.setting.owner.print(append(slices.Clip(g.setting.environment), rule))
	return every(it.requests, func(r request) bool {
		d := r.engine.dialect
		got := d.Values(d.Parse(file, g.setting.header.Name), g.setting.owner.host, r.path)
		return d.says(&g.setting.header, got, it.value.text) &&
			(hasLines || robotstag.Join(got) == it.value.text)
	})
}

// isPart reports whether a text is a part of a list.
func isPart(text, list string) bool {
	return text == "" || strings.Contains(", "+list+", ", ", "+text+", ")
}
