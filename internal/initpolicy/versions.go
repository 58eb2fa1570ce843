package initpolicy

import (
	"slices"
	"strings"

	"metarobots/internal/versions"
)

// oldVersions suggests to hide all versions of a documentation except the newest (L10), if the
// generator or a list tells the versions and some are old.
func (s *Starter) oldVersions() []*Suggestion {
	var current []string // of each documentation, with the file that tells it
	for i := range s.plan.Versions.Groups {
		g := &s.plan.Versions.Groups[i]
		if slices.ContainsFunc(g.Versions, g.IsOld) {
			current = append(current, s.newestOf(g)+" by "+g.At.File)
		}
	}
	if len(current) == 0 {
		return nil
	}
	return []*Suggestion{{Name: "versions", table: "robots.visibility", Lines: []string{`versions = "newest"`},
		What: "old versions of the documentation. The newest is " + strings.Join(slices.Compact(current), ", ") +
			`. Or "canonical", which leaves them in search results and names the newest to search engines.`,
		hidesMany: true}}
}

// newestOf names the newest version of a documentation with its aliases: "1.1 (latest, stable)".
func (s *Starter) newestOf(g *versions.Group) string {
	var aliases []string
	for _, v := range g.Versions {
		if v.AliasOf == g.Newest {
			aliases = append(aliases, v.Name)
		}
	}
	if len(aliases) == 0 {
		return g.Newest
	}
	return g.Newest + " (" + strings.Join(aliases, ", ") + ")"
}
