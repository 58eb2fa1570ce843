package headers

import (
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// placeEverywhere writes the one rule of an environment that states noindex.
func (c *compiler) placeEverywhere() {
	values := c.opt.Everywhere
	if len(values) == 0 {
		return
	}
	if bad := badValues(values); bad != "" {
		c.res.Report("header-value", policy.Error, 0, "", "the environment's header: %s", bad)
		return
	}
	o := ours{path: "/*", name: Name, before: values}
	// What the user's rules say is a part of each file's own decision.
	o.detach = c.cloudflare != nil && !c.quiet
	userBlock := c.userBlocks[o.path]
	if userBlock != nil {
		wanted := strings.Join(values, ", ")
		if robotstag.Same(userBlock.text(), wanted) {
			return
		}
		ways := around(userBlock, wanted, values)
		missing := func(e *engine) bool { return e.file.at(userBlock) == nil }
		if len(ways) == 0 || slices.ContainsFunc(c.user.engines, missing) {
			c.res.Report("header-found", policy.Error, c.user.line(userBlock.Line), "",
				"the X-Robots-Tag of this rule stands in the way of the environment's (remove it: the environment "+
					"covers the site); every file needs a rule of its own")
			return
		}
		o = ways[0]
	}
	c.front, c.quiet = []ours{o}, false
	for _, e := range c.user.engines {
		e.everywhere = o.rule(e.file.at(userBlock))
	}
}
