package config

import (
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/internal/hosts"
	"metarobots/policy"
)

// Headers is [robots.headers].
type Headers struct {
	Targets []string
	Scope   string // auto, files, all
	// Hosts are further host names of the deployment and the X-Robots-Tag lines each gets, for project.pages.dev beside
	// the canonical host.
	Hosts map[string][]string
	// Rules are for headers beside X-Robots-Tag.
	Rules []HeaderRule
}

// headers reads [robots.headers].
func (d *decoder) headers(t *table) Headers {
	defer t.done()
	faults := len(d.errs)
	c := Headers{Targets: t.words("targets", "target", hosts.Targets()), Hosts: map[string][]string{}}
	if len(d.errs) == faults {
		d.together(c.Targets, t.at("targets"))
	}
	c.Scope = t.choice("scope", "auto", "files", "all")
	for _, host := range t.table("hosts").names(Key{}) {
		p := policy.Policy{Crawlers: d.keys.Crawlers}
		statements := d.shown(host.value, host.path, policy.LayerRule)
		if d.noAI(statements, host.path); len(statements) > 0 {
			decision := p.Resolve(statements)
			c.Hosts[strings.ToLower(host.name)] = decision.Header(p.Style)
		}
	}
	c.Rules = d.headerRules(t)
	return c
}

// together refuses targets that cannot stand in one list.
func (d *decoder) together(targets, at []string) {
	var shared []string // those that need no file of their own
	for i, target := range targets {
		if slices.Contains(targets[:i], target) {
			d.errorf(at, "%q stands there twice", target)
			return
		}
		if hosts.Lookup(target).Format == nil {
			shared = append(shared, target)
		}
	}
	switch {
	case len(shared) > 0 && len(targets) > 1 && slices.Contains(targets, headers.TargetNone):
		d.errorf(at, "\"none\" stands alone")
	case len(shared) > 1:
		d.errorf(at, "auto, portable, netlify and cloudflare write the same file, _headers: name one of them; "+
			"portable is right on Netlify and Cloudflare at once")
	}
}
