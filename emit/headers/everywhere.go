package headers

import (
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// placeEverywhere writes the one rule of an environment that states noindex.
func (c *compiler) placeEverywhere() {
	const path = "/*"
	values := c.opt.Everywhere
	if len(values) == 0 || len(c.user.engines) == 0 {
		return
	}
	if msg := badValues(values); msg != "" {
		c.report(
			policy.Finding{ID: robotstag.IDValue, Severity: policy.Error, Message: "the environment's header: " + msg})
		return
	}
	wanted, rival := strings.Join(values, ", "), c.rivals[path]
	if rival == nil {
		// What the user's rules say is a part of each file's own decision.
		robots := func(r Rule) bool { return len(r.robots()) > 0 }
		detach := c.cloudflare() != nil && slices.ContainsFunc(c.cloudflare().file.Rules, robots)
		c.front = []ours{{path: path, name: Name, detach: detach, before: values}}
		for _, e := range c.user.engines {
			e.everywhere = c.front[0].rule(nil)
		}
		c.everywhere, c.quiet = true, false
		return
	}
	if robotstag.Same(rival.text(), wanted) {
		return
	}
	ways := around(rival, wanted, values)
	missing := func(e *engine) bool { return e.file.at(rival.Line) == nil }
	if len(ways) > 0 && !slices.ContainsFunc(c.user.engines, missing) {
		o := ways[0]
		if o.name = Name; rival.text() != "" {
			own := rival.robots()
			o.name = own[len(own)-1].Name
		}
		c.front = []ours{o}
		for _, e := range c.user.engines {
			e.everywhere = o.rule(e.file.at(rival.Line))
		}
		c.everywhere, c.quiet = true, false
		return
	}
	c.report(policy.Finding{ID: robotstag.IDFound, Severity: policy.Error, Line: c.user.line(rival.Line),
		Message: "the X-Robots-Tag of this rule stands in the way of the environment's (remove it: the environment " +
			"covers the site); every file needs a rule of its own"})
}
