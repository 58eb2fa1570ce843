package headers

import (
	"cmp"
	"fmt"
	"slices"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// budget gives up what does not fit the target's limit (N2, N6).
func (c *compiler) budget() error {
	e := c.cloudflare()
	if e == nil {
		return nil
	}
	c.res.Limit = CloudflareRules
	all := c.count()
	if c.empty() || all <= CloudflareRules {
		return nil
	}
	if c.auto() {
		before := c.fates
		c.giveUp = true
		c.choose()
		fit := c.count()
		if fit <= CloudflareRules || c.empty() {
			pages := 0
			for i, f := range c.fates {
				if f.left && !before[i].left {
					pages++
				}
			}
			c.report(policy.Finding{ID: robotstag.IDBudget, Severity: policy.Warning, Message: fmt.Sprintf(
				"%d rules do not fit Cloudflare's limit of %d: %d HTML pages are left to their meta tags",
				all, CloudflareRules, pages)})
			return nil
		}
		all = fit
	}
	c.res.Total = all
	c.report(policy.Finding{ID: robotstag.IDBudget, Severity: policy.Error, Message: fmt.Sprintf(
		"%d rules do not fit Cloudflare's limit of %d (%d of them are the site's own); nothing was written",
		all, CloudflareRules, e.file.Count)})
	return fmt.Errorf("%w: %d rules, %d allowed", ErrBudget, all, CloudflareRules)
}

// count is the number of rules in the whole file.
func (c *compiler) count() int {
	blocks, _ := c.ours()
	return c.cloudflare().file.Count + len(blocks)
}

// empty reports whether we have nothing to write.
func (c *compiler) empty() bool {
	return len(c.patterns)+len(c.plans)+len(c.front)+len(c.edits)+len(c.hosts) == 0
}

// ours returns our blocks in the order of the file, general before specific, and our lines for the user's blocks.
func (c *compiler) ours() (blocks []block, edits []edit) {
	edits = slices.Clone(c.edits)
	add := func(p plan, to *[]block) {
		edits = append(edits, p.edits...)
		if p.block.path != "" {
			*to = append(*to, p.block)
		}
	}
	var patterns, exact []block
	for i := range c.patterns {
		add(c.print(&c.patterns[i]), &patterns)
	}
	for _, p := range c.plans {
		add(p, &exact)
	}
	slices.SortStableFunc(exact, func(a, b block) int { return cmp.Compare(a.path, b.path) })
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	blocks = slices.Concat(c.front, patterns, exact, c.hosts)
	if c.cloudflare() != nil && !c.portable() && len(c.opt.Everywhere) == 0 && len(c.patterns)+len(c.plans) > 0 {
		if b, ok := c.preview(); ok {
			blocks = append(blocks, b)
		}
	}
	return blocks, slices.Compact(edits)
}

// finish prints the file and the closing findings.
func (c *compiler) finish(given []byte) {
	blocks, edits := c.ours()
	at := len(c.user.lines)
	if c.user.stays() && !slices.ContainsFunc(edits, func(e edit) bool { return e.at > c.user.at }) {
		at = c.user.at
	}
	out := c.user.print(edits, blocks, at)
	switch {
	case len(out) > 0:
		c.res.File = out
	case given != nil && len(given) == 0:
		c.res.File = given
	}
	c.res.Rules = len(blocks)
	if len(c.user.engines) > 0 {
		// The first dialect is the one with the limit.
		c.res.Total = c.user.engines[0].Parse(out).Count
	}
	exposed, previews, missed := 0, 0, 0
	for i, f := range c.fates {
		w := &c.wants[i]
		if f.left {
			c.res.GivenUp = append(c.res.GivenUp, w.Name())
		}
		if f.missed {
			c.res.Missed = append(c.res.Missed, w.Name())
			missed++
		}
		if f.preview {
			previews++
		}
		if f.touched && c.portable() && !w.Noindex {
			exposed++
		}
	}
	slices.Sort(c.res.GivenUp)
	slices.Sort(c.res.Missed)
	c.closing(exposed, previews, missed)
}

// closing reports what is known at the end.
func (c *compiler) closing(exposed, previews, missed int) {
	if c.res.Limit == 0 && c.res.Total > NetlifyRules {
		c.report(policy.Finding{ID: robotstag.IDCount, Severity: policy.Warning, Message: fmt.Sprintf(
			"%d rules: Netlify's parser gets slow above %d", c.res.Total, NetlifyRules)})
	}
	const remedy = "(targets = [\"cloudflare\"] keeps them out)"
	if previews > 0 {
		c.report(policy.Finding{ID: robotstag.IDPreview, Severity: policy.Note, Message: fmt.Sprintf(
			"%s in the tag alone: on Cloudflare a header without noindex would open the previews to the index %s",
			counted(previews, "HTML page has its policy", "HTML pages have their policy"), remedy)})
	}
	if exposed > 0 {
		c.report(policy.Finding{ID: robotstag.IDPreview, Severity: policy.Warning, Message: fmt.Sprintf(
			"%s a header without noindex: on Cloudflare it opens their previews to the index %s",
			counted(exposed, "file has", "files have"), remedy)})
	}
	if len(c.user.engines) == 0 && missed > 0 {
		c.report(policy.Finding{ID: robotstag.IDNone, Severity: policy.Warning, Message: fmt.Sprintf(
			"the host serves no headers: %d files that cannot carry a meta tag go without their policy", missed)})
	}
}

// counted prints a number and the words for one or for several.
func counted(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}
