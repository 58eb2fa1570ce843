package headers

import (
	"fmt"
	"slices"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// fit gives up what does not fit the target's limit (N2, N6).
func (c *compiler) fit() error {
	switch {
	case c.blocks != nil:
		return c.fitOther()
	case c.cloudflare == nil:
		return nil
	}
	own := c.cloudflare.file.Count
	fits := func() bool {
		all := c.additions()
		c.res.Limit, c.res.Total = CloudflareRules, own+c.count(all)
		return len(all) == 0 || c.res.Total <= CloudflareRules
	}
	if fits() {
		return nil
	}
	if all, before := c.res.Total, c.outcomes; c.opt.Auto() {
		c.giveUp = true
		if c.choose(); fits() {
			pages := 0
			for i, o := range c.outcomes {
				if o.left && !before[i].left {
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

// count is how many of the rules are new blocks.
func (c *compiler) count(rules []added) int {
	paths := make(map[string]bool, len(rules))
	for _, a := range rules {
		if a.place == nil && !c.blocks[a.path] {
			paths[a.path] = true
		}
	}
	return len(paths)
}

// additions returns our rules in the order of the file, general before specific.
func (c *compiler) additions() []added {
	all := slices.Concat(c.front, c.rules, c.hosts)
	if c.header.Preview != "" && !c.netlify && len(c.opt.Everywhere) == 0 && len(c.rules) > 0 {
		free := slices.IndexFunc(previewPaths, func(path string) bool { return c.userBlocks[path] == nil })
		if free >= 0 && !c.cloudflare.file.rulesPreviews() {
			// It takes everything else away: after a value for one crawler, a noindex that is merely appended would be
			// read as that crawler's.
			all = append(all, *c.rule(previewPaths[free], []string{c.previews()}, true))
		}
	}
	return all
}

// finish prints the file and the closing findings.
func (c *compiler) finish(given []byte, all []added) {
	for _, a := range all {
		if a.place != nil && a.place.Line > c.user.lines.At {
			c.user.lines.At = len(c.user.lines.Lines)
		}
	}
	c.beforeHosts(all)
	if c.res.File = c.user.print(all); len(c.res.File) == 0 && len(given) == 0 {
		c.res.File = given // which may be empty, or none
	}
	c.reportHosts()
	c.res.Rules = c.count(all)
	// The first dialect is the one with the limit.
	c.res.Total = c.user.engines[0].dialect.Parse(c.res.File, c.header.Name).Count
	exposed, previews := 0, 0
	for i, o := range c.outcomes {
		w := &c.wants[i]
		if o.left {
			c.res.GivenUp = append(c.res.GivenUp, w.Path)
		}
		if o.missed {
			c.res.Missed = append(c.res.Missed, w.Path)
		}
		if o.preview {
			previews++
		}
		if o.touched && c.opens(w.Values) {
			exposed++
		}
	}
	if c.res.Limit == 0 && c.res.Total > NetlifyRules {
		c.res.Report("header-count", policy.Warning, 0, "",
			"%d rules: Netlify's parser gets slow above %d", c.res.Total, NetlifyRules)
	}
	const keeps = "(targets = [\"cloudflare\"] keeps them out)"
	if previews > 0 {
		c.res.Report("header-preview", policy.Note, 0, "",
			"%s in the tag alone: on Cloudflare a header without noindex would open the previews to the index "+keeps,
			robotstag.Count(previews, "HTML page has its policy", "HTML pages have their policy"))
	}
	if exposed > 0 {
		c.res.Report("header-preview", policy.Warning, 0, "",
			"%s a header without noindex: on Cloudflare it opens their previews to the index "+keeps,
			robotstag.Count(exposed, "file has", "files have"))
	}
}
