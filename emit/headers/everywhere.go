package headers

import (
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// placeEverywhere writes the one rule of an environment that states noindex.
func (c *compiler) placeEverywhere() {
	if len(c.opt.Everywhere) == 0 || len(c.engines) == 0 {
		return
	}
	if msg := badValues(c.opt.Everywhere); msg != "" {
		c.report(policy.Finding{ID: robotstag.IDValue, Severity: policy.Error, Message: "the environment's header: " + msg})
		return
	}
	const path = "/*"
	joined := strings.Join(c.opt.Everywhere, ", ")
	rival := c.rivals[path]
	if rival == nil {
		// What the user's rules say is a part of each file's own decision.
		detach := slices.ContainsFunc(c.cloudflareRules(), func(r Rule) bool { return len(r.robots()) > 0 })
		lines := ruleLines(Name, detach, c.opt.Everywhere)
		c.front = append(c.front, block{path, lines})
		for _, e := range c.engines {
			r := e.Parse([]byte(path + "\n" + strings.Join(lines, "\n") + "\n")).Rules[0]
			r.Line = 0
			c.everywhere = append(c.everywhere, &r)
		}
		return
	}
	if own := rival.robotsText(); own != "" && robotstag.Same(own, joined) {
		return
	}
	for _, s := range around(rival, joined, c.opt.Everywhere) {
		name := rival.robotsName()
		c.edits = c.mergeEdits(rival, name, false, s)
		for _, e := range c.engines {
			at := slices.IndexFunc(e.user.Rules, func(r Rule) bool { return r.Line == rival.Line })
			if at < 0 {
				break
			}
			c.everywhere = append(c.everywhere, ourRule(&e.user.Rules[at], name, false, s))
		}
		if len(c.everywhere) == len(c.engines) {
			return
		}
		c.everywhere, c.edits = nil, nil
	}
	c.report(policy.Finding{ID: robotstag.IDFound, Severity: policy.Error, Line: c.user.line(rival.Line),
		Message: "the X-Robots-Tag of this rule stands in the way of the environment's (remove it: the environment covers the site); every file needs a rule of its own"})
}

func (c *compiler) cloudflareRules() []Rule {
	if e := c.cloudflare(); e != nil {
		return e.user.Rules
	}
	return nil
}
