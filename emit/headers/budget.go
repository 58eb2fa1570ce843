package headers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// newBlocks are the paths of rules that are blocks of their own and not known yet.
func newBlocks(rules []added, known map[string]bool) map[string]bool {
	paths := make(map[string]bool, len(rules))
	for _, a := range rules {
		if a.place == nil && !known[a.path] {
			paths[a.path] = true
		}
	}
	return paths
}

// isLeft reports whether an item needs no rule, because all its files are left to their tags.
func (c *compiler) isLeft(it *item) bool {
	return c.left > robotstag.LeftNone && every(it.requests, func(s request) bool {
		w := &c.wants[s.want]
		return len(w.Values) > 0 && c.left.Has(w)
	})
}

// fit gives up what does not fit the target's limit (N2, N6).
func (c *compiler) fit() error {
	if c.cloudflare == nil {
		return nil
	}
	own := c.cloudflare.file.Count
	fits := func() bool {
		all := c.additions()
		c.res.Limit, c.res.Total = CloudflareRules, own+len(newBlocks(all, nil))
		return len(all) == 0 || c.res.Total <= CloudflareRules
	}
	if fits() {
		return nil
	}
	needed, scope := c.res.Total, c.left
	for {
		more, ok := c.opt.LeaveMore(c.left, c.wants)
		if !ok {
			break
		}
		c.left = more
		if c.choose(); fits() {
			c.res.Report("header-budget", policy.Warning, 0, "",
				"%d rules do not fit Cloudflare's limit of %d: %s",
				needed, CloudflareRules, robotstag.LeftToTags(c.pagesLeft(scope)))
			return nil
		}
	}
	c.res.Report("header-budget", policy.Error, 0, "",
		"%d rules do not fit Cloudflare's limit of %d (%d of them are the site's own)",
		c.res.Total, CloudflareRules, own).Detail = "; nothing was written"
	return fmt.Errorf("%w: %d rules, %d allowed", robotstag.ErrBudget, c.res.Total, CloudflareRules)
}

// pagesLeft counts the pages that are left to their tags and that the scope did not leave. A page of which one request
// path has no rule for another reason is one of them, as it loses the rules for the others.
func (c *compiler) pagesLeft(scope robotstag.Left) int {
	pages := make(map[string]bool)
	for i := range c.wants {
		w := &c.wants[i]
		if _, isLeft := c.toTag[w.Path]; isLeft && c.left.Has(w) && !scope.Has(w) {
			pages[w.Path] = true
		}
	}
	return len(pages)
}

// whyLost says for many files what an obstacle says for one.
var whyLost = map[string]string{
	"header-value": "the value cannot stand in the file", "header-name": "no rule of the host can name the file",
	"header-overlap": "a rule would reach a file with another value, too",
	"header-found":   "a rule of the site's own is in the way",
}

// fitOther serves as many files as the limit leaves room for, and notes the others.
func (c *compiler) fitOther() {
	if c.cloudflare != nil {
		c.ration(CloudflareRules - c.cloudflare.file.Count - len(c.blocks))
	}
	lost := make(map[string][]robotstag.Want)
	for _, w := range c.wants {
		if why := c.why[w.Path]; why != "" {
			lost[why] = append(lost[why], w)
		}
	}
	for why, wants := range lost {
		c.res.Lose(c.header.Name, why, wants)
	}
}

// ration chooses rules again, so that no more than a number of blocks are new. A file that goes without costs a part of
// a rule, as much as fits. What is left goes to single files, those with a canonical link first.
func (c *compiler) ration(most int) {
	for loss := one - 1; len(newBlocks(c.rules, c.blocks)) > most && c.loss > 0; loss = loss * 7 / 8 {
		c.loss = loss
		for _, s := range c.shapes {
			clear(s.solved)
		}
		c.write()
	}
	most -= len(newBlocks(c.rules, c.blocks))
	file := func(it *item) string {
		harm := map[bool]string{true: "\x00"}[strings.Contains(it.value.text, `rel="canonical"`)]
		return harm + c.wants[it.requests[0].want].Path
	}
	slices.SortStableFunc(c.lost, func(a, b *item) int { return cmp.Compare(file(a), file(b)) })
	for from, to := 0, 0; from < len(c.lost); from = to {
		for to < len(c.lost) && file(c.lost[to]) == file(c.lost[from]) {
			to++
		}
		fits := to-from <= most && !c.lost[from].optional // the whole file, or none of it
		for _, it := range c.lost[from:to] {
			if fits {
				c.rules, most = append(c.rules, c.ownRule(it)), most-1
			} else {
				c.note(it, c.why, "the host takes no more rules")
			}
		}
	}
}
