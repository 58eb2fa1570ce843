package config

import (
	"strconv"

	"metarobots/internal/versions"
	"metarobots/policy"
)

// Versions is what the owner says of versions of a documentation (L10).
type Versions struct {
	// Match are the patterns of [robots.versions]: where versions are, beside those that are found.
	Match []versions.Pattern
	// Canonical is the place of visibility.versions = "canonical"; nil without it.
	Canonical *policy.Origin
}

// versions reads [robots.versions], and what visibility.versions states of old versions (L10):
// "newest" that they are noindex, "canonical" nothing that is a directive, "all" nothing.
func (d *decoder) versions(t, visibility *table) (c Versions, states []policy.Visible) {
	c.Match = d.versionPatterns(t)
	word := visibility.choice("versions", "all", "newest", "canonical")
	if word == "all" {
		return c, nil
	}
	origin := d.origin(visibility.at("versions"), policy.LayerVisibility)
	old := policy.Visible{Group: "versions", Name: versions.Old, Origin: origin}
	if word == "canonical" {
		c.Canonical = &origin
	} else {
		old.Statements = []policy.Statement{{Directives: policy.Stating("noindex, follow"), Origin: origin}}
	}
	return c, []policy.Visible{old}
}

// versionPatterns reads [robots.versions].
func (d *decoder) versionPatterns(t *table) (patterns []versions.Pattern) {
	for i, p := range each(t, "match", Key{Form: FormTexts}, versions.ParsePattern) {
		p.At = d.origin(append(t.at("match"), strconv.Itoa(i)), 0)
		patterns = append(patterns, p)
	}
	return patterns
}
