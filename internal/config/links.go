package config

import (
	"slices"
	"strings"

	"metarobots/emit/links"
	"metarobots/policy"
)

// Links is [robots.links]: rel values on links that lead away, and data-nosnippet by class. It asks
// for nothing unless somebody does.
type Links struct {
	// Options are what package links takes.
	Options  links.Config
	sections [][]string // of each rule; none for all
	// RuleOrigins and SnippetOrigins are the places of Options.Rules and of Options.NoSnippet.
	RuleOrigins, SnippetOrigins []policy.Origin
	all                         *links.Policy
}

// Empty reports whether nothing is asked for.
func (c *Links) Empty() bool { return c == nil || c.all.Empty() }

// Policy returns what is asked of the pages of a section.
func (c *Links) Policy(section string) *links.Policy {
	named := func(name string) bool { return strings.EqualFold(name, section) }
	return c.all.Only(func(rule int) bool {
		return len(c.sections[rule]) == 0 || slices.ContainsFunc(c.sections[rule], named)
	})
}

func (d *decoder) links(t *table) *Links {
	c := &Links{Options: links.Config{Own: t.hosts("own"), Except: t.hosts("except"),
		NoSnippet: t.classes("nosnippet")}}
	c.SnippetOrigins = d.elements(t.at("nosnippet"), len(c.Options.NoSnippet))
	var rels []string
	for r := links.Rel(1); r.String() != ""; r <<= 1 {
		rels = append(rels, r.String())
	}
	for _, r := range t.tables("rules", Key{Required: "rel"},
		"a rule for links needs rel: nofollow, ugc or sponsored") {
		rule := links.Rule{Hosts: r.hosts("hosts"), Except: r.hosts("except"), Class: r.classes("class")}
		for _, rel := range each(r, "rel", Key{Form: FormList, Words: rels}, links.ParseRel) {
			rule.Rel |= rel
		}
		c.Options.Rules = append(c.Options.Rules, rule)
		c.sections = append(c.sections, r.list("sections", Key{Form: FormList}))
		c.RuleOrigins = append(c.RuleOrigins, d.origin(r.path, 0))
	}
	c.all = links.New(c.Options)
	return c
}

func (t *table) hosts(key string) []links.Host {
	return each(t, key, Key{Form: FormList}, links.ParseHost)
}

func (t *table) classes(key string) []links.Class {
	return each(t, key, Key{Form: FormList}, links.ParseClass)
}
