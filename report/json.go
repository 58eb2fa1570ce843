package report

import (
	"encoding/json"
	"io"
	"slices"

	"metarobots/snapshot"
)

// writeJSON writes the data in the form of --json, whose lists are never null.
func writeJSON(w io.Writer, d *Data) error {
	whole := *d
	whole.Pages = orEmpty(slices.Clone(d.Pages))
	for i := range whole.Pages {
		p := &whole.Pages[i]
		if p.Meta == nil {
			p.Meta = map[string]string{}
		}
		p.Header, p.Why = orEmpty(p.Header), orEmpty(p.Why)
	}
	whole.Findings, whole.Summary.Headers = orEmpty(d.Findings), orEmpty(d.Summary.Headers)
	whole.Summary.NewlyNoindex = orEmpty(d.Summary.NewlyNoindex)
	if d.Changes != nil {
		c := *d.Changes
		for _, list := range []*[]snapshot.Change{&c.NewlyNoindex, &c.NewlyIndexable, &c.Changed, &c.Added, &c.Removed} {
			*list = orEmpty(*list)
		}
		whole.Changes = &c
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(whole)
}

// orEmpty is a list that JSON does not print as null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
