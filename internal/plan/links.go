package plan

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"metarobots/emit/links"
	"metarobots/policy"
)

// LinksConfig is [robots.links]: rel values on links that lead away, and data-nosnippet by class. It asks for nothing
// unless somebody does.
type LinksConfig struct {
	options  links.Options
	sections [][]string // of each rule; none for all
	origins  []policy.Origin
	snippets []policy.Origin
	all      *links.Policy
	sliced   sync.Map // *links.Policy by section, in lower case
}

// empty reports whether nothing is asked for.
func (c *LinksConfig) empty() bool { return c == nil || c.all.Empty() }

// String shows what the configuration says.
func (c *LinksConfig) String() string { return fmt.Sprintf("%+v %q", c.options, c.sections) }

// policy returns what is asked of the pages of a section.
func (c *LinksConfig) policy(section string) *links.Policy {
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

// linkUse counts what of the links' policy found something to do.
type linkUse struct{ rules, snippets []atomic.Bool }

// editLinks applies the links' policy to a page whose metas are settled; out are its bytes, src those on the disk. What
// is returned is the editor's until its next page.
func (e *editor) editLinks(pg *Page, src, out []byte) []byte {
	c := e.plan.project.Config.Robots.Links
	if pg.Role == policy.RolePage && !c.empty() && e.page.Encoding == "" {
		e.links.Scan(out, e.plan.project.address(pg.Name).String(), c.policy(pg.Section))
		if len(e.links.Edits) > 0 {
			e.linked = e.links.Rewrite(e.linked[:0], out)
			out = e.linked
			pg.linked = &linked{sumOf(out), e.links.Record()}
		}
		e.plan.linkUse.note(&e.links)
		pg.edits = len(e.links.Edits)
		pg.ignored(&e.links)
	}
	pg.Changes = !bytes.Equal(out, src)
	return out
}

func (u *linkUse) note(p *links.Page) {
	for i, used := range p.Rules {
		if used && i < len(u.rules) {
			u.rules[i].Store(true)
		}
	}
	for i, used := range p.NoSnippet {
		if used && i < len(u.snippets) {
			u.snippets[i].Store(true)
		}
	}
}

// ignored reports elements on which Google reads no data-nosnippet.
func (pg *Page) ignored(p *links.Page) {
	if len(p.Ignored) == 0 {
		return
	}
	i := p.Ignored[0]
	more := ""
	if n := len(p.Ignored) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	pg.finding("nosnippet-ignored", policy.Warning, 0, "<%s class=%q> gets no data-nosnippet: Google reads it on div, span and section alone%s", i.Name, string(i.Class), more)
}

// unusedLinks reports what of the links' policy selected nothing (S4).
func (p *Plan) unusedLinks() {
	c := p.project.Config.Robots.Links
	if c.empty() {
		return
	}
	say := func(o policy.Origin, what string) {
		p.report(policy.Finding{ID: "selects-nothing", Severity: policy.Warning, File: o.File, Line: o.Line, Message: fmt.Sprintf("%s: %s", o.Key, what)})
	}
	for i := range p.linkUse.rules {
		if !p.linkUse.rules[i].Load() {
			say(c.origins[i], "no link of the site is one of these")
		}
	}
	for i := range p.linkUse.snippets {
		if !p.linkUse.snippets[i].Load() {
			say(c.snippets[i], fmt.Sprintf("no element has the class %q", c.options.NoSnippet[i]))
		}
	}
}

// links reads [robots.links].
func (d *decoder) links(t *table) *LinksConfig {
	defer t.done()
	c := &LinksConfig{}
	c.options.Own = d.hostList(t, "own")
	c.options.Except = d.hostList(t, "except")
	for i, text := range t.names("nosnippet", true) {
		at := append(t.at("nosnippet"), fmt.Sprint(i))
		class, err := links.ParseClass(text)
		if err != nil {
			d.errorf(at, "%v", err)
			continue
		}
		c.options.NoSnippet = append(c.options.NoSnippet, class)
		c.snippets = append(c.snippets, d.origin(at))
	}
	for _, r := range t.tables("rules") {
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
		c.options.Rules = append(c.options.Rules, rule)
		c.sections = append(c.sections, sections)
		c.origins = append(c.origins, d.origin(r.path))
	}
	c.all = links.New(c.options)
	return c
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
