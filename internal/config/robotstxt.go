package config

import (
	"strconv"

	"metarobots/emit/robotstxt"
	"metarobots/frontmatter"
	"metarobots/policy"
)

// RobotsTxt is [robots.txt].
type RobotsTxt struct {
	// Write is [WriteMerge], [WriteReplace] or [WriteNothing].
	Write string
	// Managed is the host that puts a block of its own before the file, or none.
	Managed string
	// OpensPreviews is previews = "open" (S5m).
	OpensPreviews bool
	// Lists are the files of the owner's lists of crawlers, from the site's folder: crawlerLists of
	// [robots].
	Lists  []robotstxt.Value
	Policy robotstxt.Policy
}

// What becomes of the site's own robots.txt. In the policy file, true means merge.
const (
	WriteMerge   = "merge"   // the policy is merged into it
	WriteReplace = "replace" // the policy takes its place
	WriteNothing = "false"   // it stays as it is, without a block of ours
)

// robotsTxt reads the table [robots.txt], without the Lists, which are a key of [robots]. A policy
// that cannot be written as robots.txt is an error at the table.
func (d *decoder) robotsTxt(t *table) RobotsTxt {
	c := RobotsTxt{Write: t.choice("write", WriteMerge, WriteReplace, WriteNothing, "true"),
		Managed: t.choice("managed", robotstxt.ManagedNames()...)}
	if c.Write == "true" {
		c.Write = WriteMerge
	}
	c.OpensPreviews = t.choice("previews", "keep", "open") == "open"
	if c.OpensPreviews && c.Write != WriteMerge {
		d.errorf(t.at("previews"),
			`"open" changes the site's own robots.txt, which write = %q does not permit`, c.Write)
	}
	c.Policy.Block = words(t, "block", "purpose", policy.Purposes)
	if len(c.Policy.Block) > 0 {
		c.Policy.BlockAt = d.source(t.at("block"))
	}
	c.Policy.Sitemaps = t.values("sitemaps")
	c.Policy.Groups = readGroups(t)
	for _, f := range c.Policy.Check() {
		if f.Severity == policy.Error { // what else it finds is reported when a site is planned
			d.errorf(t.path, "%s", f.Text())
		}
	}
	return c
}

// readGroups reads [[robots.txt.groups]] and, as one more group, what [robots.txt] says of AI to
// everyone: contentSignal and contentUsage. That one comes last, so that the others keep the
// numbers by which messages name them.
func readGroups(t *table) (groups []robotstxt.Group) {
	everyone := robotstxt.Group{ContentSignal: t.text("contentSignal", Key{}),
		ContentUsage: t.list("contentUsage", Key{Form: FormTexts})}
	for _, g := range t.tables("groups", Key{}, noneRequired) {
		groups = append(groups, robotstxt.Group{
			Agents:        g.list("agents", Key{Form: FormList}),
			Allow:         g.values("allow"),
			Disallow:      g.values("disallow"),
			CrawlDelay:    g.number("crawlDelay", "number of seconds", FormNumber),
			CleanParam:    g.list("cleanParam", Key{Form: FormTexts}),
			ContentSignal: g.text("contentSignal", Key{}),
			ContentUsage:  g.list("contentUsage", Key{Form: FormTexts}),
			Standalone:    g.boolean("standalone"),
		})
	}
	if everyone.ContentSignal != "" || len(everyone.ContentUsage) > 0 {
		groups = append(groups, everyone)
	}
	return groups
}

// values reads a list of texts, such as lines of robots.txt, each with its place.
func (t *table) values(key string) (all []robotstxt.Value) {
	for i, text := range t.list(key, Key{Form: FormTexts}) {
		all = append(all, robotstxt.Value{Text: text, Source: t.d.source(append(t.at(key), strconv.Itoa(i)))})
	}
	return all
}

// source is the place of a key, by its path; zero if its line is not known.
func (d *decoder) source(path []string) (s robotstxt.Source) {
	if file, line := d.locate(path...); line > 0 {
		s.Origin = policy.Origin{File: file, Line: line, Key: frontmatter.KeyName(path)}
	}
	return s
}
