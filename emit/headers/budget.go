package headers

import (
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
	rules, blocks := c.ours()
	all := e.file.Count + blocks
	if len(rules) == 0 || all <= CloudflareRules {
		return nil
	}
	if c.auto() {
		before := c.fates
		c.giveUp = true
		c.choose()
		rules, blocks = c.ours()
		fit := e.file.Count + blocks
		if fit <= CloudflareRules || len(rules) == 0 {
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

// ours returns our rules in the order of the file, general before specific, and how many are blocks of their own.
func (c *compiler) ours() (all []ours, blocks int) {
	all = slices.Concat(c.front, c.rules, c.hosts)
	if c.cloudflare() != nil && !c.portable() && len(c.opt.Everywhere) == 0 && len(c.rules) > 0 {
		if o, ok := c.preview(); ok {
			all = append(all, o)
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
	at := len(c.user.lines)
	behind := func(o ours) bool { return o.place != nil && o.place.Line > c.user.at }
	if c.user.stays() && !slices.ContainsFunc(all, behind) {
		at = c.user.at
	}
	out := c.user.print(all, blocks, at)
	switch {
	case len(out) > 0:
		c.res.File = out
	case given != nil && len(given) == 0:
		c.res.File = given
	}
	c.res.Rules = blocks
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
