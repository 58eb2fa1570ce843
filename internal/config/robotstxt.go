package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/policy"
)

// RobotsTxt is [robots.txt].
type RobotsTxt struct {
	// Write is merge, replace or false.
	Write  string
	Policy robotstxt.Policy
}

// robotsTxt reads [robots.txt].
func (d *decoder) robotsTxt(t *table) RobotsTxt {
	defer t.done()
	c := RobotsTxt{Write: t.write()}
	for i, name := range t.names("block", true) {
		purpose := policy.Purpose(strings.ToLower(name))
		if !slices.Contains(policy.Purposes, purpose) {
			names := make([]string, len(policy.Purposes))
			for i, known := range policy.Purposes {
				names[i] = string(known)
			}
			d.unknownName(append(t.at("block"), fmt.Sprint(i)), "purpose", name, names)
			continue
		}
		c.Policy.Block = append(c.Policy.Block, purpose)
	}
	c.Policy.Sitemaps = t.names("sitemaps", false)
	everyone := robotstxt.Group{ContentSignal: t.text("contentSignal"), ContentUsage: t.names("contentUsage", false)}
	if everyone.ContentSignal != "" || len(everyone.ContentUsage) > 0 {
		c.Policy.Groups = append(c.Policy.Groups, everyone)
	}
	for _, g := range t.tables("groups") {
		c.Policy.Groups = append(c.Policy.Groups, robotstxt.Group{
			Agents: g.names("agents", true), Allow: g.names("allow", false), Disallow: g.names("disallow", false),
			CrawlDelay: g.number("crawlDelay"), CleanParam: g.names("cleanParam", false),
			ContentSignal: g.text("contentSignal"), ContentUsage: g.names("contentUsage", false),
		})
		g.done()
	}
	for _, f := range c.Policy.Check() {
		if f.Severity == policy.Error {
			d.errorf(t.path, "%s", f.Message)
		}
	}
	return c
}

// write reads merge, replace or false.
func (t *table) write() string {
	value, path, ok := t.get("write")
	if on, isTruth := value.(bool); ok && isTruth {
		if on {
			return "merge"
		}
		return "false"
	}
	s := strings.ToLower(fmt.Sprint(value))
	if !slices.Contains([]string{"merge", "replace", "false"}, s) {
		t.d.errorf(path, "%v is none of merge, replace, false", quoted(value))
	}
	return cmp.Or(s, "merge")
}
