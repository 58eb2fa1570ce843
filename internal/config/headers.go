package config

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/servers"
	"metarobots/frontmatter"
	"metarobots/policy"
)

// Headers is [robots.headers].
type Headers struct {
	Targets []string
	Scope   string // auto, files, all
	// Hosts are further host names of the deployment and the X-Robots-Tag lines each gets, for project.pages.dev beside
	// the canonical host.
	Hosts map[string][]string
}

// headerTargets are the hosts that headers can be written for: those that read _headers, then those with a file of
// their own form, none.
var headerTargets = slices.Concat([]string{"auto", headers.TargetPortable, headers.TargetNetlify,
	headers.TargetCloudflare},
	servers.Targets(), []string{headers.TargetNone})

// headers reads [robots.headers].
func (d *decoder) headers(t *table) Headers {
	defer t.done()
	c := Headers{Targets: t.names("targets", true), Scope: t.choice("scope", "auto", "files", "all")}
	c.Hosts = d.hosts(t.table("hosts"))
	faults := len(d.errs)
	for i, target := range c.Targets {
		at := append(t.at("targets"), fmt.Sprint(i))
		target = strings.ToLower(target)
		c.Targets[i] = target
		switch {
		case slices.Contains(headerTargets, target):
		default:
			d.unknownName(at, "target", target, headerTargets)
		}
	}
	if len(d.errs) == faults {
		d.together(c.Targets, t.at("targets"))
	}
	return c
}

// together refuses targets that cannot stand in one list.
func (d *decoder) together(targets, at []string) {
	underscore := 0
	for i, target := range targets {
		if _, server := servers.Lookup(target); !server {
			underscore++
		}
		if slices.Contains(targets[:i], target) {
			d.errorf(at, "%q stands there twice", target)
			return
		}
	}
	switch {
	case underscore > 0 && len(targets) > 1 && slices.Contains(targets, headers.TargetNone):
		d.errorf(at, "\"none\" stands alone")
	case underscore > 1:
		d.errorf(at, "auto, portable, netlify and cloudflare write the same file, _headers: name one of them; "+
			"portable is right on Netlify and Cloudflare at once")
	}
}

// hosts reads what other hosts of the deployment are told: false is noindex, follow.
func (d *decoder) hosts(t *table) map[string][]string {
	hosts := map[string][]string{}
	for _, host := range t.keys() {
		value, path := t.values[strings.ToLower(host)], t.at(host)
		statements := []policy.Statement{{Directives: policy.NoIndexFollow()}}
		if on, ok := frontmatter.Truth(value); !ok {
			statements = d.directives(value, path, policy.LayerRule)
		} else if on {
			continue
		}
		p := policy.Policy{Crawlers: d.keys.Crawlers}
		decision := p.Resolve(statements)
		hosts[strings.ToLower(host)] = decision.Header(p.Style)
	}
	return hosts
}
