package headers

import (
	"fmt"
	"slices"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// budget gives up what does not fit the target's limit (N2, N6).
func (c *compiler) budget() error {
	if c.cloudflare == nil {
		return nil
	}
	c.res.Limit = CloudflareRules
	own := c.cloudflare.file.Count
	fits := func() (fit bool) {
		for try := 0; try < 2 && !fit; try++ {
			if try > 0 {
				c.mergeOwn()
			}
			all, blocks := c.ours()
			c.res.Total = own + blocks
			fit = len(all) == 0 || c.res.Total <= CloudflareRules
		}
		return fit
	}
	if fits() {
		return nil
	}
	if before := c.outcomes; c.opt.Auto() {
		all, pages := c.res.Total, 0
		c.giveUp = true
		if c.choose(); fits() {
			for i, f := range c.outcomes {
				if f.left && !before[i].left {
					pages++
				}
			}
			c.res.Report("header-budget", policy.Warning, 0, "",
				"%d rules do not fit Cloudflare's limit of %d: %d HTML pages are left to their meta tags",
				all, CloudflareRules, pages)
			return nil
		}
	}
	c.res.Report("header-budget", policy.Error, 0, "",
		"%d rules do not fit Cloudflare's limit of %d (%d of them are the site's own); nothing was written",
		c.res.Total, CloudflareRules, own)
	return fmt.Errorf("%w: %d rules, %d allowed", robotstag.ErrBudget, c.res.Total, CloudflareRules)
}

// ours returns our rules in the order of the file, general before specific, and how many are blocks of their own.
func (c *compiler) ours() (all []ours, blocks int) {
	all = slices.Concat(c.front, c.rules, c.hosts)
	if !c.netlify && len(c.opt.Everywhere) == 0 && len(c.rules) > 0 && !c.cloudflare.file.rulesPreviews() {
		// It takes everything else away: after a value for one crawler, a noindex that is merely appended would be read
		// as that crawler's.
		if path := c.free(previewPaths); path != "" {
			all = append(all, ours{path: path, name: Name, detach: true, before: []string{"noindex"}})
		}
	}
	for _, o := range all {
		if o.place == nil {
			blocks++
		}
	}
	return all, blocks
}

// finish prints the file and the closing findings.
func (c *compiler) finish(given []byte) {
	all, blocks := c.ours()
	behind := func(o ours) bool { return o.place != nil && o.place.Line > c.user.At }
	if !c.user.stays() || slices.ContainsFunc(all, behind) {
		c.user.At = len(c.user.Lines)
	}
	out := c.user.print(all)
	if c.res.File = out; len(out) == 0 && len(given) == 0 {
		c.res.File = given // which may be empty, or none
	}
	c.res.Rules = blocks
	c.res.Total = c.user.engines[0].Parse(out).Count // the first dialect is the one with the limit
	exposed, previews := 0, 0
	for i, f := range c.outcomes {
		w := &c.wants[i]
		if f.left {
			c.res.GivenUp = append(c.res.GivenUp, w.Path)
		}
		if f.missed {
			c.res.Missed = append(c.res.Missed, w.Path)
		}
		if f.preview {
			previews++
		}
		if f.touched && c.portable && !w.Noindex {
			exposed++
		}
	}
	if c.res.Limit == 0 && c.res.Total > NetlifyRules {
		c.res.Report("header-count", policy.Warning, 0, "",
			"%d rules: Netlify's parser gets slow above %d", c.res.Total, NetlifyRules)
	}
	if previews > 0 {
		c.res.Report("header-preview", policy.Note, 0, "",
			"%s in the tag alone: on Cloudflare a header without noindex would open the previews to the index "+
				"(targets = [\"cloudflare\"] keeps them out)",
			robotstag.Count(previews, "HTML page has its policy", "HTML pages have their policy"))
	}
	if exposed > 0 {
		c.res.Report("header-preview", policy.Warning, 0, "",
			"%s a header without noindex: on Cloudflare it opens their previews to the index "+
				"(targets = [\"cloudflare\"] keeps them out)", robotstag.Count(exposed, "file has", "files have"))
	}
}
