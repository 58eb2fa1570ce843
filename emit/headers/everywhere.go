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
	wanted, block := strings.Join(values, ", "), c.userBlocks["/*"]
	bad := badValues(c.header.Name, values)
	switch {
	case bad != "":
		c.res.Report("header-value", policy.Error, 0, "", "the environment's header: %s", bad)
		return
	case len(values) == 0, block != nil && c.header.same(robotstag.Join(block.values), wanted):
		return
	}
	// What the user's rules say is a part of each file's own decision.
	c.front = []ours{{path: "/*", name: c.name, before: values, detach: c.cloudflare != nil && !c.quiet}}
	if block != nil {
		lines := c.around(block, wanted, values)
		missing := func(e *engine) bool { return e.file.at(block) == nil }
		if lines == nil || slices.ContainsFunc(c.user.engines, missing) {
			c.front = nil
			c.res.Report("header-found", policy.Error, c.user.line(block.Line), "",
				"the %s of this rule stands in the way of the environment's (remove it: the environment "+
					"covers the site); every file needs a rule of its own", c.header.Name)
			return
		}
		c.front = []ours{*lines}
	}
	c.quiet = false
	for _, e := range c.user.engines {
		e.base = e.dialect.Parse(c.user.print(c.front), c.header.Name)
	}
}
