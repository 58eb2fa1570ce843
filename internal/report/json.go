package report

import (
	"io"
	"iter"

	"metarobots/internal/snapshot"
)

// WriteJSON writes the data in the form of --json, whose lists are never null, with pages in place of its own: a site may
// have more than are to be in memory.
func WriteJSON(w io.Writer, d *Data, pages iter.Seq[Page]) error {
	whole := *d
	whole.Pages = []Page{}
	whole.Findings, whole.Summary.Headers = orEmpty(d.Findings), orEmpty(d.Summary.Headers)
	whole.Summary.NewlyNoindex = orEmpty(d.Summary.NewlyNoindex)
	if d.Changes != nil {
		c := *d.Changes
		for _, list := range []*[]snapshot.Change{&c.NewlyNoindex, &c.NewlyIndexable, &c.Changed, &c.Added, &c.Removed} {
			*list = orEmpty(*list)
		}
		whole.Changes = &c
	}
	return Stream(w, whole, func(yield func(Page) bool) {
		for p := range pages {
			if p.Meta == nil {
				p.Meta = map[string]string{}
			}
			p.Header, p.Why = orEmpty(p.Header), orEmpty(p.Why)
			if !yield(p) {
				return
			}
		}
	})
}

// orEmpty is a list that JSON does not print as null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
