package config

import (
	"strconv"

	"metarobots/internal/versions"
	"metarobots/policy"
)

// oldVersions is what visibility.versions = "newest" states of old versions (L10); nothing if it is "all".
func (d *decoder) oldVersions(visibility *table) []policy.Visible {
	if visibility.choice("versions", "all", "newest") == "all" {
		return nil
	}
	origin := d.origin(visibility.at("versions"), policy.LayerVisibility)
	return []policy.Visible{{Group: "versions", Name: versions.Old, Origin: origin,
		Statements: []policy.Statement{{Directives: policy.Stating("noindex, follow"), Origin: origin}}}}
}

// versions reads [robots.versions].
func (d *decoder) versions(t *table) (patterns []versions.Pattern) {
	for i, p := range each(t, "match", Key{Form: FormTexts}, versions.ParsePattern) {
		p.At = d.origin(append(t.at("match"), strconv.Itoa(i)), 0)
		patterns = append(patterns, p)
	}
	return patterns
}
