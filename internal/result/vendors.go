package result

import (
	"slices"

	"metarobots/internal/plan"
	"metarobots/internal/published"
	"metarobots/policy"
)

// A VendorTable counts, for one vendor of AI, the files that it uses.
type VendorTable struct {
	Vendor string `json:"vendor"`
	// Uses has no entry for a use of which the vendor documents nothing.
	Uses map[policy.Use]*UseCount `json:"uses"`
}

// A UseCount counts files by what a vendor does with them for one use. A vendor with several crawlers for a use is
// denied it where all of them are.
type UseCount struct {
	Allowed int `json:"allowed"`
	Denied  int `json:"denied"`
	// Unknown are denied too, to a vendor that documents nothing.
	Unknown int `json:"unknown"`
	// MayIgnore are those of Denied of which robots.txt says so to a crawler that does not always obey it.
	MayIgnore int `json:"mayIgnore"`
	// By are what decides, each once, with how many files, in the order of the files.
	By []VendorCause `json:"by"`
	// Source is the URL where the vendor documents the use.
	Source string `json:"source"`
}

// A VendorCause is a line of robots.txt, a header or a tag that decides.
type VendorCause struct {
	By    string `json:"by"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Files int    `json:"files"`
}

// VendorTables has a table for each vendor, by name; nil where neither the policy nor what is published says anything
// of AI.
func VendorTables(s *plan.Plan) (tables []VendorTable) {
	if !slices.ContainsFunc(s.Pages, func(pg *plan.Page) bool { return published.Addressed(s, pg) }) {
		return nil
	}
	groups := published.Groups(s)
	for _, name := range published.VendorNames() {
		t := VendorTable{name, map[policy.Use]*UseCount{}}
		for _, g := range groups {
			for _, u := range policy.Uses {
				t.count(u, g)
			}
		}
		tables = append(tables, t)
	}
	return tables
}

// count adds the files of a group by what the vendor's crawlers for a use do with them.
func (t *VendorTable) count(u policy.Use, g *published.Group) {
	files := len(g.Pages)
	all := slices.DeleteFunc(slices.Clone(g.Answers), func(a published.Answer) bool {
		return a.Vendor != t.Vendor || a.Use != u
	})
	if len(all) == 0 {
		return
	}
	c := t.Uses[u]
	if c == nil {
		c = &UseCount{Source: all[0].Source, By: []VendorCause{}}
		t.Uses[u] = c
	}
	any := func(is func(published.Answer) bool) bool { return slices.ContainsFunc(all, is) }
	switch {
	case any(func(a published.Answer) bool { return a.Allows() }):
		c.Allowed += files
	case any(func(a published.Answer) bool { return a.Answer == published.Unknown }):
		c.Unknown += files
	case any(func(a published.Answer) bool { return a.MayIgnore }):
		c.MayIgnore += files
		fallthrough
	default:
		c.Denied += files
	}
	for _, a := range all {
		if a.By == "" {
			continue
		}
		i := slices.IndexFunc(c.By, func(o VendorCause) bool { return o.By == a.By && o.File == a.File && o.Line == a.Line })
		if i < 0 {
			i, c.By = len(c.By), append(c.By, VendorCause{By: a.By, File: a.File, Line: a.Line})
		}
		c.By[i].Files += files
	}
}
