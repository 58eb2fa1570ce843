package config

import (
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/frontmatter"
	"metarobots/policy"
)

// AI is [robots.ai]: what content may be used for, and where that is written.
type AI struct {
	// Carriers are names of [robotstxt.CarrierNames].
	Carriers []string
	// Token is the name of the group of the carrier training-token; empty for the draft's.
	Token string
	// License is the URL of terms, which the carriers rsl and rsl-link name.
	License string
}

// ai reads [robots.ai], and what it states of each use.
func (d *decoder) ai(t *table) (c AI, stated []policy.Statement) {
	for _, use := range policy.UseNames() {
		if v, ok := t.get(use, Key{Form: FormPreference}); ok {
			stated = append(stated, d.preferences(map[string]any{use: v.value}, t.path, policy.LayerDefault)...)
		}
	}
	c.Carriers = words(t, "carriers", "carrier", robotstxt.CarrierNames())
	c.Token, c.License = t.text("token", Key{}), t.text("license", Key{})
	if c.Token != "" && !policy.IsToken(c.Token) {
		d.errorf(t.at("token"), "%q is not a crawler's name: letters, hyphens and underscores", c.Token)
	}
	if c.License != "" && (!isURL(c.License) || strings.ContainsAny(c.License, " #<>\"")) {
		d.errorf(t.at("license"), "%q is not a whole URL: https:// and the host", c.License)
	}
	if i := slices.IndexFunc(c.Carriers, robotstxt.NeedsLicense); i >= 0 && c.License == "" {
		d.errorf(t.at("carriers"), "the carrier %s needs license, the URL of your terms", c.Carriers[i])
	}
	return c, stated
}

// preferences reads false, true or a map by use.
func (d *decoder) preferences(value any, path []string, layer policy.Layer) []policy.Statement {
	return d.read(frontmatter.Preferences(value, path, frontmatter.Config{Layer: layer, Locate: d.locate}))
}
