package config

import (
	"slices"
	"strconv"

	"metarobots/internal/findings"
	"metarobots/policy"
)

// A Suppression keeps findings that the owner knows and accepts from being reported.
type Suppression struct {
	// ID is the finding's; Match are globs of the URLs it is about, none for all.
	ID    string
	Match policy.Globs
	// Origin is where the configuration says so.
	Origin policy.Origin
}

// Matches reports whether a finding is one to suppress.
func (s *Suppression) Matches(f *policy.Finding) bool {
	if kind, _ := findings.Of(f.ID); s.ID != f.ID || !kind.MaySuppress(f.Severity) {
		return false
	}
	if len(s.Match) == 0 {
		return true
	}
	return s.Match.Match(policy.Path{File: f.URL, URL: f.URL})
}

// suppressions reads robots.suppress.
func (d *decoder) suppressions(robots *table) []Suppression {
	var all []Suppression
	for _, t := range robots.tables("suppress", Key{Required: "id"}, noneRequired) {
		s := Suppression{ID: t.text("id", Key{Form: FormChoice, Words: suppressible()}), Match: t.globs("match", Key{}),
			Origin: d.origin(t.path, 0)}
		t.text("reason", Key{}) // for readers of the file
		kind, ok := findings.Of(s.ID)
		switch {
		case s.ID == "":
			d.errorf(t.path, "an entry needs id, that of the finding")
		case !ok:
			d.errorf(t.at("id"), "%s", policy.Unknown("finding", s.ID, suppressible()))
		case kind.CannotSuppress && len(kind.Also) == 0:
			d.errorf(t.at("id"), "%s cannot be suppressed (docs/findings.md says why)", s.ID)
		}
		all = append(all, s)
	}
	return all
}

// suppressible are the findings that suppress may name.
func suppressible() (ids []string) {
	for _, k := range findings.Kinds() {
		if !k.CannotSuppress || len(k.Also) > 0 {
			ids = append(ids, k.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// Baseline is [robots.baseline]: what may change between two snapshots without failing a check.
type Baseline struct {
	// NewlyNoindex and NewlyIndexable are how many pages may become so.
	NewlyNoindex, NewlyIndexable int
	// NewlyDisallowed and NewlyFetchable are how many URLs robots.txt may close, or open, to any
	// crawler.
	NewlyDisallowed, NewlyFetchable int
	// Acknowledged are the pages that are meant to, in either direction, which do not count.
	Acknowledged []policy.Glob
	// AcknowledgedAt are the places of Acknowledged.
	AcknowledgedAt []policy.Origin
}

func (d *decoder) baseline(t *table) Baseline {
	c := Baseline{NewlyNoindex: int(t.number("newlyNoindex", "number of pages", FormNumber)),
		NewlyIndexable:  int(t.number("newlyIndexable", "number of pages", FormNumber)),
		NewlyDisallowed: int(t.number("newlyDisallowed", "number of URLs", FormNumber)),
		NewlyFetchable:  int(t.number("newlyFetchable", "number of URLs", FormNumber)),
		Acknowledged:    t.globs("acknowledged", Key{})}
	c.AcknowledgedAt = d.elements(t.at("acknowledged"), len(c.Acknowledged))
	return c
}

// elements are the places of a list's first n elements.
func (d *decoder) elements(path []string, n int) []policy.Origin {
	places := make([]policy.Origin, n)
	for i := range places {
		places[i] = d.origin(append(path, strconv.Itoa(i)), 0)
	}
	return places
}
