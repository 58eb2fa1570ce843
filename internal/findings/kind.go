// Package findings is the registry of findings: what each kind means, why it matters, and what to do about it. The
// program reports findings by their ids; docs/findings.md is made from this list.
package findings

import (
	"slices"
	"strings"

	"metarobots/policy"
)

// A Kind is what all findings of one id have in common. What, Why and Mend are whole sentences of plain text, in which
// code stands between backquotes.
type Kind struct {
	// ID is what findings carry and what an entry of robots.suppress names.
	ID string
	// Was is the id of earlier releases, which [robots.suppress] takes for one more release; empty for none.
	Was string
	// Group is the part of the site that the finding is about.
	Group Group
	// Severity is that of its findings, the gravest where they differ; Also are the others, gravest first.
	Severity policy.Severity
	Also     []policy.Severity
	// What was seen.
	What string
	// Why it matters: what it costs, and who says so.
	Why string
	// Source is the URL behind Why; empty where the rule is the house's, which Why then names as docs/semantics.md has it.
	Source string
	// Mend is what to do.
	Mend string
	// Fixed: a finding of the gravest severity cannot be suppressed, because the run did not do what it was asked for: what
	// was decided is not what will be served. Those of Also can.
	Fixed bool
}

// A Group is a part of a site.
type Group string

// The groups, in the order in which they are documented.
const (
	Tags    Group = "The tags of pages"
	Own     Group = "Front matter and configuration"
	Headers Group = "Headers"
	Robots  Group = "robots.txt"
	Links   Group = "Sitemaps and links between pages"
	Site    Group = "The site"
)

// Groups returns all groups, in the order in which they are documented.
func Groups() []Group { return []Group{Tags, Own, Headers, Robots, Links, Site} }

// kinds is the registry, by id.
var kinds = slices.SortedFunc(slices.Values(slices.Concat(tags, own, headers, robots, links, site)), byID)

func byID(a, b Kind) int { return strings.Compare(a.ID, b.ID) }

// Kinds returns all kinds, sorted by id. The caller owns the list.
func Kinds() []Kind { return slices.Clone(kinds) }

// IDs returns the ids of all kinds, sorted.
func IDs() []string {
	ids := make([]string, len(kinds))
	for i := range kinds {
		ids[i] = kinds[i].ID
	}
	return ids
}

// Of returns the kind of that id, in lower case as findings have it; ok is false where there is none.
func Of(id string) (k Kind, ok bool) {
	i, ok := slices.BinarySearchFunc(kinds, Kind{ID: id}, byID)
	if !ok {
		return Kind{}, false
	}
	return kinds[i], true
}

// Named is [Of] for an id that an owner wrote: one of earlier releases names its kind too.
func Named(id string) (k Kind, ok bool) {
	if i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Was == id && id != "" }); i >= 0 {
		return kinds[i], true
	}
	return Of(id)
}

// MaySuppress reports whether a finding of this kind and that severity may be suppressed.
func (k Kind) MaySuppress(severity policy.Severity) bool { return !k.Fixed || severity != k.Severity }
