package config

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"metarobots/emit/links"
	"metarobots/policy"
)

// Links is [robots.links]: rel values on links that lead away, and data-nosnippet by class. It asks for nothing
// unless somebody does.
type Links struct {
	// Options are what package links takes.
	Options  links.Options
	sections [][]string // of each rule; none for all
	// RuleOrigins and SnippetOrigins are the places of Options.Rules and of Options.NoSnippet.
	RuleOrigins, SnippetOrigins []policy.Origin
	all                         *links.Policy
	sliced                      sync.Map // *links.Policy by section, in lower case
}

// Empty reports whether nothing is asked for.
func (c *Links) Empty() bool { return c == nil || c.all.Empty() }

// String shows what the configuration says.
func (c *Links) String() string { return fmt.Sprintf("%+v %q", c.Options, c.sections) }

// Policy returns what is asked of the pages of a section.
func (c *Links) Policy(section string) *links.Policy {
	section = strings.ToLower(section)
	if p, ok := c.sliced.Load(section); ok {
		return p.(*links.Policy)
	}
	p := c.all.Only(func(rule int) bool {
		return len(c.sections[rule]) == 0 || slices.Contains(c.sections[rule], section)
	})
	c.sliced.Store(section, p)
	return p
}

// links reads [robots.links].
func (d *decoder) links(t *table) *Links {
	defer t.done()
	c := &Links{}
	c.Options.Own = d.hostList(t, "own")
	c.Options.Except = d.hostList(t, "except")
	for i, text := range t.names("nosnippet", true) {
		at := append(t.at("nosnippet"), fmt.Sprint(i))
		class, err := links.ParseClass(text)
		if err != nil {
			d.errorf(at, "%v", err)
			continue
		}
		c.Options.NoSnippet = append(c.Options.NoSnippet, class)
		c.SnippetOrigins = append(c.SnippetOrigins, d.origin(at))
	}
	d.linkRules(c, t.tables("rules"))
	c.all = links.New(c.Options)
	return c
}

// linkRules reads [[robots.links.rules]].
func (d *decoder) linkRules(c *Links, tables []*table) {
	for _, r := range tables {
		rule := links.Rule{Hosts: d.hostList(r, "hosts"), Except: d.hostList(r, "except")}
		for i, text := range r.names("rel", true) {
			rel, err := links.ParseRel(text)
			if err != nil {
				d.errorf(append(r.at("rel"), fmt.Sprint(i)), "%v", err)
			}
			rule.Rel |= rel
		}
		for i, text := range r.names("class", true) {
			class, err := links.ParseClass(text)
			if err != nil {
				d.errorf(append(r.at("class"), fmt.Sprint(i)), "%v", err)
			}
			rule.Class = append(rule.Class, class)
		}
		var sections []string
		for _, s := range r.names("sections", true) {
			sections = append(sections, strings.ToLower(s))
		}
		if _, ok := r.values["rel"]; !ok {
			d.errorf(r.path, "a rule for links needs rel: nofollow, ugc or sponsored")
		}
		r.done()
		c.Options.Rules = append(c.Options.Rules, rule)
		c.sections = append(c.sections, sections)
		c.RuleOrigins = append(c.RuleOrigins, d.origin(r.path))
	}
}

func (d *decoder) hostList(t *table, key string) []links.Host {
	var hosts []links.Host
	for i, text := range t.names(key, true) {
		h, err := links.ParseHost(text)
		if err != nil {
			d.errorf(append(t.at(key), fmt.Sprint(i)), "%v", err)
			continue
		}
		hosts = append(hosts, h)
	}
	return hosts
}
