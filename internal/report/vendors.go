package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/internal/published"
	"metarobots/internal/result"
	"metarobots/policy"
)

// VendorsAsOf is the day of the table of vendors.
func (v *view) VendorsAsOf() string { return policy.CrawlersAsOf() }

// vendorUse says what a vendor may do for a use, for a table's cell; files are counted where not all are alike.
func vendorUse(t result.VendorTable, use string) string {
	u, err := policy.ParseUse(use)
	c := t.Uses[u]
	if err != nil || c == nil {
		return "not documented"
	}
	source := func(words string) string {
		if !documents(c.Source) {
			return words
		}
		return "[" + words + "](" + c.Source + ")"
	}
	total := c.Allowed + c.Denied + c.Unknown
	var parts []string
	for _, of := range []struct {
		n     int
		words string
	}{{c.Allowed, "yes"}, {c.Denied - c.MayIgnore, "no"}, {c.MayIgnore, "no, " + source("may ignore it")},
		{c.Unknown, "unknown: told no, " + source("documents nothing")}} {
		switch {
		case of.n == total:
			parts = append(parts, of.words)
		case of.n > 0:
			parts = append(parts, of.words+": "+number(of.n, "file"))
		}
	}
	return strings.Join(parts, "; ")
}

// documents reports whether a URL is one of the table of vendors: reports link to no other.
func documents(url string) bool {
	return slices.ContainsFunc(policy.AllCrawlers(), func(c *policy.Crawler) bool {
		return slices.ContainsFunc(c.Uses, func(u policy.DocumentedUse) bool { return u.Source == url })
	})
}

// signalPlace says where a signal is: in a file, or with the URL itself.
func signalPlace(s published.Signal) string {
	return cmp.Or(policy.Place(s.File, s.Line), "its header or tag")
}

// A vendorLine is what decides for some vendors.
type vendorLine struct {
	By, Where string
	Vendors   []string
	Files     int // the most of any vendor
}

// VendorLines are the lines of robots.txt, headers and tags that decide what vendors do.
func (v *view) VendorLines() (lines []*vendorLine) {
	known := map[[2]string]*vendorLine{}
	for _, t := range v.Data.Vendors {
		for _, u := range policy.Uses {
			for _, by := range cmp.Or(t.Uses[u], &result.UseCount{}).By {
				key := [2]string{by.By, policy.Place(by.File, by.Line)}
				l := known[key]
				if l == nil {
					l = &vendorLine{By: by.By, Where: key[1]}
					known[key], lines = l, append(lines, l)
				}
				if v.Data.Client && by.Line > 0 {
					l.Where = fmt.Sprintf("robots.txt, line %d", by.Line)
				}
				if l.Files = max(l.Files, by.Files); !slices.Contains(l.Vendors, t.Vendor) {
					l.Vendors = append(l.Vendors, t.Vendor)
				}
			}
		}
	}
	return lines
}
